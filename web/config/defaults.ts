/** What a lab opens with, version 1: its first example. Frozen. */
import { exampleById } from "../examples/index.js";
import type { ConfigOf, LabId } from "./config.js";

/** The first example of each lab. Never re-pointed: a link without a field means this one's. */
export const firstExamples: Readonly<Record<LabId, string>> = {
  attention: "four-words",
  "multi-head": "ten-by-twenty-run-1",
  positions: "fifty-positions",
  vit: "harbour",
  "encoder-decoder": "old-black-cat",
  optimizers: "line-of-document-004",
  block: "one-block",
  losses: "label-smoothing",
  complexity: "why-self-attention",
  scaling: "seven-widths",
  bert: "masked-mat",
  words: "dog-bites-man",
};

/** A copy of the Config a lab opens with, free to be changed. */
export function defaults<L extends LabId>(lab: L): ConfigOf<L> {
  const example = exampleById(firstExamples[lab]);
  if (!example || example.config.view.lab !== lab) throw new Error(`no first example of ${lab}`);
  return structuredClone(example.config) as ConfigOf<L>;
}
