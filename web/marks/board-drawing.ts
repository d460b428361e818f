/** How a board is drawn: its fills, decimals, marks and veil, for a canvas or a picture to take away. */
import type { Board } from "./board.js";
import { rampOf, remembering, type Palette, type Ramp } from "./colour.js";
import { patchesAcross, veilOf } from "./image.js";
import { holdsSign, mayShowText, type MatrixDrawing } from "./matrix.js";
import { decimalsFor } from "./numbers.js";
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

/** The decimals of the numbers of each board; null where they do not fit its cells. */
export type Decimals = ReadonlyMap<Board, number | null>;

const decimals = new WeakMap<Board, number | null>();
function ownDecimals(board: Board): number | null {
  let number = decimals.get(board);
  if (number !== undefined) return number;
  number = null;
  if (board.tensor && mayShowText(board))
    number = decimalsFor(valuesOf(board.tensor.plane, board.tensor.drawn.data), board.cellWidth);
  decimals.set(board, number);
  return number;
}

/**
 * The decimals of all boards. Boards of one kind, made by one operation on one scale and on cells of one width, are read beside each other:
 * they have the same, but for those whose numbers are all whole.
 */
export function decimalsOf(boards: readonly Board[]): Decimals {
  const kindOf = ({ tensor, cellWidth }: Board): string =>
    `${tensor?.placed.family} ${tensor?.drawn.op} ${cellWidth.toFixed(3)}`;
  const kinds = new Map<string, number | null>();
  for (const board of boards) {
    const own = ownDecimals(board);
    if (!board.tensor || own === 0) continue;
    const kind = kindOf(board);
    const least = kinds.get(kind);
    kinds.set(kind, own === null || least === null ? null : Math.min(own, least ?? own));
  }
  return new Map(
    boards.map((board) => [board, decimals.get(board) === 0 ? 0 : (kinds.get(kindOf(board)) ?? null)]),
  );
}

/** How each number changed, for its wedge. Where the change itself is drawn, a wedge without a sign would say nothing more. */
function changeIn(board: Board): ((row: number, column: number) => number) | undefined {
  if (!board.tensor?.changeAt) return undefined;
  const { drawn, snapshot, changeAt } = board.tensor;
  if (drawn !== snapshot && !holdsSign(board.cellWidth, board.cellHeight)) return undefined;
  return changeAt;
}

/** What differs from one drawing of a board to the next. */
export interface DrawingOptions {
  palette: Palette;
  /** The number with the last colour of the ramp. */
  domain: number;
  /** Of its numbers; null where none are set. */
  decimals: number | null;
  /** Device pixels in a CSS pixel. */
  ratio: number;
  /** Only so many cells are drawn. */
  shown: number;
}

/** A board of numbers as a matrix to draw. */
export function drawingOf(board: Board, options: DrawingOptions): MatrixDrawing {
  const { rows, columns, cellWidth, cellHeight } = board;
  const { palette, domain, decimals, ratio, shown } = options;
  return {
    rows,
    columns,
    cellWidth,
    cellHeight,
    ratio,
    value: (row, column) => board.valueAt(row, column) ?? NaN,
    ramp: rampFor(board.tensor?.placed.fill ?? "activation", palette),
    domain,
    decimals,
    masked: board.tensor?.placed.masked,
    edited: editedIn(board),
    change: changeIn(board),
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
