/** The settings of the training lab: a task, a model, an optimizer, and how many steps it has made. No leaf can be edited. */
import { bounds as shared, type Range } from "../bounds.js";
import { expecting } from "../expected.js";
import {
  choice,
  decimal,
  early,
  edits,
  flag,
  later,
  named,
  oneOf,
  selector,
  whole,
  wordList,
} from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { boundRule } from "../rule.js";

export const tasks = [
  "reverse",
  "copy",
  "sort",
  "parentheses",
  "modular-addition",
  "translation",
  "shapes",
  "text",
  "masked-token",
] as const;
export type TaskName = (typeof tasks)[number];

export const models = ["encoder", "decoder", "encoder-decoder", "vit", "convolution", "bert"] as const;
export type ModelName = (typeof models)[number];

/** The models that can learn a task. */
export const modelsOf: Readonly<Record<TaskName, readonly ModelName[]>> = {
  reverse: ["encoder", "decoder", "encoder-decoder"],
  copy: ["encoder", "decoder", "encoder-decoder"],
  sort: ["encoder", "decoder", "encoder-decoder"],
  parentheses: ["decoder", "encoder", "encoder-decoder"],
  "modular-addition": ["encoder", "decoder", "encoder-decoder"],
  translation: ["encoder-decoder", "decoder"],
  shapes: ["vit", "convolution"],
  text: ["decoder"],
  "masked-token": ["encoder", "bert"],
};

/** The languages of a text, and those that sentences are translated into: English from Chinese, French from English. */
export const languagesOf: Readonly<Partial<Record<TaskName, readonly Language[]>>> = {
  text: ["en", "zh"],
  translation: ["en", "fr"],
};
export type Language = "en" | "zh" | "fr";

/** What a run beside the first one has differently. A run may have several at once: "pre-norm+no-warmup". */
export const variants = [
  "no-positions",
  "no-warmup",
  "post-norm",
  "pre-norm",
  "no-norm",
  "no-residual",
  "unscaled",
  "plain-embedding",
  "one-head",
  "dropout",
  "smoothing",
  "high-rate",
  "convolution",
  "rate-30",
  "rate-3.75",
] as const;
export type Variant = (typeof variants)[number];

const from = (min: number, max: number): Range => ({ min, max });
export const bounds = {
  rate: from(1e-6, 10),
  share: from(0, 0.9),
  temperature: from(0, 5),
  decay: from(0, 10),
  /** The runs beside the first one. */
  beside: from(0, 3),
  /** What the model is asked. */
  samples: from(1, 4),
  /** The characters of each. */
  sampleLength: from(1, 64),
  /** The length of a sequence that is copied, reversed or sorted. */
  length: from(5, 16),
  steps: from(1, 10_000),
  warmup: from(0, 10_000),
  ff: from(8, 512),
  clip: from(0, 100),
  /** The characters of an example of a text. */
  window: from(4, 64),
} as const;

const kinds = {
  task: choice(tasks),
  /** How long the sequences are that are copied, reversed or sorted. */
  length: whole(bounds.length),
  model: choice(models),
  layers: whole(from(1, 12)),
  heads: oneOf([1, 2, 4, 8]),
  /** d_model. */
  dim: oneOf([8, 16, 32, 64, 96]),
  norm: choice(["pre", "post", "none"]),
  /** Whether the model has these parts: residual connections, positional encodings, the division by √d_k, the factor √d_model of embeddings. */
  residual: flag,
  positions: flag,
  divide: flag,
  factor: flag,
  optimizer: choice(["adamw", "adam", "sgd"]),
  rate: decimal(bounds.rate),
  schedule: choice(["constant", "cosine", "noam"]),
  warmup: whole(bounds.warmup),
  decay: decimal(bounds.decay),
  batch: oneOf([8, 16, 32, 64, 128]),
  dropout: decimal(bounds.share),
  smoothing: decimal(bounds.share),
  seed: whole(shared.seed),
  /** The number of steps after which the run stops. */
  steps: whole(bounds.steps),
  /** The runs beside the first one, by what they have differently. */
  beside: wordList(bounds.beside),
  /** What the model is asked at every step: digits, words, or the numbers of held-out images. */
  samples: wordList(bounds.samples, bounds.sampleLength),
  /** Of a text that is written: 0: the most likely character follows; else it is drawn with the probabilities at this temperature. Absent: 0. */
  temperature: later(decimal(bounds.temperature)),
  /** The number of steps made. */
  step: whole(from(0, bounds.steps.max)),
  edits,
  /** The tensor or gradient that is looked at; absent or "none": none. */
  watch: later(selector),
  /** The width of the network of a layer. Absent: four times d_model. */
  ff: later(whole(bounds.ff)),
  /** The largest norm of all gradients together; 0: any. Absent: 1. */
  clip: later(decimal(bounds.clip)),
  /** The language of the text, or that of the translations; the samples are in another with another. Absent: English. */
  language: early(later(choice(["en", "zh", "fr"]))),
  /** How many characters an example of a text has. Absent: 32. */
  window: later(whole(bounds.window)),
  /** The seed that chooses which examples are held out. Absent: 0. */
  held: later(whole(shared.seed)),
  /** Whether embeddings decay as other weights do. Absent: yes. */
  decayEmbedding: named("shrink", later(flag)),
};
export type TrainingNumbers = NumbersIn<typeof kinds>;

/** The settings with one thing changed. */
function changed(numbers: TrainingNumbers, variant: string): TrainingNumbers {
  const faster = (times: number) => ({ ...numbers, rate: Math.min(bounds.rate.max, times * numbers.rate) });
  switch (variant) {
    case "no-positions":
      return { ...numbers, positions: false };
    case "no-warmup":
      return { ...numbers, warmup: 0 };
    case "post-norm":
      return { ...numbers, norm: "post" };
    case "pre-norm":
      return { ...numbers, norm: "pre" };
    case "no-norm":
      return { ...numbers, norm: "none" };
    case "no-residual":
      return { ...numbers, residual: false };
    case "unscaled":
      return { ...numbers, divide: false };
    case "plain-embedding":
      return { ...numbers, factor: false };
    case "one-head":
      return { ...numbers, heads: 1 };
    case "dropout":
      return { ...numbers, dropout: numbers.dropout > 0 ? 0 : 0.1 };
    case "smoothing":
      return { ...numbers, smoothing: numbers.smoothing > 0 ? 0 : 0.1 };
    case "high-rate":
      return faster(100);
    case "rate-30":
      return faster(30);
    case "rate-3.75":
      return faster(3.75);
    case "convolution":
      return { ...numbers, model: "convolution" };
    default:
      throw new Error(`training: beside is "${variant}", expected one of ${variants.join(", ")}`);
  }
}

/** What a run beside the first one has differently, one by one. */
export const partsOf = (name: string): string[] => name.split("+");

/** The settings of a run beside the first one. */
export const variantOf = (numbers: TrainingNumbers, name: string): TrainingNumbers =>
  partsOf(name).reduce(changed, numbers);

/** Whether a model has the setting that a variant changes. */
export function fitsModel(
  variant: Variant,
  { task, model }: Pick<TrainingNumbers, "task" | "model">,
): boolean {
  switch (variant) {
    case "no-positions":
    case "plain-embedding":
      return model === "encoder" || model === "encoder-decoder";
    case "convolution":
      return task === "shapes" && model !== "convolution";
    case "high-rate":
    case "rate-30":
    case "rate-3.75":
    case "no-warmup":
    case "smoothing":
      return true;
    default:
      return model !== "convolution";
  }
}

/** Whether a name is of a run that can stand beside the first one. */
export const fitsBeside = (name: string, numbers: Pick<TrainingNumbers, "task" | "model">): boolean =>
  partsOf(name).every(
    (part) => (variants as readonly string[]).includes(part) && fitsModel(part as Variant, numbers),
  );

/** The tasks whose sources are sequences of digits. */
const ofDigits: readonly TaskName[] = ["reverse", "copy", "sort"];
export const isOfDigits = ({ task }: Pick<TrainingNumbers, "task">): boolean => ofDigits.includes(task);

/** Sequences of digits to ask at first: the first digits of π, those of e, and a single 7. */
export const digitsOf = (length: number): string[] =>
  ["3141592653589793", "2718281828459045", "0070000000000000"].map((digits) => digits.slice(0, length));

const isAsked = ({ length }: TrainingNumbers, sample: string): boolean =>
  sample.length === length && /^\d+$/.test(sample);

/** The settings that go with a task: a run that is known to learn it. */
export const presets: Readonly<
  Record<TaskName, Partial<TrainingNumbers> & Pick<TrainingNumbers, "samples" | "steps">>
> = {
  reverse: { samples: digitsOf(8), steps: 400 },
  copy: { samples: digitsOf(8), steps: 400 },
  sort: { samples: digitsOf(8), dim: 64, rate: 0.003, schedule: "cosine", steps: 1500, batch: 32 },
  parentheses: { samples: ["(()())()", "(()))(()"], dim: 64, rate: 0.002, steps: 600, batch: 32 },
  "modular-addition": {
    samples: ["43+34", "7+12"],
    layers: 1,
    dim: 64,
    rate: 0.003,
    decay: 1,
    warmup: 10,
    batch: 128,
    steps: 5000,
  },
  translation: {
    samples: ["我_昨天_看见_的_猫", "我_爱_你"],
    schedule: "cosine",
    batch: 32,
    steps: 400,
  },
  shapes: { samples: ["0", "1"], rate: 0.002, schedule: "cosine", batch: 32, steps: 3500 },
  text: { samples: ["the"], dim: 64, rate: 0.002, schedule: "cosine", dropout: 0.1, batch: 32, steps: 1500 },
  "masked-token": { samples: ["0", "1"], dim: 64, rate: 0.002, schedule: "cosine", batch: 32, steps: 2000 },
};

/** What a model is asked at first. */
export function samplesOf({
  task,
  length,
  language,
}: Pick<TrainingNumbers, "task" | "length" | "language">): string[] {
  if (isOfDigits({ task })) return digitsOf(length);
  // Samples have only the characters of the text, or the words of the language that is read.
  if (task === "text" && language === "zh") return ["注意"];
  if (task === "translation" && language === "fr")
    return ["the_old_black_cat_sleeps", "the_black_cat_follows_a_dog"];
  return presets[task].samples;
}

/** The settings of a run that is known to learn `task`, with this seed, what fits of this comparison, and the tensor that is looked at. */
export function presetOf(
  { seed, beside, watch }: Pick<TrainingNumbers, "seed" | "beside" | "watch">,
  task: TaskName,
): TrainingNumbers {
  const plain: TrainingNumbers = {
    task,
    length: 8,
    model: modelsOf[task][0]!,
    layers: 2,
    heads: 4,
    dim: 32,
    norm: "pre",
    residual: true,
    positions: true,
    divide: true,
    factor: true,
    optimizer: "adamw",
    rate: 0.004,
    schedule: "constant",
    warmup: 50,
    decay: 0,
    batch: 64,
    dropout: 0,
    smoothing: 0,
    seed,
    beside,
    step: 0,
    edits: [],
    ...(watch !== undefined && { watch }),
    ...presets[task],
  };
  return { ...plain, beside: beside.filter((one) => fitsBeside(one, plain)) };
}

export const training = labSettings<TrainingNumbers>(kinds, {
  first: "learn-to-reverse",
  absent: {
    model: ({ task }, { model }) => (modelsOf[task].includes(model) ? model : modelsOf[task][0]!),
    beside: (now, { beside }) => beside.filter((name) => fitsBeside(name, now)),
    step: (now, base) => Math.min(base.step, now.steps),
    samples: (now, base) =>
      now.task === base.task && now.length === base.length && now.language === base.language
        ? base.samples
        : samplesOf(now),
  },
  rules: [
    {
      field: "model",
      broken: ({ task, model }) =>
        modelsOf[task].includes(model)
          ? null
          : { expected: expecting("choice", { options: modelsOf[task].join(", ") }), actual: model },
      repair: (numbers) => ({ ...numbers, model: modelsOf[numbers.task][0]! }),
    },
    {
      field: "language",
      broken({ task, language = "en" }) {
        const fitting = languagesOf[task] ?? [language];
        return fitting.includes(language)
          ? null
          : { expected: expecting("choice", { options: fitting.join(", ") }), actual: language };
      },
      repair: ({ language: _other, ...numbers }) => numbers,
    },
    {
      field: "beside",
      broken(numbers) {
        const fitting = variants.filter((variant) => fitsModel(variant, numbers));
        const other = numbers.beside.find((name) => !fitsBeside(name, numbers));
        return other === undefined
          ? null
          : { expected: expecting("choice", { options: fitting.join(", ") }), actual: other };
      },
      repair: (numbers) => ({
        ...numbers,
        beside: numbers.beside.filter((name) => fitsBeside(name, numbers)),
      }),
    },
    {
      field: "warmup",
      broken: ({ schedule, warmup, steps }) =>
        schedule === "cosine" && warmup >= steps
          ? { expected: expecting("whole", { min: 0, max: steps - 1 }), actual: String(warmup) }
          : schedule === "noam" && warmup === 0
            ? { expected: expecting("whole", { min: 1, max: bounds.warmup.max }), actual: "0" }
            : null,
      repair: (numbers) => ({
        ...numbers,
        warmup:
          numbers.schedule === "noam"
            ? Math.max(1, numbers.warmup)
            : Math.min(numbers.warmup, numbers.steps - 1),
      }),
    },
    {
      field: "samples",
      broken(numbers) {
        const other = isOfDigits(numbers) && numbers.samples.find((sample) => !isAsked(numbers, sample));
        return other ? { expected: expecting("digits", { length: numbers.length }), actual: other } : null;
      },
      repair(numbers) {
        const kept = numbers.samples.filter((sample) => isAsked(numbers, sample));
        return { ...numbers, samples: kept.length > 0 ? kept : digitsOf(numbers.length) };
      },
    },
    boundRule("step", ({ steps }) => ({ min: 0, max: steps })),
  ],
});
