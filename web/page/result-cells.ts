/**
 * The cells computed from a cell: links at the foot of its note, and frames on the stage for a number that
 * has no sources.
 */
import type { Explanation } from "../core/attention.js";
import type { ResultCell } from "../elements/note/foot.js";
import type { Snapshots } from "../marks/scene.js";
import type { NodeWords } from "../marks/wording.js";
import type { UsedIn } from "../session/messages.js";

/** Whether the lab describes a node: a step inside a layer that the lab does not draw has only a name. */
function isDescribed(node: string, snapshots: Snapshots, nodeWords: (node: string) => NodeWords): boolean {
  const shape = snapshots.get(node)?.shape;
  return shape !== undefined && (shape.length === 0 || nodeWords(node).axes.length > 0);
}

/** One cell of each node that is computed from a cell; of the nodes that the lab describes, or else of all. */
export function resultCells(
  { uses }: { uses: readonly UsedIn[] },
  snapshots: Snapshots,
  nodeWords: (node: string) => NodeWords,
): readonly ResultCell[] {
  const described = uses.filter(({ node }) => isDescribed(node, snapshots, nodeWords));
  return described.length > 0 ? described : uses;
}

/**
 * The explanation as the stage shows it: for a number without sources, the cells computed from it are framed.
 */
export function explanationOnStage(
  explanation: Explanation | null,
  cells: readonly ResultCell[],
): Explanation | null {
  if (!explanation || explanation.sources.length > 0) return explanation;
  return {
    ...explanation,
    sources: cells.map(({ node, index, from, to }) => ({ node, from: from ?? index, to: to ?? index })),
  };
}
