/** The stops of the attention lab, the tensors that a phone shows at each, and the arrangement of the stage. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { isAdditive, isMasked, isStable, keyCount, maskingOf } from "../../config/labs/attention.js";
import type { Key, Words } from "../../i18n/words.js";
import type { TargetRoom, Snapshots } from "../../marks/scene.js";
import { readArrangement, arrangementOf, writeArrangement } from "../../stage/arrangement.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import { countText, wordCountText } from "../../telling/phrases.js";
import type { FormulaSymbols, Stop, Stops } from "../../telling/declaration.js";
import { conversionNodes, exponentialNodes } from "./mask-conversion.js";
import { isOwn } from "./own.js";
import { isScaled } from "./tensors.js";

type Config = ConfigOf<"attention">;

/** The stops that these numbers have, in order. */
export function stopIds(numbers: AttentionNumbers): string[] {
  const has: Record<string, boolean> = {
    add: isAdditive(numbers),
    scale: isScaled(numbers),
    convert: conversionNodes(numbers).length > 0,
    mask: isMasked(numbers),
    exp: !isStable(numbers),
  };
  const all = ["words", "project", "add", "compare", "scale", "convert", "mask", "exp", "softmax", "mix"];
  return all.filter((id) => has[id] ?? true);
}

/** The nodes from the scores to the input of softmax. */
export function logitNodes(numbers: AttentionNumbers): string[] {
  return ["scores", ...(isScaled(numbers) ? ["scaled"] : []), ...(isMasked(numbers) ? ["masked"] : [])];
}

/**
 * The nodes of each picture on a phone. A picture is named by its stop, or is one of the three projections. A product has its left factor,
 * the factor above it and the result. While the target is one of a picture's nodes, the picture stays.
 */
export function phonePictures(numbers: AttentionNumbers): Record<string, string[]> {
  const own = isOwn(numbers);
  const source = numbers.memory.length > 0 ? "M" : "X";
  const logits = logitNodes(numbers);
  const projection = (from: string, of: string) => (own ? ["K", "V"] : [from, `W_${of}`, of]);
  const pictures: Record<string, string[]> = {
    words: own ? ["Q"] : [...new Set(["X", source])],
    "project-Q": projection("X", "Q"),
    "project-K": projection(source, "K"),
    "project-V": projection(source, "V"),
    add: ["Q", "K", "hidden"],
    compare: isAdditive(numbers) ? ["v", "hidden", "scores"] : ["Q", "K_T", "scores"],
    scale: ["scores", "scaled"],
    convert: conversionNodes(numbers),
    mask: logits.slice(-2),
    exp: [...logits.slice(-1), "exp"],
    softmax: isStable(numbers) ? [...logits.slice(-1), "weights"] : [...exponentialNodes(numbers), "weights"],
    mix: ["weights", "V", "output"],
  };
  const stops = stopIds(numbers);
  return Object.fromEntries(Object.entries(pictures).filter(([name]) => stops.includes(stopOf(name))));
}

/** The stop of a picture. */
export const stopOf = (picture: string): string => picture.split("-")[0]!;

/** The nodes whose first index is a query. */
const QUERY_NODES: readonly string[] = ["Q", "sum", "hidden", "scores", "masked", "weights", "output"];

/** The arrangement. With additive attention it holds the query whose pairs are shown: the target's, else the previous one, else the first. On a phone it names the picture. */
export function arrange({ numbers }: Config, room: TargetRoom): string {
  const { node = "", index = [] } = room.cell ?? {};
  const query = (QUERY_NODES.includes(node) ? index[0] : undefined) ?? readArrangement(room).memory[0] ?? 0;
  const memory = isAdditive(numbers) ? [Math.max(0, Math.min(query, numbers.tokens.length - 1))] : [];
  if (room.layout !== "narrow") return writeArrangement(numbers.score ?? "dot", memory);
  const stops = stopIds(numbers);
  const stop = stops[Math.max(0, Math.min(room.step, stops.length - 1))]!;
  const projection = /^(?:W_)?([KV])$/.exec(node)?.[1] ?? "Q";
  const pictures = phonePictures(numbers);
  const wantedId = stop === "project" ? `project-${projection}` : stop;
  return writeArrangement(arrangementOf(room, wantedId, (id) => pictures[id]).id, memory);
}

/** The key of the first target: the third word, or the last if there are fewer. */
const firstKey = (numbers: AttentionNumbers): number => Math.min(2, keyCount(numbers) - 1);

export function opening({ numbers }: Config): Cell {
  return cellAt("scores", 0, firstKey(numbers));
}

/** The nodes of the first stops, if Q, K and V are the reader's own. */
const nodesOfOwn: Record<string, string[]> = { words: ["Q"], project: ["K", "V"] };

export function stops({ numbers }: Config, words: Words, snapshots: Snapshots): Stops {
  const own = isOwn(numbers);
  const largest = (node: string, ...index: number[]): Cell => largestInRow(snapshots, { node, index });
  // The key that the first word attends to most. If the maximum is not subtracted, weights may be NaN, so the largest score is used.
  const key = largest(isStable(numbers) ? "weights" : "scores", 0, firstKey(numbers)).index[1]!;
  const conversion = conversionNodes(numbers).at(-1) ?? "mask";
  const cells: Record<string, Cell> = {
    words: largest(own ? "Q" : "X", 0, 0),
    project: largest(own ? "K" : "Q", 0, 0),
    add: largest("hidden", 0, key, 0),
    compare: cellAt("scores", 0, key),
    scale: cellAt("scaled", 0, key),
    // Without a mask, the padding is a vector with one number per key: it has no query axis to index.
    convert: largest(conversion, ...(numbers.mask === "none" ? [] : [0]), key),
    mask: maskingOf(numbers).fill === "infinity" ? cellAt("masked", 0, key) : largest("masked", 0, key),
    exp: cellAt("exp", 0, key),
    softmax: cellAt("weights", 0, key),
    mix: largest("output", 0, Math.min(1, numbers.valueDim - 1)),
  };
  const slots = {
    words: wordCountText(words, "labs.words.start", numbers.tokens),
    numbers: countText(words, "labs.numbers", numbers.dim),
    root: `√${numbers.keyDim}`,
  };
  const stops = stopIds(numbers).map((id): [string, Stop] => {
    const ownNodes = own ? nodesOfOwn[id] : undefined;
    if (ownNodes) {
      const title = ownNodes.map((node) => words(`labs.name.${node}` as Key)).join(" · ");
      return [id, { ...cells[id]!, title, tell: "own" }];
    }
    return [id, { ...cells[id]!, tell: sentenceKey(id, numbers), slots }];
  });
  return Object.fromEntries(stops);
}

/** The key of a stop's sentence. */
function sentenceKey(id: string, numbers: AttentionNumbers): string {
  const { polarity, fill } = maskingOf(numbers);
  if (id === "compare" && isAdditive(numbers)) return "weigh";
  if (id === "convert") return `convert.${numbers.mask === "none" ? "padding" : polarity}`;
  if (id === "mask" && fill !== "infinity") return `mask.${fill}`;
  return id === "softmax" && !isStable(numbers) ? "softmax.plain" : id;
}

/** The formula: with or without a mask, and with the score that is set. */
export function symbols({ numbers }: Config): FormulaSymbols {
  const additive = isAdditive(numbers);
  const hasScale = isScaled(numbers);
  const hasMask = isMasked(numbers);
  return {
    id: `attention${additive ? "-additive" : hasScale ? "" : "-unscaled"}${hasMask ? "-masked" : ""}`,
    symbols: {
      O: "output",
      A: "weights",
      ...(additive && { v: "v", H: "hidden" }),
      Q: "Q",
      K: additive ? "K" : ["K", "K_T"],
      ...(hasScale && { dk: "scaled" }),
      ...(hasMask && { M: ["masked", "mask", ...conversionNodes(numbers).slice(1)] }),
      V: "V",
    },
  };
}
