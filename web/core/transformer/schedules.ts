/** Learning rates that depend on the step. */
import { finiteNumber, integer, options } from "../arguments.js";
import { WordFunctions } from "./word-functions.js";

export interface NoamOptions {
  /** Absent: 512. */
  dModel?: number;
  /** The number of steps in which the rate rises; absent: 4000. */
  warmup?: number;
  /** Absent: 1. */
  factor?: number;
}

export interface CosineOptions {
  /** The rate at the end of the warm-up; absent: 0.001. */
  lr?: number;
  /** The rate at the end and after it; absent: 0. */
  minLr?: number;
  /** The number of steps from the end of the warm-up to the end. */
  steps: number;
  /** The number of steps in which the rate rises linearly from lr / warmup; absent: 0. */
  warmup?: number;
}

export class ScheduleFunctions extends WordFunctions {
  /** factor dModel^-0.5 min(step^-0.5, step warmup^-1.5), step from 1: "Attention Is All You Need", section 5.3, equation 3. */
  noamLr(step: number, given?: NoamOptions): number {
    const operation = "noamLr";
    const {
      dModel = 512,
      warmup = 4000,
      factor = 1,
    } = options(operation, given, ["dModel", "warmup", "factor"]);
    return this.module.noamLr(
      integer(operation, "step", step, { min: 1 }),
      integer(operation, "dModel", dModel, { min: 1, max: 2 ** 32 - 1 }),
      integer(operation, "warmup", warmup, { min: 1 }),
      finiteNumber(operation, "factor", factor),
    );
  }

  /** minLr + (lr - minLr) (1 + cos(pi t / steps)) / 2, t = step - warmup, step from 0: "SGDR", section 3, without restarts. */
  cosineLr(step: number, given: CosineOptions): number {
    const operation = "cosineLr";
    const known = ["lr", "minLr", "steps", "warmup"] as const;
    const { lr = 0.001, minLr = 0, steps, warmup = 0 } = options(operation, given, known);
    return this.module.cosineLr(
      integer(operation, "step", step, { min: 0 }),
      finiteNumber(operation, "lr", lr),
      finiteNumber(operation, "minLr", minLr),
      integer(operation, "steps", steps, { min: 1 }),
      integer(operation, "warmup", warmup, { min: 0 }),
    );
  }
}
