/** The mask of a Config as cells: whether a query may attend to a key. Also changes of the mask. */
import type { Tensor } from "../../core/attention.js";
import type { Masked } from "../../config/mask.js";

/** Whether query `row` may attend to key `column`. A painted mask that is smaller than the scores allows the cells that it does not cover. */
export function isKeyAllowed(numbers: Masked, row: number, column: number): boolean {
  if (numbers.mask === "causal") return column <= row;
  if (numbers.mask === "painted") return numbers.paint?.[row]?.[column] ?? true;
  return true;
}

/** The cells (L, S) that the mask allows. The keys from `real` on are padding, to which no query may attend. */
export function allowedCells(numbers: Masked, queries: number, keys: number, real = keys): boolean[][] {
  return Array.from({ length: queries }, (_, row) =>
    Array.from({ length: keys }, (_, column) => column < real && isKeyAllowed(numbers, row, column)),
  );
}

/** The cells (L, S) that the mask and the padding hide. */
export const hiddenCells = (numbers: Masked, queries: number, keys: number, real?: number): boolean[][] =>
  allowedCells(numbers, queries, keys, real).map((row) => row.map((isAllowed) => !isAllowed));

/** The mask as a tensor for the core: 1 for the cells that it allows. */
export function maskTensor(numbers: Masked, queries: number, keys: number): Tensor<Uint8Array> {
  return {
    shape: [queries, keys],
    data: Uint8Array.from(allowedCells(numbers, queries, keys).flat(), Number),
  };
}

/** The queries that may attend to no key. */
export function emptyRows(numbers: Masked, queries: number, keys: number, real?: number): number[] {
  return allowedCells(numbers, queries, keys, real).flatMap((row, place) =>
    row.includes(true) ? [] : [place],
  );
}

/** The numbers with one cell painted ("row,column,1" or "row,column,0"). It starts from the cells that the current mask allows; null if `value` is unreadable. */
export function withPaintedCell<N extends Masked>(
  numbers: N,
  value: string,
  queries: number,
  keys: number,
): N | null {
  const parts = /^(\d+),(\d+),([01])$/.exec(value);
  if (!parts) return null;
  const [row, column] = [Number(parts[1]), Number(parts[2])];
  if (row >= queries || column >= keys) return null;
  const next = allowedCells(numbers, queries, keys);
  next[row]![column] = parts[3] === "1";
  return { ...numbers, mask: "painted", paint: next };
}

/** The numbers with another kind of mask. A painted mask has the cells that were painted before, or those that the current mask allows. */
export function withMask<N extends Masked>(
  numbers: N,
  mask: Masked["mask"],
  queries: number,
  keys: number,
): N {
  return {
    ...numbers,
    mask,
    paint: mask === "painted" && !numbers.paint ? allowedCells(numbers, queries, keys) : numbers.paint,
  };
}
