/** The graph of the block lab: words to the output of one encoder layer, or layer norm alone with what is to be compared. */
import type { BlockNumbers } from "../../config/labs/block.js";
import { vocabularyOf } from "../../config/labs/block.js";
import type { Graph, Node } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { typedLeaf, withRandom } from "../leaf.js";
import { pathNodes } from "./path.js";

/** Mean and deviation of each row at each place of the path: (L, places) each; a deviation is sqrt(mean((x - mean)^2)). */
function measure(graph: Graph, path: readonly Node[], length: number, dim: number): void {
  const side = graph.concat(path, { axis: 1 });
  const rows = graph.reshape(side, { shape: [length, path.length, dim], name: "path" });
  graph.mean(rows, { axis: -1, name: "means" });
  const centred = graph.subtract(rows, graph.mean(rows, { axis: -1, keepdim: true }));
  const squares = graph.multiply(centred, centred, { name: "path_squares" });
  graph.sqrt(graph.mean(squares, { axis: -1, name: "variances" }), { name: "deviations" });
}

function buildBlock(core: Core, graph: Graph, numbers: BlockNumbers): void {
  const { tokens, dim, heads, hidden, activation, norm, unbiased, seed } = numbers;
  const vocabulary = vocabularyOf(numbers);
  const table = withRandom(core, graph, seed, (random) =>
    graph.draw("E", random, "randn", { shape: [vocabulary.length, dim], sqrtDivisor: dim }),
  );
  const ids = graph.leaf("ids", {
    shape: [tokens.length],
    data: Int32Array.from(tokens, (token) => vocabulary.indexOf(token)),
  });
  const embedded = graph.embedding(ids, table, { scaleBySqrtDim: true, name: "embedded" });
  const positions = graph.sinusoidal({ length: tokens.length, dim, name: "PE" });
  const sum = graph.add(embedded, positions, { name: "x" });
  const dropout = numbers.dropout > 0 ? { p: numbers.dropout, seed } : null;
  const x = dropout ? graph.dropout(sum, { ...dropout, name: "dropped" }) : sum;
  const parameters = core.parameters({ maxBytes: graph.maxBytes });
  try {
    parameters.draw("encoderLayer", { dModel: dim, dFf: hidden }, seed);
    graph.encoderLayer(x, parameters, {
      numHeads: heads,
      activation,
      normFirst: norm === "pre",
      unbiased,
      ...(dropout ? { dropout } : {}),
    });
  } finally {
    parameters.delete();
  }
  const path = pathNodes(numbers).map((name) => graph.node(name));
  measure(graph, path, tokens.length, dim);
}

/** Both rules of layer norm on one row, what a text says it becomes, and how far its numbers lie apart by either rule. */
function buildNorm(graph: Graph, numbers: BlockNumbers): void {
  const row = numbers.x ?? [[0]];
  const width = row[0]!.length;
  const x = typedLeaf(graph, "x", row);
  // n and n - 1, by which the two rules divide.
  const divisors = graph.leaf("divisors", { shape: [1, 2], data: Float64Array.of(width, width - 1) });
  const mean = graph.mean(x, { axis: -1, keepdim: true, name: "mean" });
  const centred = graph.subtract(x, mean, { name: "centred" });
  const squares = graph.multiply(centred, centred, { name: "squares" });
  const total = graph.sum(squares, { axis: -1, keepdim: true, name: "total" });
  const variance = graph.divide(total, divisors, { name: "variance" });
  graph.sqrt(variance, { name: "deviation" });
  const biased = graph.layerNorm(x, undefined, undefined, { name: "biased" });
  const unbiased = graph.layerNorm(x, undefined, undefined, { unbiased: true, name: "unbiased" });
  const rows = [biased, unbiased, ...(numbers.claim ? [typedLeaf(graph, "claim", numbers.claim)] : [])];
  const all = graph.concat(rows, { axis: 0, name: "rows" });
  const means = graph.mean(all, { axis: -1, keepdim: true });
  const apart = graph.subtract(all, means);
  const sums = graph.sum(graph.multiply(apart, apart), { axis: -1, keepdim: true });
  graph.sqrt(graph.divide(sums, divisors), { name: "row_deviations" });
}

export function build(core: Core, graph: Graph, numbers: BlockNumbers): void {
  if (numbers.part === "norm") buildNorm(graph, numbers);
  else buildBlock(core, graph, numbers);
}
