// The random Configs of the property tests draw every setting of every lab.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { labIds, settingsOf } from "../../web/config/labs.js";
import { numbersOf } from "./config-random.js";

describe("the random numbers give every setting more than one value", () => {
  test.each(labIds)("%s", (lab) => {
    const drawn = fc.sample<object>(numbersOf[lab] as fc.Arbitrary<object>, { numRuns: 300, seed: 1 });
    const { entries, leaves } = settingsOf(lab);
    // A lab without leaves has nothing to edit.
    const hasLeaves = drawn.some((numbers) => Object.keys(leaves(numbers as never)).length > 0);
    const settings = Object.keys(entries).filter((setting) => setting !== "edits" || hasLeaves);
    const constant = settings.filter((setting) => {
      const values = drawn.map((numbers) => JSON.stringify((numbers as Record<string, unknown>)[setting]));
      return new Set(values).size < 2;
    });
    expect(constant).toEqual([]);
  });
});
