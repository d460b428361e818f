/** Turns a board into drawing instructions: fills, number formats, marks and veil, for a canvas and for an exported picture. */
import { rectangleOf, type Board, type Rectangle } from "./board.js";
import { rampOf, memoizedRamp, tabulatedRamp, type Palette, type Ramp } from "./colour.js";
import { patchesAcross, veilOf } from "./image.js";
import { holdsSign, mayShowText, type MatrixDrawing } from "./matrix.js";
import { CELL_TYPE, cellFormat, truthFormat, type CellFormat } from "./numbers.js";
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

/** A board with more cells has its colours from a table: while a model learns, all its numbers change with each step. */
const MOST_EXACT = 256;
const tableOf = memoizedBy((ramp: Ramp) => tabulatedRamp(ramp));

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
const PLAIN = { large: 1.8, small: 13 / CELL_TYPE };
/** How the numbers of shares are written, on those that are wide enough. */
const SHARE_FORMAT: CellFormat = { decimals: 2, size: CELL_TYPE, cut: false, bare: false };

function formatIn(board: Board, values: Iterable<number>): CellFormat | null {
  const { plain, form } = board.tensor!.placed;
  if (form?.kind === "shares") return SHARE_FORMAT;
  if (form) return null;
  if (!plain) return cellFormat(values, board.cellWidth);
  const scale = PLAIN[plain === "small" ? "small" : "large"];
  const format = cellFormat(values, board.cellWidth / scale);
  return format && { ...format, size: format.size * scale };
}

/** How much lower cells without fills may be: their numbers need no margins. */
const NO_MARGINS = 5;

/** Whether there is room for numbers: of cells that share a row, each has its own width. */
function mayShowNumbers(board: Board): boolean {
  const [above, below] = board.inset ?? [0, 0];
  const cellWidth = board.ends ? Infinity : board.cellWidth;
  const spare = board.tensor?.placed.plain === "small" ? NO_MARGINS : 0;
  return mayShowText({ ...board, cellWidth, cellHeight: board.cellHeight - above - below + spare });
}

const ownFormat = memoizedBy((board: Board): CellFormat | null =>
  board.tensor && mayShowNumbers(board)
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

/** The boxes, fills and names of cells that are not equal rectangles. */
function boxesIn(board: Board): Pick<MatrixDrawing, "box" | "filled" | "names"> {
  const { placed, plane, drawn, snapshot, filledBy } = board.tensor!;
  const { form, inset } = placed;
  if (form?.kind === "scale" || (!form && !inset)) return {};
  const cell = (row: number, column: number): Rectangle => {
    const { x, y, ...size } = rectangleOf(board, { top: row, bottom: row, left: column, right: column });
    return { x: x - board.x, y: y - board.y, ...size };
  };
  // A reading other than the node's own numbers is drawn on whole cells.
  if (form?.kind !== "bars" || !filledBy || drawn !== snapshot)
    return { box: cell, ...(form?.kind === "shares" && { names: placed.columnNames ?? [] }) };
  return {
    box(row, column) {
      const { x, y, width, height } = cell(row, column);
      const high = (height * (board.ownAt(row, column) ?? 0)) / form.most;
      return { x, y: y + height - high, width, height: high };
    },
    filled: (_row, column) => filledBy.data[plane.firstColumn + column] ?? NaN,
  };
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
  const ramp = rampFor(board.tensor?.placed.fill ?? "activation", palette);
  return {
    rows,
    columns,
    cellWidth,
    cellHeight,
    ratio,
    value: (row, column) => board.valueAt(row, column) ?? NaN,
    ramp: board.tensor?.placed.plain
      ? () => palette.paper
      : rows * columns > MOST_EXACT
        ? tableOf(ramp)
        : ramp,
    domain,
    format,
    masked: masked && ((row, column) => masked[row]?.[column] ?? false),
    edited: editedIn(board),
    change: changeIn(board),
    shown,
    joined: board.tensor?.placed.joined,
    ...boxesIn(board),
    plain: board.tensor?.placed.plain,
    written: board.tensor?.drawn === board.tensor?.snapshot ? board.tensor?.placed.cellNames : undefined,
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
