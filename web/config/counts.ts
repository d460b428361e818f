/** How many rows the tensors of a lab have, by its numbers: what the graph, the scene and the words of a lab ask alike. */
import type { AttentionNumbers, MultiHeadNumbers, PositionsNumbers, VitNumbers } from "./config.js";

/** S of the attention lab: the words of the memory, or the sentence's own. */
export function keyCount(numbers: AttentionNumbers): number {
  return numbers.memory.length || numbers.tokens.length;
}

/** L of the multi-head lab. */
export function rowCount(numbers: MultiHeadNumbers): number {
  return numbers.source === "words" ? numbers.tokens.length : numbers.length;
}

/** B of the multi-head lab: typed words are one sample. */
export function batchCount(numbers: MultiHeadNumbers): number {
  return numbers.source === "words" ? 1 : numbers.batch;
}

/** N of the positions lab. */
export function positionCount(numbers: PositionsNumbers): number {
  return numbers.positions ? numbers.positions.length : numbers.length;
}

/** N of the ViT lab: (size / patch)². */
export function patchCount(numbers: VitNumbers): number {
  return (numbers.size / numbers.patch) ** 2;
}
