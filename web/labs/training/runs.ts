/** Runs of training in the core: each is kept as far as it has come, so that another step goes on from there, and an earlier one from a kept moment. */
import {
  isOfDigits,
  languagesOf,
  variantOf,
  type ModelName,
  type TrainingNumbers,
} from "../../config/labs/training.js";
import type { Task, TaskOptions, Trainer, TrainerOptions } from "../../core/index.js";
import type { TransformerCore } from "../../core/transformer/core.js";
import { TrainingCore as Core } from "../../core/transformer/tasks.js";
import { isRefusal } from "../../core/refusal.js";
import { groupsOf, type Group } from "./groups.js";

const kinds = {
  encoder: "encoder",
  decoder: "decoder",
  "encoder-decoder": "encoderDecoder",
  vit: "visionTransformer",
  convolution: "convolution",
  bert: "bert",
} as const satisfies Record<ModelName, string>;

/** How many moments of a run are kept, and how often the held-out examples are answered. */
const MOMENTS = 10;
const EVALUATIONS = 40;
/** The most runs that are kept. */
const MOST_RUNS = 5;

/** What does not decay where embeddings do not: biases and norms, as in the core's presets, and embeddings. */
const UNDECAYED = [
  ...["bias", "in_proj_bias", "norm1.weight", "norm2.weight", "norm3.weight", "norm.weight"],
  ...["ln_1.weight", "ln_2.weight", "ln_f.weight", "embedding.weight", "wte.weight"],
];

/** The tables of a BERT: none of them decays where embeddings do not, because its embedding is the sum of all three. */
const TABLES = ["word", "position", "token_type"].map((name) => `${name}_embeddings.weight`);

/** The options of the task. */
const taskOptions = ({ length, held, language, window, ...numbers }: TrainingNumbers): TaskOptions => ({
  ...(isOfDigits(numbers) && { shortest: length, longest: length }),
  ...(held !== undefined && { seed: held }),
  ...(languagesOf[numbers.task] && language && { language }),
  ...(numbers.task === "text" && window && { window }),
});

/** The options of the core's trainer. What the lab has no setting for is that of the core's preset, such as which parameters decay. */
export function optionsOf(numbers: TrainingNumbers): TrainerOptions {
  const { task, dim, norm, model } = numbers;
  const isConvolution = model === "convolution";
  const hasPositions = model === "encoder" || model === "encoder-decoder";
  return {
    preset: task,
    task: { name: task, ...taskOptions(numbers) },
    model: {
      kind: kinds[model],
      dModel: dim,
      dFf: numbers.ff ?? 4 * dim,
      numHeads: numbers.heads,
      numLayers: numbers.layers,
      ...(!isConvolution && {
        normFirst: norm === "pre",
        norm: norm !== "none",
        residual: numbers.residual,
        unscaled: !numbers.divide,
        dropout: numbers.dropout,
      }),
      ...(hasPositions && { positions: numbers.positions, scaleEmbedding: numbers.factor }),
    },
    optimizer: {
      kind: numbers.optimizer,
      lr: numbers.rate,
      weightDecay: numbers.decay,
      ...(numbers.optimizer === "sgd" && { beta1: 0.9 }),
      ...(numbers.decayEmbedding === false && {
        noDecay: model === "bert" ? [...UNDECAYED, ...TABLES] : UNDECAYED,
      }),
    },
    schedule: numbers.schedule,
    warmup: numbers.warmup,
    ...(numbers.schedule === "cosine" && { steps: numbers.steps }),
    batchSize: numbers.batch,
    labelSmoothing: numbers.smoothing,
    ...(numbers.clip !== undefined && { clipNorm: numbers.clip }),
    seed: numbers.seed,
  };
}

/** The settings of all runs: the first one, and those beside it. */
export const runsOf = (numbers: TrainingNumbers): TrainingNumbers[] => [
  numbers,
  ...numbers.beside.map((variant) => variantOf(numbers, variant)),
];

const recorded = ["losses", "values", "gradients", "moves", "evaluated", "heldOut", "accuracies"] as const;

/** What a run records while it trains. A record that was saved before learning rates were recorded has none. */
export type RunRecord = { [Name in (typeof recorded)[number]]: number[] } & { rates?: number[] | undefined };

const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isFinite);

/** Whether a value is a record: lists of finite numbers, those of the steps and those of the evaluations of equal lengths; it may have no rates. */
export function isRunRecord(value: unknown): value is RunRecord {
  if (typeof value !== "object" || value === null) return false;
  const lists = value as Record<string, unknown>;
  if (!recorded.every((name) => isNumbers(lists[name]))) return false;
  const { losses, rates, values, gradients, moves, evaluated, heldOut, accuracies } = lists as RunRecord;
  return (
    (rates === undefined || (isNumbers(rates) && rates.length === losses.length)) &&
    [gradients, moves].every(({ length }) => length === values.length) &&
    [heldOut, accuracies].every(({ length }) => length === evaluated.length) &&
    (losses.length === 0 ? values.length === 0 : values.length % losses.length === 0)
  );
}

/** A run, as far as it has come. */
export class Run {
  readonly task: Task;
  readonly trainer: Trainer;
  readonly groups: readonly Group[];
  /**
   * `losses`: the loss before each step, and `rates` the learning rate of the step. `values`, `gradients`, `moves`: of each step the norms of each group, of its numbers, of its gradient,
   * and of the move that the step made. `evaluated`: after how many steps the held-out examples were answered; `heldOut`, `accuracies`: the
   * loss and the accuracy there.
   */
  readonly record: RunRecord = {
    losses: [],
    rates: [],
    values: [],
    gradients: [],
    moves: [],
    evaluated: [],
    heldOut: [],
    accuracies: [],
  };
  /** Why the run cannot go on; empty while it can. */
  refusal = "";
  readonly #keepEvery: number;
  readonly #evaluateEvery: number;
  readonly #last: number;
  /** Checkpoints, by the number of steps made. */
  readonly #moments = new Map<number, Uint8Array>();

  constructor(core: Core, numbers: TrainingNumbers) {
    this.task = core.task(numbers.task, taskOptions(numbers));
    this.trainer = core.trainer(optionsOf(numbers));
    this.groups = groupsOf(this.trainer.names);
    this.#keepEvery = Math.max(1, Math.ceil(numbers.steps / MOMENTS));
    this.#evaluateEvery = Math.max(1, Math.ceil(numbers.steps / EVALUATIONS));
    this.#last = numbers.steps;
    this.#record();
  }

  /** The steps at which the run can be entered without computing it again. */
  get moments(): number[] {
    return [...this.#moments.keys()];
  }

  /** The moments of the film: every second kept one, and the latest; at most six. */
  get filmed(): number[] {
    const { moments } = this;
    const latest = Math.max(...moments);
    const isFilmed = (step: number): boolean => step % (2 * this.#keepEvery) === 0 || step === latest;
    return moments.filter(isFilmed).sort((a, b) => a - b);
  }

  /** Calls `look` while the trainer stands at a kept moment, and returns to where it stood. */
  revisit<T>(moment: number, look: (trainer: Trainer) => T): T {
    const { trainer } = this;
    const present = trainer.save();
    trainer.load(this.#moments.get(moment)!);
    try {
      return look(trainer);
    } finally {
      trainer.load(present);
    }
  }

  /** Whether the run stands at a step, or cannot reach it. */
  standsAt(step: number): boolean {
    const { steps } = this.trainer;
    return steps === step || (this.refusal !== "" && step > steps);
  }

  /** Goes toward a step for at most so many milliseconds, and at least for one step. */
  goTo(step: number, milliseconds: number): void {
    const { trainer } = this;
    const nearest = Math.max(...this.moments.filter((moment) => moment <= step));
    // A checkpoint that was opened may be nearer than the moment where the run stands.
    if (step < trainer.steps || nearest > trainer.steps) {
      trainer.load(this.#moments.get(nearest)!);
      this.refusal = "";
    }
    const end = performance.now() + milliseconds;
    while (!this.standsAt(step)) {
      this.#step();
      if (performance.now() >= end) return;
    }
  }

  /** Goes on from a checkpoint, with what was recorded up to it. Throws Error, and changes nothing, for one of another run. */
  resume(checkpoint: Uint8Array, record: RunRecord): void {
    const { trainer, groups } = this;
    if (record.values.length !== record.losses.length * groups.length)
      throw new Error(
        `file: the record has ${record.values.length} norms of ${record.losses.length} steps, expected ${groups.length} of each step`,
      );
    trainer.load(checkpoint);
    if (trainer.steps > record.losses.length)
      throw new Error(
        `file: the record has ${record.losses.length} steps, expected ${trainer.steps} or more`,
      );
    Object.assign(this.record, { rates: record.losses.length === 0 ? [] : undefined }, record);
    this.#moments.set(trainer.steps, checkpoint);
  }

  #step(): void {
    const { trainer, groups, record } = this;
    try {
      const { step, loss, lr } = trainer.step();
      if (step > record.losses.length) {
        record.losses.push(loss);
        record.rates?.push(lr);
        for (const { names } of groups) {
          const { value, gradient, update } = trainer.norms(names);
          record.values.push(value);
          record.gradients.push(gradient);
          record.moves.push(update);
        }
      }
      this.#record();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.refusal = error.message;
    }
  }

  #record(): void {
    const { trainer, record } = this;
    const { steps } = trainer;
    const isLast = steps === this.#last;
    const isKept = steps % this.#keepEvery === 0 || isLast;
    if (isKept && !this.#moments.has(steps)) this.#moments.set(steps, trainer.save());
    const isDue = steps % this.#evaluateEvery === 0 || isLast;
    if (!isDue || steps <= (record.evaluated.at(-1) ?? -1)) return;
    const { loss, accuracy } = trainer.evaluate();
    record.evaluated.push(steps);
    record.heldOut.push(loss);
    record.accuracies.push(accuracy);
  }
}

/** The core as one that trains. Throws Error for a part of the core that cannot. */
export function trainingCore(given: TransformerCore): Core {
  if (!(given instanceof Core)) throw new Error("training: this part of the core cannot train");
  return given;
}

/** The latest runs of each core. */
const kept = new WeakMap<Core, Map<string, Run>>();

function runsOfCore(core: Core): Map<string, Run> {
  const runs = kept.get(core) ?? new Map<string, Run>();
  kept.set(core, runs);
  return runs;
}

const keyOf = (numbers: TrainingNumbers): string => JSON.stringify([optionsOf(numbers), numbers.steps]);

/** Keeps a run as the one of its settings. */
export function keepRun(core: Core, numbers: TrainingNumbers, run: Run): void {
  const runs = runsOfCore(core);
  const key = keyOf(numbers);
  const other = runs.get(key);
  if (other !== run) other?.trainer.delete();
  runs.delete(key);
  runs.set(key, run);
}

/** The runs of these settings, as far as they have come. */
export function keptRuns(core: Core, numbers: TrainingNumbers): Run[] {
  const runs = runsOfCore(core);
  const wanted = runsOf(numbers).map((one) => {
    const run = runs.get(keyOf(one)) ?? new Run(core, one);
    keepRun(core, one, run);
    return run;
  });
  for (const [key, run] of runs) {
    if (runs.size <= MOST_RUNS) break;
    run.trainer.delete();
    runs.delete(key);
  }
  return wanted;
}
