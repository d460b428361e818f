/** The heads side by side, each in a column: its slice of a query, its map under the sentence, and its output; under them the joined row and O. */
import { hasBiases, hasProjection } from "../../config/labs/multi-head.js";
import { columnNames, textWidth } from "../../marks/measure.js";
import { drawArcs } from "../../stage/arcs.js";
import { frameRow, penOn, pointsFrom, writeOn } from "../../stage/pen.js";
import { inHead, labelWidth, place, right, type Block } from "../../stage/place.js";
import { stripOf } from "../../stage/strip.js";
import { writeSymbol } from "../../stage/symbol.js";
import { weightsOf } from "./flow.js";
import { STRIP, isShown, type Parts, type Span } from "./parts.js";

/** The cells of a map: the widest, the least, the least side of all of them, and the narrowest whose columns are named. */
const MAP = { widest: 46, least: 4, side: 80, named: 12 };
/** The heights over a map: the name of its head, the arcs, and the words of a sentence, with their size. */
const OVER = { name: 22, arcs: 42, words: 28, size: 18 };
/** The height over a strip, for its symbol; of a line under another; and of the caption over the slices. */
const SYMBOL = 24;
const LINE = 10;
const CAPTION = 16;
/** Weights that are smaller have no arc. */
const LEAST = 0.005;

/** What stands over a map with cells of this width: the names of its words, as a sentence if they fit, and the heights to the arcs' foot and to the map. */
function overMap({ numbers, keys }: Parts, cell: number) {
  const isNamed = cell >= MAP.named;
  const hasSentence = keys.every((key) => textWidth(key, OVER.size) + 4 <= cell);
  const words = hasSentence ? OVER.words : columnNames(isNamed ? keys : [], cell).height;
  const arcs = OVER.name + (isNamed && !numbers.memory ? OVER.arcs : 4);
  return { isNamed, hasSentence, arcs, map: arcs + words };
}

/** The columns between two edges, and the cells of their maps, which leave room for everything else in a height. */
function columnsIn(parts: Parts, [start, end]: Span, height: number) {
  const { numbers, isFew, isNarrow, room, names, keys } = parts;
  const perLine = Math.min(numbers.heads, { wide: 8, two: 4, narrow: 2 }[room.layout]);
  const gap = isNarrow ? 12 : 20;
  const left = isShown(parts, "attend") ? start - 8 + labelWidth(names) : start;
  const pitch = (end + gap - left) / perLine;
  const byWidth = Math.min(MAP.widest, (pitch - gap) / keys.length);
  const lines = Math.ceil(numbers.heads / perLine);
  const strips = (isFew ? 1 : 2) * lines + (hasProjection(numbers) ? 2 : 1);
  const fixed = strips * (SYMBOL + STRIP.height) + (lines - 1) * LINE + (isFew ? 0 : CAPTION);
  const byHeight = ((height - fixed) / lines - overMap(parts, byWidth).map) / names.length;
  const cell = Math.min(byWidth, Math.max(MAP.least, MAP.side / names.length, byHeight));
  return { left, pitch, width: pitch - gap, perLine, cell, over: overMap(parts, cell) };
}

type Columns = ReturnType<typeof columnsIn>;

/** Draws an arc from the open word to each that the head looks at, with their foot at `y`, and the words as a sentence if they fit. */
function drawSentence(parts: Parts, { cell, over }: Columns, head: number, x: number, y: number): void {
  const { scene, snapshots, numbers, item, map, row, keys, word, say, of } = parts;
  const weights = weightsOf(snapshots, item, head, row);
  const most = weights.indexOf(Math.max(...weights));
  const middles = keys.map((_, key) => x + (key + 0.5) * cell);
  // Words of another sequence have no arcs from a word over the same map.
  const open = numbers.memory ? -1 : row;
  const to = [...keys.keys()].filter((key) => open >= 0 && weights[key]! >= LEAST);
  const { step } = of("weights");
  const ofRow = { node: "weights", at: [item, head, row], weights, middles };
  const size = { high: OVER.arcs - 8, thick: Math.min(10, cell / 4) };
  drawArcs(scene, `arc-${head}`, open, to, ofRow, { y, ...size, step });
  const looks = say("labs.multi_head.looks", { row: word, column: keys[most] ?? "" });
  const looksX = x + textWidth(say("labs.head", { n: head }), 13.5) + 12;
  if (most >= 0 && looksX + textWidth(looks, 12.5) <= x + keys.length * cell)
    writeOn(scene, "caption", looksX, y - over.arcs + 14, looks, { step });
  if (!over.hasSentence) return;
  const { draw, write } = penOn(scene, of(map).step);
  const style = { kind: "word", size: OVER.size, anchor: "middle" } as const;
  keys.forEach((key, at) => {
    const strong = at === open || (map === "weights" && at === most);
    write(middles[at]!, y + 16, key, { ...style, strong });
    const half = textWidth(key, OVER.size) / 2;
    const rule = pointsFrom(middles[at]! - half, y + 21, middles[at]! + half, y + 21);
    if (at === open) draw(`word-${head}`, "activation", "line", rule);
  });
}

/** Places the map of a head under its name and the sentence, in a column that begins at `start`. Returns the y below it. */
function placeMap(parts: Parts, columns: Columns, head: number, start: number, top: number): number {
  const { scene, names, keys, say, of } = parts;
  const { cell, perLine, over, width } = columns;
  const x = start + (width - cell * keys.length) / 2;
  const map = place(scene, inHead(of(parts.map), head), x, top + over.map, cell, cell, {
    id: `map-${head}`,
    ...(head % perLine === 0 && { rowNames: names }),
    ...(over.isNamed && !over.hasSentence && { columnNames: keys }),
  });
  frameRow(scene, map, keys.length, parts.row, "attention");
  const style = { role: head === parts.head ? "attention" : undefined, step: map.step } as const;
  writeOn(scene, "heading", x, top + 14, say("labs.head", { n: head }), style);
  const bottom = map.y + names.length * cell;
  writeSymbol(scene, map, right(map, keys.length) + 4, bottom + 17, { anchor: "end" });
  if (over.isNamed) drawSentence(parts, columns, head, x, top + over.arcs);
  return bottom;
}

/** Places the row of the open word in the middle between two edges. */
function placeRow({ scene, row }: Parts, block: Block, [left, right]: Span, y: number, id = block.node) {
  const cell = Math.min(STRIP.widest, (right - left) / block.columns);
  const x = (left + right - cell * block.columns) / 2;
  return place(scene, stripOf(block, [row, null]), x, y, cell, STRIP.height, { id });
}

/** Places the joined row under the outputs of the heads, which end at `top`, and O under it. Returns the y below them. */
function placeJoined(parts: Parts, isOneLine: boolean, edges: Span, top: number): number {
  const { scene, numbers, of, say } = parts;
  const projects = hasProjection(numbers);
  const joined = placeRow(parts, of(projects ? "concat" : "output"), edges, top + SYMBOL);
  const { draw, write } = penOn(scene, joined.step);
  const { columns: each, node } = of("heads");
  scene.tensors
    .filter((output) => isOneLine && output.node === node)
    .forEach((output, head) => {
      const [low, high] = [right(joined, head * each), right(joined, (head + 1) * each)];
      const [from, to] = [output.x, right(output, each)];
      const area = pointsFrom(from, top + 5, to, top + 5, high, joined.y - 5, low, joined.y - 5);
      draw(`joined-${head}`, "value", "area", area);
    });
  const sum = `${numbers.heads} × ${each} = ${numbers.heads * each}`;
  write(joined.x, joined.y - 9, say("labs.multi_head.sum", { sum }), { kind: "caption", over: true });
  const bottom = joined.y + STRIP.height;
  if (!projects) return bottom;
  const times = `↓ × W_O${hasBiases(numbers) ? " + b_O" : ""}`;
  const middle = (edges[0] + edges[1]) / 2;
  penOn(scene, of("output").step).write(middle, bottom + 16, times, { anchor: "middle", role: "weight" });
  const output = placeRow(parts, of("output"), edges, bottom + SYMBOL);
  writeSymbol(scene, output, output.x + 2, output.y - 7);
  return output.y + STRIP.height;
}

/** Places all heads between two edges, line by line, and what is joined of them. Returns the y below. */
export function placeHeads(parts: Parts, edges: Span, top: number, height: number): number {
  const { scene, numbers, isFew, say, word, of } = parts;
  const { heads } = numbers;
  const columns = columnsIn(parts, edges, height);
  const { left, width, pitch, perLine } = columns;
  let y = top;
  const hasSlices = !isFew && isShown(parts, "split");
  if (hasSlices) {
    const { columns: each, step } = of("Q_heads");
    const text = `${say("labs.multi_head.cut", { word })}: ${heads * each} → ${heads} × ${each}`;
    writeOn(scene, "caption", left, y + 12, text, { step });
    y += CAPTION;
  }
  let bottom = y;
  for (let head = 0; head < heads; head += 1) {
    if (head > 0 && head % perLine === 0) y = bottom + LINE;
    const x = left + (head % perLine) * pitch;
    bottom = y;
    const placeOwn = (node: string): void => {
      const [own, at] = [inHead(of(node), head), [x, x + width]] as const;
      const strip = placeRow(parts, own, at, bottom + SYMBOL, `${node}-${head}`);
      writeSymbol(scene, strip, strip.x + 2, strip.y - 7);
      bottom = strip.y + STRIP.height;
    };
    if (hasSlices) placeOwn("Q_heads");
    if (isShown(parts, "attend")) bottom = placeMap(parts, columns, head, x, bottom);
    if (isShown(parts, "join")) placeOwn("heads");
  }
  if (!isShown(parts, "mix")) return bottom;
  return placeJoined(parts, heads === perLine, [left, edges[1]], bottom);
}
