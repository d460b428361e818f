/** Numbers changed by hand. */
import { bounds } from "./bounds.js";
import type { Edit } from "./config.js";

const sameCell = (a: Edit, b: Edit): boolean => a.node === b.node && a.index.join() === b.index.join();

/** The numbers with one more cell edited; a cell edited before takes its new value. Throws when there is no room for another. */
export function withEdit<N extends { edits: Edit[] }>(numbers: N, edit: Edit): N {
  const others = numbers.edits.filter((known) => !sameCell(known, edit));
  if (others.length >= bounds.edits.max)
    throw new Error(`edits: expected at most ${bounds.edits.max}, got one more`);
  return { ...numbers, edits: [...others, { node: edit.node, index: [...edit.index], value: edit.value }] };
}
