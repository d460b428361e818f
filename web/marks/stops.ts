/** The part of a scene that Play has reached. */
import type { PlacedTensor, Scene } from "./scene.js";

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
