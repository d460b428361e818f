/** Claims about training: the runs that test each of them, the numbers that were measured, and the rule that gives the verdict. */
import measured from "./claims-measured.json";

/** Options of `core.trainer()`, in its groups. */
export type TrainingOptions = Readonly<Record<string, string | number | Readonly<Record<string, unknown>>>>;

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
  base: TrainingOptions;
  /** What each variant changes in the base. */
  variants: Readonly<Record<string, TrainingOptions>>;
  /** The variants of each run, in the order in which they change the base. A run is called by them: "pre-norm+no-warmup", or "base". */
  runs: readonly (readonly string[])[];
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
  preset: "reverse",
  model: { dModel: 32, numHeads: 4, numLayers: 2, dFf: 64 },
  optimizer: { lr: 0.005 },
} as const;

const encoder = (model: Readonly<Record<string, unknown>>) => ({ ...reverse.model, ...model });

/** A small decoder of texts. The Chinese one is so short that the decoder learns it by heart. */
const shortText = {
  preset: "text",
  task: { language: "zh", window: 16 },
  model: { kind: "decoder", dModel: 64, numHeads: 4, numLayers: 2, dFf: 128, dropout: 0 },
  optimizer: { lr: 0.003 },
  batchSize: 16,
} as const;

const smoothingHelpsAccuracy: readonly Comparison[] = [
  { run: "smoothing", measure: "loss", is: "above", than: { run: "base" } },
  { run: "smoothing", measure: "accuracy", is: "above", than: { run: "base" } },
];

export const claims: readonly Claim[] = [
  {
    // Without positions, order cannot be learned.
    id: "positions",
    base: reverse,
    variants: { "no-positions": { model: { positions: false } } },
    runs: [[], ["no-positions"]],
    at: [100, 200, 300],
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
    base: {
      ...reverse,
      model: encoder({ numLayers: 6, normFirst: false }),
      optimizer: { lr: 0.008 },
      warmup: 100,
      clipNorm: 0,
    },
    variants: { "pre-norm": { model: { normFirst: true } }, "no-warmup": { warmup: 0 } },
    runs: [[], ["no-warmup"], ["pre-norm"], ["pre-norm", "no-warmup"]],
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
    // Without the residual connection the gradient of the first layer vanishes.
    id: "residual",
    base: { ...reverse, model: encoder({ numLayers: 12 }) },
    variants: { "no-residual": { model: { residual: false } }, "no-norm": { model: { norm: false } } },
    runs: [[], ["no-residual"], ["no-residual", "no-norm"]],
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
    base: {
      ...reverse,
      model: encoder({ numLayers: 6 }),
      optimizer: { lr: 0.008 },
      clipNorm: 0,
    },
    variants: { "no-norm": { model: { norm: false } }, "high-rate": { optimizer: { lr: 0.03 } } },
    runs: [[], ["no-norm"], ["high-rate"], ["no-norm", "high-rate"]],
    at: [1, 100, 300],
    measures: ["loss", "accuracy", "gradientRatio"],
    premises: [
      { run: "base", measure: "accuracy", is: "above", than: 0.9 },
      { run: "high-rate", measure: "accuracy", is: "above", than: 0.9 },
    ],
    rule: [
      // At this rate it learns as well without norms: this is false.
      { run: "no-norm", measure: "accuracy", is: "below", than: 0.5 },
      { run: "no-norm+high-rate", measure: "loss", is: "above", than: 10 },
    ],
  },
  {
    // Without dividing by sqrt(d_k) the softmax saturates, and learning is slower.
    id: "scaling",
    base: { ...reverse, model: encoder({ dModel: 64, numHeads: 1 }), optimizer: { lr: 0.002 } },
    variants: { unscaled: { model: { unscaled: true } } },
    runs: [[], ["unscaled"]],
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
    base: { ...reverse, preset: "sort" },
    variants: { "one-head": { model: { numHeads: 1 } }, reverse: { preset: "reverse" } },
    runs: [[], ["one-head"], ["reverse"], ["reverse", "one-head"]],
    at: [100, 200],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [
      { run: "one-head", measure: "loss", is: "above", than: { run: "base" } },
      // To reverse, each place looks at one other place, and one wide head learns that sooner: this is false.
      { run: "reverse+one-head", measure: "loss", is: "above", than: { run: "reverse" } },
    ],
  },
  {
    // Dropout lowers the held-out loss.
    id: "dropout",
    base: { ...shortText, task: { language: "en", window: 16 } },
    variants: { dropout: { model: { dropout: 0.1 } } },
    runs: [[], ["dropout"]],
    at: [100, 200, 400, 600, 800, 1000, 1200, 1500],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [
      { run: "dropout", measure: "loss", is: "below", than: { run: "base" } },
      { run: "dropout", measure: "lowestLoss", is: "below", than: { run: "base" } },
    ],
  },
  {
    // The same of a text that is learned by heart at once.
    id: "dropout-short",
    base: shortText,
    variants: { dropout: { model: { dropout: 0.2 } } },
    runs: [[], ["dropout"]],
    at: [50, 100, 150, 200, 300, 400],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [
      { run: "dropout", measure: "loss", is: "below", than: { run: "base" } },
      { run: "dropout", measure: "lowestLoss", is: "below", than: { run: "base" } },
    ],
  },
  {
    // Label smoothing hurts perplexity, but improves accuracy.
    id: "smoothing",
    base: {
      preset: "translation",
      model: { dModel: 32, numHeads: 4, numLayers: 1, dFf: 64 },
      optimizer: { lr: 0.005 },
    },
    variants: { smoothing: { labelSmoothing: 0.1 } },
    runs: [[], ["smoothing"]],
    at: [50, 100, 150],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: smoothingHelpsAccuracy,
  },
  {
    // The same of a text that is learned by heart at once.
    id: "smoothing-short",
    base: shortText,
    variants: { smoothing: { labelSmoothing: 0.1 } },
    runs: [[], ["smoothing"]],
    at: [100, 200, 300, 400],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: smoothingHelpsAccuracy,
  },
  {
    // Embeddings are multiplied by sqrt(d_model), which helps.
    id: "embedding",
    base: {
      ...reverse,
      preset: "modular-addition",
      // The table of the embedding is left out of the decay, which would make unscaled embeddings smaller and smaller.
      optimizer: {
        lr: 0.005,
        noDecay: ["bias", "in_proj_bias", "norm1.weight", "norm2.weight", "norm.weight", "embedding.weight"],
      },
    },
    variants: {
      "plain-embedding": { model: { scaleEmbedding: false } },
      reverse: { preset: "reverse" },
    },
    runs: [[], ["plain-embedding"], ["reverse"], ["reverse", "plain-embedding"]],
    at: [100, 300, 600],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [
      { run: "plain-embedding", measure: "loss", is: "above", than: { run: "base", times: 1.5 } },
      // Small embeddings leave more room for positions, which decide when digits are reversed: this is false.
      {
        run: "reverse+plain-embedding",
        measure: "loss",
        step: 100,
        is: "above",
        than: { run: "reverse" },
      },
    ],
  },
  {
    // A rate that is too high diverges, or never learns. With AdamW, whose steps are no larger than the rate, it never learns.
    id: "rate",
    base: reverse,
    variants: { "high-rate": { optimizer: { lr: 0.15 } } },
    runs: [[], ["high-rate"]],
    at: [100, 200, 400],
    measures: ["loss", "accuracy"],
    premises: [{ run: "base", measure: "accuracy", is: "above", than: 0.95 }],
    rule: [
      { run: "high-rate", measure: "accuracy", is: "below", than: 0.01 },
      { run: "high-rate", measure: "loss", is: "above", than: 1.9 },
      { run: "high-rate", measure: "made", is: "below", than: 400 },
    ],
  },
  {
    // The same of stochastic gradient descent with momentum, which diverges.
    id: "rate-sgd",
    base: {
      ...reverse,
      model: encoder({ scaleEmbedding: false }),
      optimizer: { kind: "sgd", lr: 0.1 },
      clipNorm: 0,
    },
    variants: { "high-rate": { optimizer: { lr: 3 } } },
    runs: [[], ["high-rate"]],
    at: [100, 200, 400],
    measures: ["loss", "accuracy"],
    premises: [{ run: "base", measure: "accuracy", is: "above", than: 0.95 }],
    rule: [{ run: "high-rate", measure: "made", is: "below", than: 400 }],
  },
  {
    // A vision Transformer needs more time than a convolution.
    id: "convolution",
    base: { preset: "shapes" },
    variants: { convolution: { model: { kind: "convolution" } } },
    runs: [[], ["convolution"]],
    at: [100, 300, 600],
    measures: ["loss", "accuracy"],
    premises: [],
    rule: [
      { run: "convolution", measure: "accuracy", step: 100, is: "above", than: { run: "base", times: 1.5 } },
      { run: "convolution", measure: "accuracy", is: "above", than: { run: "base" } },
    ],
  },
];

export const nameOfRun = (variants: readonly string[]): string => variants.join("+") || "base";

/** Options with others laid over them, group by group. */
function changed(options: TrainingOptions, changes: TrainingOptions): TrainingOptions {
  const entries = Object.entries(changes).map(([name, value]) => {
    const given = options[name];
    return [name, typeof value === "object" && typeof given === "object" ? { ...given, ...value } : value];
  });
  return { ...options, ...(Object.fromEntries(entries) as TrainingOptions) };
}

/** The options of one run of a claim. The seed also chooses what is held out. */
export function optionsOf(claim: Claim, variants: readonly string[], seed: number): TrainingOptions {
  const all = variants.map((name) => claim.variants[name]!);
  return [...all, { seed, steps: claim.at.at(-1)!, task: { seed } }].reduce(changed, claim.base);
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
