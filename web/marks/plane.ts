/** A plane is a node seen as a matrix: the cells of the node in the rows and columns of a placed tensor. */
import type { PlacedTensor, Snapshot } from "./scene.js";

/** The rows and columns of one matrix; `base` and the strides locate its numbers in the node's row-major data. */
export interface Plane {
  rows: number;
  columns: number;
  base: number;
  rowStride: number;
  columnStride: number;
  /** The axes of the node that run down and across; null if there is only one row or column. */
  rowAxis: number | null;
  columnAxis: number | null;
  /** The node's column that is the first of the plane. */
  firstColumn: number;
  at: readonly (number | null)[];
}

/** A rectangle of neighbouring cells, given by its corners, inclusive. */
export interface Run {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** The matrix that `placed` shows of a node with this shape; null if they do not fit, because the node has changed since. */
export function planeOf(
  placed: Pick<PlacedTensor, "at" | "turned" | "window">,
  shape: Snapshot["shape"],
): Plane | null {
  if (placed.at.length !== shape.length) return null;
  const strides: number[] = new Array<number>(shape.length).fill(1);
  for (let axis = shape.length - 2; axis >= 0; axis--)
    strides[axis] = (strides[axis + 1] ?? 1) * (shape[axis + 1] ?? 1);
  const free: number[] = [];
  let base = 0;
  for (const [axis, place] of placed.at.entries()) {
    if (place === null) free.push(axis);
    else if (place < 0 || place >= (shape[axis] ?? 0)) return null;
    else base += place * (strides[axis] ?? 1);
  }
  if (free.length > 2) return null;
  const across = free.at(-1) ?? null;
  const down = free.length === 2 ? (free[0] ?? null) : null;
  const [rowAxis, columnAxis] = placed.turned ? [across, down] : [down, across];
  const columns = columnAxis === null ? 1 : (shape[columnAxis] ?? 1);
  const columnStride = columnAxis === null ? 0 : (strides[columnAxis] ?? 1);
  const { first, count } = placed.window ?? { first: 0, count: columns };
  return {
    rows: rowAxis === null ? 1 : (shape[rowAxis] ?? 1),
    columns: Math.min(count, columns - first),
    base: base + first * columnStride,
    rowStride: rowAxis === null ? 0 : (strides[rowAxis] ?? 1),
    columnStride,
    rowAxis,
    columnAxis,
    firstColumn: first,
    at: placed.at,
  };
}

/** The place of an index in row-major data; of an index without the last axis, the number of its row. */
export const placeOf = (shape: readonly number[], index: readonly number[]): number =>
  index.reduce((place, at, axis) => place * shape[axis]! + at, 0);

/** The offset of a cell's number in the node's data. */
export function offsetOf(plane: Plane, row: number, column: number): number {
  return plane.base + row * plane.rowStride + column * plane.columnStride;
}

/** The index of a cell in the node. */
export function indexOf(plane: Plane, row: number, column: number): number[] {
  return plane.at.map(
    (place, axis) =>
      place ?? (axis === plane.rowAxis ? row : axis === plane.columnAxis ? plane.firstColumn + column : 0),
  );
}

/** The cells of the plane that show the node's cells `from` … `to`, inclusive; null if none does. */
export function runOf(plane: Plane, from: readonly number[], to: readonly number[]): Run | null {
  if (from.length !== plane.at.length || to.length !== plane.at.length) return null;
  const inside = plane.at.every(
    (place, axis) => place === null || ((from[axis] ?? 0) <= place && place <= (to[axis] ?? -1)),
  );
  if (!inside) return null;
  const run = {
    top: plane.rowAxis === null ? 0 : (from[plane.rowAxis] ?? 0),
    bottom: plane.rowAxis === null ? 0 : (to[plane.rowAxis] ?? 0),
    left: plane.columnAxis === null ? 0 : Math.max(0, (from[plane.columnAxis] ?? 0) - plane.firstColumn),
    right:
      plane.columnAxis === null
        ? 0
        : Math.min(plane.columns - 1, (to[plane.columnAxis] ?? 0) - plane.firstColumn),
  };
  return run.top <= run.bottom && run.left <= run.right && run.bottom < plane.rows ? run : null;
}

/** Yields every number of the plane, row by row. */
export function* valuesOf(plane: Plane, data: Float64Array): Generator<number> {
  for (let row = 0; row < plane.rows; row++) {
    for (let column = 0; column < plane.columns; column++) yield data[offsetOf(plane, row, column)] ?? NaN;
  }
}
