/** The sentences with their gaps: arcs from one place to the words that it attends to, and the weights under the words. */
import { inShownLayer, segmentAt, special } from "../../config/labs/bert.js";
import { columnNames, textWidth } from "../../marks/measure.js";
import { STRONG, drawArcs } from "../../stage/arcs.js";
import { BRACKET, place as placeTensor } from "../../stage/place.js";
import { pointsFrom, rectangle, writeOn } from "../../stage/pen.js";
import { rowOf } from "../../stage/series.js";
import { largestInRow } from "../../telling/largest.js";
import { penAt, type Parts } from "./parts.js";

/** The type sizes of the words, the largest that fits first. */
const SIZES = [24, 22, 20, 18, 16, 15, 14, 13, 12];
/** The greatest width of an arc for a weight of 1. */
const THICK = 46;
const ROW = 20;

/** The middle of each place, and the lower edge of everything. */
export interface PlacedSentence {
  middles: number[];
  bottom: number;
}

const isSpecial = (word: string): boolean => (special as readonly string[]).includes(word);

/** Special words are set small and without serifs; serif letters are narrower. */
const widthOf = (word: string, size: number): number =>
  isSpecial(word) ? textWidth(word, Math.min(size, 14)) : 0.9 * textWidth(word, size);

/** A weight with two decimals and without its 0; a dot for one that would read 0. */
const shortWeight = (weight: number): string =>
  weight < 0.005 ? "·" : weight.toFixed(2).replace(/^0/, "").replace(".00", "");

/** Draws the sentences over the whole width of the scene, from the top. */
export function drawSentence(parts: Parts): PlacedSentence {
  const { numbers, snapshots, scene, room, isNarrow, of, words, gaps, gap, place, head } = parts;
  const weights = of(inShownLayer(numbers, "self_attn.weights"));
  const sum = of("embeddings.with_segments");
  const all = words.map((_, at) => at);
  // A phone leaves out [CLS] and [SEP], and its gaps are empty.
  const some = all.filter((at) => gaps.includes(at) || !isSpecial(words[at]!));
  const isWritten = (at: number): boolean => !(isNarrow && gaps.includes(at));
  const cellOf = (places: readonly number[]): number => (room.width - 2 * BRACKET) / places.length;
  const sizeFor = (places: readonly number[]): number | undefined => {
    const space = cellOf(places) - (isNarrow ? 4 : 12);
    return SIZES.find((size) => places.every((at) => !isWritten(at) || widthOf(words[at]!, size) <= space));
  };
  const places = isNarrow && sizeFor(some) ? some : all;
  const [size, cell] = [sizeFor(places), cellOf(places)];
  // A word that is left out is between those beside it.
  const middles = all.map((at) => {
    const before = places.filter((other) => other < at).length;
    return BRACKET + (before + (places.includes(at) ? 0.5 : 0)) * cell;
  });
  const top = isNarrow ? 62 : Math.max(72, Math.min(100, 0.16 * room.height));
  const foot = top + (size ? Math.round(1.45 * size) : columnNames(words, cell).height);
  const row = rowOf(snapshots, weights.node, head * words.length + place);
  const others = places.filter((at) => at !== place);
  const farthest = Math.max(...others.map((at) => Math.abs(middles[at]! - middles[place]!)));
  const ofRow = { node: weights.node, at: [head, place], weights: row, middles };
  const thick = Math.min(THICK, 0.35 * farthest);
  const arcs = { y: top, high: top - 12, thick, step: weights.step };
  drawArcs(scene, "bert-arc", place, others, ofRow, arcs);
  const { line, write } = penAt(parts, weights.step);
  for (const at of places) {
    const [middle, word, weight] = [middles[at]!, words[at]!, row[at]!];
    const strong = weight >= STRONG;
    if (gaps.includes(at)) {
      const half = size ? Math.min(54, cell / 2 - 2) : Math.min(6, cell / 2 - 1);
      const box = rectangle(middle - half, size ? top + 3 : top, middle + half, size ? foot + 2 : top + 6);
      line(`gap-${at}`, box, { step: 0, ...(at === gap && { strong: true }) });
    }
    if (size && isWritten(at)) {
      const own = isSpecial(word) ? Math.min(size, 14) : size;
      const style = { size: own, anchor: "middle", strong } as const;
      const kind = isSpecial(word) ? "caption" : "word";
      writeOn(scene, kind, middle, top + 4 + size - (size - own) / 3, word, style);
    }
    if (size && isNarrow) {
      const style = { anchor: "middle", ...(strong && { role: "attention" as const }) } as const;
      write(strong ? "heading" : "axis", middle, foot + 16, shortWeight(weight), style);
    }
    // Pointing above a word makes it the one whose row is drawn.
    const cells = [largestInRow(snapshots, { node: sum.node, index: [at, 0] })];
    line(`from-${at}`, [[middle, top]], { kind: "faint", role: "attention", cells, step: sum.step });
  }
  if (isNarrow && size) return { middles, bottom: foot + 22 };
  const block = { ...weights, at: [head, place, null], rows: 1, columns: words.length };
  const names = size ? {} : { columnNames: words };
  placeTensor(scene, block, BRACKET, foot + 5, cell, ROW, { id: "row", ...names });
  const bottom = foot + 5 + ROW;
  return { middles, bottom: isNarrow ? bottom + 6 : drawBrackets(parts, middles[gap]!, cell, bottom + 5) };
}

/** A bracket under each sentence, with its name, and beside the first what the arcs are; `middle` is that of the gap. Returns the lower edge. */
function drawBrackets(parts: Parts, middle: number, cell: number, y: number): number {
  const { numbers, say, words, head, of, scene } = parts;
  const segments = words.map((_, at) => segmentAt(numbers, at));
  for (const segment of new Set(segments)) {
    const left = BRACKET + segments.indexOf(segment) * cell + 3;
    const right = BRACKET + (segments.lastIndexOf(segment) + 1) * cell - 3;
    const { line } = penAt(parts, 0);
    const bracket = pointsFrom(left, y, left, y + 4, right, y + 4, right, y);
    line(`sentence-${segment}`, bracket, { kind: "bracket", role: segment === 0 ? "query" : "key" });
    // The line from the gap to its candidates crosses no text.
    const clear = (x: number, text: string): number =>
      middle > x - 6 && middle < x + textWidth(text) + 6 ? middle + 8 : x;
    const name = say(segment === 0 ? "segment.a" : "segment.b");
    const first = clear(left, name);
    writeOn(scene, "axis", first, y + 17, name);
    const text = say("arcs", { head: say("head", { n: head }) });
    const x = clear(first + textWidth(name) + 16, text);
    const { write } = penAt(parts, of(inShownLayer(numbers, "self_attn.weights")).step);
    if (segment === 0 && x + textWidth(text) < right) write("axis", x, y + 17, text);
  }
  return y + 20;
}
