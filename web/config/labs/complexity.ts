/** The settings of lab 12: why self-attention. Every number of it is counted or timed, so no leaf can be edited. */
import { edits, flag, oneOf, whole } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";

const kinds = {
  /** n, the words of the text. */
  length: whole({ min: 16, max: 512 }),
  /** d, the width of a word. */
  dim: oneOf([16, 32, 64, 128]),
  /** Each divides every width. */
  heads: oneOf([1, 2, 4, 8]),
  /** k, the words a kernel covers: odd, so that it has a middle. */
  kernel: oneOf([3, 5, 7, 9]),
  /** r, the words near a word. */
  near: oneOf([4, 8, 16]),
  /** Whether the two attentions are counted with the products that make queries, keys, values and the output. */
  projected: flag,
  /** How often the times were asked for; 0: never, and nothing is timed. */
  measured: whole({ min: 0, max: 9 }),
  edits,
};

export type ComplexityNumbers = NumbersIn<typeof kinds>;
export const complexity = labSettings<ComplexityNumbers>(kinds, { first: "why-self-attention" });
