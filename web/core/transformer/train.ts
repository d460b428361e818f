/** Training from start to end: batches, a callback, and when to stop. */
import { finiteNumber, integer, options, refuse } from "../arguments.js";
import type { Evaluation, Trainer, TrainingStep } from "./trainer.js";

/** The last step, and the evaluation after it. */
export interface Progress extends TrainingStep {
  heldOut: Evaluation;
}

export interface TrainLimits {
  /** Stops at this number of steps. */
  steps?: number;
  /** Stops when this time is over. */
  seconds?: number;
  /** Stops when the accuracy on the held-out examples is at least this. */
  accuracy?: number;
  /** Stops after this many reports without a smaller loss on the held-out examples. */
  patience?: number;
  /** The steps between two reports. Absent: 100. */
  every?: number;
  /** Called with every report; false stops. */
  onProgress?: (progress: Progress, trainer: Trainer) => unknown;
}

const LIMITS = ["steps", "seconds", "accuracy", "patience", "every", "onProgress"] as const;

/** The milliseconds after which the event loop gets its turn. */
const SLICE = 20;
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Throws Error for limits of other types, and when there are none. */
function check(given: TrainLimits): void {
  const { onProgress, ...limits } = options("train", given, LIMITS);
  for (const name of ["steps", "patience", "every"] as const)
    if (limits[name] !== undefined) integer("train", name, limits[name], { min: 1 });
  for (const name of ["seconds", "accuracy"] as const)
    if (limits[name] !== undefined) finiteNumber("train", name, limits[name], { positive: true });
  if (onProgress !== undefined && typeof onProgress !== "function")
    refuse("train", "onProgress", "a function", onProgress);
  const { steps, seconds, accuracy, patience } = limits;
  if ([steps, seconds, accuracy, patience, onProgress].every((limit) => limit === undefined))
    refuse("train", "limits", "steps, seconds, accuracy, patience or onProgress", given);
}

/**
 * Trains until a limit is reached, in slices of milliseconds, so that the event loop keeps answering. Returns the last report. Throws
 * Error as `trainer.step()` does.
 */
export async function train(trainer: Trainer, given: TrainLimits): Promise<Progress> {
  check(given);
  const { steps = Infinity, seconds = Infinity, accuracy, patience, every = 100, onProgress } = given;
  const end = performance.now() + 1000 * seconds;
  if (trainer.steps >= steps) refuse("train", "steps", `more than the ${trainer.steps} made`, steps);
  let least = Infinity;
  let since = 0;
  for (;;) {
    const next = trainer.steps + every - (trainer.steps % every);
    const report = next < steps ? next : steps;
    let last: TrainingStep;
    do {
      last = trainer.run({ milliseconds: SLICE, steps: report - trainer.steps }).at(-1)!;
      await turn();
    } while (trainer.steps < report && performance.now() < end);
    const progress: Progress = { ...last, heldOut: trainer.evaluate() };
    since = progress.heldOut.loss < least ? 0 : since + 1;
    if (since === 0) least = progress.heldOut.loss;
    const goesOn = (await onProgress?.(progress, trainer)) !== false;
    const { heldOut } = progress;
    if (
      !goesOn ||
      trainer.steps >= steps ||
      performance.now() >= end ||
      (accuracy !== undefined && heldOut.accuracy >= accuracy) ||
      (patience !== undefined && since >= patience)
    )
      return progress;
  }
}
