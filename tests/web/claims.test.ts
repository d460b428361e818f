// The claims about training: their settings are valid, their results are complete, and give the verdicts that the page states; one of them
// is measured again.
import { describe, expect, test } from "vitest";
import { measureRun } from "../../toolchain/measure-claim.mjs";
import { decode, encode } from "../../web/config/codec.js";
import type { ConfigOf } from "../../web/config/config.js";
import { exampleById } from "../../web/examples/index.js";
import { wordsIn } from "../../web/i18n/words.js";
import {
  claimById,
  claimOf,
  claims,
  isTrue,
  measuredClaims,
  resultsOf,
  runsOfClaim,
  settingsOf,
  verdictOf,
  type Claim,
  type Comparison,
} from "../../web/labs/training/claims.js";
import { en } from "../../web/labs/training/en.js";
import { lab } from "../../web/labs/training/index.js";
import { keptRuns, optionsOf, runsOf } from "../../web/labs/training/runs.js";
import { core } from "./loaded-core.js";

const first = exampleById("learn-to-reverse")!.config as ConfigOf<"training">;
const words = wordsIn("en");
const configOf = (numbers: ConfigOf<"training">["numbers"]): ConfigOf<"training"> => ({ ...first, numbers });

test("the verdicts", () => {
  const verdicts = claims.map((claim) => [claim.id, verdictOf(claim, resultsOf(claim))]);
  expect(Object.fromEntries(verdicts)).toEqual({
    positions: "holds",
    warmup: "partly",
    residual: "partly",
    norm: "partly",
    scaling: "holds",
    heads: "holds",
    "heads-reverse": "fails",
    dropout: "partly",
    "dropout-short": "partly",
    smoothing: "partly",
    "smoothing-short": "varies",
    embedding: "holds",
    "embedding-reverse": "fails",
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
      expect(Object.keys(values)).toEqual(runsOfClaim(claim));
      for (const run of Object.values(values)) {
        expect(Object.keys(run)).toEqual(["made", ...claim.measures]);
        for (const measure of claim.measures) expect(run[measure]).toHaveLength(claim.at.length);
      }
    }
  });

  test("compares what was measured", () => {
    const runs = runsOfClaim(claim);
    for (const { run, measure, step, than } of [...claim.premises, ...claim.rule]) {
      expect(runs).toContain(run);
      if (typeof than !== "number") expect(runs).toContain(than.run);
      if (step !== undefined) expect(claim.at).toContain(step);
      if (measure !== "made") expect(claim.measures).toContain(measure === "lowestLoss" ? "loss" : measure);
    }
  });

  test("has true premises", () => {
    for (const premise of claim.premises)
      expect(results.every((one) => isTrue(claim, premise, one))).toBe(true);
  });

  test("has settings that the core takes, and a link that gives them back", () => {
    const numbers = settingsOf(claim, 11);
    const { config, notices } = decode(encode(configOf(numbers)));
    expect(notices).toEqual([]);
    expect(config.numbers).toEqual(numbers);
    for (const one of runsOf(numbers)) {
      using trainer = core.trainer(optionsOf(one));
      expect(trainer.options["task.seed"]).toBe("11");
    }
  });

  test("is found by its settings, chosen in the list, and replayed by a seed", () => {
    const numbers = settingsOf(claim, results[0]!.seed);
    expect(claimOf({ ...numbers, seed: 7, step: 3 })).toEqual({ claim, differing: [] });
    expect(lab.change({ ...first.numbers, beside: [] }, "claim", id, words)).toEqual(numbers);
    const seed = results.at(-1)!.seed;
    expect(lab.change(numbers, "seeds", String(seed), words)).toEqual({
      ...settingsOf(claim, seed),
      step: numbers.steps,
    });
    const { controls } = lab.sentence(configOf(numbers), words);
    const seeds = controls.find((control) => control.id === "seeds")!;
    expect(seeds.options!.map(({ value }) => value)).toEqual(results.map((one) => String(one.seed)));
    for (const key of [`claim.${id}`, `why.${id}`]) expect(en).toHaveProperty([key]);
  });
});

test("the first example tests a claim with the settings of its seeds", () => {
  expect(claimOf(first.numbers)).toEqual({ claim: claimById("positions"), differing: [] });
});

test("runs that test a claim with other settings than those measured say so", () => {
  const other = { ...first.numbers, rate: 0.003, batch: 32 };
  const { claim, differing } = claimOf(other)!;
  expect(claim.id).toBe("positions");
  expect(differing).toEqual(["rate", "batch"]);
  const { controls } = lab.sentence(configOf(other), words);
  expect(controls.find(({ id }) => id === "seeds")!.help).toBe(
    "Held out after 400 steps, in the order this run / no positions. A seed computes its runs again. " +
      "They ran with other settings: Learning rate 0.004; Examples of a batch 64.",
  );
  expect(claimOf({ ...first.numbers, beside: ["post-norm"] })).toBeNull();
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
    source: "taught",
    settings: { task: "reverse", beside: [] },
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

test("measured again, a claim gives the stored numbers", () => {
  const claim = claimById("rate-sgd")!;
  const { seed, values } = resultsOf(claim)[0]!;
  for (const [at, numbers] of runsOf(settingsOf(claim, seed)).entries())
    expect(measureRun(core, claim, optionsOf(numbers))).toEqual(values[runsOfClaim(claim)[at]!]);
});

test("the lab's runs end with the numbers that were measured", () => {
  const claim = claimById("heads")!;
  const { seed, values } = resultsOf(claim)[0]!;
  const numbers = settingsOf(claim, seed);
  const runs = keptRuns(core, numbers);
  for (const [at, run] of runs.entries()) {
    run.goTo(numbers.steps, Infinity);
    const { loss, accuracy } = values[runsOfClaim(claim)[at]!]!;
    expect(run.record.heldOut.at(-1)).toBeCloseTo(loss!.at(-1)!, 5);
    expect(run.record.accuracies.at(-1)).toBeCloseTo(accuracy!.at(-1)!, 5);
    run.trainer.delete();
  }
});
