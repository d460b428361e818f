/** The graph of the training lab: the model with the weights of this moment, and what the runs have recorded so far. */
import type { TrainingNumbers } from "../../config/labs/training.js";
import { SELECTED } from "../../config/selector.js";
import type { Graph, Node, Task } from "../../core/index.js";
import type { TransformerCore } from "../../core/transformer/core.js";
import type { TrainingCore } from "../../core/transformer/tasks.js";
import { askedSamples, codePoints, firstAnswer, type AskedSample } from "./asked.js";
import { attentionNodes } from "./attention-nodes.js";
import { addFilm } from "./film.js";
import { addFocus } from "./focus.js";
import { addGrayProjection } from "./gray.js";
import { keptRuns, trainingCore, type Run } from "./runs.js";
import { addSelection, isOfSelection } from "./selection.js";
import { addCached, addDrawn, writesAnswer } from "./writing.js";

/** The milliseconds of training in one answer of the core, of all runs together: as many as the rest of the answer takes, within these bounds. */
const BUDGET = { least: 100, most: 400 };

/** The milliseconds that the rest of the last answer took. */
const lastRest = new WeakMap<TrainingCore, number>();

const leafOf = (graph: Graph, name: string, shape: number[], values: ArrayLike<number>): Node =>
  graph.leaf(name, { shape, data: Float64Array.from(values) });

const idsOf = (graph: Graph, name: string, ids: readonly number[]): Node =>
  graph.leaf(name, { shape: [ids.length], data: Int32Array.from(ids) });

/** The loss of guessing one of so many answers, where all are equally frequent. */
function addGuessing(graph: Graph, { task }: TrainingNumbers, { vocabulary }: Task): void {
  const equal = { reverse: 10, copy: 10, parentheses: 2, "modular-addition": 53, shapes: vocabulary.length };
  const answers = task in equal ? equal[task as keyof typeof equal] : 0;
  if (answers > 0) graph.log(leafOf(graph, "equal_answers", [1], [answers]), { name: "guessing" });
}

/** What a run has recorded: the losses of its batches, and the answers to the held-out examples. */
function addRecord(graph: Graph, run: Run, at: number): void {
  const list = (name: string, values: readonly number[]): void => {
    if (values.length > 0) leafOf(graph, `run_${at}.${name}`, [values.length], values);
  };
  const { losses, evaluated, heldOut, accuracies } = run.record;
  list("losses", losses);
  list("evaluated", evaluated);
  list("held_out", heldOut);
  list("accuracy", accuracies);
  if (run.refusal !== "") leafOf(graph, `run_${at}.stuck`, [1], [run.trainer.steps + 1]);
}

/** The learning rate of every step, and the norms of the groups of parameters, (steps, groups). */
function addNorms(graph: Graph, { groups, record: { gradients, values, moves, losses, rates } }: Run): void {
  if (losses.length === 0) return;
  if (rates) leafOf(graph, "learning_rates", [rates.length], rates);
  const shape = [losses.length, groups.length];
  leafOf(graph, "gradient_norms", shape, gradients);
  const weights = leafOf(graph, "weight_norms", shape, values);
  graph.divide(leafOf(graph, "move_norms", shape, moves), weights, { name: "update_ratios" });
}

/** The answer to a sample: the probabilities of all tokens, and that of the token that the model chooses. */
function addAnswer(
  graph: Graph,
  numbers: TrainingNumbers,
  {
    task,
    logits,
    answer,
    sample,
    at,
  }: { task: Task; logits: Node; answer: number[]; sample: AskedSample; at: number },
): void {
  const name = (part: string) => ({ name: `asked_${at}.${part}` });
  if (sample.source.length > 0) idsOf(graph, name("source").name, sample.source);
  if (sample.start.length > 0) idsOf(graph, name("start").name, sample.start);
  if (sample.expected) idsOf(graph, name("expected").name, sample.expected);
  if (answer.length === 0) return;
  const vocabulary = task.vocabulary.length;
  const first = firstAnswer(numbers, sample.source) + sample.start.length;
  const own = graph.slice(logits, { axis: 0, start: at, stop: at + 1, ...name("rows") });
  const rows =
    logits.shape.length === 3
      ? graph.slice(own, { axis: 1, start: first, stop: first + answer.length })
      : own;
  const asked = graph.reshape(rows, { shape: [answer.length, vocabulary], ...name("logits") });
  const probabilities = graph.softmax(asked, name("probabilities"));
  if (writesAnswer(numbers)) addDrawn(graph, asked, numbers, name("drawn").name);
  const chosen = graph.oneHot(idsOf(graph, name("answer").name, answer), {
    numClasses: vocabulary,
    ...name("chosen"),
  });
  graph.sum(graph.multiply(probabilities, chosen, name("products")), { axis: -1, ...name("certainty") });
}

/** The nodes beside those of the model that no picture shows: what the update ratios are computed from, and the arithmetic of a selection. */
const isAside = (name: string): boolean =>
  /^(weight_norms|move_norms)$/.test(name) || (isOfSelection(name) && !name.startsWith(SELECTED));

/** Trains toward the step that is asked for, for a part of a second at most, and says what is shown on the way if there is more to do. */
export function build(
  given: TransformerCore,
  graph: Graph,
  numbers: TrainingNumbers,
): { isShown(node: string): boolean } | void {
  const core = trainingCore(given);
  const runs = keptRuns(core, numbers);
  const budget = Math.min(BUDGET.most, Math.max(BUDGET.least, lastRest.get(core) ?? 0));
  for (const one of runs) one.goTo(numbers.step, budget / runs.length);
  const trained = performance.now();
  const [run] = runs as [Run];
  const { task } = run;
  const samples = askedSamples(numbers, task);
  const { logits, answers } = run.trainer.observe(
    graph,
    samples.map(({ example }) => example),
    { temperature: numbers.temperature ?? 0, seed: numbers.seed },
  );
  const model = graph.describe();
  for (const [at, whole] of answers.entries()) {
    const sample = samples[at]!;
    addAnswer(graph, numbers, { task, logits, answer: whole.slice(sample.start.length), sample, at });
  }
  graph.leaf("vocabulary", codePoints(task.vocabulary));
  graph.leaf("groups", codePoints(run.groups.map(({ id }) => id)));
  leafOf(graph, "reached", [1], [run.trainer.steps]);
  leafOf(graph, "moments", [run.moments.length], run.moments);
  for (const [at, one] of runs.entries()) addRecord(graph, one, at);
  addGuessing(graph, numbers, task);
  addNorms(graph, run);
  if (addFocus(graph, numbers)) addFilm(core, run, { graph, numbers, samples });
  addSelection(graph, run.trainer, numbers);
  lastRest.set(core, performance.now() - trained);
  if (runs.every((one) => one.standsAt(numbers.step))) {
    if (numbers.model === "vit") addGrayProjection(graph);
    if (writesAnswer(numbers)) addCached(graph, run.trainer, numbers, samples[0]!, answers[0]!);
    return;
  }
  // While the model learns, the stage shows of its own nodes the attention, and the images that it is asked.
  const drawn = new Set(["source", ...attentionNodes(model).map(({ name }) => name)]);
  const inside = new Set(model.flatMap(({ name }) => (drawn.has(name) ? [] : [name])));
  return { isShown: (name) => !inside.has(name) && !isAside(name) };
}
