/** The reader's own words and weights, which may have other sizes than those they replace. */
import type { Matrix, MultiHeadNumbers } from "../../config/config.js";
import { multiHead } from "../../config/labs/multi-head.js";
import { repairNumbers } from "../../config/rules.js";
import { withoutNode } from "../../telling/typed-values.js";

/** The setting that holds the typed numbers of a leaf. */
export const settingOf = { x: "x", W_Q: "wq", W_K: "wk", W_V: "wv", W_O: "wo" } as const;
export type OwnLeaf = keyof typeof settingOf;

export const isOwnLeaf = (node: string): node is OwnLeaf => Object.hasOwn(settingOf, node);

/** The settings with the sizes of a matrix of this leaf; null if the heads do not share it evenly. */
function resized(
  numbers: MultiHeadNumbers,
  leaf: OwnLeaf,
  rows: number,
  columns: number,
): MultiHeadNumbers | null {
  const { heads, tokens } = numbers;
  if (leaf === "x") {
    const names = Array.from({ length: rows }, (_, row) => tokens[row] ?? `word_${row + 1}`);
    const run = numbers.source === "words" ? numbers.run : 1;
    return { ...numbers, source: "words", tokens: names, dim: columns, run };
  }
  const [dim, shared] = leaf === "W_O" ? [columns, rows] : [rows, columns];
  if (shared % heads !== 0) return null;
  const width = leaf === "W_V" || leaf === "W_O" ? "valueDim" : "keyDim";
  return { ...numbers, dim, [width]: shared / heads };
}

/**
 * The settings with `matrix` as a leaf, and with its sizes. The other leaves keep their numbers, as `numbersOf` returns them, if their
 * sizes agree; the others are drawn again and listed in `lost`. Null if the heads do not share the matrix evenly.
 */
export function withOwnLeaf(
  numbers: MultiHeadNumbers,
  leaf: OwnLeaf,
  matrix: Matrix,
  numbersOf: (leaf: OwnLeaf) => Matrix | null,
): { numbers: MultiHeadNumbers; lost: string[] } | null {
  const sized = resized(numbers, leaf, matrix.length, matrix[0]?.length ?? 0);
  if (!sized) return null;
  const own = { ...sized, [settingOf[leaf]]: matrix, edits: withoutNode(numbers.edits, leaf) };
  const [before, after] = [multiHead.leaves(numbers), multiHead.leaves(sized)];
  const isSameSize = (node: string): boolean => String(after[node]) === String(before[node]);
  const isWords = (node: string): boolean => node === "x" || node === "M";
  const others = Object.keys(after).filter((node) => node !== leaf);
  // The numbers drawn from the seed are others where a weight has another size, or the words are no longer drawn before the weights.
  const drawsAgain =
    sized.source !== numbers.source || !Object.keys(after).every((node) => isWords(node) || isSameSize(node));
  const lost: string[] = [];
  for (const node of others) {
    // Words are drawn before the weights: only a second run draws them after others.
    const isDrawn = isWords(node) ? numbers.source === "draw" && numbers.run > 1 : drawsAgain;
    if (isSameSize(node) && !isDrawn) continue;
    const keptNumbers = isSameSize(node) && isOwnLeaf(node) && node !== "x" ? numbersOf(node) : null;
    if (keptNumbers && isOwnLeaf(node)) own[settingOf[node]] = keptNumbers;
    else lost.push(node);
    own.edits = withoutNode(own.edits, node);
  }
  return { numbers: repairNumbers("multi-head", own, numbers), lost };
}
