/** tokens.css: contrast of text and lines, and roles under colour blindness. DESIGN.md, section 2. */
import { describe, expect, test } from "vitest";
import { parseColour, type Rgb } from "../../web/marks/colour.js";
import { contrast, darkTokens, systemDark, token, type Theme } from "./tokens.js";
import { differenceCiede2000, seenWith, type Deficiency } from "./colour-vision.js";

const colour = (theme: Theme, name: string): Rgb => parseColour(token(theme, name));

test("the dark theme is the same whether the system or the reader chose it", () => {
  expect(systemDark).toEqual(darkTokens);
});

describe("the difference of colours", () => {
  // Pairs 1, 7, 17 and 25 of Sharma, Wu and Dalal's test data for CIEDE2000.
  test.each([
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  ] as const)("of %j and %j is %d", (a, b, difference) => {
    expect(differenceCiede2000(a, b)).toBeCloseTo(difference, 4);
  });
});

/** The contrast on the three backgrounds, as measured in the design. */
const CONTRAST: Record<Theme, Record<string, [number, number, number]>> = {
  light: {
    ink: [16.5, 17.1, 15.3],
    "ink-2": [8.2, 8.5, 7.6],
    "ink-3": [5.0, 5.2, 4.7],
    control: [3.5, 3.6, 3.3],
    query: [5.1, 5.2, 4.7],
    key: [5.2, 5.4, 4.8],
    value: [8.1, 8.4, 7.5],
    attention: [10.8, 11.2, 10.0],
    output: [7.7, 7.9, 7.1],
    weight: [5.4, 5.6, 5.0],
    activation: [10.0, 10.3, 9.2],
    notice: [5.7, 5.9, 5.3],
  },
  dark: {
    ink: [15.1, 13.8, 15.7],
    "ink-2": [9.4, 8.6, 9.8],
    "ink-3": [6.0, 5.4, 6.2],
    control: [4.6, 4.2, 4.7],
    query: [6.5, 6.0, 6.8],
    key: [6.1, 5.6, 6.4],
    value: [12.7, 11.6, 13.2],
    attention: [11.5, 10.5, 12.0],
    output: [6.9, 6.3, 7.2],
    weight: [6.7, 6.1, 7.0],
    activation: [12.9, 11.8, 13.4],
    notice: [9.6, 8.8, 10.0],
  },
};

describe.each(["light", "dark"] as const)("%s", (theme) => {
  test.each(Object.entries(CONTRAST[theme]))("contrast of %s", (name, measured) => {
    for (const [at, ground] of ["paper", "surface", "sunk"].entries()) {
      const ratio = contrast(colour(theme, name), colour(theme, ground));
      expect(Math.abs(ratio - (measured[at] ?? 0)), `${name} on ${ground}: ${ratio}`).toBeLessThanOrEqual(
        0.06,
      );
      expect(ratio).toBeGreaterThanOrEqual(name === "control" ? 3 : 4.5);
    }
  });

  const least = {
    light: { normal: 28, deutan: 15, protan: 15, tritan: 16 },
    dark: { normal: 30, deutan: 20, protan: 13, tritan: 17 },
  }[theme];
  test.each(Object.entries(least) as [Deficiency, number][])(
    "Q, K, V and A stay apart: %s vision, %d",
    (vision, expected) => {
      const roles = ["query", "key", "value", "attention"].map((name) =>
        seenWith(colour(theme, name), vision),
      );
      const differences = roles.flatMap((a, at) => roles.slice(at + 1).map((b) => differenceCiede2000(a, b)));
      expect(Math.min(...differences)).toBeGreaterThanOrEqual(expected - 1);
    },
  );
});
