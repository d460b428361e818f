// The complexity lab: the counts of the core's layers equal sums by hand, the columns equal those of table 1, and times are measured on request.
import { expect, test } from "vitest";
import type { ConfigOf } from "../../web/config/config.js";
import type { ComplexityNumbers } from "../../web/config/labs/complexity.js";
import { wordsIn } from "../../web/i18n/words.js";
import { countedLengths } from "../../web/labs/complexity/layers.js";
import { isRefused } from "../../web/telling/typed-values.js";
import { computed, configOf, labs } from "./labs-sessions.js";
import { optionsOf } from "./setting-bounds.js";

type Config = ConfigOf<"complexity">;
const lab = labs.complexity;
const en = wordsIn("en");
const setTo = (numbers: Partial<ComplexityNumbers>): Config =>
  configOf<"complexity">("why-self-attention", numbers);
const columnOf = (config: Config, node: string): number[] => [...computed(config).snapshots.get(node)!.data];

/**
 * Operations of one pass as a textbook counts them, by hand: a product of (n, m) with (m, p) is 2 n m p; a scaled score is one
 * more, a softmax five per cell; a bias, a sum or a tanh one per number.
 */
function byHand({ length: n, dim: d, heads: h, kernel: k, near: r, projected }: ComplexityNumbers): number[] {
  const attend = (keys: number) => 2 * n * keys * d + 6 * h * n * keys + 2 * n * keys * d;
  const projections = projected ? 4 * (2 * n * d * d + n * d) : 0;
  return [
    attend(n) + projections,
    n * (2 * (2 * d * d + d) + 2 * d),
    2 * k * n * d * d + n * d,
    attend(r) + projections,
  ];
}

test("every layer counts as many operations as the sum by hand, with and without projections", () => {
  const cases: Partial<ComplexityNumbers>[] = [
    {},
    { length: 70, dim: 128, heads: 8, kernel: 5, near: 16 },
    { length: 16, dim: 16, heads: 1, kernel: 9, near: 4 },
    { length: 100, dim: 32, heads: 2, kernel: 7, projected: true },
    { length: 512, dim: 16, heads: 4, projected: true, near: 16 },
  ];
  for (const numbers of cases) {
    const config = setTo(numbers);
    const { snapshots } = computed(config);
    const lengths = countedLengths(config.numbers.length);
    const counted = snapshots.get("counted")!;
    expect(counted.shape).toEqual([4, lengths.length]);
    lengths.forEach((length, at) => {
      const column = [0, 1, 2, 3].map((row) => counted.data[row * lengths.length + at]);
      expect(column).toEqual(byHand({ ...config.numbers, length }));
    });
    expect([...snapshots.get("flops")!.data]).toEqual(byHand(config.numbers));
  }
});

test("table 1: operations, sequential steps, path lengths, and stored attention weights", () => {
  const { snapshots } = computed(configOf("why-self-attention"));
  const column = (node: string) => [...snapshots.get(node)!.data];
  const [n, d, h, k, r] = [256, 64, 4, 3, 8];
  expect(column("work")).toEqual([n * n * d, n * d * d, k * n * d * d, r * n * d]);
  expect(column("sequential")).toEqual([1, n, 1, 1]);
  expect(column("weights")).toEqual([h * n * n, 0, 0, h * n * r]);
  const path = column("path");
  expect(path.slice(0, 2)).toEqual([1, n]);
  expect(Math.abs(path[2]! - Math.log(n) / Math.log(k))).toBeLessThan(1e-12);
  expect(path[3]).toBe(n / r);
});

/** Layers of windows, word by word as `windowsOf` has them, until some word has read both ends of the text. */
function windowLayers(length: number, near: number): number {
  const first = (word: number) => Math.min(Math.max(word - near / 2, 0), length - near);
  let ends = Array.from({ length }, (_, word) => [word === 0, word === length - 1] as const);
  for (let layers = 1; ; layers += 1) {
    const below = ends;
    ends = below.map((_, word) => {
      const read = below.slice(first(word), first(word) + near);
      return [read.some(([start]) => start), read.some(([, end]) => end)] as const;
    });
    if (ends.some(([start, end]) => start && end)) return layers;
  }
}

test("hops are whole layers: of kernels whose stack covers the text, and of windows until both ends have met", () => {
  expect(columnOf(setTo({}), "hops")).toEqual([1, 256, 6, 37]);
  for (const length of [16, 27, 28, 81, 243, 244, 256, 343, 512])
    for (const [kernel, near] of [
      [3, 4],
      [7, 8],
      [9, 16],
    ] as const) {
      let stack = 0;
      while (kernel ** stack < length) stack += 1;
      expect(columnOf(setTo({ length, kernel, near }), "hops")).toEqual([
        1,
        length,
        stack,
        windowLayers(length, near),
      ]);
    }
});

test("the count divided by the table's term is the constant that O() leaves out", () => {
  // 4 + 6 H / d, 4 + 4 / d, 2 + 1 / (k d), 4 + 6 H / d
  const [attention, recurrent, convolution, near] = columnOf(setTo({ dim: 128, heads: 1 }), "ratio");
  expect(attention).toBe(4 + 6 / 128);
  expect(recurrent).toBe(4 + 4 / 128);
  expect(Math.abs(convolution! - (2 + 1 / (3 * 128)))).toBeLessThan(1e-12);
  expect(near).toBe(attention);
});

test("attention costs less than the recurrent layer if there are fewer words than numbers per word, and more otherwise", () => {
  const flops = (numbers: Partial<ComplexityNumbers>) => columnOf(setTo(numbers), "flops");
  const short = flops({ length: 32, dim: 64, heads: 1 });
  const long = flops({ length: 128, dim: 64, heads: 1 });
  expect(short[0]).toBeLessThan(short[1]!);
  expect(long[0]).toBeGreaterThan(long[1]!);
});

test("the bands draw as many hops as are counted", () => {
  for (const numbers of [
    {},
    { length: 20 },
    { length: 243, near: 16 },
    { length: 512, kernel: 5, near: 4 },
  ] as const) {
    const config = setTo(numbers);
    const { snapshots } = computed(config);
    const room = { width: 1232, height: 560, layout: "wide", step: 0, words: en } as const;
    const { curves } = lab.scene(config, snapshots, room);
    const pulsesOf = (id: string) => curves.filter((curve) => curve.id.startsWith(`${id}-pulse`));
    const hops = columnOf(config, "hops");
    for (const [at, id] of ["recurrent", "convolution", "near"].entries()) {
      for (const { motion, points } of pulsesOf(id)) {
        expect(motion!.length - 1).toBe(hops[at + 1]);
        expect(motion!.at(-1)!.point).toEqual(points[0]);
        // The pulses of both ends meet.
        expect(Math.abs(points[0]![0] - pulsesOf(id)[0]!.points[0]![0])).toBeLessThan(1e-9);
      }
    }
    expect(pulsesOf("attention")[0]!.motion!.at(-1)!.time).toBe(240);
  }
});

test("every setting gives finite numbers", () => {
  const headCounts = optionsOf("complexity", "heads");
  const kernels = optionsOf("complexity", "kernel");
  const neighbourhoods = optionsOf("complexity", "near");
  for (const dim of optionsOf("complexity", "dim")) {
    for (const heads of headCounts) {
      const at = headCounts.indexOf(heads);
      const kernel = kernels[at]!;
      const near = neighbourhoods[at % neighbourhoods.length]!;
      const config = setTo({ length: 40, dim, heads, kernel, near, projected: at % 2 === 1 });
      const { snapshots } = computed(config);
      for (const { name, data } of snapshots.values())
        for (const value of data) expect([name, Number.isFinite(value)]).toEqual([name, true]);
      expect(columnOf(config, "flops")).toEqual(byHand(config.numbers));
    }
  }
});

test("times are measured only on request, and then for every layer at every length", () => {
  expect(computed(configOf("why-self-attention")).snapshots.has("times")).toBe(false);
  const config = setTo({ length: 64, dim: 16, measured: 1 });
  const start = performance.now();
  const { snapshots } = computed(config);
  // The limit is 1.5 seconds, plus the measurements that had begun by then.
  expect(performance.now() - start).toBeLessThan(10_000);
  const times = snapshots.get("times")!;
  expect(times.shape).toEqual([4, 3]);
  for (const value of times.data) expect(value).toBeGreaterThan(0);
  const [begun, ended, calls] = ["begun", "ended", "calls"].map((node) => snapshots.get(node)!.data);
  times.data.forEach((value, at) => {
    expect(calls![at]).toBeGreaterThanOrEqual(1);
    expect(value).toBe((ended![at]! - begun![at]!) / calls![at]!);
  });
  const { data: milliseconds } = snapshots.get("milliseconds")!;
  snapshots.get("rate")!.data.forEach((value, row) => {
    const flops = snapshots.get("flops")!.data[row]!;
    expect(Math.abs(value / (flops / milliseconds[row]! / 1e6) - 1)).toBeLessThan(1e-12);
  });
});

test("the controls accept the values that they offer, and refuse others by name", () => {
  const { numbers } = configOf<"complexity">("why-self-attention");
  const set = (control: string, value: string, from = numbers) => {
    const answer = lab.change(from, control, value, en);
    return isRefused(answer) ? answer.refused : answer;
  };
  for (const config of [setTo({}), setTo({ measured: 9 })]) {
    for (const { id, options = [] } of lab.sentence(config, en).controls)
      for (const { value } of options) expect(typeof set(id, value, config.numbers)).toBe("object");
  }
  expect(set("length", "600")).toMatch(/16 to 512, got 600/);
  expect(set("dim", "48")).toMatch(/16, 32, 64, 128/);
  expect(set("measured", "10")).toMatch(/0 to 9, got 10/);
  const again = lab.sentence(setTo({ measured: 9 }), en).controls.find(({ id }) => id === "measured")!;
  expect(again.options!.at(-1)!.value).toBe("1");
});

test("opens at the one layer of attention, and says what its table and its bands count", () => {
  const config = setTo({});
  const { snapshots } = computed(config);
  expect(lab.opening(config, snapshots)).toEqual({ node: "hops", index: [0, 0] });
  const room = { width: 1232, height: 560, layout: "wide", step: 0, words: en } as const;
  const texts = lab.scene(config, snapshots, room).labels.map(({ text }) => text);
  expect(texts).toContain("Table 1 gives log_3 n and n / r hops; the bands count whole layers.");
});

test("while nothing is timed, the sentence says that it can be", () => {
  const label = (numbers: Partial<ComplexityNumbers>): string | undefined =>
    lab.sentence(setTo(numbers), en).controls.find(({ id }) => id === "measured")?.label;
  expect(label({})).toBe("time it here");
  expect(label({ measured: 1 })).toBe("timed here");
});
