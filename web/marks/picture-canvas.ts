/** Draws an exported picture on a canvas, with matrices drawn as on the stage. */
import { drawMatrix } from "./matrix.js";
import type { Palette } from "./colour.js";
import type {
  BitmapShape,
  MatrixShape,
  PictureShapes,
  RampShape,
  RectShape,
  Shape,
  Stroke,
  TextShape,
} from "./shapes.js";

/**
 * Draws a picture with `ratio` pixels per CSS pixel; `willReadFrequently`: in memory that is read often. Throws Error if the browser
 * cannot make a canvas.
 */
export function drawPicture(
  picture: PictureShapes,
  ratio: number,
  palette: Palette,
  willReadFrequently = false,
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * ratio);
  canvas.height = Math.round(picture.height * ratio);
  const context = canvas.getContext("2d", { willReadFrequently });
  if (!context) throw new Error("no 2d canvas");
  context.scale(ratio, ratio);
  context.fillStyle = picture.paper;
  context.fillRect(0, 0, picture.width, picture.height);
  drawShapes(context, picture.shapes, ratio, palette);
  return canvas;
}

/** Draws shapes on a canvas that is scaled by `ratio`. */
export function drawShapes(
  context: CanvasRenderingContext2D,
  shapes: readonly Shape[],
  ratio: number,
  palette: Palette,
): void {
  for (const shape of shapes) {
    context.save();
    if (shape.kind === "moved") {
      context.translate(shape.right, shape.down);
      drawShapes(context, shape.shapes, ratio, palette);
    } else if (shape.kind === "rect") drawRect(context, shape);
    else if (shape.kind === "path") {
      const path = new Path2D(shape.d);
      if (shape.fill) {
        context.fillStyle = shape.fill;
        context.fill(path);
      }
      if (shape.stroke) {
        setStroke(context, shape.stroke);
        context.stroke(path);
      }
    } else if (shape.kind === "text") drawText(context, shape, palette);
    else if (shape.kind === "ramp") drawRamp(context, shape);
    else if (shape.kind === "matrix") drawCells(context, shape, ratio, palette);
    else drawBitmap(context, shape);
    context.restore();
  }
}

function setStroke(context: CanvasRenderingContext2D, { colour, weight, dash, round }: Stroke): void {
  context.strokeStyle = colour;
  context.lineWidth = weight;
  context.setLineDash([...(dash ?? [])]);
  if (round) {
    context.lineCap = "round";
    context.lineJoin = "round";
  }
}

function drawRect(context: CanvasRenderingContext2D, shape: RectShape): void {
  const { x, y, width, height, radius } = shape;
  context.beginPath();
  if (radius) context.roundRect(x, y, width, height, radius);
  else context.rect(x, y, width, height);
  if (shape.fill) {
    context.fillStyle = shape.fill;
    context.fill();
  }
  if (!shape.stroke) return;
  setStroke(context, shape.stroke);
  context.stroke();
}

function drawText(context: CanvasRenderingContext2D, shape: TextShape, palette: Palette): void {
  const family = shape.family === "serif" ? palette.serif : palette.sans;
  const font = (scale: number): string =>
    `${shape.italic ? "italic " : ""}${shape.weight} ${shape.size * scale}px ${family}`;
  if (shape.turn) {
    context.translate(shape.turn.x, shape.turn.y);
    context.rotate((shape.turn.degrees * Math.PI) / 180);
    context.translate(-shape.turn.x, -shape.turn.y);
  }
  const widths = shape.parts.map(({ text, scale }) => {
    context.font = font(scale);
    return context.measureText(text).width;
  });
  const width = widths.reduce((sum, part) => sum + part, 0);
  const left = shape.x - (shape.anchor === "end" ? width : shape.anchor === "middle" ? width / 2 : 0);
  const each = (draw: (text: string, x: number, y: number) => void): void => {
    let x = left;
    let y = shape.y;
    shape.parts.forEach(({ text, dy, scale }, at) => {
      context.font = font(scale);
      y += dy;
      draw(text, x, y);
      x += widths[at] ?? 0;
    });
  };
  if (shape.halo) {
    context.strokeStyle = shape.halo.colour;
    context.lineWidth = shape.halo.weight;
    context.lineJoin = "round";
    each((text, x, y) => context.strokeText(text, x, y));
  }
  context.fillStyle = shape.fill;
  each((text, x, y) => context.fillText(text, x, y));
}

function drawRamp(context: CanvasRenderingContext2D, { x, y, width, height, colours }: RampShape): void {
  const gradient = context.createLinearGradient(x, 0, x + width, 0);
  colours.forEach((colour, at) => gradient.addColorStop(at / (colours.length - 1), colour));
  context.fillStyle = gradient;
  context.fillRect(x, y, width, height);
}

function drawCells(
  context: CanvasRenderingContext2D,
  { x, y, drawing }: MatrixShape,
  ratio: number,
  palette: Palette,
): void {
  const cells = document.createElement("canvas");
  drawMatrix(cells, { ...drawing, ratio }, palette);
  // On whole pixels, numbers stay sharp.
  const { e, f } = context.getTransform();
  context.setTransform(1, 0, 0, 1, Math.round(e + x * ratio), Math.round(f + y * ratio));
  context.drawImage(cells, 0, 0);
}

function drawBitmap(context: CanvasRenderingContext2D, shape: BitmapShape): void {
  const { columns, rows, pixels } = shape;
  const image = new ImageData(columns, rows);
  for (let at = 0; at < rows * columns; at++) {
    image.data.set(pixels.subarray(3 * at, 3 * at + 3), 4 * at);
    image.data[4 * at + 3] = 255;
  }
  const small = document.createElement("canvas");
  small.width = columns;
  small.height = rows;
  small.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, shape.x, shape.y, shape.width, shape.height);
}
