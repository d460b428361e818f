/** The tensors of the attention lab: who they are, what their cells mean; those of dot products and those of additive attention. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { keyCount } from "../../config/labs/attention.js";
import type { Words } from "../../i18n/words.js";
import { wordNames } from "../../telling/phrases.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { emptyRows, hidden } from "./mask.js";
import { isOwn } from "./own.js";

/** Whether a small network compares the words, not a dot product. */
export const isAdditive = ({ score }: AttentionNumbers): boolean => score === "additive";
/** Whether scores are divided: additive ones never are. */
export const isScaled = (numbers: AttentionNumbers): boolean => numbers.scale && !isAdditive(numbers);

/** The names of the rows and of the keys. */
export function namesOf(
  { tokens, memory }: AttentionNumbers,
  words: Words,
): Record<"rows" | "keys", string[]> {
  const rows = wordNames(tokens, words);
  return { rows, keys: memory.length ? wordNames(memory, words) : rows };
}

export function axes({ numbers }: ConfigOf<"attention">, words: Words): Axes {
  const { rows, keys } = namesOf(numbers, words);
  return { row: [numbers.memory.length > 0 ? "L" : "S", rows], column: ["S", keys] };
}

export function tensors({ numbers }: ConfigOf<"attention">, words: Words): Tensor[] {
  const [length, keys] = [numbers.tokens.length, keyCount(numbers)];
  const cross = numbers.memory.length > 0;
  const additive = isAdditive(numbers);
  // X and the projections say nothing that the reader's own Q, K and V do not: what is typed into these is theirs.
  const own = isOwn(numbers);
  const one = (
    node: string,
    stop: string | null,
    symbol: string,
    axes: string,
    more: Partial<Tensor> = {},
  ): Tensor => ({
    node,
    stop,
    symbol,
    axes,
    family: "vectors",
    ...more,
  });
  const score = (node: string, stop: string | null, symbol: string, more: Partial<Tensor> = {}): Tensor =>
    one(node, stop, symbol, "row column", { family: "scores", ...more });
  const parameter = { family: "parameters", role: "weight", meaning: "meaning.weight" } as const;
  const weight = (of: string, width: string): Tensor =>
    one(`W_${of}`, own ? null : "project", `W_${of}`, `D ${width}`, { ...parameter, editable: true });
  const typed = (of: string) => (own ? { editable: true, leaf: `W_${of}` } : {});
  const pair = { meaning: "meaning.pair" };
  const empty = numbers.mask === "none" ? {} : { emptyRows: emptyRows(numbers, length, keys) };
  const unlettered = { letters: "" };
  return [
    one("X", own ? null : "words", "X", "row D", { editable: true }),
    one("M", cross ? "words" : null, "M", "column D", { editable: true }),
    weight("Q", "d_k"),
    weight("K", "d_k"),
    weight("V", "d_v"),
    one("v", additive ? "compare" : null, "v", "d_k", { ...parameter, editable: true, turned: true }),
    one("Q", own ? "words" : "project", "Q", "row d_k", { ...typed("Q"), role: "query" }),
    one("K", "project", "K", "column d_k", { ...typed("K"), role: "key" }),
    one("V", "project", "V", "column d_v", { ...typed("V"), role: "value" }),
    one("K_T", additive ? null : "compare", "K^T", "d_k column", { role: "key" }),
    one("hidden", "add", "tanh(q+k)", "row column d_k", { ...pair, at: [0, null, null], turned: true }),
    score("scores", "compare", "S"),
    score("scaled", "scale", "S/√d", { inFormula: words("labs.formula.dk", { n: numbers.keyDim }) }),
    score("masked", "mask", "S+M", {
      ...empty,
      paintable: true,
      masked: hidden(numbers, length, keys),
      inFormula: words("labs.formula.mask"),
    }),
    score("mask", null, "M", { meaning: "meaning.masked" }),
    score("weights", "softmax", "A", { ...empty, role: "attention", family: "weights" }),
    one("output", "mix", "O", "row d_v", { ...empty, role: "output" }),
    one("sum", null, "q+k", "row column d_k", { ...pair, ...unlettered }),
    // Nodes that hold another's numbers as they are.
    one("Q_pairs", null, "Q", "row 1 d_k", { key: "Q", role: "query", ...unlettered }),
    one("K_pairs", null, "K", "1 column d_k", { key: "K", role: "key", ...unlettered }),
    one("w_v_column", null, "v", "d_k 1", { ...parameter, key: "v", ...unlettered }),
    one("score_columns", null, "S", "row column 1", { key: "scores", ...unlettered }),
  ];
}
