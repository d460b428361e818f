/** A field of a link: its name, its form, and the value that its absence means. */
import type { Edit } from "./config.js";
import type { Form } from "./forms.js";
import { isCellIn, type Leaves } from "./cells.js";

/** `absent` returns the value of a missing field: `now` holds the values read before it, and those of `base` for the other fields. */
export type Field<N> = {
  [K in keyof N]-?: {
    key: K;
    name: string;
    form: Form<N[K]>;
    absent: (now: N, base: N) => N[K];
    /** Whether it is read before the others. */
    isEarly: boolean;
  };
}[keyof N];

/** The value of missing edits: those of the base if all their cells exist, else none. */
/* @__NO_SIDE_EFFECTS__ */
export function keptEdits<N extends { edits: Edit[] }>(
  leaves: (numbers: N) => Leaves,
): (now: N, base: N) => Edit[] {
  return (now, base) => (base.edits.every((edit) => isCellIn(leaves(now), edit)) ? base.edits : []);
}
