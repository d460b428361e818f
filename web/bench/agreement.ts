/** Checks that all contestants compute the same numbers, before any of them is timed. */

/** The tolerance, relative to the largest number of a result: single precision, summed in different orders. */
export const TOLERANCE = 2e-4;

/**
 * The largest absolute difference, divided by the largest absolute number of `expected` (by 1 if that is less). Infinity if either
 * contains NaN or the lengths differ.
 */
export function deviation(expected: ArrayLike<number>, got: ArrayLike<number>): number {
  if (expected.length !== got.length) return Infinity;
  let scale = 1;
  let most = 0;
  for (let place = 0; place < expected.length; place++) {
    const off = Math.abs(expected[place]! - got[place]!);
    if (Number.isNaN(off)) return Infinity;
    scale = Math.max(scale, Math.abs(expected[place]!));
    most = Math.max(most, off);
  }
  return most / scale;
}
