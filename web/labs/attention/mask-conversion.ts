/** The pairs that the mask and the padding hide, and the nodes that convert the mask, as it is written, for the scores. */
import type { AttentionNumbers } from "../../config/config.js";
import { hasConversion, isStable, keyCount, maskingOf } from "../../config/labs/attention.js";
import { emptyRows, hiddenCells } from "./mask.js";

/** The number of queries, of keys, and of keys that are not padding. */
function countsOf(numbers: AttentionNumbers): [queries: number, keys: number, real: number] {
  const keys = keyCount(numbers);
  return [numbers.tokens.length, keys, keys - maskingOf(numbers).padding];
}

/** The pairs (L, S) that are hidden. */
export const hiddenPairs = (numbers: AttentionNumbers): boolean[][] =>
  hiddenCells(numbers, ...countsOf(numbers));

/** The queries that may attend to no key. */
export const emptyRowsOf = (numbers: AttentionNumbers): number[] => emptyRows(numbers, ...countsOf(numbers));

/** The pairs that are 1 in the converted mask: the kept ones, if hidden scores are replaced, or the hidden ones, if −1e9 is added to them. */
export const markedPairs = (numbers: AttentionNumbers): "kept" | "hidden" =>
  maskingOf(numbers).fill === "added" ? "hidden" : "kept";

/** Whether a 1 in the mask as it is written means the opposite of a 1 in the converted mask. */
export const isInverted = (numbers: AttentionNumbers): boolean =>
  (maskingOf(numbers).polarity === "masked") === (markedPairs(numbers) === "kept");

/** The nodes from the mask as it is written to the scores, in order; none if the core takes the mask as it is. */
export function conversionNodes(numbers: AttentionNumbers): string[] {
  if (!hasConversion(numbers)) return [];
  const { fill, padding } = maskingOf(numbers);
  const hasMask = numbers.mask !== "none";
  return [
    ...(hasMask ? ["mask", ...(isInverted(numbers) ? ["inverted"] : [])] : []),
    ...(padding > 0 ? ["key_padding_mask", ...(fill === "added" ? [] : ["real_keys"])] : []),
    ...(hasMask && padding > 0 ? ["combined"] : []),
    ...(fill === "added" ? ["term"] : []),
  ];
}

/** The nodes between the input of softmax and the weights, if softmax is computed step by step. */
export const exponentialNodes = (numbers: AttentionNumbers): string[] =>
  isStable(numbers) ? [] : ["exp", "total"];
