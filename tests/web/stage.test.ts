/** The parts of the stage that need no page: planes, boards, lighting, keys, typed numbers, area averages. */
import { describe, expect, test } from "vitest";
import { keyAction } from "../../web/elements/stage/keys.js";
import { boardsOf, boardAt, type Board } from "../../web/marks/board.js";
import { domainsOf } from "../../web/marks/domains.js";
import { veilOf } from "../../web/marks/image.js";
import { lightingOf } from "../../web/marks/lighting.js";
import { averageOverArea } from "../../web/marks/map.js";
import { parseNumber } from "../../web/marks/numbers.js";
import { indexOf, offsetOf, planeOf, runOf } from "../../web/marks/plane.js";
import { wirePath } from "../../web/marks/score-lines.js";
import { explain, fourWords, fourWordsScene } from "../browser/fixtures/four-words.js";
import { states, statesScene } from "../browser/fixtures/states.js";

const snapshots = fourWords();
const scene = fourWordsScene(1232);
const boards = boardsOf(scene, snapshots);
const board = (id: string, from: readonly Board[] = boards): Board => {
  const found = from.find((other) => other.id === id);
  if (!found) throw new Error(`no board ${id}`);
  return found;
};

describe("a node as a matrix", () => {
  test("two free axes of four", () => {
    const plane = planeOf({ at: [1, null, 2, null] }, [2, 3, 4, 5]);
    expect(plane).toMatchObject({ rows: 3, columns: 5, base: 70, rowStride: 20, columnStride: 1 });
    expect(indexOf(plane!, 2, 4)).toEqual([1, 2, 2, 4]);
    expect(offsetOf(plane!, 2, 4)).toBe(70 + 40 + 4);
  });
  test("transposed, and a single row", () => {
    const turned = planeOf({ at: [null, null], turned: true }, [4, 3])!;
    expect([turned.rows, turned.columns, indexOf(turned, 2, 3), offsetOf(turned, 2, 3)]).toEqual([
      3,
      4,
      [3, 2],
      11,
    ]);
    const row = planeOf({ at: [5, null] }, [20, 128])!;
    expect([row.rows, row.columns, indexOf(row, 0, 7)]).toEqual([1, 128, [5, 7]]);
  });
  test("a node that has changed shape has no plane", () => {
    expect(planeOf({ at: [null, null] }, [2, 3, 4])).toBeNull();
    expect(planeOf({ at: [3, null, null] }, [3, 4, 4])).toBeNull();
  });
  test("the cells of a region", () => {
    const plane = planeOf({ at: [1, null, null] }, [2, 4, 4])!;
    expect(runOf(plane, [0, 2, 0], [1, 2, 3])).toEqual({ top: 2, bottom: 2, left: 0, right: 3 });
    expect(runOf(plane, [0, 2, 0], [0, 2, 3])).toBeNull();
    expect(runOf(plane, [1, 2], [1, 3])).toBeNull();
  });
  test("a window shows some of the columns", () => {
    const plane = planeOf({ at: [null, null], window: { first: 3, count: 4 } }, [2, 10])!;
    expect([plane.rows, plane.columns, indexOf(plane, 1, 0), offsetOf(plane, 1, 0)]).toEqual([
      2,
      4,
      [1, 3],
      13,
    ]);
    expect(runOf(plane, [1, 4], [1, 4])).toEqual({ top: 1, bottom: 1, left: 1, right: 1 });
    expect(runOf(plane, [0, 0], [1, 9])).toEqual({ top: 0, bottom: 1, left: 0, right: 3 });
    expect(runOf(plane, [1, 2], [1, 2])).toBeNull();
    expect(runOf(plane, [1, 7], [1, 9])).toBeNull();
  });
});

describe("pointing", () => {
  test("a cell, and the nearest one within reach", () => {
    const scores = board("scores");
    const [x, y] = [scores.x + 2.5 * scores.cellWidth, scores.y + 0.5 * scores.cellHeight];
    expect(boardAt(boards, x, y, 0)).toMatchObject({ board: { id: "scores" }, place: [0, 2] });
    const outside = scores.y + 4 * scores.cellHeight + 20;
    expect(boardAt(boards, x, outside, 4)).toBeNull();
    expect(boardAt(boards, x, outside, 24)).toMatchObject({ board: { id: "scores" }, place: [3, 2] });
  });
  test("patches, the pixels of one, and a small one", () => {
    const unusualBoards = boardsOf(statesScene(), states());
    expect(board("image", unusualBoards)).toMatchObject({ rows: 8, columns: 8, stop: true });
    expect(board("image", unusualBoards).cellAt(2, 5)).toEqual({ node: "looks", index: [60, 21] });
    expect(board("image", unusualBoards).run("looks", [60, 21], [60, 21])).toEqual({
      top: 2,
      bottom: 2,
      left: 5,
      right: 5,
    });
    expect(board("patch", unusualBoards).cellAt(1, 2)).toEqual({ node: "image", index: [0, 17, 42] });
    expect(board("patch", unusualBoards).valueAt(1, 2)).toBe(252);
    expect(board("patch", unusualBoards).run("image", [0, 0, 40], [2, 63, 41])).toEqual({
      top: 0,
      bottom: 7,
      left: 0,
      right: 1,
    });
    expect(board("small", unusualBoards)).toMatchObject({ rows: 1, columns: 1, stop: false });
  });
});

describe("lighting", () => {
  const light = (
    node: string,
    index: number[],
    anchor: string | null = null,
  ): ReturnType<typeof lightingOf> =>
    lightingOf(boards, { node, index }, explain(snapshots, node, index)?.sources ?? [], anchor);

  test("a score: its query row, its key column, and leaders to it", () => {
    const { target, sources, leaders } = light("scores", [0, 2]);
    expect(target).toMatchObject({ board: { id: "scores" }, run: { top: 0, left: 2 } });
    expect([...sources]).toEqual([
      ["Q", [{ top: 0, bottom: 0, left: 0, right: 2 }]],
      ["K_T", [{ top: 0, bottom: 2, left: 2, right: 2 }]],
    ]);
    expect(leaders.map(({ role, from, to }) => [role, from[0] === to[0], from[1] === to[1]])).toEqual([
      ["query", false, true],
      ["key", true, false],
    ]);
  });
  test("a node that is shown twice is lit on the board that is in line with the target", () => {
    expect([...light("output", [0, 1]).sources.keys()]).toEqual(["weights", "V above"]);
  });
  test("the target is framed on the board that was pointed at", () => {
    const { target, twins, sources } = light("V", [1, 1], "V above");
    expect([target?.board.id, twins.map((twin) => twin.board.id)]).toEqual(["V above", ["V"]]);
    expect([...sources.keys()]).toEqual(["X", "W_V"]);
    expect(light("V", [1, 1]).target?.board.id).toBe("V");
  });
});

test("colour domains: families share one, probabilities reach 1, while numbers are changed they only grow", () => {
  const shared = domainsOf(boards, "shared", null);
  expect(Object.fromEntries(shared)).toEqual({ vectors: 4, parameters: 2, scores: 14, weights: 1 });
  const own = domainsOf(boards, "own", null);
  expect(own.get("scaled ,")).toBeCloseTo(14 / Math.sqrt(3), 12);
  expect(domainsOf(boards, "shared", new Map([["scores", 20]])).get("scores")).toBe(20);
  expect(domainsOf(boards, "shared", new Map([["scores", 2]])).get("scores")).toBe(14);
});

describe("keys", () => {
  const press = (key: string, on: Board, place: [number, number], more = {}): ReturnType<typeof keyAction> =>
    keyAction(
      { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more },
      boards,
      on,
      place,
    );
  const scores = board("scores");
  test.each([
    ["ArrowRight", [0, 3], [0, 3]],
    ["ArrowLeft", [0, 3], [0, 2]],
    ["ArrowDown", [1, 1], [2, 1]],
    ["ArrowUp", [0, 1], [0, 1]],
    ["Home", [2, 2], [2, 0]],
    ["End", [2, 2], [2, 3]],
  ] as const)("%s from %j", (key, from, to) => {
    expect(press(key, scores, [...from])).toEqual({ kind: "move", board: scores, place: to });
  });
  test("corners, and the next tensor on the same row", () => {
    expect(press("End", scores, [0, 0], { ctrlKey: true })).toMatchObject({ place: [3, 3] });
    expect(press("PageDown", scores, [2, 3])).toMatchObject({ board: { id: "scaled" }, place: [2, 3] });
    expect(press("PageUp", scores, [3, 3])).toMatchObject({ board: { id: "K_T" }, place: [2, 3] });
    expect(press("PageUp", board("X"), [0, 0])).toBeNull();
  });
  test("typing a digit edits a cell that may be edited", () => {
    expect(press("-", board("X"), [0, 0])).toEqual({ kind: "edit", typed: "-" });
    expect(press("7", scores, [0, 0])).toBeNull();
    expect(press("F2", board("W_Q"), [0, 0])).toEqual({ kind: "edit", typed: null });
  });
  test("Shift with an arrow or a page key changes a number that may be edited", () => {
    const shift = { shiftKey: true };
    expect(press("ArrowUp", board("W_Q"), [0, 0], shift)).toEqual({ kind: "pull", by: 0.1 });
    expect(press("ArrowLeft", board("X"), [0, 0], shift)).toEqual({ kind: "pull", by: -0.01 });
    expect(press("PageDown", board("X"), [0, 0], shift)).toEqual({ kind: "pull", by: -1 });
    expect(press("ArrowUp", scores, [1, 1], shift)).toMatchObject({ kind: "move", place: [0, 1] });
  });
  test("key combinations of the browser are ignored", () => {
    expect(press("c", scores, [0, 0], { ctrlKey: true })).toBeNull();
    expect(press("c", scores, [0, 0])).toEqual({ kind: "copy" });
    expect(press("Tab", scores, [0, 0])).toBeNull();
  });
});

test.each([
  ["1.5", 1.5],
  [" −2 ", -2],
  ["１２", 12],
  ["1e-3", 0.001],
  [".5", 0.5],
  ["-", null],
  ["", null],
  ["1,5", null],
  ["0x10", null],
  ["Infinity", null],
  ["1e999", null],
])("typed %j is %d", (text, value) => expect(parseNumber(text)).toBe(value));

test("a veil is clear over patches with large weights", () => {
  const weights = {
    name: "A",
    op: "softmax",
    inputs: [],
    shape: [2, 3],
    data: Float64Array.of(0, 0, 0, 0.5, 0.25, 0.25),
    edited: [],
  };
  expect(veilOf({ node: "A", at: [1, null], skip: 1 }, weights, 2)).toEqual([0, 0]);
  expect(veilOf({ node: "A", at: [1, null], skip: 0 }, weights, 3)).toEqual([0, 0.45, 0.45]);
  expect(veilOf({ node: "A", at: [0, null], skip: 0 }, weights, 3)).toEqual([0.9, 0.9, 0.9]);
  expect(veilOf({ node: "A", at: [1, null], skip: 1 }, weights, 3)).toBeNull();
});

test("area averages preserve the sum of light", () => {
  const cells = Float32Array.from({ length: 2 * 4 * 3 }, (_, at) => at);
  const half = averageOverArea(cells, 2, 4, 2, 2);
  expect([...half.slice(0, 3)]).toEqual([1.5, 2.5, 3.5]);
  const odd = averageOverArea(Float32Array.of(0, 0, 0, 3, 3, 3, 6, 6, 6), 1, 3, 2, 1);
  expect([...odd]).toEqual([1, 1, 1, 5, 5, 5].map((value) => expect.closeTo(value, 5) as number));
});

test("wires have right angles with round corners", () => {
  expect(
    wirePath([
      [0, 20],
      [0, 10],
      [30, 10],
    ]),
  ).toBe("M0 20L0 14Q0 10 4 10L30 10");
});
