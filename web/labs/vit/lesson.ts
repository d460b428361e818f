/** The lesson of the ViT lab: patches, their projection, class token and positions, attention over an image. */
import type { Lesson } from "../../telling/lesson.js";

export const lesson: Lesson<"vit"> = {
  parts: [
    {
      id: "patches",
      heading: { en: "An image becomes a sentence", "zh-CN": "一幅图变成一句话" },
      paragraphs: [
        {
          stop: "cut",
          en: "A Transformer reads rows. So the image is cut into squares of *P* × *P* pixels, in reading order: (*H* ÷ *P*)(*W* ÷ *P*) of them. Each square is one word. Pixels, 0 to 255, are moved to −1 to 1 first.",
          "zh-CN":
            "Transformer 读的是一行一行的数。于是把图像切成 *P* × *P* 像素的方块，按阅读的顺序排好，共 (*H* ÷ *P*)(*W* ÷ *P*) 块。每块就是一个词。像素先从 0 到 255 变到 −1 到 1。",
        },
      ],
      tries: [
        {
          sentence: { en: "Look at one pixel", "zh-CN": "看一个像素" },
          look: {
            en: "Its patch is framed in the image, and shown large beside it.",
            "zh-CN": "它所在的图块在图中框出，并在旁边放大。",
          },
          cell: { node: "image", index: [0, 12, 12] },
        },
        {
          sentence: { en: "Cut the harbour into larger squares", "zh-CN": "把港湾切成更大的方块" },
          look: {
            en: "16 patches of 16 × 16: fewer words, each with four times the numbers.",
            "zh-CN": "16 个图块，每块 16 × 16：词少了，每个词的数是原来的四倍。",
          },
          example: "harbour",
          changes: [{ control: "patch", value: "16" }],
          cell: { node: "weights", index: [14, 12] },
        },
      ],
      questions: [
        {
          stop: "flatten",
          sentence: {
            en: "The red of the first pixel is 51, out of 255. When 0 to 255 is moved to −1 to 1, what is the first number of the flat patch?",
            "zh-CN": "第一个像素的红色是 51，最大是 255。从 0 到 255 变到 −1 到 1，展平后的第一个数是多少？",
          },
          example: "harbour",
          cell: { node: "bands", index: [48, 0, 0] },
        },
      ],
    },
    {
      id: "flatten",
      heading: { en: "A square becomes a row", "zh-CN": "方块变成一行" },
      paragraphs: [
        {
          stop: "flatten",
          en: "The *P* × *P* pixels of a patch have three colours each. Laid out in one line they are *P*²·3 numbers, always in the same order. Nothing is computed, and nothing in the row says which numbers were neighbours.",
          "zh-CN":
            "一个图块有 *P* × *P* 个像素，每个像素三种颜色。排成一行就是 *P*²·3 个数，顺序总是一样。这里什么也没有算，行里也没有哪个数说明谁与谁曾经相邻。",
        },
      ],
      tries: [
        {
          sentence: { en: "Find a number’s pixel", "zh-CN": "找到一个数的像素" },
          look: {
            en: "The note gives its place in the image. “From” leads there.",
            "zh-CN": "算式里写着它在图像中的位置。“来自”通向那里。",
          },
          example: "harbour",
          cell: { node: "bands", index: [27, 0, 9] },
        },
      ],
      questions: [
        {
          stop: "flatten",
          sentence: {
            en: "Patch 0 is 8 pixels wide. Its red is 0.067 in rows 0 and 1 of its pixels, and 0.2 in rows 2 to 5. What stands at place 17 of the flat patch, counted from 0?",
            "zh-CN":
              "图块 0 宽 8 个像素，红色在第 0、1 行像素里是 0.067，在第 2 到 5 行里是 0.2。展平以后，从 0 数起的第 17 个数是多少？",
          },
          example: "harbour",
          cell: { node: "bands", index: [0, 0, 17] },
        },
      ],
    },
    {
      id: "project",
      heading: { en: "One matrix for every patch", "zh-CN": "所有图块共用一个矩阵" },
      paragraphs: [
        {
          stop: "project",
          en: "A flat patch times *weight|W_E*, plus *weight|b_E*, is a row of *D* numbers: the patch embedding, what a word embedding is to a word. The same matrix serves every patch. It is a convolution whose kernel is as large as the patch and which steps from patch to patch: a column of *weight|W_E* is one kernel, laid flat.",
          "zh-CN":
            "展平的图块乘以 *weight|W_E*，加上 *weight|b_E*，得到 *D* 个数的一行：图块嵌入（patch embedding），相当于词嵌入。所有图块共用这个矩阵。它就是一次卷积，卷积核与图块一样大，步长也是图块的边长：*weight|W_E* 的一列就是一个展平的卷积核。",
        },
      ],
      tries: [
        {
          sentence: { en: "Project the patches", "zh-CN": "投影这些图块" },
          look: {
            en: "A row of pixels from the left, a column of W_E from above; on a wide screen the column is drawn as a kernel too.",
            "zh-CN": "左边是一行像素，上面是 W_E 的一列；宽屏上，这一列也画成卷积核。",
          },
          changes: [{ control: "compare", value: "projection" }],
          cell: { node: "projected", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "project",
          sentence: {
            en: "Patches 0 and 4 have the same pixels here. What is the covered number in the embedding of patch 4?",
            "zh-CN": "这里图块 0 与图块 4 的像素完全相同。图块 4 的嵌入里，盖住的数是多少？",
          },
          example: "letter",
          cell: { node: "tokens", index: [4, 3] },
        },
      ],
    },
    {
      id: "place",
      heading: { en: "A row for the whole, and a place for each", "zh-CN": "一行代表整体，每行有个位置" },
      paragraphs: [
        {
          stop: "place",
          en: "Attention knows no order, so each row gets a learned position embedding added: without it, a shuffled image is the same set of words. Before all patches goes a class token, CLS, a learned row that is no part of the image. It looks at every patch, and a classifier reads its output.",
          "zh-CN":
            "注意力不知道顺序，所以每一行都加上一个学得的位置嵌入（position embedding）：没有它，打乱的图像还是同一组词。所有图块之前再放一个分类词元（class token，CLS），它是学得的一行，不属于图像。它看所有的图块，分类器读它的输出。",
        },
      ],
      tries: [
        {
          sentence: { en: "Put CLS first", "zh-CN": "把 CLS 放在最前" },
          look: {
            en: "One row more than there are patches; each row plus its position.",
            "zh-CN": "比图块多一行；每一行加上自己的位置。",
          },
          changes: [
            { control: "compare", value: "projection" },
            { control: "cls", value: "on" },
          ],
          cell: { node: "sequence", index: [0, 0] },
        },
        {
          sentence: { en: "See what CLS looks at", "zh-CN": "看 CLS 在看什么" },
          look: {
            en: "The clearer a patch shows, the larger its attention weight. Nothing is trained here: the choice means nothing yet.",
            "zh-CN": "图块越不透明，注意力权重越大。这里没有训练：这样的选择还没有含义。",
          },
          changes: [
            { control: "compare", value: "projection" },
            { control: "cls", value: "on" },
          ],
          cell: { node: "weights", index: [0, 1] },
        },
      ],
      questions: [
        {
          stop: "place",
          sentence: {
            en: "The position embedding of patch 0 is added to its patch embedding. What is the sum in the covered column?",
            "zh-CN": "图块 0 的嵌入加上它的位置嵌入。盖住的那一列，和是多少？",
          },
          example: "letter",
          cell: { node: "sequence", index: [1, 3] },
        },
      ],
    },
    {
      id: "attend",
      heading: { en: "Every square sees every square", "zh-CN": "每块都看得到每块" },
      paragraphs: [
        {
          stop: "attend",
          en: "A convolution sees its neighbourhood, and needs many layers to cross an image. Here the first layer joins any two patches, with attention weights that depend on what is in them. The price: no neighbourhood is built in, so more images are needed to learn it, and the weights are *N*² numbers. Half the side of a patch makes *N* four times, the weights sixteen times as large.",
          "zh-CN":
            "卷积只看邻近处，要很多层才能跨过一幅图。这里第一层就能连接任意两块，注意力权重取决于块里的内容。代价是：邻近关系没有内置，要更多的图像才能学到；而且权重有 *N*² 个数。图块边长减半，*N* 变成四倍，权重变成十六倍。",
        },
        {
          stop: "stretch",
          en: "A flexible image size is often praised. The patches allow it, and so does all that follows; but there are only as many learned position embeddings as patches in training. For another size they are interpolated as a small picture is enlarged: each new position is a weighted sum of those around it. That gives every patch a position, a guess between learned ones: nothing was learned for it, so accuracy suffers a little, and the model is usually trained further at the new size.",
          "zh-CN":
            "常有人称赞 ViT 的图像大小灵活。图块允许这样做，后面的计算也都允许；但学得的位置嵌入只有训练时的图块那么多。换了大小，就像放大一幅小图那样插值：每个新位置都是周围几个位置的加权和。这样每个图块都有了位置，但它只是学得的位置之间的猜测：没有专门为它学过什么，准确率会略受影响，通常还要在新的大小上继续训练。",
        },
      ],
      tries: [
        {
          sentence: { en: "Let one corner look at the other", "zh-CN": "让一个角看另一个角" },
          look: {
            en: "The first patch asks the last: one dot product, however far apart they are.",
            "zh-CN": "第一块问最后一块：一次点积，不论相距多远。",
          },
          example: "harbour",
          cell: { node: "scores", index: [0, 63] },
        },
        {
          sentence: { en: "Halve the patches", "zh-CN": "图块边长减半" },
          look: {
            en: "256 patches, 65 536 weights.",
            "zh-CN": "256 个图块，65 536 个权重。",
          },
          example: "harbour",
          changes: [{ control: "patch", value: "4" }],
          cell: { node: "weights", index: [0, 255] },
        },
        {
          sentence: { en: "Double the image’s side", "zh-CN": "把图像边长加倍" },
          look: {
            en: "Positions made for 4 × 4 patches, interpolated to 8 × 8. At the right, the weights that make one of them.",
            "zh-CN": "对应 4 × 4 个图块的位置，插值到 8 × 8 个。右边是算出其中一个位置的系数。",
          },
          example: "harbour-resized",
          cell: { node: "stretched", index: [4, 4, 1] },
        },
      ],
      questions: [
        {
          stop: "attend",
          sentence: {
            en: "There are four patches, and two of them get almost nothing from patch 1. Which weight is left for patch 1 itself?",
            "zh-CN": "这里有四个图块，其中两个从图块 1 几乎得不到权重。留给图块 1 自己的权重是多少？",
          },
          example: "harbour",
          changes: [
            { control: "size", value: "16" },
            { control: "patch", value: "8" },
          ],
          cell: { node: "weights", index: [1, 1] },
        },
        {
          stop: "mix",
          sentence: {
            en: "Patches 0 and 1 have nearly all the weight in the row of patch 0, and both hold 0.2 in this column. What is the output there?",
            "zh-CN":
              "在图块 0 这一行里，图块 0 与 1 几乎占去全部权重，而它们在这一列都是 0.2。这里的输出是多少？",
          },
          example: "harbour",
          changes: [
            { control: "size", value: "16" },
            { control: "patch", value: "8" },
          ],
          cell: { node: "output", index: [0, 0] },
        },
        {
          stop: "stretch",
          sentence: {
            en: "With bilinear interpolation this new position takes three quarters of the first original position and one quarter of the next. What is its number?",
            "zh-CN":
              "用双线性插值，这个新位置取原来第一个位置的四分之三，加上下一个的四分之一。它的数是多少？",
          },
          example: "harbour-resized",
          changes: [{ control: "interpolation", value: "bilinear" }],
          cell: { node: "stretched", index: [0, 1, 0] },
        },
      ],
    },
    {
      id: "encoder",
      heading: { en: "What CLS looks at", "zh-CN": "CLS 在看哪里" },
      paragraphs: [
        {
          stop: "look",
          en: "Encoder layers now read the sequence: attention in heads on normalised rows (Pre-LN), then a GELU network, each added to the path: residual connections. Row 0 of a head’s *attention|A* is what CLS gives every patch; laid over the image it is a picture. The parameters here are drawn, not trained, so it has no meaning yet; the arithmetic is what a trained ViT does.",
          "zh-CN":
            "现在由编码器层来读这个序列：先归一化再做多头注意力，即前归一化（Pre-LN）；然后经过 GELU 前馈网络；两者都加到原来的行上：残差连接（residual connection）。一个头的 *attention|A* 的第 0 行，就是 CLS 给每个图块的权重；铺在图上就是一幅图。这里的参数是随机初始化的，没有训练过，所以还没有含义；算法与训练好的 ViT 一样。",
        },
        {
          stop: "rollout",
          en: "One layer is not the whole way. The attention rollout takes the mean of a layer’s heads, gives half to the row itself, for the path carries it on, and multiplies the layers: how much of each patch reaches CLS in the end, if attention alone carried it.",
          "zh-CN":
            "一层不是全部。注意力展开（attention rollout）先取一层各头的平均，再把一半留给行自己，因为残差连接会带着它走；然后把各层相乘：假如只有注意力在传递，每个图块最后有多少到达 CLS。",
        },
      ],
      tries: [
        {
          sentence: { en: "Lay the heads over the image", "zh-CN": "把各个头铺在图上" },
          look: {
            en: "One picture per head, each from 0 to its own largest; under them the same weights as rows.",
            "zh-CN": "每个头一幅图，各自从 0 到自己的最大；下面是同样的权重，排成行。",
          },
          example: "harbour-encoder",
          cell: { node: "cls_weights", index: [2, 0, 8] },
        },
        {
          sentence: { en: "Roll the attention out", "zh-CN": "把注意力展开" },
          look: {
            en: "CLS keeps most for itself: half of every layer is the residual connection.",
            "zh-CN": "CLS 给自己留得最多：每层都有一半是残差连接。",
          },
          example: "harbour-encoder",
          cell: { node: "cls_rollout", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "layer1",
          sentence: {
            en: "The residual connection adds the output of attention to the row of CLS. What is the first number of the sum?",
            "zh-CN": "残差连接把注意力的输出加到 CLS 的行上。和的第一个数是多少？",
          },
          example: "harbour-encoder",
          changes: [
            { control: "patch", value: "32" },
            { control: "dim", value: "4" },
            { control: "heads", value: "2" },
          ],
          cell: { node: "layers.0.residual1", index: [0, 0] },
        },
        {
          stop: "look",
          sentence: {
            en: "In head 0 CLS divides its attention among itself and four patches. How much is left for the last patch?",
            "zh-CN": "在头 0 里，CLS 把注意力分给自己和四个图块。留给最后一个图块的是多少？",
          },
          example: "harbour-encoder",
          changes: [
            { control: "patch", value: "32" },
            { control: "dim", value: "4" },
            { control: "heads", value: "2" },
          ],
          cell: { node: "cls_weights", index: [0, 0, 4] },
        },
        {
          stop: "rollout",
          sentence: {
            en: "In the mean of the heads patch 0 gives itself 0.164. The residual connection adds 1, and the row is divided so that it sums to 1 again. What does patch 0 keep for itself?",
            "zh-CN":
              "各头平均之后，图块 0 给自己 0.164。残差连接再加 1，然后整行除以它的和，使和重新为 1。图块 0 给自己留下多少？",
          },
          example: "harbour-encoder",
          changes: [
            { control: "patch", value: "32" },
            { control: "dim", value: "4" },
            { control: "heads", value: "2" },
          ],
          cell: { node: "rollout.normalised_0", index: [1, 1] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "own-image",
      title: { en: "Your own picture", "zh-CN": "你自己的图" },
      sentence: {
        en: "Open the image in the sentence of settings and choose a file. It stays in this browser.",
        "zh-CN": "点开句中的图像，选一个文件。它不会离开浏览器。",
      },
      done: {
        en: "Your picture is rows of numbers now, like any other sentence.",
        "zh-CN": "你的图现在是一行行的数，和别的句子一样。",
      },
      happens: (act) => act.kind === "change" && act.control === "image" && act.value === "own",
    },
    {
      id: "smaller-patches",
      title: { en: "Smaller squares, more words", "zh-CN": "方块更小，词更多" },
      sentence: { en: "Make the patches smaller.", "zh-CN": "把图块改小。" },
      done: {
        en: "The weights grew with the square of the number of patches.",
        "zh-CN": "权重的个数随图块数的平方增长。",
      },
      happens: (act, { config, was }) =>
        act.kind === "change" && act.control === "patch" && config.numbers.patch < was.numbers.patch,
    },
    {
      id: "back-to-a-pixel",
      title: { en: "Back to a pixel", "zh-CN": "回到一个像素" },
      sentence: {
        en: "From a number of a flat patch, follow “from” in the note to the image. On a keyboard, `u` does the same.",
        "zh-CN": "从展平的图块里的一个数，顺着算式里的“来自”走到图像。用键盘时按 `u` 也行。",
      },
      done: {
        en: "A number of the row is one colour of one pixel, moved from 0…255 to −1…1.",
        "zh-CN": "行里的一个数，就是一个像素的一种颜色，从 0…255 变到了 −1…1。",
      },
      happens: (act) => act.kind === "chain" && act.nodes.includes("patches") && act.nodes.at(-1) === "image",
    },
    {
      id: "class-token",
      title: { en: "A word for the whole image", "zh-CN": "代表整幅图的词" },
      sentence: {
        en: "Compare projections, with a class token and positions.",
        "zh-CN": "改为比较投影，并加上分类词元与位置。",
      },
      done: {
        en: "Row 0 is no patch. What it gathers is read for the class of the whole image.",
        "zh-CN": "第 0 行不是图块。它收集到的东西，用来判断整幅图的类别。",
      },
      happens: (act, { config }) =>
        act.kind === "change" &&
        (act.control === "cls" || act.control === "compare") &&
        config.numbers.cls &&
        config.numbers.compare === "projection",
    },
    {
      id: "one-weight",
      title: { en: "One parameter, all patches", "zh-CN": "一个参数，所有图块" },
      sentence: {
        en: "Compare projections, and type another number into *weight|W_E*: `F2` or a digit on a cell, or choose the cell twice.",
        "zh-CN": "改为比较投影，再把 *weight|W_E* 里的一个数改掉：在格子上按 `F2` 或数字键，或者连点两次。",
      },
      done: {
        en: "One number of every patch’s row changed: they all share the matrix.",
        "zh-CN": "每个图块的行都变了一个数：它们共用这个矩阵。",
      },
      happens: (act) => act.kind === "edit" && act.node === "W_E",
    },
    {
      id: "rolled-out",
      title: { en: "Back through every layer", "zh-CN": "穿过每一层往回看" },
      sentence: {
        en: "With encoder layers, choose a number of the rollout.",
        "zh-CN": "加上编码器层，选中注意力展开里的一个数。",
      },
      done: {
        en: "A row of the last layer times a column of what came before: that is all a rollout is.",
        "zh-CN": "最后一层的一行乘以之前各层的一列：展开就是这样。",
      },
      happens: (act) =>
        act.kind === "cell" && (act.node === "cls_rollout" || act.node.startsWith("rollout.")),
    },
  ],
};
