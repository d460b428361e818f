/** The reader's own Q, K and V. The words are the identity matrix, so that Q = X W_Q equals W_Q, and a link holds all three. */
import type { AttentionNumbers, Matrix } from "../../config/config.js";
import { repairNumbers } from "../../config/rules.js";
import { withoutNode } from "../../telling/typed-values.js";

export const weightOf = { Q: "wq", K: "wk", V: "wv" } as const;
export type OwnTensor = keyof typeof weightOf;
export type OwnTensors = Partial<Record<OwnTensor, Matrix>>;

const identity = (size: number): Matrix =>
  Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => +(row === column)));

/** Whether Q, K and V are the reader's own, and so equal the projection matrices. */
export function isOwn({ source, memory, x, edits }: AttentionNumbers): boolean {
  const hasTypedWords = source === "values" && memory.length === 0 && !edits.some(({ node }) => node === "X");
  if (!hasTypedWords || x === null) return false;
  return x.every(
    (row, at) => row.length === x.length && row.every((value, place) => value === +(at === place)),
  );
}

/**
 * The numbers with these matrices as Q (n × d_k), K (n × d_k) and V (n × d_v), and with n words. An absent matrix is drawn with its
 * previous width; Q and K have the same width. The other settings stay.
 */
export function withOwn(numbers: AttentionNumbers, own: OwnTensors): AttentionNumbers {
  const size = (own.Q ?? own.K ?? own.V)?.length ?? numbers.tokens.length;
  const keyDim = (own.Q ?? own.K)?.[0]?.length ?? numbers.keyDim;
  const weights = Object.entries(weightOf).map(([tensor, weight]) => [
    weight,
    own[tensor as OwnTensor] ?? null,
  ]);
  const otherLeaves = ["X", "M", "W_Q", "W_K", "W_V", ...(keyDim === numbers.keyDim ? [] : ["v"])];
  const next: AttentionNumbers = {
    ...numbers,
    ...Object.fromEntries(weights),
    tokens: Array.from({ length: size }, (_, row) => numbers.tokens[row] ?? `word_${row + 1}`),
    memory: [],
    source: "values",
    x: identity(size),
    dim: size,
    keyDim,
    valueDim: own.V?.[0]?.length ?? numbers.valueDim,
    edits: otherLeaves.reduce(withoutNode, numbers.edits),
  };
  return repairNumbers("attention", next, numbers);
}
