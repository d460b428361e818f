/** The canvases of a stage: redraws those whose picture has changed. */
import type { Board, Place } from "../../marks/board.js";
import { drawingOf, rampFor, veilOn, type CellFormats } from "../../marks/board-drawing.js";
import type { Palette } from "../../marks/colour.js";
import { familyOf } from "../../marks/domains.js";
import { drawImage } from "../../marks/image.js";
import { drawMatrix, MOST_WITH_TEXT } from "../../marks/matrix.js";
import { cellFormat, CELL_TYPE } from "../../marks/numbers.js";
import type { PlacedImage, Snapshots } from "../../marks/scene.js";

export interface Picture {
  domains: ReadonlyMap<string, number>;
  formats: CellFormats;
  scales: "shared" | "own";
  palette: Palette;
  /** Device pixels per pixel of the scene. */
  ratio: number;
  shown: (board: Board) => number;
}

const LOUPE_REACH = 4;
export const LOUPE_SIDE = 2 * LOUPE_REACH + 1;
const LOUPE_ROW = 24;
/** The width of its cells: that of two decimals, or that of a large number. */
const LOUPE_CELL = 44;
const LOUPE_WIDE_CELL = 60;
/** Cells that are narrower or lower have a loupe. */
const LEAST_WITHOUT_LOUPE = 12;

export class StageCanvases {
  /** The inputs each canvas was drawn from: it is redrawn when any of them is another object. */
  readonly #drawn = new WeakMap<HTMLCanvasElement, readonly unknown[]>();

  /** Whether a canvas shows a picture from these inputs already; if not, they are recorded as its inputs. */
  #shows(canvas: HTMLCanvasElement, from: readonly unknown[]): boolean {
    const before = this.#drawn.get(canvas);
    if (before?.length === from.length && from.every((thing, at) => Object.is(thing, before[at])))
      return true;
    this.#drawn.set(canvas, from);
    return false;
  }

  /** Draws a board's matrix when its picture differs from the one on the canvas. */
  matrix(canvas: HTMLCanvasElement, board: Board, picture: Picture): void {
    if (!board.tensor) return;
    const { placed, plane, snapshot, drawn, filledBy } = board.tensor;
    const { ratio } = picture;
    const domain = picture.domains.get(familyOf(board, picture.scales)) ?? 1;
    const format = picture.formats.get(board) ?? null;
    const shown = picture.shown(board);
    const { palette } = picture;
    const from = [
      snapshot,
      drawn,
      placed.reading?.changes,
      palette,
      plane.at.join(),
      placed.turned,
      placed.fill,
      board.cellWidth,
      board.cellHeight,
      ratio,
      domain,
      format && JSON.stringify(format),
      shown,
      placed.masked?.join(),
      filledBy,
    ];
    if (this.#shows(canvas, from)) return;
    drawMatrix(canvas, drawingOf(board, { palette, domain, format, ratio, shown }), palette);
  }

  image(
    canvas: HTMLCanvasElement,
    image: PlacedImage,
    snapshots: Snapshots,
    { palette, ratio }: Picture,
  ): void {
    const snapshot = snapshots.get(image.node);
    if (!snapshot) return;
    const weights = image.veil && snapshots.get(image.veil.node);
    const { size, patch, only, veil } = image;
    const from = [
      snapshot,
      palette,
      size,
      ratio,
      patch,
      only,
      weights,
      veil?.at.join(),
      veil?.skip,
      veil?.tint,
    ];
    if (this.#shows(canvas, from)) return;
    drawImage(canvas, image, snapshot, veilOn(image, snapshots), ratio, palette);
  }

  /**
   * Draws the cells around `place` large enough to read, as many as `mostWidth` holds; returns the size, and where
   * the place itself is.
   */
  loupe(canvas: HTMLCanvasElement, board: Board, place: Place, picture: Picture, mostWidth: number): Loupe {
    const rows = Math.min(LOUPE_SIDE, board.rows);
    const columns = Math.max(1, Math.min(LOUPE_SIDE, board.columns, Math.floor(mostWidth / LOUPE_WIDE_CELL)));
    const top = Math.max(0, Math.min(board.rows - rows, place[0] - LOUPE_REACH));
    const left = Math.max(0, Math.min(board.columns - columns, place[1] - Math.floor(columns / 2)));
    const domain = picture.domains.get(familyOf(board, picture.scales)) ?? 1;
    const value = (row: number, column: number): number => board.valueAt(top + row, left + column) ?? NaN;
    const values = Array.from({ length: rows * columns }, (_, at) =>
      value(Math.floor(at / columns), at % columns),
    );
    const cellWidth = cellFormat(values, LOUPE_CELL)?.size === CELL_TYPE ? LOUPE_CELL : LOUPE_WIDE_CELL;
    const placed = board.tensor?.placed;
    const drawing = {
      rows,
      columns,
      cellWidth,
      cellHeight: LOUPE_ROW,
      ratio: picture.ratio,
      value,
      ramp: rampFor(placed?.fill ?? "activation", picture.palette),
      domain,
      format: cellFormat(values, cellWidth),
      masked:
        placed?.masked &&
        ((row: number, column: number) => placed.masked?.[top + row]?.[left + column] ?? false),
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
  /** The cell at the place, in the loupe's own pixels. */
  cell: { x: number; y: number; width: number; height: number };
}

export function needsLoupe({ tensor, rows, columns, cellWidth, cellHeight }: Board): boolean {
  const isSmall = Math.min(cellWidth, cellHeight) < LEAST_WITHOUT_LOUPE;
  return tensor !== null && !tensor.placed.form && (isSmall || rows * columns > MOST_WITH_TEXT);
}
