/** The lesson of the complexity lab: table 1 of the paper, counted, with what it leaves out, and timed (section 4). */
import { valueOf, type Lesson } from "../../telling/lesson.js";

export const lesson: Lesson<"complexity"> = {
  parts: [
    {
      id: "four-layers",
      heading: { en: "Four ways for words to meet", "zh-CN": "让词交换信息的四种办法" },
      paragraphs: [
        {
          stop: "path",
          en: "*n* words, each *d* wide, go in; *n* words of width *d* come out, each knowing of others. Self-attention compares every pair. A recurrent layer carries a state along. A convolution covers *k* neighbours with one kernel. Restricted self-attention compares a word with the *r* nearest.",
          "zh-CN":
            "输入 *n* 个词，每个宽 *d*；输出还是 *n* 个宽 *d* 的词，只是每个都有了别的词的信息。自注意力（self-attention）比较每一对词。循环层带着一个状态往前走。卷积用一个核盖住 *k* 个相邻的词。受限自注意力（restricted self-attention）只把一个词与最近的 *r* 个词比较。",
        },
      ],
      table: {
        caption: { en: "Table 1 of the paper", "zh-CN": "论文的表 1" },
        head: [
          "",
          { en: "Complexity per layer", "zh-CN": "每层复杂度" },
          { en: "Sequential operations", "zh-CN": "顺序操作数" },
          { en: "Maximum path length", "zh-CN": "最长路径" },
        ],
        rows: [
          [{ en: "Self-attention", "zh-CN": "自注意力" }, "O(n² d)", "O(1)", "O(1)"],
          [{ en: "Recurrent", "zh-CN": "循环" }, "O(n d²)", "O(n)", "O(n)"],
          [{ en: "Convolution", "zh-CN": "卷积" }, "O(k n d²)", "O(1)", "O(log n / log k)"],
          [{ en: "Restricted self-attention", "zh-CN": "受限自注意力" }, "O(r n d)", "O(1)", "O(n / r)"],
        ],
      },
      tries: [
        {
          sentence: { en: "Where n² d comes from", "zh-CN": "n² d 从哪里来" },
          look: {
            en: "n words, each met by n words, in d numbers.",
            "zh-CN": "n 个词，每个与 n 个词相乘，每次 d 个数。",
          },
          cell: { node: "products", index: [0, 0] },
        },
        {
          sentence: { en: "Go through the table", "zh-CN": "把表走一遍" },
          look: { en: "Work, count, order, memory.", "zh-CN": "复杂度、计数、顺序、内存。" },
          play: true,
        },
      ],
      questions: [
        {
          stop: "work",
          sentence: {
            en: "The recurrent layer has *n* *d*² = 1.05 million units of work. How many million has the convolution, with a kernel of three words?",
            "zh-CN": "循环层的复杂度 *n* *d*² 是 1.05 百万。卷积的核盖住 3 个词，它的复杂度是多少百万？",
          },
          example: "why-self-attention",
          cell: { node: "work_millions", index: [2, 0] },
        },
      ],
    },
    {
      id: "counted",
      heading: { en: "Counted, not estimated", "zh-CN": "数出来的，不是估的" },
      paragraphs: [
        {
          stop: "count",
          en: "An O leaves the number in front open. Here the core builds each layer and counts its additions, multiplications and functions. Attention makes two products of 2 *n*² *d* operations and a softmax: about 4 for each unit of work. A recurrent layer has two matrices, so 4 as well; a convolution one, so 2.",
          "zh-CN":
            "O 记号不说前面的数是多少。这里由核心真的搭出每一层，数它的加法、乘法和函数。注意力做两次各 2 *n*² *d* 次运算的乘积，再加一次 softmax：每一份复杂度约 4 次。循环层有两个矩阵，也是 4；卷积只有一个，是 2。",
        },
      ],
      tries: [
        {
          sentence: { en: "The number in front", "zh-CN": "前面的那个数" },
          look: {
            en: "Counted operations divided by n² d. What exceeds 4 is scaling and softmax.",
            "zh-CN": "数出的运算除以 n² d。超过 4 的部分是缩放与 softmax。",
          },
          cell: { node: "ratio", index: [0, 0] },
        },
        {
          sentence: { en: "Many heads in narrow words", "zh-CN": "窄词多头" },
          look: {
            en: "Each head has its own softmax over n² scores: 6 H / d more.",
            "zh-CN": "每个头各有一次 n² 个分数的 softmax：再多 6 H / d。",
          },
          changes: [
            { control: "dim", value: "16" },
            { control: "heads", value: "8" },
          ],
          cell: { node: "ratio", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "count",
          sentence: {
            en: "For 128 words the recurrent layer does 2.13 million operations. How many million does it do for 256?",
            "zh-CN": "128 个词时，循环层做 2.13 百万次运算。256 个词时做多少百万次？",
          },
          example: "why-self-attention",
          cell: { node: "millions", index: [1, 4] },
        },
      ],
    },
    {
      id: "crossing",
      heading: { en: "Where the lines cross", "zh-CN": "两条线在哪里相交" },
      paragraphs: [
        {
          stop: "count",
          en: "*n*² *d* is less than *n* *d*² exactly when *n* is less than *d*. A sentence has some 30 words and the paper’s *d* is 512: attention is far the cheaper. A text of ten thousand words turns that round.",
          "zh-CN":
            "*n*² *d* 小于 *n* *d*²，恰好在 *n* 小于 *d* 的时候。一个句子约三十个词，论文的 *d* 是 512：注意力省得多。上万个词的文章，情形就反过来了。",
        },
      ],
      tries: [
        {
          sentence: { en: "Fewer words than numbers", "zh-CN": "词比数少" },
          look: {
            en: "64 words of width 128: attention lies below the recurrent layer.",
            "zh-CN": "64 个词，宽 128：注意力在循环层下面。",
          },
          example: "short-and-wide",
          cell: { node: "millions", index: [0, 2] },
        },
        {
          sentence: { en: "A long text of narrow words", "zh-CN": "窄词组成的长文" },
          look: {
            en: "512 words of width 32: sixteen times past the crossing.",
            "zh-CN": "512 个词，宽 32：已是交点的十六倍。",
          },
          example: "long-and-narrow",
          cell: { node: "millions", index: [0, 5] },
        },
      ],
    },
    {
      id: "projections",
      heading: { en: "What the table leaves out", "zh-CN": "表里没有的" },
      paragraphs: [
        {
          stop: "count",
          en: "*weight|W_Q*, *weight|W_K*, *weight|W_V* and *weight|W_O* cost 8 *n* *d*² operations: they treat every word alone, so table 1 does not list them. With them an attention layer never does fewer operations than the recurrent one, which has 4 *n* *d*². What it wins is sequential operations and path length.",
          "zh-CN":
            "*weight|W_Q*、*weight|W_K*、*weight|W_V* 与 *weight|W_O* 要 8 *n* *d*² 次运算：它们逐词处理，所以表 1 没有列。算上它们，注意力层的运算从不少于循环层的 4 *n* *d*²。它赢在顺序操作数和路径长度。",
        },
      ],
      tries: [
        {
          sentence: { en: "Count the projections too", "zh-CN": "把投影也算上" },
          look: {
            en: "For short texts the line now rises like the others: the projections rule.",
            "zh-CN": "文章短时，这条线与别的一样上升：投影占了大头。",
          },
          changes: [{ control: "projected", value: "on" }],
          cell: { node: "ratio", index: [0, 0] },
        },
        {
          sentence: { en: "Leave them out", "zh-CN": "不算投影" },
          look: { en: "As in table 1.", "zh-CN": "同表 1 一样。" },
          changes: [{ control: "projected", value: "off" }],
          cell: { node: "ratio", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "count",
          sentence: {
            en: "Without projections the ratio *R* of attention is 4.375. They add 8 *n* *d*² operations, and here *n* is 4 *d*. What is the ratio with them?",
            "zh-CN":
              "不算投影，注意力的比值 *R* 是 4.375。投影再加 8 *n* *d*² 次运算，这里 *n* 是 4 *d*。算上投影，比值是多少？",
          },
          example: "why-self-attention",
          changes: [{ control: "projected", value: "on" }],
          cell: { node: "ratio", index: [0, 0] },
        },
      ],
    },
    {
      id: "order",
      heading: { en: "Sequential operations and path length", "zh-CN": "顺序操作数与路径长度" },
      paragraphs: [
        {
          stop: "order",
          en: "Word 100 of a recurrent layer must wait for 99 steps, however many processors there are; the other three do all words at once. And what word 1 says reaches word *n* only through *n* steps, each of which may lose it. In attention any two words are one step apart. Convolutions need a stack: log *n* / log *k* layers when each skips further than the last, *n* / *k* when they do not. The bands count whole layers, until some word has seen both ends.",
          "zh-CN":
            "循环层的第 100 个词要等 99 步，处理器再多也没有用；其余三种一次处理所有的词。词 1 说的话，要经过 *n* 步才到词 *n*，每一步都可能丢失。在注意力里，任意两个词只隔一步。卷积要叠起来：每层比上一层跨得更远时要 log *n* / log *k* 层，否则要 *n* / *k* 层。图中的跳数是整层数：数到某个词看到了首尾两端为止。",
        },
      ],
      tries: [
        {
          sentence: { en: "Hops of the window", "zh-CN": "窗口的跳数" },
          look: {
            en: "Both ends move towards each other, r − 1 words a layer, for a word’s window holds the word itself: more than n / r.",
            "zh-CN": "两端相向而行，每层共走 r − 1 个词，因为窗口里有这个词自己：比 n / r 多。",
          },
          cell: { node: "hops", index: [3, 0] },
        },
        {
          sentence: { en: "The path of the convolution", "zh-CN": "卷积的路径" },
          look: {
            en: "log n divided by log k: layers of a stack, not rounded up.",
            "zh-CN": "log n 除以 log k：要叠的层数，没有向上取整。",
          },
          cell: { node: "path", index: [2, 0] },
        },
        {
          sentence: { en: "A wider kernel", "zh-CN": "更宽的核" },
          look: {
            en: "A shorter path; the work grows with k.",
            "zh-CN": "路径短了；复杂度随 k 增长。",
          },
          changes: [{ control: "kernel", value: "9" }],
          cell: { node: "path", index: [2, 0] },
        },
      ],
      questions: [
        {
          stop: "path",
          sentence: {
            en: "The restricted layer sees 8 of 256 words at a time. What is its path length in table 1?",
            "zh-CN": "受限自注意力每次看 256 个词中的 8 个。按表 1，它的路径长度是多少？",
          },
          example: "why-self-attention",
          cell: { node: "path", index: [3, 0] },
        },
      ],
    },
    {
      id: "memory",
      heading: { en: "The price in memory", "zh-CN": "内存的代价" },
      paragraphs: [
        {
          stop: "memory",
          en: "Every head has an attention weight for every pair, *H* *n*² numbers, and the backward pass reads them all. Four times the words need sixteen times the memory. Restricting attention to *r* neighbours makes it *H* *r* *n*, and the path *n* / *r*.",
          "zh-CN":
            "每个头对每一对词有一个注意力权重，共 *H* *n*² 个数，反向传播全都要读。词多到四倍，内存就是十六倍。只看 *r* 个邻居则是 *H* *r* *n*，路径变成 *n* / *r*。",
        },
      ],
      tries: [
        {
          sentence: { en: "Eight heads over 512 words", "zh-CN": "8 个头，512 个词" },
          look: {
            en: "Two million attention weights, at one layer, for one text.",
            "zh-CN": "一层、一篇文章，就有两百万个注意力权重。",
          },
          changes: [
            { control: "length", value: "512" },
            { control: "heads", value: "8" },
          ],
          cell: { node: "weights_thousands", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "memory",
          sentence: {
            en: "Attention keeps 262 thousand attention weights. How many thousand does the restricted layer keep, in which each of the 256 words sees only 8?",
            "zh-CN":
              "自注意力要保留 262 千个注意力权重。受限自注意力里，256 个词各自只看 8 个，要保留多少千个？",
          },
          example: "why-self-attention",
          cell: { node: "weights_thousands", index: [3, 0] },
        },
      ],
    },
    {
      id: "time",
      heading: { en: "Operations are not time", "zh-CN": "运算不等于时间" },
      paragraphs: [
        {
          en: "Timed, the recurrent layer is slower than its count says. It multiplies a matrix by one word at a time: every parameter is fetched again for every word, and every step has a cost of its own. Attention and convolution multiply matrices by matrices and use each number many times. Restricted self-attention pays here for moving its windows before it multiplies.",
          "zh-CN":
            "计时的结果，循环层比它的计数要慢。它每次用矩阵乘一个词：每个参数都要为每个词重新取一遍，每一步还有自己的开销。注意力和卷积是矩阵乘矩阵，每个数取来用许多次。受限自注意力在这里还要先搬动它的窗口再相乘。",
        },
      ],
      tries: [
        {
          sentence: { en: "Time them here", "zh-CN": "在此计时" },
          look: {
            en: "Billions of operations per second, layer by layer.",
            "zh-CN": "每一层每秒做多少十亿次运算。",
          },
          changes: [{ control: "measured", value: "1" }],
          cell: { node: "rate", index: [1, 0] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "cheaper",
      title: { en: "Cheaper than recurrence", "zh-CN": "比循环更省" },
      sentence: {
        en: "Change *n* or *d* until attention counts fewer operations than the recurrent layer.",
        "zh-CN": "改变 *n* 或 *d*，直到注意力的计数少于循环层。",
      },
      done: {
        en: "There are fewer words than numbers in a word: n² d is below n d².",
        "zh-CN": "词数少于词的宽度：n² d 低于 n d²。",
      },
      happens: (act, { snapshots }) =>
        act.kind === "change" &&
        (act.control === "length" || act.control === "dim") &&
        valueOf(snapshots, "flops", [0, 0]) < valueOf(snapshots, "flops", [1, 0]),
    },
    {
      id: "in-front",
      title: { en: "The number in front", "zh-CN": "前面的那个数" },
      sentence: {
        en: "Choose the ratio *R* of the convolution.",
        "zh-CN": "选中卷积的比值 *R*。",
      },
      done: {
        en: "2: one multiplication and one addition for each unit of k n d², and a bias.",
        "zh-CN": "2：每一份 k n d² 做一次乘法和一次加法，另有偏置。",
      },
      happens: (act) => act.kind === "cell" && act.node === "ratio" && act.index[0] === 2,
    },
    {
      id: "projected",
      title: { en: "What was left out", "zh-CN": "没算进去的" },
      sentence: { en: "Count the projections too.", "zh-CN": "把投影也算上。" },
      done: {
        en: "8 n d² operations more, the larger part while n is below 2 d.",
        "zh-CN": "多了 8 n d² 次运算；n 小于 2 d 时它们占大半。",
      },
      happens: (act) => act.kind === "change" && act.control === "projected" && act.value === "on",
    },
    {
      id: "far",
      title: { en: "The longest way", "zh-CN": "最长的路" },
      sentence: {
        en: "Find the layer in which two words are farthest apart, and choose its hops or its path *P*.",
        "zh-CN": "找到两个词相隔最远的那种层，选中它的跳数或路径 *P*。",
      },
      done: {
        en: "The recurrent layer: n steps, one after another.",
        "zh-CN": "循环层：n 步，一步接一步。",
      },
      happens: (act) => act.kind === "cell" && ["path", "hops"].includes(act.node) && act.index[0] === 1,
    },
    {
      id: "timed",
      title: { en: "On this machine", "zh-CN": "在这台机器上" },
      sentence: { en: "Time the four layers here.", "zh-CN": "在此给四种层计时。" },
      done: {
        en: "Middle of several samples, in this browser; another machine gives other times.",
        "zh-CN": "取几次中居中的一次，就在这个浏览器里；换一台机器，时间就不同。",
      },
      happens: (act) => act.kind === "change" && act.control === "measured" && act.value !== "0",
    },
  ],
};
