/** The picture of a few heads: a map of each with the sentence and arcs over it, the cut of Q, and the outputs that are joined under the maps. */
import { hasBiases, hasProjection } from "../../config/labs/multi-head.js";
import { columnNames, textWidth } from "../../marks/measure.js";
import type { Scene, Snapshots } from "../../marks/scene.js";
import { writeSymbol } from "../../stage/symbol.js";
import { arcPath, arrowPath } from "../../stage/paths.js";
import { penOn, pointsFrom } from "../../stage/pen.js";
import { labelWidth, LEGEND, place } from "../../stage/place.js";
import { valuesOf, type Point } from "../../stage/series.js";
import { placeCut } from "./cut.js";
import { placeInside } from "./inside.js";
import {
  frameOpenedRow,
  linkHead,
  nameHead,
  placeLegends,
  placeStrip,
  STRIP,
  upTo,
  writeSymbolOf,
  type Parts,
} from "./strips.js";

/** The left edge and the width of a map, and of the output under it. */
type Span = readonly [x: number, width: number];

/** The width of the note, which stands under the cut of Q, and its height with the longest softmax. */
const NOTE = { width: 384, height: 244 };
const AIR = 24;
/** The least width of the rows inside a head, at the right of the maps: of one or two, and of more. */
const INSIDE = { beside: 196, close: 150 };
/** The greatest cells of a map and of an output. */
const CELL = { map: 46, output: 44 };
/** The heights over a map: its heading, the highest arc, and a line of words. */
const OVER = { heading: 20, arc: 42, words: 28 };
/** The heights from a map to its caption's lower edge, to the output, to the joined row, and to O. */
const UNDER = { caption: 24, output: 38, joined: 22, projected: 22 };
/** The size of the words over a map. */
const WORD = 18;
/** Weights that are smaller have no arc. */
const LEAST = 0.005;

/** Whether the words fit over the columns of a map in the size of a sentence. */
const hasSentence = ({ keys }: Parts, cell: number): boolean =>
  keys.every((key) => textWidth(key, WORD) + 4 <= cell);

/** The height of the words over a map. */
const heightOfWords = (parts: Parts, cell: number): number =>
  hasSentence(parts, cell) ? OVER.words : columnNames(parts.keys, cell).height;

/** The height of everything over a map. */
const heightOver = (parts: Parts, cell: number): number =>
  OVER.heading + (parts.config.numbers.memory ? 6 : OVER.arc) + heightOfWords(parts, cell);

/** The weights of the opened word in a head. */
function weightsOf(
  { opened, item, keys, names, config }: Parts,
  snapshots: Snapshots,
  head: number,
): number[] {
  const start = ((item * config.numbers.heads + head) * names.length + opened.row) * keys.length;
  return Array.from(valuesOf(snapshots, "weights")).slice(start, start + keys.length);
}

/** The sentence over a map, with an arc from the opened word to each word that it looks at: as thick as the weight. */
function placeSentence(
  parts: Parts,
  snapshots: Snapshots,
  head: number,
  [left, top]: Point,
  cell: number,
): void {
  const { scene, opened, keys, of, word, words, config, names } = parts;
  const { memory } = config.numbers;
  const map = of(opened.map);
  const weights = weightsOf(parts, snapshots, head);
  const most = weights.indexOf(Math.max(...weights));
  const { draw, write } = penOn(scene, of("weights").step);
  const x = left + nameHead(parts, head, left, top + 12, map.step) + 12;
  if (most >= 0) {
    const looks = words("labs.multi_head.looks", { row: word, column: keys[most]! });
    if (x + textWidth(looks, 12.5) <= left + cell * keys.length)
      write(x, top + 12, looks, { kind: "caption" });
  }
  const foot = top + heightOver(parts, cell) - heightOfWords(parts, cell);
  const middle = (key: number): number => left + (key + 0.5) * cell;
  const from = middle(opened.row);
  const longest = Math.max(1, opened.row, names.length - 1 - opened.row);
  weights.forEach((weight, key) => {
    if (memory || !(weight >= LEAST)) return;
    const away = Math.abs(key - opened.row);
    const high = away ? 12 + ((OVER.arc - 20) * away) / longest : 20;
    draw(`arc-${head}-${key}`, "attention", "line", pointsFrom(from, foot, middle(key), foot - high), {
      path: arcPath(from, middle(key), foot, high),
      width: Math.max(0.8, (weight * Math.min(cell, 40)) / 4),
    });
  });
  if (!hasSentence(parts, cell)) return;
  const ofMap = penOn(scene, map.step);
  keys.forEach((key, at) => {
    const isRow = at === opened.row && !memory;
    const strong = isRow || (at === most && opened.map === "weights");
    ofMap.write(middle(at), foot + 16, key, { kind: "word", size: WORD, strong, anchor: "middle" });
    if (!isRow) return;
    const half = textWidth(key, WORD) / 2;
    const line = pointsFrom(middle(at) - half, foot + 21, middle(at) + half, foot + 21);
    ofMap.draw(`word-${head}`, "activation", "line", line);
  });
}

/** Places the maps side by side from `left` on. Returns the columns that they stand in, and the y below their captions. */
function placeMaps(
  parts: Parts,
  snapshots: Snapshots,
  [left, right]: readonly [number, number],
  top: number,
  bottom: number,
): { spans: Span[]; end: number } {
  const { config, opened, item, names, keys, of, scene, room, words } = parts;
  const { heads } = config.numbers;
  const isNarrow = room.layout === "narrow";
  const label = labelWidth(names);
  const between = isNarrow ? 12 : heads <= 2 ? 32 : 16;
  const widest = (right - left - label - (heads - 1) * between - 6) / (heads * keys.length);
  const byWidth = Math.min(CELL.map, widest);
  const byHeight = Math.max(4, (bottom - top - heightOver(parts, byWidth)) / names.length);
  const most = Math.min(byWidth, byHeight);
  const cell = most >= 12 && !isNarrow ? Math.floor(most) : most;
  const width = cell * keys.length;
  const y = top + heightOver(parts, cell);
  const foot = y + names.length * cell;
  const block = of(opened.map);
  const caption = opened.map === "weights" ? words("labs.legend.weights") : block.name;
  const spans = upTo(heads).map((head): Span => {
    const x = left + label + head * (width + between);
    placeSentence(parts, snapshots, head, [x, top], cell);
    const map = place(scene, { ...block, at: [item, head, null, null] }, x, y, cell, cell, {
      id: `map-${head}`,
      ...(head === 0 && { rowNames: names }),
      ...(!hasSentence(parts, cell) && { columnNames: keys }),
    });
    frameOpenedRow(parts, `row-${head}`, "attention", map, keys.length);
    writeSymbolOf(parts, opened.map, head, x - 4, foot + 19);
    if (textWidth(caption, 12.5) + 40 <= width)
      penOn(scene, block.step).write(x + 30, foot + 18, caption, { kind: "caption", over: true });
    return [x, width];
  });
  return { spans, end: foot + UNDER.caption };
}

/** Places the outputs of the heads under their maps. Returns the left and the right edge of each. */
function placeHeads(parts: Parts, spans: readonly Span[], y: number): Point[] {
  const { scene, opened, item, of, words, room } = parts;
  const { columns, step } = of("heads");
  const { write } = penOn(scene, step);
  return spans.map(([x, width], head) => {
    const cell = Math.min(CELL.output, width / columns);
    const middle = x + width / 2;
    const left = middle - (cell * columns) / 2;
    if (room.layout === "narrow") write(left, y - 8, words("labs.head", { n: head }), { kind: "heading" });
    else {
      linkHead(parts, "mix", head, middle, [y - 12, y - 5], step);
      if (width >= 200) write(middle + 10, y - 5, words("labs.legend.heads"), { over: true });
    }
    placeStrip(parts, "heads", [item, head, opened.row, null], [left, y], cell, `heads-${head}`);
    return [left, left + cell * columns];
  });
}

/** Places O under the joined row, which ends at `y`. Returns the y below it. */
function placeProjected(parts: Parts, [start, width]: Span, y: number): number {
  const { scene, config, opened, item, of, room } = parts;
  const { columns, step } = of("output");
  const { draw, write } = penOn(scene, step);
  const middle = start + width / 2;
  const arrow = pointsFrom(middle, y + 4, middle, y + 17);
  draw("project", "activation", "bracket", arrow, { path: arrowPath(arrow, 4, 3.5) });
  const text = `× W_O${hasBiases(config.numbers) ? " + b_O" : ""}`;
  write(middle + 12, y + 15, text, { role: "weight" });
  const top = y + UNDER.projected;
  const cell = Math.min(CELL.output, width / columns);
  const x = middle - (cell * columns) / 2;
  placeStrip(parts, "output", [item, opened.row, null], [x, top], cell, "output");
  if (room.layout === "narrow") writeSymbol(scene, of("output"), x, top - 7);
  else writeSymbol(scene, of("output"), x - 28, top + 16);
  return top + STRIP;
}

/** Places the outputs of the heads under their maps, the joined row and O. Returns the y below them. */
function placeOutputs(
  parts: Parts,
  spans: readonly Span[],
  top: number,
  shows: { heads: boolean; joined: boolean },
): number {
  const { scene, config, opened, item, of, words, room } = parts;
  const { columns } = of("heads");
  const projects = hasProjection(config.numbers);
  const node = projects ? "concat" : "output";
  const joined = of(node);
  const { draw, write } = penOn(scene, joined.step);
  const [start, last] = [spans[0]![0], spans.at(-1)!];
  const width = last[0] + last[1] - start;
  const cell = Math.min(CELL.output, width / joined.columns);
  const x = start + (width - cell * joined.columns) / 2;
  let y = top;
  if (shows.heads) {
    y += UNDER.output - UNDER.caption;
    const edges = placeHeads(parts, spans, y);
    y += STRIP;
    if (shows.joined) {
      const each = cell * columns;
      const [high, low] = [y + 5, y + UNDER.joined - 5];
      edges.forEach(([left, right], head) => {
        const [from, to] = [x + head * each, x + (head + 1) * each];
        draw(`joined-${head}`, "value", "area", pointsFrom(left, high, right, high, to, low, from, low));
      });
      y += UNDER.joined;
    }
  }
  if (!shows.joined) return y;
  placeStrip(parts, node, [item, opened.row, null], [x, y], cell, node);
  const sum = `${spans.map(() => columns).join(" + ")} = ${joined.columns}`;
  const beside = words("labs.multi_head.sum", { sum });
  if (room.layout === "narrow") write(x, y - 8, beside, { kind: "caption" });
  else if (x - 16 - textWidth(beside, 12.5) > start - 60)
    write(x - 14, y + 14, beside, { kind: "caption", anchor: "end" });
  y += STRIP;
  return (projects ? placeProjected(parts, [start, width], y) : y) + 6;
}

/** The height of the rows under the maps of a wide stage. */
const outputsHeight = ({ config }: Parts): number =>
  UNDER.output +
  STRIP +
  UNDER.joined +
  STRIP +
  (hasProjection(config.numbers) ? UNDER.projected + STRIP : 0) +
  6;

function wideScene(parts: Parts, snapshots: Snapshots): Scene {
  const { scene, room, config } = parts;
  const left = NOTE.width + AIR;
  const end = room.width - (config.numbers.heads <= 2 ? INSIDE.beside : INSIDE.close) - AIR - 8;
  const legendTop = room.height - 2 * LEGEND - 4;
  const cut = placeCut(parts, 0, [8, NOTE.width], room.height - NOTE.height - 2);
  scene.note = { x: 0, y: cut + 2, width: NOTE.width };
  const maps = placeMaps(parts, snapshots, [left, end], 0, legendTop - outputsHeight(parts) - 4);
  const outputs = placeOutputs(parts, maps.spans, maps.end, { heads: true, joined: true });
  const [x, width] = maps.spans.at(-1)!;
  const inside = placeInside(parts, 0, [x + width + AIR, room.width - 8], true);
  const y = Math.max(outputs + 8, inside + 8, Math.min(legendTop, outputs + 40));
  scene.height = Math.max(placeLegends(parts, y, [left, room.width - 8]), cut + NOTE.height);
  return scene;
}

/** On a tablet the cut of Q and the rows inside a head stand under the maps, side by side. */
function tabletScene(parts: Parts, snapshots: Snapshots): Scene {
  const { scene, room } = parts;
  const maps = placeMaps(parts, snapshots, [8, room.width - 8], 0, Infinity);
  const y = placeOutputs(parts, maps.spans, maps.end, { heads: true, joined: true }) + AIR;
  const cut = placeCut(parts, y, [8, NOTE.width], 420);
  const inside = placeInside(parts, y, [NOTE.width + AIR, room.width - 8], true);
  scene.height = placeLegends(parts, Math.max(cut, inside) + 12, [8, room.width - 8]) + 8;
  return scene;
}

/** A phone shows the part of one stop. */
function phoneScene(parts: Parts, snapshots: Snapshots): Scene {
  const { scene, room, opened, config } = parts;
  const full: [number, number] = [8, room.width - 8];
  const { heads } = config.numbers;
  const half = (full[1] - full[0] - (heads - 1) * 14) / heads;
  const spans = upTo(heads).map((head): Span => [full[0] + head * (half + 14), half]);
  let y = 0;
  if (opened.picture === "split") y = placeCut(parts, 0, full, 420) + 8;
  if (opened.picture === "attend") y = placeMaps(parts, snapshots, [0, room.width - 2], 4, Infinity).end + 8;
  if (opened.picture === "join") y = placeOutputs(parts, spans, 8, { heads: true, joined: false }) + 14;
  if (opened.picture === "mix") y = placeOutputs(parts, spans, 20, { heads: false, joined: true }) + 14;
  y = placeInside(parts, y, full);
  scene.height = placeLegends(parts, y + 16, full) + 8;
  return scene;
}

export function fewHeads(parts: Parts, snapshots: Snapshots): Scene {
  const scenes = { wide: wideScene, two: tabletScene, narrow: phoneScene };
  return scenes[parts.room.layout](parts, snapshots);
}
