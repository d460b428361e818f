// The cells computed from a cell: a word's query, key and value; a score's scaled score, and from there its
// weight.
import { expect, test } from "vitest";
import { wordsIn } from "../../web/i18n/words.js";
import { resultCells, explanationOnStage } from "../../web/page/result-cells.js";
import { computed, configOf, labOf, sessionOf } from "./labs-sessions.js";

const config = configOf<"attention">("four-words");
const { snapshots } = computed(config);
const session = sessionOf(config);
session.compute(config);
const nodeWords = (node: string) => labOf(config).nodeWords(config, node, wordsIn("en"), snapshots);
const resultCellsOf = (node: string, index: number[]) =>
  resultCells(session.explain(node, index), snapshots, nodeWords);

test("from a number of a word, its query, key and value are computed, and all of them are framed", () => {
  const found = resultCellsOf("X", [0, 1]);
  expect(found.map(({ node, index, value }) => [node, index, value])).toEqual([
    ["Q", [0, 1], snapshots.get("Q")!.data[1]],
    ["K", [0, 1], snapshots.get("K")!.data[1]],
    ["V", [0, 1], snapshots.get("V")!.data[1]],
  ]);
  expect(explanationOnStage(session.explain("X", [0, 1]), found)?.sources).toEqual([
    { node: "Q", from: [0, 0], to: [0, 2] },
    { node: "K", from: [0, 0], to: [0, 2] },
    { node: "V", from: [0, 0], to: [0, 2] },
  ]);
});

test("a score leads step by step to its weight, at the same index, and its own sources stay framed", () => {
  expect(resultCellsOf("scores", [0, 2]).map(({ node, index }) => [node, index])).toEqual([
    ["scaled", [0, 2]],
  ]);
  expect(resultCellsOf("scaled", [0, 2]).map(({ node, index }) => [node, index])).toEqual([
    ["weights", [0, 2]],
  ]);
  const explanation = session.explain("scores", [0, 2]);
  expect(explanationOnStage(explanation, resultCellsOf("scores", [0, 2]))).toBe(explanation);
});

test("only nodes that the lab has words for are named among the users of a cell", () => {
  const known = (node: string) => (node === "K" ? { ...nodeWords(node), axes: [] } : nodeWords(node));
  const explained = session.explain("X", [0, 1]);
  expect(resultCells(explained, snapshots, known).map(({ node }) => node)).toEqual(["Q", "V"]);
  const none = (node: string) => ({ ...nodeWords(node), axes: [] });
  expect(resultCells(explained, snapshots, none).map(({ node }) => node)).toEqual(["Q", "K", "V"]);
});
