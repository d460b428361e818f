/** The lesson of the multi-head lab: splitting, heads side by side, joining, the output weights (section 3.2.2). */
import { isLargestOfRow, type Lesson } from "../../telling/lesson.js";

export const lesson: Lesson<"multi-head"> = {
  parts: [
    {
      id: "several-looks",
      heading: {
        en: "One row of attention weights is one way to look",
        "zh-CN": "一行注意力权重只是一种看法",
      },
      paragraphs: [
        {
          stop: "attend",
          en: "Softmax gives a word one row of attention weights, and its output is one mixture. A word that needs its verb and its article at once gets the average of both. Multi-head attention gives it several rows: each has queries, keys and values of its own, and each sees the whole sentence.",
          "zh-CN":
            "softmax 只给一个词一行注意力权重，它的输出就只是一种混合。一个词若同时需要自己的动词和冠词，得到的是两者的平均。多头注意力（multi-head attention）有几个头，就有几行：每个头有自己的查询、键和值，每个头都看得到整句话。",
        },
      ],
      tries: [
        {
          sentence: { en: "Set two heads side by side", "zh-CN": "让两个头并排" },
          look: {
            en: "From “sat”, head 0 looks at “cat” and head 1 at “mat”.",
            "zh-CN": "从“跳”出发，头 0 看“猫”，头 1 看“垫子”。",
          },
          example: "one-word-two-looks",
          cell: { node: "weights", index: [0, 1, 2, 5] },
        },
        {
          sentence: { en: "Drop weights, as in training", "zh-CN": "像训练时那样丢掉一些权重" },
          look: {
            en: "Some weights become 0, the others are divided by 0.7; the row need not add up to 1.",
            "zh-CN": "有的权重变成 0，其余的除以 0.7；一行之和不必是 1。",
          },
          example: "two-heads",
          changes: [{ control: "dropout", value: "0.3" }],
          cell: { node: "dropped", index: [0, 1, 1, 2] },
        },
      ],
      questions: [
        {
          stop: "attend",
          sentence: {
            en: "In head 1 “cats” shares its attention among itself, “chase” and “mice”. What weight is left for “chase”?",
            "zh-CN": "在头 1 里，“猫”的注意力分给自己、“追”和“老鼠”。留给“追”的权重是多少？",
          },
          example: "two-heads",
          changes: [{ control: "words", value: { en: "cats chase mice", "zh-CN": "猫 追 老鼠" } }],
          cell: { node: "weights", index: [0, 1, 0, 1] },
        },
        {
          stop: "mix",
          sentence: {
            en: "Half of the weights are dropped, and in head 0 the first “the” keeps the one it gives “sat”. What becomes of that weight?",
            "zh-CN": "丢掉一半权重；在头 0 里，第一个“小”给“跳”的权重留了下来。它变成多少？",
          },
          example: "two-heads",
          changes: [{ control: "dropout", value: "0.5" }],
          cell: { node: "dropped", index: [0, 0, 0, 2] },
        },
      ],
    },
    {
      id: "split",
      heading: { en: "The numbers are split, not the words", "zh-CN": "切开的是数，不是词" },
      paragraphs: [
        {
          stop: "split",
          en: "One product makes *query|Q*, *H*·*d_k* numbers wide, with *H* heads (*h* in the paper). Head *i* takes its *d_k* columns, from *i*·*d_k* on: (*S*, *H*·*d_k*) becomes (*H*, *S*, *d_k*). Nothing is computed, only addressed anew. The sequence is not cut into parts, as is sometimes said: every head sees all of it.",
          "zh-CN":
            "一次乘法得到 *query|Q*，宽 *H*·*d_k*（头数 *H*，论文记作 *h*）。第 *i* 个头取从 *i*·*d_k* 起的 *d_k* 列：(*S*, *H*·*d_k*) 变成 (*H*, *S*, *d_k*)。这里什么也没有算，只是换了地址。有人说切开的是序列；其实每个头看到的都是整个序列。",
        },
      ],
      tries: [
        {
          sentence: { en: "See where head 1 got a number", "zh-CN": "看头 1 的一个数从哪里来" },
          look: {
            en: "The note names the column of Q: the head times its width, plus the place in the head.",
            "zh-CN": "算式里写着它在 Q 的第几列：头的编号乘头的宽度，再加头内的位置。",
          },
          example: "two-heads",
          cell: { node: "Q_heads", index: [0, 1, 1, 2] },
        },
      ],
      questions: [
        {
          stop: "split",
          sentence: {
            en: "Two heads, each one number wide: head 1 takes the last column of *query|Q*. What is its query of word 1?",
            "zh-CN": "两个头，各宽 1：头 1 取 *query|Q* 的最后一列。头 1 中词 1 的查询是多少？",
          },
          example: "ten-by-twenty-run-1",
          changes: [
            { control: "heads", value: "2" },
            { control: "dim", value: "2" },
            { control: "length", value: "3" },
            { control: "batch", value: "1" },
            { control: "draw", value: "scaled" },
            { control: "seed", value: "3102" },
          ],
          cell: { node: "Q", index: [0, 0, 1] },
        },
      ],
    },
    {
      id: "nothing-shared",
      heading: { en: "Heads share nothing", "zh-CN": "头与头什么也不共用" },
      paragraphs: [
        {
          stop: "mix",
          en: "One head in the paper: *value|head_i* = Attention(*Q*\u00a0*weight|W^Q_i*, *K*\u00a0*weight|W^K_i*, *V*\u00a0*weight|W^V_i*). There *Q*, *K* and *V* are the words before they are projected, here *X* three times; *weight|W^Q_i* are the columns of *weight|W_Q* that belong to head *i*.",
          "zh-CN":
            "论文这样写一个头：*value|head_i* = Attention(*Q*\u00a0*weight|W^Q_i*, *K*\u00a0*weight|W^K_i*, *V*\u00a0*weight|W^V_i*)。其中 *Q*、*K*、*V* 是投影之前的词，这里三者都是 *X*；*weight|W^Q_i* 就是 *weight|W_Q* 中属于第 *i* 个头的那些列。",
        },
        {
          stop: "split",
          en: "A head has its own columns of *weight|W_Q*, *weight|W_K* and *weight|W_V*. With *d_k* = *D* ÷ *H*, where *D* is *d_model*, the matrices are as large for eight heads as for one, and so is the work; what comes on top is *weight|W_O*. It is sometimes said that heads save parameters by sharing them. They do neither.",
          "zh-CN":
            "每个头有 *weight|W_Q*、*weight|W_K*、*weight|W_V* 中自己的那些列。当 *d_k* = *D* ÷ *H* 时（*D* 即 *d_model*），八个头的矩阵与一个头的一样大，计算量也一样；多出来的是 *weight|W_O*。有人说各头共享参数、从而减少参数：既没有共享，也没有减少。",
        },
      ],
      tries: [
        {
          sentence: { en: "Count the parameters", "zh-CN": "数一数参数" },
          look: {
            en: "Under the matrices: 64 each for W_Q, W_K and W_V, as for one head, and 64 for W_O.",
            "zh-CN": "矩阵下方写着：W_Q、W_K、W_V 各 64 个，与一个头时一样，W_O 另有 64 个。",
          },
          example: "two-heads",
          cell: { node: "W_Q", index: [0, 4] },
        },
        {
          sentence: { en: "Cut eight numbers into four heads", "zh-CN": "把八个数切成四个头" },
          look: {
            en: "W_Q is still 8×8, and its numbers are the same. Four maps of attention weights come out of it.",
            "zh-CN": "W_Q 仍是 8×8，里面的数也没变。从中得到四张注意力权重图。",
          },
          example: "two-heads",
          changes: [{ control: "heads", value: "4" }],
          cell: { node: "weights", index: [0, 1, 1, 2] },
        },
        {
          sentence: { en: "Leave them in one", "zh-CN": "只用一个头" },
          look: {
            en: "One head as wide as the word: one map, made from all eight numbers at once.",
            "zh-CN": "一个与词同宽的头：只有一张图，由八个数一起算出。",
          },
          example: "two-heads",
          changes: [{ control: "heads", value: "1" }],
          cell: { node: "weights", index: [0, 0, 1, 2] },
        },
      ],
      questions: [
        {
          stop: "compare",
          sentence: {
            en: "A word has 8 numbers here, and a head 4 of them. What becomes of the score of “on” for “sat” in head 1 when it is divided by √*d_k*?",
            "zh-CN": "这里每个词 8 个数，每个头 4 个。头 1 里“上”对“跳”的分数，除以 √*d_k* 之后是多少？",
          },
          example: "two-heads",
          cell: { node: "scaled", index: [0, 1, 3, 2] },
        },
      ],
    },
    {
      id: "shapes",
      heading: { en: "Shapes, of one head and of many", "zh-CN": "一个头与多个头的形状" },
      paragraphs: [
        {
          en: "One head: *query|Q* (*S*, *D*), *attention|A* (*S*, *S*), *output|O* (*S*, *D*). *H* heads: *query|Q* (*H*, *S*, *d_k*), *attention|A* (*H*, *S*, *S*), joined (*S*, *H*·*d_v*), *output|O* (*S*, *D*). Only the attention weights are more: *H* maps in the place of one. What goes in and what comes out have the shape they had.",
          "zh-CN":
            "一个头：*query|Q* (*S*, *D*)，*attention|A* (*S*, *S*)，*output|O* (*S*, *D*)。*H* 个头：*query|Q* (*H*, *S*, *d_k*)，*attention|A* (*H*, *S*, *S*)，拼接后 (*S*, *H*·*d_v*)，*output|O* (*S*, *D*)。多出来的只有注意力权重：一张图变成 *H* 张。输入和输出的形状都没变。",
        },
      ],
      tries: [
        {
          sentence: { en: "Set eight heads in a grid", "zh-CN": "把八个头排成一片" },
          look: {
            en: "Eight maps of 6×6; a head has one number of its own for a query.",
            "zh-CN": "八张 6×6 的图；每个头的查询只有一个数。",
          },
          example: "two-heads",
          changes: [{ control: "heads", value: "8" }],
          cell: { node: "weights", index: [0, 3, 1, 2] },
        },
      ],
    },
    {
      id: "join",
      heading: { en: "Concatenated, then mixed", "zh-CN": "先拼接，再混合" },
      paragraphs: [
        {
          stop: "project",
          en: "The outputs of the heads are concatenated, side by side: (*H*, *S*, *d_v*) becomes (*S*, *H*·*d_v*). So far, what one head found stands in its own columns. The output projection *weight|W_O* multiplies the whole row, and every number of *output|O* takes from every head. Some published code leaves this product out; then the heads never meet.",
          "zh-CN":
            "各头的输出拼接（concatenate）起来：(*H*, *S*, *d_v*) 变回 (*S*, *H*·*d_v*)。到这里，每个头找到的东西还只在自己的列里。输出投影 *weight|W_O* 乘整行，于是 *output|O* 的每个数都取自每个头。有的代码漏掉了这次乘法；那样各头就永远不会相遇。",
        },
      ],
      tries: [
        {
          sentence: { en: "See what one output is made of", "zh-CN": "看一个输出由什么组成" },
          look: {
            en: "The joined row times one column of W_O: the first half comes from head 0, the rest from head 1.",
            "zh-CN": "拼接的一行乘以 W_O 的一列：前一半来自头 0，后一半来自头 1。",
          },
          example: "two-heads",
          cell: { node: "output", index: [0, 1, 0] },
        },
        {
          sentence: { en: "Leave W_O out", "zh-CN": "去掉 W_O" },
          look: {
            en: "The output is the joined row: its first half comes from head 0 alone.",
            "zh-CN": "输出就是拼接的一行：前一半只来自头 0。",
          },
          example: "two-heads",
          changes: [{ control: "projections", value: "bare" }],
          cell: { node: "output", index: [0, 1, 0] },
        },
        {
          sentence: { en: "Watch all of it", "zh-CN": "从头看一遍" },
          look: {
            en: "Cut, compare, softmax, mix, join, project: one step each.",
            "zh-CN": "切分、比较、softmax、混合、拼接、投影：各一步。",
          },
          play: true,
        },
      ],
      questions: [
        {
          stop: "join",
          sentence: {
            en: "With a causal mask the first word sees only itself. What is the first number that head 1 puts into its joined row?",
            "zh-CN": "有因果掩码时，第一个词只看得到自己。头 1 放进它那一行的第一个数是多少？",
          },
          example: "two-heads",
          changes: [
            { control: "mask", value: "causal" },
            { control: "projections", value: "bare" },
          ],
          cell: { node: "heads", index: [0, 1, 0, 0] },
        },
        {
          stop: "project",
          sentence: {
            en: "The joined row of word 3 has one number from each head. What does the first column of *weight|W_O* make of the two?",
            "zh-CN": "词 3 拼接的一行里，两个头各有一个数。*weight|W_O* 的第一列把它们变成多少？",
          },
          example: "ten-by-twenty-run-1",
          changes: [
            { control: "heads", value: "2" },
            { control: "dim", value: "2" },
            { control: "length", value: "3" },
            { control: "batch", value: "1" },
            { control: "draw", value: "randn" },
            { control: "seed", value: "5998" },
          ],
          cell: { node: "output", index: [0, 2, 0] },
        },
      ],
    },
    {
      id: "too-large",
      heading: { en: "When every row chooses one word", "zh-CN": "当每一行只选一个词" },
      paragraphs: [
        {
          stop: "attend",
          en: "Two study notebooks, the sources of three examples, draw all four matrices from the standard normal. A number of *query|Q* then adds 128 products, so its variance is 128, and a score divided by √*d_k* still spreads by about 128. That division presumes queries and keys of variance 1. Divide the matrices by √*D*, as networks do when they start, and it holds.",
          "zh-CN":
            "三个示例出自两份学习笔记，它们都用标准正态分布随机初始化四个矩阵。*query|Q* 的一个数便是 128 个乘积之和，方差为 128；分数除以 √*d_k* 之后，标准差仍约为 128。这次除法的前提是查询与键的方差为 1。像网络初始化那样把矩阵除以 √*D*，前提才成立。",
        },
      ],
      tries: [
        {
          sentence: { en: "Open the notebook’s run", "zh-CN": "打开笔记里的那次运行" },
          look: {
            en: "Eight heads, twenty words: almost every row is one dark cell.",
            "zh-CN": "八个头，二十个词：几乎每一行都只有一个深色的格。",
          },
          example: "ten-by-twenty-run-1",
          cell: { node: "weights", index: [0, 0, 0, 8] },
        },
        {
          sentence: { en: "Divide its matrices by √*D*", "zh-CN": "把矩阵除以 √*D*" },
          look: {
            en: "The same draws, each divided by √128. The rows share again.",
            "zh-CN": "同样的随机数，每个除以 √128。各行重新分配开来。",
          },
          example: "ten-by-twenty-run-1",
          changes: [{ control: "draw", value: "scaled" }],
          cell: { node: "weights", index: [0, 0, 0, 8] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "another-head",
      title: { en: "Another head looks elsewhere", "zh-CN": "换一个头，看向别处" },
      sentence: {
        en: "Find a word whose largest weight in some head is on another word than in head 0, and choose it.",
        "zh-CN": "找一个词：它在某个头里的最大权重，与在头 0 里落在不同的词上。选中那个权重。",
      },
      done: {
        en: "The same word, another head, another choice: one softmax could not have made both.",
        "zh-CN": "同一个词，换了一个头，选择就不同：一次 softmax 做不出这两种。",
      },
      happens: (act, { snapshots }) => {
        if (act.kind !== "cell" || act.node !== "weights") return false;
        const [item, head, row, key] = act.index as [number, number, number, number];
        return (
          head > 0 &&
          isLargestOfRow(snapshots, "weights", act.index) &&
          !isLargestOfRow(snapshots, "weights", [item, 0, row, key])
        );
      },
    },
    {
      id: "no-arithmetic",
      title: { en: "A cut is not a sum", "zh-CN": "切开不是计算" },
      sentence: {
        en: "From a number of a head’s query, follow “from” in the note to *query|Q*.",
        "zh-CN": "从某个头的查询里的一个数，顺着算式里的“来自”走到 *query|Q*。",
      },
      done: {
        en: "It is the same number at another address: the head took its own columns of Q.",
        "zh-CN": "还是同一个数，只是换了地址：这个头取了 Q 里属于自己的列。",
      },
      happens: (act) => {
        if (act.kind !== "chain") return false;
        const head = act.nodes.indexOf("Q_heads");
        return head >= 0 && act.nodes[head + 1] === "Q";
      },
    },
    {
      id: "other-count",
      title: { en: "More heads, same size", "zh-CN": "头多了，大小不变" },
      sentence: {
        en: "Set another number of heads, and compare the shapes.",
        "zh-CN": "换一个头数，比较各个形状。",
      },
      done: {
        en: "Heads times width stayed the same: the matrices are as they were, only the cut is another.",
        "zh-CN": "头数乘宽度没有变：矩阵还是原来那些，只是切法不同。",
      },
      happens: (act, { config, was }) =>
        act.kind === "change" &&
        act.control === "heads" &&
        config.numbers.heads !== was.numbers.heads &&
        config.numbers.heads * config.numbers.keyDim === was.numbers.heads * was.numbers.keyDim,
    },
    {
      id: "heads-meet",
      title: { en: "Where the heads meet", "zh-CN": "各头在哪里相遇" },
      sentence: {
        en: "From a number of *output|O*, follow “from” back to the output of a head.",
        "zh-CN": "从 *output|O* 的一个数，顺着“来自”走回某个头的输出。",
      },
      done: {
        en: "Through one column of W_O, a number of the output takes from every head.",
        "zh-CN": "经过 W_O 的一列，输出的一个数取自每一个头。",
      },
      happens: (act) => act.kind === "chain" && act.nodes[0] === "output" && act.nodes.at(-1) === "heads",
    },
    {
      id: "rows-share",
      title: { en: "Rows that share", "zh-CN": "会分配的行" },
      sentence: {
        en: "Where the projections are standard normal, make them normal ÷ √*D*.",
        "zh-CN": "在投影矩阵为标准正态的地方，改成正态 ÷ √*D*。",
      },
      done: {
        en: "Divided by √D, the scores lie close together, and softmax spreads its weights.",
        "zh-CN": "除以 √D 之后，分数彼此靠近，softmax 的权重就散开了。",
      },
      happens: (act, { was }) =>
        act.kind === "change" &&
        act.control === "draw" &&
        act.value === "scaled" &&
        was.numbers.draw === "randn",
    },
  ],
};
