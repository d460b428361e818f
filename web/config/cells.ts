/** The leaves that can be edited, by node name and shape, and their cells. This file imports nothing, so every table of settings may import it. */
export type Leaves = Readonly<Record<string, readonly number[]>>;

/** Whether `index` is a cell of a tensor of `shape`. */
export function isCellOf(shape: readonly number[], index: readonly number[]): boolean {
  return (
    index.length === shape.length &&
    index.every((place, axis) => Number.isInteger(place) && place >= 0 && place < (shape[axis] ?? 0))
  );
}

/** Whether the edited cell exists in one of `leaves`. */
export function isCellIn(
  leaves: Leaves,
  { node, index }: { node: string; index: readonly number[] },
): boolean {
  return Object.hasOwn(leaves, node) && isCellOf(leaves[node]!, index);
}
