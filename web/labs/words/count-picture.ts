/**
 * The stage of one-hot rows: the rows of a table that they pick, two sentences that fall into one bin for each word, and three words
 * that are equally far apart.
 */
import { countedWords } from "../../config/labs/words.js";
import { columnNames, cutTo } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Scene } from "../../marks/scene.js";
import { bentPath, penOn, pointsFrom, rectangle } from "../../stage/pen.js";
import { CAPTION_BELOW, labelWidth, place, placeBeside } from "../../stage/place.js";
import { rowOf, type Point } from "../../stage/series.js";
import { finished, placeScales } from "../../stage/sheet.js";
import { writeSymbol } from "../../stage/symbol.js";
import { drawPicks, type WordsSheet } from "./lookup-picture.js";

/** The gaps before the table and before the vectors, which lines cross. */
const LEADER = 34;
/** The names left of the bins, the lines of words, the height of the fall, a word in a bin, all of them at most, and the rows of counts. */
const BINS = { label: 64, tile: 26, line: 34, fall: 40, word: 22, most: 66, row: 32 };
/** The greatest height of a bar. */
const BAR = 20;
/** The greatest side of the triangle, and the room above it and below. */
const TRIANGLE = { side: 250, above: 62, below: 56 };
/** The height of a triangle of equal sides, and its corners from its middle, in sides. */
const HEIGHT = 0.8660254037844386;
const CORNERS = { x: [-1 / 2, 1 / 2, 0], y: [HEIGHT / 3, HEIGHT / 3, (-2 * HEIGHT) / 3] };
/** The corners of each side, and where its number stands. */
const sides = [
  { pair: [0, 1], anchor: "middle", right: 0, down: 22 },
  { pair: [1, 2], anchor: "start", right: 10, down: 0 },
  { pair: [2, 0], anchor: "end", right: -10, down: 0 },
] as const;

/** The one-hot rows, the table and the vectors. Returns the lower edge. */
function placeRows(sheet: WordsSheet, width: number): number {
  const { scene, numbers, of } = sheet;
  const { tokens, dim } = numbers;
  const vocabulary = countedWords(numbers);
  const [label, count] = [labelWidth(tokens), vocabulary.length];
  const cell = Math.min(46, Math.floor((width - label - 2 * LEADER - 10) / (count + 2 * dim)));
  const rows = Math.max(tokens.length, count);
  const row = Math.min(28, Math.floor(190 / rows));
  const y = columnNames(vocabulary, cell).height;
  const tensors = [
    { block: of("onehot"), columnNames: vocabulary },
    { block: of("E"), captionWidth: dim * cell + LEADER - 12 },
    { block: of("vectors") },
  ];
  const area = { x: label, y, cell, row, gap: LEADER };
  const placed = placeBeside(scene, tensors, area, { caption: "below", rowNames: tokens });
  const ids = tokens.map((word) => vocabulary.indexOf(word));
  drawPicks(sheet, placed, ids, false);
  return y + rows * row + CAPTION_BELOW;
}

/** The words of two sentences, the bins that they fall into, the counts, and bars of the differences. Returns the lower edge. */
function placeBins({ scene, numbers, snapshots, say, of }: WordsSheet, top: number, width: number): number {
  const { draw, write } = penOn(scene, of("counts").step);
  const vocabulary = countedWords(numbers);
  const sentences = [numbers.tokens, numbers.other];
  const nodes = ["counts", "counts_other", "difference"];
  const counts = nodes.map((node) => rowOf(snapshots, node, 0));
  const left = BINS.label;
  const space = width - left - 8;
  const pitch = space / vocabulary.length;
  const half = Math.min(100, pitch) / 2 - 5;
  const most = Math.max(...counts.flat());
  const tall = Math.min(BINS.word, BINS.most / most);
  const floor = top + 2 * BINS.line + BINS.fall + most * tall;
  const middleOf = (at: number): number => left + (at + 0.5) * pitch;
  vocabulary.forEach((_, at) => {
    const [low, high, y] = [middleOf(at) - half - 3, middleOf(at) + half + 3, floor - most * tall - 6];
    draw(`bin-${at}`, "activation", "bracket", pointsFrom(low, y, low, floor, high, floor, high, y));
  });
  // Up to four words in a sentence stand between those of the other one.
  const share = sentences.some(({ length }) => length > 4) ? 0 : 0.23;
  sentences.forEach((words, nth) => {
    const [role, kind, side] = nth ? (["key", "dashed", 1] as const) : (["query", "line", -1] as const);
    const y = top + nth * BINS.line;
    const each = space / words.length;
    const wide = (share ? 2 * share * each : each - 8) / 2;
    write(left - 14, y + 17, say(nth ? "row.second" : "row.first"), { anchor: "end" });
    words.forEach((word, at) => {
      const under = words.slice(0, at).filter((one) => one === word).length;
      const x = left + (at + 0.5 + side * share) * each;
      const bin = middleOf(vocabulary.indexOf(word)) + (side * half) / 2;
      const low = floor - 2 - under * tall;
      const [from, to] = [y + BINS.tile, low - tall + 3];
      const path = bentPath([x, from], [bin, to], (from + to) / 2);
      const name = `${nth}-${at}`;
      draw(`word-${name}`, role, kind, rectangle(x - wide, y, x + wide, from));
      write(x, y + 17, cutTo(word, 2 * wide - 12), { kind: "heading", role, over: true, anchor: "middle" });
      draw(`fall-${name}`, role, "dashed", pointsFrom(x, from, bin, to), { path });
      draw(`tile-${name}`, role, kind, rectangle(bin - half / 2 + 2, to, bin + half / 2 - 2, low));
    });
  });
  const first = floor + columnNames(vocabulary, pitch).height + 4;
  nodes.forEach((node, at) => {
    const y = first + at * BINS.row;
    place(scene, of(node), left, y, pitch, 22, at ? {} : { columnNames: vocabulary });
    writeSymbol(scene, of(node), left - 14, y + 16, { anchor: "end" });
  });
  const differences = counts[2] ?? [];
  const unit = BAR / Math.max(1, ...differences.map(Math.abs));
  const base = first + 2 * BINS.row + 36 + unit * Math.max(0, ...differences);
  draw("zero", "activation", "bracket", pointsFrom(left, base, left + space, base));
  differences.forEach((value, at) => {
    const [low, high, end] = [middleOf(at) - half / 2, middleOf(at) + half / 2, base - value * unit];
    draw(`bar-${at}`, "attention", "area", rectangle(low, end, high, base), { strong: true });
    draw(`end-${at}`, "attention", "line", pointsFrom(low, end, high, end), { strong: true });
  });
  return base + 10 - unit * Math.min(0, ...differences);
}

/** Three words as unit points of axes that are equally long on the page, and the numbers of every pair. Returns the lower edge. */
function placeTriangle(sheet: WordsSheet, left: number, width: number): number {
  const { scene, numbers, snapshots, say, of } = sheet;
  const { draw, write } = penOn(scene, of("apart.distance").step);
  const vocabulary = countedWords(numbers);
  const count = vocabulary.length;
  const side = Math.min(TRIANGLE.side, width - 90);
  const high = side * HEIGHT;
  const [x, y] = [left + width / 2, TRIANGLE.above + (2 * high) / 3];
  const pointOf = (at: number, far = side): Point => [x + far * CORNERS.x[at]!, y + far * CORNERS.y[at]!];
  const points = vocabulary.slice(0, 3).map((_, at) => pointOf(at));
  write(left, 14, say(count > 3 ? "heading.three" : "heading.apart", { n: count }), { kind: "heading" });
  if (points.length > 2) draw("face", "key", "area", points);
  points.forEach(([across, down], at) => {
    draw(`axis-${at}`, "activation", "bracket", [[x, y], pointOf(at, 1.1 * side)]);
    const lower = down + (at === 2 ? -26 : 32);
    write(across, lower, cutTo(vocabulary[at]!, 80), { kind: "heading", over: true, anchor: "middle" });
    const row = rowOf(snapshots, "words", at).join(" ");
    if (count < 7) write(across, lower + 14, row, { over: true, anchor: "middle" });
  });
  const cellOf = (i: number, j: number) => ({ node: "apart.distance", index: [i, j] });
  for (const { pair, anchor, right, down } of sides) {
    const [i, j] = pair;
    const [from, to] = [points[i], points[j]];
    if (!from || !to) continue;
    const cells = [cellOf(i, j), cellOf(j, i)];
    draw(`side-${i}-${j}`, "key", "line", [from, to], { dots: "large", cells });
    const distance = formatNote(rowOf(snapshots, "apart.distance", i)[j] ?? NaN);
    write((from[0] + to[0]) / 2 + right, (from[1] + to[1]) / 2 + down, distance, { kind: "large", anchor });
  }
  const label = labelWidth(vocabulary);
  const cell = Math.min(34, Math.floor((width - label - 56) / (3 * count)));
  const row = Math.min(24, Math.floor(180 / count));
  const lower = y + high / 3 + TRIANGLE.below + columnNames(vocabulary, cell).height;
  const tables = ["apart.dot", "apart.distance", "table.cosine"].map((node) => ({ block: of(node) }));
  const area = { x: left + label, y: lower, cell, row, gap: 22 };
  placeBeside(scene, tables, area, { caption: "below", rowNames: vocabulary, columnNames: vocabulary });
  return lower + count * row + CAPTION_BELOW;
}

/** The scene of one-hot rows. A phone shows one stop; the first in lines. */
export function countPicture(sheet: WordsSheet): Scene | null {
  const { room, isNarrow, width } = sheet;
  if (isNarrow && room.step === 0) return null;
  const left = isNarrow ? 0 : Math.round(0.6 * width);
  const column = isNarrow ? width : left - 24;
  let bottom = isNarrow ? 8 : placeRows(sheet, column) + 14;
  if (!isNarrow || room.step === 1) bottom = placeBins(sheet, bottom, column);
  if (!isNarrow || room.step === 2) bottom = Math.max(bottom, placeTriangle(sheet, left, width - left));
  const ruled = { x: 8, y: bottom + 8, width: width - 8 };
  return finished(sheet, placeScales(sheet, ruled, isNarrow ? 1 : 2) + 6);
}
