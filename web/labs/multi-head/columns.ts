/** The columns of the multi-head lab: per head its slice of the query, its map of weights, and its output, all equally wide. */
import { rowCount } from "../../config/labs/multi-head.js";
import { columnNames } from "../../marks/measure.js";
import { block, rowNames } from "./blocks.js";
import { STRIP, columnOf, label, strip, type Lines, type Parts } from "./parts.js";
import { place } from "../../stage/place.js";

/** Cells of a map from which on its rows and columns are named; smaller ones hold no numbers. */
const NAMED = 17;
const MAP = 16;

/** From the slice to the map, with the name of the head; and from the map to the output. */
const LINK = { slice: 34, name: 18, output: 20 };
/** The brace under a head's output. */
const BRACE = 14;
/** From one line of heads to the next. */
const APART = 10;

/** Height of one line of heads but for the maps, for a room that shows all of it. */
export function heightAround(parts: Parts, cellWidth: number): number {
  const names =
    parts.grid.left > 8 && cellWidth >= NAMED ? rowNames(parts.config.numbers, parts.room.words) : [];
  return STRIP + LINK.slice + columnNames(names, cellWidth).height + LINK.output + STRIP + BRACE + APART;
}

/** Everything of one head that lies in its column. */
interface Column {
  parts: Parts;
  head: number;
  x: number;
}

/** In the middle of its column; a map of small cells is a square. */
function map(
  { parts, head, x }: Column,
  y: number,
  height: number,
  first: boolean,
  names: readonly string[] | null,
): void {
  const { config, focus, item, room, grid } = parts;
  const length = rowCount(config.numbers);
  // A painted mask is painted on the whole of its scores.
  const painting = focus.node === "masked" && config.numbers.mask === "painted";
  const node = painting ? "masked" : "weights";
  const whole = { ...block(config, node, room.words), at: [item, head, null, null] };
  const width = height / length < MAP ? Math.min(grid.band, height) : grid.band;
  place(parts.scene, whole, x + (grid.band - width) / 2, y, width / length, height / length, {
    id: `map-${head}`,
    ...(names ? { columnNames: names } : {}),
    ...(first && names ? { rowNames: names } : {}),
  });
}

/** A line from a head's slice to its name, and from its map to its output. */
function link({ parts, head, x }: Column, id: string, from: number, to: number, step: number): void {
  const on = head === parts.focus.head;
  const middle = x + parts.grid.band / 2;
  parts.scene.curves.push({
    id: `${id}-${head}`,
    points: [
      [middle, from],
      [middle, to],
    ],
    role: on ? "attention" : "activation",
    kind: on ? "line" : "faint",
    step,
  });
}

/** A head's output, braced: the next head's output follows it in the joined row. */
function output({ parts, head, x }: Column, y: number): number {
  const { focus, item, scene, grid, config } = parts;
  const cell = grid.band / config.numbers.valueDim;
  strip(parts, "heads", [item, head, focus.row, null], [x, y], [cell, STRIP], `heads-${head}`);
  const [left, middle, right] = [x + 2, x + grid.band / 2, x + grid.band - 2];
  const top = y + STRIP + 7;
  scene.curves.push({
    id: `joined-${head}`,
    points: [
      [left, top],
      [left, top + 3],
      [middle, top + 3],
      [middle, top + 6],
      [middle, top + 3],
      [right, top + 3],
      [right, top],
    ],
    role: "value",
    kind: "bracket",
    step: 2,
  });
  return y + STRIP + BRACE;
}

/** The columns of all heads, line by line; answers the y below them. */
export function headColumns(parts: Parts, lines: Lines, top: number, mapHeight: number): number {
  const { config, focus, grid, item, room, scene } = parts;
  const { numbers } = config;
  const names = rowNames(numbers, room.words);
  const cellWidth = grid.band / names.length;
  const named = Math.min(cellWidth, mapHeight / names.length) >= NAMED && grid.left > 8 ? names : null;
  const above = named ? columnNames(named, cellWidth).height : 0;
  let y = top;
  for (let first = 0; first < grid.heads; first += grid.perLine) {
    let bottom = y;
    for (let head = first; head < Math.min(first + grid.perLine, grid.heads); head += 1) {
      const column: Column = { parts, head, x: columnOf(grid, head) };
      const name = (at: number) =>
        label(scene, column.x, at, room.words("labs.head", { n: head }), "heading", {
          ...(head === focus.head ? { role: "attention" as const } : {}),
        });
      let at = y;
      if (!lines.attend && (lines.split || lines.join)) {
        name(at + 12);
        at += LINK.name;
      }
      if (lines.split) {
        const cell = grid.band / numbers.keyDim;
        strip(
          parts,
          "Q_heads",
          [item, head, focus.row, null],
          [column.x, at],
          [cell, STRIP],
          `Q_heads-${head}`,
        );
        at += STRIP;
      }
      if (lines.attend) {
        const gap = lines.split ? LINK.slice : LINK.name + 4;
        if (lines.split) link(column, "split", at + 5, at + LINK.slice - 21, 1);
        name(at + gap - 8);
        at += gap + above;
        map(column, at, mapHeight, head === first, named);
        at += mapHeight;
        if (lines.join) link(column, "mix", at + 5, at + LINK.output - 5, 2);
      }
      if (lines.join) at = output(column, at + (lines.attend ? LINK.output : 0));
      bottom = Math.max(bottom, at);
    }
    y = bottom + APART;
  }
  return y - APART;
}
