/** Trains word2vec (Mikolov et al., 2013) on a text with the core's losses and Adam, and records the tables after every step. */
import type { NumbersOf } from "../../config/config.js";
import { textWords, vocabularyOf } from "../../config/labs/words.js";
import type { Graph, Ids, Node, Parameters, RandomState, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { neighbourhoods } from "./neighbourhoods.js";

type Numbers = NumbersOf["words"];

export interface Run {
  /** The input and output embeddings (V, D) after `step` steps. */
  input: Tensor;
  output: Tensor;
  /** (steps + 1): the mean loss of a prediction, before the first step and after each step. */
  losses: Tensor;
  /** (1, D) and (2, D): the mean row of the last table, and its two principal directions. */
  middle: Doubles;
  axes: Doubles;
  /** (steps + 1, V, 2): the coordinates of every word along these directions, at every step. */
  trail: Tensor;
  /** (steps + 1, V, D): the input embeddings at every step. */
  rows: Tensor;
}

type Doubles = Tensor & { data: Float64Array };

/** Predictions whose words have equally many neighbours: one call of the core. */
interface Batch {
  word: Ids;
  context: Ids;
}

export const idsOf = (values: readonly number[], shape: number[] = [values.length]): Ids => ({
  shape,
  data: Int32Array.from(values),
});

/** Skip-gram: one batch of all pairs. CBOW: a batch for each number of neighbours. */
function batchesOf(numbers: Numbers): Batch[] {
  const places = neighbourhoods(numbers);
  if (numbers.method === "skipgram") {
    const pairs = places.flatMap(({ id, neighbourIds }) => neighbourIds.map((other) => [id, other] as const));
    const context = pairs.map(([, other]) => other);
    return [{ word: idsOf(pairs.map(([id]) => id)), context: idsOf(context, [context.length, 1]) }];
  }
  const sizes = [...new Set(places.map(({ neighbourIds }) => neighbourIds.length))].filter(
    (size) => size > 0,
  );
  return sizes.map((size) => {
    const sameSize = places.filter(({ neighbourIds }) => neighbourIds.length === size);
    return {
      word: idsOf(sameSize.map(({ id }) => id)),
      context: idsOf(
        sameSize.flatMap(({ neighbourIds }) => neighbourIds),
        [sameSize.length, size],
      ),
    };
  });
}

/** Adds the loss of one batch. `negatives` draws the negative samples of this many predictions. */
function lossOf(
  graph: Graph,
  numbers: Numbers,
  { word, context }: Batch,
  parameters: Parameters,
  negatives: (count: number) => Ids,
): Node {
  const count = word.shape[0]!;
  if (numbers.method === "skipgram") {
    if (numbers.loss === "softmax") return graph.skipGram(word, context, parameters).loss;
    const positive = { shape: [count], data: context.data };
    return graph.skipGramNegativeSampling(word, positive, negatives(count), parameters).loss;
  }
  return numbers.loss === "softmax"
    ? graph.cbow(word, context, parameters).loss
    : graph.cbowNegativeSampling(word, context, negatives(count), parameters).loss;
}

interface Recording extends Omit<Run, "input" | "output"> {
  inputs: Tensor[];
  outputs: Tensor[];
}

function train(core: Core, numbers: Numbers): Recording {
  const { text, dim, seed, rate, steps } = numbers;
  const vocabulary = vocabularyOf(text);
  const words = textWords(text);
  const counts = vocabulary.map((word) => words.filter((one) => one === word).length);
  const batches = batchesOf(numbers);
  const predictions = batches.reduce((sum, { word }) => sum + word.shape[0]!, 0);
  const optimizer = core.adam({ lr: rate });
  const parameters = core.parameters();
  const random: RandomState = core.randomState(seed);
  const negatives = (count: number): Ids => {
    const samples = core.negativeSamples(counts, count * numbers.negatives, random);
    return { shape: [count, numbers.negatives], data: samples.data };
  };
  try {
    parameters.draw("word2vec", { vocabulary: vocabulary.length, dim }, seed);
    const inputs: Tensor[] = [parameters.get("w_in")];
    const outputs: Tensor[] = [parameters.get("w_out")];
    const losses: number[] = [];
    for (let step = 0; step <= steps; step++) {
      const graph = core.graph();
      try {
        const parts = batches.map((batch) => lossOf(graph, numbers, batch, parameters, negatives));
        const sum = parts.reduce((left, right) => graph.add(left, right));
        const loss = graph.scale(sum, { divisor: predictions });
        losses.push(graph.value(loss).data[0]!);
        if (step === steps) break;
        graph.backward(loss);
        parameters.zeroGrad();
        graph.addGradients(parameters);
      } finally {
        graph.delete();
      }
      optimizer.step(parameters);
      inputs.push(parameters.get("w_in"));
      outputs.push(parameters.get("w_out"));
    }
    return {
      inputs,
      outputs,
      losses: { shape: [losses.length], data: Float64Array.from(losses) },
      ...principalDirections(core, inputs),
    };
  } finally {
    parameters.delete();
    optimizer.delete();
    random.delete();
  }
}

/** The two principal directions of the last table, and the coordinates of every word along them at every step. */
function principalDirections(
  core: Core,
  tables: readonly Tensor[],
): Pick<Run, "middle" | "axes" | "trail" | "rows"> {
  const last = tables.at(-1)!;
  const [count, dim] = last.shape as [number, number];
  const graph = core.graph({ observe: true });
  let middle: Doubles;
  let axes: Doubles;
  try {
    const components = graph.principalComponents(graph.leaf("last", last), { count: 2 });
    const valueOf = (node: Node): Doubles => {
      const { shape, data } = graph.value(node);
      return { shape, data: Float64Array.from(data) };
    };
    middle = valueOf(components.mean);
    axes = valueOf(components.components);
  } finally {
    graph.delete();
  }
  const data = new Float64Array(tables.length * count * dim);
  tables.forEach((table, step) => data.set(table.data, step * count * dim));
  const all = { shape: [tables.length * count, dim], data };
  const flat = core.matmul(core.subtract(all, middle), core.transpose(axes));
  const trail = { shape: [tables.length, count, 2], data: flat.data };
  return { middle, axes, trail, rows: { shape: [tables.length, count, dim], data } };
}

/** The latest runs, by their settings: another step or another selected word needs no new training. */
const latestRuns = new Map<string, Recording>();
const MOST_RUNS = 4;

export function runOf(core: Core, numbers: Numbers): Run {
  const { text, dim, seed, method, loss, negatives, window, rate, steps, step } = numbers;
  const negativeCount = loss === "negative" ? negatives : 0;
  const key = JSON.stringify([text, dim, seed, method, loss, negativeCount, window, rate, steps]);
  let run = latestRuns.get(key);
  latestRuns.delete(key);
  run ??= train(core, numbers);
  latestRuns.set(key, run);
  if (latestRuns.size > MOST_RUNS) latestRuns.delete(latestRuns.keys().next().value!);
  const { inputs, outputs, ...rest } = run;
  return { ...rest, input: inputs[step]!, output: outputs[step]! };
}
