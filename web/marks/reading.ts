/** Scenes on whose cells other numbers stand than the nodes' own: the tensors take a reading each, and their legends say which. */
import type { Fill, Legend, PlacedTensor, Reading, Scene } from "./scene.js";

export type SceneReader = (scene: Scene) => Scene;

export interface ReadingScale {
  fill: Fill;
  /** Under the scale of a family of tensors. */
  legend(nodes: ReadonlySet<string>): string;
  /** The same where there is little room. */
  short?: string;
}

/**
 * Every tensor reads as `readingOf` says. Without a `scale` the numbers stay on their own. With one those replaced are on it, each
 * family for itself; of a family that has such, the others stand on no scale, for the legend is theirs no more. A family whose
 * cells are all left empty has no legend.
 */
export function readingScenes(
  readingOf: (tensor: PlacedTensor) => Reading,
  scale: ReadingScale | null,
): SceneReader {
  const beside = (placed: PlacedTensor): PlacedTensor => ({ ...placed, reading: readingOf(placed) });
  if (!scale) return (scene) => ({ ...scene, tensors: scene.tensors.map(beside) });
  const { fill } = scale;
  const familyOf = (family: string): string => `${fill} of ${family}`;
  const kept = (placed: PlacedTensor) => ({ ...readingOf(placed), parameter: placed.fill === "parameter" });
  const replaced = (placed: PlacedTensor): PlacedTensor => {
    return { ...placed, reading: kept(placed), fill, family: familyOf(placed.family) };
  };
  const left = (placed: PlacedTensor): PlacedTensor => {
    return { ...placed, reading: kept(placed), fill: "none", family: "none" };
  };
  return (scene) => {
    const nodes = new Map<string, Set<string>>();
    const empty = new Map<string, boolean>();
    for (const placed of scene.tensors) {
      const { family, node } = placed;
      const { numbers } = readingOf(placed);
      empty.set(family, numbers === null && (empty.get(family) ?? true));
      if (numbers) nodes.set(family, (nodes.get(family) ?? new Set()).add(node));
    }
    const tensor = (placed: PlacedTensor): PlacedTensor =>
      readingOf(placed).numbers ? replaced(placed) : nodes.has(placed.family) ? left(placed) : beside(placed);
    const legend = (item: Legend): Legend => {
      const read = nodes.get(item.family);
      if (!read) return item;
      const { short } = scale;
      const text = scale.legend(read);
      return { ...item, fill, family: familyOf(item.family), text, ...(short && { short }) };
    };
    const legends = scene.legends.filter(({ family }) => !empty.get(family)).map(legend);
    return { ...scene, tensors: scene.tensors.map(tensor), legends };
  };
}
