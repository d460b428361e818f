/** The tensors of the attention lab: who they are, what their cells mean; of additive attention what dot products lack. */
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
  const empty = numbers.mask === "none" ? {} : { emptyRows: emptyRows(numbers, rows.length, keys.length) };
  type Rest = Partial<Tensor> & Pick<Tensor, "axes"> & { named?: string };
  const one = (
    node: string,
    stop: string | null,
    symbol: Tensor["symbol"],
    { named = node, ...rest }: Rest,
  ): Tensor => ({
    node,
    stop,
    symbol,
    name: words(`labs.name.${named}` as Key),
    single: words(`labs.single.${named}` as Key, { root: `√${numbers.keyDim}` }),
    family: "vectors",
    ...rest,
  });
  /** What is said of a query and a key, or of every cell. */
  const meaning = (key: Key) => ({
    meaning: ([row, column]: number[]) => words(key, { row: rows[row!] ?? "", column: keys[column!] ?? "" }),
  });
  const l = cross ? "L" : "S";
  const parameter = { family: "parameters", role: "weight", ...meaning("labs.meaning.weight") } as const;
  const weight = (of: "Q" | "K" | "V", width: string): Tensor =>
    one(
      `W_${of}`,
      own ? null : "project",
      { text: "W", sub: of },
      {
        ...parameter,
        letters: `D×${width}`,
        axes: [null, null],
        editable: true,
      },
    );
  const typed = (of: "Q" | "K" | "V") => (own ? { editable: true, leaf: `W_${of}` } : {});
  const query = { role: "query", named: "Q" } as const;
  const key = { role: "key", named: "K" } as const;
  const scores = { family: "scores", letters: `${l}×S`, axes: [rows, keys] };
  const asks = meaning("labs.meaning.scores");
  const masks = meaning("labs.meaning.masked");
  const pairs = { axes: [rows, keys, null], ...meaning("labs.meaning.pair") };
  const vector = { ...parameter, named: "v" };
  return [
    one("X", own ? null : "words", "X", { letters: `${l}×D`, axes: [rows, null], editable: true }),
    ...(cross ? [one("M", "words", "M", { letters: "S×D", axes: [keys, null], editable: true })] : []),
    weight("Q", "d_k"),
    weight("K", "d_k"),
    weight("V", "d_v"),
    ...(additive
      ? [one("v", "compare", "v", { ...vector, letters: "d_k", axes: [null], turned: true, editable: true })]
      : []),
    one("Q", own ? "words" : "project", "Q", {
      ...query,
      letters: `${l}×d_k`,
      axes: [rows, null],
      ...typed("Q"),
    }),
    one("K", "project", "K", { ...key, letters: "S×d_k", axes: [keys, null], ...typed("K") }),
    one("V", "project", "V", { role: "value", letters: "S×d_v", axes: [keys, null], ...typed("V") }),
    ...(additive
      ? [one("hidden", "add", "tanh(q+k)", { ...pairs, letters: "d_k×S", at: [0, null, null], turned: true })]
      : [
          one(
            "K_T",
            "compare",
            { text: "K", sup: "T" },
            {
              role: "key",
              letters: "d_k×S",
              axes: [null, keys],
            },
          ),
        ]),
    one("scores", "compare", "S", { ...scores, ...asks }),
    one("scaled", "scale", "S/√d", {
      ...scores,
      ...meaning("labs.meaning.scaled"),
      inFormula: words("labs.formula.dk", { n: numbers.keyDim }),
    }),
    one("masked", "mask", "S+M", {
      ...scores,
      ...masks,
      ...empty,
      paintable: true,
      masked: hidden(numbers, rows.length, keys.length),
      inFormula: words("labs.formula.mask"),
    }),
    one("mask", null, "M", { ...scores, ...masks }),
    one("weights", "softmax", "A", {
      ...scores,
      ...meaning("labs.meaning.weights"),
      ...empty,
      role: "attention",
      family: "weights",
    }),
    one("output", "mix", "O", {
      ...meaning("labs.meaning.output"),
      ...empty,
      role: "output",
      letters: `${l}×d_v`,
      axes: [rows, null],
    }),
    ...(additive
      ? [
          one("sum", null, "q+k", pairs),
          // Nodes that hold another's numbers as they are.
          one("Q_pairs", null, "Q", { ...query, axes: [rows, null, null] }),
          one("K_pairs", null, "K", { ...key, axes: [null, keys, null] }),
          one("w_v_column", null, "v", { ...vector, axes: [null, null] }),
          one("score_columns", null, "S", { ...asks, named: "scores", axes: [rows, keys, null] }),
        ]
      : []),
  ];
}
