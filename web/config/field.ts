/** A field of a link: name, form, and what its absence means. */
import type { Edit } from "./config.js";
import type { Form } from "./forms.js";
import { isCellIn, type Leaves } from "./cells.js";

/** `now` holds the fields before this one as they were resolved, the later ones as in `base`. */
export type Field<N> = {
  [K in keyof N]-?: { key: K; name: string; form: Form<N[K]>; absent: (now: N, base: N) => N[K] };
}[keyof N];

export const field = <N, K extends keyof N>(
  key: K,
  name: string,
  valueForm: Form<N[K]>,
  absent: (now: N, base: N) => N[K] = (_now, base) => base[key],
): Field<N> => ({ key, name, form: valueForm, absent }) as Field<N>;

/** The base's edits, as long as each still has its cell. */
export function keptEdits<N extends { edits: Edit[] }>(
  leaves: (numbers: N) => Leaves,
): (now: N, base: N) => Edit[] {
  return (now, base) => (base.edits.every((edit) => isCellIn(leaves(now), edit)) ? base.edits : []);
}
