// The search of the map: every term leads to a place that exists, and what is searched for is found in both languages.
import { describe, expect, test } from "vitest";
import { decode } from "../../web/config/codec.js";
import { examples } from "../../web/examples/index.js";
import { wordsIn, type Language } from "../../web/i18n/words.js";
import { loadLesson } from "../../web/labs/lessons.js";
import { list } from "../../web/labs/list.js";
import { matchesOf } from "../../web/page/map/documents.js";
import {
  allEntries,
  firstEntries,
  groups,
  nearest,
  search,
  type Entry,
} from "../../web/page/map/search-index.js";
import { terms } from "../../web/page/map/terms.js";

const entries: Record<Language, Entry[]> = {
  en: await allEntries(wordsIn("en")),
  "zh-CN": await allEntries(wordsIn("zh-CN")),
};
const textsOf = (language: Language, sought: string): string[] =>
  search(entries[language], sought).map(({ entry }) => `${entry.group}: ${entry.text}`);

describe("terms", () => {
  test("are many, and none stands twice", () => {
    expect(terms.length).toBeGreaterThan(60);
    for (const language of ["en", "zh-CN"] as const) {
      const names = terms.map((term) => term[language]);
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    }
  });

  test("lead to parts of lessons and to examples of their lab", async () => {
    for (const { en, lab, part, example } of terms) {
      const { parts } = await loadLesson(lab);
      if (part) expect([en, parts.map(({ id }) => id)]).toEqual([en, expect.arrayContaining([part])]);
      const shown = examples.find(({ id }) => id === example);
      expect([en, shown?.config.view.lab]).toEqual([en, example ? lab : undefined]);
    }
  });
});

describe("the search", () => {
  test("lists labs before terms, claims, lessons, examples and documents", () => {
    const found = search(entries.en, "attention");
    const order = found.map(({ entry }) => groups.indexOf(entry.group));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(new Set(order).size).toBe(groups.length - 1);
  });

  test("finds “mask” and “掩码” in either language", () => {
    for (const language of ["en", "zh-CN"] as const)
      for (const sought of ["mask", "Mask ", "掩码"]) {
        const found = search(entries[language], sought);
        const mask = found.find(({ entry }) => entry.group === "terms")!;
        expect([mask.entry.text, mask.entry.other].sort()).toEqual(["mask", "掩码"]);
        const { match } = mask;
        expect(mask.entry[match!.in].slice(match!.from, match!.to).toLowerCase()).toBe(
          sought.trim().toLowerCase(),
        );
        expect(found.length).toBeGreaterThan(5);
      }
  });

  test("finds the claims that training tests, with links to them", () => {
    const [found] = search(entries.en, "residual").filter(({ entry }) => entry.group === "claims");
    const opens = found!.entry.opens as { hash: string };
    const { config, notices } = decode(opens.hash);
    expect(notices).toEqual([]);
    expect(config.numbers).toMatchObject({ task: "reverse", layers: 12 });
    expect(textsOf("zh-CN", "残差").some((text) => text.startsWith("claims: "))).toBe(true);
    for (const other of ["反转", "逆序", "翻转"])
      expect(textsOf("zh-CN", other)).toContain("terms: 学会倒序");
  });

  test("marks where a word begins rather than a place inside another", () => {
    const [found] = search(
      [{ group: "terms", number: "", text: "unmasked mask", other: "", opens: { lab: "attention" } }],
      "mask",
    );
    expect(found!.match).toEqual({ in: "text", from: 9, to: 13 });
  });

  test("finds other names, several words in any order, and the names of documents", () => {
    expect(textsOf("en", "RoPE")).toContain("terms: rotary embedding");
    expect(textsOf("en", "norm layer")).toContain("terms: layer norm");
    expect(textsOf("en", "Transformers in practice")).toEqual([
      "documents: Transformers in practice: self-attention",
    ]);
    expect(textsOf("zh-CN", "四个词")[0]).toMatch(/^examples/);
    expect(textsOf("en", "  ")).toEqual([]);
  });

  test.each([
    [
      "en",
      "is the residual needed?",
      "claims: Without residual connections a deep model cannot learn: the gradient of the first layer vanishes.",
    ],
    ["en", "Where does positional encoding sit?", "terms: positional encoding"],
    ["en", "does attention learn to reverse", "terms: learning to reverse"],
    ["en", "what happens without positions", "claims: Without positions, order cannot be learned."],
    ["en", "do I need warm-up?", "terms: warm-up"],
    ["en", "residual connections necessary", "terms: residual connection"],
    ["zh-CN", "残差连接有必要吗", "claims: 没有残差连接，深层模型学不会：第一层的梯度会消失。"],
    ["zh-CN", "位置编码在哪里？", "terms: 位置编码"],
    ["zh-CN", "softmax是什么", "terms: softmax"],
    ["zh-CN", "什么是dropout", "terms: 随机失活"],
    ["en", "what is positonal encoding", "terms: positional encoding"],
    ["zh-CN", "没有位置编码会怎样", "claims: 没有位置编码，就学不会顺序。"],
    ["zh-CN", "注意力能学会倒序吗", "terms: 学会倒序"],
  ] as const)("answers a question, in %s: %s", (language, question, answer) => {
    const found = textsOf(language, question);
    // So many of each group are listed.
    const [group] = answer.split(":");
    expect(found.filter((text) => text.startsWith(`${group}:`)).slice(0, 5)).toContain(answer);
    expect(found.length).toBeLessThan(20);
  });

  test.each([
    ["en", "reverse a sequence", "examples: Learn to reverse"],
    [
      "en",
      "is the residual needed?",
      "claims: Without residual connections a deep model cannot learn: the gradient of the first layer vanishes.",
    ],
    ["en", "Where does positional encoding sit?", "terms: positional encoding"],
    ["en", "what happens without positions", "claims: Without positions, order cannot be learned."],
    ["en", "do I need warm-up?", "claims: Without warm-up post-norm diverges, and pre-norm does not."],
    ["en", "see shapes", "examples: Watch a model learn to see"],
    ["zh-CN", "没有位置编码会怎样", "claims: 没有位置编码，就学不会顺序。"],
    ["zh-CN", "反转序列", "terms: 学会倒序"],
  ] as const)("the best answer stands first, in %s: %s", (language, question, answer) => {
    expect(textsOf(language, question)[0]).toBe(answer);
  });

  test("takes no name that is written wrong for a question", () => {
    expect(textsOf("en", "softmx")).toEqual([]);
    expect(textsOf("en", "qqqq wwww")).toEqual([]);
  });

  test("names the nearest to what is not there", () => {
    expect(nearest(entries.en, "softmx")!.text).toBe("softmax");
    expect(nearest(entries.en, "perplexety")!.text).toBe("perplexity");
    expect(nearest(entries["zh-CN"], "位值编码")!.text).toContain("位置编码");
    expect(nearest(entries.en, "")).toBeNull();
  });

  test("has labs, examples and documents before anything is fetched", () => {
    const first = firstEntries(wordsIn("en"), null);
    const countOf = (group: Entry["group"]): number => first.filter((entry) => entry.group === group).length;
    expect([countOf("labs"), countOf("examples"), countOf("documents")]).toEqual([
      Object.keys(list).length,
      examples.length,
      5,
    ]);
  });
});

describe("the documents", () => {
  const entryOf = (document: string) =>
    examples
      .filter(({ documents = [] }) => (documents as string[]).includes(document))
      .map(({ printed }) => ({ printed: printed.length, result: null }));

  test("print as many numbers as web/documents says", () => {
    expect(["000", "002", "003", "004"].map((id) => matchesOf(entryOf(id)).total)).toEqual([40, 16, 0, 99]);
    // Ten weights of the first run belong to an example of their own.
    expect(matchesOf(entryOf("001")).total).toBe(30);
  });

  test("are complete when each example with printed numbers is computed", () => {
    const done = { thumbnails: [], matched: 3, total: 4, error: "" };
    expect(matchesOf([{ printed: 4, result: null }]).isComplete).toBe(false);
    expect(
      matchesOf([
        { printed: 4, result: done },
        { printed: 0, result: null },
      ]),
    ).toEqual({
      total: 4,
      matched: 3,
      isComplete: true,
    });
  });
});
