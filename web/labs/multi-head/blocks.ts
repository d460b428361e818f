/** The tensors of the multi-head lab and the word, head and sample that the stage unfolds. */
import type { ConfigOf, MultiHeadNumbers } from "../../config/config.js";
import { rowCount } from "../../config/labs/multi-head.js";
import type { Words } from "../../i18n/words.js";
import { wordNames } from "../attention/blocks.js";
import { emptyRows, hidden } from "../attention/mask.js";
import type { Block } from "../../stage/place.js";

type Cell = { node: string; index: number[] } | null;

export const STEPS = ["split", "attend", "join", "project"] as const;

/** Axes of a node: batch, head, row of the word, row of the word looked at, column. */
const AXES: Record<string, readonly ("b" | "h" | "i" | "j" | "c")[]> = {
  x_batch: ["b", "i", "c"],
  Q: ["b", "i", "c"],
  K: ["b", "i", "c"],
  V: ["b", "i", "c"],
  concat: ["b", "i", "c"],
  output: ["b", "i", "c"],
  Q_heads: ["b", "h", "i", "c"],
  K_heads: ["b", "h", "i", "c"],
  V_heads: ["b", "h", "i", "c"],
  heads: ["b", "h", "i", "c"],
  K_T: ["b", "h", "c", "j"],
  scores: ["b", "h", "i", "j"],
  scaled: ["b", "h", "i", "j"],
  masked: ["b", "h", "i", "j"],
  weights: ["b", "h", "i", "j"],
};

export function axesOf(numbers: MultiHeadNumbers, node: string): readonly ("b" | "h" | "i" | "j" | "c")[] {
  if (node === "x") return numbers.source === "words" ? ["i", "c"] : ["b", "i", "c"];
  return AXES[node] ?? ["c", "c"];
}

/** Where the target stands. */
export interface Focus {
  node: string;
  row: number;
  /** The target says which row; else the one shown last is meant. */
  named: boolean;
  /** The word looked at, where the target names one. */
  key: number | null;
  head: number;
  /** Column of the target within its head, or within its row. */
  column: number;
}

/** What the stage unfolds for a target: its word and its head; the first ones when there is none. */
export function focusOf(numbers: MultiHeadNumbers, cell: Cell): Focus {
  const focus: Focus = { node: cell?.node ?? "weights", row: 0, named: false, key: null, head: 0, column: 0 };
  if (!cell) return focus;
  // Keys and values are read by the word looked at, not by the word that looks.
  const ofKey = cell.node === "K_heads" || cell.node === "V_heads";
  axesOf(numbers, cell.node).forEach((axis, place) => {
    const at = cell.index[place] ?? 0;
    if (axis === "i" && !ofKey) [focus.row, focus.named] = [at, true];
    if (axis === "j" || (axis === "i" && ofKey)) focus.key = at;
    if (axis === "h") focus.head = at;
    if (axis === "c") focus.column = at;
  });
  const width = { Q: numbers.keyDim, K: numbers.keyDim, V: numbers.valueDim, concat: numbers.valueDim }[
    cell.node
  ];
  if (width) focus.head = Math.floor(focus.column / width);
  return focus;
}

/** The nodes that scores pass through on their way to the weights. */
export function logits(numbers: MultiHeadNumbers): string[] {
  return ["scores", ...(numbers.scale ? ["scaled"] : []), ...(numbers.mask === "none" ? [] : ["masked"])];
}

/** Names of the rows: typed words, or numbered ones. */
export function rowNames(numbers: MultiHeadNumbers, words: Words): string[] {
  const tokens =
    numbers.source === "words"
      ? numbers.tokens
      : Array.from({ length: numbers.length }, (_, row) => `word_${row + 1}`);
  return wordNames(tokens, words);
}

const STEP_OF: Record<string, number> = { heads: 2, concat: 2, W_O: 3, output: 3 };
const AFTER_SPLIT = new Set(["K_T", "scores", "scaled", "masked", "weights"]);

export type MultiHeadNode =
  | "x"
  | "x_batch"
  | "W_Q"
  | "W_K"
  | "W_V"
  | "W_O"
  | "Q"
  | "K"
  | "V"
  | "Q_heads"
  | "K_heads"
  | "V_heads"
  | "K_T"
  | "scores"
  | "scaled"
  | "masked"
  | "weights"
  | "heads"
  | "concat"
  | "output";

/** A block as a whole matrix of one sample (and, where it has heads, of one head). */
export function block(config: ConfigOf<"multi-head">, node: MultiHeadNode, words: Words): Block {
  const { numbers } = config;
  const { dim, heads, keyDim, valueDim } = numbers;
  const length = rowCount(numbers);
  const shape: Record<MultiHeadNode, [number, number, string]> = {
    x: [length, dim, "S×D"],
    x_batch: [length, dim, "S×D"],
    W_Q: [dim, heads * keyDim, "D×H·d_k"],
    W_K: [dim, heads * keyDim, "D×H·d_k"],
    W_V: [dim, heads * valueDim, "D×H·d_v"],
    W_O: [heads * valueDim, dim, "H·d_v×D"],
    Q: [length, heads * keyDim, "S×H·d_k"],
    K: [length, heads * keyDim, "S×H·d_k"],
    V: [length, heads * valueDim, "S×H·d_v"],
    Q_heads: [length, keyDim, "S×d_k"],
    K_heads: [length, keyDim, "S×d_k"],
    V_heads: [length, valueDim, "S×d_v"],
    K_T: [keyDim, length, "d_k×S"],
    scores: [length, length, "S×S"],
    scaled: [length, length, "S×S"],
    masked: [length, length, "S×S"],
    weights: [length, length, "S×S"],
    heads: [length, valueDim, "S×d_v"],
    concat: [length, heads * valueDim, "S×H·d_v"],
    output: [length, dim, "S×D"],
  };
  const symbols: Partial<Record<MultiHeadNode, Block["symbol"]>> = {
    x: { text: "X" },
    x_batch: { text: "X" },
    W_Q: { text: "W", sub: "Q" },
    W_K: { text: "W", sub: "K" },
    W_V: { text: "W", sub: "V" },
    W_O: { text: "W", sub: "O" },
    Q_heads: { text: "Q" },
    K_heads: { text: "K" },
    V_heads: { text: "V" },
    K_T: { text: "K", sup: "T" },
    scores: { text: "S" },
    scaled: { text: "S/√d" },
    masked: { text: "S+M" },
    weights: { text: "A" },
    heads: { text: "head" },
    concat: { text: "H" },
    output: { text: "O" },
  };
  const roles: Partial<Record<MultiHeadNode, Block["role"]>> = {
    Q: "query",
    Q_heads: "query",
    K: "key",
    K_heads: "key",
    K_T: "key",
    V: "value",
    V_heads: "value",
    heads: "value",
    concat: "value",
    weights: "attention",
    output: "output",
  };
  const isWeight = node.startsWith("W_");
  const isLogit = node === "scores" || node === "scaled" || node === "masked";
  const [rows, columns, letters] = shape[node];
  const width = /[QK]$/.test(node) ? keyDim : valueDim;
  const columnsOfHeads = /^((W_)?[QKV]|concat)$/.test(node);
  const parts = columnsOfHeads ? { columns: width } : node === "W_O" ? { rows: width } : null;
  const empty = numbers.mask === "none" ? [] : emptyRows(numbers, length, length);
  return {
    node,
    rows,
    columns,
    letters,
    role: isWeight ? "weight" : (roles[node] ?? "activation"),
    fill: isWeight ? "parameter" : node === "weights" ? "probability" : "activation",
    family: isWeight ? "parameters" : node === "weights" ? "weights" : isLogit ? "scores" : familyOf(node),
    symbol: symbols[node] ?? { text: node },
    name: words(`labs.name.${node === "x" || node === "x_batch" ? "X" : node}`),
    step: STEP_OF[node] ?? (AFTER_SPLIT.has(node) ? 1 : 0),
    ...(isWeight || node === "x" ? { editable: true } : {}),
    ...(node === "masked"
      ? {
          paintable: true,
          masked: hidden(numbers, length, length),
          emptyRows: empty,
        }
      : {}),
    ...(node === "weights" ? { emptyRows: empty } : {}),
    ...(parts && heads > 1 ? { parts } : {}),
  };
}

/** What is said beside the scale of a family. */
export function legendText(family: string, words: Words): string {
  if (family === "parameters") return words("labs.legend.parameters.short");
  if (family === "scores") return words("labs.legend.score");
  return words(`labs.legend.${family as "words" | "projections" | "heads" | "output" | "weights"}`);
}

/** Projections, head outputs and outputs differ in size by design, so each kind has a scale of its own. */
function familyOf(node: MultiHeadNode): string {
  if (node === "output") return "output";
  if (node === "heads" || node === "concat") return "heads";
  return node === "x" || node === "x_batch" ? "words" : "projections";
}
