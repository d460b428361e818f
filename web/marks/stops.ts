/** A scene as far as the stops of Play have come. */
import type { PlacedTensor, Scene } from "./scene.js";

/** The names of a line's rows stand at the first of its tensors that is there. */
function named(
  tensor: PlacedTensor,
  shown: readonly PlacedTensor[],
  all: readonly PlacedTensor[],
): PlacedTensor {
  const beside = (other: PlacedTensor) => other.y === tensor.y && other.cellHeight === tensor.cellHeight;
  const line = shown.filter(beside);
  const first = line.every((other) => other.x >= tensor.x && !other.rowNames);
  const rowNames = first && all.find((other) => beside(other) && other.rowNames)?.rowNames;
  return rowNames ? { ...tensor, rowNames } : tensor;
}

/** Nothing of a later stop than `step`; what is there stands where it stood. */
export function until(scene: Scene, step: number): Scene {
  const come = <T extends { step?: number }>(things: readonly T[]): T[] =>
    things.filter((thing) => (thing.step ?? 0) <= step);
  const tensors = come(scene.tensors);
  const holds = (among: readonly PlacedTensor[], family: string): boolean =>
    among.some((tensor) => tensor.family === family);
  return {
    ...scene,
    tensors: tensors.map((tensor) => named(tensor, tensors, scene.tensors)),
    wires: come(scene.wires),
    operators: come(scene.operators),
    labels: come(scene.labels),
    curves: come(scene.curves),
    images: come(scene.images),
    ...(scene.rails && { rails: come(scene.rails) }),
    legends: scene.legends.filter(({ family }) => holds(tensors, family) || !holds(scene.tensors, family)),
  };
}
