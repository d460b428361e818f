/** Which pairs the mask and the padding hide, and the tensors between the mask as it is written and the scores. */
import type { AttentionNumbers } from "../../config/config.js";
import { hasConversion, isStable, keyCount, maskingOf } from "../../config/labs/attention.js";
import { hidden } from "./mask.js";

/** The pairs that are hidden, (L, S). */
export function hiddenPairs(numbers: AttentionNumbers): boolean[][] {
  const [queries, keys] = [numbers.tokens.length, keyCount(numbers)];
  const real = keys - maskingOf(numbers).padding;
  return hidden(numbers, queries, keys).map((row) => row.map((is, key) => is || key >= real));
}

/** Queries that may attend no key at all. */
export function blindRows(numbers: AttentionNumbers): number[] {
  return hiddenPairs(numbers).flatMap((row, place) => (row.includes(false) ? [] : [place]));
}

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
