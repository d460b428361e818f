/** The lesson of the encoder-decoder lab: two stacks, three uses of attention, the next word, the cache (sections 3.1, 3.2.3, 3.4). */
import { atCell, isLargestOfRow, type Lesson } from "../../telling/lesson.js";

const cross = "decoder.multihead_attn.weights";
const masked = "decoder.self_attn.weights";
/** The masked weights of any layer. */
const isMasked = /^decoder\.(?:layers\.\d+\.)?self_attn\.weights$/;

export const lesson: Lesson<"encoder-decoder"> = {
  parts: [
    {
      id: "two-stacks",
      heading: { en: "One reads, one writes", "zh-CN": "一个读，一个写" },
      paragraphs: [
        {
          stop: "read",
          en: "The encoder takes the whole sentence at once and gives back one row per word: the memory *M*. The decoder begins with `<begin>` and makes one word after another; each becomes a new row of its input: it is autoregressive. The memory is computed once and serves every step.",
          "zh-CN":
            "编码器一次读入整个句子，每个词交回一行：记忆（memory）*M*。解码器从 `<begin>` 开始，一个词一个词地写；写出的每个词都成为它输入的新一行，这叫自回归（autoregressive）。记忆只算一次，每一步都用它。",
        },
      ],
      tries: [
        {
          sentence: { en: "Watch it read and write", "zh-CN": "看它读，看它写" },
          look: {
            en: "Read, masked self-attention, cross attention, predict; the last step is the KV cache.",
            "zh-CN": "读、掩码自注意力、交叉注意力、预测；最后一步是 KV 缓存。",
          },
          play: true,
        },
        {
          sentence: { en: "Let it write only three words", "zh-CN": "只让它写三个词" },
          look: {
            en: "Three rows, as they stood at the third step. Later steps change none of these numbers.",
            "zh-CN": "三行，正是第三步时的样子。后面的步不会改变其中任何一个数。",
          },
          changes: [
            { control: "words", value: "the old black cat sleeps" },
            { control: "steps", value: "3" },
          ],
          cell: { node: "next", index: [2, 20] },
        },
      ],
      questions: [
        {
          stop: "read",
          sentence: {
            en: "In head 0 of the encoder the two scores of `white` are almost equal. About what weight does it give `dog`, which comes after it?",
            "zh-CN": "在编码器的头 0 里，`white` 的两个分数几乎相等。它给后面的 `dog` 的权重大约是多少？",
          },
          example: "old-black-cat",
          changes: [{ control: "words", value: "white dog" }],
          cell: { node: "encoder.self_attn.weights", index: [0, 0, 1] },
        },
      ],
    },
    {
      id: "three-uses",
      heading: { en: "One operation, three uses", "zh-CN": "同一种运算，三种用法" },
      paragraphs: [
        {
          en: "All three attentions of this page are scaled dot-product attention: softmax(*query|Q**key|K^T* / √*d_k*) *value|V*. They differ in where the rows come from and in what is hidden.",
          "zh-CN":
            "这一页上的三个注意力都是缩放点积注意力（scaled dot-product attention）：softmax(*query|Q**key|K^T* / √*d_k*) *value|V*。不同的只是各行从哪里来，以及什么被遮住。",
        },
      ],
      table: {
        caption: { en: "Attention in the encoder and in the decoder", "zh-CN": "编码器与解码器里的注意力" },
        head: [
          "",
          { en: "Self-attention *attention|A_E*", "zh-CN": "自注意力 *attention|A_E*" },
          { en: "Masked self-attention *attention|A_D*", "zh-CN": "掩码自注意力 *attention|A_D*" },
          { en: "Cross attention *attention|A_C*", "zh-CN": "交叉注意力 *attention|A_C*" },
        ],
        rows: [
          [
            { en: "Queries from", "zh-CN": "查询来自" },
            { en: "source", "zh-CN": "原文" },
            { en: "target", "zh-CN": "译文" },
            { en: "target", "zh-CN": "译文" },
          ],
          [
            { en: "Keys, values from", "zh-CN": "键、值来自" },
            { en: "source", "zh-CN": "原文" },
            { en: "target", "zh-CN": "译文" },
            { en: "memory", "zh-CN": "记忆" },
          ],
          [
            { en: "Mask", "zh-CN": "掩码" },
            { en: "padding", "zh-CN": "填充" },
            { en: "later words, padding", "zh-CN": "后面的词、填充" },
            { en: "source padding", "zh-CN": "原文的填充" },
          ],
          [
            { en: "Goal", "zh-CN": "目的" },
            { en: "each word in its sentence", "zh-CN": "每个词放进它的句子" },
            { en: "what was written so far", "zh-CN": "已经写了什么" },
            { en: "which source words matter now", "zh-CN": "此刻哪些原文词要紧" },
          ],
        ],
      },
      tries: [
        {
          sentence: { en: "The encoder’s self-attention", "zh-CN": "编码器的自注意力" },
          look: {
            en: "Every source word may look at every other, before and after it.",
            "zh-CN": "每个原文词可以看所有原文词，前面的和后面的。",
          },
          example: "old-black-cat",
          cell: { node: "encoder.self_attn.weights", index: [0, 3, 2] },
        },
        {
          sentence: { en: "The masked self-attention", "zh-CN": "掩码自注意力" },
          look: {
            en: "A triangle: row 2 may look at rows 0, 1 and 2.",
            "zh-CN": "一个三角形：第 2 行看得到第 0、1、2 行。",
          },
          example: "old-black-cat",
          cell: { node: masked, index: [0, 2, 0] },
        },
        {
          sentence: { en: "The cross attention", "zh-CN": "交叉注意力" },
          look: {
            en: "Rows are words of the translation, columns words of the source: not square.",
            "zh-CN": "行是译文的词，列是原文的词：不是方阵。",
          },
          example: "old-black-cat",
          cell: { node: cross, index: [0, 2, 3] },
        },
      ],
    },
    {
      id: "ask",
      heading: { en: "Cross attention: words change places", "zh-CN": "交叉注意力：词换了位置" },
      paragraphs: [
        {
          stop: "ask",
          en: "In this small French a colour stands behind its noun. The row that read `vieux` has to write `chat`: it asks `cat`, past `black`. The next row goes back for `black`. Nobody wrote this rule down; cross attention learned it from pairs of sentences.",
          "zh-CN":
            "在这种小小的法语里，颜色词放在名词后面。读到 `vieux` 的那一行要写 `chat`：它越过 `black` 去问 `cat`。下一行再回头问 `black`。没有人写下这条规则；是交叉注意力（cross attention）从成对的句子里学来的。",
        },
      ],
      tries: [
        {
          sentence: { en: "Ask for the noun", "zh-CN": "问名词" },
          look: {
            en: "Row “vieux”, column “cat”: 0.93 of the attention of head 0.",
            "zh-CN": "“vieux” 行，“cat” 列：头 0 的注意力有 0.93 在这里。",
          },
          example: "old-black-cat",
          cell: { node: cross, index: [0, 2, 3] },
        },
        {
          sentence: { en: "Two colours in one sentence", "zh-CN": "一句话里两个颜色" },
          look: {
            en: "Both change places: the dark cells leave the diagonal twice.",
            "zh-CN": "两个都换了位置：深色的格子两次离开对角线。",
          },
          example: "cat-follows-dog",
          cell: { node: cross, index: [0, 7, 8] },
        },
      ],
      questions: [
        {
          stop: "ask",
          sentence: {
            en: "In head 1 the score of `vieux` for `cat` is 1.1 above the one for `old`; the others are far below. What weight does `cat` get? e to the −1.1 is about ⅓.",
            "zh-CN":
              "在头 1 里，`vieux` 对 `cat` 的分数比对 `old` 的高 1.1，其余的低得多。`cat` 得到的权重是多少？e 的 −1.1 次方约为 ⅓。",
          },
          example: "old-black-cat",
          cell: { node: "decoder.multihead_attn.weights", index: [1, 2, 3] },
        },
      ],
    },
    {
      id: "mask",
      heading: { en: "Masked self-attention: not to see the answer", "zh-CN": "掩码自注意力：不能看到答案" },
      paragraphs: [
        {
          stop: "back",
          en: "In training the right translation is known, and all rows are computed at once: each reads the words before and is asked for the next (teacher forcing). Without the mask a row would read the answer in the row below. When words are written one by one nothing later exists; the mask makes both cases the same computation.",
          "zh-CN":
            "训练时正确的译文是已知的，所有行一起算：每一行读前面的词，要答出下一个（教师强制，teacher forcing）。没有掩码，一行就会在下一行里读到答案。逐词写出时，后面的词还不存在；有了掩码自注意力（masked self-attention），两种情形就是同一个计算。",
        },
      ],
      tries: [
        {
          sentence: { en: "Look at a later word", "zh-CN": "看一个后面的词" },
          look: {
            en: "Its score became −∞ before softmax; e to the −∞ is 0.",
            "zh-CN": "softmax 之前它的分数变成 −∞；e 的 −∞ 次方是 0。",
          },
          example: "old-black-cat",
          cell: { node: masked, index: [0, 0, 1] },
        },
      ],
      questions: [
        {
          stop: "back",
          sentence: {
            en: "In head 0 the row of `le` sees only `<begin>` and itself, and scores itself 2.2 higher. What weight does it give itself? e to the −2.2 is about 0.11.",
            "zh-CN":
              "在头 0 里，`le` 这一行只看得到 `<begin>` 和自己，对自己的分数高出 2.2。它给自己的权重是多少？e 的 −2.2 次方约为 0.11。",
          },
          example: "old-black-cat",
          cell: { node: "decoder.self_attn.weights", index: [0, 1, 1] },
        },
      ],
    },
    {
      id: "next",
      heading: { en: "From a row to a word", "zh-CN": "从一行到一个词" },
      paragraphs: [
        {
          stop: "next",
          en: "The last row of the decoder meets the embedding of every word: one dot product each, the logits. The table *weight|E* is the one that words came in by; going in it is multiplied by √*d*, going out it is not. Softmax turns logits into probabilities. Greedy decoding takes the largest; others draw from them, or keep several translations at once.",
          "zh-CN":
            "解码器的最后一行与每个词的词嵌入（word embedding）各做一次点积，得到 logits。表 *weight|E* 就是词进来时用的那张；进来时乘以 √*d*，出去时不乘。softmax 把 logits 变成概率。贪心解码（greedy decoding）取最大的；别的方法按概率抽样，或同时保留几个译文。",
        },
        {
          stop: "next",
          en: "The probabilities stop near 0.90. These parameters were trained with label smoothing 0.1, which asks for 1 − 0.1 + 0.1 / 28 = 0.9036 for the right word and 0.0036 for each other.",
          "zh-CN":
            "概率停在 0.90 附近。训练这些参数时用了 0.1 的标签平滑（label smoothing）：它要求正确的词得 1 − 0.1 + 0.1 / 28 = 0.9036，其余每个得 0.0036。",
        },
      ],
      tries: [
        {
          sentence: { en: "How “chat” was chosen", "zh-CN": "“chat” 是怎样选中的" },
          look: {
            en: "A logit of 5.4; the largest of the others is below 1.",
            "zh-CN": "它的 logit 是 5.4；其余最大的不到 1。",
          },
          example: "old-black-cat",
          cell: { node: "next", index: [2, 20] },
        },
      ],
      questions: [
        {
          stop: "next",
          sentence: {
            en: "After `chat`, each of the other 27 words has a probability of about 0.0037. What is left for `noir`?",
            "zh-CN": "在 `chat` 之后，其余 27 个词的概率各约 0.0037。留给 `noir` 的是多少？",
          },
          example: "old-black-cat",
          cell: { node: "next", index: [3, 18] },
        },
      ],
    },
    {
      id: "cache",
      heading: { en: "The KV cache: computed once", "zh-CN": "KV 缓存：只算一次" },
      paragraphs: [
        {
          stop: "keep",
          en: "A word’s key and value in the decoder depend only on it and on the words before it. So they never change once it is written, and are kept: the KV cache. A step then computes one row, not all of them. This page does both, and subtracts: *Δ* is 0 to the last bit.",
          "zh-CN":
            "解码器里，一个词的键和值只取决于它自己和前面的词。所以写出之后就不再改变，可以缓存起来：这就是 KV 缓存（KV cache）。这样每一步只算一行，而不是全部。这一页两种都算，再相减：*Δ* 直到最后一位都是 0。",
        },
      ],
      tries: [
        {
          sentence: { en: "See what is kept", "zh-CN": "看缓存了什么" },
          look: {
            en: "Row n was made at step n. Follow “from” to that step.",
            "zh-CN": "第 n 行是第 n 步算出的。顺着“来自”走到那一步。",
          },
          cell: { node: "kept_keys", index: [2, 0] },
        },
        {
          sentence: { en: "Compare both ways", "zh-CN": "比较两种算法" },
          look: {
            en: "Logits of the step minus logits computed anew.",
            "zh-CN": "那一步的 logits 减去重新计算的 logits。",
          },
          cell: { node: "difference", index: [2, 20] },
        },
      ],
      questions: [
        {
          stop: "keep",
          sentence: {
            en: "The step that wrote `dort` read all earlier keys and values from the cache. By how much does its logit differ from the one computed anew?",
            "zh-CN": "写出 `dort` 的那一步，前面的键和值都取自缓存。它的 logit 与重新计算的相差多少？",
          },
          example: "old-black-cat",
          cell: { node: "difference", index: [4, 23] },
        },
      ],
    },
    {
      id: "shapes",
      heading: { en: "Shapes on the way", "zh-CN": "一路上的形状" },
      paragraphs: [
        {
          en: "A layer gives back the shape it was given, so layers can be stacked. A blog post on the paper walks two words of width 4 through a decoder whose heads are 8 wide, wider than needed; *weight|W_O* brings 16 back to 4. Here a head is *D* / *H* = 4 wide (*d_model* / *h*), as in the paper’s rule.",
          "zh-CN":
            "一层交回的形状与它收到的相同，所以层可以叠起来。一篇解读论文的博客让两个宽度为 4 的词走过一个解码器，每个头宽 8，比需要的宽；*weight|W_O* 再把 16 变回 4。这里按论文的规则，每个头宽 *D* / *H* = 4（*d_model* / *h*）。",
        },
      ],
      table: {
        caption: { en: "Words in the decoder, step by step", "zh-CN": "词在解码器里的每一步" },
        head: ["", { en: "Here", "zh-CN": "这里" }, { en: "In the blog post", "zh-CN": "博客里" }],
        rows: [
          [{ en: "words", "zh-CN": "词" }, "(L, 8)", "(2, 4)"],
          [{ en: "heads", "zh-CN": "各个头" }, "(2, L, 4)", "(2, 2, 8)"],
          [{ en: "joined", "zh-CN": "拼接" }, "(L, 8)", "(2, 16)"],
          [{ en: "times *weight|W_O*", "zh-CN": "乘以 *weight|W_O*" }, "(L, 8)", "(2, 4)"],
          [
            { en: "feed-forward matrices", "zh-CN": "前馈网络的矩阵" },
            { en: "(8, 32), (32, 8)", "zh-CN": "(8, 32)、(32, 8)" },
            { en: "(4, 16), (16, 4)", "zh-CN": "(4, 16)、(16, 4)" },
          ],
          ["logits", "(L, 28)", "(2, 1000)"],
        ],
      },
      tries: [
        {
          sentence: { en: "Two words, as in the blog post", "zh-CN": "两个词，同博客一样" },
          look: {
            en: "Every tensor of the decoder has two rows; the last one chooses the next word.",
            "zh-CN": "解码器的每个张量都是两行；最后一行选出下一个词。",
          },
          changes: [{ control: "steps", value: "2" }],
          cell: { node: "output", index: [1, 0] },
        },
      ],
    },
    {
      id: "learned",
      heading: { en: "Where the parameters come from", "zh-CN": "参数从哪里来" },
      paragraphs: [
        {
          en: "The language has 5940 sentences. Adam saw 2000 of them, in batches of 64. Of the 3940 it never saw it translated 8 without a mistake after 100 steps, 3813 after 500 and all after 2500. The program that trained it stands in the repository and gives the same parameters again.",
          "zh-CN":
            "这种语言有 5940 个句子。Adam 见过其中 2000 个，每批 64 个。没见过的 3940 句里，100 步之后译对 8 句，500 步之后 3813 句，2500 步之后全部译对。训练它的程序就在代码库里，再运行一次得到同样的参数。",
        },
      ],
      tries: [
        {
          sentence: { en: "Parameters as they were drawn", "zh-CN": "随机初始化的参数" },
          look: {
            en: "Rows ask all words much alike, and the words written mean nothing.",
            "zh-CN": "每一行对所有词的注意力都差不多，写出的词没有意义。",
          },
          changes: [{ control: "trained", value: "0" }],
          cell: { node: cross, index: [0, 2, 3] },
        },
        {
          sentence: { en: "After 100 steps", "zh-CN": "100 步之后" },
          look: {
            en: "The attention is still spread out: it does not yet know where to look.",
            "zh-CN": "注意力还是散开的：它还不知道往哪里看。",
          },
          changes: [{ control: "trained", value: "100" }],
          cell: { node: cross, index: [0, 2, 3] },
        },
        {
          sentence: { en: "After 2500 steps", "zh-CN": "2500 步之后" },
          look: {
            en: "Most rows ask one word.",
            "zh-CN": "大多数行只看一个词。",
          },
          changes: [{ control: "trained", value: "2500" }],
          cell: { node: cross, index: [0, 2, 3] },
        },
        {
          sentence: { en: "Train such a translator in this page", "zh-CN": "在本页训练这样一个翻译模型" },
          look: {
            en: "2500 steps in seconds: drag the step back, and open the model of any step in the lab “Encoder and decoder”.",
            "zh-CN": "2500 步，几秒钟：把步数拖回去，每一步的模型都可以在“编码器与解码器”实验里打开。",
          },
          example: "learn-french",
          play: true,
        },
      ],
    },
  ],
  concepts: [
    {
      id: "greedy",
      title: { en: "The word that is written", "zh-CN": "写下的那个词" },
      sentence: {
        en: "Find the largest probability of a row of *output|P* and choose it.",
        "zh-CN": "在 *output|P* 的一行里找到最大的概率，选中它。",
      },
      done: {
        en: "You found the word that was written; the next row begins with it.",
        "zh-CN": "你找到了写下的词；下一行就从它开始。",
      },
      happens: atCell("next", isLargestOfRow),
    },
    {
      id: "later",
      title: { en: "What a row may not see", "zh-CN": "一行不能看什么" },
      sentence: {
        en: "In *attention|A_D*, choose a word that comes later than the row.",
        "zh-CN": "在 *attention|A_D* 里，选中一个比这一行更靠后的词。",
      },
      done: {
        en: "A later word: its weight is 0, so nothing of it reaches this row.",
        "zh-CN": "后面的词：权重是 0，所以它的任何东西都到不了这一行。",
      },
      happens: (act) => act.kind === "cell" && isMasked.test(act.node) && act.index[2]! > act.index[1]!,
    },
    {
      id: "own-sentence",
      title: { en: "A sentence of your own", "zh-CN": "自己的一句话" },
      sentence: {
        en: "Give the trained parameters another sentence with a colour in it.",
        "zh-CN": "给训练好的参数另一句带颜色的话。",
      },
      done: {
        en: "The memory and every row were computed anew; see where the colour went.",
        "zh-CN": "记忆和每一行都重新算过了；看颜色去了哪里。",
      },
      happens: (act, { config: { numbers } }) =>
        act.kind === "change" &&
        act.control === "words" &&
        numbers.trained === 2500 &&
        numbers.tokens.some((word) => word === "black" || word === "white"),
    },
    {
      id: "kept",
      title: { en: "Computed once", "zh-CN": "只算一次" },
      sentence: {
        en: "From a number of the cached *key|K* or *value|V*, follow “from” to the step that made it. On a keyboard, `u` does the same.",
        "zh-CN":
          "从缓存的 *key|K* 或 *value|V* 的一个数出发，顺着“来自”走到算出它的那一步。用键盘时按 `u` 也行。",
      },
      done: {
        en: "You came to the one step that computed it; all later steps only read it.",
        "zh-CN": "你走到了算出它的那一步；之后的各步只是读它。",
      },
      happens: (act) =>
        act.kind === "chain" &&
        (act.nodes[0] === "kept_keys" || act.nodes[0] === "kept_values") &&
        act.nodes.some((node) => node.startsWith("cached.step_")),
    },
    {
      id: "untrained",
      title: { en: "Before training", "zh-CN": "训练之前" },
      sentence: { en: "Take the parameters as they were drawn.", "zh-CN": "换成随机初始化的参数。" },
      done: {
        en: "The same operations, the same shapes; only the parameters know nothing yet.",
        "zh-CN": "同样的运算，同样的形状；只是参数还没有训练。",
      },
      happens: (act) => act.kind === "change" && act.control === "trained" && act.value === "0",
    },
  ],
};
