/** The settings of the complexity lab. Its numbers are counted or timed, so no leaf can be edited. */
import { edits, flag, oneOf, whole } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";

const kinds = {
  /** n, the number of words. */
  length: whole({ min: 16, max: 512 }),
  /** d, the width of a word. */
  dim: oneOf([16, 32, 64, 128]),
  /** Each option divides every width. */
  heads: oneOf([1, 2, 4, 8]),
  /** k, the number of words that a kernel covers. It is odd, so the kernel has a middle. */
  kernel: oneOf([3, 5, 7, 9]),
  /** r, the number of words in a word's neighbourhood. */
  near: oneOf([4, 8, 16]),
  /** Whether the counts of the two kinds of attention include the projections of queries, keys, values and output. */
  projected: flag,
  /** How many times the reader has asked for timings; 0: nothing is timed. */
  measured: whole({ min: 0, max: 9 }),
  edits,
};

export type ComplexityNumbers = NumbersIn<typeof kinds>;
export const complexity = labSettings<ComplexityNumbers>(kinds, { first: "why-self-attention" });
