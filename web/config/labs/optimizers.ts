/** The settings of the optimizers lab: a line that is fitted, a surface that is walked down, a learning rate that changes. */
import * as v from "valibot";
import type { Range } from "../bounds.js";
import * as checks from "../checks.js";
import { message, rangeText } from "../expected.js";
import * as forms from "../forms.js";
import { choice, decimal, edits, flag, whole, type Kind } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import type { Matrix } from "../config.js";
import { boundRule } from "../rule.js";

export const topics = ["line", "surface", "schedule"] as const;
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
  /** Below 1: what is kept of a running mean. */
  kept: from(0, 0.9999),
  coordinate: from(-100, 100),
  points: from(2, 12),
} as const;

/** So many numbers, written as a matrix of one row; of several rows the first one is used, and that is said. */
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
const points: Kind<Matrix> = {
  check: v.pipe(
    v.nonNullable(
      checks.matrix(
        bounds.points.max,
        2,
        message("numbers", { ...bounds.coordinate, count: `${rangeText(bounds.points)} × 2` }),
      ),
    ),
    v.check(
      (rows) =>
        rows.length >= bounds.points.min && rows.every((row) => row.length === 2 && row.every(isCoordinate)),
    ),
  ),
  form: forms.matrix,
};

const kinds = {
  topic: choice(topics),
  surface: choice(surfaces),
  /** The one whose step is explained. */
  optimizer: choice(optimizers),
  /** Run the other four from the same start too. */
  compare: flag,
  /** Learning rates in the order of `optimizers`. */
  rates: numbers(optimizers.length, bounds.rate),
  /** Of Momentum: how much of the velocity stays. */
  momentum: decimal(bounds.kept),
  /** Of RMSProp: how much of the mean square stays. */
  alpha: decimal(bounds.kept),
  /** Of Adam. */
  beta1: decimal(bounds.kept),
  beta2: decimal(bounds.kept),
  /** Two parameters before the first step: (w, b) of the line, or a point of the surface. */
  start: numbers(2, bounds.coordinate),
  /** (N, 2): x and y of what the line is fitted to. */
  points,
  /** How many steps are made, and the one that is shown: 0 is the first. */
  steps: whole({ min: 1, max: 400 }),
  step: whole({ min: 0, max: 400 }),
  schedule: choice(schedules),
  /** d_model of Noam's schedule. */
  model: whole({ min: 1, max: 4096 }),
  warmup: whole({ min: 1, max: 100_000 }),
  /** Steps of the whole schedule. */
  length: whole({ min: 2, max: 1_000_000 }),
  /** Learning rate of the cosine schedule after its warm-up. */
  peak: decimal(bounds.rate),
  edits,
};
export type OptimizersNumbers = NumbersIn<typeof kinds>;

export const optimizersSettings = labSettings<OptimizersNumbers>(kinds, {
  first: "line-of-document-004",
  absent: { step: (now, base) => Math.min(base.step, now.steps - 1) },
  rules: [boundRule("step", ({ steps }) => ({ min: 0, max: steps - 1 }))],
});
