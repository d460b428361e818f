/** The settings of the optimizers lab: data that is fitted, a surface that is walked down, a learning rate that changes. */
import * as v from "valibot";
import { bounds as shared, type Range } from "../bounds.js";
import * as checks from "../checks.js";
import { message, rangeText } from "../expected.js";
import * as forms from "../forms.js";
import { choice, decimal, edits, flag, later, whole, type Kind } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import type { Matrix } from "../config.js";
import { boundRule } from "../rule.js";

export const topics = ["line", "surface", "schedule", "sparse"] as const;
export const optimizers = ["sgd", "momentum", "adagrad", "rmsprop", "adam"] as const;
export const surfaces = ["bowl", "rosenbrock", "himmelblau", "saddle"] as const;
export const schedules = ["noam", "cosine"] as const;

export type Topic = (typeof topics)[number];
export type OptimizerName = (typeof optimizers)[number];
export type SurfaceName = (typeof surfaces)[number];
export type ScheduleName = (typeof schedules)[number];

const from = (min: number, max: number): Range => ({ min, max });
export const bounds = {
  rate: from(1e-6, 10),
  /** The share of a running mean that each step keeps: below 1. */
  kept: from(0, 0.9999),
  coordinate: from(-100, 100),
  points: from(2, 12),
  batch: from(1, 12),
} as const;

/** A fixed count of numbers, written as a matrix of one row. If a link gives several rows, the first is used and a notice says so. */
/* @__NO_SIDE_EFFECTS__ */
const numbers = (count: number, range: Range): Kind<number[]> => ({
  check: v.pipe(v.array(checks.decimal(range), message("numbers", { ...range, count })), v.length(count)),
  form: {
    plain: (value) => forms.matrix.plain([value]),
    read(text, allowance) {
      const [row = [], ...others] = forms.matrix.read(text, allowance);
      if (others.length > 0) throw new forms.Repairable(row);
      return row;
    },
  },
});
const isCoordinate = (at: number): boolean => at >= bounds.coordinate.min && at <= bounds.coordinate.max;
/** Rows of data, each with as many numbers. */
/* @__NO_SIDE_EFFECTS__ */
const rows = (columns: number): Kind<Matrix> => ({
  check: v.pipe(
    v.nonNullable(
      checks.matrix(
        bounds.points.max,
        columns,
        message("numbers", { ...bounds.coordinate, count: `${rangeText(bounds.points)} × ${columns}` }),
      ),
    ),
    v.check(
      (given) =>
        given.length >= bounds.points.min &&
        given.every((row) => row.length === columns && row.every(isCoordinate)),
    ),
  ),
  form: forms.matrix,
});

const kinds = {
  topic: choice(topics),
  surface: choice(surfaces),
  /** The optimizer whose step is explained. */
  optimizer: choice(optimizers),
  /** Whether the other four run from the same start too. */
  compare: flag,
  /** Learning rates in the order of `optimizers`. */
  rates: numbers(optimizers.length, bounds.rate),
  /** Momentum: the share of the velocity that each step keeps. */
  momentum: decimal(bounds.kept),
  /** RMSProp: the share of the mean square that each step keeps. */
  alpha: decimal(bounds.kept),
  /** Adam: the shares of the mean gradient and of the mean square that each step keeps. */
  beta1: decimal(bounds.kept),
  beta2: decimal(bounds.kept),
  /** The two parameters before the first step: (w, b) of the line, (w₁, w₂) of the samples, or a point of the surface. */
  start: numbers(2, bounds.coordinate),
  /** (N, 2): x and y of the points that the line is fitted to. */
  points: rows(2),
  /** The number of steps, and the step that is shown: 0 is the first. */
  steps: whole({ min: 1, max: 400 }),
  step: whole({ min: 0, max: 400 }),
  schedule: choice(schedules),
  /** d_model of Noam's schedule. */
  model: whole({ min: 1, max: 4096 }),
  warmup: whole({ min: 1, max: 100_000 }),
  /** The number of steps of the whole schedule. */
  length: whole({ min: 2, max: 1_000_000 }),
  /** The learning rate of the cosine schedule at the end of its warm-up. */
  peak: decimal(bounds.rate),
  edits,
  /** The number of points or samples that each step sees. Absent, or at least their number: all of them, in their order. */
  batch: later(whole(bounds.batch)),
  /** The seed of the generator that shuffles them before each epoch. */
  seed: later(whole(shared.seed)),
  /** (N, 3): x₁, x₂ and y of the samples that two weights are fitted to. */
  samples: later(rows(3)),
};
export type OptimizersNumbers = NumbersIn<typeof kinds>;
type N = OptimizersNumbers;

/** y = x₁ + 2 x₂, where x₂ is 0 in all samples but one. */
const rareFeature: Matrix = [
  [1, 0, 1],
  [2, 0, 2],
  [1, 0, 1],
  [2, 0, 2],
  [1, 0, 1],
  [2, 1, 4],
  [1, 0, 1],
  [2, 0, 2],
];

/** The samples of the topic "sparse". */
export const samplesOf = ({ samples = rareFeature }: N): Matrix => samples;

/** The rows that are fitted: the samples, or the points of the line. */
export const dataOf = (numbers: N): Matrix =>
  numbers.topic === "sparse" ? samplesOf(numbers) : numbers.points;

/** The number of rows that each step sees. */
export const batchOf = (numbers: N): number => Math.min(numbers.batch ?? Infinity, dataOf(numbers).length);

/** Whether each step sees only some of the rows. */
export const hasBatches = (numbers: N): boolean => batchOf(numbers) < dataOf(numbers).length;

/** The seed of the shuffles. */
export const seedOf = ({ seed = 0 }: N): number => seed;

export const optimizersSettings = labSettings<N>(kinds, {
  first: "line-of-document-004",
  absent: { step: (now, base) => Math.min(base.step, now.steps - 1) },
  rules: [boundRule("step", ({ steps }) => ({ min: 0, max: steps - 1 }))],
});
