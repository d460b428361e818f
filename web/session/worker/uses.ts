/** What is computed from a cell, as told by cells that a reader knows. */
import type { CellBlock, Graph } from "../../core/attention.js";

/** The blocks of each node as the block around them. */
function joined(blocks: readonly CellBlock[]): CellBlock[] {
  const nodes = new Map<string, CellBlock>();
  for (const { node, from, to } of blocks) {
    const known = nodes.get(node) ?? { node, from, to };
    nodes.set(node, {
      node,
      from: known.from.map((place, axis) => Math.min(place, from[axis]!)),
      to: known.to.map((place, axis) => Math.max(place, to[axis]!)),
    });
  }
  return [...nodes.values()];
}

/**
 * The cells of named nodes that are computed directly from a cell, in the order of the nodes: of each node the block around them. In place of
 * the cells of a hidden node stand those that are computed from them.
 */
export function usesSeen(
  graph: Graph,
  node: string,
  index: readonly number[],
  isHidden: (node: string) => boolean,
): CellBlock[] {
  const uses = graph.uses(node, index).filter((block) => !block.node.startsWith("#"));
  return joined(
    uses.flatMap((block) => {
      if (!isHidden(block.node)) return [block];
      return [block.from, block.to].flatMap((corner) => usesSeen(graph, block.node, corner, isHidden));
    }),
  );
}
