/** The settings of the scaling lab: how queries and keys are made, and which row is shown. */
import { bounds } from "../bounds.js";
import { choice, edits, whole } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";

const kinds = {
  /** "unit" draws queries and keys of variance 1; "randn" projects drawn words by weights of variance 1; "scaled" divides these weights by the square root of the words' width. */
  source: choice(["unit", "randn", "scaled"]),
  /** The number of keys; with projected words, queries and keys come from the same words. */
  keys: whole({ min: 2, max: 16 }),
  /** The index of the query whose weights are shown. */
  query: whole({ min: 0, max: 19 }),
  seed: whole(bounds.seed),
  edits,
};

export type ScalingNumbers = NumbersIn<typeof kinds>;
export const scaling = labSettings<ScalingNumbers>(kinds, { first: "seven-widths" });
