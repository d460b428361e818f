// Numbers that a reader pasted become edits of the whole tensor, of its matrix, or of a block from one cell on; or they are refused with a reason.
import { describe, expect, test } from "vitest";
import { bounds } from "../../web/config/bounds.js";
import type { Edit } from "../../web/config/config.js";
import { readNumbers, type ReadNumbers } from "../../web/files/numbers-text.js";
import { boardsOf, type Board, type Place } from "../../web/marks/board.js";
import type { PlacedTensor, Snapshot } from "../../web/marks/scene.js";
import { isPut, unreadRefusal, putNumbers, type PutResult } from "../../web/page/take/put-numbers.js";
import { en } from "../../web/page/take/en.js";
import { zhCN } from "../../web/page/take/zh-CN.js";
import { fourWords, fourWordsScene } from "../browser/fixtures/four-words.js";

const base = fourWordsScene(1232);
const placedLike = base.tensors.find(({ id }) => id === "W_Q")!;

/** A tensor with the numbers 0, 1, 2 … on a stage. */
function boardOf(shape: number[], placed: Partial<PlacedTensor> = {}): Board {
  const size = shape.reduce((product, length) => product * length, 1);
  const data = Float64Array.from({ length: size }, (_, at) => at);
  const snapshot: Snapshot = { name: "W", op: "leaf", inputs: [], shape, data, edited: [] };
  const at = shape.map((_, axis) => (axis < shape.length - 2 ? 0 : null));
  const tensor = { ...placedLike, id: "W", node: "W", at, editable: true, ...placed };
  return boardsOf({ ...base, tensors: [tensor], images: [] }, new Map([["W", snapshot]]))[0]!;
}

const given = (text: string): ReadNumbers => {
  const read = readNumbers(text);
  if ("problem" in read) throw new Error(read.problem);
  return read;
};
const into = (board: Board, text: string, from: Place | null = null, before: Edit[] = []): PutResult =>
  putNumbers(given(text), { board, from, name: "W", before });
const cells = (taken: PutResult): string[] =>
  isPut(taken) ? taken.edits.map(({ node, index, value }) => `${node}[${index.join()}]=${value}`) : [];

describe("numbers go to their cells", () => {
  test("a whole matrix, whatever cell it was pasted into; cells that have the number already take no edit", () => {
    const all = ["W[0,0]=9", "W[1,1]=7"];
    expect(cells(into(boardOf([2, 2]), "9 1\n2 7"))).toEqual(all);
    expect(cells(into(boardOf([2, 2]), "9 1\n2 7", [1, 1]))).toEqual(all);
    expect(cells(into(boardOf([2, 2]), "[[9, 1], [2, 7]]"))).toEqual(all);
  });

  test("a block from a cell on", () => {
    expect(cells(into(boardOf([3, 3]), "50 60\n80 90", [1, 1]))).toEqual([
      "W[1,1]=50",
      "W[1,2]=60",
      "W[2,1]=80",
      "W[2,2]=90",
    ]);
    expect(cells(into(boardOf([3, 3]), "9", [2, 0]))).toEqual(["W[2,0]=9"]);
    expect(cells(into(boardOf([3, 3]), "[7 8]", [0, 1]))).toEqual(["W[0,1]=7", "W[0,2]=8"]);
  });

  test("a transposed matrix takes the numbers as shown, and its own cells are changed", () => {
    const turned = boardOf([2, 3], { turned: true });
    expect([turned.rows, turned.columns]).toEqual([3, 2]);
    expect(cells(into(turned, "0 9\n1 4\n2 5"))).toEqual(["W[1,0]=9"]);
  });

  test("a whole tensor of three axes: as it is, or with its matrices one below the other as in a CSV file", () => {
    const board = boardOf([2, 2, 2]);
    expect(cells(into(board, "[[[0 1] [2 3]] [[4 5] [6 70]]]"))).toEqual(["W[1,1,1]=70"]);
    expect(cells(into(board, "0 1\n2 3\n4 5\n6 70"))).toEqual(["W[1,1,1]=70"]);
    expect(cells(into(board, "0 10\n2 3"))).toEqual(["W[0,0,1]=10"]);
  });

  test("a zero of the other sign is a different number", () => {
    expect(cells(into(boardOf([1, 2]), "-0 1"))).toEqual(["W[0,0]=0"]);
  });
});

describe("numbers that do not fit are refused with the expected and the actual shape", () => {
  test.each<[string, PutResult, PutResult]>([
    [
      "another shape",
      into(boardOf([3, 3]), "1 2\n3 4"),
      { key: "put.shape", slots: { name: "W", expected: "3×3", actual: "2×2" } },
    ],
    [
      "more than there is room for",
      into(boardOf([3, 3]), "1 2\n3 4", [2, 1]),
      { key: "put.room", slots: { name: "W", whole: "3×3", expected: "1×2", actual: "2×2" } },
    ],
    [
      "a transposed tensor",
      into(boardOf([2, 3]), "1 2\n3 4\n5 6"),
      { key: "put.shape", slots: { name: "W", expected: "2×3", actual: "3×2" } },
    ],
    [
      "NaN",
      into(boardOf([2, 2]), "1 2\n3 nan"),
      { key: "put.finite", slots: { row: 2, column: 2, given: "NaN" } },
    ],
    ["the same numbers", into(boardOf([2, 2]), "0 1\n2 3"), { key: "put.same", slots: {} }],
    [
      "a computed tensor",
      into(boardOf([2, 2], { editable: false }), "1 2\n3 4"),
      { key: "put.computed", slots: { name: "W" } },
    ],
  ])("%s", (_, taken, expected) => expect(taken).toEqual(expected));

  test("more edits than a link holds", () => {
    const before: Edit[] = Array.from({ length: bounds.edits.max - 3 }, (_, at) => ({
      node: "X",
      index: [at],
      value: 1,
    }));
    expect(into(boardOf([2, 2]), "9 8\n7 6", null, before)).toEqual({
      key: "put.most",
      slots: { most: bounds.edits.max, given: bounds.edits.max + 1 },
    });
    expect(cells(into(boardOf([2, 2]), "9 8\n7 3", null, before))).toHaveLength(3);
    const again: Edit[] = [...before, { node: "W", index: [0, 0], value: 5 }];
    expect(cells(into(boardOf([2, 2]), "9 8\n7 3", null, again))).toHaveLength(3);
  });
});

test("every reason why a text is not an array has a sentence in both languages", () => {
  const texts = ["", "1 x", "1,5\t2", "1 2\n3", "[1] [2]", "[1 ... 2]", "1 ".repeat(2_000_001)];
  const keys = texts.map((text) => {
    const read = readNumbers(text);
    if (!("problem" in read)) throw new Error(`${text} was read`);
    const { key, slots } = unreadRefusal(read);
    for (const table of [en, zhCN]) {
      const asked = [...table[key].matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot);
      expect(Object.keys(slots)).toEqual(expect.arrayContaining(asked));
    }
    return key;
  });
  expect(new Set(keys).size).toBe(texts.length);
});

test("an input and a weight accept numbers, a product does not", () => {
  const boards = boardsOf(base, fourWords());
  const board = (id: string): Board => boards.find((other) => other.id === id)!;
  expect(isPut(putNumbers(given("5"), { board: board("W_Q"), from: [0, 0], name: "W_Q", before: [] }))).toBe(
    board("W_Q").tensor!.placed.editable,
  );
  expect(into(board("scores"), "5", [0, 0])).toMatchObject({ key: "put.computed" });
});
