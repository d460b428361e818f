/** A lab's settings, declared as a table: from it come the type of its numbers, their checks, and the fields of its links. */
import type { GenericSchema } from "valibot";
import type { Leaves } from "./cells.js";
import type { Edit } from "./config.js";
import { keptEdits, type Field } from "./field.js";
import type { Editor, Kind } from "./kinds.js";
import { editsRule, type Rule } from "./rule.js";

type Value<K> = K extends Kind<infer T> ? T : never;
type Later<K> = { [P in keyof K]: undefined extends Value<K[P]> ? P : never }[keyof K];
type Flat<T> = { [P in keyof T]: T[P] };
/** The numbers that a table describes. */
export type NumbersIn<K> = Flat<
  { -readonly [P in Exclude<keyof K, Later<K>>]: Value<K[P]> } & {
    -readonly [P in Later<K>]?: Value<K[P]>;
  }
>;

/** What a width is where a link gives matrices and not the width itself. */
export interface WidthOf<N> {
  /** The matrices that are so wide, by key: the first that is given and as high as it should be counts. */
  readonly matrices: readonly string[];
  heights(now: N): readonly number[];
}

export interface LabSettings<N> {
  /** The example that the lab opens with. Never another one: a link without a field means this one's. */
  readonly first: string;
  readonly entries: { readonly [P in keyof N]-?: GenericSchema<N[P]> };
  /** In the order of links; an `absent` may look at the fields before its own. */
  readonly fields: readonly Field<N>[];
  readonly editors: { readonly [P in keyof N]?: Editor };
  readonly rules: readonly Rule<N>[];
  /** Shape of every leaf a reader may edit, by node name. */
  leaves(numbers: N): Leaves;
  readonly widths: { readonly [P in keyof N]?: WidthOf<N> };
}

/** What a table does not say of its settings. */
interface Beside<N> {
  readonly first: string;
  /** What the absence of a field means, where not the base's value. `now` holds the fields before it as they were resolved. */
  readonly absent?: Absences<N>;
  /** What holds between settings. That edits have their cells is one more rule, and the last. */
  readonly rules?: readonly (Rule<N> | readonly Rule<N>[])[];
  readonly leaves?: (numbers: N) => Leaves;
  readonly widths?: { readonly [P in keyof N]?: WidthOf<N> };
}

type KindsOf<N> = { readonly [P in keyof N]-?: Kind<N[P]> };
type Absences<N> = { readonly [P in keyof N]?: (now: N, base: N) => N[P] };

/* @__NO_SIDE_EFFECTS__ */
const each = <N, T>(kinds: KindsOf<N>, of: (kind: Kind<N[keyof N]>) => T): Record<string, T> =>
  Object.fromEntries(
    Object.entries(kinds as Record<string, Kind<N[keyof N]>>).map(([key, kind]) => [key, of(kind)]),
  );

/* @__NO_SIDE_EFFECTS__ */
export const checksOf = <N>(kinds: KindsOf<N>): LabSettings<N>["entries"] =>
  each(kinds, ({ check }) => check) as LabSettings<N>["entries"];

/* @__NO_SIDE_EFFECTS__ */
export const fieldsOf = <N>(kinds: KindsOf<N>, absent: Absences<N>): readonly Field<N>[] =>
  (Object.keys(kinds) as (keyof N & string)[]).map((key) => {
    const { name = key, form } = kinds[key];
    return { key, name, form, absent: absent[key] ?? ((_now: N, base: N) => base[key]) };
  }) as unknown as readonly Field<N>[];

/* @__NO_SIDE_EFFECTS__ */
export function labSettings<N extends { edits: Edit[] }>(
  kinds: KindsOf<N>,
  { first, absent, rules = [], leaves = () => ({}), widths = {} }: Beside<N>,
): LabSettings<N> {
  return {
    first,
    entries: checksOf(kinds),
    editors: each(kinds, ({ editor }) => editor) as LabSettings<N>["editors"],
    fields: fieldsOf<N>(kinds, { edits: keptEdits(leaves), ...absent } as Absences<N>),
    rules: [...rules.flat(), editsRule(leaves)],
    leaves,
    widths,
  };
}
