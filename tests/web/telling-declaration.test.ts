// Texts and symbols of a lab made from its declaration: tensors, stops and the texts under colour scales from strings, letters and meanings from the
// axes.
import { expect, test } from "vitest";
import { defaults } from "../../web/config/defaults.js";
import { ownStrings, wordsIn } from "../../web/i18n/words.js";
import { labFrom, namedTensors, stringsFrom, type Axes, type Tensor } from "../../web/telling/declaration.js";
import { cellAt } from "../../web/telling/largest.js";

const strings = {
  title: "A lab",
  lede: "What it shows.",
  "name.weights": "weights of {who}",
  "single.weights": "weight",
  "meaning.weights": "{query} asks {key} in {d_k}",
  "name.output": "output",
  "stop.ask": "ask",
  "tell.ask": "Each asks.",
  "tell.ask.twice": "Each asks {n} times.",
  "legend.scores": "scores",
};
const text = ownStrings(wordsIn("en"), { en: strings, "zh-CN": strings });
const words = ["cat", "dog"];
const axes: Axes = { head: ["H"], query: ["L", words], key: ["L", words] };
const tensors: Tensor[] = [
  {
    node: "layer.weights",
    symbol: "A",
    axes: "head query key",
    at: [0, null, null],
    slots: { who: "cat" },
    stop: "ask",
  },
  { node: "O", key: "output", symbol: "O", axes: "query d_k", turned: true, meaning: "meaning.weights" },
];

test("a tensor has its name from the strings, and its cells have theirs from the names of its axes", () => {
  const [weights, output] = namedTensors(text, axes, tensors);
  expect(weights).toMatchObject({ name: "weights of cat", single: "weight", letters: "L×L" });
  expect(weights!.axes).toEqual([null, words, words]);
  expect(weights!.meaning!([0, 1, 0])).toBe("dog asks cat in {d_k}");
  // A kind of axis that the lab does not list is its own letter, and its places are named by their numbers.
  expect(output).toMatchObject({ name: "output", single: "output", letters: "d_k×L" });
  expect(output!.meaning!([0, 3])).toBe("cat asks {key} in 3");
});

test("a string that the lab does not have throws", () => {
  expect(() => namedTensors(text, axes, [{ node: "other", symbol: "O", axes: "query" }])).toThrow();
});

test("a stop finds its strings by its id and lists its tensors", () => {
  const lab = labFrom<"words">(null, {
    id: "words",
    formulas: {},
    strings: () => text,
    sentence: () => ({ text: "", controls: [] }),
    change: (numbers) => numbers,
    axes: () => axes,
    tensors: () => tensors,
    stops: () => ({
      ask: cellAt("layer.weights", 0, 1, 0),
      again: { ...cellAt("O", 0, 1), title: "again", tell: "ask.twice", slots: { n: 2 } },
    }),
    symbols: () => ({ id: "", symbols: {} }),
    opening: () => cellAt("O", 0, 0),
  });
  const config = defaults("words");
  const none = new Map();
  expect(lab.title(config, wordsIn("en"))).toBe("A lab");
  expect(lab.steps(config, wordsIn("en"), none)).toEqual([
    {
      id: "ask",
      title: "ask",
      sentence: "Each asks.",
      cell: cellAt("layer.weights", 0, 1, 0),
      nodes: ["layer.weights"],
    },
    { id: "again", title: "again", sentence: "Each asks 2 times.", cell: cellAt("O", 0, 1), nodes: [] },
  ]);
});

test("a lab that uses the page's strings takes the first prefix that has the key", () => {
  const page = stringsFrom("labs.attention.", "labs.")(wordsIn("en"));
  expect(page("title" as never)).toBe(wordsIn("en")("labs.attention.title"));
  expect(page("name.Q" as never)).toBe(wordsIn("en")("labs.name.Q"));
  expect(page.has("nothing")).toBe(false);
});
