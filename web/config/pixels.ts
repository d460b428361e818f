/** Pixels with 4 bits per channel and their form in links: levels from 0 to 15, in the order row, column, channel. */
import { sampleIds } from "../examples/sample-ids.js";
import { imageSizes } from "./bounds.js";
import type { VitNumbers } from "./config.js";
import type { Form } from "./forms.js";
import { type Allowance, Unreadable, deflate, fromBase64, toBase64 } from "./packing.js";

/** Red, green and blue. */
export const channels = 3;

/** The expected value of a field for an image. */
export const images = {
  samples: sampleIds.join(", "),
  sides: imageSizes.join(", "),
};

/** The side of a square image with `count` levels; undefined if it is not an allowed size. */
export function sideOf(count: number): number | undefined {
  return imageSizes.find((size) => size * size * channels === count);
}

// Neighbouring pixels of a photo are similar, so a link stores differences, which deflate better. The first byte of the packed pixels is
// predictor + 4 · mixed. Planes follow one another; all differences are taken modulo 16.
type Predictor = (left: number, up: number, corner: number) => number;
const predictors: readonly Predictor[] = [
  () => 0,
  (_left, up) => up,
  (left, up, corner) => Math.max(Math.min(left, up), Math.min(Math.max(left, up), left + up - corner)),
];

/** Converts between (red, green, blue) and (green, red − green, blue − green). */
const planeOrder = [1, 0, 2] as const;

function differences(levels: Uint8Array, side: number, kind: number, mixed: boolean): Uint8Array {
  const predict = predictors[kind]!;
  const bytes = new Uint8Array(1 + levels.length);
  bytes[0] = kind + (mixed ? 4 : 0);
  planeOrder.forEach((channel, place) => {
    const value = (y: number, x: number): number => {
      if (y < 0 || x < 0) return 0;
      const at = (y * side + x) * channels;
      return mixed && place > 0 ? (levels[at + channel]! - levels[at + 1]!) & 15 : levels[at + channel]!;
    };
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        bytes[1 + (place * side + y) * side + x] =
          (value(y, x) - predict(value(y, x - 1), value(y - 1, x), value(y - 1, x - 1))) & 15;
      }
    }
  });
  return bytes;
}

function fromDifferences(bytes: Uint8Array): Uint8Array {
  const side = sideOf(bytes.length - 1);
  const predict = predictors[bytes[0]! & 3];
  if (!side || !predict || bytes[0]! > 6 || bytes.some((byte, at) => at > 0 && byte > 15))
    throw new Unreadable("not pixels");
  const mixed = bytes[0]! >= 4;
  const levels = new Uint8Array(bytes.length - 1);
  planeOrder.forEach((channel, place) => {
    const plane = new Uint8Array(side * side);
    const value = (y: number, x: number): number => (y < 0 || x < 0 ? 0 : plane[y * side + x]!);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const difference = bytes[1 + (place * side + y) * side + x]!;
        const here = (difference + predict(value(y, x - 1), value(y - 1, x), value(y - 1, x - 1))) & 15;
        plane[y * side + x] = here;
        const at = (y * side + x) * channels;
        levels[at + channel] = mixed && place > 0 ? (here + levels[at + 1]!) & 15 : here;
      }
    }
  });
  return levels;
}

/** Packs two levels into a byte, the first in the high half. */
function nibbles(levels: Uint8Array): Uint8Array {
  return Uint8Array.from(
    { length: levels.length / 2 },
    (_, at) => (levels[2 * at]! << 4) | levels[2 * at + 1]!,
  );
}

/** One level for each hexadecimal digit. */
export function hexLevels(digits: string): Uint8Array {
  return Uint8Array.from(digits, (digit) => Number.parseInt(digit, 16));
}

const packedPixels = new WeakMap<Uint8Array, string>();

/** The pixels as text in a link: the shortest result of the predictors, or two levels per byte without prediction. */
export function pixelsText(levels: Uint8Array): string {
  const known = packedPixels.get(levels);
  if (known) return known;
  const side = sideOf(levels.length);
  if (!side) throw new Error(`image: expected a square of 16, 32 or 64, got ${levels.length} levels`);
  let best = `b64:${toBase64(nibbles(levels))}`;
  for (const kind of predictors.keys()) {
    for (const mixed of [false, true]) {
      const text = `z1:${toBase64(deflate(differences(levels, side, kind, mixed)))}`;
      if (text.length < best.length) best = text;
    }
  }
  packedPixels.set(levels, best);
  return best;
}

/** Reads pixels from a link: packed in base64url, or as one hexadecimal digit per level after "hex:". */
export function readPixels(text: string, allowance: Allowance): Uint8Array {
  const most = Math.max(...imageSizes) ** 2 * channels;
  if (text.startsWith("z1:")) {
    const bytes = allowance.inflate(fromBase64(text.slice(3)), most + 1);
    allowance.make(bytes.length);
    return fromDifferences(bytes);
  }
  let levels: Uint8Array;
  if (text.startsWith("b64:")) {
    const bytes = fromBase64(text.slice(4));
    allowance.make(2 * bytes.length);
    levels = Uint8Array.from({ length: 2 * bytes.length }, (_, at) =>
      at % 2 ? bytes[at >> 1]! & 15 : bytes[at >> 1]! >> 4,
    );
  } else if (/^hex:[0-9a-f]+$/i.test(text)) {
    allowance.make(text.length - 4);
    levels = hexLevels(text.slice(4));
  } else throw new Unreadable("expected the name of a sample or pixels");
  if (!sideOf(levels.length)) throw new Unreadable("not a square of 16, 32 or 64");
  return levels;
}

export const image: Form<VitNumbers["image"]> = {
  plain: (value) =>
    "sample" in value
      ? value.sample
      : `hex:${Array.from(value.pixels, (level) => level.toString(16)).join("")}`,
  packed: (value) => ("sample" in value ? value.sample : pixelsText(value.pixels)),
  read: (text, allowance) =>
    /^[a-z][a-z0-9-]{0,31}$/.test(text) ? { sample: text } : { pixels: readPixels(text, allowance) },
};
