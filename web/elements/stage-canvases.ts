/** The canvases of a stage: draws those whose picture has changed and leaves the others. */
import type { Board, Place } from "../marks/board.js";
import { rampOf, remembering, type Palette, type Ramp } from "../marks/colour.js";
import { familyOf } from "../marks/domains.js";
import { drawImage, veilOf } from "../marks/image.js";
import { standingBack, type Lighting } from "../marks/lighting.js";
import { drawMatrix, mayShowText, MOST_WITH_TEXT, TEXT_WIDTH } from "../marks/matrix.js";
import { decimalsFor, fitCells, formatCell } from "../marks/numbers.js";
import { valuesOf } from "../marks/plane.js";
import type { Fill, PlacedImage, Snapshots } from "../marks/scene.js";

export interface Picture {
  lighting: Lighting;
  domains: ReadonlyMap<string, number>;
  scales: "shared" | "own";
  palette: Palette;
  lit: readonly string[];
  stale: boolean;
  shown: (board: Board) => number;
}

const LOUPE_REACH = 4;
export const LOUPE_SIDE = 2 * LOUPE_REACH + 1;
const LOUPE_ROW = 24;

/** Snapshots and palettes as numbers, so that pictures can be compared as text. */
const numbers = new WeakMap<object, number>();
let count = 0;
function numberOf(thing: object): number {
  let number = numbers.get(thing);
  if (number === undefined) numbers.set(thing, (number = ++count));
  return number;
}

/** A board's mask, as one number; a board is made anew with its mask. */
const masks = new WeakMap<Board, number>();
function maskKey(board: Board): number {
  const masked = board.tensor?.placed.masked;
  if (!masked) return 0;
  let hash = masks.get(board);
  if (hash !== undefined) return hash;
  hash = 0;
  for (let row = 0; row < board.rows; row++) {
    for (let column = 0; column < board.columns; column++)
      hash = (Math.imul(hash, 31) + (masked(row, column) ? 1 : 2)) | 0;
  }
  masks.set(board, hash);
  return hash;
}

/** Fills are looked up, not interpolated, when a picture is drawn again. */
const ramps = new WeakMap<Palette, Map<Fill, Ramp>>();
function rampFor(fill: Fill, palette: Palette): Ramp {
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

/** Decimals are one number per tensor; only the values on show count. Null where they do not fit its cells. */
const decimals = new WeakMap<object, Map<string, number | null>>();
function decimalsOf(board: Board, width: number): number | null {
  if (!board.tensor || !mayShowText(board)) return null;
  const { plane, snapshot } = board.tensor;
  let kept = decimals.get(snapshot);
  if (!kept) decimals.set(snapshot, (kept = new Map()));
  const key = `${plane.at.join()}|${width}`;
  let number = kept.get(key);
  if (number !== undefined) return number;
  const values = [...valuesOf(plane, snapshot.data)];
  number = decimalsFor(values, width);
  if (width < TEXT_WIDTH && !fitCells(values, number, width)) number = null;
  kept.set(key, number);
  return number;
}

export class StageCanvases {
  #drawn = new WeakMap<HTMLCanvasElement, string>();

  /** Draws a board's matrix when its picture differs from the one on the canvas. */
  matrix(canvas: HTMLCanvasElement, board: Board, picture: Picture): void {
    if (!board.tensor) return;
    const { placed, plane, snapshot } = board.tensor;
    const ratio = devicePixelRatio;
    const { key, back } = standingBack(board, picture.lighting, {
      lit: picture.lit.includes(board.node),
      stale: picture.stale,
    });
    const domain = picture.domains.get(familyOf(board, picture.scales)) ?? 1;
    const shown = picture.shown(board);
    const size = `${board.cellWidth}x${board.cellHeight}@${ratio}`;
    const all = [
      numberOf(snapshot),
      numberOf(picture.palette),
      plane.at.join(),
      placed.turned,
      placed.fill,
      size,
      domain,
      shown,
      key,
      maskKey(board),
    ];
    const text = all.join("|");
    if (this.#drawn.get(canvas) === text) return;
    this.#drawn.set(canvas, text);
    const { rows, columns, cellWidth, cellHeight } = board;
    const drawing = {
      rows,
      columns,
      cellWidth,
      cellHeight,
      ratio,
      value: (row: number, column: number): number => board.valueAt(row, column) ?? NaN,
      ramp: rampFor(placed.fill, picture.palette),
      domain,
      back,
      decimals: decimalsOf(board, cellWidth),
      masked: placed.masked,
      edited: editedIn(board),
      shown,
    };
    drawMatrix(canvas, drawing, picture.palette);
  }

  image(canvas: HTMLCanvasElement, image: PlacedImage, snapshots: Snapshots, palette: Palette): void {
    const snapshot = snapshots.get(image.node);
    if (!snapshot) return;
    const weights = image.veil && snapshots.get(image.veil.node);
    const across = image.patch ? Math.floor((snapshot.shape.at(-1) ?? 0) / image.patch) : 0;
    const down = image.patch ? Math.floor((snapshot.shape.at(-2) ?? 0) / image.patch) : 0;
    const veil = image.veil && weights ? veilOf(image.veil, weights, across * down) : null;
    const ratio = devicePixelRatio;
    const veiled = weights ? `${numberOf(weights)},${image.veil?.at.join()},${image.veil?.skip}` : "";
    const text = [
      numberOf(snapshot),
      numberOf(palette),
      image.size,
      ratio,
      image.patch,
      image.only,
      veiled,
    ].join("|");
    if (this.#drawn.get(canvas) === text) return;
    this.#drawn.set(canvas, text);
    drawImage(canvas, image, snapshot, veil, ratio, palette);
  }

  /** Draws the cells about `place` large enough to read; answers how large and where the place itself stands. */
  loupe(canvas: HTMLCanvasElement, board: Board, place: Place, picture: Picture): Loupe {
    const top = Math.max(0, Math.min(board.rows - LOUPE_SIDE, place[0] - LOUPE_REACH));
    const left = Math.max(0, Math.min(board.columns - LOUPE_SIDE, place[1] - LOUPE_REACH));
    const rows = Math.min(LOUPE_SIDE, board.rows);
    const columns = Math.min(LOUPE_SIDE, board.columns);
    const value = (row: number, column: number): number => board.valueAt(top + row, left + column) ?? NaN;
    const values = Array.from({ length: rows * columns }, (_, at) =>
      value(Math.floor(at / columns), at % columns),
    );
    const places = decimalsFor(values, 40);
    const longest = Math.max(...values.map((number) => formatCell(number, places).length));
    const cellWidth = Math.max(34, Math.ceil(longest * 6.4 + 7));
    const placed = board.tensor?.placed;
    const drawing = {
      rows,
      columns,
      cellWidth,
      cellHeight: LOUPE_ROW,
      ratio: devicePixelRatio,
      value,
      ramp: rampFor(placed?.fill ?? "activation", picture.palette),
      domain: picture.domains.get(familyOf(board, picture.scales)) ?? 1,
      back: (): number => 0,
      decimals: places,
      masked:
        placed?.masked &&
        ((row: number, column: number): boolean => placed.masked?.(top + row, left + column) ?? false),
      shown: Infinity,
    };
    drawMatrix(canvas, drawing, picture.palette);
    return {
      width: columns * cellWidth,
      height: rows * LOUPE_ROW,
      cell: {
        x: (place[1] - left) * cellWidth,
        y: (place[0] - top) * LOUPE_ROW,
        width: cellWidth,
        height: LOUPE_ROW,
      },
    };
  }
}

export interface Loupe {
  width: number;
  height: number;
  /** The place that is looked at, in the loupe's own pixels. */
  cell: { x: number; y: number; width: number; height: number };
}

export function needsLoupe(board: Board): boolean {
  return board.tensor !== null && board.rows * board.columns > MOST_WITH_TEXT;
}
