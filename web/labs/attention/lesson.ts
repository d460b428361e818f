/** The lesson of the attention lab: query, key, value; compare, scale, softmax, mix; masks; another text's keys (section 3.2). */
import { isLargest, valueOf, type Lesson } from "../../telling/lesson.js";

export const lesson: Lesson<"attention"> = {
  parts: [
    {
      id: "three-rows",
      heading: { en: "A word becomes three rows", "zh-CN": "一个词变成三行" },
      paragraphs: [
        {
          stop: "project",
          en: "A word comes in as a row of *X*. Three matrices, *weight|W_Q*, *weight|W_K* and *weight|W_V*, project it to three rows: the query *query|Q* is what the word looks for, the key *key|K* what it can be found by, the value *value|V* what it hands over. The same three matrices serve every word. Training sets them; here they are drawn from a seed.",
          "zh-CN":
            "一个词是 *X* 的一行。三个投影矩阵 *weight|W_Q*、*weight|W_K*、*weight|W_V* 把它变成三行：查询（query）*query|Q* 是这个词要找什么，键（key）*key|K* 用来与查询匹配，值（value）*value|V* 是它交出什么。所有的词共用这三个矩阵。它们本由训练得到；这里由种子随机生成。",
        },
      ],
      tries: [
        {
          sentence: { en: "Look at one number of a query", "zh-CN": "看查询里的一个数" },
          look: {
            en: "A row of X from the left, a column of W_Q from above: products in pairs, then their sum.",
            "zh-CN": "左边是 X 的一行，上面是 W_Q 的一列：逐对相乘，再相加。",
          },
          cell: { node: "Q", index: [2, 0] },
        },
        {
          sentence: { en: "Look at the smallest such product, 2 × 2", "zh-CN": "看最小的乘积：2 × 2" },
          look: {
            en: "Four numbers of X, four of W_Q: 1 · 5 + 2 · 7 = 19. The remark offers a matrix that does not fit.",
            "zh-CN": "X 有四个数，W_Q 有四个数：1 · 5 + 2 · 7 = 19。提示里可以试一个形状不符的矩阵。",
          },
          example: "two-by-two",
          cell: { node: "Q", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "project",
          sentence: {
            en: "What is the last number of the key of word 3? Its row of *X* meets the last column of *weight|W_K*.",
            "zh-CN": "词 3 的键，最后一个数是多少？用它在 *X* 里的一行，乘以 *weight|W_K* 的最后一列。",
          },
          example: "four-words",
          cell: { node: "K", index: [2, 2] },
        },
      ],
    },
    {
      id: "compare",
      heading: { en: "Every query meets every key", "zh-CN": "每个查询都遇见每个键" },
      paragraphs: [
        {
          stop: "compare",
          en: "The score of two words is the dot product of one’s query and the other’s key. It is large when both are large in the same places. All pairs together are one matrix product, *query|Q**key|K^T*: a row per query, a column per key. The dot product measures the match; softmax, which comes later, only turns matches into weights.",
          "zh-CN":
            "两个词的分数，是一个词的查询与另一个词的键的点积。两者在相同的位置上都大，分数就大。所有的词对合在一起是一次矩阵乘法 *query|Q**key|K^T*：每个查询一行，每个键一列。衡量匹配的是点积；后面的 softmax 只把匹配变成权重。",
        },
        {
          stop: "compare",
          en: "A small network can compare as well: *v* · tanh(*W_1**query|q* + *W_2**key|k*), called additive attention. Its queries and keys may differ in width. Dot products of all pairs are one matrix product, so they are much faster; for wide keys they are worse, until they are divided as below.",
          "zh-CN":
            "也可以用一个小网络来比较：*v* · tanh(*W_1**query|q* + *W_2**key|k*)，叫做加性注意力（additive attention）。它的查询与键可以不同宽。所有词对的点积是一次矩阵乘法，所以快得多；键很宽时点积不如它，直到像下面那样除一下。",
        },
      ],
      tries: [
        {
          sentence: { en: "Let word 1 ask word 3", "zh-CN": "让词 1 问词 3" },
          look: {
            en: "The query of word 1 times the key of word 3. Move along the row: the same query, another key.",
            "zh-CN": "词 1 的查询乘以词 3 的键。沿这一行移动：查询不变，换一个键。",
          },
          cell: { node: "scores", index: [0, 2] },
        },
        {
          sentence: { en: "Compare by a small network instead", "zh-CN": "改用小网络来比较" },
          look: {
            en: "One column of tanh per key, weighed by v, is the score. The queries and keys are the same as before.",
            "zh-CN": "每个键一列 tanh，由 v 加权求和，就是分数。查询和键都与之前相同。",
          },
          changes: [{ control: "score", value: "additive" }],
          cell: { node: "scores", index: [0, 2] },
        },
        {
          sentence: { en: "Back to dot products", "zh-CN": "换回点积" },
          look: {
            en: "The same pair, by its dot product: one row times one column.",
            "zh-CN": "同一个词对，用点积：一行乘以一列。",
          },
          changes: [{ control: "score", value: "dot" }],
          cell: { node: "scores", index: [0, 2] },
        },
      ],
      questions: [
        {
          stop: "compare",
          sentence: {
            en: "Word 4 asks word 2. What is the score, the dot product of its query and the other’s key?",
            "zh-CN": "词 4 问词 2：它的查询与对方的键做点积，分数是多少？",
          },
          example: "four-words",
          cell: { node: "scores", index: [3, 1] },
        },
        {
          stop: "add",
          sentence: {
            en: "With additive attention, the first numbers of the query and the key of word 1 add up to 4. About how much does tanh leave of that?",
            "zh-CN": "加性注意力里，词 1 的查询与键的第一个数相加得 4。经过 tanh 大约剩多少？",
          },
          example: "four-words",
          changes: [{ control: "score", value: "additive" }],
          cell: { node: "hidden", index: [0, 0, 0] },
        },
      ],
    },
    {
      id: "scale",
      heading: { en: "Why divide by √*d_k*", "zh-CN": "为什么除以 √*d_k*" },
      paragraphs: [
        {
          stop: "scale",
          en: "Let the numbers of a query and a key be independent with variance 1. Their dot product adds *d_k* products, so its variance is *d_k*; divided by √*d_k* it is 1 again, however wide the key. With this division it is scaled dot-product attention. Undivided scores of wide keys lie far apart: softmax saturates, nearly all weight is on one word, and hardly any gradient comes back through it.",
          "zh-CN":
            "设查询与键的各个数相互独立、方差为 1。点积是 *d_k* 个乘积之和，方差就是 *d_k*；除以 √*d_k*，不论键有多宽，方差又回到 1。这样除过的，就叫缩放点积注意力（scaled dot-product attention）。键宽而不除，分数彼此离得很远：softmax 饱和，几乎把全部权重放在一个词上，梯度也几乎传不回来（梯度消失）。",
        },
        {
          stop: "softmax",
          en: "Numerical stability is sometimes given as the reason. That comes from something else: softmax subtracts the largest score of the row first. Without that, a score of 800 has no weight, however it was scaled before: e to the 800 is ∞ in float64, and ∞ ÷ ∞ is NaN.",
          "zh-CN":
            "有的教程把理由说成数值稳定。稳定来自别处：softmax 先减去这一行最大的分数。不减的话，不论之前怎样缩放，只要分数到了 800，就算不出权重：e 的 800 次方在 float64 里是 ∞，而 ∞ ÷ ∞ 是 NaN。",
        },
      ],
      tries: [
        {
          sentence: { en: "Leave the division out", "zh-CN": "去掉这次除法" },
          look: {
            en: "Scores go into softmax as they are: the largest weight of every row has grown.",
            "zh-CN": "分数原样进入 softmax：每一行最大的权重都变大了。",
          },
          changes: [
            { control: "score", value: "dot" },
            { control: "scale", value: "off" },
          ],
          cell: { node: "weights", index: [0, 2] },
        },
        {
          sentence: { en: "Divide again", "zh-CN": "再除回来" },
          look: {
            en: "Scaled scores are paler: they share the colour scale of the scores.",
            "zh-CN": "缩放后的分数颜色更淡：它们与分数共用一个色标。",
          },
          changes: [
            { control: "score", value: "dot" },
            { control: "scale", value: "on" },
          ],
          cell: { node: "scaled", index: [0, 2] },
        },
        {
          sentence: { en: "Meet a score of 800", "zh-CN": "遇见一个 800 的分数" },
          look: {
            en: "e to each score, with no maximum subtracted: ∞ ÷ ∞ is NaN, and the output of that word with it.",
            "zh-CN": "不减最大值，直接取指数：∞ ÷ ∞ 是 NaN，这个词的输出也成了 NaN。",
          },
          example: "score-of-800",
          cell: { node: "weights", index: [0, 0] },
        },
        {
          sentence: { en: "Subtract the maximum first", "zh-CN": "先减去最大值" },
          look: {
            en: "800 − 800 is 0, and e to the 0 is 1: the same softmax, and a number.",
            "zh-CN": "800 − 800 是 0，e 的 0 次方是 1：还是同一个 softmax，但算得出来。",
          },
          example: "score-of-800",
          changes: [{ control: "stable", value: "on" }],
          cell: { node: "weights", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "scale",
          sentence: {
            en: "Keys are 4 wide here. What becomes of the score of word 3 for word 2 when it is divided by √*d_k*?",
            "zh-CN": "这里键宽 4。词 3 对词 2 的分数，除以 √*d_k* 之后是多少？",
          },
          example: "four-words",
          changes: [{ control: "keyDim", value: "4" }],
          cell: { node: "scaled", index: [2, 1] },
        },
        {
          stop: "exp",
          sentence: {
            en: "With no maximum subtracted, e to the 800 is ∞. What does the other score of word 1, the 0, become?",
            "zh-CN": "不减最大值，e 的 800 次方是 ∞。词 1 的另一个分数 0，取指数之后是多少？",
          },
          example: "score-of-800",
          cell: { node: "exp", index: [0, 1] },
        },
      ],
    },
    {
      id: "softmax",
      heading: { en: "From scores to attention weights", "zh-CN": "从分数到注意力权重" },
      paragraphs: [
        {
          stop: "softmax",
          en: "Softmax raises e to each scaled score and divides by the sum of the row. Every row of *attention|A* is positive and adds up to 1: it says how a word shares out its attention. Only differences count; adding 5 to a whole row changes no weight.",
          "zh-CN":
            "softmax 以 e 为底，把每个缩放后的分数变成指数，再除以这一行的和。*attention|A* 的每一行都是正数，加起来是 1：它说的是一个词怎样分配注意力。起作用的只有差：整行都加 5，权重一点不变。",
        },
      ],
      tries: [
        {
          sentence: { en: "Open a softmax", "zh-CN": "打开一次 softmax" },
          look: {
            en: "Minus the largest, exp, divided by Σ: the whole row is needed for one weight.",
            "zh-CN": "减去最大值，取 exp，除以 Σ：算一个权重要用到整行。",
          },
          cell: { node: "weights", index: [0, 2] },
        },
      ],
      questions: [
        {
          stop: "softmax",
          sentence: {
            en: "Softmax subtracts the largest score of the row first, and e to the −2.3 is about 0.1. What weight does word 2 give word 1?",
            "zh-CN": "softmax 先减去这一行最大的分数，而 e 的 −2.3 次方约为 0.1。词 2 给词 1 的权重是多少？",
          },
          example: "four-words",
          cell: { node: "weights", index: [1, 0] },
        },
      ],
    },
    {
      id: "mix",
      heading: { en: "The output is a mixture of values", "zh-CN": "输出是值的混合" },
      paragraphs: [
        {
          stop: "mix",
          en: "A row of weights times *value|V* is the weighted sum of all values: the output of that word. *output|O* has one row per query and is as wide as a value. A word’s output depends on the words around it, which no table of word vectors can do.",
          "zh-CN":
            "一行权重乘以 *value|V*，就是所有值的加权和：这个词的输出。*output|O* 每个查询一行，宽度与值相同。一个词的输出取决于它周围的词，这是任何词向量表都做不到的。",
        },
      ],
      tries: [
        {
          sentence: { en: "See one number being mixed", "zh-CN": "看一个数是怎样混合出来的" },
          look: {
            en: "The weights of word 1 from the left, one column of V from above.",
            "zh-CN": "左边是词 1 的权重，上面是 V 的一列。",
          },
          cell: { node: "output", index: [0, 1] },
        },
        {
          sentence: { en: "Watch it from the words on", "zh-CN": "从词开始看一遍" },
          look: {
            en: "One step after another, each with its sentence.",
            "zh-CN": "一步接一步，每步一句话。",
          },
          play: true,
        },
      ],
      questions: [
        {
          stop: "mix",
          sentence: {
            en: "What is the last number of the output of word 2? Two of the four values have a 0 there.",
            "zh-CN": "词 2 的输出，最后一个数是多少？四个值里，有两个在这一位上是 0。",
          },
          example: "four-words",
          cell: { node: "output", index: [1, 2] },
        },
      ],
    },
    {
      id: "mask",
      heading: { en: "What a word may not see", "zh-CN": "一个词不能看什么" },
      paragraphs: [
        {
          stop: "mask",
          en: "A mask takes pairs out before softmax: their score becomes −∞, and e to the −∞ is 0. The causal mask hides what comes later (masked self-attention); a model that predicts the next word must not read it. Padding is hidden the same way, by a mask with one place per key that PyTorch calls `key_padding_mask`.",
          "zh-CN":
            "掩码在 softmax 之前去掉一些词对：它们的分数变成 −∞，而 e 的 −∞ 次方是 0。因果掩码（causal mask）遮住后面的词，这叫掩码自注意力；要预测下一个词的模型不能先读到它。填充也这样遮住，用的是每个键一格的掩码，PyTorch 里叫 `key_padding_mask`。",
        },
        {
          stop: "mask",
          en: "Notebooks and articles disagree on whether a 1 in the mask keeps or hides, and some write `-1e9` for −∞. The results differ only where a whole row is hidden. With −∞ its weights are NaN in PyTorch, and 0 here. With −10⁹ in place of each score they are equal. With −10⁹ added to each score they are those without a mask.",
          "zh-CN":
            "各种教程对掩码里的 1 是保留还是遮住说法不一，有的用 `-1e9` 代替 −∞。只有整行都被遮住时结果才不同：填入 −∞，权重在 PyTorch 里是 NaN，在这里是 0；每个分数换成 −10⁹，权重就都相等；每个分数加上 −10⁹，权重与不加掩码时相同。",
        },
      ],
      tries: [
        {
          sentence: { en: "Hide what comes later", "zh-CN": "遮住后面的词" },
          look: {
            en: "The upper triangle is −∞, then 0. Each row still adds up to 1.",
            "zh-CN": "右上三角先是 −∞，然后是 0。每一行加起来仍是 1。",
          },
          changes: [{ control: "mask", value: "causal" }],
          cell: { node: "weights", index: [1, 0] },
        },
        {
          sentence: { en: "Hide everything from word 3", "zh-CN": "对词 3 遮住一切" },
          look: {
            en: "Nothing is left to share: weights and output of word 3 are 0.",
            "zh-CN": "没有可分配的了：词 3 的权重和输出都是 0。",
          },
          example: "four-words",
          changes: [0, 1, 2, 3].map((key) => ({ control: "paint", value: `2,${key},0` })),
          cell: { node: "weights", index: [2, 0] },
        },
        {
          sentence: { en: "Put −10⁹ in such a row instead", "zh-CN": "在这样的一行里改填 −10⁹" },
          look: {
            en: "Four equal scores: every weight is a quarter.",
            "zh-CN": "四个分数相等：每个权重都是四分之一。",
          },
          example: "blind-row",
          cell: { node: "weights", index: [2, 0] },
        },
        {
          sentence: { en: "Add −10⁹ to it instead", "zh-CN": "改为加上 −10⁹" },
          look: {
            en: "Softmax sees differences only: the weights of word 3 are those without a mask.",
            "zh-CN": "softmax 只看差：词 3 的权重与不加掩码时相同。",
          },
          example: "blind-row",
          changes: [{ control: "fill", value: "added" }],
          cell: { node: "weights", index: [2, 2] },
        },
        {
          sentence: { en: "Let True mean masked", "zh-CN": "让 True 表示遮住" },
          look: {
            en: "The mask is written the other way round; 1 − mask makes it what it was, and no weight changes.",
            "zh-CN": "掩码换了写法；1 − mask 又把它变回来，权重一点不变。",
          },
          changes: [
            { control: "score", value: "dot" },
            { control: "mask", value: "causal" },
            { control: "polarity", value: "masked" },
          ],
          cell: { node: "inverted", index: [0, 2] },
        },
        {
          sentence: { en: "Make the last word padding", "zh-CN": "把最后一个词当作填充" },
          look: {
            en: "key_padding_mask is True there: nobody looks at that word, and each row still adds up to 1.",
            "zh-CN": "key_padding_mask 在那里是 True：没有词看它，每一行加起来仍是 1。",
          },
          changes: [
            { control: "score", value: "dot" },
            { control: "padding", value: "1" },
          ],
          cell: { node: "weights", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "mask",
          sentence: {
            en: "Scores are not divided here. What does the causal mask leave of the score of word 3 for word 1?",
            "zh-CN": "这里分数不除以 √*d_k*。加上因果掩码，词 3 对词 1 的分数是多少？",
          },
          example: "four-words",
          changes: [
            { control: "scale", value: "off" },
            { control: "mask", value: "causal" },
          ],
          cell: { node: "masked", index: [2, 0] },
        },
        {
          stop: "softmax",
          sentence: {
            en: "Word 2 may look at word 1 and at itself, with scaled scores of 2.3 and 0. What weight does it give word 1? e to the −2.3 is about 0.1.",
            "zh-CN":
              "词 2 只能看词 1 和自己，缩放后的分数是 2.3 和 0。它给词 1 的权重是多少？e 的 −2.3 次方约为 0.1。",
          },
          example: "four-words",
          changes: [{ control: "mask", value: "causal" }],
          cell: { node: "weights", index: [1, 0] },
        },
        {
          stop: "convert",
          sentence: {
            en: "In this mask 1 means masked. What is 1 − mask where word 3 looks at word 1?",
            "zh-CN": "这个掩码里 1 表示遮住。在词 3 看词 1 的那一格，1 − mask 是多少？",
          },
          example: "four-words",
          changes: [
            { control: "mask", value: "causal" },
            { control: "polarity", value: "masked" },
          ],
          cell: { node: "inverted", index: [2, 0] },
        },
        {
          stop: "mix",
          sentence: {
            en: "All four scores of word 3 have become −10⁹. What is the second number of its output, the mixture of the four values?",
            "zh-CN": "词 3 的四个分数都换成了 −10⁹。它的输出是四个值的混合，第二个数是多少？",
          },
          example: "blind-row",
          cell: { node: "output", index: [2, 1] },
        },
      ],
    },
    {
      id: "cross",
      heading: { en: "Looking into another text", "zh-CN": "看另一段文字" },
      paragraphs: [
        {
          stop: "softmax",
          en: "Queries need not come from the words that are looked at. In cross attention the queries are the decoder’s, keys and values the encoder’s: each word of the translation looks into the source. *attention|A* then has a row per query and a column per key, and is no longer square.",
          "zh-CN":
            "查询与键、值不必来自同一段文字。交叉注意力（cross attention）里，查询来自解码器，键和值来自编码器：译文的每个词去看原文。这时 *attention|A* 每个查询一行，每个键一列，不再是方阵。",
        },
      ],
      tries: [
        {
          sentence: { en: "Let the words see three others", "zh-CN": "让这些词去看另外三个词" },
          look: {
            en: "A second source gives K and V. Output keeps one row per query.",
            "zh-CN": "K 和 V 来自第二段文字。输出仍是每个查询一行。",
          },
          changes: [{ control: "memory", value: "le chat noir" }],
          cell: { node: "weights", index: [0, 1] },
        },
        {
          sentence: { en: "Let them see each other again", "zh-CN": "让它们重新互相看" },
          look: { en: "Self-attention: one source for all three.", "zh-CN": "自注意力：三者同出一源。" },
          changes: [{ control: "memory", value: "" }],
          cell: { node: "weights", index: [0, 1] },
        },
      ],
      questions: [
        {
          stop: "softmax",
          sentence: {
            en: "A row has three weights here, one for each word of the other text. What is left for “le” in the row of word 3?",
            "zh-CN": "这里每行有三个权重，另一段文字的每个词一个。词 3 这一行里，留给“le”的是多少？",
          },
          example: "four-words",
          changes: [{ control: "memory", value: "le chat noir" }],
          cell: { node: "weights", index: [2, 0] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "largest-weight",
      title: { en: "Where most of the attention goes", "zh-CN": "注意力大多去了哪里" },
      sentence: {
        en: "Find the largest number of *attention|A* and choose it.",
        "zh-CN": "找到 *attention|A* 里最大的数，选中它。",
      },
      done: {
        en: "You found the largest weight, and the note says how it was made.",
        "zh-CN": "你找到了最大的权重；它怎样算出来，算式里写着。",
      },
      happens: (act, { snapshots }) =>
        act.kind === "cell" && act.node === "weights" && isLargest(snapshots, "weights", act.index),
    },
    {
      id: "back-to-the-words",
      title: { en: "Where a number comes from", "zh-CN": "一个数从哪里来" },
      sentence: {
        en: "From a number of *output|O*, follow “from” in the note until you stand on *X*. On a keyboard, `u` does the same.",
        "zh-CN": "从 *output|O* 的一个数出发，顺着算式里的“来自”一直走到 *X*。用键盘时按 `u` 也行。",
      },
      done: {
        en: "You walked from an output back to the words: nothing in between is hidden.",
        "zh-CN": "你从输出一直走回了词：中间没有藏着任何东西。",
      },
      happens: (act) => act.kind === "chain" && act.nodes[0] === "output" && act.nodes.at(-1) === "X",
    },
    {
      id: "causal",
      title: { en: "No looking ahead", "zh-CN": "不看后面" },
      sentence: { en: "Make the mask causal.", "zh-CN": "把掩码改成因果。" },
      done: {
        en: "Word 1 sees only itself now: its whole weight is on one word.",
        "zh-CN": "词 1 现在只看得到自己：全部权重都在一个词上。",
      },
      happens: (act, { snapshots }) =>
        act.kind === "change" &&
        act.control === "mask" &&
        act.value === "causal" &&
        valueOf(snapshots, "weights", [0, 0]) === 1,
    },
    {
      id: "unscaled",
      title: { en: "What the division does", "zh-CN": "除法做了什么" },
      sentence: {
        en: "Set the scores to go undivided, and watch *attention|A*.",
        "zh-CN": "让分数不除以 √*d_k*，看 *attention|A* 怎样变化。",
      },
      done: {
        en: "Undivided, scores lie further apart, and the largest weight of a row takes more.",
        "zh-CN": "不除，分数就离得更远，一行里最大的权重占得更多。",
      },
      happens: (act) => act.kind === "change" && act.control === "scale" && act.value === "off",
    },
    {
      id: "one-number",
      title: { en: "One number, the whole page", "zh-CN": "一个数，整个页面" },
      sentence: {
        en: "Type another number into *X*: `F2` or a digit on a cell, or choose the cell twice.",
        "zh-CN": "把 *X* 里的一个数改掉：在格子上按 `F2` 或数字键，或者连点两次。",
      },
      done: {
        en: "Its own row changed, and through its key and its value the output of every word that sees it.",
        "zh-CN": "它自己的一行变了；再通过它的键和值，看得到它的每个词，输出也变了。",
      },
      happens: (act) => act.kind === "edit" && act.node === "X",
    },
  ],
};
