/** Turns a board into drawing instructions: fills, number formats, marks and veil, for a canvas and for an exported picture. */
import type { Board } from "./board.js";
import { rampOf, memoizedRamp, type Palette, type Ramp } from "./colour.js";
import { patchesAcross, veilOf } from "./image.js";
import { holdsSign, mayShowText, type MatrixDrawing } from "./matrix.js";
import { cellFormat, truthFormat, type CellFormat } from "./numbers.js";
import { memoizedBy } from "./memoized-by.js";
import { valuesOf } from "./plane.js";
import type { Fill, PlacedImage, Snapshots } from "./scene.js";

/** The ramps of each palette, memoized, so that a redraw does not interpolate colours again. */
const ramps = memoizedBy((_: Palette) => new Map<Fill, Ramp>());
export function rampFor(fill: Fill, palette: Palette): Ramp {
  const rampByFill = ramps(palette);
  const ramp = rampByFill.get(fill) ?? memoizedRamp(rampOf(fill, palette));
  rampByFill.set(fill, ramp);
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

/** How the numbers of each board are written; null if they do not fit its cells. */
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
 * How the numbers of all boards are written. Boards with the same operation, colour scale and cell width are compared by the
 * reader, so they share one format; tensors of whole numbers keep their own.
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

/** The change of each number, for its wedge. If the cells show the changes themselves, a wedge is drawn only if it has room for a sign. */
function changeIn(board: Board): ((row: number, column: number) => number) | undefined {
  if (!board.tensor?.changeAt) return undefined;
  const { drawn, snapshot, changeAt } = board.tensor;
  if (drawn !== snapshot && !holdsSign(board.cellWidth, board.cellHeight)) return undefined;
  return changeAt;
}

/** The options that differ between two drawings of a board. */
export interface DrawingOptions {
  palette: Palette;
  /** The number at the end of the colour ramp. */
  domain: number;
  /** The format of its numbers; null if none are printed. */
  format: CellFormat | null;
  /** Device pixels per CSS pixel. */
  ratio: number;
  /** The number of cells to draw. */
  shown: number;
}

/** The drawing of a board that shows a matrix. */
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

/** The opacity of the veil over each patch of an image; null if there is no veil. */
export function veilOn(image: PlacedImage, snapshots: Snapshots): number[] | null {
  const shape = snapshots.get(image.node)?.shape ?? [];
  const weights = image.veil && snapshots.get(image.veil.node);
  if (!image.veil || !weights) return null;
  const down = image.patch ? Math.floor((shape.at(-2) ?? 0) / image.patch) : 0;
  return veilOf(image.veil, weights, patchesAcross(image, shape) * down);
}
