/** Draws a matrix of numbers on a canvas, in device pixels: fills, text, hatch, marks. See DESIGN.md, section 4. */
import { cssColour, rampColour, textOn, textOnAll, type Palette, type Ramp, type Rgb } from "./colour.js";
import type { Rectangle } from "./board.js";
import { drawMap } from "./map.js";
import { cutTo, textWidth } from "./measure.js";
import { CELL_TYPE, cellTextWidth, formatCell, type CellFormat } from "./numbers.js";

/** The matrix to draw. Rows and columns count from its upper left cell. */
export interface MatrixDrawing {
  rows: number;
  columns: number;
  /** The size of a cell in CSS pixels. */
  cellWidth: number;
  cellHeight: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
  value: (row: number, column: number) => number;
  ramp: Ramp;
  /** The number at the end of the colour ramp. */
  domain: number;
  /** The format of the numbers on the cells; null if none are printed. */
  format: CellFormat | null;
  masked?: ((row: number, column: number) => boolean) | undefined;
  edited?: ((row: number, column: number) => boolean) | undefined;
  /** The change of a number; its sign is marked. */
  change?: ((row: number, column: number) => number) | undefined;
  /** The number of cells to draw, row by row. The others do not count as computed yet. */
  shown: number;
  /** Whether cells have no gaps between them, whatever their size. */
  joined?: boolean | undefined;
  /** Its numbers stand on paper: in bold serif type, or if small as on cells. */
  plain?: boolean | "small" | undefined;
  /** Where a cell is drawn, from the matrix's own corner, if the cells are not equal rectangles. What is between them stays clear. */
  box?: (row: number, column: number) => Rectangle;
  /** The number whose colour fills a cell, if it is another than its own. */
  filled?: (row: number, column: number) => number;
  /** Of cells that share a row: the names of the columns, written before the numbers of those that are wide enough. */
  names?: readonly string[];
  /** What is written on the cells of each column in place of their numbers, in bold. */
  written?: readonly string[] | undefined;
}

/** Smaller cells hold no text. */
const TEXT_WIDTH = 16;
const TEXT_HEIGHT = 18;
/** A matrix with more cells than this has no numbers on them; a loupe shows the numbers. */
export const MOST_WITH_TEXT = 4096;
/** Cells under 6 px have no gaps; those under 3 px are drawn as whole device pixels or averaged. */
const LEAST_WITH_GAP = 6;
const LEAST_DRAWN = 3;

export function mayShowText(
  drawing: Pick<MatrixDrawing, "rows" | "columns" | "cellWidth" | "cellHeight">,
): boolean {
  const { rows, columns, cellWidth, cellHeight } = drawing;
  return cellWidth >= TEXT_WIDTH && cellHeight >= TEXT_HEIGHT && rows * columns <= MOST_WITH_TEXT;
}

/** The type size of names on cells. */
const WRITTEN_TYPE = 13;
/** The margin on each side of them, and the type size in plain letters that are as wide. */
const WRITTEN_AIR = 1;
const BOLD_WIDTH = 14.5;

/** The margin on each side of the text on a cell that shares its row. */
const SHARED_AIR = 4;

/** The gap between two cells in device pixels; 0 if they have none. */
export function cellGap({ cellWidth, cellHeight, joined, filled }: MatrixDrawing, ratio: number): number {
  return joined || filled || Math.min(cellWidth, cellHeight) < LEAST_WITH_GAP
    ? 0
    : Math.max(1, Math.round(ratio));
}

/** Whether cells are drawn as pixels, without text or marks. */
export function isPicture({ rows, columns, cellWidth, cellHeight, joined, box }: MatrixDrawing): boolean {
  if (box) return false;
  return joined === true || Math.min(cellWidth, cellHeight) < LEAST_DRAWN || rows * columns > MOST_WITH_TEXT;
}

/** Whether cells are nothing but rectangles of one colour each, of whole pixels, so that drawing their pixels gives the same. */
function hasFillsAlone(drawing: MatrixDrawing, width: number, height: number, gap: number): boolean {
  const { rows, columns, format, masked, edited, change, box, plain } = drawing;
  if (format || masked || edited || change || box || plain) return false;
  if (gap === 0 && (width % columns > 0 || height % rows > 0)) return false;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      if (!Number.isFinite(drawing.value(row, column))) return false;
  return true;
}

/** How far the baseline of a number of this size is below the middle of its cell. */
export const dropOf = (size: number): number => (4 * size) / CELL_TYPE;

/** The text of a cell that shares its row: "key 0 · 1.00", its number, or nothing, depending on its width. */
function sharedText(drawing: MatrixDrawing, format: CellFormat, row: number, column: number): string {
  const { width } = drawing.box!(row, column);
  const number = formatCell(drawing.value(row, column), format, width);
  const named = `${drawing.names![column] ?? ""} · ${number}`;
  if (textWidth(named, format.size) + 2 * SHARED_AIR <= width) return named;
  return cellTextWidth(number, format.size) + 2 * SHARED_AIR <= width ? number : "";
}

/** The size in CSS pixels, the family and the weight of the letters on cells. */
export const typeOf = ({ plain, written, format }: MatrixDrawing) =>
  ({
    size: written ? WRITTEN_TYPE : (format?.size ?? CELL_TYPE),
    family: plain === true ? "serif" : "sans",
    weight: plain === true || written ? 600 : 400,
  }) as const;

/** The edges of a cell in device pixels, without the gap. */
function edgesOf(drawing: MatrixDrawing, row: number, column: number, width: number, height: number) {
  const { rows, columns, ratio, box } = drawing;
  const gap = cellGap(drawing, ratio);
  if (box) {
    const { x, y, ...size } = box(row, column);
    const left = Math.round(x * ratio);
    const right = Math.max(left, Math.round((x + size.width) * ratio) - gap);
    return { left, right, top: Math.round(y * ratio), bottom: Math.round((y + size.height) * ratio) };
  }
  const before = Math.floor(gap / 2);
  return {
    left: Math.round((column * width) / columns) + before,
    right: Math.round(((column + 1) * width) / columns) - (gap - before),
    top: Math.round((row * height) / rows) + before,
    bottom: Math.round(((row + 1) * height) / rows) - (gap - before),
  };
}

/** The text of each cell, row by row, and its colour. Equal numbers have the same colour if it is readable on all of their fills. */
export function textsOf(
  drawing: MatrixDrawing,
): ((at: number, fill: Rgb) => { text: string; colour: "#000" | "#fff" }) | null {
  const { rows, columns, format, ramp, domain } = drawing;
  if (!format) return null;
  const fills = new Map<string, Rgb[]>();
  const texts = Array.from({ length: rows * columns }, (_, at) => {
    const value = drawing.value(Math.floor(at / columns), at % columns);
    const text = drawing.written
      ? cutTo(drawing.written[at % columns] ?? "", drawing.cellWidth - 2 * WRITTEN_AIR, BOLD_WIDTH)
      : drawing.names
        ? sharedText(drawing, format, Math.floor(at / columns), at % columns)
        : formatCell(value, format, drawing.cellWidth);
    const masked = drawing.masked?.(Math.floor(at / columns), at % columns) ?? false;
    if (!masked && Number.isFinite(value)) {
      const all = fills.get(text);
      if (all) all.push(ramp(value / domain));
      else fills.set(text, [ramp(value / domain)]);
    }
    return text;
  });
  const colours = new Map([...fills].map(([text, all]) => [text, textOnAll(all)]));
  return (at, fill) => ({ text: texts[at] ?? "", colour: (colours.get(texts[at] ?? "") ?? textOn)(fill) });
}

/** Resizes the canvas to the matrix in device pixels, and draws it. */
export function drawMatrix(canvas: HTMLCanvasElement, drawing: MatrixDrawing, palette: Palette): void {
  const { rows, columns, cellWidth, cellHeight, ratio } = drawing;
  const width = Math.max(1, Math.round(columns * cellWidth * ratio));
  const height = Math.max(1, Math.round(rows * cellHeight * ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.fillStyle = cssColour(palette.paper);
  if (drawing.box) context.clearRect(0, 0, width, height);
  else context.fillRect(0, 0, width, height);
  const gap = cellGap(drawing, ratio);
  if (isPicture(drawing) || hasFillsAlone(drawing, width, height, gap))
    drawMap(context, drawing, palette, width, height, gap);
  else drawCells(context, drawing, palette, width, height);
}

function drawCells(
  context: CanvasRenderingContext2D,
  drawing: MatrixDrawing,
  palette: Palette,
  width: number,
  height: number,
): void {
  const { rows, columns, ratio } = drawing;
  const texts = textsOf(drawing);
  const { size, family, weight } = typeOf(drawing);
  context.font = `${weight} ${size * ratio}px ${palette[family]}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (row * columns + column >= drawing.shown) return;
      const { left, right, top, bottom } = edgesOf(drawing, row, column, width, height);
      const value = drawing.value(row, column);
      const masked = drawing.masked?.(row, column) ?? false;
      const isNotFinite = !masked && !Number.isFinite(value);
      const share = masked || isNotFinite ? 0 : (drawing.filled?.(row, column) ?? value) / drawing.domain;
      const fill = drawing.ramp(share);
      context.fillStyle = rampColour(fill);
      if (drawing.plain !== "small") context.fillRect(left, top, right - left, bottom - top);
      if (masked) hatch(context, palette, left, top, right, bottom, ratio);
      if (drawing.edited?.(row, column)) corner(context, palette, left, top, right, bottom, ratio);
      const change = drawing.change?.(row, column) ?? 0;
      if (change !== 0 && !Number.isNaN(change))
        wedge(context, palette, left, top, right, bottom, ratio, change);
      if (isNotFinite) outline(context, palette, left, top, right, bottom, ratio);
      // NaN on a masked cell, such as the difference of two masked numbers, is not printed.
      if (texts && !(masked && Number.isNaN(value))) {
        // Unchanged numbers are paler than changed ones.
        const isUnchanged = drawing.change !== undefined && value === 0 && change === 0;
        const { text, colour } = texts(row * columns + column, fill);
        context.fillStyle = masked || isUnchanged ? cssColour(palette.ink3) : colour;
        const baseline = (top + bottom) / 2 + dropOf(size * ratio);
        context.fillText(text, (left + right) / 2, baseline);
      }
    }
  }
}

/** Draws hatch lines at 45 degrees, 6 px apart, continuous from cell to cell. */
function hatch(
  context: CanvasRenderingContext2D,
  palette: Palette,
  left: number,
  top: number,
  right: number,
  bottom: number,
  ratio: number,
): void {
  const pitch = 6 * Math.SQRT2 * ratio;
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
  context.beginPath();
  for (let sum = Math.floor((left + top) / pitch) * pitch; sum <= right + bottom; sum += pitch) {
    context.moveTo(sum - top, top);
    context.lineTo(sum - bottom, bottom);
  }
  context.lineWidth = 1.5 * ratio;
  context.strokeStyle = cssColour(palette.rule2);
  context.stroke();
  context.restore();
}

/** Draws the mark of a number changed by hand: a corner in the text colour. */
function corner(
  context: CanvasRenderingContext2D,
  palette: Palette,
  left: number,
  top: number,
  right: number,
  bottom: number,
  ratio: number,
): void {
  const side = Math.min(10 * ratio, 0.45 * (right - left), 0.45 * (bottom - top));
  context.beginPath();
  context.moveTo(right - side, top);
  context.lineTo(right, top);
  context.lineTo(right, top + side);
  context.closePath();
  context.fillStyle = cssColour(palette.ink);
  context.fill();
}

/** The largest side of a wedge, and the sizes of its sign by the least side that has room for it. */
const WEDGE = 12;
const SIGNS = [
  { from: 10, size: 5 },
  { from: 7, size: 3 },
];

export function wedgeSide(width: number, height: number): number {
  return Math.min(WEDGE, 0.4 * width, 0.4 * height);
}

/** The sign in a wedge of `side` CSS pixels; undefined if there is no room. */
export function signIn(side: number): { from: number; size: number } | undefined {
  return SIGNS.find(({ from }) => side >= from);
}

/** Whether a cell has room for a wedge with a sign. */
export function holdsSign(cellWidth: number, cellHeight: number): boolean {
  return signIn(wedgeSide(cellWidth - 1, cellHeight - 1)) !== undefined;
}

/** Draws the mark of a changed number: a wedge in the lower left corner with the sign of the change. */
function wedge(
  context: CanvasRenderingContext2D,
  palette: Palette,
  left: number,
  top: number,
  right: number,
  bottom: number,
  ratio: number,
  change: number,
): void {
  const side = ratio * wedgeSide((right - left) / ratio, (bottom - top) / ratio);
  context.beginPath();
  context.moveTo(left, bottom - side);
  context.lineTo(left, bottom);
  context.lineTo(left + side, bottom);
  context.closePath();
  context.fillStyle = cssColour(palette.ink);
  context.fill();
  const sign = signIn(side / ratio);
  if (!sign) return;
  // An odd number of whole device pixels about the middle keeps the strokes sharp.
  const line = Math.max(1, Math.round(ratio));
  const half = Math.round((sign.size * ratio - line) / 2);
  const x = left + Math.round(0.29 * side);
  const y = bottom - Math.round(0.29 * side) - line;
  context.fillStyle = cssColour(palette.paper);
  context.fillRect(x - half, y, 2 * half + line, line);
  if (change > 0) context.fillRect(x, y - half, line, 2 * half + line);
}

/** Draws the mark of NaN and infinity: a dashed outline; if the cell is too small for it, the whole cell in the notice colour. */
function outline(
  context: CanvasRenderingContext2D,
  palette: Palette,
  left: number,
  top: number,
  right: number,
  bottom: number,
  ratio: number,
): void {
  const line = 2 * ratio;
  if (Math.min(right - left, bottom - top) < 6 * line) {
    context.fillStyle = cssColour(palette.notice);
    context.fillRect(left, top, right - left, bottom - top);
    return;
  }
  context.save();
  context.setLineDash([4 * ratio, 3 * ratio]);
  context.lineWidth = line;
  context.strokeStyle = cssColour(palette.notice);
  context.strokeRect(left + line / 2, top + line / 2, right - left - line, bottom - top - line);
  context.restore();
}
