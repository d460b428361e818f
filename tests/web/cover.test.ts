// A covered number is hidden in the labels of a scene too, and other numbers are not.
import { expect, test } from "vitest";
import type { Board } from "../../web/marks/board.js";
import { coverPlace } from "../../web/marks/matrix-lines.js";
import { withoutNumber } from "../../web/marks/cover.js";
import type { Scene } from "../../web/marks/scene.js";

const shown = (value: number, ...texts: string[]): string[] =>
  withoutNumber(
    { labels: texts.map((text) => ({ x: 0, y: 0, text, kind: "axis" })) } as unknown as Scene,
    value,
  ).labels.map(({ text }) => text);

test("each form of the number becomes a question mark", () => {
  expect(shown(Math.SQRT2, "1.414", "man · 1.41", "√2 = 1.4142", "1.4", "11.414", "1.4141", "x")).toEqual([
    "?",
    "man · ?",
    "√2 = ?",
    "?",
    "11.414",
    "1.4141",
    "x",
  ]);
  expect(shown(-2.333, "−2.33", "2.33", "step 2.333")).toEqual(["?", "2.33", "step 2.333"]);
});

test("a single digit stays, because other counts print it too", () => {
  expect(shown(3, "3", "3.00", "row 3", "n = 3")).toEqual(["3", "?", "row 3", "n = 3"]);
});

test("the question mark stands in a cell that has room for it, and beside a smaller one", () => {
  const boardOf = (cellWidth: number, cellHeight: number): Board =>
    ({
      x: 100,
      y: 50,
      cellWidth,
      cellHeight,
      run: () => ({ top: 0, left: 2, bottom: 0, right: 2 }),
    }) as unknown as Board;
  const place = (width: number, height: number) =>
    coverPlace(boardOf(width, height), { node: "X", index: [0, 2] })!;
  expect(place(40, 30)).toMatchObject({ x: 200, size: 15, isBeside: false });
  const small = place(4, 16);
  expect(small.isBeside).toBe(true);
  expect(small.size).toBeGreaterThanOrEqual(11);
  expect(small.x - small.size / 2).toBeGreaterThan(small.cell.x + small.cell.width);
});
