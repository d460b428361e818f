/** The lesson of the positions lab: no order without positions, the index, tables, clocks, shifts, turns and distances (section 3.5). */
import { isLargestOfRow, valueOf, type Lesson } from "../../telling/lesson.js";

/** The largest difference that rounding can leave of 0. */
const ROUNDING = 1e-9;

export const lesson: Lesson<"positions"> = {
  parts: [
    {
      id: "no-order",
      heading: { en: "Attention does not know order", "zh-CN": "注意力不知道顺序" },
      paragraphs: [
        {
          stop: "differ",
          en: "A score is the dot product of two words, wherever they stand. Let two words change places: the rows of the output change places with them, and every row holds the same numbers. Attention is equivariant: *output|O*(*PX*) = *P* *output|O*(*X*). “Dog bites man” and “man bites dog” then mean the same.",
          "zh-CN":
            "分数是两个词的点积，与它们站在哪里无关。让两个词交换位置：输出的行跟着交换，每一行的数都不变。这叫等变（equivariance）：*output|O*(*PX*) = *P* *output|O*(*X*)。“狗咬人”与“人咬狗”就成了一个意思。",
        },
        {
          stop: "differ",
          en: "A blog post on the paper says that both orders give the same output. The rows are the same; their order is not.",
          "zh-CN": "一篇解读论文的博客说两种顺序的输出相同。行是相同的；行的顺序不同。",
        },
      ],
      tries: [
        {
          sentence: { en: "Let dog and man change places", "zh-CN": "让“狗”与“孩”交换位置" },
          look: {
            en: "The second output minus the moved first one: nothing but rounding in the last digit.",
            "zh-CN": "第二个输出减去换位后的第一个：只剩最后一位的舍入。",
          },
          example: "two-orders",
          cell: { node: "difference", index: [1, 0] },
        },
      ],
      questions: [
        {
          stop: "attend",
          sentence: {
            en: "In the second order “dog” stands last. What weight does it give “bites” there?",
            "zh-CN": "在第二种顺序里，“狗”站在最后。这时它给“咬”的权重是多少？",
          },
          example: "two-orders",
          cell: { node: "swapped.weights", index: [4, 2] },
        },
        {
          stop: "mix",
          sentence: {
            en: "In the second order “man” stands where “dog” stood. What is the last number of its output there?",
            "zh-CN": "在第二种顺序里，“孩”站在“狗”原来的位置。这时它的输出，最后一个数是多少？",
          },
          example: "two-orders",
          cell: { node: "swapped.output", index: [1, 7] },
        },
        {
          stop: "differ",
          sentence: {
            en: "“bites” keeps its place. By how much do the first numbers of its two outputs differ?",
            "zh-CN": "“咬”的位置没有变。它的两个输出，第一个数相差多少？",
          },
          example: "two-orders",
          cell: { node: "difference", index: [2, 0] },
        },
      ],
    },
    {
      id: "index",
      heading: { en: "The index, and why it fails", "zh-CN": "序号，以及它为什么不行" },
      paragraphs: [
        {
          stop: "encode",
          en: "The plainest way: add the number of the place to every number of the word. It grows without bound, so far from the start the words drown in it: scores grow with the product of two places, and every word looks at the last one. And a model trained on 20 places has never seen what 500 looks like.",
          "zh-CN":
            "最直接的办法：把位置的编号加到词的每个数上。编号没有上限，离开头越远，词就越被淹没：分数随两个编号的乘积增长，每个词都去看最后一个。而且在 20 个位置上训练的模型，从没见过 500 是什么样。",
        },
      ],
      tries: [
        {
          sentence: { en: "See the words drown", "zh-CN": "看词被淹没" },
          look: {
            en: "With five words already, nearly all weight is on the last.",
            "zh-CN": "才五个词，几乎全部权重已经在最后一个上。",
          },
          example: "six-encodings",
          cell: { node: "absolute.weights", index: [1, 4] },
        },
        {
          sentence: { en: "See only the index", "zh-CN": "只看序号" },
          look: {
            en: "Each row repeats its place. The words it is added to are about 1 in size.",
            "zh-CN": "每一行都重复自己的编号。与它相加的词，大小约为 1。",
          },
          example: "fifty-positions",
          changes: [{ control: "encoding", value: "absolute" }],
          cell: { node: "PE", index: [49, 20] },
        },
      ],
      questions: [
        {
          stop: "alike",
          sentence: {
            en: "A row has 10 numbers here, and all of them are the index. What is the dot product of rows 3 and 4?",
            "zh-CN": "这里一行有 10 个数，每个都是序号。第 3 行与第 4 行的点积是多少？",
          },
          example: "fifty-positions",
          changes: [
            { control: "encoding", value: "absolute" },
            { control: "dim", value: "10" },
          ],
          cell: { node: "similarity", index: [3, 4] },
        },
      ],
    },
    {
      id: "learned",
      heading: { en: "A table: position embeddings", "zh-CN": "一张表：位置嵌入" },
      paragraphs: [
        {
          stop: "encode",
          en: "BERT, GPT and ViT learn a row for every place, a position embedding, as they learn one for every word. It can become whatever is useful. It costs parameters, and there is no row beyond the last.",
          "zh-CN":
            "BERT、GPT 和 ViT 为每个位置学一行，即位置嵌入（position embedding），就像为每个词学一行词嵌入。它可以变成任何有用的样子。它要占参数，而且最后一行之后就没有了。",
        },
      ],
      tries: [
        {
          sentence: { en: "Look at a table before training", "zh-CN": "看一张训练之前的表" },
          look: {
            en: "Drawn from a seed: neighbouring rows are no more alike than distant ones. Training must find that.",
            "zh-CN": "由种子随机生成：相邻的行并不比远处的更相似。这要靠训练去学。",
          },
          example: "fifty-positions",
          changes: [{ control: "encoding", value: "learned" }],
          cell: { node: "PE", index: [4, 20] },
        },
      ],
    },
    {
      id: "clocks",
      heading: { en: "Clocks: the sinusoidal encoding", "zh-CN": "时钟：正弦位置编码" },
      paragraphs: [
        {
          stop: "encode",
          en: "The paper’s positional encoding gives each place a row of sines and cosines. The first pair turns once in 6.3 places, the last of 512 numbers in more than 60,000: from a second hand to one that hardly moves. Every row is different, every number lies between −1 and 1, and nothing is learned. In the map, low dimensions are the fast ones.",
          "zh-CN":
            "论文的位置编码（positional encoding）给每个位置一行正弦与余弦。第一对每 6.3 个位置转一圈，512 维的最后一对要六万多个：从秒针到几乎不动的指针。每一行都不同，每个数都在 −1 与 1 之间，什么也不用学。图中靠左的维转得快。",
        },
      ],
      tries: [
        {
          sentence: { en: "Read the clocks of position 4", "zh-CN": "读位置 4 的时钟" },
          look: {
            en: "One column is a wave; one row is what all clocks show at once.",
            "zh-CN": "一列是一条波；一行是所有时钟在同一刻的读数。",
          },
          example: "fifty-positions",
          cell: { node: "PE", index: [4, 20] },
        },
        {
          sentence: { en: "Work one out by hand", "zh-CN": "手算一个" },
          look: {
            en: "Position 4, four dimensions, added to a word: the numbers of the blog post.",
            "zh-CN": "位置 4，四维，加到一个词上：博客里的那些数。",
          },
          example: "pe-0-and-4",
          cell: { node: "input", index: [1, 0] },
        },
      ],
      questions: [
        {
          stop: "encode",
          sentence: {
            en: "At dimension 256 of 512 the position is divided by 10000 to the ½. About what is the sine there at position 20? A small angle is nearly its own sine.",
            "zh-CN":
              "512 维中的第 256 维，位置除以 10000 的 ½ 次方。位置 20 在那里的正弦大约是多少？角很小时，正弦约等于角本身。",
          },
          example: "fifty-positions",
          cell: { node: "PE", index: [20, 256] },
        },
        {
          stop: "add",
          sentence: {
            en: "The last number of the word is 0.3, and position 4 adds the cosine of 4/100. About how large is the sum?",
            "zh-CN": "词的最后一个数是 0.3，位置 4 加上 4/100 的余弦。和大约是多少？",
          },
          example: "pe-0-and-4",
          cell: { node: "input", index: [1, 3] },
        },
      ],
    },
    {
      id: "distance",
      heading: { en: "A step is the same everywhere", "zh-CN": "走一步，处处相同" },
      paragraphs: [
        {
          stop: "alike",
          en: "Going *k* places on turns every clock by the same angle, wherever one starts. So one matrix *weight|M_k*, made of small rotations, carries every row to the one *k* places on. And the dot product of two rows is a sum of cosines of their distance: where they stand drops out.",
          "zh-CN":
            "往后走 *k* 个位置，不论从哪里出发，每只时钟都转过同样的角度。所以一个由小旋转组成的矩阵 *weight|M_k*，就能把每一行变成往后 *k* 处的那一行。两行的点积则是它们距离的余弦之和：站在哪里，消掉了。",
        },
      ],
      tries: [
        {
          sentence: { en: "Compare positions 4 and 9", "zh-CN": "比较位置 4 与 9" },
          look: {
            en: "Every diagonal of the product holds one number. The largest is the distance 0.",
            "zh-CN": "乘积的每条对角线上都是同一个数。最大的是距离 0。",
          },
          example: "fifty-positions",
          cell: { node: "similarity", index: [4, 9] },
        },
        {
          sentence: { en: "Move every row on by one matrix", "zh-CN": "用一个矩阵移动每一行" },
          look: {
            en: "The product equals the encoding 3 places on, row by row.",
            "zh-CN": "乘积逐行等于往后 3 处的编码。",
          },
          example: "fifty-positions",
          changes: [
            { control: "dim", value: "8" },
            { control: "length", value: "10" },
            { control: "encoding", value: "shift" },
            { control: "offset", value: "3" },
          ],
          cell: { node: "M_PE_p", index: [4, 2] },
        },
      ],
      questions: [
        {
          stop: "alike",
          sentence: {
            en: "Row 7 has 256 pairs, each a sine and a cosine of one angle. What is its dot product with itself?",
            "zh-CN": "第 7 行有 256 对数，每对是同一个角的正弦与余弦。它与自己的点积是多少？",
          },
          example: "fifty-positions",
          cell: { node: "similarity", index: [7, 7] },
        },
        {
          stop: "shift",
          sentence: {
            en: "Going five places on turns the third pair by 5/100 of a radian. About how large is the sine of that rotation in *weight|M_k*?",
            "zh-CN": "往后走五个位置，第三对转过 5/100 弧度。*weight|M_k* 的这个旋转里，正弦大约是多少？",
          },
          example: "fifty-positions",
          changes: [
            { control: "dim", value: "8" },
            { control: "length", value: "10" },
            { control: "encoding", value: "shift" },
            { control: "offset", value: "5" },
          ],
          cell: { node: "M", index: [4, 5] },
        },
      ],
    },
    {
      id: "inside",
      heading: { en: "Into the scores themselves: RoPE and ALiBi", "zh-CN": "直接进入分数：RoPE 与 ALiBi" },
      paragraphs: [
        {
          en: "Later encodings leave the words alone. RoPE (rotary position embedding) turns each pair of numbers of a query and a key by its place: their dot product then depends on the words and on the distance. ALiBi (linear biases) takes a slope times the distance off each score, with a slope per head; it goes on beyond any length.",
          "zh-CN":
            "后来的编码不动词本身。旋转位置编码（RoPE）按位置旋转查询与键的每一对数：点积于是取决于词，以及它们的距离。线性偏置（ALiBi）从每个分数中减去斜率乘距离，每个头一个斜率；多长的文本都能用。",
        },
      ],
      tries: [
        {
          sentence: { en: "Turn pairs", "zh-CN": "旋转一对对的数" },
          look: {
            en: "Each pair turns by an angle that grows with the position; its length stays.",
            "zh-CN": "每一对数转过的角度随位置增大；长度不变。",
          },
          example: "fifty-positions",
          changes: [
            { control: "dim", value: "8" },
            { control: "length", value: "10" },
            { control: "encoding", value: "rotary" },
          ],
          cell: { node: "rotated", index: [4, 0] },
        },
        {
          sentence: { en: "Take distance off", "zh-CN": "减去距离" },
          look: {
            en: "The first head looks close by, the last one far: its slope is small.",
            "zh-CN": "第一个头看近处，最后一个头看远处：它的斜率小。",
          },
          example: "fifty-positions",
          changes: [
            { control: "length", value: "10" },
            { control: "encoding", value: "alibi" },
          ],
          cell: { node: "bias", index: [0, 4, 0] },
        },
        {
          sentence: { en: "Set all of them side by side", "zh-CN": "把它们全部并排" },
          look: {
            en: "The same words in every column. Without positions nothing is left of the difference.",
            "zh-CN": "每一列的词都相同。没有位置时，差什么也不剩。",
          },
          example: "six-encodings",
          cell: { node: "rotary.difference", index: [1, 3] },
        },
      ],
      questions: [
        {
          stop: "turn",
          sentence: {
            en: "The last pair turns by a thousandth of a radian per place. About what is its first number at position 2 after the turn?",
            "zh-CN": "最后一对每走一个位置只转千分之一弧度。在位置 2，这一对的第一个数旋转之后大约是多少？",
          },
          example: "fifty-positions",
          changes: [
            { control: "dim", value: "8" },
            { control: "length", value: "10" },
            { control: "encoding", value: "rotary" },
          ],
          cell: { node: "rotated", index: [2, 6] },
        },
        {
          stop: "slopes",
          sentence: {
            en: "Head 0 of eight has the slope ½, and each next head half the slope of the one before. What is the slope of head 3?",
            "zh-CN": "八个头中，头 0 的斜率是 ½，后一个头总是前一个的一半。头 3 的斜率是多少？",
          },
          example: "fifty-positions",
          changes: [
            { control: "length", value: "10" },
            { control: "encoding", value: "alibi" },
          ],
          cell: { node: "bias.slopes", index: [3] },
        },
        {
          stop: "bias",
          sentence: {
            en: "The slope of head 2 is ⅛. What is added to its score of position 8 for position 2?",
            "zh-CN": "头 2 的斜率是 ⅛。在这个头里，位置 8 对位置 2 的分数要加上多少？",
          },
          example: "fifty-positions",
          changes: [
            { control: "length", value: "10" },
            { control: "encoding", value: "alibi" },
          ],
          cell: { node: "bias", index: [2, 8, 2] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "rows-change-places",
      title: { en: "Only places change", "zh-CN": "变的只是位置" },
      sentence: {
        en: "With no encoding, choose another word to change places.",
        "zh-CN": "在不加编码时，换一个词来交换位置。",
      },
      done: {
        en: "Two rows of the output changed places, and the difference is still nothing.",
        "zh-CN": "输出的两行交换了位置，差仍然什么也不剩。",
      },
      happens: (act, { config }) =>
        act.kind === "change" &&
        (act.control === "first" || act.control === "second") &&
        config.numbers.encoding === "none",
    },
    {
      id: "drowned",
      title: { en: "Where all look", "zh-CN": "大家都看哪里" },
      sentence: {
        en: "With all encodings side by side, find a weight above 0.9 in the column of the index.",
        "zh-CN": "把各种编码并排，在序号那一列找一个大于 0.9 的权重。",
      },
      done: {
        en: "It is on the last place, which has the largest number, whatever word stands there.",
        "zh-CN": "它在最后一个位置上：那里的编号最大，不管站着什么词。",
      },
      happens: (act, { snapshots }) =>
        act.kind === "cell" &&
        act.node === "absolute.weights" &&
        isLargestOfRow(snapshots, act.node, act.index) &&
        valueOf(snapshots, act.node, act.index) > 0.9,
    },
    {
      id: "order-counts",
      title: { en: "Order counts", "zh-CN": "顺序起作用了" },
      sentence: {
        en: "Side by side, find a difference that is not 0, and choose it.",
        "zh-CN": "并排时，找一个不为 0 的差，选中它。",
      },
      done: {
        en: "The same words in another order gave another output: this encoding says where they stand.",
        "zh-CN": "同样的词换了顺序，输出就不同：这种编码说出了它们站在哪里。",
      },
      happens: (act, { snapshots }) => {
        if (act.kind !== "cell" || !act.node.endsWith(".difference")) return false;
        const value = valueOf(snapshots, act.node, act.index);
        return value > ROUNDING || value < -ROUNDING;
      },
    },
    {
      id: "same-distance",
      title: { en: "Only the distance", "zh-CN": "只看距离" },
      sentence: {
        en: "Among the similarities of sinusoids, find other positions with the same number as 4 and 9.",
        "zh-CN": "在正弦编码的相似度里，找出与 4 和 9 同一个数的另外两个位置。",
      },
      done: {
        en: "Five places apart, like 4 and 9: where they stand does not matter.",
        "zh-CN": "相隔五个位置，与 4 和 9 一样：站在哪里都无所谓。",
      },
      happens: (act, { config }) => {
        if (act.kind !== "cell" || act.node !== "similarity" || config.numbers.encoding !== "sinusoidal")
          return false;
        const places = config.numbers.positions;
        const [a, b] = act.index.map((row) => places?.[row] ?? row) as [number, number];
        return (a === b + 5 || b === a + 5) && !(a + b === 13);
      },
    },
    {
      id: "another-step",
      title: { en: "Another step, another matrix", "zh-CN": "换一步，换一个矩阵" },
      sentence: {
        en: "Choose the shifted encoding and set another shift.",
        "zh-CN": "选平移的编码，换一个平移量。",
      },
      done: {
        en: "The matrix is another, and again it is one for all positions.",
        "zh-CN": "矩阵换了，而所有位置用的仍是同一个。",
      },
      happens: (act, { config }) =>
        act.kind === "change" && act.control === "offset" && config.numbers.encoding === "shift",
    },
  ],
};
