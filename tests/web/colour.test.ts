/** Fills, domains and text on fills. See DESIGN.md, section 2. */
import { interpolateLab, piecewise } from "d3-interpolate";
import { interpolateBrBG, interpolatePurples, interpolateRdBu } from "d3-scale-chromatic";
import { describe, expect, test } from "vitest";
import {
  blend,
  colourOfLight,
  domainOf,
  lightOf,
  parseColour,
  rampOf,
  tabulatedRamp,
  textOn,
  type Rgb,
} from "../../web/marks/colour.js";
import type { Fill } from "../../web/marks/scene.js";
import { contrast, palette, token, type Theme } from "./tokens.js";

const THEMES: Theme[] = ["light", "dark"];
const FILLS: Fill[] = ["activation", "parameter", "probability", "difference"];

describe("colour domains", () => {
  test.each([
    [[1, -4, 2], 4],
    [[14, 10], 14],
    [[13.5], 14],
    [[12], 12],
    [[3.6], 4],
    [[3], 3],
    [[1.8], 2],
    [[7.1], 8],
    [[6], 6],
    [[9.2], 10],
    [[0.00131], 0.0014],
    [[0.96], 1],
    [[0, 0], 1],
    [[], 1],
    [[NaN, -Infinity, 0.5], 0.5],
    [[123], 140],
    [[91.97], 100],
  ])("of %j is %d", (values, domain) => expect(domainOf(values)).toBe(domain));

  test("are never below the largest number, nor more than 15 % above it", () => {
    for (let at = 0; at < 400; at++) {
      const value = 10 ** (at / 40 - 5);
      expect(domainOf([-value])).toBeGreaterThanOrEqual(value);
      expect(domainOf([-value])).toBeLessThanOrEqual(value * 1.15);
    }
  });
});

describe("the scales are d3's", () => {
  const rgb = (text: string): Rgb => parseColour(text);
  const light = palette("light");
  const dark = palette("dark");
  test("light activations", () => {
    const ramp = rampOf("activation", light);
    expect(ramp(1)).toEqual(rgb(interpolateRdBu(0.92)));
    expect(ramp(-0.5)).toEqual(rgb(interpolateRdBu(0.29)));
    expect(ramp(0)).toEqual(rgb(token("light", "cell-zero")));
    expect(ramp(7)).toEqual(ramp(1));
  });
  test("light parameters and probabilities", () => {
    expect(rampOf("parameter", light)(0.25)).toEqual(rgb(interpolateBrBG(0.605)));
    expect(rampOf("probability", light)(0.5)).toEqual(rgb(interpolatePurples(0.48)));
    expect(rampOf("probability", light)(0)).toEqual(rgb(token("light", "cell-zero")));
  });
  test("dark activations bend through cell-zero", () => {
    const through = piecewise(interpolateLab, [
      interpolateRdBu(0.22),
      token("dark", "cell-zero"),
      interpolateRdBu(0.8),
    ]);
    const ramp = rampOf("activation", dark);
    expect(ramp(0.5)).toEqual(rgb(through(0.5 + 0.5 * 0.5 ** 0.8)));
    expect(ramp(-0.25)).toEqual(rgb(through(0.5 - 0.5 * 0.25 ** 0.8)));
    expect(ramp(1)).toEqual(rgb(interpolateRdBu(0.8)));
    expect(ramp(0)).toEqual(rgb(token("dark", "cell-zero")));
  });
  test("dark probabilities", () => {
    const through = piecewise(interpolateLab, [
      token("dark", "cell-zero"),
      interpolatePurples(0.66),
      interpolatePurples(0.28),
    ]);
    expect(rampOf("probability", dark)(0.75)).toEqual(rgb(through(0.75)));
    expect(rampOf("probability", dark)(1)).toEqual(rgb(interpolatePurples(0.28)));
  });
  test("positive numbers are blue, negative ones red", () => {
    for (const theme of THEMES) {
      const ramp = rampOf("activation", palette(theme));
      expect(ramp(1)[2]).toBeGreaterThan(ramp(1)[0]);
      expect(ramp(-1)[0]).toBeGreaterThan(ramp(-1)[2]);
    }
  });
  test("a table of the scale is within two levels of it", () => {
    for (const theme of THEMES) {
      const exact = rampOf("activation", palette(theme));
      const table = tabulatedRamp(exact);
      for (let share = -1; share <= 1; share += 0.0137) {
        table(share).forEach((channel, at) =>
          expect(Math.abs(channel - (exact(share)[at] ?? 0))).toBeLessThanOrEqual(2),
        );
      }
      expect(table(0)).toEqual(exact(0));
    }
  });
});

describe("text on fills", () => {
  test("black or white is readable on every fill, in both themes", () => {
    let worst = Infinity;
    for (const theme of THEMES) {
      const colours = palette(theme);
      for (const fill of FILLS) {
        const ramp = rampOf(fill, colours);
        for (let step = fill === "probability" ? 0 : -500; step <= 500; step++) {
          const painted = ramp(step / 500);
          worst = Math.min(worst, contrast(parseColour(textOn(painted)), painted));
        }
      }
    }
    expect(worst).toBeGreaterThanOrEqual(4.5);
  });
});

test("a blend of two colours", () => {
  expect(blend([0, 100, 200], [200, 200, 200], 0.5)).toEqual([100, 150, 200]);
  expect(blend([10, 20, 30], [255, 255, 255], 0)).toEqual([10, 20, 30]);
  expect(blend([10, 20, 30], [255, 255, 255], 1)).toEqual([255, 255, 255]);
});

test("a colour converted to light and back is the same", () => {
  for (const colour of [
    [0, 128, 255],
    [7, 89, 63],
    [255, 255, 255],
  ] as Rgb[])
    expect(colourOfLight(lightOf(colour))).toEqual(colour);
});

test("text that is not a colour throws", () => {
  expect(() => parseColour("rgb(1 2)")).toThrow(RangeError);
  expect(() => parseColour("")).toThrow('expected #rrggbb or rgb(), got ""');
});
