/** Training of a model on a task, in float32: steps, evaluation on held-out examples, checkpoints. */
import {
  DEFAULT_MAX_BYTES,
  finiteNumbers,
  integer,
  integers,
  options,
  refuse,
  refuseExtraArguments,
  text,
} from "../arguments.js";
import { dispose } from "../disposable.js";
import { Graph } from "../graph.js";
import type { Node } from "../node.js";
import type { Tensor } from "../tensor.js";
import { TASK_OPTIONS, type ModelKind, type TaskName, type TaskOptions } from "./task-options.js";
import { train, type Progress, type TrainLimits } from "./train.js";
import { bytesOf, type FileBytes } from "./files.js";
import type { TransformerModule, WasmTrainer } from "./wasm.js";

/** The task of a trainer. A preset has a name already. */
export interface TrainingTask extends TaskOptions {
  name?: TaskName;
}

export interface TrainedModel {
  /** Absent: "encoder". */
  kind?: ModelKind;
  /** Absent: 64. */
  dModel?: number;
  /** Absent: 4. */
  numHeads?: number;
  /** Absent: 2; of an encoder-decoder each. */
  numLayers?: number;
  /** Absent: 256. */
  dFf?: number;
  activation?: "relu" | "gelu_erf" | "gelu_tanh";
  normFirst?: boolean;
  /** These are true when absent; false leaves a part out, to see what it is for. */
  residual?: boolean;
  norm?: boolean;
  positions?: boolean;
  scaleEmbedding?: boolean;
  /** The scores are not divided by sqrt(d_k). */
  unscaled?: boolean;
  dropout?: number;
  /** The side of a patch of an image. Absent: 4. */
  patch?: number;
}

export interface TrainingOptimizer {
  /** Absent: "adamw". */
  kind?: "sgd" | "adam" | "adamw";
  lr?: number;
  beta1?: number;
  beta2?: number;
  eps?: number;
  weightDecay?: number;
  /** The parameters that do not decay, by the last parts of their names: ["bias", "norm1.weight"]. */
  noDecay?: readonly string[];
}

export interface TrainerOptions {
  /** A run that is known to learn, whose options the others replace: see `core.trainingPresets()`. */
  preset?: string;
  task?: TrainingTask;
  model?: TrainedModel;
  optimizer?: TrainingOptimizer;
  schedule?: "constant" | "cosine" | "noam";
  warmup?: number;
  steps?: number;
  minLr?: number;
  batchSize?: number;
  /** The batches whose gradients are averaged for one step. */
  accumulate?: number;
  labelSmoothing?: number;
  /** The largest norm of all gradients together; 0: any. */
  clipNorm?: number;
  seed?: number;
  /** The memory limit of each graph, in bytes; absent: 512 MB. */
  maxBytes?: number;
}

export interface TrainingStep {
  /** The number of steps made, this one included. */
  step: number;
  /** The mean loss of its batches, before the step. */
  loss: number;
  lr: number;
  /** The norm of all gradients, before clipping. */
  gradientNorm: number;
}

export interface Evaluation {
  /** The mean cross entropy of the held-out answers. */
  loss: number;
  /** The share of the held-out examples whose answer is right; of text and masked words, of their tokens. */
  accuracy: number;
  examples: number;
}

/** What a model is asked: the ids of a source, or the pixels of an image. */
export interface Asked {
  source?: readonly number[];
  image?: ArrayLike<number>;
  /** Of a text: the ids that it begins with. */
  start?: readonly number[];
}

/** How a model chooses the next token where it writes its answer token by token. */
export interface AnswerChoice {
  /** Absent, and 0: the most likely token. Else it is drawn with the probabilities at this temperature. */
  temperature?: number;
  /** Of the draws; absent: 0. */
  seed?: number;
}

/** What `observe` added to a graph. */
export interface Observed {
  /** (B, L, V), of images (B, K). */
  logits: Node;
  loss: Node;
  /** The ids that the model answers to what it was asked. */
  answers: number[][];
}

/** Norms of parameters. */
export interface Norms {
  value: number;
  gradient: number;
  update: number;
}

export interface RunLimits {
  /** Stops after the first step that ends later. */
  milliseconds?: number;
  /** Stops after this many steps. */
  steps?: number;
}

const GROUPS = {
  task: ["name", ...TASK_OPTIONS],
  model: [
    "kind",
    "dModel",
    "numHeads",
    "numLayers",
    "dFf",
    "activation",
    "normFirst",
    "residual",
    "norm",
    "positions",
    "scaleEmbedding",
    "unscaled",
    "dropout",
    "patch",
  ],
  optimizer: ["kind", "lr", "beta1", "beta2", "eps", "weightDecay", "noDecay"],
} as const;

const OWN = [
  "schedule",
  "warmup",
  "steps",
  "minLr",
  "batchSize",
  "accumulate",
  "labelSmoothing",
  "clipNorm",
  "seed",
] as const;

/** "dModel" -> "d_model" */
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The options that are words or texts; all others are numbers, true or false. */
const WORDS = [
  "task.name",
  "task.text",
  "task.language",
  "model.kind",
  "model.activation",
  "optimizer.kind",
  "schedule",
];

/** An option as the core reads it. The core checks what it means. */
function optionText(argument: string, value: unknown): string {
  if (WORDS.includes(argument)) return text("trainer", argument, value);
  if (argument === "optimizer.no_decay") {
    if (!Array.isArray(value)) return refuse("trainer", argument, "a list of names", value);
    for (const [place, name] of value.entries())
      if (/^$|\s/.test(text("trainer", `${argument}[${place}]`, name)))
        refuse("trainer", `${argument}[${place}]`, "a name without spaces", name);
    return value.join(" ");
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return refuse("trainer", argument, "a number, true or false", value);
}

/** The options as texts by name: { "model.d_model": "64" }. */
function textsOf(given: Record<string, unknown>): Record<string, string> {
  const texts: Record<string, string> = {};
  const write = (prefix: string, record: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(record)) {
      const argument = prefix + snake(name);
      if (value !== undefined) texts[argument] = optionText(argument, value);
    }
  };
  for (const [group, known] of Object.entries(GROUPS)) {
    const { [group]: record, ...rest } = given;
    write(`${group}.`, options(`trainer ${group}`, record as Record<string, unknown> | undefined, known));
    given = rest;
  }
  write("", given);
  return texts;
}

function checkedAsked(
  operation: string,
  asked: Asked,
): { source: number[]; image: Float64Array; start: number[] } {
  const { source = [], image = [], start = [] } = options(operation, asked, ["source", "image", "start"]);
  return {
    source: integers(operation, "source", source, { min: 0 }),
    image: Float64Array.from(finiteNumbers(operation, "image", image)),
    start: integers(operation, "start", start, { min: 0 }),
  };
}

function checkedChoice(operation: string, given: AnswerChoice | undefined): Required<AnswerChoice> {
  const { temperature = 0, seed = 0 } = options(operation, given, ["temperature", "seed"]);
  return {
    temperature: finiteNumbers(operation, "temperature", [temperature])[0]!,
    seed: integer(operation, "seed", seed, { min: 0, max: 2 ** 32 - 1 }),
  };
}

/** Made by `core.trainer()`. Whoever makes it ends it with `delete()` or `using`. */
export class Trainer implements Disposable {
  static {
    refuseExtraArguments(this);
  }

  #wasm: WasmTrainer | null;

  /** @internal */
  constructor(module: TransformerModule, given: TrainerOptions) {
    const known = ["preset", ...Object.keys(GROUPS), ...OWN, "maxBytes"] as const;
    const {
      preset = "",
      maxBytes = DEFAULT_MAX_BYTES,
      ...rest
    } = options("trainer", given, known as readonly (keyof TrainerOptions)[]);
    this.#wasm = module.createTrainer(
      text("trainer", "preset", preset),
      textsOf(rest as Record<string, unknown>),
      integer("trainer", "maxBytes", maxBytes, { min: 0 }),
    )!;
  }

  /** All options, with the defaults of those that were not given, as texts by name: `{ "model.d_model": "64" }`. */
  get options(): Record<string, string> {
    return this.#alive("options").options() as Record<string, string>;
  }

  /** The number of steps made. */
  get steps(): number {
    return this.#alive("steps").steps();
  }

  /** The names of the parameters. */
  get names(): string[] {
    return this.#alive("names").names() as string[];
  }

  /**
   * Makes one step. Throws Error when the loss or the norm of the gradients is not finite; the parameters are then those of the step
   * before.
   */
  step(): TrainingStep {
    return this.#alive("step").step() as TrainingStep;
  }

  /**
   * Makes steps until a limit is reached, at least one, and returns them: a worker that calls it again and again answers messages
   * between the calls. Throws Error as `step` when the first step is refused; a later one ends the run.
   */
  run(limits: RunLimits): TrainingStep[] {
    const { milliseconds, steps } = options("run", limits, ["milliseconds", "steps"]);
    if (milliseconds === undefined && steps === undefined)
      refuse("run", "limits", "milliseconds, steps or both", limits);
    const most = steps === undefined ? Infinity : integer("run", "steps", steps, { min: 1 });
    const time =
      milliseconds === undefined ? Infinity : integer("run", "milliseconds", milliseconds, { min: 1 });
    const end = performance.now() + time;
    const made = [this.step()];
    try {
      while (made.length < most && performance.now() < end) made.push(this.step());
    } catch {
      // The steps before were made. The next call refuses this one again.
    }
    return made;
  }

  /**
   * Trains until a limit is reached, and returns the last report. The event loop goes on meanwhile. Throws Error as `step` does.
   */
  train(limits: TrainLimits): Promise<Progress> {
    return train(this, limits);
  }

  /** The loss and the accuracy on the held-out examples, without dropout. */
  evaluate(): Evaluation {
    return this.#alive("evaluate").evaluate() as Evaluation;
  }

  /** The ids that the model answers to the ids of a source, or the class of an image, given as its pixels; of a text its start, and how it goes on. */
  predict(asked: Asked, choice?: AnswerChoice): number[] {
    return this.#alive("predict").predict(
      checkedAsked("predict", asked),
      checkedChoice("predict", choice),
    ) as number[];
  }

  /**
   * Adds the model with its present parameters to a graph of float64 without nodes, for a look at every number of this moment: the
   * parameters are leaves under their names, the inputs "source", "source_mask", "target" and "labels", and there is no dropout. The
   * first rows of the batch are `asked`, each with the answer that the model gives; the others are the batch of the next step. `loss` is
   * the loss of that step: the first rows do not count. Throws Error as `predict` does, and above the limit of the graph.
   */
  observe(graph: Graph, asked: readonly Asked[], choice?: AnswerChoice): Observed {
    if (!(graph instanceof Graph)) refuse("observe", "graph", "a graph", graph);
    if (!Array.isArray(asked)) refuse("observe", "asked", "a list of sources or images", asked);
    const checked = asked.map((one: Asked) => checkedAsked("observe", one));
    const { logits, loss, answers } = this.#alive("observe").observe(
      graph.handle("observe"),
      checked,
      checkedChoice("observe", choice),
    ) as {
      logits: number;
      loss: number;
      answers: number[][];
    };
    return { logits: graph.nodeOf(logits), loss: graph.nodeOf(loss), answers };
  }

  /**
   * Adds to a graph of `observe` how the next step moves a parameter, from the gradient of `loss` and the state of the optimizer, and returns
   * the node of the move, NAME.move, which is added to the parameter. Every step of the arithmetic is a node: NAME.gradient, NAME.m, NAME.v,
   * NAME.direction, NAME.next, as Adam's paper names them; of SGD NAME.momentum. Without dropout the step moves it by as much. Throws Error for an
   * unknown name, for another graph, and when gradients are accumulated over several batches.
   */
  observeMove(graph: Graph, name: string): Node {
    if (!(graph instanceof Graph)) refuse("observeMove", "graph", "a graph", graph);
    const move = this.#alive("observeMove").observeMove(
      graph.handle("observeMove"),
      text("observeMove", "name", name),
    );
    return graph.nodeOf(move);
  }

  /**
   * Adds to a graph of `observe` how the model writes `answer`, token by token, with a cache of keys and values, and returns the logits,
   * (tokens, V), a row for each token that is written. The first call reads what is given; every later one reads one token, and the keys and
   * values of all others from the cache. The nodes of call n are cached.step_N.*. Throws Error for a model that does not write its answer, for
   * another graph, and as `predict` does.
   */
  observeCached(graph: Graph, asked: Asked, answer: readonly number[]): Node {
    if (!(graph instanceof Graph)) refuse("observeCached", "graph", "a graph", graph);
    const logits = this.#alive("observeCached").observeCached(
      graph.handle("observeCached"),
      checkedAsked("observeCached", asked),
      integers("observeCached", "answer", answer, { min: 0 }),
    );
    return graph.nodeOf(logits);
  }

  /**
   * The norms of these parameters, taken together as one vector, of their gradient in the last step, after clipping, and of the move that
   * it made; the last two are 0 before the first step, and after `reset` and `load`.
   */
  norms(names: readonly string[]): Norms {
    if (!Array.isArray(names)) refuse("norms", "names", "a list of names", names);
    return this.#alive("norms").norms(names.map((name) => text("norms", "names", name))) as Norms;
  }

  /** A copy of a parameter. */
  value(name: string): Tensor {
    return this.#alive("value").tensor(text("value", "name", name), false) as Tensor;
  }

  /** A copy of the gradient of a parameter in the last step, after clipping; undefined before the first one, and after `reset` and `load`. */
  gradient(name: string): Tensor | undefined {
    return this.#alive("gradient").tensor(text("gradient", "name", name), true) as Tensor | undefined;
  }

  /** Starts again from the parameters as they were drawn. */
  reset(): void {
    this.#alive("reset").reset();
  }

  /**
   * A checkpoint, a .safetensors file: the parameters by their names, the state of the optimizer, and in its metadata the options and
   * the number of steps. A trainer with the same options that loads it goes on bit for bit.
   */
  save(): Uint8Array {
    return this.#alive("save").save();
  }

  /** Goes on from a checkpoint. Throws Error, and changes nothing, for another file and for one that was made with other options. */
  load(file: FileBytes): void {
    this.#alive("load").load(bytesOf("load", file));
  }

  /** Frees the numbers of the trainer. */
  delete(): void {
    this.#wasm?.delete();
    this.#wasm = null;
  }

  [dispose](): void {
    this.delete();
  }

  #alive(operation: string): WasmTrainer {
    if (this.#wasm === null) throw new Error(`${operation}: the trainer was deleted`);
    return this.#wasm;
  }
}
