/** The lesson of the training lab: what is learned, where it can be seen, and what a part of the model is for. */
import { isLargestOfRow, valueOf, type Lesson } from "../../telling/lesson.js";
import type { Translated } from "../../telling/translations.js";
import { claims, resultsOf, verdictOf } from "./claims.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

/** A string of the lab in both languages. */
const said = (key: keyof typeof en): Translated => ({ en: en[key], "zh-CN": zhCN[key] });

/** A verdict, with the number of seeds filled in. */
function verdictText(claim: (typeof claims)[number]): Translated {
  const seeds = resultsOf(claim);
  const key = `verdict.${verdictOf(claim, seeds)}` as const;
  const filled = (text: string): string => text.replaceAll("{n}", String(seeds.length));
  return { en: filled(en[key]), "zh-CN": filled(zhCN[key]) };
}

export const lesson: Lesson<"training"> = {
  parts: [
    {
      id: "reverse",
      heading: { en: "Only examples, no rule", "zh-CN": "只有例子，没有规则" },
      paragraphs: [
        {
          en: "The model gets eight random digits and is asked for the same digits backwards. Nobody tells it how. A step answers a batch of examples, measures the cross entropy of the answers, and moves every weight a little against its gradient. What counts are the held-out examples: no training example is one of them.",
          "zh-CN":
            "模型得到八个随机数字，要倒着写出来，没有人告诉它怎么做。一步就是：回答一批例子，算出答案的交叉熵（cross entropy），再把每个权重逆着梯度移动一点。算数的是验证集（held-out examples）：训练的例子里没有它们。",
        },
      ],
      tries: [
        {
          sentence: { en: "Train it from the beginning", "zh-CN": "从头训练" },
          look: {
            en: "The loss stays at guessing for a while, then falls; the answers turn right soon after.",
            "zh-CN": "损失先停在随机猜测，然后下降；答案很快就对了。",
          },
          example: "learn-to-reverse",
          play: true,
        },
      ],
    },
    {
      id: "diagonal",
      heading: { en: "Attention finds the mirror", "zh-CN": "注意力找到镜像" },
      paragraphs: [
        {
          en: "To write the last digit first, the first place has to look at the last one. So what forms in the maps is a diagonal that rises to the right: each row of *attention|A* puts its weight on the mirrored place. The number under a map is the mean weight there. Which layer and which heads do it differs from seed to seed.",
          "zh-CN":
            "要先写最后一个数字，第一个位置就得看最后一个。所以图里出现的是一条向右上的斜线：*attention|A* 的每一行把权重放在镜像的位置上。图下的数是那里的平均权重。由哪一层、哪几个头来做，换个种子就不同。",
        },
      ],
      tries: [
        {
          sentence: { en: "Another seed", "zh-CN": "换一个种子" },
          look: {
            en: "The same task, and other heads that do it.",
            "zh-CN": "同样的任务，换了别的头来做。",
          },
          example: "learn-to-reverse",
          changes: [{ control: "seed", value: "3" }],
          play: true,
        },
      ],
      questions: [
        {
          stop: "train",
          sentence: {
            en: "Before anything is learned, a row shares its weight almost equally among the eight digits. About how much does the mirrored place get, on the mean?",
            "zh-CN": "还什么都没学会时，一行的权重几乎平均分给八个数字。镜像的位置平均分到多少？",
          },
          example: "learn-to-reverse",
          cell: { node: "layer_1.focus", index: [2] },
        },
      ],
    },
    {
      id: "without",
      heading: { en: "What a part is for", "zh-CN": "每一部分有什么用" },
      paragraphs: [
        {
          en: "Beside the run goes the same run with one thing changed: the same seed, the same batches. Without positional encodings every order of the digits looks alike, and the answers stay wrong. Without residual connections a layer hands on only what it computes, and the gradient that reaches the first layer is another one.",
          "zh-CN":
            "旁边是同一次训练，只改一处：种子相同，每一批也相同。没有位置编码（positional encoding），数字怎样排列看起来都一样，答案一直是错的。没有残差连接（residual connection），一层只交出它自己算的结果，传到第一层的梯度也就不同了。",
        },
      ],
      tries: [
        {
          sentence: { en: "Leave out the residual connections", "zh-CN": "去掉残差连接" },
          look: {
            en: "Compare the two curves of the loss.",
            "zh-CN": "比较两条损失曲线。",
          },
          example: "learn-to-reverse",
          changes: [{ control: "beside", value: "no-residual" }],
          play: true,
        },
        {
          sentence: { en: "Take 100 times the learning rate", "zh-CN": "学习率放大 100 倍" },
          look: {
            en: "The steps are too long: they jump over every minimum.",
            "zh-CN": "步子太大，越过了每一个最低点。",
          },
          example: "learn-to-reverse",
          changes: [{ control: "beside", value: "high-rate" }],
          play: true,
        },
      ],
    },
    {
      id: "claims",
      heading: { en: "What is said about training", "zh-CN": "关于训练的各种说法" },
      paragraphs: [
        {
          en: "Each of these claims is a comparison with a rule, fixed before it is judged: such as a held-out accuracy below 0.01. Five seeds trained every run, and the verdict follows from their numbers. It is about these small models and these steps; a larger one may behave otherwise. Where a claim holds in part, the card beside the charts says which part does not.",
          "zh-CN":
            "下面每个说法都是一次比较，先定好判断的标准，例如验证集准确率低于 0.01。每次训练都用五个种子，结论由它们的数得出。它只说这些小模型、这么多步；更大的模型可能不同。只有部分成立的，图旁的卡片会说哪一部分不成立。",
        },
      ],
      table: {
        caption: {
          en: "Each is in the list of the setting “claim”",
          "zh-CN": "每一个都在设置“说法”的列表里",
        },
        head: [
          { en: "Claim", "zh-CN": "说法" },
          { en: "Said by", "zh-CN": "出处" },
          { en: "Five seeds", "zh-CN": "五个种子" },
        ],
        rows: claims.map((claim) => [
          said(`claim.${claim.id}` as keyof typeof en),
          said(`source.${claim.source}`),
          verdictText(claim),
        ]),
      },
      tries: [
        {
          sentence: { en: "Leave out the warm-up", "zh-CN": "去掉预热" },
          look: {
            en: "Four runs: only post-norm without warm-up stays at guessing.",
            "zh-CN": "四次训练：只有没有预热的 post-norm 停在随机猜测。",
          },
          changes: [{ control: "claim", value: "warmup" }],
          play: true,
        },
        {
          sentence: { en: "Reverse with one head", "zh-CN": "只用一个头学倒序" },
          look: {
            en: "One wide head is ahead of four narrow ones.",
            "zh-CN": "一个宽的头领先于四个窄的头。",
          },
          changes: [{ control: "claim", value: "heads-reverse" }],
          play: true,
        },
      ],
    },
    {
      id: "written",
      heading: { en: "One token after another", "zh-CN": "一个词元接一个词元" },
      paragraphs: [
        {
          en: "A model with a decoder writes its answer: it gives each token of the vocabulary a probability, takes the likeliest, or draws one at a temperature above 0, and reads it before the next. The keys and values of what it has read never change, so they are kept in a key-value cache, and the next token costs one row instead of all. The page computes both ways and subtracts: the logits are the same.",
          "zh-CN":
            "带解码器的模型是把答案写出来的：它给词表里每个词元一个概率，取最可能的那个，温度大于 0 时按概率抽一个，读进它，再写下一个。读过的词元，键和值不再改变，就存进键值缓存（key-value cache），下一个词元只算一行，不必全算。这一页两种都算，再相减：logits 相同。",
        },
      ],
      tries: [
        {
          sentence: { en: "Follow a translation after 700 steps", "zh-CN": "跟着看第 700 步的一次翻译" },
          look: {
            en: "Choose a word of the answer and walk with the arrow keys: beside it are the words that could stand there, and what came from the cache.",
            "zh-CN": "选答案里的一个词，用方向键走：旁边是可能出现在那里的词，以及哪些取自缓存。",
          },
          example: "learn-french",
          changes: [{ control: "step", value: "700" }],
        },
      ],
    },
    {
      id: "replay",
      heading: { en: "The same seed, the same run", "zh-CN": "种子相同，训练相同" },
      paragraphs: [
        {
          en: "Weights, batches and dropout are all drawn from the seed, so that a link that holds only the settings and the step computes the run again, loss by loss. Move the slider back: the moments that are kept, shown as ticks, are there at once, and those in between are computed from them.",
          "zh-CN":
            "权重、每一批例子和随机失活（dropout）都由种子抽取，所以链接里只有设置和步数，就能把训练重算一遍，损失逐步相等。把滑块往回拖：有刻度的时刻是存下的，立刻就有；其间的由它们算出来。",
        },
      ],
      tries: [
        {
          sentence: { en: "Twenty steps in", "zh-CN": "看第 20 步" },
          look: {
            en: "The loss has fallen to guessing: so far it has learned only that all digits are equally frequent.",
            "zh-CN": "损失降到了随机猜测：目前它只学会了各个数字一样常见。",
          },
          example: "learn-to-reverse",
          changes: [{ control: "step", value: "20" }],
        },
      ],
    },
    {
      id: "made-of",
      heading: { en: "What it is made of", "zh-CN": "它是由什么组成的" },
      paragraphs: [
        {
          en: "A model is a list of tensors with names. Under “more settings” one line chooses any of them, or a part of it: `encoder.layers.1.self_attn.in_proj_weight[0:32] :grad :hist` is the projection that makes the queries of the second layer, seen as what a step follows: the gradient of the loss. Choose a cell: its gradient is a sum over every place of the batch, of what the layer read there times how the loss changes with what it wrote there.",
          "zh-CN":
            "模型就是一串有名字的张量。“更多设置”里的一行可以选中其中任意一个，或它的一部分：`encoder.layers.1.self_attn.in_proj_weight[0:32] :grad :hist` 是生成第二层查询的投影，显示的是每一步所依据的损失梯度。选一个单元：它的梯度是对这一批所有位置求和，每一项是这一层在那里读到的数，乘以损失随它在那里写出的数的变化。",
        },
      ],
      tries: [
        {
          sentence: { en: "Look at a gradient after 40 steps", "zh-CN": "看第 40 步的一个梯度" },
          look: {
            en: "Most of the numbers are near 0: the histogram has one high bin in the middle. Press Play, and it moves with every step.",
            "zh-CN": "大多数数接近 0：直方图中间有一根高柱。点“播放”，它随每一步变化。",
          },
          example: "learn-to-reverse",
          changes: [
            { control: "step", value: "40" },
            { control: "watch", value: "encoder.layers.1.self_attn.in_proj_weight[0:32]:grad:hist" },
          ],
        },
      ],
    },
  ],
  concepts: [
    {
      id: "trained",
      title: { en: "Training", "zh-CN": "训练" },
      sentence: { en: "Let a run come to its end.", "zh-CN": "让一次训练走到最后。" },
      done: {
        en: "Loss by loss, from nothing but examples.",
        "zh-CN": "只凭例子，损失一步一步降下来。",
      },
      happens: (act) => act.kind === "play-end",
    },
    {
      id: "mirror",
      title: { en: "What attention learned", "zh-CN": "注意力学到了什么" },
      sentence: {
        en: "Find a weight above 0.5 that is the largest of its row.",
        "zh-CN": "找一个大于 0.5、又是本行最大的权重。",
      },
      done: { en: "This head looks at one place.", "zh-CN": "这个头只看一个位置。" },
      happens: (act, { snapshots }) =>
        act.kind === "cell" &&
        /attn\.weights$/.test(act.node) &&
        isLargestOfRow(snapshots, act.node, act.index) &&
        valueOf(snapshots, act.node, act.index) > 0.5,
    },
    {
      id: "beside",
      title: { en: "A fair comparison", "zh-CN": "公平的比较" },
      sentence: { en: "Put another run beside it.", "zh-CN": "换一个对照。" },
      done: {
        en: "One thing differs; all else is the same, down to the batches.",
        "zh-CN": "只有一处不同，其余全都一样，连每一批例子也是。",
      },
      happens: (act) => act.kind === "change" && act.control === "beside" && act.value !== "",
    },
    {
      id: "asked",
      title: { en: "Your own question", "zh-CN": "你自己的问题" },
      sentence: { en: "Ask it digits of your own.", "zh-CN": "拿你自己的数字问它。" },
      done: {
        en: "Its answer is that of this step, with its probability in every cell.",
        "zh-CN": "这是此刻的回答，每一格是它的概率。",
      },
      happens: (act) => act.kind === "change" && act.control === "samples",
    },
  ],
};
