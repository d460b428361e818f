/** The Config of the optimizers lab: a line that is fitted, a surface that is walked down, a learning rate that changes. */
import * as v from "valibot";
import type { Range } from "../bounds.js";
import { choice, decimal, edits, flag, matrix, whole } from "../checks.js";
import type { Edit, Matrix } from "../config.js";
import { field, keptEdits } from "../field.js";
import * as form from "../forms.js";
import { editsRule } from "../rule.js";
import { expecting, message, rangeText } from "../expected.js";
import type { LabConfig } from "./lab-config.js";

export const topics = ["line", "surface", "schedule"] as const;
export const optimizers = ["sgd", "momentum", "adagrad", "rmsprop", "adam"] as const;
export const surfaces = ["bowl", "rosenbrock", "himmelblau", "saddle"] as const;
export const schedules = ["noam", "cosine"] as const;

export type Topic = (typeof topics)[number];
export type OptimizerName = (typeof optimizers)[number];
export type SurfaceName = (typeof surfaces)[number];
export type ScheduleName = (typeof schedules)[number];

/** All that changes a value in the optimizers lab. */
export interface OptimizersNumbers {
  topic: Topic;
  surface: SurfaceName;
  /** The one whose step is explained. */
  optimizer: OptimizerName;
  /** Run the other four from the same start too. */
  compare: boolean;
  /** Learning rates in the order of `optimizers`. */
  rates: number[];
  /** Of Momentum: how much of the velocity stays. */
  momentum: number;
  /** Of RMSProp: how much of the mean square stays. */
  alpha: number;
  /** Of Adam. */
  beta1: number;
  beta2: number;
  /** Two parameters before the first step: (w, b) of the line, or a point of the surface. */
  start: number[];
  /** How many steps are made, and the one that is shown: 0 is the first. */
  steps: number;
  step: number;
  /** (N, 2): x and y of what the line is fitted to. */
  points: Matrix;
  schedule: ScheduleName;
  /** d_model of Noam's schedule. */
  model: number;
  warmup: number;
  /** Steps of the whole schedule. */
  length: number;
  /** Learning rate of the cosine schedule after its warm-up. */
  peak: number;
  edits: Edit[];
}

const from = (min: number, max: number): Range => ({ min, max });
export const bounds = {
  rate: from(1e-6, 10),
  /** Below 1: what is kept of a running mean. */
  kept: from(0, 0.9999),
  coordinate: from(-100, 100),
  points: from(2, 12),
  steps: from(1, 400),
  step: from(0, 400),
  model: from(1, 4096),
  warmup: from(1, 100_000),
  length: from(2, 1_000_000),
} as const;

const numbers = (count: number, range: Range) =>
  v.pipe(v.array(decimal(range), message("numbers", { ...range, count })), v.length(count));
/** A list of numbers is written as a matrix of one row; of several rows the first one is used, and that is said. */
const list: form.Form<number[]> = {
  plain: (value) => form.matrix.plain([value]),
  read(text, allowance) {
    const [row = [], ...others] = form.matrix.read(text, allowance);
    if (others.length > 0) throw new form.Repairable(row);
    return row;
  },
};
const points = v.pipe(
  v.nonNullable(
    matrix(
      bounds.points.max,
      2,
      message("numbers", { ...bounds.coordinate, count: `${rangeText(bounds.points)} × 2` }),
    ),
  ),
  v.check(
    (rows) =>
      rows.length >= bounds.points.min &&
      rows.every(
        (row) =>
          row.length === 2 && row.every((at) => at >= bounds.coordinate.min && at <= bounds.coordinate.max),
      ),
  ),
);

const leaves = () => ({});

export const optimizersConfig: LabConfig<OptimizersNumbers> = {
  entries: {
    topic: choice(topics),
    surface: choice(surfaces),
    optimizer: choice(optimizers),
    compare: flag,
    rates: numbers(optimizers.length, bounds.rate),
    momentum: decimal(bounds.kept),
    alpha: decimal(bounds.kept),
    beta1: decimal(bounds.kept),
    beta2: decimal(bounds.kept),
    start: numbers(2, bounds.coordinate),
    steps: whole(bounds.steps),
    step: whole(bounds.step),
    points,
    schedule: choice(schedules),
    model: whole(bounds.model),
    warmup: whole(bounds.warmup),
    length: whole(bounds.length),
    peak: decimal(bounds.rate),
    edits,
  },
  rules: [
    {
      field: "step",
      broken: ({ step, steps }) =>
        step < steps
          ? null
          : { expected: expecting("whole", { min: 0, max: steps - 1 }), actual: String(step) },
      repair: (numbers) => ({ ...numbers, step: numbers.steps - 1 }),
    },
    editsRule(leaves),
  ],
  fields: [
    field("topic", "topic", form.choice(topics)),
    field("surface", "surface", form.choice(surfaces)),
    field("optimizer", "optimizer", form.choice(optimizers)),
    field("compare", "compare", form.flag),
    field("rates", "rates", list),
    field("momentum", "momentum", form.decimal(bounds.kept)),
    field("alpha", "alpha", form.decimal(bounds.kept)),
    field("beta1", "beta1", form.decimal(bounds.kept)),
    field("beta2", "beta2", form.decimal(bounds.kept)),
    field("start", "start", list),
    field("points", "points", form.matrix),
    field("steps", "steps", form.whole(bounds.steps)),
    field("step", "step", form.whole(bounds.step), (now, base) => Math.min(base.step, now.steps - 1)),
    field("schedule", "schedule", form.choice(schedules)),
    field("model", "model", form.whole(bounds.model)),
    field("warmup", "warmup", form.whole(bounds.warmup)),
    field("length", "length", form.whole(bounds.length)),
    field("peak", "peak", form.decimal(bounds.rate)),
    field("edits", "edit", form.edits, keptEdits(leaves)),
  ],
  leaves,
};
