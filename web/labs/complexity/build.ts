/** The graph of lab 12 (section 4, table 1): the work of four layers by the table and as the core counts it, order, paths, memory, times. */
import type { ComplexityNumbers } from "../../config/labs/complexity.js";
import type { Graph, Node } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import {
  countedLengths,
  freeLayerInputs,
  layerIds,
  layers,
  drawLayerInputs,
  type LayerId,
  type LayerInputs,
} from "./layers.js";
import { measure } from "./measure.js";

const million = 1e6;

const column = (...values: number[]) => ({ shape: [values.length, 1], data: Float64Array.from(values) });

/** The operations of one forward pass, and the number of its steps that each wait for the one before. */
function count(inputs: LayerInputs, layer: LayerId, length: number): { flops: number; sequential: number } {
  using graph = inputs.core.graph();
  layers[layer](inputs, graph, length)();
  return { flops: graph.cost().flops, sequential: graph.sequentialSteps() };
}

/** The operations of every layer (rows) at every length (columns). */
function counted(graph: Graph, inputs: LayerInputs, lengths: readonly number[]): Node {
  const counts = layerIds.map((layer) => lengths.map((length) => count(inputs, layer, length)));
  const shape = [layerIds.length, lengths.length];
  graph.leaf("sequential", column(...counts.map((row) => row.at(-1)!.sequential)));
  const data = Float64Array.from(counts.flat(), ({ flops }) => flops);
  const all = graph.leaf("counted", { shape, data });
  graph.scale(all, { divisor: million, name: "millions" });
  return all;
}

/** The work by table 1: each word meets others, in every number of its width, for every place of a kernel. */
function byTheTable(graph: Graph, { length, dim, heads, kernel, near }: ComplexityNumbers): Node {
  const words = graph.leaf("words", column(length, length, length, length));
  const meets = graph.leaf("meets", column(length, dim, dim, near));
  const pairs = graph.multiply(words, meets, { name: "pairs" });
  const products = graph.multiply(pairs, graph.leaf("width", column(dim, dim, dim, dim)), {
    name: "products",
  });
  const weights = graph.multiply(pairs, graph.leaf("heads", column(heads, 0, 0, heads)), { name: "weights" });
  graph.scale(weights, { divisor: 1e3, name: "weights_thousands" });
  const work = graph.multiply(products, graph.leaf("kernel", column(1, 1, kernel, 1)), { name: "work" });
  graph.scale(work, { divisor: million, name: "work_millions" });
  return work;
}

/** How many times the words that are seen grow, from one word, until they are the whole text. */
function growths(core: Core, length: number, operation: "add" | "multiply", by: number): number {
  using graph = core.graph();
  const step = graph.leaf("step", column(by));
  let seen = graph.leaf("seen", column(1));
  let count = 0;
  for (; graph.value(seen).data[0]! < length; count += 1) seen = graph[operation](seen, step);
  return count;
}

/**
 * The whole layers until the first and the last word meet. Each layer of a stack of convolutions sees k times as many words as the one
 * before. A window of r words, the word itself among them, adds r - 1 words.
 */
function hops(core: Core, graph: Graph, { length, kernel, near }: ComplexityNumbers): void {
  const [kernels, windows] = [
    growths(core, length, "multiply", kernel),
    growths(core, length, "add", near - 1),
  ];
  graph.leaf("hops", column(1, length, kernels, windows));
}

/** The layers, or steps of one, between two words at the two ends of the text, by the table. */
function paths(graph: Graph, { length, kernel, near }: ComplexityNumbers): void {
  const n = graph.leaf("n", column(length));
  const stacked = graph.divide(graph.log(n), graph.log(graph.leaf("k", column(kernel))), {
    name: "log_k_n",
  });
  const hops = graph.divide(n, graph.leaf("r", column(near)), { name: "n_over_r" });
  graph.concat([graph.leaf("one", column(1)), n, stacked, hops], { axis: 0, name: "path" });
}

export function build(core: Core, graph: Graph, numbers: ComplexityNumbers): void {
  const lengths = countedLengths(numbers.length);
  const last = { axis: 1, start: lengths.length - 1, stop: lengths.length };
  const inputs = drawLayerInputs(core, numbers);
  try {
    const work = byTheTable(graph, numbers);
    const flops = graph.slice(counted(graph, inputs, lengths), { ...last, name: "flops" });
    graph.divide(flops, work, { name: "ratio" });
    paths(graph, numbers);
    hops(core, graph, numbers);
    if (numbers.measured === 0) return;
    const { shape, begun, ended, calls } = measure(inputs);
    const elapsed = graph.subtract(
      graph.leaf("ended", { shape, data: ended }),
      graph.leaf("begun", { shape, data: begun }),
      { name: "elapsed" },
    );
    const times = graph.divide(elapsed, graph.leaf("calls", { shape, data: calls }), { name: "times" });
    const milliseconds = graph.slice(times, { ...last, name: "milliseconds" });
    const speed = graph.divide(flops, milliseconds, { name: "speed" });
    graph.scale(speed, { divisor: million, name: "rate" });
  } finally {
    freeLayerInputs(inputs);
  }
}
