// The text that the note copies: all digits, as JSON or as NumPy prints them.
import { describe, expect, test } from "vitest";
import { copyText } from "../../web/elements/note/copy.js";
import { numpyArray, numpyScalar } from "../../web/elements/note/numpy-text.js";
import { explained, row, score, weight } from "./note-words.js";

describe("as JSON", () => {
  test("reads back to the same numbers", () => {
    const { node, op, index, value, rows } = weight;
    expect(JSON.parse(copyText(weight, "json"))).toEqual({ node, op, index, value, rows });
  });

  test("contains no number that JSON cannot represent", () => {
    const masked = explained(
      "mask",
      "masked",
      [0, 2],
      [row("value", [["scaled", [0, 2], NaN]]), row("result", [], { value: -Infinity })],
    );
    const copied: unknown = JSON.parse(copyText(masked, "json"));
    expect(copied).toMatchObject({
      value: "-Infinity",
      rows: [{ operands: [{ value: "NaN" }] }, { value: "-Infinity" }],
    });
  });
});

describe("as NumPy prints", () => {
  // Each right side is what print(np.array(...)) of NumPy 1.24.2 writes.
  test.each([
    [[2, 0, 2], "[2. 0. 2.]"],
    [[0.5, 0.25], "[0.5  0.25]"],
    [[0.1, -0.25], "[ 0.1  -0.25]"],
    [[0.985220251, 1.741740512, 0.756520264], "[0.98522025 1.74174051 0.75652026]"],
    [[-91.965559164, 100], "[-91.96555916 100.        ]"],
    [[1, 1e-5], "[1.e+00 1.e-05]"],
    [[1.5e-10, 2], "[1.5e-10 2.0e+00]"],
    [[123456789, 1], "[1.23456789e+08 1.00000000e+00]"],
    [[0.001, 1], "[0.001 1.   ]"],
    [[0.0009, 1], "[9.e-04 1.e+00]"],
    [[NaN, 1], "[nan  1.]"],
    [[-Infinity, 0.5], "[-inf  0.5]"],
    [[Infinity, -Infinity], "[ inf -inf]"],
    [[0, 0], "[0. 0.]"],
  ])("%j is %s", (values, text) => {
    expect(numpyArray(values)).toBe(text);
  });

  test("omitted terms are three dots in their place", () => {
    expect(numpyArray([1, 2, 9], 2)).toBe("[1. 2. ... 9.]");
  });

  test.each([
    [10, "10.0"],
    [0.1 + 0.2, "0.30000000000000004"],
    [1e-5, "1e-05"],
    [0.0001, "0.0001"],
    [1.5e-300, "1.5e-300"],
    [1e16, "1e+16"],
    [123456789012, "123456789012.0"],
    [-0, "-0.0"],
    [-Infinity, "-inf"],
    [NaN, "nan"],
  ])("%d alone is %s", (value, text) => {
    expect(numpyScalar(value)).toBe(text);
  });

  test("a cell with its rows", () => {
    expect(copyText(score, "numpy")).toBe(
      ["scores[0, 2] = 10.0", "row: [2. 0. 2.]", "column: [2. 4. 3.]", "products: [4. 0. 6.] -> 10.0"].join(
        "\n",
      ),
    );
  });

  test("the dots are before the last term of a sum and after the largest of a softmax", () => {
    const sum = explained(
      "matmul",
      "o",
      [0],
      [row("products", [1, 2, 3], { rest: { count: 9, value: 4 }, value: 10 })],
    );
    const largest = explained(
      "softmax",
      "w",
      [0],
      [row("quotient", [0.5, 0.25], { rest: { count: 9, value: 0.25 }, value: 0.5 })],
    );
    expect(copyText(sum, "numpy")).toContain("products: [1. 2. ... 3.] -> 10.0");
    expect(copyText(largest, "numpy")).toContain("quotient: [0.5  0.25 ...] -> 0.5");
  });
});
