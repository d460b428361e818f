/** The tensors of the multi-head lab: a row each, with its axes by letter. */
import type { ConfigOf, MultiHeadNumbers } from "../../config/config.js";
import { rowCount } from "../../config/labs/multi-head.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import { wordNames } from "../../telling/phrases.js";
import { emptyRows, hidden } from "../attention/mask.js";

/** The stops of Play. */
export const stopIds = ["split", "attend", "join", "project"] as const;
export type StopId = (typeof stopIds)[number];

interface Row extends Pick<Tensor, "role" | "symbol" | "editable" | "paintable"> {
  stop: StopId | null;
  /** Sample, head, row of the word, row of the word looked at, column. */
  axes: string;
  /** Projections, head outputs and outputs differ in size by design, so each kind has a scale of its own. */
  family: string;
  letters: string;
}

const typed = { stop: "split", family: "words", letters: "S×D", symbol: "X" } as const;
const matrix = { stop: "split", axes: "cc", role: "weight", family: "parameters", editable: true } as const;
const projected = { stop: "split", axes: "bic", family: "projections" } as const;
const ofHead = { ...projected, axes: "bhic" } as const;
const score = { stop: "attend", axes: "bhij", family: "scores", letters: "S×S" } as const;
const turnedKeys = { text: "K", sup: "T" };

const rows = {
  x: { ...typed, axes: "bic", editable: true },
  x_batch: { ...typed, axes: "bic" },
  W_Q: { ...matrix, letters: "D×H·d_k", symbol: { text: "W", sub: "Q" } },
  W_K: { ...matrix, letters: "D×H·d_k", symbol: { text: "W", sub: "K" } },
  W_V: { ...matrix, letters: "D×H·d_v", symbol: { text: "W", sub: "V" } },
  W_O: { ...matrix, stop: "project", letters: "H·d_v×D", symbol: { text: "W", sub: "O" } },
  Q: { ...projected, role: "query", letters: "S×H·d_k", symbol: "Q" },
  K: { ...projected, role: "key", letters: "S×H·d_k", symbol: "K" },
  V: { ...projected, role: "value", letters: "S×H·d_v", symbol: "V" },
  Q_heads: { ...ofHead, role: "query", letters: "S×d_k", symbol: "Q" },
  K_heads: { ...ofHead, axes: "bhjc", role: "key", letters: "S×d_k", symbol: "K" },
  V_heads: { ...ofHead, axes: "bhjc", role: "value", letters: "S×d_v", symbol: "V" },
  K_T: { ...ofHead, stop: "attend", axes: "bhcj", role: "key", letters: "d_k×S", symbol: turnedKeys },
  scores: { ...score, symbol: "S" },
  scaled: { ...score, symbol: "S/√d" },
  mask: { ...score, stop: null, axes: "ij", symbol: "M" },
  masked: { ...score, symbol: "S+M", paintable: true },
  weights: { ...score, role: "attention", family: "weights", symbol: "A" },
  heads: { ...ofHead, stop: "join", role: "value", family: "heads", letters: "S×d_v", symbol: "head" },
  concat: { ...projected, stop: "join", role: "value", family: "heads", letters: "S×H·d_v", symbol: "H" },
  output: { ...projected, stop: "project", role: "output", family: "output", letters: "S×D", symbol: "O" },
} satisfies Record<string, Row>;

/** The nodes that scores pass through on their way to the weights. */
export function logits({ scale, mask }: MultiHeadNumbers): string[] {
  return ["scores", ...(scale ? ["scaled"] : []), ...(mask === "none" ? [] : ["masked"])];
}

/** The axes of a node by letter; typed words are one sample, and have no axis for it. */
export function axesOf({ source }: MultiHeadNumbers, node: string): string {
  if (node === "x" && source === "words") return "ic";
  return rows[node as keyof typeof rows]?.axes ?? "";
}

/** The sample that is shown. */
export const itemOf = ({ numbers, view }: ConfigOf<"multi-head">): number =>
  numbers.source === "words" ? 0 : view.item;

/** Names of the rows: typed words, or numbered ones. */
export function rowNames(numbers: MultiHeadNumbers, words: Words): string[] {
  const named = Array.from({ length: rowCount(numbers) }, (_, row) => `word_${row + 1}`);
  return wordNames(numbers.source === "words" ? numbers.tokens : named, words);
}

export function tensors(config: ConfigOf<"multi-head">, words: Words, snapshots: Snapshots): Tensor[] {
  const { numbers } = config;
  const names = rowNames(numbers, words);
  const { length } = names;
  const heads = Array.from({ length: numbers.heads }, (_, n) => words("labs.head", { n }));
  const empty = emptyRows(numbers, length, length);
  /** Which columns, or rows, a head has of a parameter or of what it makes. */
  const partsOf = (letters: string): Tensor["parts"] => {
    const width = letters.includes("d_k") ? numbers.keyDim : numbers.valueDim;
    if (numbers.heads === 1 || !letters.includes("H")) return undefined;
    return letters.startsWith("H") ? { rows: width } : { columns: width };
  };
  const meaningOf = (node: string, axes: string, parts: Tensor["parts"], index: number[]): string => {
    const at = (axis: string): number => index[axes.indexOf(axis)] ?? 0;
    const [head, row, column] = [heads[at("h")]!, names[at("i")]!, names[at("j")]!];
    const has = (axis: string): boolean => axes.includes(axis);
    if (node === "mask") return words("labs.meaning.masked", { row, column });
    if (node.startsWith("W_")) {
      const said = words("labs.meaning.weight");
      if (!parts) return said;
      const part = parts.rows ? index[0]! / parts.rows : index[1]! / parts.columns!;
      return words("labs.multi_head.meaning.one", { head: heads[Math.floor(part)]!, row: said });
    }
    if (node === "weights") return words("labs.multi_head.meaning.weights", { head, row, column });
    if (!has("h")) return row;
    if (has("i") && has("j")) return words("labs.multi_head.meaning.pair", { head, row, column });
    return words("labs.multi_head.meaning.one", { head, row: has("i") ? row : column });
  };
  return Object.entries<Row>(rows)
    .filter(([node]) => snapshots.size === 0 || snapshots.has(node))
    .map(([node, row]): Tensor => {
      const axes = axesOf(numbers, node);
      const key = node.startsWith("x") ? "X" : node;
      const parts = partsOf(row.letters);
      return {
        ...row,
        node,
        name: words(`labs.name.${key}` as Key),
        single: words(`labs.single.${key}` as Key),
        axes: [...axes].map((axis) => (axis === "h" ? heads : "ij".includes(axis) ? names : null)),
        meaning: (index) => meaningOf(node, axes, parts, index),
        // One sample and head of it; the stage says which.
        at: [...axes].map((axis) => (axis === "b" ? itemOf(config) : axis === "h" ? 0 : null)),
        ...(parts ? { parts } : {}),
        ...(node === "masked" ? { masked: hidden(numbers, length, length) } : {}),
        ...(node === "masked" || node === "weights" ? { emptyRows: empty } : {}),
      };
    });
}
