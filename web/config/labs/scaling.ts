/** The settings of the scaling lab: how queries and keys are made, and which row is shown. */
import { bounds } from "../bounds.js";
import { choice, edits, later, whole } from "../kinds.js";
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
  /** The d_k of one row, the one whose own d_k is nearest; absent: what `widthsOf` says. */
  width: later(whole({ min: 2, max: 128 })),
};

export type ScalingNumbers = NumbersIn<typeof kinds>;
/** The widths d_k of the rows: a row takes so many of the first numbers of the same queries and keys. */
export const WIDTHS: readonly number[] = [2, 4, 8, 16, 32, 64, 128];

/** The row whose width has the smallest ratio to a width. */
export const rowNearest = (width: number): number => WIDTHS.findIndex((own) => width ** 2 < 2 * own ** 2);

/** The widths of the rows: one of them is `width`, if there is one. */
export const widthsOf = ({ width }: Pick<ScalingNumbers, "width">): readonly number[] =>
  WIDTHS.map((own, row) => (width !== undefined && row === rowNearest(width) ? width : own));

export const scaling = labSettings<ScalingNumbers>(kinds, { first: "seven-widths" });
