/** Builds the graph of the block lab: layers, layer norm alone with the rows that it is compared with, or curves. */
import { givenParameters, type GivenParameters } from "../../config/given.js";
import {
  inLayer,
  parameterShapes,
  positionsOf,
  stackOf,
  vocabularyOf,
  type BlockNumbers,
} from "../../config/labs/block.js";
import type { Graph, Node, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { curveGrid, startScores } from "./grid.js";
import { setGiven, typedLeaf, withRandom } from "../leaf.js";
import { gradientRow, layerNodes, pathPlaces } from "./path.js";

/** Adds the mean and the deviation, sqrt(mean((x - mean)^2)), of each row at each place of the path: (L, places) each. */
function measure(graph: Graph, path: readonly Node[], length: number, dim: number): void {
  const side = graph.concat(path, { axis: 1 });
  const rows = graph.reshape(side, { shape: [length, path.length, dim], name: "path" });
  graph.mean(rows, { axis: -1, name: "means" });
  const centred = graph.subtract(rows, graph.mean(rows, { axis: -1, keepdim: true }));
  const squares = graph.multiply(centred, centred, { name: "path_squares" });
  graph.sqrt(graph.mean(squares, { axis: -1, name: "variances" }), { name: "deviations" });
}

/** The seed of layer `layer`, counted from 0: the first layer has the lab's seed, each next layer the number after it. */
const seedOf = (seed: number, layer: number): number => (seed + layer) % 2 ** 32;

/** One layer, with the given parameters or with some drawn for it. */
function buildLayer(
  core: Core,
  graph: Graph,
  numbers: BlockNumbers,
  given: GivenParameters,
  layer: number,
): void {
  const { dim, heads, hidden, activation, norm, unbiased, dropout } = numbers;
  const { residual, layerNorm, causal } = stackOf(numbers);
  const seed = seedOf(numbers.seed, layer);
  const name = layer === 0 ? "" : `layers.${layer}`;
  const parameters = core.parameters({ maxBytes: graph.maxBytes });
  try {
    parameters.draw("encoderLayer", { dModel: dim, dFf: hidden }, seed);
    setGiven(parameters, given, (one) => inLayer(layer, one));
    // A layer without norms has no leaves for their parameters.
    const leaves = (): Record<string, Node> =>
      Object.fromEntries(
        parameters.names
          .filter((one) => !one.startsWith("norm"))
          .map((one) => [one, graph.leaf(name ? `${name}.${one}` : one, parameters.get(one))]),
      );
    graph.encoderLayer(graph.node(layerNodes(numbers, layer).input), layerNorm ? parameters : leaves(), {
      numHeads: heads,
      activation,
      normFirst: norm === "pre",
      residual,
      norm: layerNorm,
      unbiased,
      ...(causal && { isCausal: true }),
      ...(dropout > 0 ? { dropout: { p: dropout, seed } } : {}),
      ...(name ? { name } : {}),
    });
  } finally {
    parameters.delete();
  }
}

/**
 * Adds the gradient of one number of the output with respect to the input of each layer, as a leaf (layers, L, D), and its norm for each
 * layer. The gradient of a sum over the output would be 0: the sum of a normalised row is constant, and so is its sum of squares.
 */
function addGradients(graph: Graph, numbers: BlockNumbers): void {
  const { tokens, dim } = numbers;
  const { layers } = stackOf(numbers);
  const shape = [tokens.length, dim];
  const chosen = new Float64Array(tokens.length * dim);
  chosen[gradientRow(numbers) * dim] = 1;
  graph.backward(layerNodes(numbers, layers - 1).output, { shape, data: chosen });
  const data = new Float64Array(layers * chosen.length);
  for (let at = 0; at < layers; at += 1) {
    const gradient = graph.gradient(layerNodes(numbers, at).input) as Tensor;
    data.set(gradient.data as Float64Array, at * chosen.length);
  }
  const gradients = graph.leaf("gradients", { shape: [layers, ...shape], data });
  const squares = graph.multiply(gradients, gradients, { name: "gradient_squares" });
  const sums = graph.sum(squares, { axis: [1, 2], name: "gradient_sums" });
  graph.sqrt(sums, { name: "gradient_norms" });
}

/** The positions that are added to the words: sines and cosines, or the first learned rows; null for none. */
function addPositions(
  graph: Graph,
  numbers: BlockNumbers,
  learned: readonly number[] | undefined,
): Node | null {
  const { tokens, dim, positions } = numbers;
  const name = "PE";
  switch (positionsOf(numbers)) {
    case "sines":
      return graph.sinusoidal({ length: tokens.length, dim, name });
    case "none":
      return null;
    case "learned": {
      const table = graph.leaf("P", { shape: [positions!, dim], data: Float64Array.from(learned!) });
      return graph.slice(table, { axis: 0, start: 0, stop: tokens.length, name });
    }
  }
}

function buildBlock(core: Core, graph: Graph, numbers: BlockNumbers): void | (() => void) {
  const { tokens, dim, seed } = numbers;
  const { layers, scaleEmbedding } = stackOf(numbers);
  const vocabulary = vocabularyOf(numbers);
  const shape = [vocabulary.length, dim];
  const given = givenParameters(numbers.parameters, () => parameterShapes(numbers));
  const rows = given.get("E");
  const table = rows
    ? graph.leaf("E", { shape, data: Float64Array.from(rows) })
    : withRandom(core, graph, seed, (random) =>
        graph.draw("E", random, "randn", { shape, sqrtDivisor: dim }),
      );
  const ids = graph.leaf("ids", {
    shape: [tokens.length],
    data: Int32Array.from(tokens, (token) => vocabulary.indexOf(token)),
  });
  const positions = addPositions(graph, numbers, given.get("P"));
  const embedded = graph.embedding(ids, table, {
    scaleBySqrtDim: scaleEmbedding,
    name: positions ? "embedded" : "x",
  });
  const sum = positions ? graph.add(embedded, positions, { name: "x" }) : embedded;
  if (numbers.dropout > 0) graph.dropout(sum, { p: numbers.dropout, seed, name: "dropped" });
  for (let layer = 0; layer < layers; layer += 1) buildLayer(core, graph, numbers, given, layer);
  const path = pathPlaces(numbers).map(({ node }) => graph.node(node));
  measure(graph, path, tokens.length, dim);
  if (layers > 1) return () => addGradients(graph, numbers);
}

/** Adds both rules of layer norm on one row, the row that a text claims, and the deviations of these rows by either rule. */
function buildNorm(graph: Graph, numbers: BlockNumbers): void {
  const row = numbers.x ?? [[0]];
  const width = row[0]!.length;
  const x = typedLeaf(graph, "x", row);
  // The two rules divide by n and by n - 1.
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

/** Adds the activation functions on a grid, and softmax of three scores of which the first rises with the grid. */
function buildCurves(graph: Graph): void {
  const grid = typedLeaf(graph, "grid", [curveGrid]);
  graph.relu(grid, { name: "relu" });
  graph.gelu(grid, { name: "gelu" });
  const rise = graph.matmul(typedLeaf(graph, "direction", [[1], [0], [0]]), grid, { name: "rise" });
  const scores = graph.add(rise, typedLeaf(graph, "start", startScores), { name: "scores" });
  graph.softmax(scores, { axis: 0, name: "shares" });
}

export function build(core: Core, graph: Graph, numbers: BlockNumbers): void | (() => void) {
  if (numbers.part === "norm") return buildNorm(graph, numbers);
  if (numbers.part === "curves") return buildCurves(graph);
  return buildBlock(core, graph, numbers);
}
