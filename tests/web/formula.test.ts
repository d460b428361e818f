// Formulas at build time: TeX becomes a MathML tree that the page's security policy allows.
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { formulaFrom, parseMathml, symbolsOf } from "../../web/build/formula-plugin.js";
import { wordsIn } from "../../web/i18n/words.js";
import { formulaText } from "../../web/marks/formula-text.js";
import type { FormulaNode } from "../../web/marks/formula.js";

import { labs } from "./labs-sessions.js";

const folder = resolve(import.meta.dirname, "../../web/labs");

function attributesIn(node: FormulaNode): string[] {
  if (typeof node === "string") return [];
  return [...Object.keys(node.attributes), ...node.children.flatMap(attributesIn)];
}
const textOf = (node: FormulaNode): string =>
  typeof node === "string" ? node : node.children.map(textOf).join("");

describe("the attention formula", () => {
  test("comes through the plugin with its symbols in reading order", () => {
    const { attention } = labs.attention.formulas;
    expect(attention?.tag).toBe("math");
    expect(attention && symbolsOf(attention)).toEqual(["O", "A", "Q", "K", "dk", "V"]);
    expect(attention && textOf(attention)).toBe("O=softmax(QKTdk)V");
  });
});

test("a formula has a spoken form", () => {
  const { attention } = labs.attention.formulas;
  expect(formulaText(attention!, wordsIn("en"))).toBe("O = softmax(Q K transposed / square root of d_k) V");
  expect(formulaText(attention!, wordsIn("zh-CN"))).toBe("O = softmax(Q K 的转置 / d_k 的平方根) V");
  const { noam } = labs.optimizers.formulas;
  expect(formulaText(noam!, wordsIn("en"))).toBe(
    "η = min(1 / square root of t d, t / w square root of w square root of d)",
  );
  for (const { formulas } of Object.values(labs))
    for (const formula of Object.values(formulas))
      expect(formulaText(formula, wordsIn("en"))).not.toMatch(/[\u2061-\u2064\s]{2}|_ |\^ |undefined/);
});

test("every .tex of the labs is in a formula of the page, without styles", () => {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
    name.endsWith(".tex"),
  );
  expect(files.length).toBeGreaterThan(0);
  const shown = Object.values(labs).flatMap(({ formulas }) =>
    Object.values(formulas).map((formula) => JSON.stringify(formula)),
  );
  for (const name of files) {
    const math = formulaFrom(readFileSync(join(folder, name), "utf8"), name);
    // A formula of its own, or a line of a formula with several lines.
    const lines = JSON.stringify(math.children);
    expect(
      shown.some((formula) => formula.includes(lines)),
      name,
    ).toBe(true);
    expect(attributesIn(math), name).not.toContain("style");
    expect(symbolsOf(math).length, name).toBeGreaterThan(0);
  }
});

test("classes of symbols become names, other classes stay", () => {
  expect(
    parseMathml(
      '<math class="tml-display sym-Q" style="color:red"><mi>a &lt; &#x62;</mi><mspace width="1em" /></math>',
    ),
  ).toEqual({
    tag: "math",
    symbol: "Q",
    attributes: { class: "tml-display" },
    children: [
      { tag: "mi", attributes: {}, children: ["a < b"] },
      { tag: "mspace", attributes: { width: "1em" }, children: [] },
    ],
  });
});

describe("mistakes name the file", () => {
  test.each([
    ["\\frac{a", /^bad\.tex: /],
    ["\\unknowncommand", /^bad\.tex: .*unknowncommand/],
    ["\\class{sym-d_k}{d}", /^bad\.tex: .*"d_k" is not letters and digits/],
    ["\\href{https://example.org}{a}", /^bad\.tex: /],
  ])("%s", (tex, message) => {
    expect(() => formulaFrom(tex, "/somewhere/bad.tex")).toThrow(message);
  });

  test("tags that do not match", () => {
    expect(() => parseMathml("<math><mi>a</math>")).toThrow("</math> where <mi> is open");
    expect(() => parseMathml("<mi>a</mi>")).toThrow("expected one <math>");
    expect(() => parseMathml("</math>")).toThrow();
  });
});
