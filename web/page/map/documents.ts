/** The five documents that examples come from, and how many of their printed numbers match. */
import type { DocumentId } from "../../examples/index.js";
import type { ExampleEntry } from "./contents.js";

export const documentIds: readonly DocumentId[] = ["000", "001", "002", "003", "004"];

/** The printed numbers of some examples, those that match, and whether all are computed. */
export function matchesOf(examples: readonly Pick<ExampleEntry, "printed" | "result">[]) {
  const sum = (of: (example: (typeof examples)[number]) => number): number =>
    examples.reduce((all, example) => all + of(example), 0);
  return {
    total: sum(({ printed }) => printed),
    matched: sum(({ result }) => result?.matched ?? 0),
    isComplete: examples.every(({ printed, result }) => printed === 0 || result !== null),
  };
}
