/** Adding edits to the numbers of a lab. */
import { bounds } from "./bounds.js";
import type { Edit } from "./config.js";

const cellOf = ({ node, index }: Edit): string => `${node}[${index.join()}]`;

/** All edits of `before` and `added`; a cell that both edit takes its value from `added`. */
export function joinedEdits(before: readonly Edit[], added: readonly Edit[]): Edit[] {
  const cells = new Set(added.map(cellOf));
  const kept = before.filter((edit) => !cells.has(cellOf(edit)));
  return [...kept, ...added.map(({ node, index, value }) => ({ node, index: [...index], value }))];
}

/** The numbers with more cells edited. Throws if there would be more edits than a link may hold. */
export function withEdits<N extends { edits: Edit[] }>(numbers: N, added: readonly Edit[]): N {
  const edits = joinedEdits(numbers.edits, added);
  if (edits.length > bounds.edits.max)
    throw new Error(`edits: expected at most ${bounds.edits.max}, got ${edits.length}`);
  return { ...numbers, edits };
}

/** The numbers with one more cell edited. Throws as `withEdits` does. */
export function withEdit<N extends { edits: Edit[] }>(numbers: N, edit: Edit): N {
  return withEdits(numbers, [edit]);
}
