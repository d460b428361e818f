/** The columns of the multi-head lab: per head its slice of query and key, its scores, its map, its values, its output. */
import { rowCount } from "../config/leaves.js";
import { columnNames } from "../marks/measure.js";
import { block, rowNames } from "./multi-head-blocks.js";
import {
  BETWEEN,
  STRIP,
  THIN,
  columnOf,
  label,
  scoreStrips,
  strip,
  type Lines,
  type Parts,
} from "./multi-head-stage.js";
import { place } from "./place.js";

/** Cells of a map from which on its rows and columns are named. */
const NAMED = 17;
/** Largest cell of a strip. */
const WIDEST = 40;

/** From the slices to the name of the head, and from the map to its output. */
const LINK = { slices: 30, names: 18, output: 18 };
/** The brace under a head's output. */
const BRACE = 20;

/** Height of one line of heads but for the maps, for a room that shows all lines. */
export function heightAround(parts: Parts, named: boolean): number {
  const scores = scoreStrips(parts).length * (THIN + BETWEEN);
  const names = named ? 40 : 0;
  return (
    2 * STRIP + BETWEEN + LINK.slices + 8 + names + scores + BETWEEN + THIN + LINK.output + STRIP + BRACE + 8
  );
}

/** Everything of one head that lies in its column. */
interface Column {
  parts: Parts;
  head: number;
  x: number;
  /** Cell widths of keys, values and maps. */
  keyCell: number;
  valueCell: number;
  mapCell: number;
}

function slices({ parts, head, x, keyCell }: Column, y: number): number {
  const { focus, item, key } = parts;
  strip(parts, "Q_heads", [item, head, focus.row, null], [x, y], [keyCell, STRIP], `Q_heads-${head}`);
  const below = y + STRIP + BETWEEN;
  // The column of K^T is the key's row; where the target is the row itself, it stands there.
  if (focus.node === "K_heads" || focus.node === "V_heads") {
    const cell =
      focus.node === "K_heads"
        ? keyCell
        : (keyCell * parts.config.numbers.keyDim) / parts.config.numbers.valueDim;
    strip(parts, focus.node, [item, head, key, null], [x, below], [cell, STRIP], `${focus.node}-${head}`);
  } else strip(parts, "K_T", [item, head, null, key], [x, below], [keyCell, STRIP], `K_T-${head}`);
  return below + STRIP;
}

function map(
  { parts, head, x, mapCell }: Column,
  y: number,
  first: boolean,
  names: readonly string[] | null,
): number {
  const { config, focus, item, room } = parts;
  let at = y;
  for (const node of scoreStrips(parts)) {
    const tensor = strip(
      parts,
      node,
      [item, head, focus.row, null],
      [x, at],
      [mapCell, THIN],
      `${node}-${head}`,
    );
    if (names && at === y) tensor.columnNames = names;
    at += THIN + BETWEEN;
  }
  // A painted mask is painted on the whole of its scores.
  const painting = focus.node === "masked" && config.numbers.mask === "painted";
  const node = painting ? "masked" : "weights";
  const whole = { ...block(config, node, room.words), at: [item, head, null, null] };
  place(parts.scene, whole, x, at, mapCell, mapCell, {
    id: `map-${head}`,
    ...(first && names ? { rowNames: names } : {}),
  });
  at += mapCell * rowCount(config.numbers) + BETWEEN;
  const valueColumn =
    focus.node === "heads"
      ? focus.column
      : focus.node === "concat"
        ? focus.column % config.numbers.valueDim
        : 0;
  strip(
    parts,
    "V_heads",
    [item, head, null, valueColumn],
    [x, at],
    [mapCell, THIN],
    `V_heads-column-${head}`,
  );
  return at + THIN;
}

/** A line from a head's slices to its name, and from its values to its output. */
function link(
  { parts, head, x }: Column,
  id: string,
  width: number,
  from: number,
  to: number,
  step: number,
): void {
  const on = head === parts.focus.head;
  const middle = x + width / 2;
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

function output({ parts, head, x, valueCell }: Column, y: number): number {
  const { focus, item, scene, config } = parts;
  strip(parts, "heads", [item, head, focus.row, null], [x, y], [valueCell, STRIP], `heads-${head}`);
  const width = valueCell * config.numbers.valueDim;
  const middle = x + width / 2;
  const top = y + STRIP + 8;
  scene.curves.push({
    id: `joined-${head}`,
    points: [
      [x + 2, top],
      [x + 2, top + 4],
      [middle, top + 4],
      [middle, top + 8],
      [middle, top + 4],
      [x + width - 2, top + 4],
      [x + width - 2, top],
    ],
    role: "value",
    kind: "bracket",
    step: 2,
  });
  return y + STRIP + BRACE;
}

/** The columns of all heads, line by line; answers the y below them. */
export function headColumns(parts: Parts, lines: Lines, top: number, mapSize: number): number {
  const { config, focus, grid, room, scene } = parts;
  const { numbers } = config;
  const names = rowNames(numbers, room.words);
  const mapCell = mapSize / rowCount(numbers);
  const named = mapCell >= NAMED && grid.left > 8 ? names : null;
  let y = top;
  for (let first = 0; first < grid.heads; first += grid.perLine) {
    let bottom = y;
    for (let head = first; head < Math.min(first + grid.perLine, grid.heads); head += 1) {
      const column: Column = {
        parts,
        head,
        x: columnOf(grid, head),
        keyCell: Math.min(WIDEST, grid.band / numbers.keyDim),
        valueCell: Math.min(WIDEST, grid.band / numbers.valueDim),
        mapCell,
      };
      const on = head === focus.head;
      const name = (at: number) =>
        label(
          scene,
          column.x,
          at,
          room.words("labs.head", { n: head }),
          "heading",
          on ? { role: "attention" } : {},
        );
      let at = y;
      if (!lines.attend) {
        name(at + 12);
        at += LINK.names;
      }
      if (lines.split) at = slices(column, at + (lines.attend ? 0 : 4));
      if (lines.attend) {
        const middle = Math.min(grid.band, mapSize);
        if (lines.split) link(column, "split", middle, at + 5, at + LINK.slices - 14, 1);
        name(at + (lines.split ? LINK.slices : 14));
        at += (lines.split ? LINK.slices : 14) + 8 + (named ? columnNames(named, mapCell).height : 0);
        at = map(column, at, head === first, named);
        if (lines.join) link(column, "mix", middle, at + 4, at + LINK.output - 4, 2);
      }
      if (lines.join) at = output(column, at + (lines.attend ? LINK.output : 0));
      bottom = Math.max(bottom, at);
    }
    y = bottom + 8;
  }
  return y;
}
