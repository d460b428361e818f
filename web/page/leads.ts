/** What a cell leads on to: the links at the foot of its note, and the cells framed for a number that was made from no other. */
import type { Config } from "../config/config.js";
import type { Explanation } from "../core/attention.js";
import type { Becomes } from "../elements/note/foot.js";
import type { Snapshots } from "../marks/scene.js";
import { labOf } from "./open-lab.js";
import { valueAt } from "./cells.js";

/** The next cells with their numbers. One that does not become the following one stands beside it: a word feeds query, key and value. */
export function leadsOf(drawn: Config, explanation: Explanation, snapshots: Snapshots): Becomes[] {
  const lab = labOf(drawn);
  const cells = lab.becomes(drawn, explanation);
  return cells.map((cell, place) => {
    const before = cells[place - 1];
    const beside = before && !lab.becomes(drawn, before).some(({ node }) => node === cell.node);
    const value = valueAt(snapshots.get(cell.node), cell.index);
    return { ...cell, value, ...(beside ? { beside } : {}) };
  });
}

/** The explanation as the stage shows it: a number made from no other frames all that it feeds. */
export function onStage(explanation: Explanation | null, becomes: readonly Becomes[]): Explanation | null {
  if (!explanation || explanation.sources.length > 0) return explanation;
  return {
    ...explanation,
    sources: becomes.map(({ node, index, to }) => ({ node, from: index, to: to ?? index })),
  };
}
