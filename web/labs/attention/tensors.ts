/** The tensors of the attention lab, for dot products and for additive attention, and the names of their rows and columns. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { isAdditive, isMasked, isStable, maskingOf } from "../../config/labs/attention.js";
import type { Words } from "../../i18n/words.js";
import { wordNames } from "../../telling/phrases.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { emptyRowsOf, conversionNodes, markedPairs, hiddenPairs } from "./mask-conversion.js";
import { isOwn } from "./own.js";

/** Whether scores are divided by √d_k. Additive scores never are. */
export const isScaled = (numbers: AttentionNumbers): boolean => numbers.scale && !isAdditive(numbers);

/** The names of the rows and of the keys. */
export function rowAndKeyNames(
  { tokens, memory }: AttentionNumbers,
  words: Words,
): Record<"rows" | "keys", string[]> {
  const rows = wordNames(tokens, words);
  return { rows, keys: memory.length ? wordNames(memory, words) : rows };
}

export function axes({ numbers }: ConfigOf<"attention">, words: Words): Axes {
  const { rows, keys } = rowAndKeyNames(numbers, words);
  return { row: [numbers.memory.length > 0 ? "L" : "S", rows], column: ["S", keys] };
}

export function tensors({ numbers }: ConfigOf<"attention">, words: Words): Tensor[] {
  const hasMemory = numbers.memory.length > 0;
  const additive = isAdditive(numbers);
  // The reader's own Q, K and V equal the projection matrices, so X and these are not shown, and an edit of Q is an edit of W_Q.
  const hasOwnMatrices = isOwn(numbers);
  const tensor = (
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
    tensor(node, stop, symbol, "row column", { family: "scores", ...more });
  const parameter = { family: "parameters", role: "weight", meaning: "meaning.weight" } as const;
  const weight = (of: string, width: string): Tensor =>
    tensor(`W_${of}`, hasOwnMatrices ? null : "project", `W_${of}`, `D ${width}`, {
      ...parameter,
      editable: true,
    });
  const ownLeaf = (of: string) => (hasOwnMatrices ? { editable: true, leaf: `W_${of}` } : {});
  const pair = { meaning: "meaning.pair" };
  const empty = isMasked(numbers) ? { emptyRows: emptyRowsOf(numbers) } : {};
  const noLetters = { letters: "" };
  const { polarity, fill } = maskingOf(numbers);
  const conversion = conversionNodes(numbers);
  // A 1 means a kept pair, or a hidden one.
  const keptMeaning = { meaning: "meaning.masked" };
  const hiddenMeaning = { meaning: "meaning.hidden" };
  const resultMeaning = markedPairs(numbers) === "kept" ? keptMeaning : hiddenMeaning;
  const conversionTensor = (node: string, symbol: string, axes: string, more: Partial<Tensor>): Tensor =>
    tensor(node, conversion.includes(node) ? "convert" : null, symbol, axes, {
      family: "masks",
      fill: "probability",
      ...more,
    });
  const constant = (node: string, symbol: string): Tensor => tensor(node, null, symbol, "1", noLetters);
  return [
    tensor("X", hasOwnMatrices ? null : "words", "X", "row D", { editable: true }),
    tensor("M", hasMemory ? "words" : null, "M", "column D", { editable: true }),
    weight("Q", "d_k"),
    weight("K", "d_k"),
    weight("V", "d_v"),
    tensor("v", additive ? "compare" : null, "v", "d_k", { ...parameter, editable: true, turned: true }),
    tensor("Q", hasOwnMatrices ? "words" : "project", "Q", "row d_k", { ...ownLeaf("Q"), role: "query" }),
    tensor("K", "project", "K", "column d_k", { ...ownLeaf("K"), role: "key" }),
    tensor("V", "project", "V", "column d_v", { ...ownLeaf("V"), role: "value" }),
    tensor("K_T", additive ? null : "compare", "K^T", "d_k column", { role: "key" }),
    tensor("hidden", "add", "tanh(q+k)", "row column d_k", { ...pair, at: [0, null, null], turned: true }),
    score("scores", "compare", "S"),
    score("scaled", "scale", "S/√d", { inFormula: words("labs.formula.dk", { n: numbers.keyDim }) }),
    score("masked", "mask", "S+M", {
      ...empty,
      paintable: true,
      masked: hiddenPairs(numbers),
      inFormula: words(fill === "infinity" ? "labs.formula.mask" : "labs.formula.mask.large"),
    }),
    conversionTensor("mask", conversion.length > 0 ? "mask" : "M", "row column", {
      ...(polarity === "masked" ? hiddenMeaning : keptMeaning),
      truth: polarity !== "zero",
      key: `mask.${polarity}`,
      origin: words("labs.origin.setting"),
    }),
    conversionTensor("inverted", "1−mask", "row column", resultMeaning),
    conversionTensor("key_padding_mask", "p", "column", {
      meaning: "meaning.padding",
      truth: true,
      origin: words("labs.origin.setting"),
    }),
    conversionTensor("real_keys", "1−p", "column", { meaning: "meaning.real" }),
    conversionTensor("combined", resultMeaning === keptMeaning ? "min" : "max", "row column", resultMeaning),
    conversionTensor("term", "M", numbers.mask === "none" ? "column" : "row column", {
      fill: "none",
      family: "terms",
      meaning: numbers.mask === "none" ? "meaning.padding" : "meaning.term",
    }),
    tensor("exp", isStable(numbers) ? null : "exp", "e^S", "row column", { family: "exponentials" }),
    tensor("total", isStable(numbers) ? null : "exp", "Σ", "row 1", { family: "exponentials" }),
    score("weights", "softmax", "A", { ...empty, role: "attention", family: "weights" }),
    tensor("output", "mix", "O", "row d_v", { ...empty, role: "output" }),
    tensor("sum", null, "q+k", "row column d_k", { ...pair, ...noLetters }),
    // Nodes that have the numbers of another node in another shape.
    tensor("Q_pairs", null, "Q", "row 1 d_k", { key: "Q", role: "query", ...noLetters }),
    tensor("K_pairs", null, "K", "1 column d_k", { key: "K", role: "key", ...noLetters }),
    constant("one", "1"),
    constant("key_width", "d_k"),
    constant("root", "√d_k"),
    tensor("w_v_column", null, "v", "d_k 1", { ...parameter, key: "v", ...noLetters }),
    tensor("score_columns", null, "S", "row column 1", { key: "scores", ...noLetters }),
  ];
}
