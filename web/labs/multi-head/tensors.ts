/** The tensors of the multi-head lab: a row each, with its axes by letter. */
import type { ConfigOf, MultiHeadNumbers } from "../../config/config.js";
import { dropoutOf, keyCount, realKeyCount, rowCount } from "../../config/labs/multi-head.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { wordNames } from "../../telling/phrases.js";
import { emptyRows, hiddenCells } from "../attention/mask.js";

/** The stops of Play. */
export const stopIds = ["split", "attend", "join", "project"] as const;
export type StopId = (typeof stopIds)[number];

// Projections, head outputs and outputs differ in size by design, so each kind has a scale of its own.
const typed = { stop: "split", family: "words", symbol: "X", key: "X", axes: "item row D" } as const;
const matrix = { stop: "split", role: "weight", family: "parameters", editable: true } as const;
const projected = { stop: "split", family: "projections" } as const;
const otherWords = { ...typed, symbol: "M", key: "M", axes: "item column D" } as const;
/** A product before its bias is added. The note passes over it. */
const product = { stop: null, key: "product", family: "projections", symbol: "Y" } as const;
const score = {
  stop: "attend",
  axes: "item head row column",
  family: "scores",
  meaning: "meaning.pair",
} as const;

/** The tensors by node. "row" is a query's word, "column" a key's. */
const rows = {
  x: { ...typed, editable: true },
  x_batch: typed,
  M: { ...otherWords, editable: true },
  M_batch: otherWords,
  W_Q: { ...matrix, axes: "D H·d_k", symbol: "W_Q" },
  W_K: { ...matrix, axes: "D H·d_k", symbol: "W_K" },
  W_V: { ...matrix, axes: "D H·d_v", symbol: "W_V" },
  W_O: { ...matrix, stop: "project", axes: "H·d_v D", symbol: "W_O" },
  b_Q: { ...matrix, axes: "H·d_k", symbol: "b_Q" },
  b_K: { ...matrix, axes: "H·d_k", symbol: "b_K" },
  b_V: { ...matrix, axes: "H·d_v", symbol: "b_V" },
  b_O: { ...matrix, stop: "project", axes: "D", symbol: "b_O" },
  Q_projected: { ...product, role: "query", axes: "item row H·d_k" },
  K_projected: { ...product, role: "key", axes: "item row H·d_k" },
  V_projected: { ...product, role: "value", axes: "item row H·d_v" },
  output_projected: { ...product, role: "output", family: "output", axes: "item row D" },
  Q: { ...projected, role: "query", axes: "item row H·d_k", symbol: "Q" },
  K: { ...projected, role: "key", axes: "item row H·d_k", symbol: "K" },
  V: { ...projected, role: "value", axes: "item row H·d_v", symbol: "V" },
  Q_heads: { ...projected, role: "query", axes: "item head row d_k", symbol: "Q" },
  K_heads: { ...projected, role: "key", axes: "item head column d_k", symbol: "K" },
  V_heads: { ...projected, role: "value", axes: "item head column d_v", symbol: "V" },
  K_T: { ...projected, stop: "attend", role: "key", axes: "item head d_k column", symbol: "K^T" },
  scores: { ...score, symbol: "S" },
  scaled: { ...score, symbol: "S/√d" },
  mask: { ...score, stop: null, axes: "row column", symbol: "M", meaning: "meaning.masked" },
  key_mask: { ...score, stop: null, axes: "item column", symbol: "M", meaning: "meaning.key_mask" },
  key_mask_heads: {
    ...score,
    stop: null,
    axes: "item 1 1 column",
    symbol: "M",
    key: "key_mask",
    meaning: "meaning.key_mask",
  },
  masked_by_mask: { ...score, stop: null, symbol: "S+M" },
  masked: { ...score, symbol: "S+M", paintable: true },
  weights: { ...score, role: "attention", family: "weights", symbol: "A", meaning: "meaning.weights" },
  "dropped.u": { ...score, stop: null, family: "draws", symbol: "u" },
  dropped: {
    ...score,
    stop: "join",
    role: "attention",
    fill: "activation",
    family: "dropped",
    symbol: "A^*",
  },
  heads: { stop: "join", role: "value", family: "heads", axes: "item head row d_v", symbol: "head" },
  concat: { stop: "join", role: "value", family: "heads", axes: "item row H·d_v", symbol: "H" },
  output: { stop: "project", role: "output", family: "output", axes: "item row D", symbol: "O" },
} satisfies Record<string, Omit<Tensor, "node">>;

/** The nodes from the scores to the input of softmax. */
export function logits({ scale, mask, lengths }: MultiHeadNumbers): string[] {
  return ["scores", ...(scale ? ["scaled"] : []), ...(mask === "none" && !lengths ? [] : ["masked"])];
}

/** The node that multiplies the values: the weights, or the weights after dropout. */
export const mixingNode = (numbers: MultiHeadNumbers): "weights" | "dropped" =>
  dropoutOf(numbers) > 0 ? "dropped" : "weights";

const ofKeys = ["K", "V", "K_projected", "V_projected"];

/** The kind of each axis of a node. Typed words are one sample and have no batch axis. */
export function kindsOf({ source, memory }: MultiHeadNumbers, node: string): string[] {
  const { axes = "" } = rows[node as keyof typeof rows] ?? {};
  if (node === "x" && source === "words") return ["row", "D"];
  if (node === "M") return ["column", "D"];
  // The rows of K and V are the keys' words, which have other names only with a memory.
  const kinds = axes.split(" ");
  return memory && ofKeys.includes(node) ? kinds.map((kind) => (kind === "row" ? "column" : kind)) : kinds;
}

/** The sample that is shown. */
export const itemOf = ({ numbers, view }: ConfigOf<"multi-head">): number =>
  numbers.source === "words" ? 0 : view.item;

/** The names of the queries' words: typed, or numbered. */
export function rowNames(numbers: MultiHeadNumbers, words: Words): string[] {
  const named = Array.from({ length: rowCount(numbers) }, (_, row) => `word_${row + 1}`);
  return wordNames(numbers.source === "words" ? numbers.tokens : named, words);
}

/** The names of the keys' words. */
export const keyNames = (numbers: MultiHeadNumbers, words: Words): string[] =>
  numbers.memory ? wordNames(numbers.memory, words) : rowNames(numbers, words);

/** The numbers of queries, of keys, and of keys of the shown sample that are real words. */
function countsOf(config: ConfigOf<"multi-head">): [queries: number, keys: number, real: number] {
  const { numbers } = config;
  return [rowCount(numbers), keyCount(numbers), realKeyCount(numbers, itemOf(config))];
}

/** The queries of the shown sample that may attend to no key. */
export const emptyRowsIn = (config: ConfigOf<"multi-head">): number[] =>
  emptyRows(config.numbers, ...countsOf(config));

const headNames = ({ heads }: MultiHeadNumbers, words: Words): string[] =>
  Array.from({ length: heads }, (_, n) => words("labs.head", { n }));

export function axes({ numbers }: ConfigOf<"multi-head">, words: Words): Axes {
  // L queries and S keys; where the words attend to themselves both are S.
  const row = [numbers.memory ? "L" : "S", rowNames(numbers, words)] as const;
  return {
    item: [""],
    head: ["", headNames(numbers, words)],
    row,
    column: ["S", keyNames(numbers, words)],
  };
}

export function tensors(config: ConfigOf<"multi-head">, words: Words, snapshots: Snapshots): Tensor[] {
  const { numbers } = config;
  const names = rowNames(numbers, words);
  const keys = keyNames(numbers, words);
  const heads = headNames(numbers, words);
  const empty = emptyRowsIn(config);
  /** The number of columns, or of rows, of a parameter or of its product that belong to one head. */
  const partsOf = (axes: string): Tensor["parts"] => {
    const width = axes.includes("d_k") ? numbers.keyDim : numbers.valueDim;
    if (numbers.heads === 1 || !axes.includes("H·")) return undefined;
    return axes.startsWith("H") && axes.includes(" ") ? { rows: width } : { columns: width };
  };
  const ofHead = (head: number | undefined, row: string): string =>
    words("labs.multi_head.meaning.one", { head: heads[head ?? 0] ?? "", row });
  const meaningOf = (kinds: readonly string[], parts: Tensor["parts"], index: number[]): string => {
    if (!kinds.some((kind) => kind === "row" || kind === "column")) {
      const parameter = words("labs.meaning.weight");
      return parts
        ? ofHead(Math.floor(parts.rows ? index[0]! / parts.rows : index.at(-1)! / parts.columns!), parameter)
        : parameter;
    }
    const axis = kinds.findIndex((kind) => kind === "row" || kind === "column");
    const name = (kinds[axis] === "row" ? names : keys)[index[axis]!] ?? "";
    return kinds.includes("head") ? ofHead(index[1], name) : name;
  };
  return Object.entries<Omit<Tensor, "node">>(rows)
    .filter(([node]) => snapshots.size === 0 || snapshots.has(node))
    .map(([node, row]): Tensor => {
      const kinds = kindsOf(numbers, node);
      const parts = partsOf(row.axes);
      return {
        meaning: (index) => meaningOf(kinds, parts, index),
        ...row,
        node,
        axes: kinds.join(" "),
        // One sample and one head; the stage chooses the head.
        at: kinds.map((kind) => (kind === "item" ? itemOf(config) : kind === "head" ? 0 : null)),
        ...(parts ? { parts } : {}),
        ...(node === "masked" ? { masked: hiddenCells(numbers, ...countsOf(config)) } : {}),
        ...(node === "masked" || node === "weights" || node === "dropped" ? { emptyRows: empty } : {}),
      };
    });
}
