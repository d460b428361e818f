/** Draws matrices of many small cells as pixels: in whole device pixels if the sizes divide evenly, else averaged over area. */
import { blend, colourOfLight, lightOf, tabulatedRamp, type Palette, type Rgb } from "./colour.js";
import type { MatrixDrawing } from "./matrix.js";

/** The share of the hatch's line colour in a masked cell that is too small for a hatch. */
const HATCH_SHARE = 0.25;
/** The number of steps of the table from linear light to a channel value. */
const LIGHT_STEPS = 4095;

let channels: Uint8ClampedArray | null = null;

/** Converts a channel of linear light, 0 … 1, to 0 … 255. */
function channelOf(light: number): number {
  channels ??= Uint8ClampedArray.from(
    { length: LIGHT_STEPS + 1 },
    (_, step) => colourOfLight([step / LIGHT_STEPS, 0, 0])[0],
  );
  return channels[Math.round(Math.max(0, Math.min(1, light)) * LIGHT_STEPS)] ?? 0;
}

/** Fills a canvas of `width` by `height` device pixels; between cells are `gap` pixels of background. */
export function drawMap(
  context: CanvasRenderingContext2D,
  drawing: MatrixDrawing,
  palette: Palette,
  width: number,
  height: number,
  gap: number,
): void {
  const image = context.createImageData(width, height);
  const colourAt = cellColours(drawing, palette);
  if (gap > 0 || (width % drawing.columns === 0 && height % drawing.rows === 0)) {
    paintCells(image, drawing, palette, gap, colourAt);
  } else {
    const cells = new Float32Array(drawing.rows * drawing.columns * 3);
    for (let row = 0; row < drawing.rows; row++) {
      for (let column = 0; column < drawing.columns; column++)
        cells.set(lightOf(colourAt(row, column)), (row * drawing.columns + column) * 3);
    }
    const light = averageOverArea(cells, drawing.rows, drawing.columns, width, height);
    for (let pixel = 0; pixel < width * height; pixel++) {
      for (let channel = 0; channel < 3; channel++)
        image.data[pixel * 4 + channel] = channelOf(light[pixel * 3 + channel] ?? 0);
      image.data[pixel * 4 + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}

/** The colour of each cell if it is too small for text, hatch or outline. */
export function cellColours(drawing: MatrixDrawing, palette: Palette): (row: number, column: number) => Rgb {
  const ramp = tabulatedRamp(drawing.ramp);
  const masked = blend(palette.cellZero, palette.rule2, HATCH_SHARE);
  return (row, column) => {
    if (row * drawing.columns + column >= drawing.shown) return palette.paper;
    if (drawing.masked?.(row, column)) return masked;
    const value = drawing.value(row, column);
    if (!Number.isFinite(value)) return palette.notice;
    return ramp(value / drawing.domain);
  };
}

function paintCells(
  image: ImageData,
  drawing: MatrixDrawing,
  palette: Palette,
  gap: number,
  colourAt: (row: number, column: number) => Rgb,
): void {
  const { rows, columns } = drawing;
  const { width, height } = image;
  const pixels = new Uint32Array(image.data.buffer);
  const word = ([red, green, blue]: Rgb): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  pixels.fill(word(palette.paper));
  const before = Math.floor(gap / 2);
  for (let row = 0; row < rows; row++) {
    const top = Math.round((row * height) / rows) + before;
    const bottom = Math.round(((row + 1) * height) / rows) - (gap - before);
    for (let column = 0; column < columns; column++) {
      const left = Math.round((column * width) / columns) + before;
      const right = Math.round(((column + 1) * width) / columns) - (gap - before);
      const colour = word(colourAt(row, column));
      for (let y = top; y < bottom; y++) pixels.fill(colour, y * width + left, y * width + right);
    }
  }
}

/** Averages along one axis: `outer` blocks of `from` places of `inner` numbers become blocks of `to` places. */
function average(source: Float32Array, outer: number, from: number, to: number, inner: number): Float32Array {
  const result = new Float32Array(outer * to * inner);
  for (let place = 0; place < to; place++) {
    const start = (place * from) / to;
    const end = ((place + 1) * from) / to;
    for (let cell = Math.floor(start); cell < Math.min(from, Math.ceil(end - 1e-9)); cell++) {
      const weight = (Math.min(end, cell + 1) - Math.max(start, cell)) / (end - start);
      if (weight <= 0) continue;
      for (let block = 0; block < outer; block++) {
        const read = (block * from + cell) * inner;
        const write = (block * to + place) * inner;
        for (let at = 0; at < inner; at++)
          result[write + at] = (result[write + at] ?? 0) + weight * (source[read + at] ?? 0);
      }
    }
  }
  return result;
}

/** Averages the light of `rows` by `columns` cells (three numbers each) into `height` by `width` pixels. */
export function averageOverArea(
  cells: Float32Array,
  rows: number,
  columns: number,
  width: number,
  height: number,
): Float32Array {
  return average(average(cells, rows, columns, width, 3), 1, rows, height, width * 3);
}
