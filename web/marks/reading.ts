/** A reading shows other numbers than the nodes' own on the cells of a scene: each tensor gets one, and the legends name it. */
import type { Fill, Legend, PlacedTensor, Reading, Scene } from "./scene.js";

export type SceneReader = (scene: Scene) => Scene;

export interface ReadingScale {
  fill: Fill;
  /** The text under the scale of a family of tensors. */
  legend(nodes: ReadonlySet<string>): string;
  /** A shorter text for little room. */
  short?: string;
}

/**
 * Gives every tensor the reading from `readingOf`. Without a `scale`, the tensors keep their colour scales. With one, replaced
 * numbers are on it, with one domain per family; the other tensors of such a family have no scale, because its legend now belongs
 * to the replaced numbers. A family whose cells are all empty has no legend.
 */
export function readingScenes(
  readingOf: (tensor: PlacedTensor) => Reading,
  scale: ReadingScale | null,
): SceneReader {
  const withReading = (placed: PlacedTensor): PlacedTensor => ({ ...placed, reading: readingOf(placed) });
  if (!scale) return (scene) => ({ ...scene, tensors: scene.tensors.map(withReading) });
  const { fill } = scale;
  const familyOf = (family: string): string => `${fill} of ${family}`;
  const scaledReading = (placed: PlacedTensor) => ({
    ...readingOf(placed),
    parameter: placed.fill === "parameter",
  });
  const onScale = (placed: PlacedTensor): PlacedTensor => {
    return { ...placed, reading: scaledReading(placed), fill, family: familyOf(placed.family) };
  };
  const withoutScale = (placed: PlacedTensor): PlacedTensor => {
    return { ...placed, reading: scaledReading(placed), fill: "none", family: "none" };
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
      readingOf(placed).numbers
        ? onScale(placed)
        : nodes.has(placed.family)
          ? withoutScale(placed)
          : withReading(placed);
    const legend = (item: Legend): Legend => {
      const familyNodes = nodes.get(item.family);
      if (!familyNodes) return item;
      const { short } = scale;
      const text = scale.legend(familyNodes);
      return { ...item, fill, family: familyOf(item.family), text, ...(short && { short }) };
    };
    const legends = scene.legends.filter(({ family }) => !empty.get(family)).map(legend);
    return { ...scene, tensors: scene.tensors.map(tensor), legends };
  };
}
