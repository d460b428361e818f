/** A field of a link: name, form, and what its absence means. */
import type { Edit } from "./config.js";
import type { Form } from "./forms.js";
import { isCellIn, type Leaves } from "./cells.js";

/** `now` holds the fields before this one as they were resolved, the later ones as in `base`. */
export type Field<N> = {
  [K in keyof N]-?: { key: K; name: string; form: Form<N[K]>; absent: (now: N, base: N) => N[K] };
}[keyof N];

/** The base's edits, as long as each still has its cell. */
/* @__NO_SIDE_EFFECTS__ */
export function keptEdits<N extends { edits: Edit[] }>(
  leaves: (numbers: N) => Leaves,
): (now: N, base: N) => Edit[] {
  return (now, base) => (base.edits.every((edit) => isCellIn(leaves(now), edit)) ? base.edits : []);
}
