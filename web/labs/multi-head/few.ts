/** The picture of a few heads: a map of each with the sentence and arcs over it, the cut of Q, and the outputs that are joined under the maps. */
import { hasBiases, hasProjection } from "../../config/labs/multi-head.js";
import { columnNames, textWidth } from "../../marks/measure.js";
import type { Curve, Role, Scene, Snapshots } from "../../marks/scene.js";
import { drawOn, pointsFrom, rectangle, writeOn } from "../../stage/pen.js";
import { labelWidth, LEGEND, place } from "../../stage/place.js";
import type { Point } from "../../stage/series.js";
import { placeCut } from "./cut.js";
import { placeInside } from "./inside.js";
import { placeLegends, placeStrip, STRIP, symbolOf, upTo, type Parts } from "./strips.js";

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

/** The height of everything over a map. */
function heightOver(parts: Parts, cell: number): number {
  const arcs = parts.config.numbers.memory ? 6 : OVER.arc;
  const names = hasSentence(parts, cell) ? OVER.words : columnNames(parts.keys, cell).height;
  return OVER.heading + arcs + names;
}

/** The weights of the opened word in a head. */
function weightsOf(
  { opened, item, keys, names, config }: Parts,
  snapshots: Snapshots,
  head: number,
): number[] {
  const start = ((item * config.numbers.heads + head) * names.length + opened.row) * keys.length;
  return [...(snapshots.get("weights")?.data.subarray(start, start + keys.length) ?? [])];
}

/** The sentence over a map, with an arc from the opened word to each word that it looks at: as thick as the weight. */
function placeSentence(
  parts: Parts,
  snapshots: Snapshots,
  head: number,
  [left, top]: Point,
  cell: number,
): void {
  const { opened, keys, of, word, words, config, names } = parts;
  const { step } = of("weights");
  const map = of(opened.map).step;
  const weights = weightsOf(parts, snapshots, head);
  const most = weights.indexOf(Math.max(...weights));
  const heading = words("labs.head", { n: head });
  const on = head === opened.head;
  writeOn(parts.scene, "heading", left, top + 12, heading, { step: map, ...(on && { role: "attention" }) });
  if (most >= 0) {
    const looks = words("labs.multi_head.looks", { row: word, column: keys[most]! });
    const x = left + textWidth(heading, 13.5) + 12;
    if (x + textWidth(looks, 12.5) <= left + cell * keys.length)
      writeOn(parts.scene, "caption", x, top + 12, looks, { step });
  }
  const foot =
    top + heightOver(parts, cell) - (hasSentence(parts, cell) ? OVER.words : columnNames(keys, cell).height);
  const middle = (key: number): number => left + (key + 0.5) * cell;
  const from = middle(opened.row);
  const longest = Math.max(1, opened.row, names.length - 1 - opened.row);
  if (!config.numbers.memory)
    weights.forEach((weight, key) => {
      if (!(weight >= LEAST)) return;
      const width = Math.max(0.8, (weight * Math.min(cell, 40)) / 4);
      const to = middle(key);
      const far = Math.abs(to - from) / 2;
      const high = key === opened.row ? 20 : 12 + ((OVER.arc - 20) * Math.abs(key - opened.row)) / longest;
      const loop = `M${from - 7} ${foot}C${from - 20} ${foot - 1.6 * high} ${from + 20} ${foot - 1.6 * high} ${from + 7} ${foot}`;
      const arc = `M${Math.min(from, to)} ${foot}A${far} ${high} 0 0 1 ${Math.max(from, to)} ${foot}`;
      const points = pointsFrom(Math.min(from, to), foot, Math.max(from, to), foot - high);
      drawOn(parts.scene, `arc-${head}-${key}`, "attention", "line", points, {
        path: far === 0 ? loop : arc,
        width,
        step,
      });
    });
  if (!hasSentence(parts, cell)) return;
  keys.forEach((key, at) => {
    const isRow = at === opened.row && !config.numbers.memory;
    const strong = isRow || (at === most && opened.map === "weights");
    writeOn(parts.scene, "word", middle(at), foot + 16, key, {
      size: WORD,
      strong,
      anchor: "middle",
      step: map,
    });
    if (isRow) {
      const half = textWidth(key, WORD) / 2;
      const line = pointsFrom(middle(at) - half, foot + 21, middle(at) + half, foot + 21);
      drawOn(parts.scene, `word-${head}`, "activation", "line", line, { step: map });
    }
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
  const label = labelWidth(names);
  const between = room.layout === "narrow" ? 12 : heads <= 2 ? 32 : 16;
  const widest = (right - left - label - (heads - 1) * between - 6) / (heads * keys.length);
  const whole = (cell: number): number => (cell >= 12 && room.layout !== "narrow" ? Math.floor(cell) : cell);
  const byWidth = Math.min(CELL.map, widest);
  const cell = whole(
    Math.min(byWidth, Math.max(4, (bottom - top - heightOver(parts, byWidth)) / names.length)),
  );
  const y = top + heightOver(parts, cell);
  const block = of(opened.map);
  const spans = upTo(heads).map((head): Span => {
    const x = left + label + head * (cell * keys.length + between);
    placeSentence(parts, snapshots, head, [x, top], cell);
    place(scene, { ...block, at: [item, head, null, null] }, x, y, cell, cell, {
      id: `map-${head}`,
      ...(head === 0 && { rowNames: names }),
      ...(!hasSentence(parts, cell) && { columnNames: keys }),
    });
    const width = cell * keys.length;
    const rowTop = y + opened.row * cell;
    drawOn(parts.scene, `row-${head}`, "attention", "line", rectangle(x, rowTop, x + width, rowTop + cell), {
      over: true,
      step: block.step,
    });
    const foot = y + names.length * cell;
    const symbol = symbolOf(block, head);
    writeOn(parts.scene, "symbol", x - 4, foot + 19, symbol.text, {
      symbol,
      role: block.role,
      step: block.step,
    });
    const caption = opened.map === "weights" ? words("labs.legend.weights") : block.name;
    if (textWidth(caption, 12.5) + 40 <= width)
      writeOn(parts.scene, "caption", x + 30, foot + 18, caption, { over: true, step: block.step });
    return [x, width];
  });
  return { spans, end: y + names.length * cell + UNDER.caption };
}

/** Places the outputs of the heads under their maps, the joined row and O. Returns the y below them. */
function placeOutputs(
  parts: Parts,
  spans: readonly Span[],
  top: number,
  shows: { heads: boolean; joined: boolean },
): number {
  const { config, opened, item, of, words, room } = parts;
  const { heads } = config.numbers;
  const isNarrow = room.layout === "narrow";
  const output = of("heads");
  const projects = hasProjection(config.numbers);
  const joined = of(projects ? "concat" : "output");
  const [start, end] = [spans[0]![0], spans.at(-1)![0] + spans.at(-1)![1]];
  const middle = (start + end) / 2;
  const full = end - start;
  const cell = Math.min(CELL.output, full / joined.columns);
  const joinedX = middle - (cell * joined.columns) / 2;
  let y = top;
  if (shows.heads) {
    y += UNDER.output - UNDER.caption;
    const tops = spans.map(([x, width], head): Point => {
      const one = Math.min(CELL.output, width / output.columns);
      const stripX = x + (width - one * output.columns) / 2;
      const on = head === opened.head;
      const link = pointsFrom(x + width / 2, y - 12, x + width / 2, y - 5);
      const [role, kind]: [Role, Curve["kind"]] = on ? ["attention", "line"] : ["activation", "faint"];
      const { step } = output;
      if (isNarrow) writeOn(parts.scene, "heading", stripX, y - 8, words("labs.head", { n: head }), { step });
      else drawOn(parts.scene, `mix-${head}`, role, kind, link, { step });
      if (width >= 200 && !isNarrow)
        writeOn(parts.scene, "axis", x + width / 2 + 10, y - 5, words("labs.legend.heads"), {
          over: true,
          step,
        });
      placeStrip(parts, "heads", [item, head, opened.row, null], [stripX, y], one, `heads-${head}`);
      return [stripX, stripX + one * output.columns];
    });
    y += STRIP;
    if (shows.joined) {
      const each = cell * output.columns;
      tops.forEach(([left, right], head) => {
        const x = joinedX + head * each;
        const points = pointsFrom(
          left,
          y + 5,
          right,
          y + 5,
          x + each,
          y + UNDER.joined - 5,
          x,
          y + UNDER.joined - 5,
        );
        drawOn(parts.scene, `joined-${head}`, "value", "area", points, { step: joined.step });
      });
      y += UNDER.joined;
    }
  }
  if (!shows.joined) return y;
  placeStrip(
    parts,
    projects ? "concat" : "output",
    [item, opened.row, null],
    [joinedX, y],
    cell,
    projects ? "concat" : "output",
  );
  const sum = `${Array.from({ length: heads }, () => output.columns).join(" + ")} = ${joined.columns}`;
  const beside = words("labs.multi_head.sum", { sum });
  if (isNarrow) writeOn(parts.scene, "caption", joinedX, y - 8, beside, { step: joined.step });
  else if (joinedX - 16 - textWidth(beside, 12.5) > start - 60)
    writeOn(parts.scene, "caption", joinedX - 14, y + 14, beside, { anchor: "end", step: joined.step });
  y += STRIP;
  if (!projects) return y + 6;
  const { columns, step } = of("output");
  const arrow = pointsFrom(
    middle,
    y + 4,
    middle,
    y + 17,
    middle - 3.5,
    y + 13,
    middle,
    y + 17,
    middle + 3.5,
    y + 13,
  );
  drawOn(parts.scene, "project", "activation", "bracket", arrow, { step });
  writeOn(parts.scene, "axis", middle + 12, y + 15, `× W_O${hasBiases(config.numbers) ? " + b_O" : ""}`, {
    role: "weight",
    step,
  });
  y += UNDER.projected;
  const one = Math.min(CELL.output, full / columns);
  const x = middle - (one * columns) / 2;
  placeStrip(parts, "output", [item, opened.row, null], [x, y], one, "output");
  writeOn(parts.scene, "symbol", isNarrow ? x : x - 28, isNarrow ? y - 7 : y + 16, "O", {
    role: "output",
    step,
  });
  return y + STRIP + 6;
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
