/** The canvases of a stage: draws those whose picture has changed and leaves the others. */
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
  /** Device pixels in a pixel of the scene. */
  ratio: number;
  shown: (board: Board) => number;
}

const LOUPE_REACH = 4;
export const LOUPE_SIDE = 2 * LOUPE_REACH + 1;
const LOUPE_ROW = 24;
/** Its cells are as wide as two decimals need, or as one of a large number. */
const LOUPE_CELL = 44;
const LOUPE_WIDE_CELL = 60;

/** Snapshots and palettes as numbers, so that pictures can be compared as text. */
const numbers = new WeakMap<object, number>();
let count = 0;
function numberOf(thing: object): number {
  let number = numbers.get(thing);
  if (number === undefined) numbers.set(thing, (number = ++count));
  return number;
}

export class StageCanvases {
  #drawn = new WeakMap<HTMLCanvasElement, string>();

  /** Draws a board's matrix when its picture differs from the one on the canvas. */
  matrix(canvas: HTMLCanvasElement, board: Board, picture: Picture): void {
    if (!board.tensor) return;
    const { placed, plane, snapshot, drawn } = board.tensor;
    const { ratio } = picture;
    const domain = picture.domains.get(familyOf(board, picture.scales)) ?? 1;
    const format = picture.formats.get(board) ?? null;
    const shown = picture.shown(board);
    const size = `${board.cellWidth}x${board.cellHeight}@${ratio}`;
    const all = [
      numberOf(snapshot),
      numberOf(drawn),
      placed.reading?.changes ? numberOf(placed.reading.changes) : "",
      numberOf(picture.palette),
      plane.at.join(),
      placed.turned,
      placed.fill,
      size,
      domain,
      format && JSON.stringify(format),
      shown,
      placed.masked ? numberOf(placed.masked) : "",
    ];
    const text = all.join("|");
    if (this.#drawn.get(canvas) === text) return;
    this.#drawn.set(canvas, text);
    const { palette } = picture;
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
    drawImage(canvas, image, snapshot, veilOn(image, snapshots), ratio, palette);
  }

  /** Draws the cells about `place` large enough to read; answers how large and where the place itself stands. */
  loupe(canvas: HTMLCanvasElement, board: Board, place: Place, picture: Picture): Loupe {
    const top = Math.max(0, Math.min(board.rows - LOUPE_SIDE, place[0] - LOUPE_REACH));
    const left = Math.max(0, Math.min(board.columns - LOUPE_SIDE, place[1] - LOUPE_REACH));
    const rows = Math.min(LOUPE_SIDE, board.rows);
    const columns = Math.min(LOUPE_SIDE, board.columns);
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
  /** The place that is looked at, in the loupe's own pixels. */
  cell: { x: number; y: number; width: number; height: number };
}

export function needsLoupe(board: Board): boolean {
  return board.tensor !== null && board.rows * board.columns > MOST_WITH_TEXT;
}
