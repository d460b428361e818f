/**
 * The stage of one-hot rows: the rows of a table that they pick, two sentences that fall into one bin for each word, and three words
 * that are equally far apart.
 */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { countedWords } from "../../config/labs/words.js";
import { symbolName } from "../../marks/lettering.js";
import { columnNames, cutTo } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Fill, Room, Scene, Snapshots } from "../../marks/scene.js";
import { penOn, pointsFrom, rectangle } from "../../stage/pen.js";
import { CAPTION_BELOW, emptyScene, labelWidth, legends, place, type Block } from "../../stage/place.js";
import { rowOf, type Point } from "../../stage/series.js";
import { NOTE, placeLookup } from "./lookup-picture.js";
import { stringsIn, type Key, type Say } from "./strings.js";

interface Parts {
  scene: Scene;
  numbers: NumbersOf["words"];
  vocabulary: readonly string[];
  snapshots: Snapshots;
  say: Say;
  of: (node: string) => Block;
}

const middle = { anchor: "middle" } as const;
/** The gaps before the table and before the vectors, which lines cross. */
const LEADER = 34;
/** The names left of the bins, the lines of words, the height of the fall, a word in a bin, all of them at most, and the rows of counts. */
const BINS = { label: 64, tile: 26, line: 34, fall: 40, word: 22, most: 66, row: 32 };
/** The greatest height of a bar. */
const BAR = 20;
/** The greatest side of the triangle, and the room above it and below. */
const TRIANGLE = { side: 250, above: 62, below: 56 };
/** The height of a triangle of equal sides, and its corners from its middle, in sides and heights. */
const HEIGHT = 0.8660254037844386;
const corners = [
  [-1 / 2, 1 / 3],
  [1 / 2, 1 / 3],
  [0, -2 / 3],
] as const;
/** The corners of each side, and where its number stands. */
const sides = [
  { pair: [0, 1], anchor: "middle", right: 0, down: 22 },
  { pair: [1, 2], anchor: "start", right: 10, down: 0 },
  { pair: [2, 0], anchor: "end", right: -10, down: 0 },
] as const;

/** The one-hot rows, the table and the vectors. Returns the lower edge. */
function placeRows({ scene, numbers, vocabulary, of }: Parts, width: number): number {
  const { tokens, dim } = numbers;
  const [label, count] = [labelWidth(tokens), vocabulary.length];
  const cell = Math.min(46, Math.floor((width - label - 2 * LEADER - 10) / (count + 2 * dim)));
  const rows = Math.max(tokens.length, count);
  const row = Math.min(28, Math.floor(190 / rows));
  const y = columnNames(vocabulary, cell).height;
  const part = (node: string, x: number, placing = {}) => ({ block: of(node), x, cell, row, placing });
  const table = label + count * cell + LEADER;
  const oneHot = part("onehot", label, { rowNames: tokens, columnNames: vocabulary });
  const lookup = part("E", table, { captionWidth: dim * cell + LEADER - 12 });
  const ids = tokens.map((word) => vocabulary.indexOf(word));
  placeLookup(scene, [oneHot, lookup, part("vectors", table + dim * cell + LEADER)], y, ids, false);
  return y + rows * row + CAPTION_BELOW;
}

/** The words of two sentences, the bins that they fall into, the counts, and bars of the differences. Returns the lower edge. */
function placeBins(parts: Parts, top: number, width: number): number {
  const { scene, numbers, vocabulary, snapshots, say, of } = parts;
  const { draw, write } = penOn(scene, of("counts").step);
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
      const id = vocabulary.indexOf(word);
      const under = words.slice(0, at).filter((one) => one === word).length;
      const x = left + (at + 0.5 + side * share) * each;
      const bin = middleOf(id) + (side * half) / 2;
      const low = floor - 2 - under * tall;
      const [from, to] = [y + BINS.tile, low - tall + 3];
      const turn = (from + to) / 2;
      const path = `M${x} ${from}C${x} ${turn} ${bin} ${turn} ${bin} ${to}`;
      const name = `${nth}-${at}`;
      draw(`word-${name}`, role, kind, rectangle(x - wide, y, x + wide, from));
      write(x, y + 17, cutTo(word, 2 * wide - 12), { kind: "heading", role, over: true, ...middle });
      draw(`fall-${name}`, role, "dashed", pointsFrom(x, from, bin, to), { path });
      draw(`tile-${name}`, role, kind, rectangle(bin - half / 2 + 2, to, bin + half / 2 - 2, low));
    });
  });
  const first = floor + columnNames(vocabulary, pitch).height + 4;
  nodes.forEach((node, at) => {
    const [{ symbol, role, step }, y] = [of(node), first + at * BINS.row];
    place(scene, of(node), left, y, pitch, 22, at ? {} : { columnNames: vocabulary });
    const more = { kind: "symbol", symbol, role, step, anchor: "end" } as const;
    write(left - 14, y + 16, symbolName(symbol), more);
  });
  const last = first + 2 * BINS.row;
  const differences = counts[2] ?? [];
  const unit = BAR / Math.max(1, ...differences.map(Math.abs));
  const base = last + 36 + unit * Math.max(0, ...differences);
  draw("zero", "activation", "bracket", pointsFrom(left, base, left + space, base));
  differences.forEach((value, at) => {
    const [x, end] = [middleOf(at), base - value * unit];
    const [low, high] = [x - half / 2, x + half / 2];
    draw(`bar-${at}`, "attention", "area", rectangle(low, end, high, base), { strong: true });
    draw(`end-${at}`, "attention", "line", pointsFrom(low, end, high, end), { strong: true });
  });
  return base + 10 - unit * Math.min(0, ...differences);
}

/**
 * The first three words as unit points of three axes, which are equally long on the page, and the numbers of every pair. Returns the
 * lower edge.
 */
function placeTriangle(parts: Parts, left: number, top: number, width: number): number {
  const { scene, vocabulary, snapshots, say, of } = parts;
  const { draw, write } = penOn(scene, of("apart.distance").step);
  const count = vocabulary.length;
  const side = Math.min(TRIANGLE.side, width - 90);
  const high = side * HEIGHT;
  const [x, y] = [left + width / 2, top + TRIANGLE.above + (2 * high) / 3];
  const pointOf = (at: number, far = 1): Point => [
    x + far * side * corners[at]![0],
    y + far * high * corners[at]![1],
  ];
  write(left, top + 14, say(count > 3 ? "heading.three" : "heading.apart", { n: count }), {
    kind: "heading",
  });
  const names = vocabulary.slice(0, 3);
  if (names.length > 2)
    draw(
      "face",
      "key",
      "area",
      [0, 1, 2].map((at) => pointOf(at)),
    );
  names.forEach((name, at) => {
    draw(`axis-${at}`, "activation", "bracket", [[x, y], pointOf(at, 1.1)]);
    const lower = pointOf(at)[1] + (at === 2 ? -26 : 32);
    const [across] = pointOf(at);
    write(across, lower, cutTo(name, 80), { kind: "heading", over: true, ...middle });
    const row = rowOf(snapshots, "words", at).join(" ");
    if (count < 7) write(across, lower + 14, row, { over: true, ...middle });
  });
  for (const { pair, anchor, right, down } of sides) {
    const [i, j] = pair;
    if (Math.max(i, j) >= names.length) continue;
    const [from, to] = [pointOf(i), pointOf(j)];
    const cells = [pair, [j, i]].map((index) => ({ node: "apart.distance", index: [...index] }));
    draw(`side-${i}-${j}`, "key", "line", [from, to], { dots: "large", cells });
    const distance = formatNote(rowOf(snapshots, "apart.distance", i)[j] ?? NaN);
    const [across, low] = [(from[0] + to[0]) / 2 + right, (from[1] + to[1]) / 2 + down];
    write(across, low, distance, { kind: "large", anchor });
  }
  const label = labelWidth(vocabulary);
  const cell = Math.min(34, Math.floor((width - label - 56) / (3 * count)));
  const row = Math.min(24, Math.floor(180 / count));
  const lower = y + high / 3 + TRIANGLE.below + columnNames(vocabulary, cell).height;
  ["apart.dot", "apart.distance", "table.cosine"].forEach((node, at) => {
    const named = {
      caption: "below",
      columnNames: vocabulary,
      ...(!at && { rowNames: vocabulary }),
    } as const;
    place(scene, of(node), left + label + at * (count * cell + 22), lower, cell, row, named);
  });
  return lower + count * row + CAPTION_BELOW;
}

/** The scene of one-hot rows. A phone shows one stop; the first in lines. */
export function countPicture(
  { numbers }: ConfigOf<"words">,
  snapshots: Snapshots,
  room: Room,
  of: Parts["of"],
): Scene | null {
  const [wide, narrow] = [room.layout === "wide", room.layout === "narrow"];
  if (narrow && room.step === 0) return null;
  const scene = emptyScene(room.width);
  const say = stringsIn(room.words);
  const parts: Parts = { scene, numbers, vocabulary: countedWords(numbers), snapshots, say, of };
  const width = wide ? room.width - NOTE.width - NOTE.gap : room.width;
  const left = narrow ? 0 : Math.round(0.6 * width);
  const bins = (top: number) => placeBins(parts, top, narrow ? width : left - 24);
  const triangle = () => placeTriangle(parts, left, 0, width - left);
  const bottom = narrow
    ? room.step === 1
      ? bins(8)
      : triangle()
    : Math.max(bins(placeRows(parts, left - 24) + 14), triangle());
  const families = new Map<string, Fill>(scene.tensors.map(({ family, fill }) => [family, fill]));
  const ruled = { x: 8, y: bottom + 8, width: width - 8 };
  scene.height =
    legends(scene, families, ruled, narrow ? 1 : 2, (family) => say(`legend.${family}` as Key)) + 6;
  if (wide) scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width };
  if (narrow) scene.stop = room.step;
  return scene;
}
