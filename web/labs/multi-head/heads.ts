/** The heads side by side, each in a column: its slice of a query, its map under the sentence, and its output; under them the joined row and O. */
import { hasBiases, hasProjection } from "../../config/labs/multi-head.js";
import { columnNames, textWidth } from "../../marks/measure.js";
import { drawArcs } from "../../stage/arcs.js";
import { penOn, pointsFrom, writeOn } from "../../stage/pen.js";
import { labelWidth, place, right } from "../../stage/place.js";
import { writeSymbol } from "../../stage/symbol.js";
import { weightsOf } from "./flow.js";
import { STRIP, frameOpenRow, isShown, placeStrip, writeSymbolOf, type Parts, type Span } from "./parts.js";

/** The cells of a map: the widest, the least, and the least side of all of them. */
const MAP = { widest: 46, least: 4, side: 80 };
/** Among many heads, the words of more are not named. */
const MOST_NAMED = 12;
/** The heights over a map: the name of its head, the arcs, and the words of a sentence, with their size. */
const OVER = { name: 22, arcs: 42, words: 28, size: 18 };
/** The height over a strip, for its symbol; of a line under another; and of the caption over the slices. */
const SYMBOL = 24;
const LINE = 10;
const CAPTION = 16;
/** Weights that are smaller have no arc. */
const LEAST = 0.005;

/** Whether the words fit over the columns of a map in the size of a sentence. */
const hasSentence = ({ keys }: Parts, cell: number): boolean =>
  keys.every((key) => textWidth(key, OVER.size) + 4 <= cell);

/** The heights from the upper edge of a column to the foot of the arcs of its map, and to the map. */
function heightsOver(parts: Parts, cell: number, isNamed: boolean): { arcs: number; map: number } {
  const arcs = OVER.name + (isNamed && !parts.numbers.memory ? OVER.arcs : 4);
  const words = hasSentence(parts, cell) ? OVER.words : columnNames(parts.keys, cell).height;
  return { arcs, map: arcs + (isNamed ? words : 0) };
}

const showsSlices = (parts: Parts): boolean => !parts.isFew && isShown(parts, "split");

/** The columns between two edges, and the cells of their maps, which leave room for everything else in a height. */
function columnsIn(parts: Parts, [start, end]: Span, height: number) {
  const { numbers, isFew, isNarrow, room, names, keys, of } = parts;
  const perLine = Math.min(numbers.heads, { wide: 8, two: 4, narrow: 2 }[room.layout]);
  const gap = isNarrow ? 12 : 20;
  const isSmall = perLine <= 4 && Math.max(names.length, keys.length) <= MOST_NAMED;
  const isNamed = isShown(parts, "attend") && (isFew || isSmall);
  const left = isNamed ? start - 8 + labelWidth(names) : start;
  const widest = (end - left - (perLine - 1) * gap) / perLine;
  const byWidth = Math.min(MAP.widest, widest / keys.length);
  const lines = Math.ceil(numbers.heads / perLine);
  const strips = (isFew ? 1 : 2) * lines + (hasProjection(numbers) ? 2 : 1);
  const fixed = strips * (SYMBOL + STRIP.height) + (lines - 1) * LINE + (isFew ? 0 : CAPTION);
  const byHeight = ((height - fixed) / lines - heightsOver(parts, byWidth, isNamed).map) / names.length;
  const most = Math.min(byWidth, Math.max(MAP.least, MAP.side / names.length, byHeight));
  const cell = most >= 12 && !isNarrow ? Math.floor(most) : most;
  const ofStrip = STRIP.widest * Math.max(isFew ? 0 : of("Q_heads").columns, of("heads").columns);
  const width = Math.min(widest, Math.max(cell * keys.length, ofStrip));
  return { left, width, pitch: width + gap, perLine, cell, isNamed };
}

type Columns = ReturnType<typeof columnsIn>;

/** Draws the sentence with its foot at `y`: an arc from the open word to each that the head looks at, and the words if they fit. */
function drawSentence(
  parts: Parts,
  head: number,
  row: readonly number[],
  x: number,
  y: number,
  cell: number,
) {
  const { scene, numbers, opened, item, keys, of } = parts;
  const middles = keys.map((_, key) => x + (key + 0.5) * cell);
  const ends = row.map((weight, key) => {
    const index = [item, head, opened.row, key];
    return { x: middles[key]!, weight, cell: { node: "weights", index } };
  });
  const size = { high: OVER.arcs - 8, thick: Math.min(10, cell / 4) };
  const drawn = numbers.memory ? [] : ends.filter(({ weight }) => weight >= LEAST);
  drawArcs(scene, `arc-${head}`, middles[opened.row]!, drawn, { y, ...size, step: of("weights").step });
  if (!hasSentence(parts, cell)) return;
  const { draw, write } = penOn(scene, of(opened.map).step);
  const most = opened.map === "weights" ? row.indexOf(Math.max(...row)) : -1;
  keys.forEach((key, at) => {
    const middle = middles[at]!;
    const isOpen = at === opened.row && !numbers.memory;
    const style = { kind: "word", size: OVER.size, anchor: "middle" } as const;
    write(middle, y + 16, key, { ...style, strong: isOpen || at === most });
    const half = textWidth(key, OVER.size) / 2;
    const rule = pointsFrom(middle - half, y + 21, middle + half, y + 21);
    if (isOpen) draw(`word-${head}`, "activation", "line", rule);
  });
}

/** Places the map of a head under its name and the sentence, in a column that begins at `start`. Returns the y below it. */
function placeMap(parts: Parts, columns: Columns, head: number, start: number, top: number): number {
  const { scene, snapshots, opened, item, names, keys, word, say, of } = parts;
  const { cell, isNamed, perLine } = columns;
  const x = start + (columns.width - cell * keys.length) / 2;
  const over = heightsOver(parts, cell, isNamed);
  const block = { ...of(opened.map), at: [item, head, null, null] };
  const map = place(scene, block, x, top + over.map, cell, cell, {
    id: `map-${head}`,
    ...(isNamed && head % perLine === 0 && { rowNames: names }),
    ...(isNamed && !hasSentence(parts, cell) && { columnNames: keys }),
  });
  frameOpenRow(parts, "attention", map);
  const { write } = penOn(scene, map.step);
  const name = say("labs.head", { n: head });
  write(x, top + 14, name, { kind: "heading", role: head === opened.head ? "attention" : undefined });
  const bottom = top + over.map + names.length * cell;
  writeSymbolOf(parts, opened.map, head, right(map, keys.length) + 4, bottom + 17, { anchor: "end" });
  if (!isNamed) return bottom;
  const row = weightsOf(snapshots, item, head, opened.row);
  drawSentence(parts, head, row, x, top + over.arcs, cell);
  const column = keys[row.indexOf(Math.max(...row))];
  const looks = column ? say("labs.multi_head.looks", { row: word, column }) : "";
  const looksX = x + textWidth(name, 13.5) + 12;
  if (looksX + textWidth(looks, 12.5) <= right(map, keys.length))
    penOn(scene, of("weights").step).write(looksX, top + 14, looks, { kind: "caption" });
  return bottom;
}

/** Places the joined row under the outputs of the heads, which end at `top`, and O under it. Returns the y below them. */
function placeJoined(parts: Parts, outputs: readonly Span[], edges: Span, top: number): number {
  const { scene, numbers, opened, item, of, say } = parts;
  const projects = hasProjection(numbers);
  const node = projects ? "concat" : "output";
  const at = [item, opened.row, null];
  let y = top + SYMBOL;
  const joined = placeStrip(parts, node, at, edges, y);
  const { draw, write } = penOn(scene, joined.step);
  const each = of("heads").columns;
  outputs.forEach(([from, to], head) => {
    const [low, high] = [right(joined, head * each), right(joined, (head + 1) * each)];
    const area = pointsFrom(from, top + 5, to, top + 5, high, y - 5, low, y - 5);
    draw(`joined-${head}`, "value", "area", area);
  });
  const sum = `${numbers.heads} × ${each} = ${numbers.heads * each}`;
  write(joined.x, y - 8, say("labs.multi_head.sum", { sum }), { kind: "caption", over: true });
  y += STRIP.height;
  if (!projects) return y;
  const times = `↓ × W_O${hasBiases(numbers) ? " + b_O" : ""}`;
  const middle = { anchor: "middle", role: "weight", step: of("output").step } as const;
  writeOn(scene, "axis", (edges[0] + edges[1]) / 2, y + 16, times, middle);
  y += SYMBOL;
  const output = placeStrip(parts, "output", at, edges, y);
  writeSymbol(scene, of("output"), output.x - 4, y - 7);
  return y + STRIP.height;
}

/** Places all heads between two edges, line by line, and what is joined of them. Returns the y below, and the right edge. */
export function placeHeads(parts: Parts, edges: Span, top: number, height: number): [number, number] {
  const { scene, numbers, opened, item, isNarrow, say, word, of } = parts;
  const { heads } = numbers;
  const columns = columnsIn(parts, edges, height);
  const { left, width, pitch, perLine } = columns;
  let y = top;
  if (showsSlices(parts)) {
    const { columns: each, step } = of("Q_heads");
    const text = say("labs.multi_head.cut", { word });
    const shape = isNarrow ? "" : `: ${heads * each} → ${heads} × ${each}`;
    penOn(scene, step).write(left, y + 12, text + shape, { kind: "caption" });
    y += CAPTION;
  }
  let bottom = y;
  const outputs: Span[] = [];
  for (let head = 0; head < heads; head += 1) {
    if (head > 0 && head % perLine === 0) y = bottom + LINE;
    const x = left + (head % perLine) * pitch;
    bottom = y;
    const placeOwn = (node: string): void => {
      const at = [item, head, opened.row, null];
      const strip = placeStrip(parts, node, at, [x, x + width], bottom + SYMBOL, { id: `${node}-${head}` });
      writeSymbolOf(parts, node, head, strip.x - 4, strip.y - 7);
      bottom = strip.y + STRIP.height;
      if (node === "heads") outputs.push([strip.x, right(strip, of(node).columns)]);
    };
    if (showsSlices(parts)) placeOwn("Q_heads");
    if (isShown(parts, "attend")) bottom = placeMap(parts, columns, head, x, bottom);
    if (isShown(parts, "join")) placeOwn("heads");
  }
  const end = left + perLine * pitch - (pitch - width);
  if (!isShown(parts, "mix")) return [bottom, end];
  return [placeJoined(parts, heads === perLine ? outputs : [], [left, end], bottom), end];
}
