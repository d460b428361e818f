/** How a board is drawn: its fills, decimals, marks and veil, for a canvas or a picture to take away. */
import type { Board } from "./board.js";
import { rampOf, remembering, type Palette, type Ramp } from "./colour.js";
import { patchesAcross, veilOf } from "./image.js";
import { holdsSign, mayShowText, TEXT_WIDTH, type MatrixDrawing } from "./matrix.js";
import { decimalsFor, evenDecimals, fitCells, settled } from "./numbers.js";
import { valuesOf } from "./plane.js";
import type { Fill, PlacedImage, Snapshots } from "./scene.js";

/** Fills are looked up, not interpolated, when a picture is drawn again. */
const ramps = new WeakMap<Palette, Map<Fill, Ramp>>();
export function rampFor(fill: Fill, palette: Palette): Ramp {
  let made = ramps.get(palette);
  if (!made) ramps.set(palette, (made = new Map()));
  let ramp = made.get(fill);
  if (!ramp) made.set(fill, (ramp = remembering(rampOf(fill, palette))));
  return ramp;
}

function editedIn(board: Board): ((row: number, column: number) => boolean) | undefined {
  const edited = board.tensor?.snapshot.edited ?? [];
  if (edited.length === 0) return undefined;
  const places = new Set<number>();
  for (const index of edited) {
    const run = board.run(board.node, index, index);
    if (run) places.add(run.top * board.columns + run.left);
  }
  return (row, column) => places.has(row * board.columns + column);
}

/** The numbers of a board as drawn: what rounding left of 0 is 0. Given numbers and shares are as small as they say. */
export function drawnIn(board: Board, domain: number): (row: number, column: number) => number {
  const value = (row: number, column: number): number => board.valueAt(row, column) ?? NaN;
  return settles(board) ? (row, column) => settled(value(row, column), domain) : value;
}

function settles({ tensor }: Board): boolean {
  return tensor !== null && tensor.placed.fill !== "probability" && tensor.drawn.op !== "leaf";
}

/** Decimals are one number per tensor; only the values on show count. Null where they do not fit its cells. */
const decimals = new WeakMap<object, Map<string, number | null>>();
function decimalsOf(board: Board, width: number, domain: number): number | null {
  if (!board.tensor || !mayShowText(board)) return null;
  const { plane, drawn } = board.tensor;
  let kept = decimals.get(drawn);
  if (!kept) decimals.set(drawn, (kept = new Map()));
  const key = `${plane.at.join()}|${width}|${domain}`;
  let number = kept.get(key);
  if (number !== undefined) return number;
  const largest = settles(board) ? domain : 0;
  const values = Array.from(valuesOf(plane, drawn.data), (value) => settled(value, largest));
  number = evenDecimals(values, decimalsFor(values, width), width);
  if (width < TEXT_WIDTH && !fitCells(values, number, width)) number = null;
  kept.set(key, number);
  return number;
}

/** How each number changed, for its wedge. Where the change itself is drawn, a wedge without a sign would say nothing more. */
function changeIn(board: Board, domain: number): ((row: number, column: number) => number) | undefined {
  if (!board.tensor?.changeAt) return undefined;
  const { drawn, snapshot, changeAt } = board.tensor;
  if (drawn !== snapshot && !holdsSign(board.cellWidth, board.cellHeight)) return undefined;
  return settles(board) ? (row, column) => settled(changeAt(row, column), domain) : changeAt;
}

/** What differs from one drawing of a board to the next. */
export interface DrawingOptions {
  palette: Palette;
  /** The number with the last colour of the ramp. */
  domain: number;
  /** Device pixels in a CSS pixel. */
  ratio: number;
  /** How far a cell stands back, 0 … 1. */
  back: (row: number, column: number) => number;
  /** Only so many cells are drawn. */
  shown: number;
}

/** A board of numbers as a matrix to draw. */
export function drawingOf(board: Board, options: DrawingOptions): MatrixDrawing {
  const { rows, columns, cellWidth, cellHeight } = board;
  const { palette, domain, ratio, back, shown } = options;
  return {
    rows,
    columns,
    cellWidth,
    cellHeight,
    ratio,
    value: drawnIn(board, domain),
    ramp: rampFor(board.tensor?.placed.fill ?? "activation", palette),
    domain,
    back,
    decimals: decimalsOf(board, cellWidth, domain),
    masked: board.tensor?.placed.masked,
    edited: editedIn(board),
    change: changeIn(board, domain),
    shown,
    joined: board.tensor?.placed.joined,
  };
}

/** How much paper lies over each patch of an image; null where nothing does. */
export function veilOn(image: PlacedImage, snapshots: Snapshots): number[] | null {
  const shape = snapshots.get(image.node)?.shape ?? [];
  const weights = image.veil && snapshots.get(image.veil.node);
  if (!image.veil || !weights) return null;
  const down = image.patch ? Math.floor((shape.at(-2) ?? 0) / image.patch) : 0;
  return veilOf(image.veil, weights, patchesAcross(image, shape) * down);
}
