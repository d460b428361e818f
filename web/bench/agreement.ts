/** Checks that all contestants compute the same numbers, before any of them is timed. */

/** The tolerance, relative to the largest number of a result: single precision, summed in different orders. */
export const TOLERANCE = 2e-4;

/** The largest difference of two results over the largest number in the first, or over 1 where that is less. NaN in only one is Infinity. */
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
