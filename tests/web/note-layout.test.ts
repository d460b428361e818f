// The layout of the note: every row that the core can return has a label and is in the right column.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { wordsIn } from "../../web/i18n/words.js";
import type { Key } from "../../web/i18n/words.js";
import { note as english } from "../../web/i18n/en/note.js";
import { note as chinese } from "../../web/i18n/zh-CN/note.js";
import { layoutOf } from "../../web/elements/note/layout.js";
import type { NoteLine } from "../../web/elements/note/layout.js";
import { plainText } from "../../web/elements/note/places.js";
import { opNames, ops, rowWording } from "../../web/elements/note/rows.js";
import { opCases } from "./note-op-cases.js";
import { explained, nodeWords, root, row, score, weight } from "./note-words.js";

const words = wordsIn("en");

/** A line as text: "× key of word 3 | 2 | 4 | 3"; operators follow their numbers. */
function read(line: NoteLine): string {
  const label = `${line.sign ? `${line.sign} ` : ""}${plainText(line.label)}`;
  return [label, ...line.cells.map((cell) => `${cell.text}${cell.after ? ` ${cell.after}` : ""}`)].join(
    " | ",
  );
}
const readAll = (explanation: Parameters<typeof layoutOf>[0], language: "en" | "zh-CN" = "en") =>
  layoutOf(explanation, nodeWords, wordsIn(language)).lines.map(read);

/** (op, role) pairs of the table "Explanations" in web/core/README.md. */
function documentedRoles(): [string, string][] {
  const text = readFileSync(resolve(import.meta.dirname, "../../web/core/README.md"), "utf8");
  const [, section = ""] = /### Explanations\n([^]*?)\n##/.exec(text) ?? [];
  return section
    .split("\n")
    .filter((line) => /^\| (?!op|---)/.test(line))
    .flatMap((line) => {
      const [, names = "", rows = ""] = line.split("|");
      const roles = [...rows.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? "");
      return names
        .replace(/\(.*\)/, "")
        .split(",")
        .flatMap((op) => roles.map((role): [string, string] => [op.trim(), role]));
    });
}

describe("words", () => {
  test("every documented row has a label, every operation a name", () => {
    const documented = documentedRoles();
    expect(documented.length).toBeGreaterThan(50);
    const missing = documented.filter(([op, role]) => !ops[op]?.rows[role] || !opNames[op]);
    expect(missing).toEqual([]);
  });

  test("every key of the tables exists in both languages, and both have the same keys and slots", () => {
    const used = new Set<string>(Object.values(opNames));
    for (const { rows, say, foot } of Object.values(ops)) {
      for (const key of [say, foot]) if (key) used.add(key);
      for (const { label, text, loose } of Object.values(rows)) {
        for (const key of [...(typeof label === "object" ? label : []), ...(text ?? []), loose])
          if (key) used.add(key);
      }
    }
    expect([...used].filter((key) => !(key in english))).toEqual([]);
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
    const slots = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
    for (const key of Object.keys(english) as (keyof typeof english)[]) {
      expect(slots(chinese[key]), key).toEqual(slots(english[key]));
    }
  });

  test("a role that is not in the table keeps its numbers, under its own name", () => {
    expect(rowWording("matmul", "novel").show).toBe("terms");
    expect(readAll(explained("matmul", "scores", [0, 0], [row("novel", [1, 2], { value: 3 })]))).toEqual([
      "novel | 1 | 2",
    ]);
  });
});

describe("products", () => {
  test("three terms end in = and the result, in the column after them", () => {
    const layout = layoutOf(score, nodeWords, words);
    expect(layout.lines.map(read)).toEqual([
      "query of word 1 | 2 | 0 | 2",
      "× key of word 3 | 2 | 4 | 3",
      "products | 4 + | 0 + | 6 = | 10",
    ]);
    expect(layout.lines.map((line) => line.cells.map((cell) => cell.column))).toEqual([[0, 1, 2], [0, 1, 2], [0, 1, 2, 3]]);
    expect(layout.lines.map((line) => [line.tone, line.hasRule])).toEqual([["query", false], ["key", false], [null, true]]);
    expect(layout.lines[1]?.cells[2]?.operand).toEqual({ node: "K_T", index: [2, 2] });
    expect(layout.lines[2]?.cells.every((cell) => cell.operand === null)).toBe(true);
    expect(layout).toMatchObject({ address: "scores[0, 2]", words: "word 1 asks word 3", columns: 4, missesSum: false });
    expect(layout.sentence).toBe("10 = query of word 1 times key of word 3, summed");
    expect(layout.from.map(({ node, index }) => ({ node, index }))).toEqual([{ node: "Q", index: [0, 2] }, { node: "K_T", index: [0, 2] }]);
  }); // prettier-ignore

  test("four terms put the sum on its own line; a note says when the shown terms miss it", () => {
    const shares = [0.23608986, 0.00738987, 0.7491304, 0.00738987];
    const output = explained("matmul", "output", [0, 1], [
      row("row", shares.map((share, j) => ["weights", [0, j], share])),
      row("column", [1, 1, 2, 0].map((value, j) => ["V", [j, 1], value])),
      row("products", [0.23608986, 0.00738987, 1.4982608, 0], { value: 1.74174053 }),
    ]); // prettier-ignore
    const layout = layoutOf(output, nodeWords, words);
    expect(layout.lines.map(read)).toEqual([
      "weight of word 1 | 0.236 | 0.007 | 0.749 | 0.007",
      "× values, column 1 | 1 | 1 | 2 | 0",
      "products | 0.236 + | 0.007 + | 1.498 + | 0",
      "sum | 1.742",
    ]);
    expect(layout.missesSum).toBe(true);
    expect(layout.lines[3]).toMatchObject({ spansColumns: true, hasRule: false });
  });

  test("a long sum shows how many terms it omits, once, and their partial sum", () => {
    const long = explained("matmul", "output", [0, 0], [
      row("row", [["concat", [0, 0], -5.2713], ["concat", [0, 1], -0.6821], ["concat", [0, 127], 22.4711]], { rest: { count: 125 } }),
      row("column", [["W_O", [0, 0], 1.7263], ["W_O", [1, 0], 0.7952], ["W_O", [127, 0], 1.0129]], { rest: { count: 125 } }),
      row("products", [-9.1, -0.5424, 22.761], { rest: { count: 125, value: -105.0841 }, value: -91.96555916 }),
    ]); // prettier-ignore
    const layout = layoutOf(long, nodeWords, words);
    expect(layout.lines.map(read)).toEqual([
      "concat, row 0 | −5.271 | −0.682 | 125 more | 22.471",
      "× W_O, column 0 | 1.726 | 0.795 | 1.013",
      "products | −9.100 + | −0.542 + | −105.084 + | 22.761",
      "sum | −91.966",
    ]);
    expect(layout.lines[0]?.cells[2]?.kind).toBe("rest");
    expect(layout.lines[1]?.cells.map((cell) => cell.column)).toEqual([0, 1, 3]);
    expect(layout).toMatchObject({ hidden: 125, total: 128, columns: 4, places: ["0", "1", "", "127"] });
  });

  test("a linear layer adds its bias after the products and reads the weight by rows", () => {
    const linear = explained("linear", "output", [0, 1], [
      row("row", [["Q", [0, 0], 0.5], ["Q", [0, 1], -0.25]]),
      row("column", [["W_O", [1, 0], 1.5], ["W_O", [1, 1], 0.125]]),
      row("bias", [["bias", [1], 0.11]]),
      row("products", [0.75, -0.03125], { value: 0.82875 }),
    ]); // prettier-ignore
    expect(readAll(linear)).toEqual([
      "query of word 1 | 0.500 | −0.250",
      "× W_O, row 1 | 1.500 | 0.125",
      "products | 0.750 + | −0.031",
      "+ bias | 0.110",
      "sum | 0.829",
    ]);
  });

  test("a product of one term still names its row and its column", () => {
    const one = explained(
      "matmul",
      "scores",
      [0, 2],
      [
        row("row", [["Q", [0, 0], 2]]),
        row("column", [["K_T", [0, 2], 3]]),
        row("products", [6], { value: 6 }),
      ],
    );
    expect(readAll(one)).toEqual(["query of word 1 | 2", "× key of word 3 | 3", "products | 6 = | 6"]);
  });

  test("the rows of a reshaped matrix are named by the axes that they do not run along", () => {
    const grid = ["row 0", "row 1"];
    const named = { ...nodeWords("M"), single: "weight", axes: [grid, grid, grid, grid] };
    const reshaped = explained("matmul", "stretched", [1, 0, 3], [
      row("row", [["M", [1, 0, 0, 0], 0.5], ["M", [1, 0, 0, 1], 0.25], ["M", [1, 0, 1, 0], 0.25]]),
      row("column", [["G", [0, 0, 3], 2], ["G", [0, 1, 3], 4], ["G", [1, 0, 3], 8]]),
      row("products", [1, 1, 2], { value: 4 }),
    ]); // prettier-ignore
    const of = (node: string) => (node === "M" ? named : { ...nodeWords(node), single: "position" });
    const layout = layoutOf(reshaped, of, words);
    expect(layout.lines.map(read).slice(0, 2)).toEqual([
      "weight of row 1, row 0 | 0.500 | 0.250 | 0.250",
      "× number 3 of each position | 2 | 4 | 8",
    ]);
    expect(layout.places).toEqual(["row 0, row 0", "row 0, row 1", "row 1, row 0"]);
  });

  test("fused attention has a label for the weights, which are in no tensor", () => {
    const fused = explained("attention", "output", [0, 1], [row("weights", [0.25, 0.75]), row("value", [["V", [0, 1], 1], ["V", [1, 1], 2]]), row("products", [0.25, 1.5], { value: 1.75 })]); // prettier-ignore
    expect(readAll(fused)).toEqual([
      "attention weights | 0.250 | 0.750",
      "× values, column 1 | 1 | 2",
      "products | 0.250 + | 1.500 = | 1.750",
    ]);
  });

  test("the second number of a rotary pair uses sin, cos", () => {
    const turned = explained("rotary", "rotated", [1, 1], [row("angle", [["positions", [1], 1], 1], { value: 1 }), row("pair", [["Q", [1, 0], 0.9], ["Q", [1, 1], 0.33]]), row("cos_sin", [0.5403, 0.8415]), row("products", [0.7573, 0.1783], { value: 0.9356 })]); // prettier-ignore
    expect(readAll(turned).slice(1)).toEqual([
      "query of word 2 | 0.900 | 0.330",
      "× sin, cos | 0.842 | 0.540",
      "products | 0.757 + | 0.178 = | 0.936",
    ]);
  });

  test("a given number is called typed in only after an edit", () => {
    const given = explained("leaf", "X", [0, 2], [row("typed", [2], { value: 2 })]);
    expect(layoutOf(given, nodeWords, words, { edited: true }).lines.map(read)).toEqual(["typed in | 2"]);
  });

  test("links to sources keep the cell's index, else lead to the first cell", () => {
    const sources = [
      { node: "scaled", from: [0, 0], to: [0, 3] },
      { node: "V", from: [1, 2], to: [3, 2] },
    ];
    expect(layoutOf({ ...weight, sources }, nodeWords, words).from.map(({ index }) => index)).toEqual([
      weight.index,
      [1, 2],
    ]);
  });

  test("rotary multiplies its two numbers by cos and sin", () => {
    const turned = explained("rotary", "rotated", [1, 0], [row("angle", [["positions", [1], 1], 1], { value: 1 }), row("pair", [["Q", [1, 0], 0.9], ["Q", [1, 1], 0.33]]), row("cos_sin", [0.5403, 0.8415]), row("products", [0.4863, -0.2777], { value: 0.2086 })]); // prettier-ignore
    expect(readAll(turned)).toEqual([
      "1 ÷ 1 | 1",
      "query of word 2 | 0.900 | 0.330",
      "× cos, −sin | 0.540 | −0.842",
      "products | 0.486 + | −0.278 = | 0.209",
    ]);
  });
});

describe("softmax", () => {
  test("names its columns and sets the cell's own in bold, with the result in its column", () => {
    const named = (node: string) =>
      node === "scaled" ? { ...nodeWords("weights"), name: "scaled" } : nodeWords(node);
    const layout = layoutOf(weight, named, words);
    expect(layout.lines.map(read)).toEqual([
      " | word 1 | word 2 | word 3 | word 4",
      "scaled | 4.619 | 1.155 | 5.774 | 1.155",
      "− largest | −1.155 | −4.619 | 0 | −4.619",
      "exp, Σ = 1.335 | 0.315 | 0.010 | 1 | 0.010",
      "÷ Σ | 0.236 | 0.007 | 0.749 | 0.007",
    ]);
    for (const line of layout.lines)
      expect(line.cells.map((cell) => cell.tone)).toEqual(["dim", "dim", "own", "dim"]);
    expect(layout.lines[4]?.cells[2]?.kind).toBe("result");
    expect(layout.places).toEqual(["word 1", "word 2", "word 3", "word 4"]);
    expect(layout.sentence).toBe("0.749 = softmax of row word 1 at word 3");
    expect(layoutOf(weight, named, wordsIn("zh-CN")).sentence).toBe(
      "0.749 = 对 word 1 这一行做 softmax，取 word 3",
    );
  });

  test("a long row shows the largest terms and its own, then the number of the others", () => {
    const shown = [8, 12, 17, 3];
    const long = explained("softmax", "weights", [0, 0, 3], [
      row("value", shown.map((j, k) => ["scaled", [0, 0, j], [255.7, 116.9, 108.8, 71.25][k] ?? 0]), { rest: { count: 16 } }),
      row("minus_max", [0, -138.8, -146.9, -184.5], { value: 255.7, rest: { count: 16 } }),
      row("exp", [1, 5.2e-61, 1.6e-64, 1.2e-80], { value: 1, rest: { count: 16, value: 1.1e-90 } }),
      row("quotient", [1, 5.2e-61, 1.6e-64, 1.2e-80], { value: 1.2e-80, rest: { count: 16, value: 1.1e-90 } }),
    ]); // prettier-ignore
    expect(readAll(long)).toEqual([
      "largest of 20 | 8 | 12 | 17 | 3",
      "scaled | 255.700 | 116.900 | 108.800 | 71.250 | 16 more",
      "− largest | 0 | −138.800 | −146.900 | −184.500",
      "exp, Σ = 1 | 1 | 5.2e−61 | 1.6e−64 | 1.2e−80 | 1.1e−90",
      "÷ Σ | 1 | 5.2e−61 | 1.6e−64 | 1.2e−80 | 1.1e−90",
    ]);
  });

  test("a remark says that digits are cut only where the shown terms miss the sum", () => {
    const sum = (terms: readonly number[], value: number) =>
      layoutOf(explained("sum", "counts", [0, 0], [row("terms", terms.map((term, i) => ["onehot", [i, 0], term]), { value })]), nodeWords, words); // prettier-ignore
    expect(sum([1, 0, 0], 1).missesSum).toBe(false);
    expect(sum([1 / 3, 1 / 3, 1 / 3], 1).missesSum).toBe(true);
  });

  test("a row that may attend no key is zero in its own column", () => {
    const empty = explained("softmax", "weights", [2, 1], [row("value", [0, 1, 2].map((j) => ["masked", [2, j], -Infinity])), row("empty", [], { value: 0 })]); // prettier-ignore
    const layout = layoutOf(empty, nodeWords, words);
    expect(layout.lines.map(read)).toEqual(["masked | −∞ | −∞ | −∞", "nothing to look at | 0"]);
    expect(layout.lines[1]?.cells[0]).toMatchObject({ column: 1, kind: "result" });
  });

  test("NaN stays NaN, without a remark about cut digits", () => {
    const rows = [
      row("row", [["Q", [0, 0], NaN]]),
      row("column", [["K_T", [0, 0], 1]]),
      row("products", [NaN], { value: NaN }),
    ];
    const layout = layoutOf(explained("matmul", "scores", [0, 0], rows), nodeWords, words);
    expect(layout.lines.map(read)).toEqual([
      "query of word 1 | NaN",
      "× key of word 1 | 1",
      "products | NaN = | NaN",
    ]);
    expect(layout.missesSum).toBe(false);
    const infinite = explained("add", "input", [0], [row("term", [["a", [0], Infinity]]), row("term", [["b", [0], 1]]), row("sum", [], { value: Infinity })]); // prettier-ignore
    expect(readAll(infinite)).toEqual(["a | ∞", "+ b | 1", "sum | ∞"]);
  });

  test("log softmax subtracts the logarithm of the sum, in its own column", () => {
    const log = explained("log_softmax", "logits", [1], [
      row("value", [["x", [0], 1], ["x", [1], 2]]), row("minus_max", [-1, 0], { value: 2 }), row("exp", [0.368, 1], { value: 1.368 }),
      row("log_sum", [1.368], { value: 0.3133 }), row("difference", [0, 0.3133], { value: -0.3133 }),
    ]); // prettier-ignore
    expect(readAll(log)).toEqual([
      "x | 1 | 2",
      "− largest | −1 | 0",
      "exp, Σ = 1.368 | 0.368 | 1",
      "− log Σ | 0.313",
      "log softmax | −0.313",
    ]);
    expect(
      layoutOf(log, nodeWords, words)
        .lines.slice(3)
        .map((line) => line.cells[0]?.column),
    ).toEqual([1, 1]);
  });
});

describe("one number at a time", () => {
  const cases: [string, Parameters<typeof layoutOf>[0], string[], Key | null][] = [
    ["a drawn leaf", explained("leaf", "W_Q", [0, 2], [row("drawn", [2], { value: 2 })], { attributes: { seed: 42 } }), ["drawn with seed 42 | 2"], null],
    ["a drawn leaf without its seed", explained("leaf", "W_Q", [0, 2], [row("drawn", [2], { value: 2 })]), ["drawn at random | 2"], null],
    ["a typed leaf", explained("leaf", "X", [0, 2], [row("typed", [2], { value: 2 })]), ["given | 2"], null],
    ["a word's vector", explained("leaf", "X", [0, 2], [row("looked_up", [2], { value: 2 })]), ["drawn for the word, untrained | 2"], null],
    ["scale by a root", explained("scale", "scaled", [0, 2], [row("value", [["scores", [0, 2], 10]], { value: 10 }), row("divisor", [root(3)], { value: Math.sqrt(3) }), row("result", [], { value: 5.773502691896258 })]), ["score | 10", "÷ √3 | 1.732", "scaled | 5.774"], null],
    ["scale by a root that is whole", explained("scale", "scaled", [0, 2], [row("value", [["scores", [0, 2], 10]], { value: 10 }), row("divisor", [root(4)], { value: 2 }), row("result", [], { value: 5 })]), ["score | 10", "÷ 2 | 2", "scaled | 5"], null],
    ["scale by a factor", explained("scale", "scaled", [0, 2], [row("value", [["scores", [0, 2], 10]]), row("factor", [0.125], { value: 0.125 }), row("result", [], { value: 1.25 })]), ["score | 10", "× 0.125 | 0.125", "scaled | 1.250"], null],
    ["mask", explained("mask", "masked", [0, 2], [row("value", [["scaled", [0, 2], 5.77]]), row("mask", [["mask", [0, 2], 0]]), row("result", [], { value: -Infinity })]), ["scaled | 5.770", "mask[0, 2] | word 1 may not look at word 3", "masked | −∞"], null],
    ["mask without words of its own", explained("mask", "masked", [0, 2], [row("value", [["scaled", [0, 2], 5.77]]), row("mask", [["keep", [0, 2], 1]]), row("result", [], { value: 5.77 })]), ["scaled | 5.770", "keep[0, 2] | may be looked at: unchanged", "masked | 5.770"], null],
    ["split heads", explained("split_heads", "Q_heads", [2, 0, 5], [row("from", [["Q", [0, 37], 0.5]]), row("index", [37, 2, 16, 5], { value: 0.5 })]), ["from | Q[0, 37] = | 0.500", "37 = 2 × 16 + 5 | head 2, place 5"], "note.foot.nothing"],
    ["merge heads", explained("merge_heads", "concat", [0, 37], [row("from", [["heads", [2, 0, 5], 0.5]]), row("index", [37, 2, 16, 5], { value: 0.5 })]), ["from | heads[2, 0, 5] = | 0.500", "37 = 2 × 16 + 5 | head 2, place 5"], "note.foot.nothing"],
    ["transpose", explained("transpose", "K_T", [0, 2], [row("from", [["K", [2, 0], 2]]), row("index", [6], { value: 2 })]), ["from | K[2, 0] = | 2", "place 6, in reading order"], "note.foot.nothing"],
    ["concat", explained("concat", "joined", [5], [row("from", [["tail", [1], 3]]), row("index", [5, 4, 1], { value: 3 })]), ["from | tail[1] = | 3", "5 = 4 + 1 | the part starts at 4; place 1 in it"], "note.foot.nothing"],
    ["patchify", explained("patchify", "patches", [60, 6], [row("from", [["image", [0, 56, 38], 56]]), row("index", [60, 0, 6, 0], { value: 56 })]), ["from | image[0, 56, 38] = | 56", "patch 60 | row 0, column 6, channel 0"], "note.foot.nothing"],
    ["embedding", explained("embedding", "X", [0, 2], [row("id", [["ids", [0], 5]]), row("from", [["table", [5, 2], 0.5]]), row("factor", [root(512)]), row("result", [], { value: 11.3137 })]), ["token id | 5", "table[5, 2] | 0.500", "× √512 | 22.627", "X | 11.314"], "note.foot.lookup"],
    ["sinusoidal", explained("sinusoidal", "PE", [4, 20], [row("position", [["positions", [4], 4]], { value: 4 }), row("wavelength", [10000, 20, 512], { value: 1.433 }), row("angle", [["positions", [4], 4], 1.433], { value: 2.791 }), row("sin", [2.791], { value: 0.343 })]), ["position | 4", "10000^(20/512) | 1.433", "4 ÷ 1.433 | 2.791", "sin 2.791 | 0.343"], null],
    ["shift matrix", explained("shift_matrix", "M", [1, 0], [row("offset", [["k", [], 3]], { value: 3 }), row("wavelength", [10000, 0, 4], { value: 1 }), row("angle", [["k", [], 3], 1], { value: 3 }), row("sin", [3], { value: 0.141 }), row("result", [], { value: -0.141 })]), ["offset | 3", "10000^(0/4) | 1", "3 ÷ 1 | 3", "sin 3 | 0.141", "M | −0.141"], null],
    ["shift matrix, off its blocks", explained("shift_matrix", "M", [0, 5], [row("result", [], { value: 0 })]), ["M | 0"], null],
    ["interpolation matrix", explained("interpolation_matrix", "M", [9, 1], [row("row_position", [2, 4, 8], { value: 0.75 }), row("row_weight", [0.75, 0], { value: 0.25 }), row("column_position", [1, 4, 8], { value: 0.25 }), row("column_weight", [0.25, 1], { value: 0.25 }), row("product", [0.25, 0.25], { value: 0.0625 })]), ["(2 + ½) × 4 ÷ 8 − ½ | 0.750", "weight of row 0 | 0.250", "(1 + ½) × 4 ÷ 8 − ½ | 0.250", "× weight of column 1 | 0.250", "M | 0.063"], null],
    ["alibi", explained("alibi", "bias", [0, 5, 2], [row("slope", [["slopes", [0], 0.5]], { value: 0.5 }), row("distance", [3], { value: 3 }), row("result", [], { value: -1.5 })]), ["− slope | 0.500", "× distance | 3", "bias | −1.500"], null],
    ["alibi of a hidden key", explained("alibi", "bias", [0, 2, 5], [row("distance", [-3], { value: 3 }), row("result", [], { value: -Infinity })]), ["distance | 3", "bias | −∞"], null],
    ["a slope", explained("alibi_slopes", "slopes", [0], [row("exponent", [8, 1, 8], { value: -1 }), row("result", [2, -1], { value: 0.5 })]), ["−8 × 1 ÷ 8 | −1", "2^(−1) | 0.500"], null],
    ["absolute index", explained("absolute_index", "PE", [3, 0], [row("position", [["positions", [3], 3]], { value: 3 }), row("result", [], { value: 3 })]), ["position | 3", "PE | 3"], null],
    ["the smaller of two", explained("minimum", "rate", [3], [row("value", [["rising", [3], 0.25]]), row("value", [["falling", [3], 0.5]]), row("result", [], { value: 0.25 })]), ["rising | 0.250", "falling | 0.500", "the smaller | 0.250"], null],
    ["a comparison", explained("compare", "scores", [0, 2], [row("now", [10]), row("before", [8]), row("difference", [], { value: 2 })]), ["now | 10", "− before | 8", "difference | 2"], null],
    ...opCases,
  ]; // prettier-ignore

  test.each(cases)("%s", (_name, explanation, lines, foot) => {
    const layout = layoutOf(explanation, nodeWords, words);
    expect(layout.lines.map(read)).toEqual(lines);
    expect(layout.foot).toBe(foot);
    expect(layout.lines.flatMap((line) => line.cells).filter((cell) => cell.kind === "result").length).toBe(
      1,
    );
    expect(layout.lines[0]?.hasRule).toBe(false);
    expect(layout.sentence).not.toMatch(/[{}]/);
    expect(readAll(explanation, "zh-CN").join()).not.toMatch(/[{}]/);
  });

  test("a sum that is 0 within rounding has a remark", () => {
    const products = row("products", [0.1, 0.2, -0.3], { value: 5.55e-17, zeroWithinRounding: true });
    expect(layoutOf(explained("matmul", "scores", [0, 2], [products]), nodeWords, words).foot).toBe(
      "note.foot.rounding",
    );
  });

  test("the result of several terms is at the right end of its line, in one column with their sum", () => {
    const of = (name: string) => cases.find(([op]) => op === name)![1];
    const wide = (name: string) =>
      layoutOf(of(name), nodeWords, words)
        .lines.filter((line) => line.spansColumns)
        .map(read);
    expect(wide("mean")).toEqual(["sum | 5", "÷ count | 2", "y | 2.500"]);
    expect(wide("cosine_similarity")).toEqual(["sum | 3", "÷ lengths multiplied | 5", "y | 0.600"]);
    expect(wide("sinusoidal")).toEqual([]);
  });

  test("every operation of the table is tested above, or row by row", () => {
    const tried = new Set([
      ...cases.map(([, { op }]) => op),
      "matmul",
      "linear",
      "add",
      "softmax",
      "log_softmax",
      "rotary",
      "attention",
    ]);
    // The rows of other operations, one by one. Tests elsewhere cover gradient, reshape and slice.
    const others = Object.keys(ops).filter((op) => !tried.has(op) && !/^(gradient|reshape|slice)$/.test(op));
    for (const op of others) {
      for (const role of Object.keys(ops[op]!.rows)) {
        const one = explained(op, "y", [0], [row(role, [["x", [0], 2]], { value: 2 })]);
        expect([op, role, readAll(one).length]).toEqual([op, role, 1]);
        expect(readAll(one)[0]).not.toMatch(/^\W*\d/);
      }
    }
  });
});
