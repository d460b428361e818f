/** Tasks to learn, made by the core from a seed: cpp/training/task.hpp. */
import { choice, integer, options, refuse, refuseExtraArguments, text } from "../arguments.js";
import type { Tensor } from "../tensor.js";
import { DecodingCore } from "./decoding.js";
import { TASK_OPTIONS, TASKS, type ModelKind, type TaskName, type TaskOptions } from "./task-options.js";
import { Trainer, type TrainerOptions } from "./trainer.js";

export interface TaskExample {
  /** Ids, without begin, end or padding. */
  source: number[];
  /** Ids, without begin, end or padding; -100 where nothing is asked. */
  target: number[];
  /** (C, H, W), only of shapes. */
  image?: Tensor<Float64Array>;
}

export interface Task {
  name: TaskName;
  /** Those it was made of. */
  options: TaskOptions;
  /**
   * How the target relates to the source: a sequence of its own; one id for the whole source; as long as the source, with some places asked;
   * the ids that follow, the source being empty; the class of an image.
   */
  answer: "sequence" | "label" | "masked" | "next" | "imageClass";
  /** The token of each id: first "<pad>", "<begin>", "<end>", and "<mask>" of masked-token; of shapes the names of the classes. */
  vocabulary: string[];
  /** The most ids of a source and of a target. */
  sourceLength: number;
  targetLength: number;
  /** (C, H, W), only of shapes. */
  imageShape?: number[];
  /** Those that fit. */
  models: ModelKind[];
  /** Examples of items that no training example is made of. */
  heldOut: TaskExample[];
  /** The number of different items that training examples are made of; absent where there are too many to count. */
  trainingItems?: number;
  /** Of text and masked-token: the mean cross entropy of the held-out answers under the frequencies of the training data, each count one higher. */
  unigramLoss?: number;
}

/** An example as the core returns it. */
type FlatExample = Omit<TaskExample, "image"> & { image?: Float64Array };

const UINT32_MAX = 2 ** 32 - 1;
const MOST_EXAMPLES = 65536;

/** The options of a task with its name, as the core reads them. Throws Error for options of another type. */
function checked(
  operation: string,
  name: TaskName,
  given: TaskOptions | undefined,
): { name: TaskName } & TaskOptions {
  const wanted = options(operation, given, TASK_OPTIONS);
  const record: { name: TaskName } & TaskOptions = { name: choice(operation, "name", name, TASKS), seed: 0 };
  for (const option of ["seed", "shortest", "longest", "symbols", "prime", "window"] as const) {
    const value = wanted[option];
    if (value !== undefined) record[option] = integer(operation, option, value, { min: 0, max: UINT32_MAX });
  }
  if (wanted.text !== undefined) record.text = text(operation, "text", wanted.text);
  if (wanted.language !== undefined)
    record.language = text(operation, "language", wanted.language) as TaskOptions["language"];
  return record;
}

const shaped = (examples: FlatExample[], shape: number[] | undefined): TaskExample[] =>
  examples.map(({ image, ...ids }) =>
    image && shape ? { ...ids, image: { shape: [...shape], data: image } } : ids,
  );

/** The core with what learning needs. */
export class TrainingCore extends DecodingCore {
  static {
    refuseExtraArguments(this);
  }

  /** A task as plain data. The same options always give the same task. */
  task(name: TaskName, given?: TaskOptions): Task {
    const { name: known, ...chosen } = checked("task", name, given);
    const { heldOut, ...task } = this.module.describeTask({ name: known, ...chosen }) as Omit<
      Task,
      "name" | "options" | "heldOut"
    > & { heldOut: FlatExample[] };
    return { name: known, options: chosen, ...task, heldOut: shaped(heldOut, task.imageShape) };
  }

  /** A model that learns a task. Throws Error for options that are out of range or do not fit together. */
  trainer(given: TrainerOptions): Trainer {
    return new Trainer(this.module, given);
  }

  /** The names of the presets of `trainer`. */
  trainingPresets(): string[] {
    return this.module.presetNames() as string[];
  }

  /** Training examples of a task, drawn after RandomState(seed). */
  drawExamples(
    task: Pick<Task, "name" | "options" | "imageShape">,
    given: { count: number; seed: number },
  ): TaskExample[] {
    const operation = "drawExamples";
    const { count, seed } = options(operation, given, ["count", "seed"]);
    if (typeof task !== "object" || task === null) refuse(operation, "task", "a task of core.task()", task);
    const drawn = this.module.drawExamples(
      checked(operation, task.name, task.options),
      integer(operation, "count", count, { min: 0, max: MOST_EXAMPLES }),
      integer(operation, "seed", seed, { min: 0, max: UINT32_MAX }),
    ) as FlatExample[];
    return shaped(drawn, task.imageShape);
  }
}
