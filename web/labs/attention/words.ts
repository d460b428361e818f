/** What the attention lab says of its numbers: steps, formula, names of tensors, what cells mean. */
import { symbolName } from "../../marks/lettering.js";
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { keyCount } from "../../config/labs/attention.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import type { FormulaPart, NodeWords, Remark, Step } from "../../marks/wording.js";
import {
  attentionBlocks,
  isAdditive,
  isScaled,
  logitNodes,
  stepIds,
  wordNames,
  type AttentionNode,
} from "./blocks.js";
import { CARRIED, pairWords } from "./additive-words.js";
import { projectionOf } from "./narrow.js";
import { emptyRows } from "./mask.js";
import { counted, countedTokens, sizeWords } from "../../telling/phrases.js";
import { isOwn } from "./own.js";
import { emptyRowRemark, notNumbers } from "../../telling/remarks.js";
import { largestInRow } from "../../telling/largest.js";

type Config = ConfigOf<"attention">;
type Cell = { node: string; index: number[] };

/** What the first stops show of the reader's own Q, K and V. */
const owned: Record<string, ("Q" | "K" | "V")[]> = { words: ["Q"], project: ["K", "V"] };

/** The tensors of a step: those that appear in it first, then its operands. */
function nodesOf(numbers: AttentionNumbers, id: string): { made: string[]; from: string[] } {
  const logits = logitNodes(numbers);
  const cross = numbers.memory.length > 0;
  const own = isOwn(numbers) && owned[id];
  if (own) return { made: own, from: [] };
  switch (id) {
    case "words":
      return { made: cross ? ["X", "M"] : ["X"], from: [] };
    case "project":
      return { made: ["Q", "K", "V", "W_Q", "W_K", "W_V"], from: cross ? ["X", "M"] : ["X"] };
    case "add":
      return { made: ["hidden"], from: ["Q", "K"] };
    case "compare":
      return isAdditive(numbers)
        ? { made: ["scores", "v"], from: ["hidden"] }
        : { made: ["scores", "K_T"], from: ["Q", "K"] };
    case "scale":
      return { made: ["scaled"], from: ["scores"] };
    case "mask":
      return { made: ["masked"], from: logits.slice(-2, -1) };
    case "softmax":
      return { made: ["weights"], from: logits.slice(-1) };
    default:
      return { made: ["output"], from: ["weights", "V"] };
  }
}

/** What the strip underlines at a step: its operands and what they make. */
export function stepNodes(numbers: AttentionNumbers, room: Room): string[] {
  const id = stepIds(numbers)[room.step] ?? "words";
  const { made, from } = nodesOf(numbers, id);
  if (id !== "project" || isOwn(numbers)) return [...from, ...made];
  const projection = projectionOf(room);
  return [projection !== "Q" && numbers.memory.length ? "M" : "X", projection];
}

/** The key that a row is most likely told by: the third word, or the last. */
function tellingKey(numbers: AttentionNumbers): number {
  return Math.min(2, keyCount(numbers) - 1);
}

export function opening(config: Config): Cell {
  return { node: "scores", index: [0, tellingKey(config.numbers)] };
}

export function steps(config: Config, words: Words, snapshots: Snapshots): Step[] {
  const { numbers } = config;
  const own = isOwn(numbers);
  const largest = (node: string, ...index: number[]): Cell => largestInRow(snapshots, { node, index });
  // The key that the first word looks at most.
  const key = largest("weights", 0, tellingKey(numbers)).index[1]!;
  const column = Math.min(1, numbers.valueDim - 1);
  const cells: Record<string, Cell> = {
    words: largest(own ? "Q" : "X", 0, 0),
    project: largest(own ? "K" : "Q", 0, 0),
    add: largest("hidden", 0, key, 0),
    compare: { node: "scores", index: [0, key] },
    scale: { node: "scaled", index: [0, key] },
    mask: { node: "masked", index: [0, key] },
    softmax: { node: "weights", index: [0, key] },
    mix: largest("output", 0, column),
  };
  const slots = {
    words: countedTokens(words, "labs.words.start", numbers.tokens),
    numbers: counted(words, "labs.numbers", numbers.dim),
    root: `√${numbers.keyDim}`,
  };
  const first = (id: string) => (own ? owned[id] : undefined);
  return stepIds(numbers).map((id) => ({
    id,
    title:
      first(id)
        ?.map((node) => words(`labs.name.${node}`))
        .join(" · ") ?? words(`labs.step.${id}` as Key),
    sentence: words(
      id === "compare" && isAdditive(numbers)
        ? "labs.attention.step.weigh"
        : (`labs.attention.step.${first(id) ? "own" : id}` as Key),
      slots,
    ),
    nodes: nodesOf(numbers, id).made,
    cell: cells[id]!,
  }));
}

export function formula(config: Config, words: Words): { id: string; parts: FormulaPart[] } {
  const blocks = attentionBlocks(config, words);
  const part = (symbol: string, node: AttentionNode, nodes: string[] = [node]): FormulaPart => ({
    symbol,
    nodes,
    role: blocks[node].role,
    label: words("labs.formula.part", {
      symbol: symbolName(blocks[node].symbol),
      name: blocks[node].name,
      size: sizeWords([blocks[node].rows, blocks[node].columns], words),
    }),
  });
  const masked = config.numbers.mask !== "none";
  const scaled: FormulaPart[] = [
    { symbol: "dk", nodes: ["scaled"], label: words("labs.formula.dk", { n: config.numbers.keyDim }) },
  ];
  const additive = isAdditive(config.numbers);
  const kind = additive ? "-additive" : isScaled(config.numbers) ? "" : "-unscaled";
  return {
    id: `attention${kind}${masked ? "-masked" : ""}`,
    parts: [
      part("O", "output"),
      part("A", "weights"),
      ...(additive ? [part("v", "v"), part("H", "hidden")] : []),
      part("Q", "Q"),
      part("K", "K", additive ? ["K"] : ["K", "K_T"]),
      ...(isScaled(config.numbers) ? scaled : []),
      ...(masked ? [{ ...part("M", "masked", ["masked", "mask"]), label: words("labs.formula.mask") }] : []),
      part("V", "V"),
    ],
  };
}

export function nodeWords(config: Config, node: string, words: Words): NodeWords {
  if (isAdditive(config.numbers) && (node === "sum" || node === "hidden" || node in CARRIED)) {
    const { axes } = nodeWords(config, "scores", words);
    return pairWords(node, nodeWords(config, CARRIED[node] ?? "scores", words), axes, words);
  }
  const { numbers } = config;
  const blocks = attentionBlocks(config, words);
  const rows = wordNames(numbers.tokens, words);
  const keys = numbers.memory.length ? wordNames(numbers.memory, words) : rows;
  const name = node in blocks ? (node as AttentionNode) : "masked";
  const block = blocks[name];
  const axes: Partial<Record<AttentionNode, NodeWords["axes"]>> = {
    X: [rows, null],
    M: [keys, null],
    Q: [rows, null],
    K: [keys, null],
    V: [keys, null],
    K_T: [null, keys],
    scores: [rows, keys],
    scaled: [rows, keys],
    masked: [rows, keys],
    weights: [rows, keys],
    output: [rows, null],
    v: [null],
  };
  const pair = (index: number[]) => ({
    row: rows[index[0]!] ?? "",
    column: keys[index[1]!] ?? "",
    width: numbers.keyDim,
  });
  return {
    symbol: node === "mask" ? { text: "M" } : block.symbol,
    role: block.role,
    name: node === "mask" ? words("labs.name.mask") : block.name,
    single:
      node === "mask"
        ? words("labs.single.mask")
        : words(`labs.single.${name}` as Key, { root: `√${numbers.keyDim}` }),
    axes: node === "mask" ? [rows, keys] : (axes[name] ?? [null, null]),
    meaning: (index) => {
      switch (node) {
        case "X":
        case "Q":
          return rows[index[0]!] ?? "";
        case "M":
        case "K":
        case "V":
          return keys[index[0]!] ?? "";
        case "K_T":
          return keys[index[1]!] ?? "";
        case "scores":
          return words("labs.meaning.scores", pair(index));
        case "scaled":
          return words("labs.meaning.scaled");
        case "mask":
        case "masked":
          return words("labs.meaning.masked", pair(index));
        case "weights":
          return words("labs.meaning.weights", pair(index));
        case "output":
          return words("labs.meaning.output");
        default:
          return words("labs.meaning.weight");
      }
    },
  };
}

export function remarks(config: Config, snapshots: Snapshots, words: Words): Remark[] {
  const { numbers } = config;
  const rows = wordNames(numbers.tokens, words);
  const found: Remark[] = [];
  if (isOwn(numbers))
    found.push({
      id: "own",
      title: words("labs.remark.own.title"),
      body: words("labs.remark.own.body"),
      actions: [],
    });
  const keys = keyCount(numbers);
  const empty = numbers.mask === "none" ? [] : emptyRows(numbers, numbers.tokens.length, keys);
  if (empty.length > 0) found.push(emptyRowRemark(empty, rows, keys, words));
  found.push(
    ...notNumbers(
      snapshots,
      ["X", "M", "W_Q", "W_K", "W_V", "v", "Q", "K", "V", "hidden", "scores", "scaled", "weights", "output"],
      words,
    ),
  );
  return found;
}
