/** The settings of the scaling lab: how queries and keys come about, and which row is shown. */
import { bounds } from "../bounds.js";
import { choice, edits, whole } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";

const kinds = {
  /** Drawn with variance 1; or projected from drawn words by weights drawn so, or divided by the root of the width of the words. */
  source: choice(["unit", "randn", "scaled"]),
  /** How many keys each query meets; projected words meet each other. */
  keys: whole({ min: 2, max: 16 }),
  /** The query whose weights are shown. */
  query: whole({ min: 0, max: 19 }),
  seed: whole(bounds.seed),
  edits,
};

export type ScalingNumbers = NumbersIn<typeof kinds>;
export const scaling = labSettings<ScalingNumbers>(kinds, { first: "seven-widths" });
