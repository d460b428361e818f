/** Finds the cells that the stops of Play describe: cells with one of the larger numbers of their row. */
import { placeOf } from "../marks/plane.js";
import type { Snapshots } from "../marks/scene.js";

export interface Cell {
  node: string;
  index: number[];
}

export const cellAt = (node: string, ...index: number[]): Cell => ({ node, index });

/** The cell with the largest absolute value in the row of `cell`, from column `from` on; `cell` itself if there are no numbers. */
export function largestInRow(snapshots: Snapshots, cell: Cell, from = 0): Cell {
  const { shape = [], data = [] } = snapshots.get(cell.node) ?? {};
  const width = shape.at(-1) ?? 0;
  const before = cell.index.slice(0, -1);
  const row = placeOf(shape, before);
  let [best, most] = [cell.index.at(-1)!, -1];
  for (let at = from; at < width; at += 1) {
    const size = Math.abs(data[row * width + at] ?? NaN);
    if (size > most && size < Infinity) [best, most] = [at, size];
  }
  return { node: cell.node, index: [...before, best] };
}
