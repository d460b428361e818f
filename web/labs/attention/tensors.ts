/** The tensors of the attention lab: who they are, what their cells mean; those of dot products and those of additive attention. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import type { Key, Words } from "../../i18n/words.js";
import { wordNames } from "../../telling/phrases.js";
import type { Tensor } from "../../telling/telling.js";
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

export function tensors({ numbers }: ConfigOf<"attention">, words: Words): Tensor[] {
  const { rows, keys } = namesOf(numbers, words);
  const cross = numbers.memory.length > 0;
  const additive = isAdditive(numbers);
  // X and the projections say nothing that the reader's own Q, K and V do not: what is typed into these is theirs.
  const own = isOwn(numbers);
  const l = cross ? "L" : "S";
  const one = (
    node: string,
    stop: string | null,
    symbol: Tensor["symbol"],
    letters: string,
    axes: Tensor["axes"],
    { named = node, ...rest }: Partial<Tensor> & { named?: string } = {},
  ): Tensor => ({
    node,
    stop,
    symbol,
    letters,
    axes,
    name: words(`labs.name.${named}` as Key),
    single: words(`labs.single.${named}` as Key, { root: `√${numbers.keyDim}` }),
    family: "vectors",
    ...rest,
  });
  /** What is said of a query and a key, or of every cell. */
  const meaning = (key: Key) => ({
    meaning: ([row, column]: number[]) => words(key, { row: rows[row!] ?? "", column: keys[column!] ?? "" }),
  });
  const score = (node: string, stop: string | null, symbol: string, more: Partial<Tensor> = {}): Tensor => {
    const asks = meaning(`labs.meaning.${node === "mask" ? "masked" : node}` as Key);
    return one(node, stop, symbol, `${l}×S`, [rows, keys], { family: "scores", ...asks, ...more });
  };
  const parameter = { family: "parameters", role: "weight", ...meaning("labs.meaning.weight") } as const;
  const weight = (of: string, width: string): Tensor => {
    const symbol = { text: "W", sub: of };
    const editable = { ...parameter, editable: true };
    return one(`W_${of}`, own ? null : "project", symbol, `D×${width}`, [null, null], editable);
  };
  const typed = (of: string) => (own ? { editable: true, leaf: `W_${of}` } : {});
  const pair = meaning("labs.meaning.pair");
  const empty = numbers.mask === "none" ? {} : { emptyRows: emptyRows(numbers, rows.length, keys.length) };
  const turned = { text: "K", sup: "T" };
  return [
    one("X", own ? null : "words", "X", `${l}×D`, [rows, null], { editable: true }),
    one("M", cross ? "words" : null, "M", "S×D", [keys, null], { editable: true }),
    weight("Q", "d_k"),
    weight("K", "d_k"),
    weight("V", "d_v"),
    one("v", additive ? "compare" : null, "v", "d_k", [null], { ...parameter, editable: true, turned: true }),
    one("Q", own ? "words" : "project", "Q", `${l}×d_k`, [rows, null], { ...typed("Q"), role: "query" }),
    one("K", "project", "K", "S×d_k", [keys, null], { ...typed("K"), role: "key" }),
    one("V", "project", "V", "S×d_v", [keys, null], { ...typed("V"), role: "value" }),
    one("K_T", additive ? null : "compare", turned, "d_k×S", [null, keys], { role: "key" }),
    one("hidden", "add", "tanh(q+k)", "d_k×S", [rows, keys, null], {
      ...pair,
      at: [0, null, null],
      turned: true,
    }),
    score("scores", "compare", "S"),
    score("scaled", "scale", "S/√d", { inFormula: words("labs.formula.dk", { n: numbers.keyDim }) }),
    score("masked", "mask", "S+M", {
      ...empty,
      paintable: true,
      masked: hidden(numbers, rows.length, keys.length),
      inFormula: words("labs.formula.mask"),
    }),
    score("mask", null, "M"),
    score("weights", "softmax", "A", { ...empty, role: "attention", family: "weights" }),
    one("output", "mix", "O", `${l}×d_v`, [rows, null], {
      ...empty,
      ...meaning("labs.meaning.output"),
      role: "output",
    }),
    one("sum", null, "q+k", "", [rows, keys, null], pair),
    // Nodes that hold another's numbers as they are.
    one("Q_pairs", null, "Q", "", [rows, null, null], { named: "Q", role: "query" }),
    one("K_pairs", null, "K", "", [null, keys, null], { named: "K", role: "key" }),
    one("w_v_column", null, "v", "", [null, null], { ...parameter, named: "v" }),
    one("score_columns", null, "S", "", [rows, keys, null], {
      ...meaning("labs.meaning.scores"),
      named: "scores",
    }),
  ];
}
