/** What the multi-head lab says of its numbers: steps, formula, names of tensors, what cells mean. */
import { symbolName } from "../../marks/lettering.js";
import type { ConfigOf, MultiHeadNumbers } from "../../config/config.js";
import { rowCount } from "../../config/labs/multi-head.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshot, Snapshots } from "../../marks/scene.js";
import type { FormulaPart, NodeWords, Remark, Step } from "../../marks/wording.js";
import { sizeWords } from "../../telling/phrases.js";
import { largestInRow } from "../../telling/largest.js";
import { emptyRows } from "../attention/mask.js";
import { axesOf, block, logits, rowNames, STEPS, type MultiHeadNode } from "./blocks.js";
import { emptyRowRemark, notNumbers } from "../../telling/remarks.js";

type Config = ConfigOf<"multi-head">;
type Cell = { node: string; index: number[] };

function nodesOf(numbers: MultiHeadNumbers, id: (typeof STEPS)[number]): { made: string[]; from: string[] } {
  switch (id) {
    case "split":
      return { made: ["Q_heads", "K_heads", "V_heads"], from: ["Q", "K", "V"] };
    case "attend":
      return { made: ["weights", "K_T", ...logits(numbers)], from: ["Q_heads"] };
    case "join":
      return { made: ["heads", "concat"], from: ["weights"] };
    case "project":
      return { made: ["output"], from: ["concat", "W_O"] };
  }
}

/** What the strip underlines at a step: its operands and what they make. */
export function stepNodes(numbers: MultiHeadNumbers, step: number): string[] {
  const { made, from } = nodesOf(numbers, STEPS[Math.max(0, Math.min(step, STEPS.length - 1))]!);
  return [...from, ...made.filter((node) => node !== "K_T")];
}

/** A key some words away, so that the row is not read at its own place. */
export function tellingKey(numbers: MultiHeadNumbers): number {
  const length = rowCount(numbers);
  return Math.min(8, length - 1);
}

export function opening({ numbers, view }: Config): Cell {
  const item = numbers.source === "words" ? 0 : view.item;
  return { node: "weights", index: [item, 0, 0, tellingKey(numbers)] };
}

export function steps(config: Config, words: Words, snapshots: Snapshots): Step[] {
  const { numbers } = config;
  const [item] = opening(config).index as [number];
  const largest = (node: string, ...index: number[]): Cell => largestInRow(snapshots, { node, index });
  const cells: Record<(typeof STEPS)[number], Cell> = {
    split: largest("Q_heads", item, 0, 0, 0),
    attend: largestInRow(snapshots, opening(config)),
    join: largest("heads", item, 0, 0, 0),
    project: largest("output", item, 0, 0),
  };
  return STEPS.map((id) => ({
    id,
    title: words(`labs.step.${id}`),
    sentence: words(`labs.multi_head.step.${id}`, { heads: numbers.heads, width: numbers.keyDim }),
    nodes: nodesOf(numbers, id).made,
    cell: cells[id],
  }));
}

export function formula(config: Config, words: Words): { id: string; parts: FormulaPart[] } {
  const part = (symbol: string, node: MultiHeadNode, nodes: string[] = [node]): FormulaPart => {
    const { rows, columns, name, role, symbol: sign } = block(config, node, words);
    return {
      symbol,
      nodes,
      role,
      label: words("labs.formula.part", {
        symbol: symbolName(sign),
        name,
        size: sizeWords([rows, columns], words),
      }),
    };
  };
  return {
    id: "multi-head",
    parts: [
      part("O", "output"),
      part("concat", "concat"),
      part("head", "heads", ["heads", "weights"]),
      part("WO", "W_O"),
    ],
  };
}

export function nodeWords(config: Config, node: string, words: Words): NodeWords {
  const { numbers } = config;
  const mask = node === "mask";
  const name = (mask ? "masked" : node) as MultiHeadNode;
  const shape = block(config, name, words);
  const rows = rowNames(numbers, words);
  const heads = Array.from({ length: numbers.heads }, (_, n) => words("labs.head", { n }));
  const axes = mask ? (["i", "j"] as const) : axesOf(numbers, node);
  const at = (index: number[], axis: "h" | "i" | "j") => index[axes.indexOf(axis)] ?? 0;
  const key = name === "x" || name === "x_batch" ? "X" : name;
  const slots = (index: number[]) => ({
    head: heads[at(index, "h")] ?? "",
    row: rows[at(index, "i")] ?? "",
    column: rows[at(index, "j")] ?? "",
  });
  return {
    symbol: mask ? { text: "M" } : shape.symbol,
    role: shape.role,
    name: mask ? words("labs.name.mask") : shape.name,
    single: mask ? words("labs.single.mask") : words(`labs.single.${key}`, { root: `√${numbers.keyDim}` }),
    axes: axes.map((axis) => (axis === "h" ? heads : axis === "i" || axis === "j" ? rows : null)),
    meaning: (index) => {
      if (mask) return words("labs.meaning.masked", slots(index));
      if (name.startsWith("W_")) {
        const parameter = words("labs.meaning.weight");
        if (numbers.heads === 1) return parameter;
        const [row = 0, column = 0] = index;
        const part = name === "W_O" ? row : column;
        const width = /[VO]$/.test(name) ? numbers.valueDim : numbers.keyDim;
        const slots = { head: heads[Math.floor(part / width)] ?? "", row: parameter };
        return words("labs.multi_head.meaning.one", slots);
      }
      if (name === "weights") return words("labs.multi_head.meaning.weights", slots(index));
      if (axes.includes("h")) {
        const pair = axes.includes("i") && axes.includes("j");
        return words(
          pair ? "labs.multi_head.meaning.pair" : "labs.multi_head.meaning.one",
          axes.includes("i") ? slots(index) : { ...slots(index), row: slots(index).column },
        );
      }
      return rows[at(index, "i")] ?? "";
    },
  };
}

/** Above this, a row has all but chosen one word. */
const CHOSEN = 0.99;
/** Fewer rows than this say nothing about rows in general. */
const ENOUGH = 16;

/** How many rows of weights have all but chosen one word, kept as long as the weights. */
const chosen = new WeakMap<Snapshot, number>();

/** Where the weights are not scaled and most rows chose one word: how many of how many. */
export function sharpRows(
  numbers: MultiHeadNumbers,
  snapshots: Snapshots,
): { sharp: number; rows: number } | null {
  const weights = snapshots.get("weights");
  if (!weights || numbers.draw !== "randn") return null;
  const length = weights.shape.at(-1) ?? 1;
  const rows = weights.data.length / length;
  let sharp = chosen.get(weights);
  if (sharp === undefined) {
    sharp = 0;
    for (let row = 0; row < rows; row += 1)
      if (weights.data.subarray(row * length, (row + 1) * length).some((weight) => weight > CHOSEN))
        sharp += 1;
    chosen.set(weights, sharp);
  }
  return rows >= ENOUGH && 2 * sharp > rows ? { sharp, rows } : null;
}

export function remarks(config: Config, snapshots: Snapshots, words: Words): Remark[] {
  const { numbers } = config;
  const length = rowCount(numbers);
  const found: Remark[] = [];
  const empty = numbers.mask === "none" ? [] : emptyRows(numbers, length, length);
  if (empty.length > 0)
    found.push(
      emptyRowRemark(empty, rowNames(numbers, words), length, words, (row, column) => [0, 0, row, column]),
    );
  found.push(
    ...notNumbers(
      snapshots,
      ["x", "W_Q", "W_K", "W_V", "W_O", "Q", "K", "V", "scores", "scaled", "weights", "output"],
      words,
    ),
  );
  const sharp = sharpRows(numbers, snapshots);
  if (sharp)
    found.push({
      id: "one-word-rows",
      title: words("labs.remark.sharp.title"),
      body: words("labs.remark.sharp.body", { ...sharp, dim: numbers.dim }),
      actions: [{ label: words("labs.remark.sharp.scaled"), change: { control: "draw", value: "scaled" } }],
    });
  return found;
}
