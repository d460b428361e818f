/** The lesson of the words lab: one-hot rows, bags of words, tables, token ids, cosines, word2vec (documents 000, 001 and 004). */
import { valueOf, type Lesson } from "../../telling/lesson.js";

const dogBitesMan = "dog-bites-man";
const tokenIds = "ids-133-23-58";
const kingAndQueen = "king-and-queen";
const smallKingdom = "small-kingdom";

export const lesson: Lesson<"words"> = {
  parts: [
    {
      id: "one-hot",
      heading: { en: "One-hot: a word is a place in a list", "zh-CN": "独热：一个词是词表中的一个位置" },
      paragraphs: [
        {
          stop: "compare",
          en: "The plainest vector of a word has a 1 at its place in the vocabulary and 0 elsewhere: a one-hot row of *query|X*. It is as long as the vocabulary, almost empty, and says nothing of meaning. Any two such rows have dot product 0 and distance √2: dog is as far from man as from bites.",
          "zh-CN":
            "词最朴素的向量，在词表里自己的位置上是 1，其余是 0：*query|X* 的一个独热（one-hot）行。它与词表一样长，几乎全空，也不含任何意义。任意两行的点积都是 0，距离都是 √2：狗到人，与狗到咬一样远。",
        },
      ],
      tries: [
        {
          sentence: { en: "Measure one distance", "zh-CN": "量一个距离" },
          look: {
            en: "Two rows differ in two places, by 1 each: √(1 + 1) = 1.414.",
            "zh-CN": "两行在两个位置上各差 1：√(1 + 1) = 1.414。",
          },
          example: dogBitesMan,
          cell: { node: "apart.distance", index: [0, 2] },
        },
      ],
      questions: [
        {
          stop: "compare",
          sentence: {
            en: "Bites and man are one-hot rows, which differ in two places, by 1 each. What is their distance?",
            "zh-CN": "“咬”与“人”两个独热行在两个位置上各差 1。它们的距离是多少？",
          },
          example: dogBitesMan,
          cell: { node: "apart.distance", index: [2, 1] },
        },
      ],
    },
    {
      id: "bag",
      heading: { en: "A bag of words forgets the order", "zh-CN": "词袋会丢掉词序" },
      paragraphs: [
        {
          stop: "count",
          en: "Added up, the one-hot rows of a sentence count its words: *value|n*. A search engine can live on that. But dog bites man and man bites dog have the same counts, and their difference is 0 everywhere.",
          "zh-CN":
            "把一句话的独热行加起来，就是词袋（bag of words），数出了它的词：*value|n*。搜索引擎可以靠它工作。可是“狗 咬 人”与“人 咬 狗”的计数相同，差处处是 0。",
        },
      ],
      tries: [
        {
          sentence: { en: "Compare the two counts", "zh-CN": "比较两句的计数" },
          look: {
            en: "Same words, same counts; who bites whom is lost.",
            "zh-CN": "词相同，计数就相同；谁咬谁已经丢了。",
          },
          example: dogBitesMan,
          cell: { node: "difference", index: [0, 0] },
        },
        {
          sentence: { en: "Let a cat bite", "zh-CN": "换成猫来咬" },
          look: {
            en: "Another word, other counts: each has a column where the difference is not 0.",
            "zh-CN": "换了词，计数就不同：差在两列上不再是 0。",
          },
          example: dogBitesMan,
          changes: [{ control: "other", value: { en: "man bites cat", "zh-CN": "人 咬 猫" } }],
          cell: { node: "difference", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "count",
          sentence: {
            en: "The first sentence is now dog bites dog, the second is still man bites dog. What is the difference of their counts for man?",
            "zh-CN": "第一句换成“狗 咬 狗”，第二句仍是“人 咬 狗”。两句的计数相减，“人”这一列是多少？",
          },
          example: dogBitesMan,
          changes: [{ control: "tokens", value: { en: "dog bites dog", "zh-CN": "狗 咬 狗" } }],
          cell: { node: "difference", index: [0, 2] },
        },
      ],
    },
    {
      id: "table",
      heading: {
        en: "Word embedding: a table gives each word numbers",
        "zh-CN": "词嵌入：嵌入矩阵给每个词一个向量",
      },
      paragraphs: [
        {
          stop: "lookup",
          en: "A word embedding comes from a table *weight|E* with one row per word. A one-hot row times the table picks that row, so nobody multiplies: one looks it up. The vector is short and full, and its numbers can be learned. Here they are drawn, so their cosines mean nothing yet.",
          "zh-CN":
            "词嵌入（word embedding）来自嵌入矩阵 *weight|E*，每个词一行。独热行乘以它，取出的就是那一行，所以实际上不做乘法，只是查表。这样的向量维度低而稠密，而且其中的数可以学习。这里的数是随机初始化的，余弦还没有意义。",
        },
      ],
      tries: [
        {
          sentence: { en: "Multiply, and see a lookup", "zh-CN": "乘一次，看到的是查表" },
          look: {
            en: "All products but one are 0: the sum is a number of the table.",
            "zh-CN": "只有一个乘积不是 0：和就是嵌入矩阵里的一个数。",
          },
          example: dogBitesMan,
          cell: { node: "vectors", index: [1, 1] },
        },
      ],
      questions: [
        {
          stop: "lookup",
          sentence: {
            en: "The one-hot row of man is multiplied by the first column of *weight|E*. What comes out?",
            "zh-CN": "“人”的独热行乘以 *weight|E* 的第一列，得到多少？",
          },
          example: dogBitesMan,
          cell: { node: "vectors", index: [2, 0] },
        },
      ],
    },
    {
      id: "ids",
      heading: {
        en: "A token id is the number of a row",
        "zh-CN": "词元编号就是行号",
      },
      paragraphs: [
        {
          stop: "lookup",
          en: "A tokenizer gives a model whole numbers, not words. Each id is the number of a row of the table, and the row is the token’s vector. Ids 133, 23 and 58 pick three rows of 1000; the ids themselves are never added or compared.",
          "zh-CN":
            "分词器（tokenizer）交给模型的是整数，不是词。每个编号就是嵌入矩阵的一个行号，这一行就是词元的向量。编号 133、23、58 从 1000 行里取出三行；编号本身从不相加，也不比较大小。",
        },
        {
          en: "The blog post these ids come from prints a table of shape (100, 4), but its code draws 1000 rows. The code is right: a table of 100 rows has no row 133. Of the three rows that its text shows, only row 133 is the one that it computes with.",
          "zh-CN":
            "这些编号来自一篇博客。文中打印的嵌入矩阵形状是 (100, 4)，代码里却是 1000 行。对的是代码：100 行的矩阵没有第 133 行。文中列出的三行，只有第 133 行与它实际计算所用的相同。",
        },
      ],
      tries: [
        {
          sentence: { en: "Follow id 133 to its row", "zh-CN": "看编号 133 取出哪一行" },
          look: {
            en: "The line leads to row 133 of the map, and from there to the first row of X.",
            "zh-CN": "连线从 133 走到色图的第 133 行，再走到 X 的第一行。",
          },
          example: tokenIds,
          cell: { node: "X", index: [0, 0] },
        },
        {
          sentence: { en: "Multiply a one-hot row by all 1000 rows", "zh-CN": "用独热行乘以全部 1000 行" },
          look: {
            en: "One product is not 0. The lookup copies what this sum computes.",
            "zh-CN": "只有一个乘积不是 0。查表直接照抄了这个和。",
          },
          example: tokenIds,
          cell: { node: "product", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "lookup",
          sentence: {
            en: "The ids are 3, 1 and 3. What is the first number of the last vector?",
            "zh-CN": "编号依次是 3、1、3。最后一个向量的第一个数是多少？",
          },
          example: tokenIds,
          changes: [
            { control: "ids", value: "3, 1, 3" },
            { control: "rows", value: "6" },
          ],
          cell: { node: "X", index: [2, 0] },
        },
        {
          stop: "multiply",
          sentence: {
            en: "The one-hot row of id 1 is multiplied by the first column of the table. What do the six products add up to?",
            "zh-CN": "编号 1 的独热行乘以嵌入矩阵的第一列。六个乘积加起来是多少？",
          },
          example: tokenIds,
          changes: [
            { control: "ids", value: "3, 1, 3" },
            { control: "rows", value: "6" },
          ],
          cell: { node: "product", index: [1, 0] },
        },
      ],
    },
    {
      id: "near",
      heading: {
        en: "Cosine similarity: near means the same direction",
        "zh-CN": "余弦相似度：近，就是方向相同",
      },
      paragraphs: [
        {
          stop: "near",
          en: "The cosine similarity of two vectors is their dot product divided by both lengths: 1 in the same direction, 0 at a right angle, −1 in opposite ones. With vectors set by hand, for royal, female and human, cat and dog are alike and far from men.",
          "zh-CN":
            "两个向量的余弦相似度（cosine similarity），是点积除以两者的长度：同向是 1，垂直是 0，反向是 −1。这里的向量是手工给定的，依次是王室、女性、人：猫与狗相近，与人相远。",
        },
        {
          stop: "riddle",
          en: "Differences carry meaning too: king less man plus woman lands on queen: an analogy. When analogies are scored, the three words themselves are left out; otherwise the answer is often one of them.",
          "zh-CN":
            "差也带着意义：国王减男人加女人，正落在女王上：这叫类比（analogy）。评测类比时，题中的三个词不算在内；否则答案常常就是其中之一。",
        },
      ],
      tries: [
        {
          sentence: { en: "See how alike dog and cat are", "zh-CN": "看狗与猫有多像" },
          look: {
            en: "Dot product, divided by the two lengths: 0.967.",
            "zh-CN": "点积除以两个长度：0.967。",
          },
          example: kingAndQueen,
          cell: { node: "table.cosine", index: [4, 5] },
        },
        {
          sentence: { en: "Solve the analogy", "zh-CN": "做这道类比题" },
          look: {
            en: "The two dashed arrows of the map are one and the same difference.",
            "zh-CN": "图上两条虚线是同一个差。",
          },
          example: kingAndQueen,
          cell: { node: "closeness", index: [0, 1] },
        },
      ],
      questions: [
        {
          stop: "near",
          sentence: {
            en: "The vectors of cat and king are both 5 long here. What is their cosine similarity?",
            "zh-CN": "这里猫和国王的向量长度都是 5。它们的余弦相似度是多少？",
          },
          example: kingAndQueen,
          changes: [
            {
              control: "names",
              value: {
                en: "cat 3 4, dog 4 3, king 5 0, queen 0 5",
                "zh-CN": "猫 3 4, 狗 4 3, 国王 5 0, 女王 0 5",
              },
            },
          ],
          cell: { node: "table.cosine", index: [0, 2] },
        },
        {
          stop: "riddle",
          sentence: {
            en: "The last number of a vector says how human the word is. How human is king less man plus woman?",
            "zh-CN": "向量的最后一个数表示这个词有多像人。国王减男人加女人，这个数是多少？",
          },
          example: kingAndQueen,
          cell: { node: "target", index: [0, 2] },
        },
      ],
    },
    {
      id: "word2vec",
      heading: { en: "word2vec: learned from the company words keep", "zh-CN": "word2vec：从词的邻居里学" },
      paragraphs: [
        {
          stop: "predict",
          en: "Word2vec (2013) learns the table from plain text. Skip-gram lets a word predict its neighbours, CBOW lets the neighbours predict the word: two ways to train, not one method combined, as is sometimes written. The vector *query|h* meets the output embedding of every word; softmax makes shares of the scores; the loss asks for the words that are really there.",
          "zh-CN":
            "word2vec（2013）从普通语料里学出嵌入矩阵。skip-gram 由一个词预测邻居，CBOW 由邻居预测这个词：这是两种训练方式，并不像有的教程所说是合在一起的一种。向量 *query|h* 与每个词的输出嵌入做点积，softmax 把分数变成份额，损失要求它对上真正出现的词。",
        },
        {
          stop: "map",
          en: "Words with the same neighbours get the same task, and so nearly the same vector. Nobody told the table which words are royal.",
          "zh-CN": "邻居相同的词，任务相同，向量也就差不多。没有人告诉过嵌入矩阵哪些词属于王室。",
        },
      ],
      tries: [
        {
          sentence: { en: "Watch the words part", "zh-CN": "看词怎样分开" },
          look: {
            en: "All begin in the middle. Two crowds form: the court and the animals.",
            "zh-CN": "起初都在中央。渐渐分成两群：宫廷与动物。",
          },
          example: smallKingdom,
          changes: [{ control: "step", value: "0" }],
          cell: { node: "scores", index: [0, 1] },
          play: true,
        },
        {
          sentence: { en: "Predict the word from its neighbours", "zh-CN": "由邻居预测词" },
          look: {
            en: "CBOW: the mean of the neighbours’ vectors takes the place of the word’s.",
            "zh-CN": "CBOW：邻居向量的均值代替了词自己的向量。",
          },
          example: smallKingdom,
          changes: [{ control: "method", value: "cbow" }],
          cell: { node: "hidden", index: [0, 0] },
        },
      ],
      questions: [
        {
          stop: "map",
          sentence: {
            en: "On the map king and queen lie almost at the same height. How far apart are they?",
            "zh-CN": "国王与女王在图上几乎一样高。它们相距多远？",
          },
          example: "kingdom-on-a-map",
          cell: { node: "table.distance", index: [0, 2] },
        },
        {
          stop: "predict",
          sentence: {
            en: "Training has brought the predicted shares *attention|p* close to *value|q*, the shares of the neighbours in the text. Which share is predicted for queen, beside king?",
            "zh-CN":
              "训练使预测的份额 *attention|p* 接近语料里邻居的份额 *value|q*。国王旁边出现女王，预测的份额是多少？",
          },
          example: smallKingdom,
          cell: { node: "both", index: [0, 2] },
        },
      ],
    },
    {
      id: "negative",
      heading: { en: "Negative sampling: a few wrong words are enough", "zh-CN": "负采样：几个错词就够了" },
      paragraphs: [
        {
          stop: "predict",
          en: "Softmax over a vocabulary of a million words is dear. Negative sampling asks something easier: tell the true neighbour from a few words that are drawn. Each score goes through σ by itself, so the shares need not add up to 1, and the loss trembles, for every step draws anew.",
          "zh-CN":
            "词表有一百万个词时，softmax 计算量太大。负采样（negative sampling）问得更简单：把真正的邻居与抽出的几个词（负样本）分开。每个分数各自经过 σ，所以各项加起来不必是 1；每一步都重新抽，所以损失会抖动。",
        },
      ],
      tries: [
        {
          sentence: { en: "Five negative samples per pair", "zh-CN": "每对五个负样本" },
          look: {
            en: "The loss falls less smoothly; the two crowds form all the same.",
            "zh-CN": "损失降得不那么平滑，两群词照样形成。",
          },
          example: smallKingdom,
          changes: [{ control: "loss", value: "negative" }],
          cell: { node: "scores", index: [0, 1] },
        },
      ],
    },
  ],
  concepts: [
    {
      id: "root-two",
      title: { en: "All equally far", "zh-CN": "都一样远" },
      sentence: {
        en: "Find the distance of two different one-hot rows.",
        "zh-CN": "找到两个不同独热行的距离。",
      },
      done: {
        en: "√2, for these two and for any other two: one-hot rows know no likeness.",
        "zh-CN": "√2，这两个如此，任意两个都如此：独热行不含相似度。",
      },
      happens: (act) => act.kind === "cell" && act.node === "apart.distance" && act.index[0] !== act.index[1],
    },
    {
      id: "order-lost",
      title: { en: "The same bag", "zh-CN": "同一个词袋" },
      sentence: {
        en: "Write two different sentences whose counts are the same.",
        "zh-CN": "写两句不同的话，让它们的计数相同。",
      },
      done: {
        en: "Two sentences, one bag: what is left of the order is nothing.",
        "zh-CN": "两句话，一个词袋：词序什么也没留下。",
      },
      happens(act, { config, snapshots }) {
        const { topic, tokens, other } = config.numbers;
        const typed = act.kind === "change" && (act.control === "tokens" || act.control === "other");
        const differ = tokens.join(" ") !== other.join(" ");
        return (
          typed &&
          topic === "count" &&
          differ &&
          snapshots.get("difference")?.data.every((value) => value === 0) === true
        );
      },
    },
    {
      id: "riddle",
      title: { en: "The answer of the analogy", "zh-CN": "类比的答案" },
      sentence: {
        en: "In the cosines with the answer, find the largest of the words that are not in the analogy, and choose it.",
        "zh-CN": "在与答案的余弦相似度里，找到题中三个词之外最大的那个，选中它。",
      },
      done: {
        en: "You found the nearest of the other words: that is how analogies are scored.",
        "zh-CN": "你找到了其余词里最近的一个：类比就是这样评测的。",
      },
      happens(act, { config, snapshots }) {
        if (act.kind !== "cell" || act.node !== "closeness") return false;
        const { names, analogy } = config.numbers;
        const here = act.index[1] ?? 0;
        const value = valueOf(snapshots, "closeness", act.index);
        return (
          !analogy.includes(here) &&
          names.every((_, at) => analogy.includes(at) || !(valueOf(snapshots, "closeness", [0, at]) > value))
        );
      },
    },
    {
      id: "before-the-first",
      title: { en: "Before the first step", "zh-CN": "第一步之前" },
      sentence: {
        en: "Move the learned vectors back to step 0.",
        "zh-CN": "把学出的向量退回第 0 步。",
      },
      done: {
        en: "Every output embedding is 0 there: all words are predicted alike.",
        "zh-CN": "那里每个输出嵌入都是 0：对所有的词，预测都一样。",
      },
      happens: (act, { config }) =>
        act.kind === "change" &&
        act.control === "step" &&
        config.numbers.topic === "learn" &&
        config.numbers.step === 0,
    },
    {
      id: "own-text",
      title: { en: "A text of your own", "zh-CN": "你自己的语料" },
      sentence: {
        en: "Paste a text of your own, and let it learn.",
        "zh-CN": "贴上你自己的语料，让它学。",
      },
      done: {
        en: "It learned from your words, here in the browser: what lies together kept the same company.",
        "zh-CN": "它在这个浏览器里学了你的语料：聚在一起的词，有着相同的邻居。",
      },
      happens: (act, { config }) =>
        act.kind === "change" && act.control === "text" && config.numbers.topic === "learn",
    },
  ],
};
