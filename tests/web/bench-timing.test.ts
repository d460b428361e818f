// How the benchmark times and compares: turns, ratios within a round, runs too long to repeat, seeded inputs, agreement.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deviation } from "../../web/bench/agreement.js";
import { attentionInputs, headsInside, transpose, uniform } from "../../web/bench/inputs.js";
import { fractionOfPeak } from "../../web/bench/peak.js";
import { median, pairedRatio, timeAll, type Plan, type Runner, type Timed } from "../../web/bench/timing.js";
import { works, worksWith } from "../../web/bench/works.js";

const of = (...samples: number[]): Timed => ({ name: "", samples, median: median(samples), repeats: 1 });

describe("comparing", () => {
  test("a median is the middle, or between the two in the middle", () => {
    expect([median([5, 1, 3]), median([4, 1, 3, 2]), median([7])]).toEqual([3, 2.5, 7]);
  });

  test("a ratio is of samples of the same round, so that the machine's load cancels out", () => {
    expect(pairedRatio(of(2, 20, 2.2), of(1, 10, 1))).toBe(2);
    expect(pairedRatio({ ...of(30), repeats: 0 }, of(10, 12, 14))).toBe(2.5);
  });

  test("the shortest of neighbouring samples of a peak counts", () => {
    const peak = { time: of(1, 5, 1, 1), flops: 100 };
    expect(fractionOfPeak({ time: of(2, 2, 2, 2), flops: 100 }, peak)).toBe(0.5);
  });

  test("results agree relative to their largest number; NaN in either is a difference", () => {
    expect(deviation([100, 1], [100.01, 1])).toBeCloseTo(1e-4, 10);
    expect(deviation([0.5], [0.25])).toBe(0.25);
    for (const [expected, got] of [
      [[1], [NaN]],
      [[NaN], [1]],
      [
        [NaN, 1],
        [NaN, 1],
      ],
      [[1], [1, 2]],
    ] as const)
      expect(deviation(expected, got)).toBe(Infinity);
  });
});

describe("timing", () => {
  let now = 0;
  beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => now));
  afterEach(() => void vi.restoreAllMocks());

  const plan: Plan = {
    rounds: 4,
    sampleMs: 8,
    warmMs: 10,
    settleMs: 0,
    budgetMs: 1e6,
    least: 2,
    onceMs: 500,
    againMs: 2000,
  };
  const calls: string[] = [];
  const runner = (name: string, lasts: number, firstMs = lasts): Runner => ({
    name,
    firstMs,
    ready: {
      run() {
        calls.push(name);
        now += lasts;
        return new Float32Array(0);
      },
    },
  });

  test("a run that fails names its contestant", async () => {
    const failing: Runner = {
      ...runner("fails", 1),
      ready: { run: () => Promise.reject(new RangeError("no memory")) },
    };
    const running = timeAll([runner("runs", 1), failing], plan);
    await expect(running).rejects.toMatchObject({ runner: "fails", message: "no memory" });
  });

  test("a sample repeats a short run; all take turns, in a rotating order", async () => {
    calls.length = 0;
    const times = await timeAll([runner("a", 2), runner("b", 20)], plan);
    expect(times.map(({ name, repeats, median }) => [name, repeats, median])).toEqual([
      ["a", 4, 2],
      ["b", 1, 20],
    ]);
    expect(times.map(({ samples }) => samples.length)).toEqual([4, 4]);
    expect(calls.slice(-20).join("")).toBe(["aaaab", "baaaa", "baaaa", "aaaab"].join(""));
  });

  test("a sample shorter than the timer's resolution is repeated with more runs", async () => {
    let runs = 0;
    const interrupted = runner("a", 0);
    // The run takes long during the warm-up, as on a machine that is busy for a moment.
    interrupted.ready.run = () => {
      now += ++runs < 3 ? 9 : 0.5;
      return new Float32Array(0);
    };
    const [row] = await timeAll([interrupted], plan);
    expect([row!.median, row!.repeats]).toEqual([0.5, 4]);
  });

  test("rounds end when a task's time is used up, but not before the least number", async () => {
    const [row] = await timeAll([runner("a", 20)], { ...plan, budgetMs: 60 });
    expect(row!.samples).toHaveLength(3);
    const [least] = await timeAll([runner("a", 400)], { ...plan, budgetMs: 60 });
    expect(least!.samples).toHaveLength(2);
  });

  test("a run too long to repeat has one sample: its second, for the first may have compiled, or its only one", async () => {
    const times = await timeAll([runner("a", 600, 1500), runner("b", 900, 3000), runner("c", 3, 700)], plan);
    expect(times.map(({ repeats, samples }) => [repeats, samples[0]])).toEqual([
      [0, 600],
      [0, 3000],
      [3, 3],
    ]);
  });
});

describe("tasks and inputs", () => {
  test("every task has a unique name, and is found by its words", () => {
    expect(new Set(works.map(({ id }) => id)).size).toBe(works.length);
    expect(worksWith("ATTENTION causal").map(({ id }) => id)).toEqual([
      "attention L2048 d64 causal",
      "attention L8192 d64 causal",
    ]);
    expect(worksWith("")).toHaveLength(works.length);
    for (const { flops } of works) expect(flops).toBeGreaterThan(0);
  });

  test("the same seed gives the same numbers, within their bounds and around their centre", () => {
    const numbers = uniform(3, 10_000, 0.5, 2);
    expect(numbers).toEqual(uniform(3, 10_000, 0.5, 2));
    expect(numbers).not.toEqual(uniform(4, 10_000, 0.5, 2));
    expect(numbers.every((number) => number >= 1.5 && number <= 2.5)).toBe(true);
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
    expect(Math.abs(mean - 2)).toBeLessThan(0.02);
  });

  test("swapping heads twice, or transposing a matrix twice, changes nothing", () => {
    const sizes = { batch: 2, heads: 3, length: 5, dim: 12 };
    const { query } = attentionInputs(sizes);
    const inside = headsInside(query, sizes);
    expect(inside).not.toEqual(query);
    expect(headsInside(inside, { batch: 2, heads: 5, length: 3, dim: 20 })).toEqual(query);
    expect(transpose(transpose(query, 24, 5), 5, 24)).toEqual(query);
  });
});
