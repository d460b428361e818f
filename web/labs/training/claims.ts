/** Claims about training: the runs that test each of them, the numbers that were measured, and the rule that gives the verdict. */
import { presetOf, type TrainingNumbers } from "../../config/labs/training.js";
import measured from "./claims-measured.json";

/** What is known of a run at a step: of the held-out examples, and of the gradients of the step. */
export type Measure = "loss" | "accuracy" | "gradientRatio";

/** One comparison of a rule. */
export interface Comparison {
  run: string;
  /** `made` is the number of steps before one whose loss is not finite, `lowestLoss` the smallest of all that were measured. */
  measure: Measure | "made" | "lowestLoss";
  /** The step of the measure. Absent: the last one of the claim. */
  step?: number;
  is: "above" | "below";
  /** A number, or the same measure of another run, times a factor. */
  than: number | { run: string; times?: number };
}

export interface Claim {
  id: string;
  /** Who says so: the paper "Attention Is All You Need", document 004 (a blog post about it), that and document 003, or a rule that is often taught. */
  source: "paper" | "blog" | "articles" | "taught";
  /** The settings of its first run, and which runs stand beside it; the rest is that of the task's preset. */
  settings: Readonly<Partial<Omit<TrainingNumbers, "beside">>> & {
    readonly task: TrainingNumbers["task"];
    readonly beside: readonly string[];
  };
  /** The steps after which the measures are taken. The last is the length of the runs. */
  at: readonly number[];
  measures: readonly Measure[];
  /** What must be true for the rule to say anything, such as that the base learns. */
  premises: readonly Comparison[];
  rule: readonly Comparison[];
}

/** The measures of one run, in the order of `at`. A number that is absent (null) was not finite, or came after such a loss. */
export type RunValues = Readonly<{ made: number } & Partial<Record<Measure, readonly (number | null)[]>>>;

export interface Measured {
  seed: number;
  values: Readonly<Record<string, RunValues>>;
}

/** `varies`: it depends on the seed. */
export type Verdict = "holds" | "partly" | "varies" | "fails";

/** A small encoder that learns to reverse eight digits within a second or two. */
const reverse = {
  task: "reverse",
  length: 8,
  model: "encoder",
  layers: 2,
  heads: 4,
  dim: 32,
  ff: 64,
  rate: 0.005,
  schedule: "cosine",
  warmup: 50,
  batch: 32,
} as const;

/** A small decoder of texts. */
const text = {
  task: "text",
  window: 16,
  dim: 64,
  ff: 128,
  rate: 0.003,
  batch: 16,
  dropout: 0,
} as const;

/** The Chinese text is so short that the decoder learns it by heart. */
const shortText = { ...text, language: "zh" as const, samples: ["注意"] };

const smoothingHelpsAccuracy: readonly Comparison[] = [
  { run: "smoothing", measure: "loss", is: "above", than: { run: "base" } },
  { run: "smoothing", measure: "accuracy", is: "above", than: { run: "base" } },
];

export const claims: readonly Claim[] = [
  {
    // Without positions, order cannot be learned.
    id: "positions",
    source: "blog",
    // The settings of the first example.
    settings: {
      ...{ task: "reverse", length: 8, model: "encoder", layers: 2, heads: 4, dim: 32 },
      ...{ rate: 0.004, warmup: 50, batch: 64, beside: ["no-positions"] },
    },
    at: [100, 200, 400],
    measures: ["loss", "accuracy"],
    premises: [{ run: "base", measure: "accuracy", is: "above", than: 0.95 }],
    rule: [
      { run: "no-positions", measure: "accuracy", is: "below", than: 0.01 },
      { run: "no-positions", measure: "loss", is: "above", than: 1.5 },
    ],
  },
  {
    // Without warm-up post-norm diverges, and pre-norm does not.
    id: "warmup",
    source: "taught",
    settings: {
      ...reverse,
      layers: 6,
      norm: "post",
      rate: 0.008,
      warmup: 100,
      clip: 0,
      beside: ["no-warmup", "pre-norm", "pre-norm+no-warmup"],
    },
    at: [100, 250, 500],
    measures: ["loss", "accuracy"],
    premises: [
      { run: "base", measure: "accuracy", is: "above", than: 0.9 },
      { run: "pre-norm", measure: "accuracy", is: "above", than: 0.9 },
    ],
    rule: [
      { run: "pre-norm+no-warmup", measure: "accuracy", is: "above", than: 0.9 },
      { run: "no-warmup", measure: "accuracy", is: "below", than: 0.05 },
      // The loss stays near that of guessing a digit, ln 10 = 2.303, but it is finite at every step: this is false.
      { run: "no-warmup", measure: "made", is: "below", than: 500 },
    ],
  },
  {
    // Without residual connections a deep model cannot learn: the gradient of the first layer vanishes.
    id: "residual",
    source: "taught",
    settings: { ...reverse, layers: 12, beside: ["no-residual", "no-residual+no-norm"] },
    at: [1, 100, 300],
    measures: ["loss", "accuracy", "gradientRatio"],
    premises: [{ run: "base", measure: "accuracy", is: "above", than: 0.9 }],
    rule: [
      { run: "no-residual", measure: "accuracy", is: "below", than: 0.01 },
      { run: "no-residual", measure: "loss", is: "above", than: 2.25 },
      // At the start the norms keep more of the gradient than that: this is false.
      { run: "no-residual", measure: "gradientRatio", step: 1, is: "below", than: 0.01 },
      { run: "no-residual", measure: "gradientRatio", is: "below", than: 0.01 },
      { run: "no-residual+no-norm", measure: "gradientRatio", step: 1, is: "below", than: 0.01 },
    ],
  },
  {
    // Without layer norm training is not stable.
    id: "norm",
    source: "taught",
    settings: {
      ...reverse,
      layers: 6,
      rate: 0.008,
      clip: 0,
      beside: ["no-norm", "rate-3.75", "no-norm+rate-3.75"],
    },
    at: [1, 100, 300],
    measures: ["loss", "accuracy", "gradientRatio"],
    premises: [
      { run: "base", measure: "accuracy", is: "above", than: 0.9 },
      { run: "rate-3.75", measure: "accuracy", is: "above", than: 0.9 },
    ],
    rule: [
      // At this rate it learns as well without norms: this is false.
      { run: "no-norm", measure: "accuracy", is: "below", than: 0.5 },
      { run: "no-norm+rate-3.75", measure: "loss", is: "above", than: 10 },
    ],
  },
  {
    // Without dividing by sqrt(d_k) the softmax saturates, and learning is slower.
    id: "scaling",
    source: "articles",
    settings: { ...reverse, heads: 1, dim: 64, rate: 0.002, beside: ["unscaled"] },
    at: [100, 200, 300],
    measures: ["loss", "accuracy"],
    premises: [{ run: "base", measure: "accuracy", is: "above", than: 0.9 }],
    rule: [
      { run: "unscaled", measure: "loss", step: 200, is: "above", than: { run: "base", times: 1.5 } },
      { run: "unscaled", measure: "loss", is: "above", than: { run: "base" } },
    ],
  },
  {
    // Four heads learn better than one.
    id: "heads",
    source: "paper",
    settings: { ...reverse, task: "sort", beside: ["one-head"] },
    at: [100, 200],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [{ run: "one-head", measure: "loss", is: "above", than: { run: "base" } }],
  },
  {
    // The same of another task. To reverse, each place looks at one other place, and one wide head learns that sooner: this is false.
    id: "heads-reverse",
    source: "paper",
    settings: { ...reverse, beside: ["one-head"] },
    at: [100, 200],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [{ run: "one-head", measure: "loss", is: "above", than: { run: "base" } }],
  },
  {
    // Dropout lowers the held-out loss.
    id: "dropout",
    source: "blog",
    settings: { ...text, beside: ["dropout"] },
    at: [100, 200, 400, 600, 800, 1000, 1200, 1500],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [
      { run: "dropout", measure: "loss", is: "below", than: { run: "base" } },
      { run: "dropout", measure: "lowestLoss", is: "below", than: { run: "base" } },
    ],
  },
  {
    // The same of a text that is learned by heart at once. Here the run beside the first one is the one without dropout.
    id: "dropout-short",
    source: "blog",
    settings: { ...shortText, dropout: 0.2, beside: ["dropout"] },
    at: [50, 100, 150, 200, 300, 400],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [
      { run: "base", measure: "loss", is: "below", than: { run: "dropout" } },
      { run: "base", measure: "lowestLoss", is: "below", than: { run: "dropout" } },
    ],
  },
  {
    // Label smoothing hurts perplexity, but improves accuracy.
    id: "smoothing",
    source: "paper",
    settings: {
      ...reverse,
      task: "translation",
      model: "encoder-decoder",
      layers: 1,
      beside: ["smoothing"],
    },
    at: [50, 100, 150],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: smoothingHelpsAccuracy,
  },
  {
    // The same of a text that is learned by heart at once.
    id: "smoothing-short",
    source: "paper",
    settings: { ...shortText, beside: ["smoothing"] },
    at: [100, 200, 300, 400],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: smoothingHelpsAccuracy,
  },
  {
    // Embeddings are multiplied by sqrt(d_model), which helps.
    id: "embedding",
    source: "blog",
    settings: {
      task: "modular-addition",
      layers: 2,
      dim: 32,
      ff: 64,
      rate: 0.005,
      // Decay would make embeddings that are not scaled smaller and smaller.
      decayEmbedding: false,
      beside: ["plain-embedding"],
    },
    at: [100, 300, 600],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [{ run: "plain-embedding", measure: "loss", is: "above", than: { run: "base", times: 1.5 } }],
  },
  {
    // The same of another task. Small embeddings leave more room for positions, which decide when digits are reversed: this is false.
    id: "embedding-reverse",
    source: "blog",
    settings: { ...reverse, beside: ["plain-embedding"] },
    at: [100, 300, 600],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [{ run: "plain-embedding", measure: "loss", step: 100, is: "above", than: { run: "base" } }],
  },
  {
    // A rate that is too high diverges, or never learns. With AdamW, whose steps are no larger than the rate, it never learns.
    id: "rate",
    source: "blog",
    settings: { ...reverse, beside: ["rate-30"] },
    at: [100, 200, 400],
    measures: ["loss", "accuracy"],
    premises: [{ run: "base", measure: "accuracy", is: "above", than: 0.95 }],
    rule: [
      { run: "rate-30", measure: "accuracy", is: "below", than: 0.01 },
      { run: "rate-30", measure: "loss", is: "above", than: 1.9 },
      { run: "rate-30", measure: "made", is: "below", than: 400 },
    ],
  },
  {
    // The same of stochastic gradient descent with momentum, which diverges.
    id: "rate-sgd",
    source: "blog",
    settings: { ...reverse, factor: false, optimizer: "sgd", rate: 0.1, clip: 0, beside: ["rate-30"] },
    at: [100, 200, 400],
    measures: ["loss", "accuracy"],
    premises: [{ run: "base", measure: "accuracy", is: "above", than: 0.95 }],
    rule: [{ run: "rate-30", measure: "made", is: "below", than: 400 }],
  },
  {
    // A vision Transformer needs more time than a convolution.
    id: "convolution",
    source: "taught",
    settings: { task: "shapes", beside: ["convolution"] },
    at: [100, 300, 600],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [
      { run: "convolution", measure: "accuracy", step: 100, is: "above", than: { run: "base", times: 1.5 } },
      { run: "convolution", measure: "accuracy", is: "above", than: { run: "base" } },
    ],
  },
];

export const claimById = (id: string): Claim | undefined => claims.find((claim) => claim.id === id);

/** The runs of a claim by name: the first is called "base". */
export const runsOfClaim = ({ settings }: Claim): readonly string[] => ["base", ...settings.beside];

/** The settings of the runs of a claim, as they are measured: the seed also chooses what is held out. */
export const settingsOf = ({ settings, at }: Claim, seed: number): TrainingNumbers => ({
  ...presetOf({ seed, beside: [] }, settings.task),
  ...settings,
  beside: [...settings.beside],
  steps: at.at(-1)!,
  held: seed,
});

/** The settings that make the comparison. Runs that differ in others test the same claim. */
const COMPARED: readonly string[] = [
  ...["task", "model", "heads", "norm", "residual", "positions", "divide", "factor"],
  ...["optimizer", "dropout", "smoothing", "language", "beside"],
];
/** The settings that a claim leaves open. */
const OPEN: readonly string[] = ["seed", "held", "samples", "temperature", "watch", "steps", "step", "edits"];

/** The settings that differ from those that a claim was measured with. */
function differences(claim: Claim, numbers: TrainingNumbers): (keyof TrainingNumbers)[] {
  const measuredWith = settingsOf(claim, numbers.seed);
  const keys = Object.keys({ ...measuredWith, ...numbers }) as (keyof TrainingNumbers)[];
  return keys.filter((key) => !OPEN.includes(key) && String(measuredWith[key]) !== String(numbers[key]));
}

/** The claim that these settings test, and the settings that differ from those that it was measured with; null if they test none. */
export function claimOf(
  numbers: TrainingNumbers,
): { claim: Claim; differing: (keyof TrainingNumbers)[] } | null {
  const fitting = claims
    .map((claim) => ({ claim, differing: differences(claim, numbers) }))
    .filter(({ differing }) => !differing.some((key) => COMPARED.includes(key)));
  return fitting.sort((a, b) => a.differing.length - b.differing.length)[0] ?? null;
}

/** What a run that was refused counts as: a loss that is not finite is as large as can be, and it answers nothing. */
const absent = { loss: Infinity, accuracy: 0, gradientRatio: NaN } as const;

function valueOf(claim: Claim, values: RunValues, { measure, step }: Comparison): number {
  if (measure === "made") return values.made;
  if (measure === "lowestLoss") return Math.min(...values.loss!.map((loss) => loss ?? Infinity));
  return (
    values[measure]![step === undefined ? claim.at.length - 1 : claim.at.indexOf(step)] ?? absent[measure]
  );
}

/** Whether a comparison of a claim is true of the numbers of one seed. */
export function isTrue(claim: Claim, comparison: Comparison, { values }: Measured): boolean {
  const { run, is, than } = comparison;
  const left = valueOf(claim, values[run]!, comparison);
  const right =
    typeof than === "number" ? than : (than.times ?? 1) * valueOf(claim, values[than.run]!, comparison);
  return is === "above" ? left > right : left < right;
}

/** A claim holds when each comparison of its rule is true of every seed, and fails when each is false of every seed. */
export function verdictOf(claim: Claim, results: readonly Measured[]): Verdict {
  const counts = claim.rule.map(
    (comparison) => results.filter((one) => isTrue(claim, comparison, one)).length,
  );
  if (counts.every((count) => count === results.length)) return "holds";
  if (counts.every((count) => count === 0)) return "fails";
  return counts.some((count) => count === results.length) ? "partly" : "varies";
}

/** The results of each claim, by its id, as `npm run claims` has written them. */
export const measuredClaims = measured as unknown as Readonly<Record<string, readonly Measured[]>>;

/** The results of a claim. */
export const resultsOf = ({ id }: Claim): readonly Measured[] => measuredClaims[id]!;
