/** The boxes that a scene's parts occupy, for tests of scenes. */
import { columnNames, cutName, textWidth } from "../../web/marks/measure.js";
import type { PlacedTensor, Scene, Snapshots } from "../../web/marks/scene.js";

export interface Box {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The numbers of rows and columns of a placed tensor, from the node's shape. */
function sizeOf(tensor: PlacedTensor, snapshots: Snapshots): [number, number] {
  const snapshot = snapshots.get(tensor.node);
  if (!snapshot) throw new Error(`${tensor.id} shows ${tensor.node}, which is not in the graph`);
  if (snapshot.shape.length !== tensor.at.length)
    throw new Error(
      `${tensor.id} has ${tensor.at.length} places, ${tensor.node} has (${snapshot.shape.join()})`,
    );
  const free = snapshot.shape.filter((_, axis) => tensor.at[axis] === null);
  tensor.at.forEach((place, axis) => {
    if (place !== null && !(place >= 0 && place < snapshot.shape[axis]!))
      throw new Error(`${tensor.id} shows place ${place} of axis ${axis} of ${tensor.node}`);
  });
  if (free.length === 0) return [1, 1];
  if (free.length === 1) return tensor.turned ? [free[0]!, 1] : [1, free[0]!];
  if (free.length !== 2) throw new Error(`${tensor.id} has ${free.length} free axes`);
  return tensor.turned ? [free[1]!, free[0]!] : [free[0]!, free[1]!];
}

/** The box of a tensor: its cells with brackets, caption and names. */
export function tensorBox(tensor: PlacedTensor, snapshots: Snapshots): Box {
  const [rows, columns] = sizeOf(tensor, snapshots);
  const { form, inset: [above, below] = [0, 0] } = tensor;
  const bracket = tensor.plain || form ? 0 : tensor.fill === "parameter" ? 8 : 5;
  const hook = Math.min(3, bracket);
  const names = tensor.columnNames && !form ? columnNames(tensor.columnNames, tensor.cellWidth).height : 0;
  const labels = tensor.rowNames
    ? Math.max(...tensor.rowNames.map((name) => textWidth(cutName(name)))) + 14
    : bracket;
  return {
    name: tensor.id,
    left: tensor.x - Math.max(bracket, labels),
    top: tensor.y + above - Math.max(hook, names + (tensor.caption === "above" ? 26 : 0)),
    right: tensor.x + (tensor.window?.count ?? columns) * tensor.cellWidth + bracket,
    bottom:
      tensor.y +
      rows * tensor.cellHeight -
      below +
      (tensor.caption === "below" ? (tensor.name ? 42 : 26) : hook),
  };
}

/** The boxes of a tensor: of one with room between its rows, where others may stand, a box for each row. */
function rowBoxes(tensor: PlacedTensor, snapshots: Snapshots): Box[] {
  const box = tensorBox(tensor, snapshots);
  if (!tensor.inset) return [box];
  const [above, below] = tensor.inset;
  return Array.from({ length: sizeOf(tensor, snapshots)[0] }, (_, row) => {
    const top = tensor.y + row * tensor.cellHeight;
    return { ...box, top: top + above, bottom: top + tensor.cellHeight - below };
  });
}

export const imageBox = ({ id, x, y, size }: Scene["images"][number]): Box => ({
  name: id,
  left: x,
  top: y,
  right: x + size,
  bottom: y + size,
});

export function boxesOf(scene: Scene, snapshots: Snapshots): Box[] {
  return [
    ...scene.tensors.flatMap((tensor) => rowBoxes(tensor, snapshots)),
    ...scene.images.map(imageBox),
    ...scene.legends.map(({ family, x, y, width }) => ({
      name: `legend of ${family}`,
      left: x,
      top: y,
      right: x + width,
      bottom: y + 20,
    })),
  ];
}

/** Pairs of boxes that overlap by more than a pixel. */
export function overlaps(boxes: readonly Box[]): string[] {
  const found: string[] = [];
  boxes.forEach((a, index) => {
    for (const b of boxes.slice(index + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1)
        found.push(`${a.name} and ${b.name} share ${across.toFixed(1)} by ${down.toFixed(1)}`);
    }
  });
  return found;
}

/** Boxes that leave a room. */
export function outside(boxes: readonly Box[], width: number, height: number): string[] {
  return boxes
    .filter(
      ({ left, top, right, bottom }) => left < -1 || top < -1 || right > width + 1 || bottom > height + 1,
    )
    .map(
      ({ name, left, top, right, bottom }) =>
        `${name} ${[left, top, right, bottom].map((edge) => edge.toFixed(0)).join(" ")} in ${width}×${height}`,
    );
}
