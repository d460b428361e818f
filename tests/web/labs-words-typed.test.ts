// Vectors that a reader types into the words lab: as they are written on the page, and what is no number.
import { expect, test } from "vitest";
import type { NumbersOf } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { isRefused } from "../../web/telling/typed-values.js";
import { configOf, labs } from "./labs-sessions.js";

const { numbers } = configOf<"words">("king-and-queen");

const read = (first: string): number[] | string => {
  const typed = `king ${first} 0.1, queen 0.9 0.9, man 0.1 0.1, woman 0.1 0.9`;
  const answer = labs.words.change(numbers, "names", typed, wordsIn("en")) as NumbersOf["words"];
  return isRefused(answer) ? answer.refused : answer.x[0]!;
};

test.each([
  ["0.9", 0.9],
  ["-1.5e-7", -1.5e-7],
  ["\u22125e\u22127", -5e-7],
  ["1e+21", 1e21],
  [".5", 0.5],
])("%s is a number", (text, value) => expect(read(text)).toEqual([value, 0.1]));

test.each(["1e999", "0x10", "Infinity", "e5", "1e"])("%s is refused", (text) =>
  expect(read(text)).toContain(text),
);
