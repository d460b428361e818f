// The page's strings: every lab uses the field's terms, "weights" has one meaning, and Chinese is spaced correctly after its slots are filled.
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { LabId } from "../../web/config/config.js";
import { examples } from "../../web/examples/index.js";
import { whole as en } from "../../web/i18n/en/whole.js";
import { spaceBetween, ownStrings, wordsIn, type Language } from "../../web/i18n/words.js";
import { whole as zhCN } from "../../web/i18n/zh-CN/whole.js";
import { plainProse } from "../../web/elements/prose.js";
import { fillTemplate, plainText } from "../../web/elements/note/places.js";
import type { Lesson } from "../../web/telling/lesson.js";
import { inLanguage, type Translated } from "../../web/telling/translations.js";
import { loadLesson } from "../../web/labs/lessons.js";
import { labIds } from "../../web/config/labs.js";

type Table = Readonly<Record<string, string>>;

const languages: Language[] = ["en", "zh-CN"];
const web = resolve(import.meta.dirname, "../../web");
const labFolders = (readdirSync(join(web, "labs"), { recursive: true }) as string[])
  .filter((name) => name.endsWith("/en.ts"))
  .map((name) => dirname(name));

/** Where strings are defined: those of the page, of parts loaded on demand, and of labs that have their own. */
const tables = new Map<string, Record<Language, Table>>([["page", { en, "zh-CN": zhCN }]]);
for (const place of [
  "page/take",
  "page/embed",
  "page/offline",
  "page/shows",
  "bench/page",
  "stage/graph",
  ...labFolders.map((one) => `labs/${one}`),
]) {
  const [english, chinese] = await Promise.all(
    languages.map(async (language) => {
      const module = (await import(join(web, place, `${language}.ts`))) as Record<string, Table>;
      return Object.values(module)[0]!;
    }),
  );
  tables.set(place, { en: english!, "zh-CN": chinese! });
}

const lessons = new Map<LabId, Lesson<LabId>>();
for (const lab of labIds) lessons.set(lab, await loadLesson(lab));

function textsOf({ parts, concepts }: Lesson<LabId>): Translated[] {
  return [
    ...parts.flatMap(({ heading, paragraphs, table, tries = [], questions = [] }) => [
      heading,
      ...paragraphs,
      ...(table ? [table.caption, ...table.head, ...table.rows.flat()] : []),
      ...tries.flatMap(({ sentence, look }) => [sentence, look]),
      ...questions.map(({ sentence }) => sentence),
    ]),
    ...concepts.flatMap(({ title, sentence, done }) => [title, sentence, done]),
  ];
}

/** Every string of a language, each with its place. */
function strings(language: Language): [string, string][] {
  return [
    ...[...tables].flatMap(([place, table]) =>
      Object.entries(table[language]).map(([key, text]): [string, string] => [`${place} ${key}`, text]),
    ),
    ...[...lessons].flatMap(([lab, lesson]) =>
      textsOf(lesson).map((said): [string, string] => [
        `lesson ${lab}`,
        plainProse(inLanguage(said, language)),
      ]),
    ),
    ...examples.flatMap(({ id, title, about, source }) =>
      [title, about, source].map((said): [string, string] => [`example ${id}`, said[language]]),
    ),
  ];
}

const found = (language: Language, pattern: RegExp): [string, string][] =>
  strings(language).filter(([, text]) => pattern.test(text));

test("no string names a document that a reader cannot open", () => {
  for (const language of languages) expect(found(language, /documents? 00\d|文档 ?00\d/i)).toEqual([]);
});

test("the word 'weights' means attention weights: learned matrices are projections, learned numbers parameters", () => {
  const learned =
    /\b(query|key|value|output|score|projection|trained|random|drawn|learned|integer|normal|feed-forward|widening|narrowing|these) weights?\b|\bweights? (as (they were )?drawn|of variance|divided by √)/i;
  expect(found("en", learned)).toEqual([]);
  expect(
    found("zh-CN", /(查询|键|值|输出|打分|投影|随机|训练好|抽取|变宽|变窄|正态|整数)的?权重|权重(矩阵|取自)/),
  ).toEqual([]);
});

test("texts about pointing are true for touch and for a mouse", () => {
  expect(found("en", /\bhover|\bpoint at\b|\bstay on\b|double.click to/i)).toEqual([]);
  expect(found("zh-CN", /指向(?!上坡)|停在.*上。|悬停/)).toEqual([]);
});

describe("Chinese", () => {
  const touching = /\p{Script=Han}[A-Za-z\d]|[A-Za-z\d]\p{Script=Han}|\d %/u;

  test("is spaced from Latin letters and digits in every string", () => {
    expect(found("zh-CN", touching)).toEqual([]);
  });

  test("is spaced from the value of a slot, whatever it is", () => {
    for (const [place, table] of tables) {
      const words = ownStrings(wordsIn("zh-CN"), table as Record<Language, Record<string, string>>);
      for (const [key, text] of Object.entries(table["zh-CN"])) {
        const slots = [...text.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot!);
        for (const sample of ["Q", "3", "词", "词 3"]) {
          const said = words(key, Object.fromEntries(slots.map((slot) => [slot, sample])));
          expect([place, key, said, touching.test(said)]).toEqual([place, key, said, false]);
        }
      }
    }
  });

  test("has a space exactly where a slot's value needs one", () => {
    expect(spaceBetween("的", "Q")).toBe(" ");
    expect(spaceBetween("√3", "的")).toBe(" ");
    expect(spaceBetween("<end>", "之后")).toBe(" ");
    for (const [before, after] of [
      ["", "Q"],
      ["的", "词"],
      ["“", "Q"],
      ["的", "，"],
      ["of", "Q"],
      ["的 ", "Q"],
    ])
      expect(spaceBetween(before!, after!)).toBe("");
    expect(
      plainText(fillTemplate("{name}的第 {number} 列", { name: [{ text: "W", sub: "Q" }], number: ["0"] })),
    ).toBe("W_Q 的第 0 列");
    expect(plainText(fillTemplate("{name}的第 {number} 列", { name: ["查询"], number: ["0"] }))).toBe(
      "查询的第 0 列",
    );
  });
});

test("names of settings contain their symbols", () => {
  for (const table of [en, zhCN]) {
    expect(table["labs.field.dim"]).toMatch(/d_model$/);
    expect(table["labs.field.keyDim"]).toMatch(/d_k$/);
    expect(table["labs.field.valueDim"]).toMatch(/d_v$/);
    expect(table["labs.field.heads"]).toMatch(/h$/);
    expect(table["labs.field.headWidth"]).toMatch(/d_k$/);
  }
});

/** The standard terms that each lab must use, in its lesson or on its stage. */
const terms: Record<LabId, readonly [en: string, zh: string][]> = {
  training: [
    ["cross entropy", "交叉熵（cross entropy）"],
    ["held-out examples", "验证集（held-out examples）"],
    ["positional encoding", "位置编码（positional encoding）"],
    ["residual connection", "残差连接（residual connection）"],
    ["learning rate", "学习率"],
  ],
  words: [
    ["word embedding", "词嵌入（word embedding）"],
    ["One-hot", "独热（one-hot）"],
    ["bag of words", "词袋（bag of words）"],
    ["cosine similarity", "余弦相似度（cosine similarity）"],
    ["analogy", "类比（analogy）"],
    ["negative sampling", "负采样（negative sampling）"],
  ],
  attention: [
    ["scaled dot-product attention", "缩放点积注意力（scaled dot-product attention）"],
    ["additive attention", "加性注意力（additive attention）"],
    ["masked self-attention", "掩码自注意力"],
    ["causal mask", "因果掩码（causal mask）"],
    ["cross attention", "交叉注意力（cross attention）"],
  ],
  scaling: [
    ["scaled dot-product attention", "缩放点积注意力（scaled dot-product attention）"],
    ["saturates", "饱和（saturation）"],
    ["gradient vanishes", "梯度消失（vanishing gradient）"],
    ["variance σ²", "方差（variance）σ²"],
    ["entropy H", "熵（entropy）H"],
    ["trace J", "迹 J"],
  ],
  "multi-head": [
    ["Multi-head attention", "多头注意力（multi-head attention）"],
    ["concatenated", "拼接（concatenate）"],
    ["output projection", "输出投影"],
  ],
  positions: [
    ["positional encoding", "位置编码（positional encoding）"],
    ["position embedding", "位置嵌入（position embedding）"],
    ["RoPE", "旋转位置编码（RoPE）"],
    ["ALiBi", "线性偏置（ALiBi）"],
    ["equivariant", "等变（equivariance）"],
  ],
  vit: [
    ["patch embedding", "图块嵌入（patch embedding）"],
    ["class token, CLS", "分类词元（class token，CLS）"],
    ["position embedding", "位置嵌入（position embedding）"],
    ["residual connection", "残差连接（residual connection）"],
    ["attention rollout", "注意力展开（attention rollout）"],
    ["Pre-LN", "前归一化（Pre-LN）"],
  ],
  bert: [
    ["word embedding", "词嵌入（word embedding）"],
    ["position embedding", "位置嵌入（position embedding）"],
    ["segment embedding", "片段嵌入（segment embedding）"],
    ["masked language model (MLM)", "掩码语言模型（masked language model，MLM）"],
    ["Self-supervised", "自监督"],
    ["residual connection", "残差连接（residual connection）"],
  ],
  block: [
    ["residual connection", "残差连接（residual connection）"],
    ["post-layer norm, Post-LN", "后归一化（Post-LN）"],
    ["pre-layer norm, Pre-LN", "前归一化（Pre-LN）"],
    ["feed-forward network", "前馈网络（feed-forward network）"],
    ["Layer norm", "层归一化（layer normalization）"],
    ["Dropout", "随机失活（dropout）"],
    ["word embedding", "词嵌入（word embedding）"],
  ],
  "encoder-decoder": [
    ["masked self-attention", "掩码自注意力（masked self-attention）"],
    ["cross attention", "交叉注意力（cross attention）"],
    ["KV cache", "KV 缓存（KV cache）"],
    ["autoregressive", "自回归（autoregressive）"],
    ["Greedy decoding", "贪心解码（greedy decoding）"],
    ["scaled dot-product attention", "缩放点积注意力（scaled dot-product attention）"],
  ],
  losses: [
    ["cross entropy", "交叉熵（cross entropy）"],
    ["surprise (surprisal)", "信息量（惊异度，surprisal）"],
    ["Label smoothing", "标签平滑（label smoothing）"],
    ["KL divergence", "KL 散度（KL divergence）"],
    ["Dropout", "随机失活（dropout）"],
  ],
  optimizers: [
    ["Momentum", "动量法（Momentum）"],
    ["bias correction", "偏差校正（bias correction）"],
    ["gradient descent", "梯度下降（gradient descent）"],
    ["warm-up", "预热（warmup）"],
  ],
  complexity: [
    ["Complexity per layer", "每层复杂度"],
    ["Sequential operations", "顺序操作数"],
    ["Restricted self-attention", "受限自注意力（restricted self-attention）"],
  ],
};

test.each(Object.entries(terms))("%s uses the field's terms in both languages", (lab, names) => {
  const lesson = textsOf(lessons.get(lab as LabId)!);
  const stage = tables.get(`labs/${lab}`);
  languages.forEach((language, place) => {
    const texts = [
      ...lesson.map((one) => plainProse(inLanguage(one, language))),
      ...Object.values(stage?.[language] ?? {}),
    ].join("\n");
    for (const name of names)
      expect([name[place], texts.includes(name[place]!)]).toEqual([name[place], true]);
  });
});
