// The reader's own image: what is refused, before and after the browser decoded it.
import { afterEach, expect, test, vi } from "vitest";
import { defaults } from "../../web/config/defaults.js";
import { wordsIn } from "../../web/i18n/words.js";
import { readImage } from "../../web/page/image.js";

/** A WebP file whose header says 16 x 16. */
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

test("an image that is larger than its header says is refused by what the browser found, and let go", async () => {
  const close = vi.fn();
  vi.stubGlobal("createImageBitmap", () => Promise.resolve({ width: 12_000, height: 12_000, close }));
  const answer = await readImage(defaults("vit").numbers, small, wordsIn("en"));
  expect(answer).toEqual({ refused: "It has 144 million pixels; at most 40 million can be read." });
  expect(close).toHaveBeenCalledOnce();
});

test("an image that the browser cannot decode is refused in words", async () => {
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new DOMException("no", "InvalidStateError")));
  const answer = await readImage(defaults("vit").numbers, small, wordsIn("en"));
  expect(answer).toEqual({ refused: "The browser cannot decode it." });
});
