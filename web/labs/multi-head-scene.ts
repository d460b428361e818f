/** The stage of the multi-head lab: a column per head, so that the slice, the map and the result of a head stand in one line. */
import type { ConfigOf } from "../config/config.js";
import { rowCount } from "../config/leaves.js";
import { columnNames, textWidth } from "../marks/measure.js";
import type { Label, PlacedTensor, Room, Scene, Snapshots } from "../marks/scene.js";
import {
  block,
  focusOf,
  legendText,
  logits,
  rowNames,
  type Focus,
  type MultiHeadNode,
} from "./multi-head-blocks.js";
import { projectionScene } from "./multi-head-projection.js";
import { LEGEND, emptyScene, labelWidth, legend, place, thumbnails, type Block } from "./place.js";
import { stepNodes } from "./multi-head-words.js";

const STRIP = 20;
const THIN = 12;
/** The note stands below at the right, or beside the heads where they leave it this much room. */
const NOTE = { width: 400, height: 150, beside: 340 };
/** Cells of a map from which on its rows and columns are named. */
const NAMED = 17;
const GAP = 14;

/** The frame all strips and maps share: where a head's column starts, how wide it is, how many stand in a line. */
interface Grid {
  left: number;
  perLine: number;
  band: number;
  heads: number;
}

function gridOf(heads: number, names: readonly string[], room: Room): Grid {
  const perLine = Math.min(heads, { wide: 8, two: 4, narrow: 2 }[room.layout]);
  const left = names.length <= 16 && perLine <= 4 && room.layout !== "narrow" ? labelWidth(names) : 8;
  const band = Math.min(
    room.layout === "narrow" ? 176 : 330,
    (room.width - left - 8 - (perLine - 1) * GAP) / perLine,
  );
  return { left, perLine, band, heads };
}

const columnOf = ({ left, band, perLine }: Grid, head: number): number =>
  left + (head % perLine) * (band + GAP);

interface Parts {
  config: ConfigOf<"multi-head">;
  room: Room;
  focus: Focus;
  item: number;
  grid: Grid;
  scene: Scene;
}

function label(
  scene: Scene,
  x: number,
  y: number,
  text: string,
  kind: Label["kind"],
  more: Partial<Label> = {},
): void {
  scene.labels.push({ x, y, text, kind, ...more });
}

/** One row of numbers without a caption. */
function strip(
  { scene, config, room }: Parts,
  node: MultiHeadNode,
  at: (number | null)[],
  x: number,
  y: number,
  cell: number,
  height: number,
  id: string,
): PlacedTensor {
  const whole = block(config, node, room.words);
  const columns = node === "K_T" || at.at(-1) !== null ? whole.rows : whole.columns;
  const row: Block = { ...whole, rows: 1, columns, at };
  delete row.masked;
  delete row.paintable;
  delete row.emptyRows;
  return place(scene, row, x, y, cell, height, { id });
}

/** Which nodes the maps, the slices on top and the helpers between show: those of the target, so that its operands are on the stage. */
function shownNodes(
  numbers: Parts["config"]["numbers"],
  focus: Focus,
): { top: "Q_heads" | "K_heads" | "V_heads"; map: MultiHeadNode; over: MultiHeadNode | null } {
  const passing = logits(numbers) as MultiHeadNode[];
  const place_ = passing.indexOf(focus.node as MultiHeadNode);
  const map = place_ >= 0 ? passing[place_]! : "weights";
  const over = map === "weights" ? passing.at(-1)! : place_ > 0 ? passing[place_ - 1]! : "K_T";
  const top =
    focus.node === "K_heads" || focus.node === "K_T"
      ? "K_heads"
      : focus.node === "V_heads"
        ? "V_heads"
        : "Q_heads";
  return { top, map, over };
}

/** Lines of the stage between which a scene chooses: on narrow screens a step shows only its own. */
interface Lines {
  split: boolean;
  attend: boolean;
  join: boolean;
  project: boolean;
}

function linesOf(room: Room): Lines {
  if (room.layout !== "narrow") return { split: true, attend: true, join: true, project: true };
  return { split: room.step <= 0, attend: room.step === 1, join: room.step === 2, project: room.step >= 2 };
}

/** The slices, maps and outputs of the heads; answers the y below them. */
function headColumns(parts: Parts, lines: Lines, top: number, mapSize: number): number {
  const { scene, config, focus, grid, item, room } = parts;
  const { numbers } = config;
  const { words } = room;
  const length = rowCount(numbers);
  const shown = shownNodes(numbers, focus);
  const keyCell = grid.band / numbers.keyDim > 40 ? 40 : grid.band / numbers.keyDim;
  const valueCell = Math.min(40, grid.band / numbers.valueDim);
  const mapCell = mapSize / length;
  const names = rowNames(numbers, words);
  const named = mapCell >= NAMED && grid.left > 8;
  const over = named ? columnNames(names, mapCell).height : 0;
  const topCell = shown.top === "V_heads" ? valueCell : keyCell;
  let y = top;
  for (let first = 0; first < grid.heads; first += grid.perLine) {
    const line = Array.from({ length: Math.min(grid.perLine, grid.heads - first) }, (_, k) => first + k);
    let at = y;
    if (lines.split) {
      for (const head of line)
        strip(
          parts,
          shown.top,
          [item, head, focus.row, null],
          columnOf(grid, head),
          at,
          topCell,
          STRIP,
          `${shown.top}-${head}`,
        );
      at += STRIP + 8;
    }
    const products = focus.node === "scores";
    if (products && lines.attend && focus.key !== null) {
      for (const head of line)
        strip(
          parts,
          "K_T",
          [item, head, null, focus.key],
          columnOf(grid, head),
          at,
          keyCell,
          STRIP,
          `K_T-${head}`,
        );
      at += STRIP + 8;
    }
    if (lines.attend || !lines.project) {
      const heading = at + (lines.split && lines.attend ? 34 : 18);
      for (const head of line) {
        const x = columnOf(grid, head);
        const on = head === focus.head;
        label(
          scene,
          x,
          heading,
          words("labs.head", { n: head }),
          "heading",
          on ? { role: block(config, shown.map, words).role } : {},
        );
        if (lines.split && lines.attend)
          connector(
            parts,
            `split-${head}`,
            x + Math.min(grid.band, mapSize) / 2,
            at - 4,
            heading - 14,
            1,
            on,
          );
      }
      at = heading + 8 + over;
    }
    if (lines.attend) {
      const strips = shown.over !== null && shown.over !== "K_T";
      for (const head of line) {
        const x = columnOf(grid, head);
        const columns = named ? { columnNames: names } : {};
        if (strips)
          Object.assign(
            strip(
              parts,
              shown.over!,
              [item, head, focus.row, null],
              x,
              at,
              mapCell,
              THIN,
              `${shown.over}-${head}`,
            ),
            columns,
          );
        const map = { ...block(config, shown.map, words), at: [item, head, null, null] };
        place(scene, map, x, at + (strips ? THIN + 8 : 0), mapCell, mapCell, {
          id: `${shown.map}-${head}`,
          ...(strips ? {} : columns),
          ...(named && head === first ? { rowNames: names } : {}),
        });
      }
      at += (strips ? THIN + 8 : 0) + mapSize + 8;
      if (focus.node === "heads") {
        for (const head of line)
          strip(
            parts,
            "V_heads",
            [item, head, null, focus.column],
            columnOf(grid, head),
            at,
            mapCell,
            THIN,
            `V_heads-${head}`,
          );
        at += THIN + 8;
      }
    }
    if (lines.join) {
      if (lines.attend) {
        for (const head of line)
          connector(
            parts,
            `mix-${head}`,
            columnOf(grid, head) + Math.min(grid.band, mapSize) / 2,
            at - 2,
            at + 16,
            2,
            head === focus.head,
          );
        at += 24;
      }
      for (const head of line) {
        const x = columnOf(grid, head);
        strip(parts, "heads", [item, head, focus.row, null], x, at, valueCell, STRIP, `heads-${head}`);
        bracket(parts, head, x, at + STRIP + 9, valueCell * numbers.valueDim);
      }
      at += STRIP + 20;
    }
    y = at + 8;
  }
  return y;
}

/** A line from a head's slice to its map, and from its map to its output. */
function connector(
  { scene, config, room, focus }: Parts,
  id: string,
  x: number,
  from: number,
  to: number,
  step: number,
  on: boolean,
): void {
  const role = on ? block(config, shownNodes(config.numbers, focus).map, room.words).role : "activation";
  scene.curves.push({
    id,
    points: [
      [x, from],
      [x, to],
    ],
    role,
    kind: on ? "line" : "faint",
    step,
  });
}

/** The brace under a head's output: it becomes one part of the joined row. */
function bracket({ scene }: Parts, head: number, x: number, y: number, width: number): void {
  const middle = x + width / 2;
  scene.curves.push({
    id: `joined-${head}`,
    points: [
      [x + 2, y],
      [x + 2, y + 5],
      [middle, y + 5],
      [middle, y + 9],
      [middle, y + 5],
      [x + width - 2, y + 5],
      [x + width - 2, y],
    ],
    role: "value",
    kind: "bracket",
    step: 2,
  });
}

/** A line of text over a strip: symbol, words, and the shape at the right edge; the shape is left out where it would touch. */
function caption(
  { scene, config, room }: Parts,
  node: MultiHeadNode,
  y: number,
  text: string,
  shape: string,
  right: number,
): void {
  const { role, symbol } = block(config, node, room.words);
  label(
    scene,
    4,
    y,
    symbol.sub ? `${symbol.text}_${symbol.sub}` : symbol.text + (symbol.sup ?? ""),
    "symbol",
    { role },
  );
  label(scene, 38, y, text, "caption");
  if (38 + textWidth(text, 12.5) + 16 + textWidth(shape, 12) <= right)
    label(scene, right, y, shape, "shape", { anchor: "end" });
}

/** Joined rows and the output of the word, over the whole width. */
function joined(parts: Parts, lines: Lines, top: number, right: number): number {
  const { scene, config, room, focus, item, grid } = parts;
  const { numbers } = config;
  const { words } = room;
  const { heads, valueDim, dim } = numbers;
  const length = rowCount(numbers);
  const word = rowNames(numbers, words)[focus.row] ?? "";
  const columns = heads * valueDim;
  const width = right - grid.left;
  let y = top;
  const products =
    focus.node === "output" ||
    focus.node === "concat" ||
    focus.node === "W_O" ||
    (room.layout === "narrow" && room.step >= 3);
  if (lines.join) {
    const shape = `${heads}×${length}×${valueDim} → ${length}×${columns}`;
    label(scene, grid.left, y + 12, words("labs.multi_head.joined", { word, heads }), "caption");
    label(scene, right, y + 12, shape, "shape", { anchor: "end" });
    y += 24;
  }
  if (!lines.project) return y;
  if (products) {
    const cell = Math.min(40, width / columns);
    strip(parts, "concat", [item, focus.row, null], grid.left, y, cell, STRIP, "concat");
    y += STRIP + 8;
    if (focus.node === "output") {
      strip(parts, "W_O", [null, focus.column], grid.left, y, cell, STRIP, "W_O-column");
      y += STRIP + 8;
    }
  }
  caption(parts, "output", y + 20, words("labs.multi_head.output", { word }), `${length}×${dim} S×D`, right);
  y += 30;
  strip(parts, "output", [item, focus.row, null], grid.left, y, Math.min(40, width / dim), STRIP, "output");
  return y + STRIP + 6;
}

/** Legends of the families on the stage, side by side, or one under the other on narrow screens. */
function legends(parts: Parts, y: number, width: number): number {
  const { scene, room } = parts;
  const families = [...new Map(scene.tensors.map((tensor) => [tensor.family, tensor.fill])).entries()];
  const perLine = Math.max(1, Math.min(families.length, Math.floor(width / 310)));
  const each = Math.floor(width / perLine);
  families.forEach(([family, fill], place_) => {
    const text = legendText(family, room.words);
    legend(
      scene,
      family,
      fill,
      8 + (place_ % perLine) * each,
      y + Math.floor(place_ / perLine) * LEGEND,
      each - 24,
      text,
    );
  });
  return y + Math.ceil(families.length / perLine) * LEGEND;
}

/** Where the target is a word, a projection or one of its weights: the product it belongs to. */
const PROJECTED = new Set(["x", "x_batch", "W_Q", "W_K", "W_V", "Q", "K", "V", "W_O"]);

export function multiHeadScene(config: ConfigOf<"multi-head">, _snapshots: Snapshots, room: Room): Scene {
  const { numbers, view } = config;
  const focus = focusOf(numbers, room.cell);
  if (PROJECTED.has(focus.node)) return projectionScene(config, room, focus);
  const grid = gridOf(numbers.heads, rowNames(numbers, room.words), room);
  const item = numbers.source === "words" ? 0 : view.item;
  const parts: Parts = { config, room, focus, item, grid, scene: emptyScene(room.width) };
  const { scene } = parts;
  const lines = linesOf(room);
  const { words } = room;
  const length = rowCount(numbers);
  const word = rowNames(numbers, words)[focus.row] ?? "";
  const right = columnOf(grid, grid.perLine - 1) + grid.band;
  const shown = shownNodes(numbers, focus);
  const wide = numbers.heads * (shown.top === "V_heads" ? numbers.valueDim : numbers.keyDim);
  let top = 8;
  if (lines.split) {
    const width = wide / numbers.heads;
    const shape = `${length}×${wide} → ${numbers.heads}×${length}×${width}`;
    const text = words(`labs.multi_head.cut.${shown.top}`, {
      word: focus.node === "K_T" && focus.key !== null ? (rowNames(numbers, words)[focus.key] ?? "") : word,
    });
    caption(parts, shown.top, 20, text, shape, right);
    top = 34;
  }
  // What stands above and below the maps is fixed; the maps take the rest, as squares no wider than their column.
  const lineCount = Math.ceil(grid.heads / grid.perLine);
  const beside = room.layout === "wide" && room.width - right >= NOTE.beside + 32;
  const products =
    focus.node === "output" || focus.node === "concat"
      ? 64
      : focus.node === "scores" || focus.node === "heads"
        ? lineCount * 28
        : 0;
  const around =
    top +
    lineCount * (174 + (grid.left > 8 ? 34 : 0)) +
    24 +
    56 +
    products +
    (beside ? 2 * LEGEND + 40 : NOTE.height + 12);
  const most = Math.min(grid.band, length * 40);
  const mapSize =
    room.layout === "wide"
      ? Math.max(Math.min(96, most), Math.min(most, (room.height - around) / lineCount))
      : Math.min(most, 260);
  let y = headColumns(parts, lines, top, mapSize);
  y = joined(parts, lines, y, right);
  if (beside) {
    const x = right + 32;
    scene.note = { x, y: 8, width: Math.min(480, room.width - x - 8) };
    scene.height = Math.max(legends(parts, y + 16, room.width - 16), 8 + NOTE.height);
  } else if (room.layout === "wide") {
    const x = Math.max(grid.left, room.width - NOTE.width - 8);
    scene.note = { x, y: y + 10, width: NOTE.width };
    scene.height = Math.max(legends(parts, y + 16, x - 32), y + 10 + NOTE.height);
  } else {
    scene.height = legends(parts, y + 16, room.width - 16) + 8;
  }
  return scene;
}

export function multiHeadStrip(config: ConfigOf<"multi-head">, _snapshots: Snapshots, room: Room): Scene {
  const { numbers, view } = config;
  const focus = focusOf(numbers, room.cell);
  const item = numbers.source === "words" ? 0 : view.item;
  const heads = new Set(["Q_heads", "K_heads", "V_heads", "scores", "scaled", "masked", "weights", "heads"]);
  const order: MultiHeadNode[] = [
    "Q_heads",
    ...(logits(numbers) as MultiHeadNode[]),
    "weights",
    "heads",
    "concat",
    "output",
  ];
  const blocks = order.map((node): Block => {
    const whole = block(config, node, room.words);
    return { ...whole, at: heads.has(node) ? [item, focus.head, null, null] : [item, null, null] };
  });
  return thumbnails(blocks, stepNodes(numbers, room.step), room.width);
}
