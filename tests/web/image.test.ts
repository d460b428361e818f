// The reader's own image: refusals before and after the browser decodes it, and the veil over an image.
import { afterEach, expect, test, vi } from "vitest";
import { defaults } from "../../web/config/defaults.js";
import { wordsIn } from "../../web/i18n/words.js";
import { pixelColours, veilOf } from "../../web/marks/image.js";
import type { PlacedImage, Snapshot } from "../../web/marks/scene.js";
import { readImage } from "../../web/page/image.js";
import { contrast, palette } from "./tokens.js";

/** A WebP file whose header gives 16 x 16 pixels. */
const small = new File(
  [
    Uint8Array.from([
      ...[0x52, 0x49, 0x46, 0x46, 30, 0, 0, 0, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x58, 10, 0, 0, 0],
      ...[0, 0, 0, 0, 15, 0, 0, 15, 0, 0],
    ]),
  ],
  "small.webp",
);

afterEach(() => vi.unstubAllGlobals());

test("an image larger than its header says is refused by its decoded size, and its bitmap is closed", async () => {
  const close = vi.fn();
  vi.stubGlobal("createImageBitmap", () => Promise.resolve({ width: 12_000, height: 12_000, close }));
  const answer = await readImage(defaults("vit").numbers, small, wordsIn("en"));
  expect(answer).toEqual({ refused: "It has 144 million pixels; at most 40 million can be read." });
  expect(close).toHaveBeenCalledOnce();
});

test("an image that the browser cannot decode is refused with a message", async () => {
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new DOMException("no", "InvalidStateError")));
  const answer = await readImage(defaults("vit").numbers, small, wordsIn("en"));
  expect(answer).toEqual({ refused: "The browser cannot decode it." });
});

test.each(["light", "dark"] as const)(
  "a patch with a lower weight is nearer to the background of the %s theme",
  (theme) => {
    const colours = palette(theme);
    const snapshot = (name: string, shape: number[], data: number[]): Snapshot => {
      return { name, op: "", inputs: [], shape, data: Float64Array.from(data), edited: [] };
    };
    const veil = { node: "weights", at: [0, null], skip: 0 };
    const image: PlacedImage = { id: "veiled", node: "image", x: 0, y: 0, size: 40, patch: 1, veil, step: 0,
    cells: [], frames: [] }; // prettier-ignore
    const alphas = veilOf(veil, snapshot("weights", [1, 4], [0.4, 0.3, 0.2, 0.1]), 4);
    const grey = snapshot("image", [3, 2, 2], new Array<number>(12).fill(128));
    const colourAt = pixelColours(image, grey, alphas, colours);
    const shown = [0, 1, 2, 3].map((at) => contrast(colourAt(Math.floor(at / 2), at % 2), colours.paper));
    expect(colourAt(0, 0)).toEqual([128, 128, 128]);
    expect(shown).toEqual([...shown].sort((a, b) => b - a));
    expect(shown[0]! - shown[3]!).toBeGreaterThan(1);
  },
);
