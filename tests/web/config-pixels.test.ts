// Pixels of the ViT lab: rounding, averaging, packing, and the sample images.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Allowance } from "../../web/config/packing.js";
import { pixelsText, readPixels } from "../../web/config/pixels.js";
import { levelOf, pixelsOf, planesOf, averageLevels, rgbaOf } from "../../web/labs/vit/levels.js";
import { sampleIds } from "../../web/examples/sample-ids.js";
import { samples } from "../../web/examples/samples.js";
import { pictures } from "../../web/examples/samples/draw.mjs";

const rgba = (side: number, colour: (x: number, y: number) => [number, number, number, number]) =>
  Uint8ClampedArray.from(
    { length: side * side * 4 },
    (_, at) => colour(Math.floor(at / 4) % side, Math.floor(at / 4 / side))[at % 4]!,
  );

describe("levels", () => {
  test("are the nearest of sixteen", () => {
    for (let value = 0; value <= 255; value++) {
      const best = Array.from({ length: 16 }, (_, level) => Math.abs(17 * level - value));
      expect(levelOf(value)).toBe(best.indexOf(Math.min(...best)));
    }
  });

  test("are converted for a canvas and for the core", () => {
    const levels = Uint8Array.from({ length: 16 * 16 * 3 }, (_, at) => at % 16);
    expect([...rgbaOf(levels).slice(0, 8)]).toEqual([0, 17, 34, 255, 51, 68, 85, 255]);
    const planes = planesOf(levels);
    expect([planes[0], planes[1], planes[256], planes[512]]).toEqual([0, 51, 17, 34]);
    expect(averageLevels(rgbaOf(levels), 16, 16)).toEqual(levels);
  });
});

describe("reduce", () => {
  test("averages by area", () => {
    const stripes = rgba(32, (x) => (x % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    expect(new Set(averageLevels(stripes, 32, 16))).toEqual(new Set([levelOf(128)]));
    // Two result pixels cover five source pixels: they share the middle one.
    const source = rgba(40, (x) => [x % 5 === 2 ? 250 : 0, 0, 0, 255]);
    expect(averageLevels(source, 40, 16)[0]).toBe(levelOf(Math.floor((250 * 0.5) / 2.5 + 0.5)));
  });

  test("transparent pixels become white", () => {
    expect(
      new Set(
        averageLevels(
          rgba(16, () => [10, 20, 30, 0]),
          16,
          16,
        ),
      ),
    ).toEqual(new Set([15]));
    expect([
      ...averageLevels(
        rgba(16, () => [0, 0, 0, 51]),
        16,
        16,
      ).slice(0, 3),
    ]).toEqual([12, 12, 12]);
  });

  test("enlarges a smaller image without new colours", () => {
    const tiny = rgba(4, (x, y) => ((x + y) % 2 ? [255, 0, 0, 255] : [0, 0, 255, 255]));
    const large = averageLevels(tiny, 4, 16);
    expect([...large.slice(0, 3)]).toEqual([0, 0, 15]);
    expect([...large.slice(4 * 3, 4 * 3 + 3)]).toEqual([15, 0, 0]);
    expect(new Set(large)).toEqual(new Set([0, 15]));
  });
});

describe("packing", () => {
  test("any pixels are read back", () => {
    const size = fc.constantFrom(16, 32, 64);
    const levels = size.chain((side) =>
      fc.oneof(
        fc.uint8Array({ minLength: side * side * 3, maxLength: side * side * 3, max: 15 }),
        fc
          .tuple(fc.nat(15), fc.nat(9), fc.nat(9))
          .map(([start, across, down]) =>
            Uint8Array.from(
              { length: side * side * 3 },
              (_, at) =>
                (start +
                  Math.floor(((Math.floor(at / 3) % side) * across) / 16) +
                  Math.floor((Math.floor(at / 3 / side) * down) / 16)) &
                15,
            ),
          ),
      ),
    );
    fc.assert(
      fc.property(levels, (pixels) => {
        expect(readPixels(pixelsText(pixels), new Allowance(1 << 20))).toEqual(pixels);
      }),
      { numRuns: 60 },
    );
  });

  test("other texts are refused", () => {
    const allowance = new Allowance(1 << 20);
    for (const text of [
      "z1:",
      "z1:AAAA",
      "z1:!!!!",
      "b64:",
      "b64:AAAA",
      "hex:",
      "hex:00f",
      "hex:zz",
      "harbour",
      "data:image/png;base64,AAAA",
    ]) {
      expect(() => readPixels(text, allowance), text).toThrow();
    }
    expect(() => pixelsText(new Uint8Array(10))).toThrow("10 levels");
  });
});

describe("samples", () => {
  test("the stored pixels equal those that draw.mjs draws", () => {
    expect(samples.map(({ id }) => id)).toEqual(pictures.map(({ id }) => id));
    expect(sampleIds).toEqual(pictures.map(({ id }) => id));
    for (const picture of pictures) expect(samples.find(({ id }) => id === picture.id)).toEqual(picture);
  });

  test("each sample is a picture of 64 × 64 with a title in both languages", () => {
    for (const { id, title, size, rows } of samples) {
      expect(size).toBe(64);
      expect(rows).toHaveLength(64);
      for (const row of rows) expect(row).toMatch(/^[0-9a-f]{192}$/);
      expect(title.en && title["zh-CN"]).toBeTruthy();
      expect(new Set(pixelsOf({ image: { sample: id }, size: 64 })).size).toBeGreaterThan(8);
    }
  });

  test("smaller sizes are averaged, and every caller gets its own copy", () => {
    const image = { sample: "harbour" };
    const whole = pixelsOf({ image, size: 64 });
    expect(pixelsOf({ image, size: 16 })).toEqual(averageLevels(rgbaOf(whole), 64, 16));
    whole.fill(0);
    expect(new Set(pixelsOf({ image, size: 64 })).size).toBeGreaterThan(8);
    expect(() => pixelsOf({ image: { sample: "moon" }, size: 64 })).toThrow("moon");
  });
});
