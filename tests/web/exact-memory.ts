/** The memory of the multi-head lab, as its build computes it. */
import { expect } from "vitest";
import type { NumbersOf } from "../../web/config/config.js";
import { batchCount } from "../../web/config/labs/multi-head.js";
import { build, bytesNeeded } from "../../web/labs/multi-head/build.js";
import { core } from "./labs-sessions.js";

/** Expects that a graph of exactly the stated bytes is built, and that one byte less is refused. */
export function expectExactMemory(numbers: NumbersOf["multi-head"]): void {
  const { shared, each } = bytesNeeded(numbers);
  const bytes = shared + batchCount(numbers) * each;
  const buildWithin = (maxBytes: number): void => {
    const graph = core.graph({ observe: true, precision: "float64", maxBytes });
    try {
      build(core, graph, numbers);
    } finally {
      graph.delete();
    }
  };
  buildWithin(bytes);
  const refusal = `multi-head: batch is ${batchCount(numbers)}, expected`;
  expect(() => buildWithin(bytes - 1)).toThrow(new RegExp(`^${refusal}`));
}
