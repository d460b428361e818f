/** The pixels of an image node: patches, a single patch with its numbers, and the veil that shows attention weights. */
import { blend, cssColour, textOn, type Palette, type Rgb } from "./colour.js";
import { CELL_TYPE } from "./numbers.js";
import type { PlacedImage, Snapshot } from "./scene.js";

/** The rows and columns of pixels that a placed image shows, and where they start. */
export interface Pixels {
  top: number;
  left: number;
  height: number;
  width: number;
}

/**
 * The opacity of the veil over a patch of weight 0; with a tint, the opacity of the veil over the whole image and of the tint over
 * the patch with the largest weight.
 */
const VEIL = 0.9;
const PALE = 0.55;
const TINT = 0.85;

/** The number of patches in a row. */
export function patchesAcross(image: PlacedImage, shape: readonly number[]): number {
  return image.patch ? Math.floor((shape.at(-1) ?? 0) / image.patch) : 0;
}

/** The pixels shown: all, or those of one patch. */
export function pixelsOf(image: PlacedImage, shape: readonly number[]): Pixels {
  const across = patchesAcross(image, shape);
  if (image.only === undefined || !image.patch || across === 0)
    return { top: 0, left: 0, height: shape.at(-2) ?? 0, width: shape.at(-1) ?? 0 };
  return {
    top: Math.floor(image.only / across) * image.patch,
    left: (image.only % across) * image.patch,
    height: image.patch,
    width: image.patch,
  };
}

/** Whether the pixels are large enough for their numbers. */
export function showsNumbers(image: PlacedImage, pixels: Pixels): boolean {
  return image.only !== undefined && image.size / pixels.width >= 26 && image.size / pixels.height >= 18;
}

/**
 * The opacity of the veil over each patch: .9 (1 - a / max a), where a is the row of weights that `veil` names. The first `skip`
 * columns (a class token) have no patch. Null if the node has another shape.
 */
export function veilOf(
  veil: NonNullable<PlacedImage["veil"]>,
  weights: Snapshot,
  patches: number,
): number[] | null {
  if (veil.at.length !== weights.shape.length || (weights.shape.at(-1) ?? 0) < veil.skip + patches)
    return null;
  let base = 0;
  for (const [axis, place] of veil.at.entries()) base = base * (weights.shape[axis] ?? 1) + (place ?? 0);
  const row = Array.from({ length: patches }, (_, patch) => weights.data[base + veil.skip + patch] ?? 0);
  const largest = Math.max(...row);
  return row.map((weight) => (largest > 0 ? VEIL * (1 - weight / largest) : VEIL));
}

/** The colours of the pixels shown, blended with the background by `veil`, which has an alpha per patch. */
export function pixelColours(
  image: PlacedImage,
  snapshot: Snapshot,
  veil: readonly number[] | null,
  palette: Palette,
): (row: number, column: number) => Rgb {
  const pixels = pixelsOf(image, snapshot.shape);
  const across = patchesAcross(image, snapshot.shape);
  const [height = 0, width = 0] = snapshot.shape.slice(-2);
  const tint = image.veil?.tint;
  return (row, column) => {
    const y = pixels.top + row;
    const x = pixels.left + column;
    const level = (channel: number): number => snapshot.data[(channel * height + y) * width + x] ?? 0;
    const over =
      veil && image.patch
        ? (veil[Math.floor(y / image.patch) * across + Math.floor(x / image.patch)] ?? 0)
        : 0;
    const colour = [0, 1, 2].map((channel) => Math.max(0, Math.min(255, Math.round(level(channel)))));
    const pixel = colour as unknown as Rgb;
    if (!tint || !veil) return blend(pixel, palette.paper, over);
    return blend(blend(pixel, palette.paper, PALE), palette.roles[tint], TINT * (1 - over / VEIL));
  };
}

/** The number of a pixel: its red channel. */
export function pixelText(snapshot: Snapshot, { top, left }: Pixels, row: number, column: number): string {
  return String(Math.round(snapshot.data[(top + row) * (snapshot.shape.at(-1) ?? 0) + left + column] ?? 0));
}

/** Draws the image of `snapshot` (3, H, W) into a square canvas. `veil` has an alpha per patch. */
export function drawImage(
  canvas: HTMLCanvasElement,
  image: PlacedImage,
  snapshot: Snapshot,
  veil: readonly number[] | null,
  ratio: number,
  palette: Palette,
): void {
  const side = Math.max(1, Math.round(image.size * ratio));
  if (canvas.width !== side) canvas.width = side;
  if (canvas.height !== side) canvas.height = side;
  const context = canvas.getContext("2d");
  if (!context) return;
  const pixels = pixelsOf(image, snapshot.shape);
  const numbers = showsNumbers(image, pixels);
  const across = patchesAcross(image, snapshot.shape);
  const colourAt = pixelColours(image, snapshot, veil, palette);
  context.fillStyle = cssColour(palette.paper);
  context.fillRect(0, 0, side, side);
  context.font = `${CELL_TYPE * ratio}px ${palette.sans}`;
  context.textAlign = "center";
  for (let row = 0; row < pixels.height; row++) {
    const top = Math.round((row * side) / pixels.height);
    const bottom = Math.round(((row + 1) * side) / pixels.height);
    for (let column = 0; column < pixels.width; column++) {
      const left = Math.round((column * side) / pixels.width);
      const right = Math.round(((column + 1) * side) / pixels.width);
      const colour = colourAt(row, column);
      context.fillStyle = cssColour(colour);
      context.fillRect(left, top, right - left, bottom - top);
      if (!numbers) continue;
      context.fillStyle = textOn(colour);
      const text = pixelText(snapshot, pixels, row, column);
      context.fillText(text, (left + right) / 2, (top + bottom) / 2 + 4 * ratio);
    }
  }
  const down = image.patch ? Math.floor((snapshot.shape.at(-2) ?? 0) / image.patch) : 0;
  if (image.patch && image.only === undefined) grid(context, across, down, side, ratio, palette);
}

function grid(
  context: CanvasRenderingContext2D,
  across: number,
  down: number,
  side: number,
  ratio: number,
  palette: Palette,
): void {
  const line = Math.max(1, Math.round(1.5 * ratio));
  context.fillStyle = cssColour(palette.paper);
  for (let column = 1; column < across; column++)
    context.fillRect(Math.round((column * side) / across - line / 2), 0, line, side);
  for (let row = 1; row < down; row++)
    context.fillRect(0, Math.round((row * side) / down - line / 2), side, line);
}
