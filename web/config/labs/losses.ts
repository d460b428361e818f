/** The Config of the losses lab: logits of a few rows, the class that is right in each, smoothing; and dropout. */
import type { Range } from "../bounds.js";
import { choice, decimal, edits, matrix, whole, wholes, words } from "../checks.js";
import type { Edit, Matrix } from "../config.js";
import { field, keptEdits } from "../field.js";
import * as form from "../forms.js";
import type { Leaves } from "../cells.js";
import { expecting, rangeText } from "../expected.js";
import { editsRule, shapeRule } from "../rule.js";
import type { LabConfig } from "./lab-config.js";

/** All that changes a value in the losses lab. N = targets, K = classes. */
export interface LossesNumbers {
  /** What is shown: what three targets cost, cross entropy beside KL divergence, or dropout. */
  topic: "smoothing" | "divergence" | "dropout";
  /** Names of the classes. */
  classes: string[];
  /** The right class of each row, from 0. */
  targets: number[];
  /** (N, K); null: randn of the seed. */
  logits: Matrix | null;
  /** Epsilon: the share of a target that is spread. */
  smoothing: number;
  /** Over which classes where one rule is looked at: all K of them, or the K - 1 others. */
  spread: "all" | "others";
  /** The chance of a number to become 0. */
  dropout: number;
  /** How often dropout is drawn. */
  draws: number;
  seed: number;
  edits: Edit[];
}

export const lossesBounds = {
  classes: { min: 2, max: 12 },
  rows: { min: 1, max: 8 },
  smoothing: { min: 0, max: 0.9 },
  dropout: { min: 0, max: 0.9 },
  draws: { min: 1, max: 64 },
  seed: { min: 0, max: 4294967295 },
  target: { min: 0, max: 11 },
} as const satisfies Record<string, Range>;

export const lossesChoices = {
  topic: ["smoothing", "divergence", "dropout"],
  spread: ["all", "others"],
} as const;

/** How many activations dropout works on. */
export const ACTIVATIONS = 8;

const { rows } = lossesBounds;

const leaves = (numbers: LossesNumbers): Leaves =>
  numbers.topic === "dropout"
    ? { x: [ACTIVATIONS], u: [numbers.draws, ACTIVATIONS] }
    : { logits: [numbers.targets.length, numbers.classes.length] };

const counted = ({ length }: readonly unknown[], { min, max }: Range): boolean =>
  length >= min && length <= max;

export const losses: LabConfig<LossesNumbers> = {
  entries: {
    topic: choice(lossesChoices.topic),
    classes: words,
    targets: wholes(lossesBounds.target, rows),
    logits: matrix(rows.max, lossesBounds.classes.max),
    smoothing: decimal(lossesBounds.smoothing),
    spread: choice(lossesChoices.spread),
    dropout: decimal(lossesBounds.dropout),
    draws: whole(lossesBounds.draws),
    seed: whole(lossesBounds.seed),
    edits,
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
    editsRule(leaves),
  ],
  fields: [
    field("topic", "topic", form.choice(lossesChoices.topic)),
    field("classes", "classes", form.words),
    field("targets", "targets", form.wholes(lossesBounds.target, rows.max), (now, base) =>
      now.classes.length >= base.classes.length
        ? base.targets
        : base.targets.map((target) => Math.min(target, Math.max(0, now.classes.length - 1))),
    ),
    field("logits", "logits", form.optional(form.matrix), (now, base) =>
      now.targets.length === base.targets.length && now.classes.length === base.classes.length
        ? base.logits
        : null,
    ),
    field("smoothing", "smoothing", form.decimal(lossesBounds.smoothing)),
    field("spread", "spread", form.choice(lossesChoices.spread)),
    field("dropout", "dropout", form.decimal(lossesBounds.dropout)),
    field("draws", "draws", form.whole(lossesBounds.draws)),
    field("seed", "seed", form.whole(lossesBounds.seed)),
    field("edits", "edit", form.edits, keptEdits(leaves)),
  ],
  leaves,
};
