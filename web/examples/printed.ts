/** Numbers as a source prints them, and whether a computed one is the same. */

/** A printed number of a source and the cell that must equal it at the printed digits. */
export interface Printed {
  node: string;
  index: number[];
  /** As printed: "0.98522025". */
  digits: string;
}

/** How many of the numbers that a source prints come out so; `valueAt` gives a computed number, NaN where there is none. */
export const countMatches = (
  printed: readonly Printed[],
  valueAt: (node: string, index: number[]) => number,
): number => printed.filter(({ node, index, digits }) => matchesPrinted(valueAt(node, index), digits)).length;

const form = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/**
 * Whether `value` is what `digits` prints: |value − printed| is at most half a unit of the last printed digit. A sum that lies
 * exactly halfway may miss it by the rounding of doubles, so a few units in the last place of the double are forgiven.
 * Throws when `digits` is not a number.
 */
export function matchesPrinted(value: number, digits: string): boolean {
  const plain = digits.trim().replace("\u2212", "-");
  const parts = form.exec(plain);
  if (!parts) throw new Error(`printed: expected a decimal number, got ${digits}`);
  const printed = Number(plain);
  // Written as text, so that a unit of 1e-197 is as exact as a double can be.
  const unit = Number(`1e${Number(parts[4] ?? 0) - (parts[3] ?? "").length}`);
  const forgiven = 8 * Number.EPSILON * Math.abs(printed);
  return Math.abs(value - printed) <= unit / 2 + forgiven;
}
