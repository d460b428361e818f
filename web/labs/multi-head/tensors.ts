/** The tensors of the multi-head lab: a row each, with its axes by letter. */
import type { ConfigOf, MultiHeadNumbers } from "../../config/config.js";
import { rowCount } from "../../config/labs/multi-head.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { wordNames } from "../../telling/phrases.js";
import { emptyRows, hidden } from "../attention/mask.js";

/** The stops of Play. */
export const stopIds = ["split", "attend", "join", "project"] as const;
export type StopId = (typeof stopIds)[number];

// Projections, head outputs and outputs differ in size by design, so each kind has a scale of its own.
const typed = { stop: "split", family: "words", symbol: "X", key: "X", axes: "item row D" } as const;
const matrix = { stop: "split", role: "weight", family: "parameters", editable: true } as const;
const projected = { stop: "split", family: "projections" } as const;
const score = {
  stop: "attend",
  axes: "item head row column",
  family: "scores",
  meaning: "meaning.pair",
} as const;

/** A word that is looked at is a column of the scores. */
const rows = {
  x: { ...typed, editable: true },
  x_batch: typed,
  W_Q: { ...matrix, axes: "D H·d_k", symbol: "W_Q" },
  W_K: { ...matrix, axes: "D H·d_k", symbol: "W_K" },
  W_V: { ...matrix, axes: "D H·d_v", symbol: "W_V" },
  W_O: { ...matrix, stop: "project", axes: "H·d_v D", symbol: "W_O" },
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
  masked: { ...score, symbol: "S+M", paintable: true },
  weights: { ...score, role: "attention", family: "weights", symbol: "A", meaning: "meaning.weights" },
  heads: { stop: "join", role: "value", family: "heads", axes: "item head row d_v", symbol: "head" },
  concat: { stop: "join", role: "value", family: "heads", axes: "item row H·d_v", symbol: "H" },
  output: { stop: "project", role: "output", family: "output", axes: "item row D", symbol: "O" },
} satisfies Record<string, Omit<Tensor, "node">>;

/** The nodes that scores pass through on their way to the weights. */
export function logits({ scale, mask }: MultiHeadNumbers): string[] {
  return ["scores", ...(scale ? ["scaled"] : []), ...(mask === "none" ? [] : ["masked"])];
}

/** What stands on each axis of a node; typed words are one sample, and have no axis for it. */
export function kindsOf({ source }: MultiHeadNumbers, node: string): string[] {
  const { axes = "" } = rows[node as keyof typeof rows] ?? {};
  return (node === "x" && source === "words" ? "row D" : axes).split(" ");
}

/** The sample that is shown. */
export const itemOf = ({ numbers, view }: ConfigOf<"multi-head">): number =>
  numbers.source === "words" ? 0 : view.item;

/** Names of the rows: typed words, or numbered ones. */
export function rowNames(numbers: MultiHeadNumbers, words: Words): string[] {
  const named = Array.from({ length: rowCount(numbers) }, (_, row) => `word_${row + 1}`);
  return wordNames(numbers.source === "words" ? numbers.tokens : named, words);
}

const headNames = ({ heads }: MultiHeadNumbers, words: Words): string[] =>
  Array.from({ length: heads }, (_, n) => words("labs.head", { n }));

export function axes({ numbers }: ConfigOf<"multi-head">, words: Words): Axes {
  const word = ["S", rowNames(numbers, words)] as const;
  return { item: [""], head: ["", headNames(numbers, words)], row: word, column: word };
}

export function tensors(config: ConfigOf<"multi-head">, words: Words, snapshots: Snapshots): Tensor[] {
  const { numbers } = config;
  const names = rowNames(numbers, words);
  const { length } = names;
  const heads = headNames(numbers, words);
  const empty = emptyRows(numbers, length, length);
  /** Which columns, or rows, a head has of a parameter or of what it makes. */
  const partsOf = (axes: string): Tensor["parts"] => {
    const width = axes.includes("d_k") ? numbers.keyDim : numbers.valueDim;
    if (numbers.heads === 1 || !axes.includes("H·")) return undefined;
    return axes.startsWith("H") ? { rows: width } : { columns: width };
  };
  const ofHead = (head: number | undefined, row: string): string =>
    words("labs.multi_head.meaning.one", { head: heads[head ?? 0] ?? "", row });
  const meaningOf = (kinds: readonly string[], parts: Tensor["parts"], index: number[]): string => {
    if (kinds.length === 2 && !kinds.includes("row")) {
      const said = words("labs.meaning.weight");
      return parts
        ? ofHead(Math.floor(parts.rows ? index[0]! / parts.rows : index[1]! / parts.columns!), said)
        : said;
    }
    const name = names[index[kinds.findIndex((kind) => kind === "row" || kind === "column")]!] ?? "";
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
        // One sample and head of it; the stage says which.
        at: kinds.map((kind) => (kind === "item" ? itemOf(config) : kind === "head" ? 0 : null)),
        ...(parts ? { parts } : {}),
        ...(node === "masked" ? { masked: hidden(numbers, length, length) } : {}),
        ...(node === "masked" || node === "weights" ? { emptyRows: empty } : {}),
      };
    });
}
