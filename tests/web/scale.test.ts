import { expect, test } from "vitest";
import { linearScale, linearTicks, logScale, logTicks, roundedScale } from "../../web/marks/scale.js";

const range = [100, 300] as const;

test("a linear scale maps the ends of its domain to the ends of its range", () => {
  const scale = linearScale([-1, 3], range);
  expect([-1, 0, 3].map(scale)).toEqual([100, 150, 300]);
  expect(linearTicks(scale, 4)).toEqual([-1, 0, 1, 2, 3]);
});

test("a rounded scale encloses its domain", () => {
  expect(roundedScale([0.13, 9.2], range).domain).toEqual([0, 10]);
});

test("a logarithmic scale gives every power of ten the same length", () => {
  const scale = logScale([0.01, 100], range);
  const pixels = [0.01, 0.1, 1, 10, 100].map((value) => Math.round(scale(value)));
  expect(pixels).toEqual([100, 150, 200, 250, 300]);
  expect(scale(0)).toBe(-Infinity);
});

test.each<[[number, number], number, number[]]>([
  [[1, 1000], 4, [1, 10, 100, 1000]],
  [[1, 1e8], 4, [1, 1e3, 1e6]],
  [[0.002, 126], 5, [0.01, 0.1, 1, 10, 100]],
  [[1.5, 70], 4, [2, 10, 50]],
  [[3, 8], 6, [3, 4, 5, 6, 7, 8]],
  [[3, 8], 4, [3, 4, 5, 6, 7, 8]],
  [[1.2, 1.6], 3, [1.2, 1.3, 1.4, 1.5, 1.6]],
])("the ticks of a logarithmic axis over %j with room for %i", (domain, count, expected) => {
  expect(logTicks(logScale(domain, range), count)).toEqual(expected);
});
