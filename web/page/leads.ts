/** What is computed from a cell: the links at the foot of its note, and the cells framed for a number that was made from no other. */
import type { CellBlock, Explanation } from "../core/attention.js";
import type { Becomes } from "../elements/note/foot.js";
import { sameIndexIn } from "../marks/lighting.js";
import type { Snapshots } from "../marks/scene.js";
import type { NodeWords } from "../marks/wording.js";
import { valueAt } from "./cells.js";

/** Whether the lab has words for a node: a step inside a layer that it does not draw has a name alone. */
function isTold(node: string, snapshots: Snapshots, nodeWords: (node: string) => NodeWords): boolean {
  const shape = snapshots.get(node)?.shape;
  return shape !== undefined && (shape.length === 0 || nodeWords(node).axes.length > 0);
}

/** One cell of each node that is computed from a cell, at the same place where it can, with its number; those the lab tells of, or else all. */
export function leadsOf(
  { index, uses }: { index: readonly number[]; uses: readonly CellBlock[] },
  snapshots: Snapshots,
  nodeWords: (node: string) => NodeWords,
): Becomes[] {
  const told = uses.filter(({ node }) => isTold(node, snapshots, nodeWords));
  return (told.length > 0 ? told : uses).map((block) => {
    const at = sameIndexIn(block, index);
    return { ...block, index: at, value: valueAt(snapshots.get(block.node), at) };
  });
}

/** The explanation as the stage shows it: a number made from no other frames all that is computed from it. */
export function onStage(explanation: Explanation | null, becomes: readonly Becomes[]): Explanation | null {
  if (!explanation || explanation.sources.length > 0) return explanation;
  return {
    ...explanation,
    sources: becomes.map(({ node, index, from, to }) => ({ node, from: from ?? index, to: to ?? index })),
  };
}
