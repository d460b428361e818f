// What follows of tensors that are rows of a table, of stops and of legends: their strings, axes, letters and meanings.
import { expect, test } from "vitest";
import { own, wordsIn } from "../../web/i18n/words.js";
import { cellAt, legendsOf, stopsOf, tensorsOf } from "../../web/telling/rows.js";

const strings = {
  "name.weights": "weights of {who}",
  "single.weights": "weight",
  "meaning.weights": "{query} asks {key}",
  "name.output": "output",
  "stop.ask": "ask",
  "tell.ask": "Each asks.",
  "tell.ask.twice": "Each asks {n} times.",
  "legend.scores": "scores",
};
const say = own(wordsIn("en"), { en: strings, "zh-CN": strings });
const words = ["cat", "dog"];
const axes = { head: ["H"], query: ["L", words], key: ["L", words], part: ["d_k"] } as const;

test("a tensor is named by its strings, and its cells by what stands on its axes", () => {
  const [weights, output] = tensorsOf(
    say,
    axes,
    [
      {
        node: "layer.weights",
        symbol: "A",
        on: "head query key",
        at: [0, null, null],
        slots: { who: "cat" },
      },
      { node: "O", key: "output", symbol: "O", on: "query part", turned: true, family: "own" },
    ],
    { stop: "ask", family: "shared" },
  );
  expect(weights).toMatchObject({
    name: "weights of cat",
    single: "weight",
    letters: "L×L",
    family: "shared",
  });
  expect(weights!.axes).toEqual([null, words, words]);
  expect(weights!.meaning!([0, 1, 0])).toBe("dog asks cat");
  expect(output).toMatchObject({ name: "output", letters: "d_k×L", stop: "ask", family: "own" });
  expect(output).not.toHaveProperty("single");
  expect(output).not.toHaveProperty("meaning");
});

test("an axis and a string that the lab does not have are refused", () => {
  expect(() => tensorsOf(say, axes, [{ node: "output", symbol: "O", on: "row" }])).toThrow();
  expect(() => tensorsOf(say, axes, [{ node: "other", symbol: "O", on: "query" }])).toThrow();
});

test("stops and legends have their strings by their ids", () => {
  const cell = cellAt("weights", 0, 1);
  expect(stopsOf(say, { ask: cell })).toEqual([{ id: "ask", title: "ask", sentence: "Each asks.", cell }]);
  expect(stopsOf(say, { ask: cell }, { ask: "ask.twice" }, { n: 2 })[0]!.sentence).toBe("Each asks 2 times.");
  const legendOf = legendsOf(say, { weights: "name.output" });
  expect(["scores", "weights", "none"].map(legendOf)).toEqual(["scores", "output", ""]);
});
