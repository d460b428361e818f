/** The lesson of the block lab: the path and its branches, layer norm and where it stands, the network, dropout (sections 3.1, 3.3, 5.4). */
import { valueOf, type Lesson } from "../../telling/lesson.js";

export const lesson: Lesson<"block"> = {
  parts: [
    {
      id: "in",
      heading: { en: "What goes in: word embedding and position", "zh-CN": "输入：词嵌入与位置编码" },
      paragraphs: [
        {
          stop: "embed",
          en: "A word looks its row up in the table *weight|E*: its word embedding. The row is multiplied by √*D*, so that its numbers are about as large as the sines and cosines of the position, and the two are added: *X_0* knows which word it is and where it stands. The two “the” have the same row of the table, and different rows of *X_0*.",
          "zh-CN":
            "一个词在词嵌入矩阵 *weight|E* 里查到自己的一行，即词嵌入（word embedding），乘以 √*D*，使它与位置的正弦、余弦（位置编码）大小相当，再把两者相加：*X_0* 既知道是哪个词，也知道它在哪里。两个“小”查到的是矩阵里同一行，在 *X_0* 里却是不同的两行。",
        },
        {
          stop: "embed",
          en: "Why √*D*? In the paper the table is also the last product of the model, and its numbers begin with a variance of about 1/*D*, so that the scores of that product are moderate. As they stand they would drown among sines and cosines of up to 1. A blog post gives another reason, that small scores saturate softmax; small scores make it flat.",
          "zh-CN":
            "为什么是 √*D*？论文里，词嵌入矩阵同时也是模型最后一次乘法的矩阵，它的数起初方差约为 1/*D*，那次乘法的结果才大小适中；而不放大就相加，词嵌入会淹没在最大为 1 的正弦、余弦里。有一篇博客给出的理由是分数太小会使 softmax 饱和；其实分数小只会使 softmax 变得平坦。",
        },
      ],
      tries: [
        {
          sentence: { en: "Look a word up", "zh-CN": "查一个词" },
          look: {
            en: "Rows 0 and 4 of the words are alike; after the positions are added they are not.",
            "zh-CN": "词的第 0 行与第 4 行一样；加上位置之后就不同了。",
          },
          example: "one-block",
          cell: { node: "x", index: [4, 0] },
        },
        {
          sentence: { en: "Leave √D out", "zh-CN": "不乘 √D" },
          look: {
            en: "The words have half their size, and the positions outweigh them more: here D is 4. With 512 numbers per word they would have a twenty-third.",
            "zh-CN":
              "词嵌入只有原来一半大，位置编码更占上风：这里 D 是 4。若每词 512 个数，就只剩约二十三分之一。",
          },
          example: "one-block",
          changes: [{ control: "scaleEmbedding", value: "off" }],
          cell: { node: "x", index: [4, 0] },
        },
      ],
      questions: [
        {
          stop: "embed",
          sentence: {
            en: "In the table *weight|E*, “sat” begins with 0.51. What is that number after the factor √*D*?",
            "zh-CN": "在矩阵 *weight|E* 里，“跳”的第一个数是 0.51。乘以 √*D* 之后是多少？",
          },
          example: "one-block",
          cell: { node: "embedded", index: [2, 0] },
        },
      ],
    },
    {
      id: "path",
      heading: {
        en: "Residual connections: a path with two branches",
        "zh-CN": "残差连接：一条主路，两条支路",
      },
      paragraphs: [
        {
          stop: "add1",
          en: "A sub-layer replaces nothing: what it finds is added to what was there, a residual connection. So every row goes through the block on a straight path, and attention *output|Z* and the feed-forward network *output|F* only have to say what should be different. Gradients come back along the same path without vanishing, which is why many blocks can stand on each other. It needs all widths to be alike: *D* in, *D* out.",
          "zh-CN":
            "子层不替换任何东西：它的输出加到原来的数上，这叫残差连接（residual connection）。于是每一行沿着一条主路穿过整个层，注意力 *output|Z* 和前馈网络 *output|F* 只需给出要改变的部分。梯度也沿主路传回来，不易消失，所以许多层可以叠在一起。代价是宽度必须一致：输入是 *D*，输出也是 *D*。",
        },
        {
          stop: "gradients",
          en: "Without them the gradient of an early layer is a product of all the matrices behind it: in six untrained layers without residual connections and norms it shrinks more than twentyfold at each. Layer norm alone keeps numbers in size; the sum gives the gradient a way that passes through no matrix.",
          "zh-CN":
            "没有残差连接，靠前一层的梯度要乘过后面的每一个矩阵：六个未经训练的层，没有残差连接也没有层归一化，平均每过一层就缩小到二十分之一以下。层归一化只能维持数的大小；相加则给梯度一条不经过任何矩阵的路。",
        },
      ],
      tries: [
        {
          sentence: { en: "See a sum", "zh-CN": "看一次相加" },
          look: {
            en: "What was there, plus attention’s output. Nothing else.",
            "zh-CN": "原来的数，加上注意力子层的输出，仅此而已。",
          },
          cell: { node: "residual1", index: [1, 0] },
        },
        {
          sentence: { en: "Let a gradient vanish", "zh-CN": "让梯度消失" },
          look: {
            en: "The gradient at the input of layer 0 is about seven million times smaller than at that of layer 5.",
            "zh-CN": "第 0 层输入处的梯度，大约只有第 5 层输入处的七百万分之一。",
          },
          example: "six-layers",
          cell: { node: "gradient_norms", index: [0] },
        },
        {
          sentence: { en: "Put residual connections and norms back", "zh-CN": "恢复残差连接和层归一化" },
          look: {
            en: "All layers get a gradient of about the same size.",
            "zh-CN": "各层得到的梯度大小相近。",
          },
          example: "six-layers",
          changes: [
            { control: "residual", value: "on" },
            { control: "layerNorm", value: "on" },
          ],
          cell: { node: "gradient_norms", index: [0] },
        },
      ],
      questions: [
        {
          stop: "attend",
          sentence: {
            en: "In head 1 the scores of “cat” for the six words are nearly equal. About what weight does it give “sat”?",
            "zh-CN": "在头 1 里，“猫”对六个词的分数几乎相等。它给“跳”的权重大约是多少？",
          },
          example: "one-block",
          cell: { node: "self_attn.weights", index: [1, 1, 2] },
        },
        {
          stop: "add1",
          sentence: {
            en: "What is the first number of “sat” after *output|Z* is added to *X_0*?",
            "zh-CN": "*output|Z* 加到 *X_0* 上之后，“跳”的第一个数是多少？",
          },
          example: "one-block",
          cell: { node: "residual1", index: [2, 0] },
        },
        {
          stop: "add2",
          sentence: {
            en: "The second sum adds *output|F* to the path as it is by then. What is the first number of “sat” now?",
            "zh-CN": "第二次相加，*output|F* 加到此时的主路上。“跳”的第一个数现在是多少？",
          },
          example: "one-block",
          cell: { node: "residual2", index: [2, 0] },
        },
        {
          stop: "gradients",
          sentence: {
            en: "The squares of the gradient at the input of layer 5 add up to about 0.81. How long is that gradient?",
            "zh-CN": "第 5 层输入处的梯度，各数的平方相加约为 0.81。这个梯度的长度是多少？",
          },
          example: "six-layers",
          changes: [
            { control: "residual", value: "on" },
            { control: "layerNorm", value: "on" },
          ],
          cell: { node: "gradient_norms", index: [5] },
        },
      ],
    },
    {
      id: "norm",
      heading: { en: "Layer norm", "zh-CN": "层归一化" },
      paragraphs: [
        {
          stop: "norm1",
          en: "Each row by itself: minus its mean, divided by its standard deviation, then times a gain *weight|γ* and plus a bias *weight|β* that are learnt. Neither other words nor other sentences take part, so it does the same in training and in use.",
          "zh-CN":
            "层归一化（layer normalization）单独处理每一行：减去均值，除以标准差，再乘以学到的增益 *weight|γ*，加上偏置 *weight|β*。别的词、别的句子都不参与，所以训练时和使用时做法相同。",
        },
        {
          stop: "spread",
          en: "The variance is the mean of the squared deviations: their sum divided by *n*. `nn.LayerNorm` and the paper do it so. The code of a blog post on the paper divides by *n* − 1, and the numbers in its text follow from neither.",
          "zh-CN":
            "方差是离差平方的均值：总和除以 *n*。`nn.LayerNorm` 与论文都这样做。一篇解读论文的博客，代码除以 *n* − 1，而它正文里的数，两种除法都得不到。",
        },
      ],
      tries: [
        {
          sentence: { en: "Normalise five heights", "zh-CN": "把五个身高归一化" },
          look: {
            en: "By n the first becomes −1.414, by n − 1 it becomes −1.265. The blog post says −1.6.",
            "zh-CN": "除以 n，第一个数变成 −1.414；除以 n − 1，变成 −1.265。博客却写 −1.6。",
          },
          example: "heights",
          cell: { node: "biased", index: [0, 0] },
        },
        {
          sentence: { en: "See it inside the block", "zh-CN": "看它在层里的样子" },
          look: {
            en: "One row of the sum from the left becomes one row of deviation 1.",
            "zh-CN": "左边和的一行，变成标准差为 1 的一行。",
          },
          example: "one-block",
          cell: { node: "norm1", index: [1, 0] },
        },
      ],
      questions: [
        {
          stop: "norm1",
          sentence: {
            en: "Before the norm the row of “cat” has a mean of almost 0 and a standard deviation of 0.46. What does its second number become?",
            "zh-CN": "归一化之前，“猫”那一行的均值几乎是 0，标准差是 0.46。它的第二个数变成多少？",
          },
          example: "one-block",
          cell: { node: "norm1", index: [1, 1] },
        },
        {
          stop: "norm2",
          sentence: {
            en: "A normalised row has mean 0. What is the last number of “sat” in *X_2*?",
            "zh-CN": "归一化的一行均值是 0。*X_2* 里“跳”的最后一个数是多少？",
          },
          example: "one-block",
          cell: { node: "norm2", index: [2, 3] },
        },
        {
          stop: "centre",
          sentence: {
            en: "What is left of 180 when the mean of the five heights is subtracted?",
            "zh-CN": "180 减去五个身高的均值，还剩多少？",
          },
          example: "heights",
          cell: { node: "centred", index: [0, 4] },
        },
        {
          stop: "spread",
          sentence: {
            en: "The squared deviations of the five heights add up to 1000. What is their variance as `nn.LayerNorm` computes it?",
            "zh-CN": "五个身高的离差平方之和是 1000。按 `nn.LayerNorm` 的算法，方差是多少？",
          },
          example: "heights",
          cell: { node: "variance", index: [0, 0] },
        },
        {
          stop: "divide",
          sentence: {
            en: "170 lies 10 above the mean, and the variance is 200. What does layer norm make of it?",
            "zh-CN": "170 比均值大 10，方差是 200。层归一化把它变成多少？",
          },
          example: "heights",
          cell: { node: "biased", index: [0, 3] },
        },
      ],
    },
    {
      id: "network",
      heading: {
        en: "The feed-forward network, the same for every row",
        "zh-CN": "前馈网络：每一行用同一个",
      },
      paragraphs: [
        {
          stop: "feed",
          en: "Attention mixes rows; the feed-forward network looks at one row at a time. *weight|W_1* widens it, the activation function, ReLU or GELU, bends it, *weight|W_2* narrows it again. In the paper 512 numbers become 2048 and 512. Most parameters of a block are here. Without the bend, two products would be no more than one.",
          "zh-CN":
            "注意力在行与行之间混合；前馈网络（feed-forward network）一次只看一行。*weight|W_1* 把它升维，激活函数 ReLU 或 GELU 使它成为非线性，*weight|W_2* 再把它降维。论文里是 512 变 2048 再变 512。一个层的参数大多在这里。若没有中间的激活函数，两次乘法就等于一次。",
        },
        {
          stop: "feed",
          en: "With ReLU it is FFN(*x*) = max(0, *x* *weight|W_1* + *weight|b_1*) *weight|W_2* + *weight|b_2*; the paper also calls it two convolutions of kernel size 1. ReLU(*x*) = max(0, *x*); GELU(*x*) = *x* Φ(*x*), where Φ(*x*) is the share of a normal distribution below *x*.",
          "zh-CN":
            "用 ReLU 时，FFN(*x*) = max(0, *x* *weight|W_1* + *weight|b_1*) *weight|W_2* + *weight|b_2*；论文也把它看成两次核大小为 1 的卷积。ReLU(*x*) = max(0, *x*)；GELU(*x*) = *x* Φ(*x*)，Φ(*x*) 是正态分布中小于 *x* 的比例。",
        },
      ],
      tries: [
        {
          sentence: { en: "Bend with GELU", "zh-CN": "换成 GELU" },
          look: {
            en: "What was cut to 0 is a small negative number now.",
            "zh-CN": "原来截成 0 的地方，现在是一个小小的负数。",
          },
          changes: [{ control: "activation", value: "gelu" }],
          cell: { node: "activation", index: [1, 0] },
        },
        {
          sentence: { en: "Bend with ReLU", "zh-CN": "换成 ReLU" },
          look: {
            en: "Below 0 everything is 0; above it nothing changes.",
            "zh-CN": "小于 0 的都成为 0；大于 0 的不变。",
          },
          changes: [{ control: "activation", value: "relu" }],
          cell: { node: "activation", index: [1, 0] },
        },
        {
          sentence: { en: "See both as curves", "zh-CN": "看两条曲线" },
          look: {
            en: "Far from 0 they agree; GELU is lowest near −0.75.",
            "zh-CN": "离 0 远的地方两者相同；GELU 在 −0.75 附近最低。",
          },
          example: "curves",
          cell: { node: "gelu", index: [0, 6] },
        },
      ],
      questions: [
        {
          stop: "feed",
          sentence: {
            en: "In the widened row of the second “the” this number is −0.05. What does ReLU make of it?",
            "zh-CN": "第二个“小”升维之后，这个数是 −0.05。ReLU 把它变成多少？",
          },
          example: "one-block",
          cell: { node: "activation", index: [4, 3] },
        },
        {
          stop: "bend",
          sentence: {
            en: "Of a normal distribution, 97.7% lie below 2. What is GELU(2)?",
            "zh-CN": "正态分布有 97.7% 小于 2。GELU(2) 是多少？",
          },
          example: "curves",
          cell: { node: "gelu", index: [0, 12] },
        },
      ],
    },
    {
      id: "where",
      heading: { en: "Post-layer norm or pre-layer norm", "zh-CN": "后归一化还是前归一化" },
      paragraphs: [
        {
          stop: "measure",
          en: "The paper normalises after each sum: the path itself is brought back to deviation 1 (post-layer norm, Post-LN). GPT-2 and ViT normalise what a sub-layer reads, and leave the path alone (pre-layer norm, Pre-LN): rows may grow from block to block, so one more norm stands at the very end. With an untouched path gradients reach the first block undamped, and training starts without a warm-up.",
          "zh-CN":
            "论文在每次相加之后归一化：主路上的数本身被拉回标准差 1，这叫后归一化（Post-LN）。GPT-2 和 ViT 只把子层读到的那一份归一化，主路不动，这叫前归一化（Pre-LN）：行会一层层变大，所以最后还要再归一化一次。主路不受干扰，梯度就能原样传到第一层，训练不需要预热（warmup）。",
        },
      ],
      tries: [
        {
          sentence: { en: "Normalise before each sub-layer", "zh-CN": "在每个子层之前归一化" },
          look: {
            en: "The line under the picture no longer comes back to 1: only what branches off does.",
            "zh-CN": "图下面的线不再回到 1：回到 1 的只有子层读到的那一份。",
          },
          changes: [{ control: "norm", value: "pre" }],
          cell: { node: "deviations", index: [1, 4] },
        },
        {
          sentence: { en: "Normalise after each sum", "zh-CN": "在每次相加之后归一化" },
          look: {
            en: "After X₁ and after X₂ every row has deviation 1.",
            "zh-CN": "在 X₁ 和 X₂ 处，每一行的标准差都是 1。",
          },
          changes: [{ control: "norm", value: "post" }],
          cell: { node: "deviations", index: [1, 4] },
        },
      ],
      questions: [
        {
          stop: "measure",
          sentence: {
            en: "A word has two numbers here, and both are equally far from their mean. What is the standard deviation of “on” in *X_0*?",
            "zh-CN": "这里每个词只有两个数，它们离均值一样远。*X_0* 里“上”的标准差是多少？",
          },
          example: "one-block",
          changes: [{ control: "dim", value: "2" }],
          cell: { node: "deviations", index: [3, 0] },
        },
      ],
    },
    {
      id: "dropout",
      heading: { en: "Dropout", "zh-CN": "随机失活" },
      paragraphs: [
        {
          en: "While training, each number is set to 0 with probability *p*, and those that stay are divided by 1 − *p*, so that the expected value is as before. It happens to *X_0*, to the attention weights, inside the network, and to what a branch adds. In use nothing is dropped. After dropout a row of attention weights need not add up to 1.",
          "zh-CN":
            "训练时，随机失活（dropout）让每个数以概率 *p* 变成 0，留下的除以 1 − *p*，期望因此不变。它作用于 *X_0*、注意力权重、前馈网络内部，以及支路的输出（残差丢弃，residual dropout）。使用时什么都不丢。随机失活之后，一行注意力权重加起来不必是 1。",
        },
      ],
      tries: [
        {
          sentence: { en: "Drop half of the numbers", "zh-CN": "丢掉一半的数" },
          look: {
            en: "Zeros in every row; the others have doubled. Another seed drops others.",
            "zh-CN": "每一行里都有 0；其余的加倍。换个种子，丢的就是别的数。",
          },
          changes: [{ control: "dropout", value: "0.5" }],
          cell: { node: "dropout1", index: [1, 0] },
        },
        {
          sentence: { en: "Drop nothing", "zh-CN": "什么都不丢" },
          look: { en: "The block as it is in use.", "zh-CN": "使用时的样子。" },
          changes: [{ control: "dropout", value: "0" }],
          cell: { node: "residual1", index: [1, 0] },
        },
      ],
      questions: [
        {
          stop: "add1",
          sentence: {
            en: "Dropout with *p* = ½ keeps the first number of “cat” in *output|Z*, −0.155. What is added to the path?",
            "zh-CN": "随机失活的 *p* = ½，*output|Z* 里“猫”的第一个数 −0.155 留了下来。加到主路上的是多少？",
          },
          example: "one-block",
          changes: [{ control: "dropout", value: "0.5" }],
          cell: { node: "dropout1", index: [1, 0] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "pre-norm",
      title: { en: "The path left alone", "zh-CN": "主路保持不变" },
      sentence: { en: "Put layer norm before each sub-layer.", "zh-CN": "把层归一化放到每个子层之前。" },
      done: {
        en: "Only what the branches read has deviation 1 now; the path adds up as it goes.",
        "zh-CN": "现在只有支路读到的一份标准差是 1；主路上的数一路累加。",
      },
      happens: (act) => act.kind === "change" && act.control === "norm" && act.value === "pre",
    },
    {
      id: "deviation",
      title: { en: "A row of deviation 1", "zh-CN": "标准差为 1 的一行" },
      sentence: {
        en: "At the step “measure”, find a row whose deviation *σ* is 1, and choose it.",
        "zh-CN": "在“度量”这一步，找到一个等于 1 的标准差 *σ*，选中它。",
      },
      done: {
        en: "You found a normalised row: nearly 1, for a small ε stands under the root.",
        "zh-CN": "你找到了归一化过的一行：差一点点就是 1，因为根号下还有一个小小的 ε。",
      },
      happens: (act, { snapshots }) =>
        act.kind === "cell" &&
        act.node === "deviations" &&
        valueOf(snapshots, "deviations", act.index) > 0.999 &&
        valueOf(snapshots, "deviations", act.index) < 1.001,
    },
    {
      id: "cut",
      title: { en: "Cut to 0", "zh-CN": "截成 0" },
      sentence: {
        en: "With ReLU, find a 0 after the curve, and choose it.",
        "zh-CN": "用 ReLU 时，在激活函数之后找到一个 0，选中它。",
      },
      done: {
        en: "It was negative before. For this word, this number of the network is off.",
        "zh-CN": "它原来是负数。对这个词来说，网络的这个数是关着的。",
      },
      happens: (act, { config, snapshots }) =>
        act.kind === "cell" &&
        act.node === "activation" &&
        config.numbers.activation === "relu" &&
        valueOf(snapshots, "activation", act.index) === 0,
    },
    {
      id: "gain",
      title: { en: "What a gain does", "zh-CN": "增益做什么" },
      sentence: {
        en: "Type another number into *weight|γ*: `F2` on a cell, or choose the cell twice.",
        "zh-CN": "把 *weight|γ* 里的一个数改掉：在格子上按 `F2`，或者连点两次。",
      },
      done: {
        en: "One column of every row is longer or shorter now, and the deviation is no longer 1.",
        "zh-CN": "每一行的同一列变长或变短了，标准差也不再是 1。",
      },
      happens: (act) => act.kind === "edit" && /^norm[12]\.weight$/.test(act.node),
    },
    {
      id: "neither",
      title: { en: "Which rule was it?", "zh-CN": "用的是哪种除法？" },
      sentence: {
        en: "Show layer norm alone, and put numbers of your own into the row.",
        "zh-CN": "单看层归一化，把那一行换成你自己的数。",
      },
      done: {
        en: "By its own rule each row has deviation 1: so you can tell which rule made a row.",
        "zh-CN": "按自己的除法去量，标准差正好是 1：由此可以看出一行是用哪种除法得到的。",
      },
      happens: (act, { config }) =>
        config.numbers.part === "norm" &&
        ((act.kind === "change" && act.control === "x") || (act.kind === "edit" && act.node === "x")),
    },
  ],
};
