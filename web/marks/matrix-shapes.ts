/** The cells of a matrix as SVG shapes, with the same fills, numbers, hatch and marks as on a canvas. */
import { cssColour, type Palette } from "./colour.js";
import { cellColours } from "./map.js";
import {
  cellGap,
  dropOf,
  isPicture,
  signIn,
  textsOf,
  typeOf,
  wedgeSide,
  type MatrixDrawing,
} from "./matrix.js";
import { plainParts, type BitmapShape, type Shape } from "./shapes.js";

/** The shapes of a matrix whose first cell is at `left`, `top`. A matrix with very many cells becomes one image with a pixel per cell. */
export function matrixShapes(drawing: MatrixDrawing, left: number, top: number, palette: Palette): Shape[] {
  if (isPicture(drawing)) return [bitmapOf(drawing, left, top, palette)];
  const gap = cellGap(drawing, 1);
  const { rows, columns, cellWidth, cellHeight } = drawing;
  // The background under the cells hides the lines behind the matrix between its cells, as on the canvas.
  const paper: Shape = {
    kind: "rect",
    x: left,
    y: top,
    width: columns * cellWidth,
    height: rows * cellHeight,
    fill: cssColour(palette.paper),
  };
  const texts = textsOf(drawing);
  const cells = Array.from({ length: Math.min(rows * columns, drawing.shown) }, (_, at) =>
    cellShapes(drawing, texts, Math.floor(at / columns), at % columns, left, top, gap, palette),
  );
  return [...(drawing.box ? [] : [paper]), ...cells.flat()];
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
  texts: ReturnType<typeof textsOf>,
  row: number,
  column: number,
  x: number,
  y: number,
  gap: number,
  palette: Palette,
): Shape[] {
  const { cellWidth, cellHeight } = drawing;
  const before = Math.floor(gap / 2);
  const own = drawing.box?.(row, column);
  const left = x + (own ? own.x : column * cellWidth + before);
  const top = y + (own ? own.y : row * cellHeight + before);
  const box: Box = {
    left,
    top,
    right: left + Math.max(0, (own?.width ?? cellWidth) - gap),
    bottom: top + (own?.height ?? cellHeight - gap),
  };
  const value = drawing.value(row, column);
  const masked = drawing.masked?.(row, column) ?? false;
  const isNotFinite = !masked && !Number.isFinite(value);
  const share = masked || isNotFinite ? 0 : (drawing.filled?.(row, column) ?? value) / drawing.domain;
  const fill = drawing.ramp(share);
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const rect: Shape = { kind: "rect", x: left, y: top, width, height, fill: cssColour(fill) };
  const shapes: Shape[] = drawing.plain === "small" ? [] : [rect];
  if (masked)
    shapes.push({ kind: "path", d: hatch(box), stroke: { colour: cssColour(palette.rule2), weight: 1.5 } });
  if (drawing.edited?.(row, column))
    shapes.push({ kind: "path", d: corner(box), fill: cssColour(palette.ink) });
  const change = drawing.change?.(row, column) ?? 0;
  if (change !== 0 && !Number.isNaN(change)) shapes.push(...wedge(box, change, palette));
  if (isNotFinite) shapes.push(outline(box, palette));
  // NaN on a masked cell, such as the difference of two masked numbers, is not printed.
  if (texts && !(masked && Number.isNaN(value))) {
    const { text, colour } = texts(row * drawing.columns + column, fill);
    const { size, family, weight } = typeOf(drawing);
    const unchanged = drawing.change !== undefined && value === 0 && change === 0;
    shapes.push({
      kind: "text",
      x: (box.left + box.right) / 2,
      y: (box.top + box.bottom) / 2 + dropOf(size),
      parts: plainParts(text),
      size,
      family,
      weight,
      italic: false,
      fill: masked || unchanged ? cssColour(palette.ink3) : colour,
      anchor: "middle",
    });
  }
  return shapes;
}

/** Hatch lines at 45 degrees, 6 px apart, continuous from cell to cell and each clipped to its cell. */
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

/** The mark of a number changed by hand: a corner in the text colour. */
function corner({ left, top, right, bottom }: Box): string {
  const side = Math.min(10, 0.45 * (right - left), 0.45 * (bottom - top));
  return `M${round(right - side)} ${top}H${right}V${round(top + side)}Z`;
}

/** The mark of a number that differs from the stored state: a wedge in the lower left corner with the sign of the change. */
function wedge({ left, top, right, bottom }: Box, change: number, palette: Palette): Shape[] {
  const side = wedgeSide(right - left, bottom - top);
  const shapes: Shape[] = [
    {
      kind: "path",
      d: `M${left} ${round(bottom - side)}V${bottom}H${round(left + side)}Z`,
      fill: cssColour(palette.ink),
    },
  ];
  const sign = signIn(side);
  if (!sign) return shapes;
  const half = sign.size / 2;
  const [x, y] = [left + 0.29 * side + 0.5, bottom - 0.29 * side - 0.5];
  const across = `M${round(x - half)} ${round(y)}h${sign.size}`;
  const down = `M${round(x)} ${round(y - half)}v${sign.size}`;
  const stroke = { colour: cssColour(palette.paper), weight: 1 };
  return [...shapes, { kind: "path", d: change > 0 ? across + down : across, stroke }];
}

/** The mark of NaN and infinity: a dashed outline; if the cell is too small for it, the whole cell in the notice colour. */
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
