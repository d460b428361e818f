/** The names and the options of tasks: cpp/training/task.hpp. */
/** The names of all tasks. */
export const TASKS = [
  "copy",
  "reverse",
  "sort",
  "parentheses",
  "modular-addition",
  "translation",
  "shapes",
  "text",
  "masked-token",
] as const;

export type TaskName = (typeof TASKS)[number];

/** A model that can learn a task. */
export type ModelKind =
  "encoder" | "decoder" | "encoderDecoder" | "visionTransformer" | "convolution" | "bert";

/** What a task is made of. An option that a task does not have is refused. */
export interface TaskOptions {
  /** It chooses what is held out; absent: 0. */
  seed?: number;
  /** copy, reverse, sort, parentheses: the fewest ids of a source, and the most. */
  shortest?: number;
  longest?: number;
  /** copy, reverse, sort: how many different symbols; absent: 10. */
  symbols?: number;
  /** modular-addition: the number that sums are divided by; absent: 53. */
  prime?: number;
  /** text: a text of your own. */
  text?: string;
  /** What is written: a text of ours in "en" or "zh"; a translation into "en" (from Chinese) or "fr" (from English); absent: "en". */
  language?: "en" | "zh" | "fr";
  /** text: the characters of an example; absent: 32. */
  window?: number;
}

export const TASK_OPTIONS = [
  "seed",
  "shortest",
  "longest",
  "symbols",
  "prime",
  "text",
  "language",
  "window",
] as const satisfies readonly (keyof TaskOptions)[];
