/** Which pairs the mask and the padding hide, and the tensors between the mask as it is written and the scores. */
import type { AttentionNumbers } from "../../config/config.js";
import { hasConversion, isStable, keyCount, maskingOf } from "../../config/labs/attention.js";
import { emptyRows, hidden } from "./mask.js";

/** How many queries and keys there are, and how many of the keys are no padding. */
function countsOf(numbers: AttentionNumbers): [queries: number, keys: number, real: number] {
  const keys = keyCount(numbers);
  return [numbers.tokens.length, keys, keys - maskingOf(numbers).padding];
}

/** The pairs that are hidden, (L, S). */
export const hiddenPairs = (numbers: AttentionNumbers): boolean[][] => hidden(numbers, ...countsOf(numbers));

/** Queries that may attend no key at all. */
export const emptyRowsOf = (numbers: AttentionNumbers): number[] => emptyRows(numbers, ...countsOf(numbers));

/** What the conversion ends with: a mask of the pairs that are kept, which `where` takes, or of those that are hidden, which a sum takes. */
export const endsWith = (numbers: AttentionNumbers): "kept" | "hidden" =>
  maskingOf(numbers).fill === "added" ? "hidden" : "kept";

/** Whether the mask means the opposite of what the conversion ends with. */
export const isInverted = (numbers: AttentionNumbers): boolean =>
  (maskingOf(numbers).polarity === "masked") === (endsWith(numbers) === "kept");

/** The nodes between the mask as it is written and the scores, in order; none where the core takes the mask as it is. */
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

/** The nodes between the scores that enter softmax and the weights, where they are seen. */
export const exponentialNodes = (numbers: AttentionNumbers): string[] =>
  isStable(numbers) ? [] : ["exp", "total"];
