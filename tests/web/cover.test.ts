// A covered number is hidden in the labels of a scene too, and other numbers are not.
import { expect, test } from "vitest";
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
