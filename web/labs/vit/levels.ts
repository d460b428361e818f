/**
 * The image of the ViT lab as levels of 0 … 15, in the order row, column, channel; a level stands for the value 17 · level of 0 … 255.
 * Pictures are averaged down to them, samples are made of them, and the core takes them as planes.
 */
import type { VitNumbers } from "../../config/config.js";
import { channels, hexLevels } from "../../config/pixels.js";
import { samples } from "../../examples/samples.js";

/** Level of a value of 0 … 255: the nearest of 0, 17, 34 … 255. No value lies halfway between two. */
export function levelOf(value: number): number {
  return Math.floor((value + 8) / 17);
}

/**
 * Levels of a square of RGBA pixels over white, averaged down to size × size. Each cell is the mean of the source by area, pixels
 * on an edge counted by the part that lies inside; means are rounded half up to 0 … 255, then to the nearest level.
 * `rgba` holds side × side × 4 values; a smaller source is enlarged by the same rule.
 */
export function averageLevels(rgba: ArrayLike<number>, side: number, size: number): Uint8Array {
  const levels = new Uint8Array(size * size * channels);
  const step = side / size;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        for (let y = Math.floor(row * step); y < (row + 1) * step; y++) {
          const height = Math.min(y + 1, (row + 1) * step) - Math.max(y, row * step);
          for (let x = Math.floor(column * step); x < (column + 1) * step; x++) {
            const width = Math.min(x + 1, (column + 1) * step) - Math.max(x, column * step);
            const at = (y * side + x) * 4;
            const opacity = rgba[at + 3]! / 255;
            sum += height * width * (rgba[at + channel]! * opacity + 255 * (1 - opacity));
          }
        }
        levels[(row * size + column) * channels + channel] = levelOf(Math.floor(sum / (step * step) + 0.5));
      }
    }
  }
  return levels;
}

/** Levels of an image of the ViT lab at its size. A sample is stored at 64 × 64 and averaged down. Throws for an unknown sample. */
export function pixelsOf(numbers: Pick<VitNumbers, "image" | "size">): Uint8Array {
  if ("pixels" in numbers.image) return numbers.image.pixels;
  const sample = samples.find(({ id }) => "sample" in numbers.image && id === numbers.image.sample);
  if (!sample) throw new Error(`image: expected the name of a sample, got ${numbers.image.sample}`);
  const levels = hexLevels(sample.rows.join(""));
  return numbers.size === sample.size ? levels : averageLevels(rgbaOf(levels), sample.size, numbers.size);
}

/** RGBA values of 0 … 255, as a canvas takes them. */
export function rgbaOf(levels: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray((levels.length / channels) * 4).fill(255);
  levels.forEach((level, at) => (rgba[Math.floor(at / channels) * 4 + (at % channels)] = 17 * level));
  return rgba;
}

/** Values of 0 … 255 as the core takes an image: channel, row, column. */
export function planesOf(levels: Uint8Array): Float64Array {
  const area = levels.length / channels;
  return Float64Array.from(levels, (_, at) => 17 * levels[(at % area) * channels + Math.floor(at / area)]!);
}
