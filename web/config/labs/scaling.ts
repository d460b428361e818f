/** The Config of the scaling lab: how queries and keys come about, and which row is shown. */
import type { Range } from "../bounds.js";
import { choice, edits, whole } from "../checks.js";
import type { Edit } from "../config.js";
import { field } from "../field.js";
import * as form from "../forms.js";
import { editsRule } from "../rule.js";
import type { LabConfig } from "./lab-config.js";

/** All that changes a value in the scaling lab. */
export interface ScalingNumbers {
  /**
   * Queries and keys drawn with variance 1; or projected from drawn words by weights drawn as they are, or divided by the root of
   * the width of the words.
   */
  source: "unit" | "randn" | "scaled";
  /** How many keys each query meets; projected words meet each other. */
  keys: number;
  /** The query whose weights are shown. */
  query: number;
  seed: number;
  edits: Edit[];
}

export const scalingBounds = {
  keys: { min: 2, max: 16 },
  query: { min: 0, max: 19 },
  seed: { min: 0, max: 4294967295 },
} as const satisfies Record<string, Range>;

export const scalingChoices = { source: ["unit", "randn", "scaled"] } as const;

export const scaling: LabConfig<ScalingNumbers> = {
  entries: {
    source: choice(scalingChoices.source),
    keys: whole(scalingBounds.keys),
    query: whole(scalingBounds.query),
    seed: whole(scalingBounds.seed),
    edits,
  },
  rules: [editsRule(() => ({}))],
  fields: [
    field("source", "source", form.choice(scalingChoices.source)),
    field("keys", "keys", form.whole(scalingBounds.keys)),
    field("query", "query", form.whole(scalingBounds.query)),
    field("seed", "seed", form.whole(scalingBounds.seed)),
    field("edits", "edit", form.edits, () => []),
  ],
  leaves: () => ({}),
};
