/** Numbers as a source prints them, and the comparison of computed numbers with them. */

/** A printed number of a source and the cell that must equal it at the printed digits. */
export interface Printed {
  node: string;
  index: number[];
  /** The number as text: "0.98522025". */
  digits: string;
}

/** How many of the printed numbers equal the computed ones. `valueAt` returns a computed number, or NaN where there is none. */
export const countMatches = (
  printed: readonly Printed[],
  valueAt: (node: string, index: number[]) => number,
): number => printed.filter(({ node, index, digits }) => matchesPrinted(valueAt(node, index), digits)).length;

const form = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/**
 * Whether `value` rounds to `digits`: |value − printed| is at most half a unit of the last printed digit. A sum that lies exactly
 * halfway may miss it by the rounding of doubles, so 8 units in the last place of the double are tolerated. Throws if `digits` is
 * not a number.
 */
export function matchesPrinted(value: number, digits: string): boolean {
  const plain = digits.trim().replace("\u2212", "-");
  const parts = form.exec(plain);
  if (!parts) throw new Error(`printed: expected a decimal number, got ${digits}`);
  const printed = Number(plain);
  // Parsing the unit from text makes 1e-197 as exact as a double can be.
  const unit = Number(`1e${Number(parts[4] ?? 0) - (parts[3] ?? "").length}`);
  const forgiven = 8 * Number.EPSILON * Math.abs(printed);
  return Math.abs(value - printed) <= unit / 2 + forgiven;
}
