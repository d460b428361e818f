// The claims about training: their results are complete, and give the verdicts that the page states; one of them is measured again.
import { describe, expect, test } from "vitest";
import { measureRun } from "../../toolchain/measure-claim.mjs";
import {
  claims,
  isTrue,
  measuredClaims,
  nameOfRun,
  optionsOf,
  verdictOf,
  type Claim,
  type Comparison,
} from "../../web/config/claims.js";
import { core } from "./loaded-core.js";

const byId = (id: string): Claim => claims.find((claim) => claim.id === id)!;

test("the verdicts", () => {
  const verdicts = claims.map((claim) => [claim.id, verdictOf(claim, measuredClaims[claim.id]!)]);
  expect(Object.fromEntries(verdicts)).toEqual({
    positions: "holds",
    warmup: "partly",
    residual: "partly",
    norm: "partly",
    scaling: "holds",
    heads: "partly",
    dropout: "partly",
    "dropout-short": "partly",
    smoothing: "partly",
    "smoothing-short": "varies",
    embedding: "partly",
    rate: "partly",
    "rate-sgd": "holds",
    convolution: "partly",
  });
});

describe.each(claims.map((claim) => [claim.id, claim] as const))("%s", (id, claim) => {
  const results = measuredClaims[id]!;

  test("has the measures of five seeds", () => {
    expect(new Set(results.map(({ seed }) => seed)).size).toBe(5);
    for (const { values } of results) {
      expect(Object.keys(values)).toEqual(claim.runs.map(nameOfRun));
      for (const run of Object.values(values)) {
        expect(Object.keys(run)).toEqual(["made", ...claim.measures]);
        for (const measure of claim.measures) expect(run[measure]).toHaveLength(claim.at.length);
      }
    }
  });

  test("compares what was measured", () => {
    const runs = claim.runs.map(nameOfRun);
    for (const { run, measure, step, than } of [...claim.premises, ...claim.rule]) {
      expect(runs).toContain(run);
      if (typeof than !== "number") expect(runs).toContain(than.run);
      if (step !== undefined) expect(claim.at).toContain(step);
      if (measure !== "made") expect(claim.measures).toContain(measure === "lowestLoss" ? "loss" : measure);
    }
    expect([...new Set(claim.runs.flat())].sort()).toEqual(Object.keys(claim.variants).sort());
  });

  test("has true premises", () => {
    for (const premise of claim.premises)
      expect(results.every((one) => isTrue(claim, premise, one))).toBe(true);
  });
});

describe("a verdict", () => {
  /** Ten steps with this loss at the end, or three before a loss that is not finite. */
  const ended = (seed: number, loss: number | null) => ({
    seed,
    values: { base: { made: loss === null ? 3 : 10, loss: [loss], accuracy: [loss] } },
  });
  const finite: Comparison = { run: "base", measure: "made", is: "above", than: 9 };
  const small: Comparison = { run: "base", measure: "loss", is: "below", than: 1 };
  const claim: Claim = {
    id: "small",
    base: {},
    variants: {},
    runs: [[]],
    at: [10],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [finite, small],
  };

  test.each([
    ["holds", [0.5, 0.9]],
    ["partly", [0.5, 1.1]],
    ["varies", [0.5, null]],
    ["fails", [null, null]],
  ] as const)("%s", (verdict, losses) => {
    const results = losses.map((loss, seed) => ended(seed, loss));
    expect(verdictOf(claim, results)).toBe(verdict);
  });

  test("counts a loss that is not finite as infinite, and its answers as wrong", () => {
    expect(isTrue(claim, { ...small, is: "above" }, ended(1, null))).toBe(true);
    expect(isTrue(claim, { ...small, measure: "accuracy" }, ended(1, null))).toBe(true);
  });
});

test("variants change the base group by group, in their order", () => {
  expect(optionsOf(byId("norm"), ["no-norm", "high-rate"], 3)).toEqual({
    preset: "reverse",
    model: { dModel: 32, numHeads: 4, numLayers: 6, dFf: 64, norm: false },
    optimizer: { lr: 0.03 },
    clipNorm: 0,
    seed: 3,
    steps: 300,
    task: { seed: 3 },
  });
});

test("measured again, a claim gives the stored numbers", () => {
  const claim = byId("rate-sgd");
  const { seed, values } = measuredClaims[claim.id]![0]!;
  for (const variants of claim.runs)
    expect(measureRun(core, claim, optionsOf(claim, variants, seed))).toEqual(values[nameOfRun(variants)]);
});
