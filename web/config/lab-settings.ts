/** A lab's settings, made from a table: the type of its numbers, their checks, and the fields of its links. */
import type { GenericSchema } from "valibot";
import type { Leaves } from "./cells.js";
import type { Edit } from "./config.js";
import { keptEdits, type Field } from "./field.js";
import type { Editor, Kind } from "./kinds.js";
import { editsRule, type Rule } from "./rule.js";

type Value<K> = K extends Kind<infer T> ? T : never;
type Later<K> = { [P in keyof K]: undefined extends Value<K[P]> ? P : never }[keyof K];
type Flat<T> = { [P in keyof T]: T[P] };
/** The type of the numbers that a table describes. */
export type NumbersIn<K> = Flat<
  { -readonly [P in Exclude<keyof K, Later<K>>]: Value<K[P]> } & {
    -readonly [P in Later<K>]?: Value<K[P]>;
  }
>;

/** The rule by which a width follows from typed matrices, for a link that has the matrices and not the width. */
export interface WidthOf<N> {
  /** The keys of the matrices with this width. The first that the link has with an allowed height gives the value. */
  readonly matrices: readonly string[];
  heights(now: N): readonly number[];
}

export interface LabSettings<N> {
  /** The id of the example that the lab opens with. It never changes, because a field that a link lacks takes its value from this example. */
  readonly first: string;
  readonly entries: { readonly [P in keyof N]-?: GenericSchema<N[P]> };
  /** In the order of checksums. */
  readonly fields: readonly Field<N>[];
  readonly editors: { readonly [P in keyof N]?: Editor };
  readonly rules: readonly Rule<N>[];
  /** The shape of every leaf that a reader may edit, by node name. */
  leaves(numbers: N): Leaves;
  readonly widths: { readonly [P in keyof N]?: WidthOf<N> };
}

/** The parts of a lab's settings beside its table. */
interface Beside<N> {
  readonly first: string;
  /** The value of a missing field, if it is not that of the base. `now` holds the values read before it: those of early fields, and of the fields before its own. */
  readonly absent?: Absences<N>;
  /** The rules between settings. A last rule is added: every edited cell exists. */
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
    const { name = key, form, isEarly = false } = kinds[key];
    return { key, name, form, isEarly, absent: absent[key] ?? ((_now: N, base: N) => base[key]) };
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
