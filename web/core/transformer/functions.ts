/** Functions of the transformer part, from tensors to tensors. */
import { Core } from "../core.js";
import type { GraphOptions } from "../graph.js";
import type { Node } from "../node.js";
import type { Attention } from "../options.js";
import type { BooleanMask, FloatData, Ids, Precision, Tensor } from "../tensor.js";
import { TransformerGraph } from "./graph.js";
import type * as Options from "./options.js";

type Double = Tensor<Float64Array>;
type Single = Tensor<Float32Array>;

/** Inputs are tensors; outputs are tensors of the same precision. */
export class TransformerFunctions extends Core {
  /** A graph, in which every step is kept as a node. */
  override graph(options?: GraphOptions): TransformerGraph {
    return new TransformerGraph(this.module, options);
  }

  #one<D extends FloatData>(
    operation: string,
    tensors: Record<string, unknown>,
    work: (graph: TransformerGraph) => Node,
    precision?: Precision,
  ): Tensor<D> {
    return this.one<D>(operation, tensors, (graph) => work(graph as TransformerGraph), precision);
  }

  /** a - b under NumPy's broadcasting. */
  subtract<D extends FloatData>(a: Tensor<D>, b: Tensor<D>): Tensor<D> {
    return this.#one("subtract", { a, b }, (graph) => graph.subtract(a, b));
  }

  /** a b, cell by cell, under NumPy's broadcasting. */
  multiply<D extends FloatData>(a: Tensor<D>, b: Tensor<D>): Tensor<D> {
    return this.#one("multiply", { a, b }, (graph) => graph.multiply(a, b));
  }

  /** a / b under NumPy's broadcasting. */
  divide<D extends FloatData>(a: Tensor<D>, b: Tensor<D>): Tensor<D> {
    return this.#one("divide", { a, b }, (graph) => graph.divide(a, b));
  }

  /** The smaller one of a and b, cell by cell, under NumPy's broadcasting. */
  minimum<D extends FloatData>(a: Tensor<D>, b: Tensor<D>): Tensor<D> {
    return this.#one("minimum", { a, b }, (graph) => graph.minimum(a, b));
  }

  /** The larger one of a and b, cell by cell, under NumPy's broadcasting. */
  maximum<D extends FloatData>(a: Tensor<D>, b: Tensor<D>): Tensor<D> {
    return this.#one("maximum", { a, b }, (graph) => graph.maximum(a, b));
  }

  /** a . b / (|a| |b|) of the last axis, 0 with a row of zeros; leading axes broadcast. */
  cosineSimilarity<D extends FloatData>(a: Tensor<D>, b: Tensor<D>): Tensor<D> {
    return this.#one("cosineSimilarity", { a, b }, (graph) => graph.cosineSimilarity(a, b));
  }

  /** e^x. */
  exp<D extends FloatData>(x: Tensor<D>): Tensor<D> {
    return this.#one("exp", { x }, (graph) => graph.exp(x));
  }

  /** The natural logarithm. */
  log<D extends FloatData>(x: Tensor<D>): Tensor<D> {
    return this.#one("log", { x }, (graph) => graph.log(x));
  }

  /** The square root. */
  sqrt<D extends FloatData>(x: Tensor<D>): Tensor<D> {
    return this.#one("sqrt", { x }, (graph) => graph.sqrt(x));
  }

  /** log(1 / (1 + e^-x)). */
  logSigmoid<D extends FloatData>(x: Tensor<D>): Tensor<D> {
    return this.#one("logSigmoid", { x }, (graph) => graph.logSigmoid(x));
  }

  /** The hyperbolic tangent. */
  tanh<D extends FloatData>(x: Tensor<D>): Tensor<D> {
    return this.#one("tanh", { x }, (graph) => graph.tanh(x));
  }

  /** max(x, 0). */
  relu<D extends FloatData>(x: Tensor<D>): Tensor<D> {
    return this.#one("relu", { x }, (graph) => graph.relu(x));
  }

  /** -sum over k of p[k] log p[k] of the last axis. */
  entropy<D extends FloatData>(x: Tensor<D>): Tensor<D> {
    return this.#one("entropy", { x }, (graph) => graph.entropy(x));
  }

  /** x Phi(x), where Phi is the cumulative distribution function of the standard normal distribution. */
  gelu<D extends FloatData>(x: Tensor<D>, options?: Options.GeluOptions): Tensor<D> {
    return this.#one("gelu", { x }, (graph) => graph.gelu(x, options));
  }

  /** The sum along axes, or of all cells. */
  sum<D extends FloatData>(x: Tensor<D>, options?: Options.ReductionOptions): Tensor<D> {
    return this.#one("sum", { x }, (graph) => graph.sum(x, options));
  }

  /** The mean along axes, or of all cells. */
  mean<D extends FloatData>(x: Tensor<D>, options?: Options.ReductionOptions): Tensor<D> {
    return this.#one("mean", { x }, (graph) => graph.mean(x, options));
  }

  /** The index of the largest number along an axis, or among all cells: the first of equal ones. */
  argmax(x: Tensor, options?: Options.ArgmaxOptions): Ids {
    return this.#one("argmax", { x }, (graph) => graph.argmax(x, options)) as unknown as Ids;
  }

  /** (x - mean) / sqrt(variance + eps) weight + bias over the last axis. */
  layerNorm<D extends FloatData>(
    x: Tensor<D>,
    weight?: Tensor<D>,
    bias?: Tensor<D>,
    options?: Options.LayerNormOptions,
  ): Tensor<D> {
    return this.#one("layerNorm", { x, weight, bias }, (graph) => graph.layerNorm(x, weight, bias, options));
  }

  /** x / (1 - p) where u > p, else 0. */
  dropout<D extends FloatData>(x: Tensor<D>, options: Options.DropoutOptions<Tensor<D>>): Tensor<D> {
    return this.#one("dropout", { x, u: options?.u }, (graph) => graph.dropout(x, options));
  }

  /** (..., numClasses): 1 at the id, 0 elsewhere. */
  oneHot(ids: Ids, options: Options.OneHotOptions, precision: "float32"): Single;
  oneHot(ids: Ids, options: Options.OneHotOptions, precision?: "float64"): Double;
  oneHot(ids: Ids, options: Options.OneHotOptions, precision?: Precision): Tensor {
    return this.#one("oneHot", {}, (graph) => graph.oneHot(ids, options), precision);
  }

  /** (H W, h w): what a grid, flattened row by row, is multiplied by to be resized. */
  interpolationMatrix(options: Options.InterpolationMatrixOptions, precision: "float32"): Single;
  interpolationMatrix(options: Options.InterpolationMatrixOptions, precision?: "float64"): Double;
  interpolationMatrix(options: Options.InterpolationMatrixOptions, precision?: Precision): Tensor {
    return this.#one("interpolationMatrix", {}, (graph) => graph.interpolationMatrix(options), precision);
  }

  /** (B?, C, L) with weight (out, C, k), bias (out), as torch.nn.Conv1d. */
  conv1d<D extends FloatData>(
    x: Tensor<D>,
    weight: Tensor<D>,
    bias?: Tensor<D>,
    options?: Options.Conv1dOptions,
  ): Tensor<D> {
    return this.#one("conv1d", { x, weight, bias }, (graph) => graph.conv1d(x, weight, bias, options));
  }

  /** -sum over k of weight[k] q[k] log_softmax(logits)[k], q the target: class ids (...), or probabilities (..., K). */
  crossEntropy<D extends FloatData>(
    logits: Tensor<D>,
    target: Ids | Tensor<D>,
    options?: Options.CrossEntropyOptions<Tensor<D>>,
  ): Tensor<D> {
    const tensors = { logits, weight: options?.weight };
    return this.#one("crossEntropy", tensors, (graph) => graph.crossEntropy(logits, target, options));
  }

  /** target (log(target) - input). */
  klDivergence<D extends FloatData>(
    input: Tensor<D>,
    target: Tensor<D>,
    options?: Options.KlDivergenceOptions,
  ): Tensor<D> {
    return this.#one("klDivergence", { input, target }, (graph) =>
      graph.klDivergence(input, target, options),
    );
  }

  /** (input - target)^2. */
  mseLoss<D extends FloatData>(
    input: Tensor<D>,
    target: Tensor<D>,
    options?: Options.MseLossOptions,
  ): Tensor<D> {
    return this.#one("mseLoss", { input, target }, (graph) => graph.mseLoss(input, target, options));
  }

  /** torch.cat: `concat`, along the first axis when `dim` is absent. */
  cat<D extends FloatData>(tensors: readonly Tensor<D>[], options?: Options.CatOptions): Tensor<D> {
    return this.#one("cat", { ...tensors }, (graph) => graph.cat(tensors, options));
  }

  /** torch.masked_fill: `value` where the mask is 1, x elsewhere. The mask is the inverse of the one that `mask` takes. */
  maskedFill<D extends FloatData>(
    x: Tensor<D>,
    mask: BooleanMask,
    options: Options.MaskedFillOptions,
  ): Tensor<D> {
    return this.#one("maskedFill", { x }, (graph) => graph.maskedFill(x, mask, options));
  }

  /** torch.nn.functional.kl_div with log_target=False: `klDivergence`. */
  klDiv<D extends FloatData>(
    input: Tensor<D>,
    target: Tensor<D>,
    options?: Options.KlDivergenceOptions,
  ): Tensor<D> {
    return this.#one("klDiv", { input, target }, (graph) => graph.klDiv(input, target, options));
  }

  /** How many cells of x each bin holds: edges[i] <= x < edges[i + 1], the last with its upper edge. */
  histogram<D extends FloatData>(x: Tensor<D>, edges: Tensor<D>): Tensor<D> {
    return this.#one("histogram", { x, edges }, (graph) => graph.histogram(x, edges));
  }

  /** scores[i, j] = wV . tanh(query_i wQ + key_j wK); a query with every key masked has zero weights. */
  additiveAttention<D extends FloatData>(
    query: Tensor<D>,
    key: Tensor<D>,
    value: Tensor<D>,
    parameters: Options.AdditiveAttentionParameters<Tensor<D>>,
    options?: Options.AdditiveAttentionOptions<BooleanMask | Tensor<D>>,
  ): Attention<D> {
    const tensors = { query, key, value, mask: options?.mask, ...parameters };
    return this.run("additiveAttention", tensors, false, (graph, read) => {
      const nodes = (graph as TransformerGraph).additiveAttention(query, key, value, parameters, options);
      return { output: read<D>(nodes.output), weights: read<D>(nodes.weights) };
    });
  }
}
