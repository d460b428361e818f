// Numbers on their way: where each copy is at a time, what the note hides until then, and the bars of a softmax.
import { describe, expect, test } from "vitest";
import {
  flight,
  travelAt,
  travelOf,
  type Copy,
  type Point,
  type TravelParts,
} from "../../web/marks/flight.js";

const copy = (text: string): Copy => ({ text, role: "query", fill: "#fff", ink: "#000" });
const box = (x: number, y: number) => ({ x, y, width: 20, height: 20 });
/** Three operands in a row, three in a column, and their sum of products. */
const product: TravelParts = {
  operands: [
    {
      line: 0,
      copies: [2, 0, 3].map((value, at) => ({
        copy: copy(String(value)),
        from: [10 + 30 * at, 200] as Point,
        to: [500 + 40 * at, 20] as Point,
        slot: box(490 + 40 * at, 10),
      })),
    },
    {
      line: 1,
      copies: [2, 4, 3].map((value, at) => ({
        copy: copy(String(value)),
        from: [300, 50 + 30 * at] as Point,
        to: [500 + 40 * at, 50] as Point,
        slot: null,
      })),
    },
  ],
  lines: [2],
  result: { copy: copy("13"), from: [640, 80], to: [300, 200] },
  goal: box(290, 190),
};

describe("a dot product", () => {
  const travel = travelOf(product);
  const places = (time: number): Point[] => travelAt(travel, time).copies.map(({ at }) => at);
  const starts = product.operands.flatMap(({ copies }) => copies.map(({ from }) => from));
  const slots = product.operands.flatMap(({ copies }) => copies.map(({ to }) => to));

  test("copies begin at their cells, lift by 9, and land in the note at 600 ms", () => {
    expect(places(0)).toEqual(starts);
    expect(places(180)).toEqual(starts.map(([x, y]) => [x, y - 9]));
    expect(
      travelAt(travel, 180).copies.every(({ isLifted, behind }) => isLifted && behind.length === 0),
    ).toBe(true);
    for (const [at, [x, y]] of places(600).entries()) {
      expect(x).toBeCloseTo(slots[at]![0], 9);
      expect(y).toBeCloseTo(slots[at]![1], 9);
    }
    expect(travelAt(travel, 659).copies).toHaveLength(6);
    expect(travelAt(travel, 661).copies).toHaveLength(0);
  });

  test("the last copy of a line leaves first, and a row leaves along its own row", () => {
    const [first, , last] = travel.flights;
    expect(first!.starts - last!.starts).toBe(80);
    expect(first!.ends).toBe(600);
    const early = travelAt(travel, last!.starts + 60).copies[2]!;
    expect(early.at[0]).toBeGreaterThan(70);
    expect(Math.abs(early.at[1] - 200)).toBeLessThan(10);
    // The path behind ends where the path ahead begins.
    expect(early.behind.at(-1)).toEqual(early.ahead[0]);
  });

  test("the note shows operands once they have landed, then the products, then the sum", () => {
    const hidden = (time: number) => {
      const { hiddenLines, hidesResult, slots: empty } = travelAt(travel, time);
      return { hiddenLines, hidesResult, empty: empty.length };
    };
    expect(hidden(0)).toEqual({ hiddenLines: [0, 1, 2], hidesResult: true, empty: 3 });
    expect(hidden(599)).toEqual({ hiddenLines: [0, 1, 2], hidesResult: true, empty: 3 });
    expect(hidden(600)).toEqual({ hiddenLines: [], hidesResult: true, empty: 0 });
    expect(hidden(780)).toEqual({ hiddenLines: [], hidesResult: false, empty: 0 });
  });

  test("the sum flies from the note to its cell, and stays there", () => {
    expect(travel.ends).toBe(1020);
    expect(places(780)).toEqual([[640, 80]]);
    for (const time of [1020, 1200, 99_999]) {
      const [[x, y]] = places(time) as [Point];
      expect([x, y]).toEqual([expect.closeTo(300, 9), expect.closeTo(200, 9)]);
    }
    expect(travelAt(travel, 1020).copies[0]!.ahead).toEqual([]);
  });

  test("a moment depends on the time alone", () => {
    const once = travelAt(travel, 431);
    travelAt(travel, 900);
    expect(travelAt(travel, 431)).toEqual(once);
  });
});

test("however many copies and lines there are, they take as long", () => {
  const path: Point[] = [[0, 0], [9, 9]]; // prettier-ignore
  const flights = flight(Array.from({ length: 20 }, (_, at) => ({ copy: copy(String(at)), path })), 180, 420); // prettier-ignore
  expect(Math.max(...flights.map(({ ends }) => ends))).toBeCloseTo(600, 9);
  expect(Math.min(...flights.map(({ starts }) => starts))).toBe(180);
  expect(flights.every(({ starts, ends }) => Math.abs(ends - starts - 210) < 1e-9)).toBe(true);
  expect(travelOf({ ...product, lines: Array.from({ length: 12 }, (_, at) => at + 2) }).ends).toBe(
    600 + 720 + 240,
  );
});

test("the bars of a softmax grow to the exponentials and shrink to shares that fill one cell", () => {
  const exps = [0.25, 1, 0.75];
  const bars = exps.map((grown, at) => ({
    cell: box(20 * at, 100),
    role: "attention" as const,
    grown,
    share: grown / 2,
  }));
  const slot = box(500, 10);
  const travel = travelOf({
    ...product,
    lines: [1, 2, 3],
    bars: { bars, grows: 2, shrinks: 3 },
    largest: { slot, line: 1 },
  });
  const heights = (time: number): number[] => travelAt(travel, time).bars.map(({ height }) => height);
  expect(heights(700)).toEqual([0, 0, 0]);
  expect(heights(960)).toEqual(exps.map((exp) => 20 * exp));
  const shares = heights(1140);
  expect(shares.reduce((sum, height) => sum + height, 0)).toBeCloseTo(20, 9);
  // Bars stand on the floor of their cells.
  expect(travelAt(travel, 1140).bars.every(({ y, height }) => y + height === 120)).toBe(true);
  expect(heights(travel.ends)).toEqual([]);
  expect(travelAt(travel, 590).frames).toEqual([product.goal]);
  expect(travelAt(travel, 700).frames).toEqual([product.goal, slot]);
});
