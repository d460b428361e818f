/** The lesson of the losses lab: surprise, cross entropy, both rules of label smoothing, KL divergence, dropout (section 5.4). */
import { isLargest, valueOf, type Lesson } from "../../telling/lesson.js";

export const lesson: Lesson<"losses"> = {
  parts: [
    {
      id: "surprise",
      heading: { en: "A class costs its surprise", "zh-CN": "一个类别的代价是它的信息量" },
      paragraphs: [
        {
          stop: "predict",
          en: "A model ends in one number per class, the logits *z*. Softmax makes them probabilities *attention|p*. What happens although the model gave it probability *attention|p* costs −log *attention|p*, its surprise (surprisal) *query|s*: nothing for what was certain, more and more for what was thought impossible. With the natural logarithm the unit is called nat.",
          "zh-CN":
            "模型的末端给每个类别一个数，即 logits *z*，softmax 把它们变成概率 *attention|p*。模型给某件事概率 *attention|p*，而它发生了，代价就是 −log *attention|p*，即信息量（惊异度，surprisal）*query|s*：认定会发生的，代价为零；认为不可能的，代价越来越大。用自然对数时，单位叫奈特。",
        },
      ],
      tries: [
        {
          sentence: { en: "See what the unlikely class would cost", "zh-CN": "看不大可能的类别要付多少代价" },
          look: {
            en: "Less than a tenth of the probability: the surprise is above 2.3, which is −log 0.1.",
            "zh-CN": "概率不到十分之一：信息量超过 2.3，也就是 −log 0.1。",
          },
          example: "label-smoothing",
          cell: { node: "surprise", index: [0, 2] },
        },
      ],
      questions: [
        {
          stop: "predict",
          sentence: {
            en: "Softmax makes three probabilities of row 0. What is left for the third class?",
            "zh-CN": "softmax 把第 0 行变成三个概率。留给第三个类别的是多少？",
          },
          example: "label-smoothing",
          cell: { node: "p", index: [0, 2] },
        },
      ],
    },
    {
      id: "cross-entropy",
      heading: { en: "Cross entropy weighs the surprises", "zh-CN": "交叉熵给信息量加权" },
      paragraphs: [
        {
          stop: "cost",
          en: "The target *y* says how much each class should have. Cross entropy *L* adds up the surprises, each times its share in *y*. A one-hot target keeps one of them: the loss is the surprise of the right class. So a guess that is sure and wrong costs far more than one that is unsure; over the rows of a batch the losses are averaged.",
          "zh-CN":
            "目标 *y* 规定每个类别该占多少。交叉熵（cross entropy）*L* 把各个信息量乘以它在 *y* 中的份额再相加。独热目标只留下一个：损失就是正确类别的信息量。因此，自信而错误的猜测远比没有把握的猜测代价大；一批数据的各行损失再取平均。",
        },
      ],
      tries: [
        {
          sentence: { en: "Meet a guess that is sure and wrong", "zh-CN": "看一次自信的错误" },
          look: {
            en: "Row 0 is right, row 1 does not know, row 2 is certain of the wrong word.",
            "zh-CN": "第 0 行猜对了，第 1 行没有把握，第 2 行认定了错的词。",
          },
          example: "sure-and-wrong",
          cell: { node: "loss", index: [2] },
        },
      ],
      questions: [
        {
          stop: "cost",
          sentence: {
            en: "The one-hot target of a row keeps one surprise, that of the right class. What is the mean loss of both rows?",
            "zh-CN": "每行的独热目标只留下正确类别的信息量。两行的平均损失是多少？",
          },
          example: "label-smoothing",
          cell: { node: "loss_mean", index: [0] },
        },
      ],
    },
    {
      id: "smoothing",
      heading: { en: "Label smoothing, two rules", "zh-CN": "标签平滑的两种规则" },
      paragraphs: [
        {
          stop: "target",
          en: "Label smoothing takes the share ε from the right class. PyTorch and the paper’s code give *key|ε/K* to all *K* classes, the right one too, which ends at 1 − ε + ε/*K*. The code of a blog post on the paper gives *value|ε/(K−1)* to the others alone, and its comment claims the first rule. The two are one family: ε/*K* over all is ε′/(*K* − 1) over the others, with ε′ = ε (*K* − 1)/*K*.",
          "zh-CN":
            "标签平滑（label smoothing）从正确类别拿走份额 ε。PyTorch 与论文的代码把它平分给全部 *K* 个类别，每个 *key|ε/K*，正确的也有一份，于是它得 1 − ε + ε/*K*。一篇解读论文的博客，代码只分给其余类别，每个 *value|ε/(K−1)*，注释写的却是前一种规则。两者同属一族：把 ε 平分给全部，等于把 ε′ = ε (*K* − 1)/*K* 平分给其余类别。",
        },
        {
          en: "The blog post’s text shows `[0.00101, 0.901, 0.00101, …]` for 100 classes, which mixes both: 0.00101 belongs with 0.900, and 0.901 with 0.00100. As printed the row adds up to 1.001. It also quotes ε = 0.14; the paper has 0.1.",
          "zh-CN":
            "博客的正文给出 100 个类别时的 `[0.00101, 0.901, 0.00101, …]`，混用了两种规则：0.00101 应配 0.900，0.901 应配 0.00100；照印出来的样子，一行加起来是 1.001。它还把 ε 引作 0.14；论文中是 0.1。",
        },
      ],
      tries: [
        {
          sentence: { en: "Smooth much more", "zh-CN": "平滑得重一些" },
          look: {
            en: "With ε = 0.5 the rules are further apart: 0.667 and 0.5 are left for the right class.",
            "zh-CN": "ε = 0.5 时两种规则差得更远：正确类别分别剩下 0.667 和 0.5。",
          },
          example: "label-smoothing",
          changes: [{ control: "smoothing", value: "0.5" }],
          cell: { node: "y_others", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "target",
          sentence: {
            en: "Here ε is 0.3, and it is spread over all three classes. What share does the right class of row 1 have in the end?",
            "zh-CN": "这里 ε 是 0.3，平分给全部三个类别。第 1 行的正确类别最后占多少份额？",
          },
          example: "label-smoothing",
          changes: [{ control: "smoothing", value: "0.3" }],
          cell: { node: "y_all", index: [1, 1] },
        },
      ],
    },
    {
      id: "confidence",
      heading: { en: "When to stop being surer", "zh-CN": "到哪里不必更有把握" },
      paragraphs: [
        {
          stop: "confidence",
          en: "With a one-hot target a larger logit of the right class is always better, and training pushes it towards infinity. A smoothed target is met exactly at a finite logit: where *attention|p* equals *y*. Beyond it the loss grows again, almost along a straight line, since the others’ surprise grows with the logit. The price of this modesty is a loss that never reaches 0.",
          "zh-CN":
            "目标是独热时，正确类别的 logit 总是越大越好，训练把它推向无穷。平滑后的目标在一个有限的 logit 处恰好达到：那里 *attention|p* 等于 *y*。再往前，损失又上升，几乎沿着一条直线，因为其余类别的信息量随这个 logit 增长。这份克制的代价，是损失永远到不了 0。",
        },
      ],
      tries: [
        {
          sentence: { en: "Read the slope at the present logit", "zh-CN": "读出当前 logit 处的斜率" },
          look: {
            en: "p − y is below 0: a step of descent raises the logit. It stays where p on the axis below equals the target.",
            "zh-CN":
              "p − y 小于 0：梯度下降一步会增大这个 logit。到下方 p 轴上概率等于目标处，它就不再移动。",
          },
          example: "label-smoothing",
          cell: { node: "off_all", index: [0, 0] },
        },
        {
          sentence: { en: "Go to the far end of the curve", "zh-CN": "走到曲线的远端" },
          look: {
            en: "Nearly certain, and punished for it: most of the loss is the others’ surprise.",
            "zh-CN": "几乎认定了，因此受罚：损失大半是其余类别的信息量。",
          },
          example: "label-smoothing",
          cell: { node: "swept_loss_others", index: [0, 48] },
        },
      ],
      questions: [
        {
          stop: "confidence",
          sentence: {
            en: "With ε/K each, the loss of row 0 cannot fall below its floor, the entropy of the target. How far above the floor is it now?",
            "zh-CN": "目标取 ε/K 时，第 0 行的损失降不到下限以下，下限是目标的熵。现在的损失比下限高多少？",
          },
          example: "label-smoothing",
          cell: { node: "kl_all", index: [0] },
        },
      ],
    },
    {
      id: "divergence",
      heading: { en: "KL divergence, the same push", "zh-CN": "KL 散度：推力相同" },
      paragraphs: [
        {
          stop: "divergence",
          en: "The least a row can cost is the entropy *H* of its own target. What it costs above that is the KL divergence from *y* to *attention|p*, 0 only where both are equal. The entropy holds no logit; so cross entropy and KL divergence differ by a constant and have one gradient, (*attention|p* − *y*)/*N*. The blog post trains with KL divergence: its smaller number is no better result.",
          "zh-CN":
            "一行的代价至少是它的目标自身的熵 *H*。超出的部分就是从 *y* 到 *attention|p* 的 KL 散度（KL divergence），只有两者相等时才是 0。熵里没有 logit，所以交叉熵与 KL 散度只差一个常数，梯度同为 (*attention|p* − *y*)/*N*。那篇博客用 KL 散度训练：它的数值更小，并不是结果更好。",
        },
      ],
      tries: [
        {
          sentence: { en: "Take the entropy away", "zh-CN": "减去熵" },
          look: {
            en: "Loss − entropy = KL divergence, row by row; for the blog post’s rows the mean is 0.102.",
            "zh-CN": "损失 − 熵 = KL 散度，逐行如此；博客那几行的均值是 0.102。",
          },
          example: "kl-and-cross-entropy",
          cell: { node: "kl_others", index: [0] },
        },
      ],
      questions: [
        {
          stop: "entropy",
          sentence: {
            en: "The targets of the two rows hold the same shares, and the entropy *H* has no logit in it. What is the entropy of row 1?",
            "zh-CN": "两行的目标份额相同，熵 *H* 里又没有 logit。第 1 行的熵是多少？",
          },
          example: "kl-and-cross-entropy",
          cell: { node: "entropy_others", index: [1] },
        },
        {
          stop: "divergence",
          sentence: {
            en: "The targets give 0.5 to each of two classes here, and the model expects something else. What does row 0 cost above the entropy of its target?",
            "zh-CN": "这里的目标是两个类别各 0.5，模型的预测却不同。第 0 行的代价比目标的熵多出多少？",
          },
          example: "kl-and-cross-entropy",
          changes: [
            { control: "classes", value: "cat dog" },
            { control: "smoothing", value: "0.5" },
          ],
          cell: { node: "kl_others", index: [0] },
        },
        {
          stop: "gradient",
          sentence: {
            en: "There are two rows. What is the gradient of their mean loss in the logit of the right class of row 1?",
            "zh-CN": "这里有两行。它们的平均损失，对第 1 行正确类别的 logit 的梯度是多少？",
          },
          example: "kl-and-cross-entropy",
          cell: { node: "gradient_others", index: [1, 1] },
        },
      ],
    },
    {
      id: "dropout",
      heading: { en: "Dropout", "zh-CN": "随机失活" },
      paragraphs: [
        {
          stop: "drop",
          en: "While training, dropout sets each number to 0 with probability *p*, so that nothing can lean on one number alone. What is kept is divided by 1 − *p*: on average *x* comes out, and when the model is used dropout is left out. The `MyDropout` of the blog post does this; with *p* = 1 it divides by 0.",
          "zh-CN":
            "训练时，随机失活（dropout）以概率 *p* 把每个数变成 0，使后面的计算不能只依靠某一个数。留下的数除以 1 − *p*：平均起来仍是 *x*，所以模型使用时去掉随机失活即可。那篇博客的 `MyDropout` 正是如此；只是 *p* = 1 时它会除以 0。",
        },
      ],
      tries: [
        {
          sentence: { en: "Draw twelve times", "zh-CN": "抽十二次" },
          look: {
            en: "The mean of the draws nears x. Not divided, it would near (1 − p) x.",
            "zh-CN": "各次抽样的均值趋于 x；若不除，就趋于 (1 − p) x。",
          },
          example: "twelve-dropouts",
          cell: { node: "dropped", index: [0, 5] },
        },
        {
          sentence: { en: "Draw 64 times with p = 0.5", "zh-CN": "以 p = 0.5 抽 64 次" },
          look: {
            en: "Half the numbers are 0, the others doubled; the mean wanders less and less.",
            "zh-CN": "一半的数变成 0，其余加倍；均值的起伏越来越小。",
          },
          example: "twelve-dropouts",
          changes: [
            { control: "dropout", value: "0.5" },
            { control: "draws", value: "64" },
          ],
          cell: { node: "mean", index: [5] },
        },
      ],
      questions: [
        {
          stop: "drop",
          sentence: {
            en: "With p = 0.3 this number, 0.5, is not dropped. What does dropout make of it?",
            "zh-CN": "p = 0.3，这个数是 0.5，没有变成 0。随机失活之后它是多少？",
          },
          example: "twelve-dropouts",
          changes: [{ control: "draws", value: "1" }],
          cell: { node: "dropped", index: [0, 1] },
        },
        {
          stop: "mean",
          sentence: {
            en: "With p = 0.5 one of four draws drops this number, and the others double it to 1. What is the mean of the draws?",
            "zh-CN": "p = 0.5，四次抽样里有一次把这个数变成 0，另外三次把它加倍成 1。各次抽样的均值是多少？",
          },
          example: "twelve-dropouts",
          changes: [
            { control: "dropout", value: "0.5" },
            { control: "draws", value: "4" },
          ],
          cell: { node: "mean", index: [1] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "dearest-row",
      title: { en: "The dearest guess", "zh-CN": "代价最大的一行" },
      sentence: {
        en: "Find the largest number of *L*, the loss of the one-hot target, and choose it.",
        "zh-CN": "在独热目标的损失 *L* 中找到最大的数，选中它。",
      },
      done: {
        en: "A one-hot loss is the surprise of the right class; the others count only through softmax.",
        "zh-CN": "独热目标的损失就是正确类别的信息量；其余类别只通过 softmax 起作用。",
      },
      happens: (act, { config, snapshots }) =>
        config.numbers.topic === "smoothing" &&
        act.kind === "cell" &&
        act.node === "loss" &&
        isLargest(snapshots, "loss", act.index),
    },
    {
      id: "no-smoothing",
      title: { en: "Three targets become one", "zh-CN": "三种目标合为一种" },
      sentence: { en: "Set the smoothing ε to 0.", "zh-CN": "把平滑 ε 设为 0。" },
      done: {
        en: "Nothing is taken from the right class: all three losses agree, and no curve turns.",
        "zh-CN": "正确类别什么也不让出：三种损失一致，没有一条曲线回升。",
      },
      happens: (act, { snapshots }) =>
        act.kind === "change" &&
        act.control === "smoothing" &&
        valueOf(snapshots, "epsilon", [0]) === 0 &&
        valueOf(snapshots, "loss_all", [0]) === valueOf(snapshots, "loss", [0]),
    },
    {
      id: "too-sure",
      title: { en: "Too sure", "zh-CN": "过于自信" },
      sentence: {
        en: "Drag the logit of a right class beyond both rings of its chart.",
        "zh-CN": "把某行正确类别的 logit 拖到图中两个圆环的右边。",
      },
      done: {
        en: "The right class is nearly certain, yet both smoothed losses are past their least.",
        "zh-CN": "正确类别几乎是认定的，而两种平滑的损失都已过了最小处。",
      },
      happens: (act, { config, snapshots }) =>
        act.kind === "edit" &&
        act.node === "logits" &&
        act.index[1] === config.numbers.targets[act.index[0]!] &&
        ["best_all", "best_others"].every((best) => act.value > valueOf(snapshots, best, [act.index[0]!, 0])),
    },
    {
      id: "hardest-push",
      title: { en: "The hardest push", "zh-CN": "梯度最大的地方" },
      sentence: {
        en: "Turn to cross entropy and KL divergence. In the gradient *g*, choose the number furthest below 0.",
        "zh-CN": "转到交叉熵与 KL 散度，在梯度 *g* 中找到最小的负数，选中它。",
      },
      done: {
        en: "It belongs to the right class that was expected least: a step of training raises that logit most.",
        "zh-CN": "它属于预测得最不足的正确类别：训练一步，这个 logit 升得最多。",
      },
      happens: (act, { config, snapshots }) =>
        config.numbers.topic === "divergence" &&
        act.kind === "cell" &&
        act.node === `gradient_${config.numbers.spread}` &&
        snapshots.get(act.node)!.data.every((other) => !(other < valueOf(snapshots, act.node, act.index))) &&
        valueOf(snapshots, act.node, act.index) < 0,
    },
    {
      id: "dropped",
      title: { en: "One that was dropped", "zh-CN": "被丢掉的一个" },
      sentence: {
        en: "Turn to dropout and choose a 0 of *output|d*.",
        "zh-CN": "转到随机失活，选中 *output|d* 的一个 0。",
      },
      done: {
        en: "Its u is at most p, so x is dropped; those that are kept make up for it by 1/(1 − p).",
        "zh-CN": "它的 u 不大于 p，所以 x 被丢掉；留下的数以 1/(1 − p) 补上。",
      },
      happens: (act, { config, snapshots }) =>
        config.numbers.topic === "dropout" &&
        act.kind === "cell" &&
        act.node === "dropped" &&
        valueOf(snapshots, "dropped", act.index) === 0,
    },
  ],
};
