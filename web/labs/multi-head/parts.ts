/** What the pictures of the multi-head lab share: the grid of its heads, strips of one row, labels. */
import type { ConfigOf } from "../../config/config.js";
import { textWidth } from "../../marks/measure.js";
import type { Label, PlacedTensor, Room, Scene } from "../../marks/scene.js";
import { block, type Focus, type MultiHeadNode } from "./blocks.js";
import { labelWidth, place, type Block } from "../../stage/place.js";

/** Height of a strip that can carry numbers. */
export const STRIP = 20;
const GAP = 14;
/** Widest cell of a map. */
const WIDEST = 44;

/** The frame all strips and maps share: where a head's column starts, how wide it is, how many stand in a line. */
export interface Grid {
  left: number;
  perLine: number;
  band: number;
  heads: number;
}

/** A grid of heads over `width`: eight in a line, four on tablets, two on phones. */
export function gridOf(
  { heads, keyDim, valueDim }: ConfigOf<"multi-head">["numbers"],
  names: readonly string[],
  room: Room,
  width: number,
): Grid {
  const perLine = Math.min(heads, { wide: 8, two: 4, narrow: 2 }[room.layout]);
  const named = names.length <= (room.layout === "narrow" ? 7 : 16) && perLine <= 4;
  const left = named ? labelWidth(names) : 8;
  const widest = WIDEST * Math.max(names.length, keyDim, valueDim);
  const most = room.layout === "narrow" ? 176 : Math.min(330, widest);
  return { left, perLine, band: Math.min(most, (width - left - 8 - (perLine - 1) * GAP) / perLine), heads };
}

export function columnOf({ left, band, perLine }: Grid, head: number): number {
  return left + (head % perLine) * (band + GAP);
}

export function rightOf(grid: Grid): number {
  return columnOf(grid, grid.perLine - 1) + grid.band;
}

/** One picture in the making. */
export interface Parts {
  config: ConfigOf<"multi-head">;
  room: Room;
  focus: Focus;
  /** The word looked at: the target's, else the last one, else a telling one. */
  key: number;
  item: number;
  grid: Grid;
  scene: Scene;
}

/** Lines of the picture; a phone shows those of one step. */
export interface Lines {
  split: boolean;
  attend: boolean;
  join: boolean;
  project: boolean;
}

export function label(
  scene: Scene,
  x: number,
  y: number,
  text: string,
  kind: Label["kind"],
  more: Partial<Label> = {},
): void {
  scene.labels.push({ x, y, text, kind, ...more });
}

/** One row (or column) of a node, lying, without a caption. */
export function strip(
  { scene, config, room }: Parts,
  node: MultiHeadNode,
  at: (number | null)[],
  [x, y]: readonly [number, number],
  [cell, height]: readonly [number, number],
  id: string,
): PlacedTensor {
  const whole = block(config, node, room.words);
  // A place for the last axis leaves the one before it: a column.
  const [columns, part] =
    at.at(-1) === null ? [whole.columns, whole.parts?.columns] : [whole.rows, whole.parts?.rows];
  const row: Block = { ...whole, rows: 1, columns, at };
  delete row.emptyRows;
  delete row.parts;
  if (part && part < columns) row.parts = { columns: part };
  const [query] = at.slice(-2);
  if (whole.masked && typeof query === "number") row.masked = [whole.masked[query]!];
  delete row.paintable;
  return place(scene, row, x, y, cell, height, { id });
}

/** A line of text over a strip: symbol, words, and the shape at the right edge; the shape is left out where it would touch. */
export function caption(
  { scene, config, room }: Parts,
  node: MultiHeadNode,
  y: number,
  text: string,
  shape: string,
  [left, right]: readonly [number, number],
): void {
  const { role, symbol, step } = block(config, node, room.words);
  const name = symbol.sub ? `${symbol.text}_${symbol.sub}` : symbol.text + (symbol.sup ?? "");
  label(scene, left - 4, y, name, "symbol", { role, step });
  label(scene, left + 30, y, text, "caption", { step });
  if (left + 30 + textWidth(text, 12.5) + 16 + textWidth(shape, 12) <= right) {
    label(scene, right, y, shape, "shape", { anchor: "end", step });
  }
}
