/** The graph of the ViT lab: an image, its patches, their positions, and their attention; or an encoder that reads them. */
import type { VitNumbers } from "../../config/config.js";
import { givenParameters, type GivenParameters } from "../../config/given.js";
import {
  encoderOf,
  encoderWider,
  hasEncoder,
  isStretched,
  parameterShapes,
  patchCount,
  positionSide,
  positionsOf,
} from "../../config/labs/vit.js";
import { pixelsOf, planesOf } from "./levels.js";
import type { Graph, Node } from "../../core/attention.js";
import type { Core } from "../../core/core.js";
import type { Graph as WholeGraph } from "../../core/index.js";
import type { TransformerCore } from "../../core/transformer/core.js";
import { setGiven, withRandom } from "../leaf.js";

/** The most weights that the graph also holds as convolution kernels. */
const MOST_KERNEL_WEIGHTS = 1 << 16;

/** Whether the graph also has the projection as the kernels (D, 3, P, P) of a convolution with stride P. */
export function hasKernels({ compare, patch, dim }: VitNumbers): boolean {
  return compare === "projection" && 3 * patch ** 2 * dim <= MOST_KERNEL_WEIGHTS;
}

/** Resizes the learned positions to the patches of the image. */
type Resize = (position: Node) => Node;

/** A row per patch: the flat pixels themselves, or their projection, with CLS before them and positions added if the settings ask for them. */
function rows(
  core: Core,
  graph: Graph,
  numbers: VitNumbers,
  image: Node,
  resize: Resize,
  given: GivenParameters,
): Node {
  const { dim, patch, seed } = numbers;
  if (numbers.compare === "pixels")
    return graph.patchify(image, { patch: [patch, patch], order: "c p1 p2", name: "patches" });
  const flat = 3 * patch * patch;
  return withRandom(core, graph, seed, (random) => {
    const learned = (name: string, shape: number[], sqrtDivisor: number) =>
      given.has(name)
        ? graph.leaf(name, { shape, data: Float64Array.from(given.get(name)!) })
        : graph.draw(name, random, "randn", { shape, sqrtDivisor });
    const weight = learned("W_E", [flat, dim], flat);
    // The same weights as the kernels of a convolution: a kernel (3, P, P) per column.
    if (hasKernels(numbers))
      graph.reshape(graph.transpose(weight, { name: "W_E_T" }), {
        shape: [dim, 3, patch, patch],
        name: "kernels",
      });
    const bias = graph.leaf("b_E", {
      shape: [dim],
      data: Float64Array.from(given.get("b_E") ?? Array(dim).fill(0)),
    });
    const first = numbers.cls && {
      cls: learned("CLS", [1, dim], dim),
      position: resize(learned("position", [positionSide(numbers) ** 2 + 1, dim], dim)),
    };
    const options = { patch: [patch, patch] as const, outputName: "sequence", ...first };
    return graph.patchEmbedding(image, weight, bias, options).output;
  });
}

/** Builds the nodes from the image to the rows that attention reads. */
function buildSequence(
  core: Core,
  graph: Graph,
  numbers: VitNumbers,
  resize: Resize,
  given: GivenParameters = new Map(),
): Node {
  const { size, patch } = numbers;
  const image = graph.leaf("image", { shape: [3, size, size], data: planesOf(pixelsOf(numbers)) });
  const unit = graph.scale(image, { divisor: 127.5, name: "unit" });
  const normalised = graph.add(unit, graph.leaf("minus_one", { shape: [1], data: Float64Array.of(-1) }), {
    name: "normalised",
  });
  const sequence = rows(core, graph, numbers, normalised, resize, given);
  // The same numbers by channel, so that red, green and blue can be shown apart.
  graph.reshape(graph.node("patches"), { shape: [patchCount(numbers), 3, patch * patch], name: "bands" });
  return sequence;
}

/** Builds the graph without an encoder. Without resized positions, the small part of the core can compute it. */
export function build(
  core: Core,
  graph: Graph,
  numbers: VitNumbers,
  resize: Resize = (position) => position,
): void {
  const sequence = buildSequence(core, graph, numbers, resize);
  graph.scaledDotProductAttention(sequence, sequence, sequence);
}

/**
 * Interpolates the positions of a g × g grid to one for every patch of the image: (g² + 1, D) to (N + 1, D).
 * The row of CLS is copied. The grids have an axis for their rows and one for their columns, so that they can be drawn as maps.
 */
function interpolatedPositions(graph: WholeGraph, numbers: VitNumbers, position: Node): Node {
  const { dim, size, patch } = numbers;
  const [small, large] = [positionSide(numbers), size / patch];
  const carried = (node: Node, shape: number[]): Node => graph.passOver(graph.reshape(node, { shape }));
  const ofRows = (start: number, stop: number): Node =>
    graph.passOver(graph.slice(position, { axis: 0, start, stop }));
  const grid = graph.reshape(ofRows(1, small ** 2 + 1), {
    shape: [small, small, dim],
    name: "position_grid",
  });
  const matrix = graph.interpolationMatrix({
    from: [small, small],
    to: [large, large],
    mode: positionsOf(numbers).interpolation,
  });
  const weights = graph.reshape(graph.passOver(matrix), {
    shape: [large, large, small, small],
    name: "interpolation",
  });
  const stretched = graph.matmul(
    carried(weights, [large, large, small ** 2]),
    carried(grid, [small ** 2, dim]),
    { name: "stretched" },
  );
  return graph.concat([ofRows(0, 1), carried(stretched, [large ** 2, dim])], { axis: 0, name: "positions" });
}

/**
 * Adds the answer: the row of CLS after the last norm, times a row of weights for each class, plus a bias, is a logit; softmax makes
 * probabilities of them. The paper's section 3.1 and its equation 4.
 */
function buildAnswer(graph: WholeGraph, given: GivenParameters): void {
  const leaf = (name: string, columns: number): Node => {
    const data = Float64Array.from(given.get(name)!);
    return graph.leaf(name, { shape: [data.length / columns, columns], data });
  };
  const row = graph.passOver(graph.slice(graph.node("norm"), { axis: 0, start: 0, stop: 1 }));
  const read = graph.transpose(row, { name: "cls" });
  const products = graph.matmul(leaf("head.weight", read.shape[0]!), read, { name: "products" });
  const logits = graph.add(products, leaf("head.bias", 1), { name: "logits" });
  graph.softmax(logits, { axis: 0, name: "probabilities" });
}

/** Builds the graph with all that the whole core adds: resized positions, encoder layers, the attention of CLS and its rollout, and the answer of a trained model. */
export function buildWhole(core: TransformerCore, graph: WholeGraph, numbers: VitNumbers): void {
  const resize: Resize = (position) =>
    isStretched(numbers) ? interpolatedPositions(graph, numbers, position) : position;
  if (!hasEncoder(numbers)) return build(core, graph, numbers, resize);
  const given = givenParameters(numbers.parameters, () => parameterShapes(numbers));
  const sequence = buildSequence(core, graph, numbers, resize, given);
  const { dim, seed } = numbers;
  const { layers, heads } = encoderOf(numbers);
  const parameters = core.parameters({ maxBytes: graph.maxBytes });
  try {
    parameters.draw("encoder", { dModel: dim, dFf: encoderWider * dim, numLayers: layers }, seed);
    setGiven(parameters, given);
    graph.encoder(sequence, parameters, {
      numHeads: heads,
      numLayers: layers,
      activation: "gelu",
      normFirst: true,
      eps: 1e-6,
    });
  } finally {
    parameters.delete();
  }
  const weights = Array.from({ length: layers }, (_, layer) =>
    graph.node(`layers.${layer}.self_attn.weights`),
  );
  graph.slice(weights.at(-1)!, { axis: 1, start: 0, stop: 1, name: "cls_weights" });
  const rollout = graph.attentionRollout(weights, { name: "rollout" });
  graph.slice(rollout, { axis: 0, start: 0, stop: 1, name: "cls_rollout" });
  if (numbers.classes) buildAnswer(graph, given);
}
