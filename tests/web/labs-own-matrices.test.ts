// The reader's own Q, K and V: the core computes with them, other settings stay, and a link holds them.
import { sceneFor } from "../../web/page/open-lab.js";
import { expect, test } from "vitest";
import type { ConfigOf } from "../../web/config/config.js";
import { decode, encode } from "../../web/config/codec.js";
import { wordsIn } from "../../web/i18n/words.js";
import { lab as attention } from "../../web/labs/attention/index.js";
import { isOwn, withOwn } from "../../web/labs/attention/own.js";
import { boardsOf, showsCell } from "../../web/marks/board.js";
import { formatsOf } from "../../web/marks/board-drawing.js";
import type { Room } from "../../web/marks/scene.js";
import { sceneUntil } from "../../web/marks/stops.js";
import { withOwnMatrix } from "../../web/page/take/own-matrix.js";
import { boxesOf, outside, overlaps } from "./labs-geometry.js";
import { computed, configOf } from "./labs-sessions.js";

const config = configOf<"attention">("four-words");
const matrix = (rows: number, columns: number, from: number): number[][] =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => Math.sin(from + 5 * row + column)),
  );
const tensorOf = (rows: number, columns: number, from = 0) => ({
  shape: [rows, columns],
  data: Float64Array.from(matrix(rows, columns, from).flat()),
});
const withNumbers = (numbers: ConfigOf<"attention">["numbers"]): ConfigOf<"attention"> => {
  return { ...config, example: null, numbers };
};

test("Q, K and V equal the given matrices to the last bit, and a link holds them", () => {
  const three = { Q: matrix(5, 4, 1), K: matrix(5, 4, 2), V: matrix(5, 2, 3) };
  const numbers = withOwn(config.numbers, three);
  expect(isOwn(numbers)).toBe(true);
  expect([numbers.tokens.length, numbers.keyDim, numbers.valueDim]).toEqual([5, 4, 2]);
  const { snapshots } = computed(withNumbers(numbers));
  for (const [node, rows] of Object.entries(three))
    expect([...snapshots.get(node)!.data]).toEqual(rows.flat());
  expect(decode(encode(withNumbers(numbers))).config.numbers).toEqual(numbers);
});

test("a missing matrix is drawn with its previous width; a painted mask is resized to the words", () => {
  const paint = matrix(4, 4, 0).map((row) => row.map((one) => one > 0));
  const numbers = withOwn({ ...config.numbers, mask: "painted", paint }, { V: matrix(3, 7, 0) });
  expect(numbers).toMatchObject({ wq: null, wk: null, keyDim: 3, valueDim: 7, dim: 3 });
  expect(numbers.paint!.map((row) => row.length)).toEqual([3, 3, 3]);
  expect(computed(withNumbers(numbers)).snapshots.get("Q")!.shape).toEqual([3, 3]);
});

test("other matrices keep their numbers if their sizes fit; the others are named, and the reader is asked", () => {
  const { snapshots } = computed(config);
  const first = withOwnMatrix(tensorOf(4, 3), "Q", "queries", config.numbers, snapshots);
  if (!("numbers" in first)) throw new Error(first.key);
  expect([first.lost, first.asks]).toEqual([[], true]);
  expect(first.numbers.wk!.flat()).toEqual([...snapshots.get("K")!.data]);
  const now = computed(withNumbers(first.numbers)).snapshots;
  expect(withOwnMatrix(tensorOf(4, 9), "V", "values", first.numbers, now)).toMatchObject({
    lost: [],
    asks: false,
  });
  expect(withOwnMatrix(tensorOf(4, 5), "K", "keys", first.numbers, now)).toMatchObject({
    lost: ["Q"],
    asks: true,
  });
  expect(withOwnMatrix(tensorOf(2, 3), "Q", "queries", first.numbers, now)).toMatchObject({
    lost: ["K", "V"],
    asks: true,
  });
});

test("matrices whose numbers are not computed yet stay, with their edits", () => {
  const three = { Q: matrix(3, 2, 1), K: matrix(3, 2, 2), V: matrix(3, 2, 3) };
  const edits = [{ node: "W_K", index: [2, 1], value: 8 }];
  const numbers = { ...withOwn(config.numbers, three), edits };
  const result = withOwnMatrix(tensorOf(3, 5), "V", "values", numbers, new Map());
  if (!("numbers" in result)) throw new Error(result.key);
  expect(result.numbers).toMatchObject({
    wq: three.Q,
    wk: [...three.K.slice(0, 2), [three.K[2]![0], 8]],
    edits: [],
  });
});

test("only a finite matrix of an allowed size is accepted", () => {
  const { snapshots } = computed(config);
  const refusalOf = (shape: number[], data: number[]) =>
    withOwnMatrix({ shape, data: Float64Array.from(data) }, "Q", "queries", config.numbers, snapshots);
  expect(refusalOf([3], [1, 2, 3])).toMatchObject({ key: "own.matrix", slots: { actual: "3" } });
  expect(refusalOf([65, 1], Array(65).fill(1))).toMatchObject({ key: "own.matrix" });
  expect(refusalOf([1, 2], [1, NaN])).toMatchObject({ key: "put.finite", slots: { row: 1, column: 2 } });
});

test("choosing own matrices starts from drawn ones, and choosing another draw ends them", () => {
  const words = wordsIn("en");
  const ownNumbers = attention.change(config.numbers, "draw", "own", words);
  if ("refused" in ownNumbers) throw new Error(ownNumbers.refused);
  expect(isOwn(ownNumbers)).toBe(true);
  const drawnNumbers = attention.change(ownNumbers, "draw", "scaled", words);
  expect(drawnNumbers).toMatchObject({ source: "words", x: null, draw: "scaled" });
  expect(attention.change(ownNumbers, "words", "a b c d", words)).toMatchObject({ x: ownNumbers.x });
  const edited = { ...ownNumbers, edits: [{ node: "X", index: [0, 0], value: 2 }] };
  expect(isOwn(edited)).toBe(false);
});

/** The stage below a notice in a window of 1280 × 800, and smaller stages. */
const rooms: Pick<Room, "width" | "height" | "layout">[] = [
  { width: 1232, height: 490, layout: "wide" },
  { width: 772, height: 700, layout: "two" },
  { width: 358, height: 700, layout: "narrow" },
];

test("own matrices of 5 × 4 show two decimals at 1280 × 800; the identity and the projections are not drawn", () => {
  const numbers = withOwn(config.numbers, { Q: matrix(5, 4, 1), K: matrix(5, 4, 2), V: matrix(5, 4, 3) });
  const words = wordsIn("en");
  const now = withNumbers(numbers);
  const { snapshots } = computed(now);
  const scene = sceneFor(now, snapshots, { ...rooms[0]!, step: 5, cell: null, words });
  const boards = boardsOf(scene, snapshots);
  const formats = new Map([...formatsOf(boards)].map(([{ node }, format]) => [node, format]));
  expect([...formats.keys()].sort()).toEqual("K,K_T,Q,V,output,scaled,scores,weights".split(","));
  for (const [node, format] of formats) expect(format!.decimals, node).toBeGreaterThanOrEqual(2);
  const boxes = boxesOf(scene, snapshots);
  expect([overlaps(boxes), outside(boxes, scene.width, scene.height)]).toEqual([[], []]);
  expect(scene.height).toBeLessThanOrEqual(rooms[0]!.height);
});

test("nothing overlaps with own matrices of any size", () => {
  for (const [count, width] of [
    [1, 1],
    [2, 3],
    [6, 8],
    [12, 4],
    [40, 16],
  ] as const)
    // prettier-ignore
    for (const mask of ["none", "causal"] as const) {
      const three = { Q: matrix(count, width, 1), K: matrix(count, width, 2), V: matrix(count, 3, 3) };
      const now = withNumbers({ ...withOwn(config.numbers, three), mask });
      const { snapshots } = computed(now);
      for (const language of ["en", "zh-CN"] as const)
        for (const room of rooms)
          for (const [step, { id, cell }] of attention.steps(now, wordsIn(language), snapshots).entries()) {
            const scene = sceneFor(now, snapshots, { ...room, step, cell, words: wordsIn(language) });
            const boxes = boxesOf(scene, snapshots);
            const where = `${count} × ${width}, ${language}, ${room.layout}, ${id}`;
            expect([overlaps(boxes), outside(boxes, scene.width, scene.height)], where).toEqual([[], []]);
          }
    }
});

test("each stop has its cell on the stage; an edit of Q is an edit of W_Q", () => {
  for (const score of [{}, { score: "additive" as const }]) {
    const three = { Q: matrix(5, 4, 1), K: matrix(5, 4, 2), V: matrix(5, 3, 3) };
    const edits = [{ node: "W_K", index: [1, 2], value: 8 }];
    const now = withNumbers({ ...withOwn({ ...config.numbers, ...score }, three), edits });
    const words = wordsIn("en");
    const { snapshots } = computed(now);
    const steps = attention.steps(now, words, snapshots);
    expect(steps.slice(0, 2).map(({ id }) => id)).toEqual(["words", "project"]);
    for (const room of rooms)
      for (const [step, { id, cell }] of steps.entries()) {
        const scene = sceneUntil(sceneFor(now, snapshots, { ...room, step, cell, words }), step);
        expect([id, room.layout, showsCell(scene, snapshots, cell)]).toEqual([id, room.layout, true]);
      }
    const scene = sceneFor(now, snapshots, { ...rooms[0]!, step: 5, cell: null, words });
    const leaves = boardsOf(scene, snapshots).flatMap(({ node, tensor }) =>
      tensor?.placed.leaf ? [[node, tensor.placed.leaf, tensor.placed.editable, tensor.snapshot.edited]] : [],
    );
    const leafOf = (node: string) => leaves.find(([one]) => one === node);
    expect(leafOf("Q")).toEqual(["Q", "W_Q", true, []]);
    expect(leafOf("K")).toEqual(["K", "W_K", true, [[1, 2]]]);
    expect(leafOf("V")).toEqual(["V", "W_V", true, []]);
  }
});
