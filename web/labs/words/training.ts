/** Word2vec on a text, step by step (Mikolov et al., 2013): the tables after every step, found by the core's losses and Adam. */
import type { NumbersOf } from "../../config/config.js";
import { textWords, vocabularyOf } from "../../config/labs/words.js";
import type { Graph, Ids, Node, Parameters, RandomState, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { neighbourhoods } from "./neighbourhoods.js";

type Numbers = NumbersOf["words"];

export interface Run {
  /** (V, D) after `step` steps. */
  input: Tensor;
  output: Tensor;
  /** (steps + 1): per prediction, before the first step and after each. */
  losses: Tensor;
  /** (1, D) and (2, D): the middle of the last table, and its two main directions. */
  middle: Doubles;
  axes: Doubles;
  /** (steps + 1, V, 2): every word on these directions. */
  trail: Tensor;
}

type Doubles = Tensor & { data: Float64Array };

/** What is predicted of one number of neighbours: a batch for the core. */
interface Batch {
  word: Ids;
  context: Ids;
}

export const idsOf = (values: readonly number[], shape: number[] = [values.length]): Ids => ({
  shape,
  data: Int32Array.from(values),
});

/** Skip-gram: every pair. CBOW: the words with as many neighbours in one batch. */
function batchesOf(numbers: Numbers): Batch[] {
  const places = neighbourhoods(numbers);
  if (numbers.method === "skipgram") {
    const pairs = places.flatMap(({ id, around }) => around.map((other) => [id, other] as const));
    const context = pairs.map(([, other]) => other);
    return [{ word: idsOf(pairs.map(([id]) => id)), context: idsOf(context, [context.length, 1]) }];
  }
  const sizes = [...new Set(places.map(({ around }) => around.length))].filter((size) => size > 0);
  return sizes.map((size) => {
    const those = places.filter(({ around }) => around.length === size);
    return {
      word: idsOf(those.map(({ id }) => id)),
      context: idsOf(
        those.flatMap(({ around }) => around),
        [those.length, size],
      ),
    };
  });
}

/** The loss of one batch, and the words it is measured against where they are few. */
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

interface Recorded extends Omit<Run, "input" | "output"> {
  inputs: Tensor[];
  outputs: Tensor[];
}

function recorded(core: Core, numbers: Numbers): Recorded {
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
    const drawn = core.negativeSamples(counts, count * numbers.negatives, random);
    return { shape: [count, numbers.negatives], data: drawn.data };
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
      ...directions(core, inputs),
    };
  } finally {
    parameters.delete();
    optimizer.delete();
    random.delete();
  }
}

/** The two main directions of the last table, and where every word was on them at every step. */
function directions(core: Core, tables: readonly Tensor[]): Pick<Run, "middle" | "axes" | "trail"> {
  const last = tables.at(-1)!;
  const [count, dim] = last.shape as [number, number];
  const graph = core.graph({ observe: true });
  let middle: Doubles;
  let axes: Doubles;
  try {
    const found = graph.principalComponents(graph.leaf("last", last), { count: 2 });
    const valueOf = (node: Node): Doubles => {
      const { shape, data } = graph.value(node);
      return { shape, data: Float64Array.from(data) };
    };
    middle = valueOf(found.mean);
    axes = valueOf(found.components);
  } finally {
    graph.delete();
  }
  const data = new Float64Array(tables.length * count * dim);
  tables.forEach((table, step) => data.set(table.data, step * count * dim));
  const all = { shape: [tables.length * count, dim], data };
  const flat = core.matmul(core.subtract(all, middle), core.transpose(axes));
  return { middle, axes, trail: { shape: [tables.length, count, 2], data: flat.data } };
}

/** The runs made last: moving through time, or to another word, makes none again. */
const kept = new Map<string, Recorded>();
const MOST_KEPT = 4;

export function runOf(core: Core, numbers: Numbers): Run {
  const { text, dim, seed, method, loss, negatives, window, rate, steps, step } = numbers;
  const few = loss === "negative" ? negatives : 0;
  const key = JSON.stringify([text, dim, seed, method, loss, few, window, rate, steps]);
  let run = kept.get(key);
  kept.delete(key);
  run ??= recorded(core, numbers);
  kept.set(key, run);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  const { inputs, outputs, ...rest } = run;
  return { ...rest, input: inputs[step]!, output: outputs[step]! };
}
