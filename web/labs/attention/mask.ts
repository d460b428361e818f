/** Which keys a query may attend: the mask of a Config as cells, and painting it. */
import type { Tensor } from "../../core/attention.js";
import type { Masked } from "../../config/mask.js";

/** Whether query `row` may attend key `column`. A painted mask that is smaller than the scores allows what it does not cover. */
export function allows(numbers: Masked, row: number, column: number): boolean {
  if (numbers.mask === "causal") return column <= row;
  if (numbers.mask === "painted") return numbers.paint?.[row]?.[column] ?? true;
  return true;
}

/** Which keys each query may attend, (L, S). The keys from `real` on are padding, which no query may attend. */
export function allowed(numbers: Masked, queries: number, keys: number, real = keys): boolean[][] {
  return Array.from({ length: queries }, (_, row) =>
    Array.from({ length: keys }, (_, column) => column < real && allows(numbers, row, column)),
  );
}

/** The cells that the mask and the padding hide, (L, S). */
export const hidden = (numbers: Masked, queries: number, keys: number, real?: number): boolean[][] =>
  allowed(numbers, queries, keys, real).map((row) => row.map((is) => !is));

/** The mask as the core takes it: 1 = may be attended. */
export function maskTensor(numbers: Masked, queries: number, keys: number): Tensor<Uint8Array> {
  return { shape: [queries, keys], data: Uint8Array.from(allowed(numbers, queries, keys).flat(), Number) };
}

/** Queries that may attend no key at all. */
export function emptyRows(numbers: Masked, queries: number, keys: number, real?: number): number[] {
  return allowed(numbers, queries, keys, real).flatMap((row, place) => (row.includes(true) ? [] : [place]));
}

/** The numbers with one cell painted ("row,column,1" or "row,column,0"), starting from what the present mask allows; null if unreadable. */
export function paint<N extends Masked>(numbers: N, value: string, queries: number, keys: number): N | null {
  const parts = /^(\d+),(\d+),([01])$/.exec(value);
  if (!parts) return null;
  const [row, column] = [Number(parts[1]), Number(parts[2])];
  if (row >= queries || column >= keys) return null;
  const next = allowed(numbers, queries, keys);
  next[row]![column] = parts[3] === "1";
  return { ...numbers, mask: "painted", paint: next };
}

/** The numbers with another kind of mask. Painting starts from what was painted before, or from what the present mask allows. */
export function masked<N extends Masked>(numbers: N, mask: Masked["mask"], queries: number, keys: number): N {
  return {
    ...numbers,
    mask,
    paint: mask === "painted" && !numbers.paint ? allowed(numbers, queries, keys) : numbers.paint,
  };
}
