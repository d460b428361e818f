/** Whether contestants give the same numbers, asked before any of them is timed. */

/** Of the largest number of a result, how far another's may be off: single precision, summed in another order. */
export const TOLERANCE = 2e-4;

/** The largest difference of two results over the largest number in the first, or 1 where that is less. NaN in one alone is Infinity. */
export function deviation(expected: ArrayLike<number>, got: ArrayLike<number>): number {
  if (expected.length !== got.length) return Infinity;
  let scale = 1;
  let most = 0;
  for (let place = 0; place < expected.length; place++) {
    const off = Math.abs(expected[place]! - got[place]!);
    scale = Math.max(scale, Math.abs(expected[place]!));
    if (!(off <= most)) most = Number.isNaN(off) ? Infinity : off;
  }
  return most / scale;
}
