/** The lesson of the scaling lab: variance of a dot product, saturation of softmax, its Jacobian, and what document 001 shows. */
import { atCell, isLargestOfRow, valueOf, type Lesson } from "../../telling/lesson.js";

export const lesson: Lesson<"scaling"> = {
  parts: [
    {
      id: "variance",
      heading: { en: "Wider keys, wilder scores", "zh-CN": "键越宽，分数越散" },
      paragraphs: [
        {
          stop: "scores",
          en: "A score is a dot product: *d_k* products, added. If the numbers of *query|q* and *key|k* are independent with mean 0 and variance 1, each product has variance 1, and variances of independent terms add. So the variance *σ*² of a score is *d_k*: keys of 128 numbers spread their scores eight times as far as keys of 2.",
          "zh-CN":
            "分数是点积：*d_k* 个乘积相加。若 *query|q* 与 *key|k* 的各个数独立、均值为 0、方差为 1，每个乘积的方差就是 1，而独立各项的方差相加。所以分数的方差（variance）*σ*² 是 *d_k*：128 个数的键，分数散开的幅度是 2 个数的键的八倍。",
        },
      ],
      tries: [
        {
          sentence: { en: "See the variance of the widest", "zh-CN": "看最宽的方差" },
          look: {
            en: "Close to 128; up the column it is halved at every row, nearly. Drag dₖ up: the histogram narrows with it.",
            "zh-CN": "接近 128；沿这一列向上，每一行差不多减半。把 dₖ 往上拖：直方图随之变窄。",
          },
          example: "seven-widths",
          cell: { node: "variance", index: [6] },
        },
      ],
      questions: [
        {
          stop: "scores",
          sentence: {
            en: "About how large is the variance of the undivided scores where keys are 64 wide?",
            "zh-CN": "键宽 64、分数不除时，分数的方差大约是多少？",
          },
          example: "seven-widths",
          cell: { node: "variance", index: [5] },
        },
      ],
    },
    {
      id: "divide",
      heading: { en: "One division for every width", "zh-CN": "一次除法，适合各种宽度" },
      paragraphs: [
        {
          stop: "divide",
          en: "Divided by √*d_k*, the variance is divided by *d_k*: in scaled dot-product attention it is about 1 again whatever the width, and the seven histograms at the right are nearly alike. A head can then be made wider or narrower without softmax behaving otherwise.",
          "zh-CN":
            "分数除以 √*d_k*，方差就除以 *d_k*：在缩放点积注意力（scaled dot-product attention）里，不论多宽，都回到 1 左右，右边的七个直方图几乎一样。头可以加宽或变窄，softmax 的表现不变。",
        },
      ],
      tries: [
        {
          sentence: { en: "Look at the divided scores", "zh-CN": "看除过的分数" },
          look: {
            en: "The column stays near 1; drag dₖ, and the histogram at the right stands still.",
            "zh-CN": "这一列都在 1 附近；拖动 dₖ，右边的直方图不动。",
          },
          example: "seven-widths",
          cell: { node: "variance_scaled", index: [6] },
        },
      ],
      questions: [
        {
          stop: "divide",
          sentence: {
            en: "The same scores, each divided by √64: about how large is their variance now?",
            "zh-CN": "同样的分数，各除以 √64：现在方差大约是多少？",
          },
          example: "seven-widths",
          cell: { node: "variance_scaled", index: [5] },
        },
      ],
    },
    {
      id: "saturation",
      heading: { en: "A saturated softmax", "zh-CN": "softmax 饱和与梯度消失" },
      paragraphs: [
        {
          stop: "gradient",
          en: "Softmax turns differences of scores into ratios: a lead of 10 is a factor of 22,026. Where scores lie far apart, softmax saturates: one weight is nearly 1 and the entropy *H* nearly 0. The gradient then passes through the Jacobian, diag(*attention|A*) − *attention|A* *attention|A^T*, whose trace *J* = Σ *attention|A* (1 − *attention|A*) goes to 0 with it: the gradient vanishes, and the row can hardly learn any more. Numerical stability is another matter; softmax gets it by subtracting the largest score.",
          "zh-CN":
            "softmax 把分数之差变成倍数：领先 10，就是 22026 倍。分数离得远，softmax 就饱和（saturation）：一个权重接近 1，熵（entropy）*H* 接近 0。梯度要经过雅可比矩阵（Jacobian）diag(*attention|A*) − *attention|A* *attention|A^T*，它的迹 *J* = Σ *attention|A* (1 − *attention|A*) 也随之趋于 0：梯度消失（vanishing gradient），这一行几乎学不动了。数值稳定是另一回事，softmax 靠减去最大的分数做到。",
        },
      ],
      tries: [
        {
          sentence: { en: "Follow the trace down", "zh-CN": "看迹怎样变小" },
          look: {
            en: "Left it falls with the width; right it stays where it is. In the bar one key’s part grows until it has all.",
            "zh-CN": "左边随宽度变小；右边保持不变。横条里一个键的那一段越来越长，直到占满。",
          },
          example: "seven-widths",
          cell: { node: "jacobian", index: [6] },
        },
      ],
      questions: [
        {
          stop: "softmax",
          sentence: {
            en: "Of two keys 128 wide, key 0 leads by 8 and takes nearly all. Divided, it leads by 0.7: what is its weight then? e to the −0.7 is about ½.",
            "zh-CN":
              "两个宽 128 的键，键 0 领先 8，几乎占去全部权重。除过之后只领先 0.7：这时它的权重是多少？e 的 −0.7 次方约为 ½。",
          },
          example: "seven-widths",
          changes: [
            { control: "keys", value: "2" },
            { control: "query", value: "17" },
          ],
          cell: { node: "weights_scaled", index: [6, 0, 17, 0] },
        },
        {
          stop: "gradient",
          sentence: {
            en: "With this seed the two keys begin almost alike: at *d_k* = 2, nearly every row is shared ½ and ½. About how large is the trace *J* there?",
            "zh-CN":
              "用这个种子，两个键的开头几乎相同：*d_k* = 2 时，几乎每一行都是 ½ 与 ½。那里的迹 *J* 大约是多少？",
          },
          example: "seven-widths",
          changes: [
            { control: "keys", value: "2" },
            { control: "seed", value: "77" },
          ],
          cell: { node: "jacobian", index: [0] },
        },
      ],
    },
    {
      id: "document",
      heading: { en: "Why a notebook prints a 1", "zh-CN": "为什么一份笔记印出了 1" },
      paragraphs: [
        {
          stop: "softmax",
          en: "A study notebook with NumPy divides by √*d_k*, and still its attention weights are `1.94e-189` and `1.00e+000`. It draws the 128 × 128 projections with variance 1, so every number of *query|Q* and *key|K* adds 128 products and has variance 128 itself. A score divided by √16 then spreads by about 128, and in 92% of its rows one weight is above 0.99. The division presumes queries and keys of variance 1; projections divided by √128 make it hold again.",
          "zh-CN":
            "一份 NumPy 学习笔记除以了 √*d_k*，注意力权重仍是 `1.94e-189` 与 `1.00e+000`。它的 128 × 128 投影矩阵按方差 1 随机生成，于是 *query|Q* 与 *key|K* 的每个数都是 128 个乘积之和，方差是 128。除以 √16 的分数，标准差仍约 128，92% 的行里有一个权重超过 0.99。这个除法以查询与键的方差为 1 作前提；投影矩阵除以 √128，前提重新成立。",
        },
      ],
      tries: [
        {
          sentence: { en: "Open its first head", "zh-CN": "打开它的第一个头" },
          look: {
            en: "dₖ = 16: the ten weights that it prints are the first of this row.",
            "zh-CN": "dₖ = 16：它印出的十个权重就是这一行的前十个。",
          },
          example: "saturated-rows",
          cell: { node: "weights_scaled", index: [3, 0, 0, 8] },
        },
        {
          sentence: { en: "Draw its projections smaller", "zh-CN": "把投影矩阵初始化得小一些" },
          look: {
            en: "The same words: now the divided scores spread by 1, and the rows are shared.",
            "zh-CN": "同样的词：除过的分数标准差为 1，每一行由各键分享。",
          },
          example: "spread-restored",
          cell: { node: "weights_scaled", index: [3, 0, 0, 8] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "same-spread",
      title: { en: "Where the widest is no wider", "zh-CN": "最宽的也不更散" },
      sentence: {
        en: "Choose the variance of the divided scores at *d_k* = 128.",
        "zh-CN": "选中 *d_k* = 128 时除过的分数的方差。",
      },
      done: {
        en: "It is the one beside it on the left, divided by 128.",
        "zh-CN": "它就是左边同一行的方差除以 128。",
      },
      happens: (act) => act.kind === "cell" && act.node === "variance_scaled" && act.index[0] === 6,
    },
    {
      id: "takes-all",
      title: { en: "One key takes all", "zh-CN": "一个键占去全部" },
      sentence: {
        en: "Among the weights that are not divided, choose one above 0.9.",
        "zh-CN": "在不除的注意力权重中，选中一个大于 0.9 的数。",
      },
      done: {
        en: "Its score leads by so much that exp leaves next to nothing to the others.",
        "zh-CN": "它的分数领先得太多，exp 之后别的键几乎什么也得不到。",
      },
      happens: atCell("weights", (...cell) => isLargestOfRow(...cell) && valueOf(...cell) > 0.9),
    },
    {
      id: "two-keys",
      title: { en: "Only two keys", "zh-CN": "只有两个键" },
      sentence: {
        en: "With queries and keys of variance 1, let each query meet 2 keys.",
        "zh-CN": "查询与键的方差为 1 时，让每个查询只遇见 2 个键。",
      },
      done: {
        en: "No entropy exceeds log 2, which is 0.69; undivided, it still falls as keys widen.",
        "zh-CN": "熵不超过 log 2，即 0.69；不除，它仍随键变宽而下降。",
      },
      happens: (act, { config }) =>
        act.kind === "change" && config.numbers.source === "unit" && config.numbers.keys === 2,
    },
    {
      id: "restored",
      title: { en: "The premise holds again", "zh-CN": "让前提重新成立" },
      sentence: {
        en: "From projections of variance 1, change to projections divided by √128.",
        "zh-CN": "从方差为 1 的投影矩阵，改成除过 √128 的投影矩阵。",
      },
      done: {
        en: "Queries and keys have variance 1 again, and dividing by √dₖ is enough.",
        "zh-CN": "查询与键的方差又是 1，除以 √dₖ 就够了。",
      },
      happens: (act, { config, was }) =>
        act.kind === "change" && was.numbers.source === "randn" && config.numbers.source === "scaled",
    },
  ],
};
