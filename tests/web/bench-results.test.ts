// The page that times the core shows more than its own measurements: results as a link, published runs, projections.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLinkedResults, resultsHash, type LinkedResults } from "../../web/bench/page/address.js";
import { projections } from "../../web/bench/projection.js";
import { slowerCount, lowestOf, middleOf, publishedRuns } from "../../web/bench/published/index.js";
import { readResults, resultsText } from "../../web/bench/results-link.js";
import { works } from "../../web/bench/works.js";

const workOf = (id: string) => works.find((one) => one.id === id)!;

/** A run of both builds at two tasks, or of the plain build alone. */
function sent(relaxed: boolean): LinkedResults {
  const measured = (id: string, median: number) => ({
    median,
    gflops: workOf(id).flops / median / 1e6,
    ofPeak: 0.76,
  });
  const results = ["matmul 64", "attention L2048 d64 causal"].map((id) => ({
    id,
    builds: { ...(relaxed && { relaxed: measured(id, 0.0118) }), simd: measured(id, 25.5) },
    faster: relaxed ? 1.33 : null,
    agrees: true,
  }));
  return { date: "2026-11-23", peaks: { simd: 56, relaxed: relaxed ? 58.6 : null }, results, on: "" };
}

describe("results as a link", () => {
  test.each([true, false])("are read back as they were written, relaxed SIMD %s", (relaxed) => {
    const given = { ...sent(relaxed), on: "Ryzen & Söhne" };
    expect(readLinkedResults(resultsHash(given))).toEqual(given);
    expect(readLinkedResults(`${resultsHash(given)}&lang=zh-CN&theme=dark`)).toEqual(given);
  });

  test("are legible, and need no escapes", () => {
    expect(resultsHash(sent(true))).toBe(
      "#results=2026-11-23_58.6_56*matmul+64_0.0118_0.76_25.5_0.76_1.33_y*attention+L2048+d64+causal_0.0118_0.76_25.5_0.76_1.33_y",
    );
  });

  test("an address without results has none", () => {
    expect(readLinkedResults("#lang=en&works=matmul")).toBeNull();
  });

  test.each([
    ["23.11.2026_58_56*matmul 64_1_1_1_1_1_y", "results", "a day as 2026-11-23"],
    ["2026-11-23_58_56", "results", "at least one task"],
    ["2026-11-23_58_0*matmul 64_1_1_1_1_1_y", "results", "a number above 0"],
    ["2026-11-23_58_56*matmul 65_1_1_1_1_1_y", "results", "the name of a task"],
    ["2026-11-23_58_56*matmul 64_1_1_1_1_1", "matmul 64", "7 parts"],
    ["2026-11-23_58_56*matmul 64_1_1_1_-1_1_y", "matmul 64", "a number above 0"],
    ["2026-11-23_58_56*matmul 64_1_1_NaN_1_1_y", "matmul 64", "a number above 0"],
    ["2026-11-23_58_56*matmul 64_1_1_1_1_1_yes", "matmul 64", "y or n"],
    ["2026-11-23_58_56*matmul 64_1_1_1_1_1_y*matmul 64_1_1_1_1_1_y", "results", "each task once"],
    ["2026-11-23__56*matmul 64_1_1_1_1_1_y", "matmul 64", "the relaxed build in all tasks or in none"],
    ["2026-11-23_58_56*matmul 64___1_1__y", "matmul 64", "the relaxed build in all tasks or in none"],
  ])("%s is refused with its field and what was expected", (text, field, expected) => {
    expect(readResults(text)).toMatchObject({ field, expected });
  });

  test("a machine's name or a text that is too long is refused", () => {
    expect(readLinkedResults(resultsHash({ ...sent(true), on: "x".repeat(81) }))).toMatchObject({
      field: "on",
    });
    expect(readResults("x".repeat(20_000))).toMatchObject({ field: "results", actual: "20000" });
  });

  test("any text is either read or refused", () => {
    const parts = fc.constantFrom("_", "*", "matmul 64", "2026-11-23", "1", "y", "-", "1e999", "Infinity");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts).map((all) => all.join("")),
        ),
        (text) => {
          const read = readResults(text);
          if ("field" in read) return read.expected.length > 0 && read.actual.length <= 60;
          return readResults(resultsText(read)) !== null;
        },
      ),
    );
  });
});

describe("published runs", () => {
  test("contain every task that another library can do, each once, with its ratio", () => {
    for (const { date, works: kept } of publishedRuns) {
      const timed = works.filter(({ since = "" }) => since <= date);
      expect(kept.map(({ id }) => id).toSorted()).toEqual(timed.map(({ id }) => id).toSorted());
      for (const { ratio, plainRatio, otherTime } of kept)
        for (const number of [ratio, plainRatio, otherTime]) expect(number).toBeGreaterThan(0);
    }
  });

  test("there is one without and one with a busy process", () => {
    expect(publishedRuns.map(({ beside }) => beside)).toEqual([false, true]);
  });

  test("the README has the lowest ratio of each", () => {
    const readme = readFileSync("README.md", "utf8").replaceAll(/\s+/g, " ");
    for (const run of publishedRuns) {
      const { id, ratio, other } = lowestOf(run);
      expect(readme).toContain(`${ratio.toFixed(2)} (${id}, beside ${other})`);
      expect(middleOf(run)).toBeGreaterThanOrEqual(ratio);
      expect(slowerCount(run) > 0).toBe(ratio < 1);
    }
  });
});

describe("projections", () => {
  const speeds = new Map([
    ["encoder layer L128 D384", 40],
    ["encoder layer L64 D1024", 50],
  ]);

  test("are the operations of a model over the speed of the layer closest in width", () => {
    const [bert] = projections(speeds);
    // 12 layers of 24 L D^2 + 4 L^2 D, at L 128 and D 768.
    expect(bert).toMatchObject({ model: "bert", flops: 22_347_251_712, from: "encoder layer L64 D1024" });
    expect(bert!.milliseconds).toBeCloseTo(446.9, 1);
  });

  test("are empty without such a layer", () => {
    expect(projections(new Map([["matmul 64", 40]]))).toEqual([]);
    expect(projections(new Map([["encoder layer L64 D128", 40]]))).toEqual([]);
  });
});
