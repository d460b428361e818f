// The schema: every bound and every rule refuses a Config that violates it, with a message that names field, expected and actual value.
import { describe, expect, test } from "vitest";
import { bounds } from "../../web/config/bounds.js";
import type { LabId, NumbersOf } from "../../web/config/config.js";
import { defaults, firstExamples } from "../../web/config/defaults.js";
import { withEdit } from "../../web/config/edits.js";
import { labIds, settingsOf } from "../../web/config/labs.js";
import { headsProblem } from "../../web/config/rule.js";
import { nearestHeads, repairNumbers } from "../../web/config/rules.js";
import { viewEntries, viewFields } from "../../web/config/view.js";
import { problems, validateConfig, validateNumbers } from "../../web/config/validate.js";
import { exampleById } from "../../web/examples/index.js";
import { rangeOf } from "./setting-bounds.js";

const changed = <L extends LabId>(lab: L, change: object): NumbersOf[L] => ({
  ...defaults(lab).numbers,
  ...change,
});
const refusal = (lab: LabId, change: object): string => {
  try {
    validateNumbers(lab, changed(lab, change));
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};
const ones = (height: number, width: number) =>
  Array.from({ length: height }, () => Array.from({ length: width }, () => 1));

describe("fields", () => {
  test.each([
    ["attention", { dim: 0 }, "attention: dim: expected a whole number from 1 to 512, got 0"],
    [
      "attention",
      { seed: 2 ** 32 },
      "attention: seed: expected a whole number from 0 to 4294967295, got 4294967296",
    ],
    ["attention", { seed: 1.5 }, "attention: seed: expected a whole number from 0 to 4294967295, got 1.5"],
    ["attention", { seed: -0 }, "attention: seed: expected a whole number from 0 to 4294967295, got -0"],
    ["attention", { seed: NaN }, "attention: seed: expected a whole number from 0 to 4294967295, got NaN"],
    ["attention", { scale: 1 }, "attention: scale: expected one of 1, 0, got 1"],
    ["attention", { mask: "upper" }, 'attention: mask: expected one of none, causal, painted, got "upper"'],
    [
      "attention",
      { memory: ["a".repeat(41)] },
      'attention: memory: expected 0 to 64 words of at most 40 characters, got ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]',
    ],
    [
      "attention",
      { memory: ["a\u0000"] },
      'attention: memory: expected 0 to 64 words of at most 40 characters, got ["a\\u0000"]',
    ],
    [
      "attention",
      { memory: ["e\u0301"] },
      'attention: memory: expected 0 to 64 words of at most 40 characters, got ["e\u0301"]',
    ],
    [
      "attention",
      { wq: [[1, 2], [3]] },
      "attention: wq: expected rows of equally many numbers, at most 512 rows of 128, got [[1,2],[3]]",
    ],
    [
      "attention",
      { wq: [[Infinity]] },
      "attention: wq: expected rows of equally many numbers, at most 512 rows of 128, got [[null]]",
    ],
    [
      "attention",
      { edits: [{ node: "a b", index: [0, 0], value: 1 }] },
      'attention: edits.0.node: expected at most 4096 cells with their new values, such as `X,0,1,2.5`, joined by `;`, got "a b"',
    ],
    [
      "attention",
      { edits: [{ node: "X", index: [0, 0], value: NaN }] },
      "attention: edits.0.value: expected at most 4096 cells with their new values, such as `X,0,1,2.5`, joined by `;`, got NaN",
    ],
    ["attention", { more: 1 }, 'attention: more: expected no such field, got "more"'],
    ["multi-head", { heads: 17 }, "multi-head: heads: expected a whole number from 1 to 16, got 17"],
    ["multi-head", { length: 65 }, "multi-head: length: expected a whole number from 1 to 64, got 65"],
    ["multi-head", { batch: 17 }, "multi-head: batch: expected a whole number from 1 to 16, got 17"],
    ["multi-head", { keyDim: 129 }, "multi-head: keyDim: expected a whole number from 1 to 128, got 129"],
    ["positions", { length: 513 }, "positions: length: expected a whole number from 1 to 512, got 513"],
    ["positions", { base: 0.5 }, "positions: base: expected a number from 1 to 1000000000, got 0.5"],
    ["losses", { smoothing: 1 }, "losses: smoothing: expected a number from 0 to 0.9, got 1"],
    ["vit", { size: 48 }, "vit: size: expected one of 16, 32, 64, got 48"],
    [
      "vit",
      { image: { pixels: Uint8Array.of(16) } },
      'vit: image: expected one of harbour, face, letter, or the pixels of a square of 16, 32, 64, got {"pixels":{"0":16}}',
    ],
  ] as [LabId, object, string][])("%s %j", (lab, change, message) => {
    expect(refusal(lab, change)).toBe(message);
  });

  test("every bound is allowed, and nothing beyond it", () => {
    for (const [lab, field, range] of [
      ["attention", "seed", bounds.seed],
      ["multi-head", "length", bounds.drawLength],
      ["multi-head", "batch", bounds.batch],
      ["multi-head", "run", bounds.run],
      ["positions", "offset", bounds.offset],
      ["positions", "base", bounds.base],
      ["vit", "dim", bounds.dim],
      ["losses", "smoothing", rangeOf("losses", "smoothing")],
      ["losses", "dropout", rangeOf("losses", "dropout")],
      ["losses", "draws", rangeOf("losses", "draws")],
    ] as const) {
      for (const value of [range.min, range.max])
        expect(problems(lab, changed(lab, { [field]: value })), `${field} ${value}`).toEqual([]);
      for (const value of [range.min - 1, range.max + 1])
        expect(problems(lab, changed(lab, { [field]: value })).map((problem) => problem.field)).toEqual([
          field,
        ]);
    }
    const words = Array.from({ length: 64 }, () => "w");
    expect(problems("attention", changed("attention", { memory: words }))).toEqual([]);
    expect(problems("attention", changed("attention", { memory: [...words, "w"] }))).toHaveLength(1);
    const edits = Array.from({ length: 4096 }, () => ({ node: "X", index: [0, 0], value: 1 }));
    expect(problems("attention", changed("attention", { edits }))).toEqual([]);
    expect(refusal("attention", { edits: [...edits, edits[0]] })).toContain(
      "edits: expected at most 4096 cells",
    );
  });

  test("a missing field is named", () => {
    const { seed: _seed, ...rest } = defaults("vit").numbers;
    expect(problems("vit", rest).map(({ field }) => field)).toEqual(["seed"]);
    expect(problems("vit", null)).toHaveLength(1);
    expect(problems("vit", [])).not.toEqual([]);
  });
});

describe("rules between fields", () => {
  test.each([
    ["attention", { tokens: [] }, "tokens: expected 1 to 64 words of at most 40 characters, got none"],
    ["attention", { x: ones(3, 3) }, "x: expected the shape (4, 3), got (3, 3)"],
    ["attention", { x: null }, "source: expected `x` beside it, got values"],
    ["attention", { wq: ones(3, 2) }, "wq: expected the shape (3, 3), got (3, 2)"],
    ["attention", { wk: ones(2, 3) }, "wk: expected the shape (3, 3), got (2, 3)"],
    ["attention", { wv: ones(3, 4) }, "wv: expected the shape (3, 3), got (3, 4)"],
    ["attention", { paint: [[true]] }, "paint: expected the shape (4, 4), got (1, 1)"],
    [
      "attention",
      { memory: ["a", "b"], paint: [[true, true, true, true]] },
      "paint: expected the shape (4, 2), got (1, 4)",
    ],
    ["attention", { mask: "painted" }, "mask: expected `paint` beside it, got painted"],
    [
      "attention",
      { edits: [{ node: "W_Q", index: [3, 0], value: 1 }] },
      "edits: expected a cell of X (4, 3), W_Q (3, 3), W_K (3, 3), W_V (3, 3), got W_Q,3,0",
    ],
    ["attention", { edits: [{ node: "scores", index: [0, 0], value: 1 }] }, "got scores,0,0"],
    ["attention", { edits: [{ node: "constructor", index: [], value: 1 }] }, "got constructor"],
    ["multi-head", { source: "words" }, "source: expected `tokens` beside it, got words"],
    ["multi-head", { paint: [[true]] }, "paint: expected the shape (20, 20), got (1, 1)"],
    ["positions", { encoding: "rotary", dim: 5 }, "dim: expected an even number, got 5"],
    ["positions", { encoding: "shift", dim: 7 }, "dim: expected an even number, got 7"],
    ["positions", { x: ones(2, 512) }, "x: expected the shape (50, 512) / (1, 512), got (2, 512)"],
    ["vit", { size: 16, patch: 32 }, "patch: expected a divisor of 16, got 32"],
    [
      "vit",
      { image: { sample: "moon" } },
      "image: expected one of harbour, face, letter, or the pixels of a square of 16, 32, 64, got moon",
    ],
    [
      "vit",
      { size: 64, image: { pixels: new Uint8Array(768) } },
      "image: expected the shape (64, 64, 3), got (16, 16, 3)",
    ],
  ] as [LabId, object, string][])("%s %j", (lab, change, message) => {
    expect(refusal(lab, change)).toContain(message);
  });

  test("a repair gives valid numbers, changes only the fields that violate a rule, and keeps edits that still fit", () => {
    const base = defaults("attention").numbers;
    const edits = [
      { node: "X", index: [3, 0], value: 5 },
      { node: "X", index: [1, 1], value: 6 },
      { node: "W_Q", index: [2, 2], value: 7 },
    ];
    const repairs: string[] = [];
    const next = repairNumbers(
      "attention",
      {
        ...base,
        tokens: ["a", "b", "c"],
        source: "words",
        x: null,
        mask: "painted",
        paint: [
          [true, false],
          [false, true],
        ],
        edits,
      },
      base,
      ({ field }) => repairs.push(field),
    );
    expect(next.edits).toEqual(edits.slice(1));
    expect(next.paint).toEqual([
      [true, false, true],
      [false, true, true],
      [true, true, true],
    ]);
    expect(next.mask).toBe("painted");
    expect(repairs).toEqual(["paint", "edits"]);
    expect(problems("attention", next)).toEqual([]);
    expect(repairNumbers("attention", base, base)).toBe(base);
  });

  test("heads must divide dim if they share it; a repair takes the next smaller count that does", () => {
    expect(headsProblem({ dim: 128, heads: 8 })).toBeNull();
    expect(headsProblem({ dim: 128, heads: 7 })).toEqual({
      field: "heads",
      expected: { kind: "divisor", of: 128 },
      actual: "7",
    });
    expect(nearestHeads(128, 7, 8)).toBe(8);
    expect(nearestHeads(12, 7, 8)).toBe(6);
    expect(nearestHeads(7, 5, 3)).toBe(1);
  });
});

describe("whole Configs", () => {
  test("the view is validated", () => {
    const config = defaults("multi-head");
    expect(() => validateConfig({ ...config, view: { ...config.view, item: 10 } })).toThrow(
      "view.item: expected a whole number from 0 to 9, got 10",
    );
    expect(() => validateConfig({ ...config, view: { ...config.view, lang: "fr" } })).toThrow(
      "view.lang: expected one of en, zh-CN",
    );
    expect(() =>
      validateConfig({ ...config, view: { ...config.view, cell: { node: "none", index: [] } } }),
    ).toThrow("view.cell.node");
    expect(() =>
      validateConfig({ ...config, view: { ...config.view, cell: { node: "x", index: [0, 1, 2, 3, 4] } } }),
    ).toThrow("at most 4, such as");
    expect(() => validateConfig({ ...config, version: 2 })).toThrow("version: expected 1, got 2");
    expect(() => validateConfig({ ...config, example: "A B" })).toThrow(
      "example: expected the id of an example",
    );
    for (const nothing of [null, undefined, 1, "x", [], {}, { view: {} }, { view: { lab: "toString" } }])
      expect(() => validateConfig(nothing)).toThrow("view.lab");
  });

  test("defaults are copies of the first examples", () => {
    for (const lab of labIds) {
      expect(defaults(lab)).toEqual(exampleById(firstExamples[lab])!.config);
      expect(defaults(lab)).not.toBe(defaults(lab));
    }
    expect(firstExamples).toEqual({
      attention: "four-words",
      "multi-head": "ten-by-twenty-run-1",
      positions: "fifty-positions",
      vit: "harbour",
      "encoder-decoder": "old-black-cat",
      optimizers: "line-of-document-004",
      block: "one-block",
      losses: "label-smoothing",
      complexity: "why-self-attention",
      scaling: "seven-widths",
      bert: "masked-mat",
      words: "dog-bites-man",
      training: "learn-to-reverse",
    });
  });

  test("a link has a field for every number and every part of the view, and no two fields have the same name", () => {
    for (const lab of labIds) {
      const { fields, entries } = settingsOf(lab);
      expect(fields.map(({ key }) => key as string).sort()).toEqual(Object.keys(entries).sort());
      const names = [
        ...fields.map(({ name }) => name),
        ...viewFields.map(({ name }) => name),
        "v",
        "c",
        "lab",
        "ex",
      ];
      expect(new Set(names).size).toBe(names.length);
      expect(names.map((name) => name.toLowerCase())).toEqual(names);
    }
    expect(viewFields.map(({ key }) => key as string).sort()).toEqual(Object.keys(viewEntries).sort());
  });
});

describe("edits", () => {
  test("a cell that is edited again has its new value, as the last edit", () => {
    const once = withEdit(withEdit(defaults("attention").numbers, { node: "X", index: [0, 0], value: 1 }), {
      node: "X",
      index: [0, 1],
      value: 2,
    });
    const twice = withEdit(once, { node: "X", index: [0, 0], value: 3 });
    expect(twice.edits).toEqual([
      { node: "X", index: [0, 1], value: 2 },
      { node: "X", index: [0, 0], value: 3 },
    ]);
    expect(once.edits).toHaveLength(2);
  });

  test("a Config has room for 4096 edits", () => {
    const edits = Array.from({ length: 4096 }, (_, at) => ({ node: "W", index: [at], value: at }));
    expect(withEdit({ edits }, { node: "W", index: [7], value: 0 }).edits).toHaveLength(4096);
    expect(() => withEdit({ edits }, { node: "W", index: [4096], value: 0 })).toThrow("at most 4096");
  });

  test("leaves have the right shapes", () => {
    expect(settingsOf("multi-head").leaves(defaults("multi-head").numbers)).toEqual({
      x: [10, 20, 128],
      W_Q: [128, 128],
      W_K: [128, 128],
      W_V: [128, 128],
      W_O: [128, 128],
    });
    expect(
      settingsOf("multi-head").leaves(
        changed("multi-head", { tokens: ["a", "b"], source: "words", heads: 2, keyDim: 3, valueDim: 5 }),
      ),
    ).toEqual({ x: [2, 128], W_Q: [128, 6], W_K: [128, 6], W_V: [128, 10], W_O: [10, 128] });
  });
});
