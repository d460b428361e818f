/** What a lab's strings and the names of its axes say: of tensors that are rows of a table, of stops, of legends. */
import type { Slots } from "../i18n/words.js";
import type { Stop, Tensor } from "./telling.js";

/** A lab's own strings. */
interface Say {
  (key: never, slots?: Slots): string;
  has(key: string): boolean;
}

/** The axes that a lab's tensors have, by what stands on them ("word"): the letter of their size, and their names where they have any. */
export type Axes = Readonly<Record<string, readonly [letter: string, names?: readonly string[] | null]>>;

/** A tensor of which the rest is said by its strings `name.KEY` and `single.KEY` and by its axes. */
export interface Row extends Partial<Omit<Tensor, "node" | "symbol" | "axes" | "meaning">> {
  node: string;
  symbol: Tensor["symbol"];
  /** What stands on each axis: "head word word". */
  on: string;
  /** Absent: what the node ends in. */
  key?: string;
  slots?: Slots;
  /** A string that has a slot for what stands on each axis; absent: `meaning.KEY`, where there is such. Or as of a tensor. */
  meaning?: string | Tensor["meaning"];
}

const say = (strings: Say, key: string, slots?: Slots): string => strings(key as never, slots);

/** `common` is said of every row that says nothing else. */
export function tensorsOf(
  strings: Say,
  axes: Axes,
  rows: readonly Row[],
  common: Partial<Tensor> = {},
): (Tensor & { name: string })[] {
  return rows.map(({ on, key: given, slots, meaning: own, ...row }) => {
    const key = given ?? row.node.slice(row.node.lastIndexOf(".") + 1);
    const meaning = own ?? (strings.has(`meaning.${key}`) ? `meaning.${key}` : undefined);
    const kinds = on.split(" ").map((kind) => {
      const [letter, names = null] = axes[kind]!;
      return { kind, letter, names };
    });
    const free = kinds.filter((_, axis) => (row.at?.[axis] ?? null) === null);
    const letters = (row.turned ? free.reverse() : free).flatMap(({ letter }) => letter || []).join("×");
    const places = (index: readonly number[]): Slots =>
      Object.fromEntries(kinds.map(({ kind, names }, axis) => [kind, names?.[index[axis]!] ?? ""]));
    return {
      letters,
      ...common,
      ...(strings.has(`single.${key}`) && { single: say(strings, `single.${key}`, slots) }),
      ...row,
      name: row.name ?? say(strings, `name.${key}`, slots),
      axes: kinds.map(({ names }) => names),
      ...(meaning && {
        meaning: typeof meaning === "string" ? (index) => say(strings, meaning, places(index)) : meaning,
      }),
    };
  });
}

/** The stops of Play and their telling cells by their ids: their strings are `stop.ID` and `tell.ID`, or another `tell` one. */
export function stopsOf(
  strings: Say,
  cells: Readonly<Record<string, Stop["cell"]>>,
  tell: Readonly<Record<string, string>> = {},
  slots?: Slots,
): Stop[] {
  return Object.entries(cells).map(([id, cell]) => ({
    id,
    title: say(strings, `stop.${id}`),
    sentence: say(strings, `tell.${tell[id] ?? id}`, slots),
    cell,
  }));
}

/** The text under the scale of a family: `legend.FAMILY`, or another string; where there is none, none. */
export const legendsOf =
  (strings: Say, other: Readonly<Record<string, string>> = {}) =>
  (family: string): string => {
    const key = other[family] ?? `legend.${family}`;
    return strings.has(key) ? say(strings, key) : "";
  };

export const cellAt = (node: string, ...index: number[]): Stop["cell"] => ({ node, index });
