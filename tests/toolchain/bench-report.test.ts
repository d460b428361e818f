/** The report of the benchmark: contestants that cannot do a task, contestants that disagree, and what makes it fail. */
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

/** A task that ours does in 2 ms and the others in 3, with the rows of `other` inserted. */
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

test("figures are medians, billions of operations a second, the fraction of the peak, and the time of the best other over ours", () => {
  const line = workLine(results().works[0]);
  expect(line).toContain("ours 50.0 GFLOP/s, 88 %, x1.50");
  expect(line).toContain("jax-js 3.00 ms");
  expect(report(results())).toMatch(/matmul 64 .* 2\.00 ms .* 3\.00 ms .* 50\.0 +88 % .* jax-js +1\.50 +-/);
  expect(failures(results())).toEqual([]);
});

test("a contestant that cannot do a task is reported, and is a failure only if it is ours", () => {
  const other = results({ name: "jax-js", cannot: "no such operation" });
  expect(report(other)).toContain("cannot");
  expect(report(other)).toContain("matmul 64, jax-js: no such operation");
  expect(failures(other)).toEqual([]);
  expect(failures(results({ name: OURS, cannot: "out of memory" }))).toEqual([
    "matmul 64: ours: out of memory",
  ]);
});

test("disagreeing numbers are a failure of any contestant, in tasks, first results and memory", () => {
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

test("a column is as wide as its widest cell", () => {
  expect(
    table([
      ["", "time"],
      ["a long name", "3 ms"],
      ["b", "12.5 ms"],
    ]),
  ).toBe("                time\na long name     3 ms\nb            12.5 ms");
});
