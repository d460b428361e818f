/** The words of the positions lab whose order changes: what its optional fields mean where they are absent. Frozen. */
import type { PositionsNumbers } from "./config.js";

const TOKENS: readonly string[] = ["the", "dog", "bites", "the", "man"];
const DIM = 8;

export interface Order {
  tokens: readonly string[];
  /** Numbers per word. */
  dim: number;
  /** The two places that change. */
  swap: readonly [number, number];
}

export function orderOf({ tokens = [...TOKENS], wordDim = DIM, swap }: PositionsNumbers): Order {
  const [first = Math.min(1, Math.max(0, tokens.length - 2)), second = tokens.length - 1] = swap ?? [];
  return { tokens, dim: wordDim, swap: [first, second] };
}

/** Whether an encoding is shown by what it does to words that change places. */
export function hasOrder({ encoding }: Pick<PositionsNumbers, "encoding">): boolean {
  return encoding === "none" || encoding === "compare";
}

/** Which word stands where after the two changed places. */
export function swapped({ tokens, swap: [first, second] }: Order): number[] {
  return tokens.map((_, place) => (place === first ? second : place === second ? first : place));
}
