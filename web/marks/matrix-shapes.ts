/** The cells of a matrix as shapes, for an SVG: the same fills, numbers, hatch and marks as on a canvas. */
import { blend, cssColour, textOn, type Palette } from "./colour.js";
import { cellColours } from "./map.js";
import { CELL_TYPE, cellGap, LEAST_AIR, MOST_WITH_TEXT, type MatrixDrawing } from "./matrix.js";
import { formatCell } from "./numbers.js";
import { plainParts, type BitmapShape, type Shape } from "./shapes.js";

/** Cells of a matrix at `left`, `top`. A matrix of very many cells is one picture with a pixel per cell. */
export function matrixShapes(drawing: MatrixDrawing, left: number, top: number, palette: Palette): Shape[] {
  const gap = cellGap(drawing.cellWidth, drawing.cellHeight, 1);
  if (gap === 0 || drawing.rows * drawing.columns > MOST_WITH_TEXT)
    return [bitmapOf(drawing, left, top, palette)];
  return Array.from({ length: drawing.rows * drawing.columns }, (_, at) =>
    at < drawing.shown
      ? cellShapes(drawing, Math.floor(at / drawing.columns), at % drawing.columns, left, top, gap, palette)
      : [],
  ).flat();
}

function bitmapOf(drawing: MatrixDrawing, x: number, y: number, palette: Palette): BitmapShape {
  const { rows, columns, cellWidth, cellHeight } = drawing;
  const colourAt = cellColours(drawing, palette);
  const pixels = new Uint8Array(rows * columns * 3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      pixels.set(colourAt(row, column), (row * columns + column) * 3);
  }
  return {
    kind: "bitmap",
    x,
    y,
    width: columns * cellWidth,
    height: rows * cellHeight,
    columns,
    rows,
    pixels,
  };
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function cellShapes(
  drawing: MatrixDrawing,
  row: number,
  column: number,
  x: number,
  y: number,
  gap: number,
  palette: Palette,
): Shape[] {
  const { cellWidth, cellHeight, decimals } = drawing;
  const before = Math.floor(gap / 2);
  const left = x + column * cellWidth + before;
  const top = y + row * cellHeight + before;
  const box: Box = { left, top, right: left + cellWidth - gap, bottom: top + cellHeight - gap };
  const value = drawing.value(row, column);
  const masked = drawing.masked?.(row, column) ?? false;
  const broken = !masked && !Number.isFinite(value);
  const full = masked || broken ? palette.cellZero : drawing.ramp(value / drawing.domain);
  const fill = blend(full, palette.paper, masked ? 0 : drawing.back(row, column));
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const shapes: Shape[] = [{ kind: "rect", x: left, y: top, width, height, fill: cssColour(fill) }];
  if (masked)
    shapes.push({ kind: "path", d: hatch(box), stroke: { colour: cssColour(palette.rule2), weight: 1.5 } });
  if (drawing.edited?.(row, column))
    shapes.push({ kind: "path", d: corner(box), fill: cssColour(palette.ink) });
  if (broken) shapes.push(outline(box, palette));
  if (decimals !== null) {
    shapes.push({
      kind: "text",
      x: (box.left + box.right) / 2,
      y: (box.top + box.bottom) / 2 + 4,
      parts: plainParts(formatCell(value, decimals)),
      size: CELL_TYPE,
      family: "sans",
      weight: 400,
      italic: false,
      fill: masked ? cssColour(palette.ink3) : textOn(fill),
      anchor: "middle",
      most: width - 2 * LEAST_AIR,
    });
  }
  return shapes;
}

/** 45 degrees, 6 px apart, running on from cell to cell; each line cut to the cell. */
function hatch({ left, top, right, bottom }: Box): string {
  const pitch = 6 * Math.SQRT2;
  const lines: string[] = [];
  for (let sum = Math.ceil((left + top) / pitch) * pitch; sum < right + bottom; sum += pitch) {
    const [fromX, toX] = [Math.min(right, sum - top), Math.max(left, sum - bottom)];
    if (fromX > toX) lines.push(`M${round(fromX)} ${round(sum - fromX)}L${round(toX)} ${round(sum - toX)}`);
  }
  return lines.join("");
}

const round = (length: number): number => Math.round(length * 100) / 100;

/** A number changed by hand: an ink corner. */
function corner({ left, top, right, bottom }: Box): string {
  const side = Math.min(10, 0.45 * (right - left), 0.45 * (bottom - top));
  return `M${round(right - side)} ${top}H${right}V${round(top + side)}Z`;
}

/** Not a number, or infinite: a dashed outline; where that would not be seen, the cell itself in the notice colour. */
function outline({ left, top, right, bottom }: Box, palette: Palette): Shape {
  const line = 2;
  const colour = cssColour(palette.notice);
  const [width, height] = [right - left, bottom - top];
  if (Math.min(width, height) < 6 * line)
    return { kind: "rect", x: left, y: top, width, height, fill: colour };
  return {
    kind: "rect",
    x: left + line / 2,
    y: top + line / 2,
    width: width - line,
    height: height - line,
    stroke: { colour, weight: line, dash: [4, 3] },
  };
}
