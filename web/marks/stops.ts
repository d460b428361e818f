/** The part of a scene that Play has reached. */
import type { Board, Place } from "./board.js";
import type { PlacedTensor, Scene, Snapshots } from "./scene.js";

/**
 * How far Play has come: nothing of a later step is drawn, and of `node`, the tensor that the step sweeps,
 * only `sweep` cells, and nothing that is computed after it.
 */
export interface Progress {
  step: number;
  sweep: number | null;
  /** When absent, the first tensor of the step that is not a parameter. */
  node?: string;
}

/** The number of cells of a board that are computed at this point of Play; `boards` are those that Play has reached. */
export function shownCells(
  board: Board,
  play: Progress | null,
  boards: readonly Board[],
  snapshots: Snapshots,
): number {
  if (board.tensor?.placed.reading?.numbers === null) return 0;
  if (!play || board.step < play.step) return Infinity;
  if (board.step > play.step) return 0;
  const { step, sweep, node } = play;
  if (sweep === null) return Infinity;
  if (node !== undefined) {
    if (board.node === node) return sweep;
    // Nodes come in the order in which they are computed.
    const names = [...snapshots.keys()];
    const isInput = snapshots.get(board.node)?.op === "leaf";
    return isInput || names.indexOf(board.node) < names.indexOf(node) ? Infinity : 0;
  }
  const first = boards.find((other) => other.step === step && other.tensor?.placed.fill !== "parameter");
  return first === board ? sweep : Infinity;
}

/** Whether a place is among the first `count` cells of a board. */
export const holdsPlace = ({ columns }: Board, [row, column]: Place, count: number): boolean =>
  row * columns + column < count;

/** Moves the names of a line's rows to the first of its tensors that has appeared. */
function withRowNames(
  tensor: PlacedTensor,
  visible: readonly PlacedTensor[],
  all: readonly PlacedTensor[],
): PlacedTensor {
  const isInLine = (other: PlacedTensor) => other.y === tensor.y && other.cellHeight === tensor.cellHeight;
  const line = visible.filter(isInLine);
  const isFirst = line.every((other) => other.x >= tensor.x && !other.rowNames);
  const rowNames = isFirst && all.find((other) => isInLine(other) && other.rowNames)?.rowNames;
  return rowNames ? { ...tensor, rowNames } : tensor;
}

/** The scene without anything that appears after `step`; the rest keeps its place. */
export function sceneUntil(scene: Scene, step: number): Scene {
  const reached = <T extends { step?: number }>(things: readonly T[]): T[] =>
    things.filter((thing) => (thing.step ?? 0) <= step);
  const tensors = reached(scene.tensors);
  const hasFamily = (among: readonly PlacedTensor[], family: string): boolean =>
    among.some((tensor) => tensor.family === family);
  return {
    ...scene,
    tensors: tensors.map((tensor) => withRowNames(tensor, tensors, scene.tensors)),
    wires: reached(scene.wires),
    operators: reached(scene.operators),
    labels: reached(scene.labels),
    curves: reached(scene.curves),
    images: reached(scene.images),
    ...(scene.rails && { rails: reached(scene.rails) }),
    legends: scene.legends.filter(
      ({ family }) => hasFamily(tensors, family) || !hasFamily(scene.tensors, family),
    ),
  };
}
