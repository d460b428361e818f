// Tensors as text files, and numbers parsed from text: what is written is read back, and other text is
// refused with its position.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readNumbers, type ReadNumbers, type Unread } from "../../web/files/numbers-text.js";
import { recognizeFile } from "../../web/files/saved-link.js";
import { writeCsv, writeJson, type NamedTensor } from "../../web/files/tables.js";

const link = "https://example.org/a/#v=1&lab=attention&c=0abc";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const tensor = (shape: number[], ...data: number[]): NamedTensor => ({
  name: "weights",
  shape,
  data: Float64Array.from(data),
});
const numbers = (text: string): ReadNumbers => {
  const read = readNumbers(text);
  if ("problem" in read) throw new Error(`${text}: ${JSON.stringify(read)}`);
  return read;
};
const problem = (text: string): Unread => {
  const read = readNumbers(text);
  if (!("problem" in read)) throw new Error(`${text} was read as (${read.shape.join(", ")})`);
  return read;
};
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([rows, columns]) =>
    fc
      .array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
        minLength: rows * columns,
        maxLength: rows * columns,
      })
      .map((data) => tensor([rows, columns], ...data)),
  );

describe("CSV", () => {
  test("begins with the link, name and shape, and has a line per row", () => {
    expect(writeCsv(tensor([2, 3], 0.1, -2, 1e-7, 0, NaN, -Infinity), link)).toBe(
      `# ${link}\n# weights (2, 3)\n0.1,-2,1e-7\n0,nan,-inf\n`,
    );
  });

  test("names each matrix of a tensor with three axes", () => {
    expect(writeCsv(tensor([2, 1, 2], 1, 2, 3, 4), link)).toBe(
      `# ${link}\n# weights (2, 1, 2)\n# [0]\n1,2\n# [1]\n3,4\n`,
    );
    expect(writeCsv(tensor([2], 1, 2), link)).toContain("\n1,2\n");
    expect(writeCsv(tensor([], 5), link)).toContain("\n5\n");
  });

  test("is read back to the last bit, and so is its link", () => {
    fc.assert(
      fc.property(matrix, (given) => {
        const text = writeCsv(given, link);
        const read = numbers(text);
        expect(read.shape).toEqual(given.shape);
        expect([...read.data]).toEqual([...given.data]);
        expect(recognizeFile(bytes(text))).toEqual({ kind: "state", hash: "v=1&lab=attention&c=0abc" });
      }),
    );
  });
});

describe("JSON", () => {
  test("holds name, shape, type, numbers and link", () => {
    fc.assert(
      fc.property(matrix, (given) => {
        const text = writeJson(given, link);
        expect(JSON.parse(text)).toEqual({
          name: "weights",
          shape: given.shape,
          dtype: "float64",
          data: [...given.data],
          link,
        });
        expect(recognizeFile(bytes(text))).toEqual({ kind: "state", hash: "v=1&lab=attention&c=0abc" });
      }),
    );
  });

  test("writes a number that is not finite as a string", () => {
    const { data } = JSON.parse(writeJson(tensor([3], NaN, Infinity, -Infinity), link)) as { data: unknown };
    expect(data).toEqual(["NaN", "Infinity", "-Infinity"]);
  });
});

describe("copied numbers", () => {
  const rows = { shape: [2, 2], data: Float64Array.of(1, -2.5, 3e-4, 4) };

  test.each([
    ["a spreadsheet's tabs", "1\t-2.5\r\n3E-4\t4\r\n"],
    ["a spreadsheet's quotes", '"1"\t"-2.5"\n"3e-4"\t"4"'],
    ["commas", "1,-2.5\n3e-4, 4"],
    ["semicolons", "1; -2.5;\n3e-4; 4;"],
    ["spaces", "  1   -2.5\n\n  3e-4  +4.  "],
    ["NumPy's print", "[[ 1.e+00 -2.5e+00]\n [ 3.e-04  4.e+00]]"],
    ["NumPy's repr", "array([[ 1. , -2.5],\n       [ 3e-4,  4. ]])"],
    ["PyTorch's print", "tensor([[ 1.0, -2.5],\n        [3e-4, 4]], dtype=torch.float64)"],
    ["a typeset minus", "1 \u22122.5\n3e\u22124 4"],
    ["full-width figures", "１ －２.５\n3e-4 4"],
    ["comments and a byte order mark", "\uFEFF# a title, 2\n1,-2.5\n# between\n3e-4,4\n"],
  ])("%s", (_, text) => expect(numbers(text)).toEqual(rows));

  test("of other shapes", () => {
    expect(numbers("7").shape).toEqual([1, 1]);
    expect(numbers("1 2 3").shape).toEqual([1, 3]);
    expect(numbers("1\n2\n3").shape).toEqual([3, 1]);
    expect(numbers("[1 2 3]").shape).toEqual([3]);
    expect(numbers("[[[1, 2]], [[3, 4]]]").shape).toEqual([2, 1, 2]);
    expect([...numbers("nan inf -Infinity \u2212∞").data]).toEqual([NaN, Infinity, -Infinity, -Infinity]);
  });

  test("any matrix that NumPy prints is read", () => {
    fc.assert(
      fc.property(matrix, ({ shape, data }) => {
        const [, columns = 1] = shape;
        const lines = Array.from({ length: shape[0]! }, (_, row) =>
          [...data.subarray(row * columns, (row + 1) * columns)]
            .map((value) => (Object.is(value, -0) ? "-0." : value.toExponential()))
            .join(" "),
        );
        const read = numbers(`[[${lines.join("]\n [")}]]`);
        expect(read.shape).toEqual(shape);
        expect([...read.data]).toEqual([...data]);
      }),
    );
  });

  test.each([
    ["", { problem: "empty" }],
    ["# only a comment\n", { problem: "empty" }],
    ["[]", { problem: "empty" }],
    ["1 2\n3 four", { problem: "word", line: 2, text: "four" }],
    [`1 ${"x".repeat(90)}`, { problem: "word", line: 1, text: `${"x".repeat(24)}…` }],
    ["1,2\n1,,2", { problem: "ragged", line: 2, expected: 2, actual: 3 }],
    ["1 2\n\n3", { problem: "ragged", line: 3, expected: 2, actual: 1 }],
    ["1,5;2,5\n3;4", { problem: "comma", line: 1, text: "1,5" }],
    ["1,5\t2", { problem: "comma", line: 1, text: "1,5" }],
    ["[[1 2] [3]]", { problem: "nested" }],
    ["[[1 2]\n [3 4]", { problem: "nested" }],
    ["1]", { problem: "word", line: 1, text: "1]" }],
    ["[1] [2]", { problem: "nested" }],
    ["[1 [2]]", { problem: "nested" }],
    ["[[1 2 ... 3]\n [4 5 ... 6]]", { problem: "omitted" }],
    ["[1 two]", { problem: "word", line: 1, text: "two" }],
    ["1e999", { problem: "word", line: 1, text: "1e999" }],
    ["0x10", { problem: "word", line: 1, text: "0x10" }],
    ["[".repeat(9) + "1" + "]".repeat(9), { problem: "nested" }],
  ])("%j is refused", (text, expected) => expect(problem(text)).toEqual(expected));

  test("a text over the limit is not read", () => {
    expect(problem("1 ".repeat(2_000_001))).toEqual({ problem: "long", most: 4 });
    // The time is proportional to the length: with quadratic time none of these would finish.
    expect(problem(`1${" ".repeat(3_900_000)}x`)).toMatchObject({ problem: "word" });
    expect(problem("[".repeat(3_900_000))).toEqual({ problem: "nested" });
    expect(problem("-".repeat(3_900_000))).toMatchObject({ problem: "word" });
    expect(problem(`${"1".repeat(3_900_000)}x`)).toMatchObject({ problem: "word" });
  });

  test("no text throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: "binary" }),
          fc
            .array(fc.constantFrom("[", "]", "1", "-2.5", ",", " ", "\n", "...", "e", "\t", ";", "x"), {
              maxLength: 40,
            })
            .map((parts) => parts.join("")),
        ),
        (text) => {
          const read = readNumbers(text);
          if ("problem" in read) return;
          expect(read.shape.reduce((size, length) => size * length, 1)).toBe(read.data.length);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
