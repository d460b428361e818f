/** The report of the benchmark: contestants that cannot do a task, contestants that disagree, and the reasons to fail. */
import { expect, test } from "vitest";
import { contestants, OURS } from "../bench/contestants.mjs";
import { failures, report, table, workLine } from "../bench/report.mjs";

interface Row {
  name: string;
  agrees?: boolean;
  cannot?: string;
  deviation?: number;
  median?: number;
  repeats?: number;
}

const timedRow = (name: string, median: number): Row => ({
  name,
  agrees: true,
  deviation: 0,
  median,
  repeats: 3,
});

/** A task that takes ours 2 ms and the others 3, with the rows of `other` inserted. */
function results(...other: Row[]) {
  const rows = contestants.map(
    ({ name, library }) => other.find((row) => row.name === name) ?? timedRow(name, library ? 3 : 2),
  );
  const work = {
    id: "matmul 64",
    flops: 1e8,
    rows,
    best: "jax-js",
    ratios: { [OURS]: 1.5 },
    ofPeak: { [OURS]: 0.876 },
  };
  return { works: [work], peak: { simd: 30, relaxed: 57.1 }, loading: [], memory: [], editing: [] };
}

test("the figures are the median, billions of operations per second, the share of the peak, and the best other's time over ours", () => {
  const line = workLine(results().works[0]);
  expect(line).toContain("ours 50.0 GFLOP/s, 88 %, x1.50");
  expect(line).toContain("jax-js 3.00 ms");
  expect(report(results())).toMatch(/matmul 64 .* 2\.00 ms .* 3\.00 ms .* 50\.0 +88 % .* jax-js +1\.50 +-/);
  expect(failures(results())).toEqual([]);
});

test("a contestant that cannot do a task is listed and does not fail the run, unless it is ours", () => {
  const other = results({ name: "jax-js", cannot: "no such operation" });
  expect(report(other)).toContain("cannot");
  expect(report(other)).toContain("matmul 64, jax-js: no such operation");
  expect(failures(other)).toEqual([]);
  expect(failures(results({ name: OURS, cannot: "out of memory" }))).toEqual([
    "matmul 64: ours: out of memory",
  ]);
});

test("different numbers fail the run, in any contestant and any table", () => {
  const wrong = { name: "LiteRT.js", agrees: false, deviation: 0.5 };
  expect(failures(results(wrong))).toEqual(["matmul 64: LiteRT.js disagrees"]);
  expect(report(results(wrong))).toContain("DISAGREES");
  const loading = [{ name: OURS, agrees: false }];
  const memory = [{ name: OURS, agrees: false, before: 1, after: 2 }];
  expect(failures({ ...results(), loading, memory })).toEqual([
    "first result: ours disagrees",
    "memory: ours disagrees",
  ]);
});

test("columns are as wide as their longest cell", () => {
  expect(
    table([
      ["", "time"],
      ["a long name", "3 ms"],
      ["b", "12.5 ms"],
    ]),
  ).toBe("                time\na long name     3 ms\nb            12.5 ms");
});
