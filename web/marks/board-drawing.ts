/** How a board is drawn: its fills, decimals, marks and veil, for a canvas or a picture to take away. */
import type { Board } from "./board.js";
import { rampOf, remembering, type Palette, type Ramp } from "./colour.js";
import { patchesAcross, veilOf } from "./image.js";
import { holdsSign, mayShowText, type MatrixDrawing } from "./matrix.js";
import { cellFormat, truthFormat, type CellFormat } from "./numbers.js";
import { memoizedBy } from "./once.js";
import { valuesOf } from "./plane.js";
import type { Fill, PlacedImage, Snapshots } from "./scene.js";

/** Fills are looked up, not interpolated, when a picture is drawn again. */
const ramps = memoizedBy((_: Palette) => new Map<Fill, Ramp>());
export function rampFor(fill: Fill, palette: Palette): Ramp {
  const made = ramps(palette);
  const ramp = made.get(fill) ?? remembering(rampOf(fill, palette));
  made.set(fill, ramp);
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

/** How the numbers of each board are written; null where they do not fit its cells. */
export type CellFormats = ReadonlyMap<Board, CellFormat | null>;

/** How many times as large as on cells the numbers of a plain tensor are. */
const PLAIN = 1.8;

function formatIn(board: Board, values: Iterable<number>): CellFormat | null {
  if (!board.tensor?.placed.plain) return cellFormat(values, board.cellWidth);
  const format = cellFormat(values, board.cellWidth / PLAIN);
  return format && { ...format, size: format.size * PLAIN };
}

const ownFormat = memoizedBy((board: Board): CellFormat | null =>
  board.tensor && mayShowText(board)
    ? board.tensor.placed.truth && board.tensor.drawn === board.tensor.snapshot
      ? truthFormat(board.cellWidth)
      : formatIn(board, valuesOf(board.tensor.plane, board.tensor.drawn.data))
    : null,
);

/**
 * How the numbers of all boards are written. Boards of one kind, made by one operation on one scale and on cells of one width, are read
 * beside each other: those that have numbers have them alike, but for those whose numbers are all whole.
 */
export function formatsOf(boards: readonly Board[]): CellFormats {
  const kindOf = ({ tensor, cellWidth }: Board): string =>
    `${tensor?.placed.family} ${tensor?.drawn.op} ${cellWidth.toFixed(3)}`;
  const kinds = new Map<string, CellFormat>();
  for (const board of boards) {
    const own = ownFormat(board);
    if (!own || own.decimals === 0) continue;
    const { decimals, size, cut, bare } = kinds.get(kindOf(board)) ?? own;
    kinds.set(kindOf(board), {
      decimals: Math.min(own.decimals, decimals),
      size: Math.min(own.size, size),
      cut: own.cut || cut,
      bare: own.bare || bare,
    });
  }
  return new Map(
    boards.map((board) => {
      const own = ownFormat(board);
      return [board, own && own.decimals > 0 ? kinds.get(kindOf(board))! : own];
    }),
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
  format: CellFormat | null;
  /** Device pixels in a CSS pixel. */
  ratio: number;
  /** Only so many cells are drawn. */
  shown: number;
}

/** A board of numbers as a matrix to draw. */
export function drawingOf(board: Board, options: DrawingOptions): MatrixDrawing {
  const { rows, columns, cellWidth, cellHeight } = board;
  const { palette, domain, format, ratio, shown } = options;
  const masked = board.tensor?.placed.masked;
  return {
    rows,
    columns,
    cellWidth,
    cellHeight,
    ratio,
    value: (row, column) => board.valueAt(row, column) ?? NaN,
    ramp: board.tensor?.placed.plain
      ? () => palette.paper
      : rampFor(board.tensor?.placed.fill ?? "activation", palette),
    domain,
    format,
    masked: masked && ((row, column) => masked[row]?.[column] ?? false),
    edited: editedIn(board),
    change: changeIn(board),
    shown,
    joined: board.tensor?.placed.joined,
    plain: board.tensor?.placed.plain,
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
