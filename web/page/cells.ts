/** Finding cells among the computed numbers: whether a cell exists, the nearest one, its value. */
import type { Explanation } from "../core/attention.js";
import { placeOf } from "../marks/plane.js";
import type { Cell } from "../marks/board.js";
import type { Snapshot, Snapshots } from "../marks/scene.js";

export const firstCell = ({ name, shape }: Snapshot): Cell => ({ node: name, index: shape.map(() => 0) });

/** Whether the numbers have such a cell. */
export function hasCell(snapshots: Snapshots, cell: Cell | null): cell is Cell {
  const shape = cell ? snapshots.get(cell.node)?.shape : undefined;
  return (
    shape !== undefined &&
    cell !== null &&
    shape.length === cell.index.length &&
    cell.index.every((at, axis) => at < shape[axis]!)
  );
}

/** Whether the numbers have such a cell and it was computed from others. */
export const isComputed = (snapshots: Snapshots, cell: Cell | null): cell is Cell =>
  hasCell(snapshots, cell) && snapshots.get(cell.node)?.op !== "leaf";

/** The cell, or the nearest one of its node: when a sentence has become shorter, the last word. */
export function nearestCell(snapshots: Snapshots, cell: Cell | null): Cell | null {
  const shape = cell ? snapshots.get(cell.node)?.shape : undefined;
  return cell && shape
    ? { node: cell.node, index: cell.index.map((at, axis) => Math.min(at, (shape[axis] ?? 1) - 1)) }
    : null;
}

/** Whether the numbers have every cell that an explanation refers to. */
export function hasAllCells(snapshots: Snapshots, { node, index, rows }: Explanation): boolean {
  const cells = [{ node, index }, ...rows.flatMap((row) => row.operands)];
  return cells.every((cell) => cell.node === "" || hasCell(snapshots, cell));
}

export function valueAt(snapshot: Snapshot | undefined, index: number[]): number {
  return snapshot?.data[placeOf(snapshot.shape, index)] ?? NaN;
}

/** Whether a node was sent without its numbers, as on the way to the settings where nothing shows it. */
export const lacksNumbers = ({ shape, data }: Snapshot): boolean => data.length === 0 && !shape.includes(0);
