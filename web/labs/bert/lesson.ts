/** The lesson of the BERT lab: three embedding tables, hidden words, context from both sides, the loss, training (sections 3 and 3.1 of "BERT"). */
import { inShownLayer } from "../../config/labs/bert.js";
import { atCell, isLargest, isLargestOfRow, valueOf, type Lesson } from "../../telling/lesson.js";

export const lesson: Lesson<"bert"> = {
  parts: [
    {
      id: "tables",
      heading: { en: "Three rows become one", "zh-CN": "三行合成一行" },
      paragraphs: [
        {
          stop: "embed",
          en: "A place is the sum of three rows: its word embedding *W*, its position embedding *P*, and *S*, the segment embedding of its sentence. All three tables are learnt; none is a formula. The table of positions ends where it ends: BERT’s has 512 rows, and no sentence can be longer.",
          "zh-CN":
            "每个位置是三行之和：词嵌入（word embedding）*W*，位置嵌入（position embedding）*P*，所属句子的片段嵌入（segment embedding）*S*。三个嵌入矩阵都是学来的，没有一个是公式。位置嵌入到哪里为止，句子最长就到哪里：BERT 的有 512 行。",
        },
        {
          stop: "add",
          en: "[CLS] stands before everything: what comes out there serves for the whole. [SEP] ends a sentence. The same word in another place, or in the other sentence, goes in as another row.",
          "zh-CN":
            "[CLS] 站在最前面：那里输出的一行代表整体。[SEP] 结束一个句子。同一个词换个位置，或换到另一句里，输入的就是另一行。",
        },
      ],
      tries: [
        {
          sentence: { en: "See the sum of one place", "zh-CN": "看一个位置的和" },
          look: {
            en: "Follow W+P in the note: word and position were added first, the sentence last.",
            "zh-CN": "顺着算式里的 W+P 走：先加词与位置，最后加句子。",
          },
          cell: { node: "embeddings.with_segments", index: [1, 0] },
        },
        {
          sentence: { en: "Leave the second sentence out", "zh-CN": "去掉第二句" },
          look: {
            en: "One [SEP] is left, and every place has the row of sentence A.",
            "zh-CN": "只剩一个 [SEP]，每个位置都用句子 A 的那一行。",
          },
          changes: [{ control: "second", value: "" }],
          cell: { node: "embeddings.segments", index: [1, 0] },
        },
      ],
      questions: [
        {
          stop: "embed",
          sentence: {
            en: "The word “was” stands in the second sentence. What is the second number of its segment embedding?",
            "zh-CN": "“很”在第二句里。它的片段嵌入的第二个数是多少？",
          },
          example: "masked-mat",
          cell: { node: "embeddings.segments", index: [9, 1] },
        },
        {
          stop: "add",
          sentence: {
            en: "The three rows of the hidden place are added. What is the third number of the sum?",
            "zh-CN": "遮住处的三行相加。和的第三个数是多少？",
          },
          example: "masked-mat",
          cell: { node: "embeddings.with_segments", index: [6, 2] },
        },
        {
          stop: "norm",
          sentence: {
            en: "This number of the sum lies about one deviation above the mean of its row. What does the norm make of it, while the gain is 1 and the bias 0?",
            "zh-CN": "和里的这个数比本行的均值高出约一个标准差。增益为 1、偏置为 0 时，归一化之后它是多少？",
          },
          example: "masked-untrained",
          cell: { node: "embeddings.norm", index: [0, 2] },
        },
      ],
    },
    {
      id: "hide",
      heading: { en: "Self-supervised: the text holds the answer", "zh-CN": "自监督：答案就在文本里" },
      paragraphs: [
        {
          en: "Hide a word, and the text itself holds the answer: a masked language model (MLM). BERT chooses each word with probability 0.15. Of the chosen, 80% become [MASK], 10% any word, 10% stay: in use there is no [MASK], so a model must not learn to rely on it. Asked is only where a word was chosen.",
          "zh-CN":
            "遮住一个词，答案就在文本里：掩码语言模型（masked language model，MLM）。BERT 以 0.15 的概率选中每个词；选中的有 80% 变成 [MASK]，10% 换成任意一个词，10% 不动：使用时没有 [MASK]，模型不该依赖它。只在选中的地方提问。",
        },
      ],
      tries: [
        {
          sentence: { en: "Hide another word", "zh-CN": "换一个词遮住" },
          look: {
            en: "The row of [MASK] goes in at “cat”; position and sentence still say where.",
            "zh-CN": "“猫”处输入的是 [MASK] 的词嵌入；位置嵌入和片段嵌入仍然说出它在哪里。",
          },
          example: "masked-mat",
          changes: [{ control: "hidden", value: { en: "cat", "zh-CN": "猫" } }],
          cell: { node: "embeddings.tokens", index: [2, 0] },
        },
        {
          sentence: { en: "Let BERT’s rule choose", "zh-CN": "让 BERT 的规则来选" },
          look: {
            en: "“it” became another word, and is not found: this model was trained at [MASK] alone. That is why BERT mixes.",
            "zh-CN":
              "“它”被换成了别的词，没有找回来：这个模型只在 [MASK] 处训练过。BERT 混用三种做法，就是为此。",
          },
          example: "masked-drawn",
          cell: { node: "probabilities", index: [0, 8] },
        },
      ],
    },
    {
      id: "both",
      heading: { en: "Left and right", "zh-CN": "左边和右边" },
      paragraphs: [
        {
          stop: "attend",
          en: "A decoder predicts the next word and must not see it. BERT predicts a hidden word and may see all the others: *attention|A* has no mask, and every row looks to both sides. The price: it does not write text from left to right.",
          "zh-CN":
            "解码器预测下一个词，不能先看到它。BERT 预测被遮住的词，其余的都可以看：*attention|A* 没有掩码，每一行都看两边。代价是：它不能从左到右地写文章。",
        },
      ],
      tries: [
        {
          sentence: { en: "See where the hidden word looks", "zh-CN": "看遮住的词在看哪里" },
          look: {
            en: "Arcs go to words before it and after it, even in the other sentence. Choose the place above another word to see its arcs.",
            "zh-CN": "弧线连到前面和后面的词，也连到另一句里。选中另一个词的上方，看它的弧线。",
          },
          example: "both-sides",
          cell: { node: "layers.0.self_attn.weights", index: [1, 6, 9] },
        },
      ],
      questions: [
        {
          stop: "attend",
          sentence: {
            en: "Nothing is masked, so the hidden word divides its attention among three places. How much is left for its own?",
            "zh-CN": "没有掩码，遮住的词把注意力分给三个位置。留给自己的是多少？",
          },
          example: "masked-untrained",
          changes: [
            { control: "second", value: "" },
            { control: "tokens", value: { en: "cat", "zh-CN": "猫" } },
            { control: "heads", value: "1" },
            { control: "dim", value: "2" },
          ],
          cell: { node: "layers.0.self_attn.weights", index: [0, 1, 1] },
        },
      ],
    },
    {
      id: "predict",
      heading: { en: "Which word fits?", "zh-CN": "哪个词合适？" },
      paragraphs: [
        {
          stop: "predict",
          en: "What comes out at a place goes through one more small layer, *H*, and meets every row of the word embeddings: the table that put words in takes them out again. Softmax makes probabilities of these logits. The loss is −log of the probability of the true word, averaged over the hidden places only.",
          "zh-CN":
            "一个位置输出的行再过一个小层，成为 *H*，然后与词嵌入矩阵的每一行做点积：输入用的矩阵，也用来输出。softmax 把这些 logits 变成概率。损失是原词概率的 −log，只在遮住的位置上平均。",
        },
      ],
      tries: [
        {
          sentence: { en: "See the logit of the true word", "zh-CN": "看原词的 logit" },
          look: {
            en: "The row of the hidden place times the row of “mat” in the table, plus a bias.",
            "zh-CN": "遮住处的输出乘以“垫子”的词嵌入，再加偏置。",
          },
          example: "masked-mat",
          cell: { node: "logits", index: [6, 7] },
        },
      ],
      questions: [
        {
          stop: "layer",
          sentence: {
            en: "After the last norm of the layer a row has mean 0, as long as gain and bias are untrained. What is the fourth number of this row?",
            "zh-CN":
              "增益与偏置还没有训练时，层里最后一次归一化之后，一行的均值是 0。这一行的第四个数是多少？",
          },
          example: "masked-untrained",
          changes: [
            { control: "second", value: "" },
            { control: "tokens", value: { en: "cat", "zh-CN": "猫" } },
            { control: "dim", value: "4" },
          ],
          cell: { node: "layers.0.norm2", index: [1, 3] },
        },
        {
          stop: "predict",
          sentence: {
            en: "The row *H* of the hidden place is 1 and −1 here, and every bias is 0. What is the logit of the word that was hidden?",
            "zh-CN": "这里遮住处的 *H* 是 1 与 −1，偏置都是 0。被遮住的词的 logit 是多少？",
          },
          example: "masked-untrained",
          changes: [
            { control: "second", value: "" },
            { control: "tokens", value: { en: "cat", "zh-CN": "猫" } },
            { control: "heads", value: "1" },
            { control: "dim", value: "2" },
          ],
          cell: { node: "logits", index: [1, 3] },
        },
        {
          stop: "score",
          sentence: {
            en: "Softmax divides 1 among the four words of the vocabulary. How much does the third, [MASK], get?",
            "zh-CN": "softmax 把 1 分给词表里的四个词。第三个词 [MASK] 分到多少？",
          },
          example: "masked-untrained",
          changes: [
            { control: "second", value: "" },
            { control: "tokens", value: { en: "cat", "zh-CN": "猫" } },
            { control: "heads", value: "1" },
            { control: "dim", value: "2" },
          ],
          cell: { node: "probabilities", index: [0, 2] },
        },
      ],
    },
    {
      id: "train",
      heading: { en: "What training does", "zh-CN": "训练做了什么" },
      paragraphs: [
        {
          stop: "score",
          en: "With parameters as drawn the guess is as good as any. Here Adam takes up to 40 steps on these two sentences alone, each hiding every word once: the model learns them by heart. BERT itself read 3.3 billion words; there is too much to learn by heart, and what helps is to understand.",
          "zh-CN":
            "参数刚随机初始化时，猜什么都一样。这里 Adam 只在这两句话上训练最多 40 步，每步把每个词各遮一次：模型是把它们背下来了。BERT 读的是 33 亿个词；多到背不下来，只能去理解。",
        },
      ],
      tries: [
        {
          sentence: { en: "Before any training", "zh-CN": "训练之前" },
          look: {
            en: "The likeliest word is a wrong one, and no word is likely.",
            "zh-CN": "最可能的是个错词，而且哪个词都不太可能。",
          },
          example: "masked-untrained",
          cell: { node: "probabilities", index: [0, 7] },
        },
        {
          sentence: { en: "After 20 steps", "zh-CN": "20 步之后" },
          look: {
            en: "The word is found. Drag the handle along the loss, and see how it came about.",
            "zh-CN": "词找到了。沿着损失曲线拖动滑块，看它是怎样找到的。",
          },
          example: "masked-mat",
          cell: { node: "probabilities", index: [0, 7] },
        },
        {
          sentence: { en: "Train a BERT on many sentences", "zh-CN": "用很多句子训练一个 BERT" },
          look: {
            en: "4320 sentences, so that most of what it finds it did not learn by heart. At the end of the run its model can be opened here.",
            "zh-CN": "4320 个句子，找到的词大多不是背下来的。训练结束后，可以在这里打开它的模型。",
          },
          example: "learn-hidden-words",
          play: true,
        },
      ],
    },
  ],
  concepts: [
    {
      id: "hide",
      title: { en: "Hide a word", "zh-CN": "遮住一个词" },
      sentence: { en: "Choose other words to hide.", "zh-CN": "换几个词遮住。" },
      done: {
        en: "The row of [MASK] went in; only position and sentence tell hidden places apart.",
        "zh-CN": "输入的是 [MASK] 的词嵌入；能区分各个遮住处的，只有位置嵌入和片段嵌入。",
      },
      happens: (act) => act.kind === "change" && act.control === "hidden",
    },
    {
      id: "both-sides",
      title: { en: "Both sides", "zh-CN": "两边都看" },
      sentence: {
        en: "In *attention|A*, find a weight with which a place looks at a later one, and choose it.",
        "zh-CN": "在 *attention|A* 里找一个看向后面位置的权重，选中它。",
      },
      done: {
        en: "It is not 0: nothing hides what comes later.",
        "zh-CN": "它不是 0：没有什么遮住后面的词。",
      },
      happens: (act, { config, snapshots }) =>
        act.kind === "cell" &&
        act.node === inShownLayer(config.numbers, "self_attn.weights") &&
        act.index[2]! > act.index[1]! &&
        valueOf(snapshots, act.node, act.index) > 0,
    },
    {
      id: "found",
      title: { en: "The likeliest word", "zh-CN": "最可能的词" },
      sentence: {
        en: "At the step “score”, find the likeliest word of a hidden place, and choose it.",
        "zh-CN": "在“评分”这一步，找到一个遮住处最可能的词，选中它。",
      },
      done: {
        en: "You found what BERT would say, and the logits that made it.",
        "zh-CN": "你找到了 BERT 会说的词，以及算出它的 logits。",
      },
      happens: atCell("probabilities", isLargestOfRow),
    },
    {
      id: "segment",
      title: { en: "A row that says “second sentence”", "zh-CN": "表示“第二句”的一行" },
      sentence: {
        en: "Find the largest number of the segment embeddings *S*, and choose it.",
        "zh-CN": "在片段嵌入 *S* 里找到最大的数，选中它。",
      },
      done: {
        en: "All places of a sentence have the same row: it says which sentence, and nothing else.",
        "zh-CN": "同一句的各个位置都是同一行：它只说属于哪一句。",
      },
      happens: atCell("embeddings.segments", isLargest),
    },
    {
      id: "untrained",
      title: { en: "Before and after", "zh-CN": "之前与之后" },
      sentence: {
        en: "Set the steps of training to another number, and watch what is found.",
        "zh-CN": "换一个训练步数，看找回的是什么。",
      },
      done: {
        en: "Every step made the true words a little likelier.",
        "zh-CN": "每训练一步，原词就更可能一点。",
      },
      happens: (act, { config, was }) =>
        act.kind === "change" && act.control === "trained" && config.numbers.trained !== was.numbers.trained,
    },
  ],
};
