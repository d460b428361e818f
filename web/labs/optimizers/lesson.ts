/** The lesson of the optimizers lab: loss, gradient and step; mini-batches; memory of past gradients; rates over time (document 004). */
import { isLargest, valueOf, type Lesson } from "../../telling/lesson.js";

const bowl = "five-on-a-bowl";
const line = "line-of-document-004";
const batches = "mini-batches-of-2";
const rare = "rare-feature";

export const lesson: Lesson<"optimizers"> = {
  parts: [
    {
      id: "slope",
      heading: { en: "The gradient: a loss has a slope", "zh-CN": "梯度：损失有坡度" },
      paragraphs: [
        {
          stop: "gradient",
          en: "Five points lie on y = 2x + 1; the line starts flat, with w = b = 0. The loss is the mean of the squared residuals *key|r*. Its slope in w is the mean of 2*key|r*x, its slope in b the mean of 2*key|r*. The two together are the gradient *attention|g*: −28 and −10.",
          "zh-CN":
            "五个点在 y = 2x + 1 上；直线从 w = b = 0 开始，是平的。损失是残差 *key|r* 平方的均值。它沿 w 的坡度是 2*key|r*x 的均值，沿 b 的坡度是 2*key|r* 的均值。两者合起来就是梯度（gradient）*attention|g*：−28 与 −10。",
        },
      ],
      tries: [
        {
          sentence: { en: "See where −28 comes from", "zh-CN": "看 −28 从哪里来" },
          look: {
            en: "Five pulls, their mean. The farthest point pulls hardest, for its residual and its x are both large.",
            "zh-CN": "五个逐点梯度取均值。最远的点梯度最大，因为它的残差和 x 都大。",
          },
          example: line,
          changes: [{ control: "step", value: "0" }],
          cell: { node: "gradient", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "predict",
          sentence: {
            en: "Here the line starts with w = 1 and b = 1. What is the residual *key|r* of the point x = 3, y = 7?",
            "zh-CN": "这里直线从 w = 1、b = 1 开始。点 x = 3、y = 7 的残差 *key|r* 是多少？",
          },
          example: line,
          changes: [
            { control: "start", value: "1 1" },
            { control: "step", value: "0" },
          ],
          cell: { node: "residual", index: [3, 0] },
        },
        {
          stop: "gradient",
          sentence: {
            en: "With w = 1 and b = 1 the residuals are 0, −1, −2, −3 and −4. What is the slope of the loss in b?",
            "zh-CN": "w = 1、b = 1 时，残差是 0、−1、−2、−3、−4。损失沿 b 的坡度是多少？",
          },
          example: line,
          changes: [
            { control: "start", value: "1 1" },
            { control: "step", value: "0" },
          ],
          cell: { node: "gradient", index: [0, 1] },
        },
      ],
    },
    {
      id: "step",
      heading: { en: "Gradient descent: one step against the gradient", "zh-CN": "梯度下降：逆着梯度走一步" },
      paragraphs: [
        {
          stop: "update",
          en: "The gradient points uphill, so the parameters *weight|θ* move the other way, by the learning rate times the gradient: gradient descent. A hundred such steps bring the line close. This is often called stochastic gradient descent (SGD); with all five points in every step, nothing in it is random.",
          "zh-CN":
            "梯度指向上坡，所以参数 *weight|θ* 往反方向走，步长是学习率乘以梯度：梯度下降（gradient descent）。一百步之后，直线已经很近。它常被称为随机梯度下降（SGD）；但每一步都用全部五个点，其中并没有随机。",
        },
      ],
      tries: [
        {
          sentence: { en: "Take the first step", "zh-CN": "走第一步" },
          look: {
            en: "w becomes 0 − 0.01 × (−28) = 0.28, as its source prints.",
            "zh-CN": "w 变成 0 − 0.01 × (−28) = 0.28，与出处打印的一致。",
          },
          example: line,
          changes: [{ control: "step", value: "0" }],
          cell: { node: "next", index: [0, 0] },
        },
        {
          sentence: { en: "Watch all hundred", "zh-CN": "走完一百步" },
          look: {
            en: "Fast at first, then slowly along the flat direction: b is still short of 1.",
            "zh-CN": "起初很快，随后沿着平缓的方向慢慢走：b 还没有到 1。",
          },
          example: line,
          cell: { node: "next", index: [0, 1] },
          play: true,
        },
      ],
      questions: [
        {
          stop: "update",
          sentence: {
            en: "The slope in b is −10, and the learning rate 0.01. Where does the first step take b from 0?",
            "zh-CN": "沿 b 的坡度是 −10，学习率是 0.01。第一步把 b 从 0 带到哪里？",
          },
          example: line,
          changes: [{ control: "step", value: "0" }],
          cell: { node: "next", index: [0, 1] },
        },
      ],
    },
    {
      id: "batches",
      heading: { en: "SGD: a few points a step", "zh-CN": "SGD：每步只看几个点" },
      paragraphs: [
        {
          stop: "gradient",
          en: "Stochastic gradient descent draws a mini-batch for every step: here two of the five points. The points are shuffled before each pass over all of them, an epoch. The gradient *attention|g* comes from the drawn points alone, so each step errs a little, and the loss goes down unsteadily.",
          "zh-CN":
            "随机梯度下降（SGD）每一步抽一个小批量（mini-batch）：这里是五个点中的两个。每过一遍全部的点是一轮（epoch），每轮之前先打乱次序。梯度 *attention|g* 只来自抽到的点，所以每一步都有些偏差，损失一路起伏地下降。",
        },
        {
          en: "Its advantages: a step costs no more when there is more data; the data need not be in memory at once, and may still be arriving (online learning); and the noise can carry the parameters out of a poor local minimum. Its disadvantages: the path oscillates, and may not settle at the exact minimum; the rate must be chosen with care; and features of different scales should be standardized first.",
          "zh-CN":
            "优点：数据再多，一步的代价也不变；数据不必全部在内存里，可以边到边学（在线学习）；噪声有助于逃离不好的局部最小值。缺点：路径震荡，可能到不了精确的最小值；学习率要仔细调；对特征的缩放敏感，尺度不同的特征应先标准化。",
        },
      ],
      tries: [
        {
          sentence: { en: "Let every step see two points", "zh-CN": "每一步只看两个点" },
          look: {
            en: "The large points are those of the step; the loss of all points rises now and then.",
            "zh-CN": "大的点是这一步看到的；全部点的损失时而上升。",
          },
          example: batches,
          cell: { node: "gradient", index: [0, 0] },
          play: true,
        },
        {
          sentence: { en: "Shuffle them differently", "zh-CN": "换一种打乱" },
          look: {
            en: "Another seed, another path, and nearly the same end.",
            "zh-CN": "种子不同，路径不同，终点几乎相同。",
          },
          example: batches,
          changes: [{ control: "seed", value: "7" }],
          cell: { node: "gradient", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "gradient",
          sentence: {
            en: "The first step sees two of the five points, which pull at b with −10 and −2. What is the gradient in b?",
            "zh-CN": "第一步只看五个点中的两个，它们对 b 的逐点梯度是 −10 与 −2。b 的梯度是多少？",
          },
          example: batches,
          changes: [{ control: "step", value: "0" }],
          cell: { node: "gradient", index: [0, 1] },
        },
      ],
    },
    {
      id: "rate",
      heading: { en: "A learning rate too large, and it flies off", "zh-CN": "学习率太大就发散" },
      paragraphs: [
        {
          stop: "update",
          en: "The gradient says which way is down here, not how far. Past a certain rate each step lands higher than it began, and the loss grows without end. For these five points the limit is near 0.15; it depends on the points, never on the start.",
          "zh-CN":
            "梯度只说这里哪边是下坡，不说该走多远。学习率超过某个值，每一步都落在比出发更高的地方，损失无止境地增长。对这五个点，界限在 0.15 附近；它取决于数据，与起点无关。",
        },
      ],
      tries: [
        {
          sentence: { en: "Step too far", "zh-CN": "步子迈大" },
          look: {
            en: "At 0.2 every step overshoots: w swings to and fro, farther each time.",
            "zh-CN": "学习率 0.2，每一步都越过谷底：w 来回摆动，一次比一次远。",
          },
          example: line,
          changes: [
            { control: "rate", value: "0.2" },
            { control: "step", value: "8" },
          ],
          cell: { node: "next", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "update",
          sentence: {
            en: "The best w is 2. At learning rate 0.2 the first gradient in w is still −28. Where does w go from 0?",
            "zh-CN": "最好的 w 是 2。学习率改为 0.2，w 的第一个梯度仍是 −28。w 从 0 走到哪里？",
          },
          example: line,
          changes: [
            { control: "rate", value: "0.2" },
            { control: "step", value: "0" },
          ],
          cell: { node: "next", index: [0, 0] },
        },
      ],
    },
    {
      id: "velocity",
      heading: { en: "Momentum keeps a velocity", "zh-CN": "动量法（Momentum）：保留速度" },
      paragraphs: [
        {
          stop: "update",
          en: "In a long bowl the gradient points mostly across it. SGD zigzags. Momentum adds each gradient to a velocity *value|v* of which a part, the momentum, stays: across the bowl the gradients cancel, along it they add up. It also overshoots, for a velocity does not stop at the bottom.",
          "zh-CN":
            "在长形的碗里，梯度多半横着指。SGD 走成锯齿。动量法（Momentum）把每个梯度加进速度 *value|v*，速度每步按动量系数保留一部分：横向的梯度互相抵消，纵向的不断累积。它也会冲过头，因为速度到了谷底不会停。",
        },
      ],
      tries: [
        {
          sentence: { en: "Walk all five down the bowl", "zh-CN": "让五种优化器一起沿碗面下降" },
          look: {
            en: "Same start, same number of steps. Momentum swings round the bottom.",
            "zh-CN": "同一个起点，同样的步数。动量法绕着谷底摆动。",
          },
          example: bowl,
          cell: { node: "v", index: [0, 1] },
          play: true,
        },
        {
          sentence: { en: "Forget the velocity at once", "zh-CN": "立刻忘掉速度" },
          look: {
            en: "With nothing kept, the velocity is the gradient: this is SGD.",
            "zh-CN": "一点不保留，速度就是梯度：这就是 SGD。",
          },
          example: bowl,
          changes: [{ control: "momentum", value: "0" }],
          cell: { node: "v", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "update",
          sentence: {
            en: "The momentum is 0.9. In y the velocity was 24, and the gradient is now 16.8. What is the new velocity?",
            "zh-CN": "动量系数是 0.9。y 方向的速度原来是 24，现在的梯度是 16.8。新的速度是多少？",
          },
          example: bowl,
          changes: [{ control: "step", value: "1" }],
          cell: { node: "v", index: [0, 1] },
        },
      ],
    },
    {
      id: "size",
      heading: {
        en: "AdaGrad, RMSProp, Adam: divide by the usual size",
        "zh-CN": "AdaGrad、RMSProp、Adam：除以平常的大小",
      },
      paragraphs: [
        {
          stop: "update",
          en: "AdaGrad divides each number of the gradient by the root of the sum of its squares so far: steep and flat directions move alike. The sum only grows, so its steps only shrink. RMSProp takes a running mean instead, which forgets.",
          "zh-CN":
            "AdaGrad 把梯度的每个数除以它至今平方和的根：陡的方向与平的方向走得一样快。和只增不减，所以步子只会越来越小。RMSProp 改用滑动平均，会忘记过去。",
        },
        {
          stop: "update",
          en: "Adam has both: a mean of gradients over the root of a mean of squares. Both means start at 0, so it divides them by 1 − βᵗ: bias correction. Its first step is therefore one learning rate in every direction, however steep. The small ε is added after the root, as in PyTorch.",
          "zh-CN":
            "Adam 两样都有：梯度的均值除以均方的根。两个均值都从 0 开始，所以先除以 1 − βᵗ，这叫偏差校正（bias correction）。因此它的第一步在每个方向上都恰好是一个学习率，不论多陡。小量 ε 加在开方之后，与 PyTorch 相同。",
        },
      ],
      tries: [
        {
          sentence: { en: "See Adam’s first step", "zh-CN": "看 Adam 的第一步" },
          look: {
            en: "The gradient is six times as steep in y, yet both directions are 1 in size.",
            "zh-CN": "梯度在 y 方向是 x 方向的六倍陡，而两个方向的大小都是 1。",
          },
          example: bowl,
          changes: [
            { control: "optimizer", value: "adam" },
            { control: "step", value: "0" },
          ],
          cell: { node: "direction", index: [0, 1] },
        },
        {
          sentence: { en: "Into a narrow valley", "zh-CN": "走进窄谷" },
          look: {
            en: "Rosenbrock’s valley: finding it is easy, following it to (1, 1) is not.",
            "zh-CN": "Rosenbrock 山谷：走进去容易，沿着它走到 (1, 1) 难。",
          },
          example: "rosenbrock-valley",
          cell: { node: "next", index: [0, 0] },
          play: true,
        },
      ],
      questions: [
        {
          stop: "update",
          sentence: {
            en: "Adam’s learning rate is 0.25, and the first gradient in y is 24. Where does y go from 2.4?",
            "zh-CN": "Adam 的学习率是 0.25，y 方向的第一个梯度是 24。y 从 2.4 走到哪里？",
          },
          example: bowl,
          changes: [
            { control: "optimizer", value: "adam" },
            { control: "step", value: "0" },
          ],
          cell: { node: "next", index: [0, 1] },
        },
      ],
    },
    {
      id: "rare",
      heading: { en: "AdaGrad suits sparse features", "zh-CN": "AdaGrad 适合稀疏特征" },
      paragraphs: [
        {
          stop: "update",
          en: "In seven of these eight samples x₂ is 0, so only one pulls at w₂: its first gradient is −1, that of w₁ is −6. SGD has one rate for both, and w₂ hardly moves. AdaGrad divides the rate by the root of each weight’s own sum of squares *value|G*: 0.5 ÷ 6 for w₁, 0.5 ÷ 1 for w₂. So both first steps are 0.5. The vectors of rare words are such weights.",
          "zh-CN":
            "八个样本里有七个 x₂ 为 0，只有一个样本对 w₂ 有逐点梯度：w₂ 的第一个梯度是 −1，w₁ 的是 −6。SGD 对两者用同一个学习率，w₂ 几乎不动。AdaGrad 用各权重自己的平方和 *value|G* 的根去除学习率：w₁ 是 0.5 ÷ 6，w₂ 是 0.5 ÷ 1。于是第一步两者都走 0.5。少见的词的词向量就是这样的权重。",
        },
      ],
      tries: [
        {
          sentence: { en: "See the rate of each weight", "zh-CN": "看每个权重的学习率" },
          look: {
            en: "The smaller the sum of squares, the larger the rate; on the chart AdaGrad climbs, SGD stays low.",
            "zh-CN": "平方和越小，学习率越大；图上 AdaGrad 往上走，SGD 留在低处。",
          },
          example: rare,
          cell: { node: "effective", index: [0, 1] },
        },
        {
          sentence: { en: "Let every step see one sample", "zh-CN": "每一步只看一个样本" },
          look: {
            en: "Until its sample comes, w₂ has gradient 0, and its sum of squares does not grow.",
            "zh-CN": "轮到那个样本之前，w₂ 的梯度是 0，平方和也不增长。",
          },
          example: rare,
          changes: [{ control: "batch", value: "1" }],
          cell: { node: "gradient", index: [0, 1] },
          play: true,
        },
      ],
      questions: [
        {
          stop: "update",
          sentence: {
            en: "The rate is 0.5, and the sum of squares *value|G* of w₁ is 36. What rate does AdaGrad give w₁?",
            "zh-CN": "学习率是 0.5，w₁ 的平方和 *value|G* 是 36。AdaGrad 给 w₁ 的学习率是多少？",
          },
          example: rare,
          cell: { node: "effective", index: [0, 0] },
        },
      ],
    },
    {
      id: "schedule",
      heading: { en: "Warm-up: a rate that rises, then falls", "zh-CN": "预热：先升后降的学习率" },
      paragraphs: [
        {
          stop: "lr",
          en: "The Transformer’s paper trains with Adam and a rate that rises evenly for *w* steps, the warm-up, then falls with the root of the step: the smaller of two curves. They meet at step *w*, at 1/√(d·w): with width 512 and 4000 steps that is 7e−4. Early on the running means rest on few gradients, and a large step would trust them too much.",
          "zh-CN":
            "Transformer 的论文用 Adam 训练，学习率先在 *w* 步里匀速上升，这叫预热（warmup），再随步数的平方根下降：取两条曲线中较小的一条。它们在第 *w* 步相交，值为 1/√(d·w)：宽度 512、预热 4000 步时是 7e−4。刚开始时滑动平均只依据很少的梯度，步子一大就是过分相信它们。",
        },
      ],
      tries: [
        {
          sentence: { en: "See the paper’s rate", "zh-CN": "看论文的学习率" },
          look: {
            en: "At step 4000 rising and falling are equal, and nothing is taken off.",
            "zh-CN": "第 4000 步，上升与下降相等，没有什么要减去。",
          },
          example: "noam-4000",
          cell: { node: "lr", index: [3, 0] },
        },
        {
          sentence: { en: "Warm up for a quarter as long", "zh-CN": "预热缩短到四分之一" },
          look: {
            en: "The peak comes earlier and is twice as high.",
            "zh-CN": "峰值来得更早，高了一倍。",
          },
          example: "noam-4000",
          changes: [{ control: "warmup", value: "1000" }],
          cell: { node: "lr", index: [3, 0] },
        },
        {
          sentence: { en: "Follow half a cosine instead", "zh-CN": "改用余弦衰减" },
          look: {
            en: "After the warm-up slow, fast, slow, down to 0.",
            "zh-CN": "预热之后先慢、再快、再慢，降到 0。",
          },
          example: "noam-4000",
          changes: [{ control: "schedule", value: "cosine" }],
          cell: { node: "lr", index: [3, 0] },
        },
      ],
      questions: [
        {
          stop: "rising",
          sentence: {
            en: "The warm-up ends at step 100. What is the rising curve at step 25?",
            "zh-CN": "预热到第 100 步为止。上升的曲线在第 25 步是多少？",
          },
          example: "noam-4000",
          changes: [
            { control: "model", value: "1" },
            { control: "warmup", value: "100" },
            { control: "length", value: "400" },
          ],
          cell: { node: "rising", index: [1, 0] },
        },
        {
          stop: "falling",
          sentence: {
            en: "What is the falling curve at step 400, four times as many steps as at the end of the warm-up?",
            "zh-CN": "第 400 步是预热步数的四倍。下降的曲线在这里是多少？",
          },
          example: "noam-4000",
          changes: [
            { control: "model", value: "1" },
            { control: "warmup", value: "100" },
            { control: "length", value: "400" },
          ],
          cell: { node: "falling", index: [5, 0] },
        },
        {
          stop: "lr",
          sentence: {
            en: "Step 25 lies in the warm-up, and both curves have a value there. What is the learning rate *output|η*?",
            "zh-CN": "第 25 步在预热之中，两条曲线在这里各有一个值。学习率 *output|η* 是多少？",
          },
          example: "noam-4000",
          changes: [
            { control: "model", value: "1" },
            { control: "warmup", value: "100" },
            { control: "length", value: "400" },
          ],
          cell: { node: "lr", index: [1, 0] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "last-step",
      title: { en: "A hundred steps", "zh-CN": "一百步" },
      sentence: {
        en: "Fit the line, and move to its last step.",
        "zh-CN": "拟合直线，移到最后一步。",
      },
      done: {
        en: "The line lies close to its points; what is left of the gradient is small.",
        "zh-CN": "直线已经贴近各点，梯度所剩无几。",
      },
      happens: (act, { config }) =>
        act.kind === "change" &&
        act.control === "step" &&
        config.numbers.topic === "line" &&
        config.numbers.step === config.numbers.steps - 1,
    },
    {
      id: "back-to-the-residual",
      title: { en: "What a step is made of", "zh-CN": "一步由什么组成" },
      sentence: {
        en: "From the new parameters *weight|θ_t+1* of the line, follow “from” in the note to a residual *key|r*.",
        "zh-CN": "从直线的新参数 *weight|θ_t+1* 出发，顺着算式里的“来自”走到一个残差 *key|r*。",
      },
      done: {
        en: "New parameter, step, gradient, pull, residual: that is the whole of it.",
        "zh-CN": "新参数、步长、梯度、逐点梯度、残差：全部就是这些。",
      },
      happens: (act) => act.kind === "chain" && act.nodes[0] === "next" && act.nodes.at(-1) === "residual",
    },
    {
      id: "too-far",
      title: { en: "Too far", "zh-CN": "走得太远" },
      sentence: {
        en: "Find a learning rate at which the loss of the line grows.",
        "zh-CN": "找一个让直线的损失增长的学习率。",
      },
      done: {
        en: "Each step now lands higher than it began.",
        "zh-CN": "现在每一步都落在比出发更高的地方。",
      },
      happens: (act, { config, snapshots }) => {
        const { topic, optimizer, steps } = config.numbers;
        if (act.kind !== "change" || act.control !== "rate" || topic !== "line") return false;
        const loss = `${optimizer}.loss`;
        return !(valueOf(snapshots, loss, [steps]) <= valueOf(snapshots, loss, [0]));
      },
    },
    {
      id: "no-memory",
      title: { en: "SGD in disguise", "zh-CN": "换了名字的 SGD" },
      sentence: {
        en: "Choose Momentum, and let it keep nothing of its velocity.",
        "zh-CN": "选动量法，让它一点速度也不保留。",
      },
      done: {
        en: "Momentum without memory is SGD: the velocity is the gradient.",
        "zh-CN": "动量系数为 0 的动量法就是 SGD：速度就是梯度。",
      },
      happens: (act, { config }) =>
        act.kind === "change" && config.numbers.optimizer === "momentum" && config.numbers.momentum === 0,
    },
    {
      id: "peak",
      title: { en: "The largest rate", "zh-CN": "最大的学习率" },
      sentence: {
        en: "On a schedule, find the largest number of *output|η* and choose it.",
        "zh-CN": "在一个变化的学习率里，找到 *output|η* 最大的数，选中它。",
      },
      done: {
        en: "The rate turns where the warm-up ends.",
        "zh-CN": "预热结束之处，学习率掉头。",
      },
      happens: (act, { config, snapshots }) =>
        act.kind === "cell" &&
        config.numbers.topic === "schedule" &&
        (act.node === "lr" || act.node === "lr_curve") &&
        isLargest(snapshots, act.node, act.index),
    },
  ],
};
