/** The picture of many heads: a column per head with its slice of the query, its map of weights and its output, one under the other. */
import { hasProjection } from "../../config/labs/multi-head.js";
import { columnNames, textWidth } from "../../marks/measure.js";
import type { Scene } from "../../marks/scene.js";
import { writeSymbol } from "../../stage/symbol.js";
import { drawOn, penOn, pointsFrom } from "../../stage/pen.js";
import { LEGEND, labelWidth, place, type Block } from "../../stage/place.js";
import type { stopPictures } from "./flow.js";
import { insideHeight, placeInside } from "./inside.js";
import { STRIP, linkHead, nameHead, placeLegends, placeStrip, upTo, type Parts } from "./strips.js";

/** The size of the note under the heads. */
const NOTE = { width: 400, height: 210 };
/** The gap between two columns. */
const GAP = 14;
/** The greatest width of a cell. */
const WIDEST = 44;
/** The least side of a map. */
const SIDE = 92;
/** The least cell of a map whose rows and columns are named. */
const NAMED = 17;
/** The height of the caption over the slices. */
const CAPTION = 26;
/** The heights from the slice to the map, of the name of a head, and from the map to the output. */
const LINK = { slice: 34, name: 18, output: 20 };
/** The height of the brace under a head's output. */
const BRACE = 14;
/** The gap between two lines of heads. */
const APART = 10;
/** The heights of the caption under the outputs of the heads, and of the output of the word with its caption. */
const JOINED = 16;
const OUTPUT = 30 + STRIP;

/** The columns that all strips and maps share: at most eight in a line, four on tablets, two on phones, each `band` wide. */
function gridOf({ config, room, names, keys, of }: Parts) {
  const { heads } = config.numbers;
  const perLine = Math.min(heads, { wide: 8, two: 4, narrow: 2 }[room.layout]);
  const narrow = room.layout === "narrow";
  const named = Math.max(names.length, keys.length) <= (narrow ? 7 : 16) && perLine <= 4;
  const left = named ? labelWidth(names) : 8;
  const widest = WIDEST * Math.max(keys.length, of("Q_heads").columns, of("heads").columns);
  const most = narrow ? 176 : Math.min(330, widest);
  const band = Math.min(most, (room.width - left - 8 - (perLine - 1) * GAP) / perLine);
  return { left, right: left + perLine * (band + GAP) - GAP, perLine, band };
}

type Grid = ReturnType<typeof gridOf>;

/** Whether a part of the heads is shown: a phone shows only the part of its stop. */
const isShown = ({ room, opened }: Parts, picture: keyof typeof stopPictures): boolean =>
  room.layout !== "narrow" || opened.picture === picture;

/** Places a head's map in the middle of its column, with square cells. */
function placeMap(
  { scene, of, opened, item, keys }: Parts,
  head: number,
  [x, y, band, height]: readonly [number, number, number, number],
  names: readonly string[] | undefined,
  isFirst: boolean,
): void {
  const whole: Block = { ...of(opened.map), at: [item, head, null, null] };
  const cell = height / whole.rows;
  const placing = {
    id: `map-${head}`,
    rowNames: isFirst ? names : undefined,
    columnNames: names && keys,
  };
  place(scene, whole, x + (band - whole.columns * cell) / 2, y, cell, cell, placing);
}

/** Places the column of a head: its slice, its map and its output. Returns the y below it. */
function placeHead(
  parts: Parts,
  head: number,
  [x, top, band, mapHeight]: readonly [number, number, number, number],
  rowNames: readonly string[] | undefined,
  isFirst: boolean,
): number {
  const { opened, item, scene, names, keys, of } = parts;
  const { step } = of("heads");
  const [split, attend, join] = (["split", "attend", "join"] as const).map((id) => isShown(parts, id));
  const middle = x + band / 2;
  let y = top;
  const placeNext = (node: string): void => {
    const cell = band / of(node).columns;
    placeStrip(parts, node, [item, head, opened.row, null], [x, y], cell, `${node}-${head}`);
    y += STRIP;
  };
  if (!attend && (split || join)) {
    nameHead(parts, head, x, y + 12);
    y += LINK.name;
  }
  if (split) placeNext("Q_heads");
  if (attend) {
    const gap = split ? LINK.slice : LINK.name + 4;
    if (split) linkHead(parts, "split", head, middle, [y + 5, y + LINK.slice - 21], of(opened.map).step);
    nameHead(parts, head, x, y + gap - 8);
    y += gap + (rowNames ? columnNames(keys, mapHeight / names.length).height : 0);
    placeMap(parts, head, [x, y, band, mapHeight], rowNames, isFirst);
    y += mapHeight;
    if (join) {
      linkHead(parts, "mix", head, middle, [y + 5, y + LINK.output - 5], step);
      y += LINK.output;
    }
  }
  if (join) {
    placeNext("heads");
    // The next head's output follows it in the joined row.
    const [left, right] = [x + 2, x + band - 2];
    const path = `M${left} ${y + 7}v3H${middle}v3v-3H${right}v-3`;
    const extent = pointsFrom(left, y + 7, right, y + 13);
    drawOn(scene, `joined-${head}`, "value", "bracket", extent, { path, step });
    y += BRACE;
  }
  return y;
}

/** Places the columns of all heads, line by line. Returns the y below them. */
function placeHeads(parts: Parts, { left, perLine, band }: Grid, top: number, mapHeight: number): number {
  const { config, names } = parts;
  const rowNames = mapHeight / names.length >= NAMED && left > 8 ? names : undefined;
  let [y, bottom] = [top, top];
  upTo(config.numbers.heads).forEach((head) => {
    const at = head % perLine;
    if (at === 0 && head > 0) y = bottom + APART;
    bottom = placeHead(parts, head, [left + at * (band + GAP), y, band, mapHeight], rowNames, at === 0);
  });
  return bottom;
}

/** Writes a caption over a node, after its symbol, and its shape at the right edge unless the two would touch. */
function writeCaption(
  { scene, of }: Parts,
  node: string,
  [start, right]: readonly [number, number],
  y: number,
  [text, shape]: readonly [string, string],
  hasSymbol = true,
): void {
  const block = of(node);
  const left = hasSymbol ? start + 30 : start;
  const { write } = penOn(scene, block.step);
  if (hasSymbol) writeSymbol(scene, block, start - 4, y);
  write(left, y, text, { kind: "caption" });
  if (left + textWidth(text, 12.5) + 16 + textWidth(shape, 12) <= right)
    write(right, y, shape, { kind: "shape", anchor: "end" });
}

/** Places the caption under the outputs of the heads. Returns the y below it. */
function placeJoinedCaption(parts: Parts, { left, right }: Grid, y: number): number {
  if (!isShown(parts, "join")) return y;
  const { words, of, word, config } = parts;
  const { rows, columns } = of("heads");
  const joined = of(hasProjection(config.numbers) ? "concat" : "output").columns;
  const shape = `${config.numbers.heads}×${rows}×${columns} → ${rows}×${joined}`;
  const text = words("labs.multi_head.joined", { word });
  writeCaption(parts, "heads", [left, right], y + 12, [text, shape], false);
  return y + JOINED;
}

/** Places the output of the word with its caption. Returns the y below them. */
function placeOutput(parts: Parts, y: number, [left, right]: readonly [number, number]): number {
  if (!isShown(parts, "mix")) return y;
  const { words, of, word, opened, item, config } = parts;
  const { rows, columns, letters } = of("output");
  const shape = `${rows}×${columns} ${letters}`;
  const text = words(`labs.multi_head.output${hasProjection(config.numbers) ? "" : ".bare"}`, { word });
  writeCaption(parts, "output", [left, right], y + 22, [text, shape]);
  const cell = Math.min(WIDEST, (right - left) / columns);
  placeStrip(parts, "output", [item, opened.row, null], [left, y + OUTPUT - STRIP], cell, "output");
  return y + OUTPUT;
}

/** The scene of the heads: slices, maps, outputs and their concatenation, and the rows that the target is computed from. */
export function manyHeads(parts: Parts): Scene {
  const { scene, room, opened, words, word, config, names, keys, of } = parts;
  const { numbers } = config;
  const { length } = names;
  const grid = gridOf(parts);
  const { left, right, band, perLine } = grid;
  const wide = room.layout === "wide";
  const full: [number, number] = [8, room.width - 8];
  let top = 2;
  if (isShown(parts, "split")) {
    const { columns } = of("Q_heads");
    const shape = `${length}×${of("Q").columns} → ${numbers.heads}×${length}×${columns}`;
    writeCaption(parts, "Q_heads", [8, right], 14, [words("labs.multi_head.cut", { word }), shape]);
    top = CAPTION;
  }
  // On a phone the rows stand over the maps, near the cell that is read.
  const isInsideFirst = opened.picture === "attend";
  if (isInsideFirst) top = placeInside(parts, top, full) + 12;
  const lineCount = Math.ceil(numbers.heads / perLine);
  const naming = left > 8 && band / keys.length >= NAMED ? columnNames(keys, band / keys.length).height : 0;
  const line = STRIP + LINK.slice + naming + LINK.output + STRIP + BRACE + APART;
  const below = JOINED + OUTPUT + 14 + Math.max(NOTE.height, insideHeight(parts) + 3 * LEGEND);
  // A map is as wide as its column, or less.
  const most = length * Math.min(band / keys.length, 40);
  const free = (room.height - top - lineCount * line - below) / lineCount;
  const mapHeight = wide ? Math.max(Math.min(SIDE, most), Math.min(most, free)) : Math.min(most, 260);
  let y = placeHeads(parts, grid, top, mapHeight);
  y = placeJoinedCaption(parts, grid, y);
  y = placeOutput(parts, y, [left, right]);
  if (wide) {
    const noteX = Math.max(8, room.width - NOTE.width - 8);
    const space: [number, number] = [8, noteX - 24];
    const start = y + 14;
    scene.note = { x: noteX, y: start, width: NOTE.width };
    scene.height = Math.max(
      placeLegends(parts, placeInside(parts, start, space) + 12, space),
      start + NOTE.height,
    );
    return scene;
  }
  if (!isInsideFirst) y = placeInside(parts, y + 14, full);
  scene.height = placeLegends(parts, y + 16, full) + 8;
  return scene;
}
