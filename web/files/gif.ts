/**
 * Animated GIF files from the pixels of pictures of one size: 255 colours for all of them, and of each picture only the pixels that
 * differ from the picture before.
 */
import { GIFEncoder, nearestColorIndex, quantize } from "gifenc";

type Colour = [red: number, green: number, blue: number];

/** The index of pixels that stay as they are. */
const SAME = 255;
/** So many of the most frequent colours are kept exactly: the fills and letters; the others are edges of letters. */
const EXACT = 160;

/** Pixels as one number each: red in the lowest byte, then green, blue and alpha. */
const packed = ({ buffer, byteOffset, length }: Uint8ClampedArray): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length / 4);

const colourOf = (pixel: number): Colour => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];

/** The table of a file: it has an entry for every index, also for that of pixels that stay. */
const filled = (palette: Colour[]): Colour[] =>
  Array.from({ length: SAME + 1 }, (_, at) => palette[at] ?? [0, 0, 0]);

/** Counts the colours of pictures, and chooses those of a file. */
export class GifColours {
  readonly #counts = new Map<number, number>();

  add(pixels: Uint8ClampedArray): void {
    const all = packed(pixels);
    for (let at = 0; at < all.length;) {
      const from = at;
      const pixel = all[at]!;
      while (all[at] === pixel) at++;
      this.#counts.set(pixel, (this.#counts.get(pixel) ?? 0) + at - from);
    }
  }

  choose(): Colour[] {
    const counts = [...this.#counts].sort(([a, more], [b, less]) => less - more || a - b);
    const exact = counts.slice(0, EXACT).map(([pixel]) => colourOf(pixel));
    const others = counts.slice(EXACT);
    if (others.length <= SAME - EXACT) return [...exact, ...others.map(([pixel]) => colourOf(pixel))];
    // A frequent colour weighs more, but a hundred times the pixels are not a hundred times the weight.
    const weighed = others.flatMap(([pixel, count]) => Array<number>(32 - Math.clz32(count)).fill(pixel));
    const bytes = new Uint8Array(Uint32Array.from(weighed).buffer);
    return [...exact, ...quantize(bytes, SAME - EXACT, { format: "rgb565" })];
  }
}

/** A picture that is not written yet, because it lasts longer if the next one is the same. */
interface Waiting {
  indices: Uint8Array;
  milliseconds: number;
}

export class GifWriter {
  readonly #encoder = GIFEncoder();
  readonly #width: number;
  readonly #height: number;
  readonly #palette: Colour[];
  readonly #indexOf = new Map<number, number>();
  #last: Uint32Array | null = null;
  #waiting: Waiting | null = null;
  #hasFirst = false;

  constructor(width: number, height: number, palette: Colour[]) {
    this.#width = width;
    this.#height = height;
    this.#palette = palette;
  }

  /** Adds a picture that is shown for some milliseconds, a multiple of 10. */
  add(pixels: Uint8ClampedArray, milliseconds: number): void {
    const now = packed(pixels);
    const last = this.#last;
    const indices = new Uint8Array(now.length).fill(SAME);
    let isSame = last !== null;
    for (let at = 0; at < now.length; at++) {
      const pixel = now[at]!;
      if (pixel === last?.[at]) continue;
      isSame = false;
      let index = this.#indexOf.get(pixel);
      if (index === undefined)
        this.#indexOf.set(pixel, (index = nearestColorIndex(this.#palette, colourOf(pixel))));
      indices[at] = index;
    }
    if (isSame && this.#waiting) {
      this.#waiting.milliseconds += milliseconds;
      return;
    }
    this.#write();
    this.#last = now.slice();
    this.#waiting = { indices, milliseconds };
  }

  #write(): void {
    if (!this.#waiting) return;
    const { indices, milliseconds: delay } = this.#waiting;
    this.#waiting = null;
    const options = this.#hasFirst
      ? { transparent: true, transparentIndex: SAME, dispose: 1 }
      : { palette: filled(this.#palette), dispose: 1 };
    this.#encoder.writeFrame(indices, this.#width, this.#height, { ...options, delay });
    this.#hasFirst = true;
  }

  finish(): Uint8Array {
    this.#write();
    this.#encoder.finish();
    return this.#encoder.bytes();
  }
}
