/** The settings of the losses lab: logits of a few rows with the right class of each, label smoothing, dropout. */
import { bounds, type Range } from "../bounds.js";
import type { Leaves } from "../cells.js";
import { expecting, rangeText } from "../expected.js";
import { choice, decimal, edits, optionalMatrix, whole, wholes, words } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { shapeRule } from "../rule.js";

export const lossesBounds = {
  classes: { min: 2, max: 16 },
  rows: { min: 1, max: 8 },
  share: { min: 0, max: 0.9 },
} as const;
const { rows, share } = lossesBounds;

const kinds = {
  /** The topic: the losses of three kinds of target, cross entropy beside KL divergence, or dropout. */
  topic: choice(["smoothing", "divergence", "dropout"]),
  /** The names of the K classes. */
  classes: words,
  /** The right class of each of the N rows, from 0. */
  targets: wholes({ min: 0, max: lossesBounds.classes.max - 1 }, rows),
  /** (N, K); null: drawn from the seed by randn. */
  logits: optionalMatrix(rows.max, lossesBounds.classes.max),
  /** Epsilon: the probability that a target spreads over classes. */
  smoothing: decimal(share),
  /** The classes over which epsilon is spread if one rule is shown: all K, or the K - 1 others. */
  spread: choice(["all", "others"]),
  /** The probability that dropout sets a number to 0. */
  dropout: decimal(share),
  /** The number of draws of dropout. */
  draws: whole({ min: 1, max: 64 }),
  seed: whole(bounds.seed),
  edits,
};
export type LossesNumbers = NumbersIn<typeof kinds>;

/** The number of activations that dropout is applied to. */
export const ACTIVATIONS = 8;

const leaves = (numbers: LossesNumbers): Leaves =>
  numbers.topic === "dropout"
    ? { x: [ACTIVATIONS], u: [numbers.draws, ACTIVATIONS] }
    : { logits: [numbers.targets.length, numbers.classes.length] };

const counted = ({ length }: readonly unknown[], { min, max }: Range): boolean =>
  length >= min && length <= max;

export const losses = labSettings<LossesNumbers>(kinds, {
  first: "label-smoothing",
  absent: {
    targets: (now, base) =>
      now.classes.length >= base.classes.length
        ? base.targets
        : base.targets.map((target) => Math.min(target, Math.max(0, now.classes.length - 1))),
    logits: (now, base) =>
      now.targets.length === base.targets.length && now.classes.length === base.classes.length
        ? base.logits
        : null,
  },
  rules: [
    {
      field: "classes",
      broken: ({ classes }) =>
        counted(classes, lossesBounds.classes) && new Set(classes).size === classes.length
          ? null
          : {
              expected: expecting("different", lossesBounds.classes),
              actual: classes.join(),
            },
      repair: (numbers, { classes }) => ({ ...numbers, classes }),
    },
    {
      field: "targets",
      broken({ targets, classes }) {
        const beyond = targets.find((target) => target >= classes.length);
        return beyond === undefined
          ? null
          : {
              expected: expecting("wholes", { count: rangeText(rows), min: 0, max: classes.length - 1 }),
              actual: String(beyond),
            };
      },
      repair: (numbers) => ({
        ...numbers,
        targets: numbers.targets.map((target) => Math.min(target, numbers.classes.length - 1)),
      }),
    },
    shapeRule("logits", ({ targets, classes }) => [targets.length, classes.length]),
  ],
  leaves,
});
