/** The stops of the attention lab, what a phone shows at each, and what the stage opens for its target. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { isAdditive, isMasked, isStable, keyCount, maskingOf } from "../../config/labs/attention.js";
import type { Key, Words } from "../../i18n/words.js";
import type { TargetRoom, Snapshots } from "../../marks/scene.js";
import { readArrangement, arrangementOf, writeArrangement } from "../../stage/arrangement.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import { countText, wordCountText } from "../../telling/phrases.js";
import type { FormulaSymbols, Stop, Stops } from "../../telling/declaration.js";
import { conversionNodes, exponentialNodes } from "./masking.js";
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

/** The nodes that scores pass through on their way to the weights. */
export function logitNodes(numbers: AttentionNumbers): string[] {
  return ["scores", ...(isScaled(numbers) ? ["scaled"] : []), ...(isMasked(numbers) ? ["masked"] : [])];
}

/**
 * What a phone shows, by the name of what is shown: a stop, or one of three projections. A product has what is left of it, what is above
 * it and itself; pointing at any of them leaves it on the stage.
 */
export function shownOn(numbers: AttentionNumbers): Record<string, string[]> {
  const own = isOwn(numbers);
  const source = numbers.memory.length > 0 ? "M" : "X";
  const logits = logitNodes(numbers);
  const projected = (from: string, of: string) => (own ? ["K", "V"] : [from, `W_${of}`, of]);
  const shown: Record<string, string[]> = {
    words: own ? ["Q"] : [...new Set(["X", source])],
    "project-Q": projected("X", "Q"),
    "project-K": projected(source, "K"),
    "project-V": projected(source, "V"),
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
  return Object.fromEntries(Object.entries(shown).filter(([name]) => stops.includes(stopOf(name))));
}

/** The stop that something is shown at. */
export const stopOf = (shown: string): string => shown.split("-")[0]!;

/** Nodes whose first place is a query. */
const OF_QUERY: readonly string[] = ["Q", "sum", "hidden", "scores", "masked", "weights", "output"];

/** Of additive attention the query whose pairs are shown: the target's, else the last, else the first. On a phone what is shown as well. */
export function arrange({ numbers }: Config, room: TargetRoom): string {
  const { node = "", index = [] } = room.cell ?? {};
  const query = (OF_QUERY.includes(node) ? index[0] : undefined) ?? readArrangement(room).memory[0] ?? 0;
  const memory = isAdditive(numbers) ? [Math.max(0, Math.min(query, numbers.tokens.length - 1))] : [];
  if (room.layout !== "narrow") return writeArrangement(numbers.score ?? "dot", memory);
  const stops = stopIds(numbers);
  const stop = stops[Math.max(0, Math.min(room.step, stops.length - 1))]!;
  const projection = /^(?:W_)?([KV])$/.exec(node)?.[1] ?? "Q";
  const shown = shownOn(numbers);
  const wanted = stop === "project" ? `project-${projection}` : stop;
  return writeArrangement(arrangementOf(room, wanted, (id) => shown[id]).id, memory);
}

/** The key that a row is most likely told by: the third word, or the last. */
const tellingKey = (numbers: AttentionNumbers): number => Math.min(2, keyCount(numbers) - 1);

export function opening({ numbers }: Config): Cell {
  return cellAt("scores", 0, tellingKey(numbers));
}

/** What the first stops show of the reader's own Q, K and V. */
const owned: Record<string, string[]> = { words: ["Q"], project: ["K", "V"] };

export function stops({ numbers }: Config, words: Words, snapshots: Snapshots): Stops {
  const own = isOwn(numbers);
  const largest = (node: string, ...index: number[]): Cell => largestInRow(snapshots, { node, index });
  // The key that the first word looks at most. Weights may be NaN where no maximum is subtracted: then the key of the largest score.
  const key = largest(isStable(numbers) ? "weights" : "scores", 0, tellingKey(numbers)).index[1]!;
  const conversion = conversionNodes(numbers).at(-1) ?? "mask";
  const cells: Record<string, Cell> = {
    words: largest(own ? "Q" : "X", 0, 0),
    project: largest(own ? "K" : "Q", 0, 0),
    add: largest("hidden", 0, key, 0),
    compare: cellAt("scores", 0, key),
    scale: cellAt("scaled", 0, key),
    // Padding alone is one row for all queries.
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
    const first = own ? owned[id] : undefined;
    if (first) {
      const title = first.map((node) => words(`labs.name.${node}` as Key)).join(" · ");
      return [id, { ...cells[id]!, title, tell: "own" }];
    }
    return [id, { ...cells[id]!, tell: tellOf(id, numbers), slots }];
  });
  return Object.fromEntries(stops);
}

/** The sentence of a stop. */
function tellOf(id: string, numbers: AttentionNumbers): string {
  const { polarity, fill } = maskingOf(numbers);
  if (id === "compare" && isAdditive(numbers)) return "weigh";
  if (id === "convert") return `convert.${numbers.mask === "none" ? "padding" : polarity}`;
  if (id === "mask" && fill !== "infinity") return `mask.${fill}`;
  return id === "softmax" && !isStable(numbers) ? "softmax.plain" : id;
}

/** The formula of these numbers: with a mask or without, and which score. */
export function symbols({ numbers }: Config): FormulaSymbols {
  const additive = isAdditive(numbers);
  const scaled = isScaled(numbers);
  const masked = isMasked(numbers);
  return {
    id: `attention${additive ? "-additive" : scaled ? "" : "-unscaled"}${masked ? "-masked" : ""}`,
    symbols: {
      O: "output",
      A: "weights",
      ...(additive && { v: "v", H: "hidden" }),
      Q: "Q",
      K: additive ? "K" : ["K", "K_T"],
      ...(scaled && { dk: "scaled" }),
      ...(masked && { M: ["masked", "mask", ...conversionNodes(numbers).slice(1)] }),
      V: "V",
    },
  };
}
