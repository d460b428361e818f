/** The tensors of the attention lab: who they are, what their cells mean; those of dot products and those of additive attention. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { isAdditive, isMasked, isStable, maskingOf } from "../../config/labs/attention.js";
import type { Words } from "../../i18n/words.js";
import { wordNames } from "../../telling/phrases.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { emptyRowsOf, conversionNodes, endsWith, hiddenPairs } from "./masking.js";
import { isOwn } from "./own.js";

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
  const empty = isMasked(numbers) ? { emptyRows: emptyRowsOf(numbers) } : {};
  const unlettered = { letters: "" };
  const { polarity, fill } = maskingOf(numbers);
  const converts = conversionNodes(numbers);
  // 1 for pairs that are kept, or for those that are hidden.
  const kept = { meaning: "meaning.masked" };
  const away = { meaning: "meaning.hidden" };
  const ends = endsWith(numbers) === "kept" ? kept : away;
  const step = (node: string, symbol: string, axes: string, more: Partial<Tensor>): Tensor =>
    one(node, converts.includes(node) ? "convert" : null, symbol, axes, {
      family: "masks",
      fill: "probability",
      ...more,
    });
  const constant = (node: string, symbol: string): Tensor => one(node, null, symbol, "1", unlettered);
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
      masked: hiddenPairs(numbers),
      inFormula: words(fill === "infinity" ? "labs.formula.mask" : "labs.formula.mask.large"),
    }),
    step("mask", converts.length > 0 ? "mask" : "M", "row column", {
      ...(polarity === "masked" ? away : kept),
      truth: polarity !== "zero",
      key: `mask.${polarity}`,
      origin: words("labs.origin.setting"),
    }),
    step("inverted", "1−mask", "row column", ends),
    step("key_padding_mask", "p", "column", {
      meaning: "meaning.padding",
      truth: true,
      origin: words("labs.origin.setting"),
    }),
    step("real_keys", "1−p", "column", { meaning: "meaning.real" }),
    step("combined", ends === kept ? "min" : "max", "row column", ends),
    step("term", "M", numbers.mask === "none" ? "column" : "row column", {
      fill: "none",
      family: "terms",
      meaning: numbers.mask === "none" ? "meaning.padding" : "meaning.term",
    }),
    one("exp", isStable(numbers) ? null : "exp", "e^S", "row column", { family: "exponentials" }),
    one("total", isStable(numbers) ? null : "exp", "Σ", "row 1", { family: "exponentials" }),
    score("weights", "softmax", "A", { ...empty, role: "attention", family: "weights" }),
    one("output", "mix", "O", "row d_v", { ...empty, role: "output" }),
    one("sum", null, "q+k", "row column d_k", { ...pair, ...unlettered }),
    // Nodes that hold another's numbers as they are.
    one("Q_pairs", null, "Q", "row 1 d_k", { key: "Q", role: "query", ...unlettered }),
    one("K_pairs", null, "K", "1 column d_k", { key: "K", role: "key", ...unlettered }),
    constant("one", "1"),
    constant("key_width", "d_k"),
    constant("root", "√d_k"),
    one("w_v_column", null, "v", "d_k 1", { ...parameter, key: "v", ...unlettered }),
    one("score_columns", null, "S", "row column 1", { key: "scores", ...unlettered }),
  ];
}
