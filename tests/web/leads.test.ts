// What a cell leads on to: a word feeds query, key and value side by side; a score becomes a weight step by step.
import { expect, test } from "vitest";
import { leadsOf, onStage } from "../../web/page/leads.js";
import { computed, configOf, sessionOf } from "./labs-sessions.js";

const config = configOf<"attention">("four-words");
const { snapshots } = computed(config);
const session = sessionOf(config);
session.compute(config);

test("a number of a word feeds its query, key and value at once, and all of them are framed", () => {
  const explanation = session.explain("X", [0, 1]);
  const leads = leadsOf(config, explanation, snapshots);
  expect(leads.map(({ node, value, beside }) => [node, value, beside ?? false])).toEqual([
    ["Q", 2, false],
    ["K", 2, true],
    ["V", 1, true],
  ]);
  expect(onStage(explanation, leads)?.sources).toEqual([
    { node: "Q", from: [0, 0], to: [0, 2] },
    { node: "K", from: [0, 0], to: [0, 2] },
    { node: "V", from: [0, 0], to: [0, 2] },
  ]);
});

test("a score becomes a weight step by step, and its own sources stay framed", () => {
  const explanation = session.explain("scores", [0, 2]);
  const leads = leadsOf(config, explanation, snapshots);
  expect(leads.map(({ node, beside }) => [node, beside ?? false])).toEqual([
    ["scaled", false],
    ["weights", false],
  ]);
  expect(onStage(explanation, leads)).toBe(explanation);
});
