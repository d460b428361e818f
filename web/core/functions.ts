/** Functions from tensors to tensors. Each builds its own graph, reads the result and frees the graph. */
import { choice, flag } from "./arguments.js";
import { Graph, type GraphOptions } from "./graph.js";
import type { Node } from "./node.js";
import type * as Options from "./options.js";
import {
  precisionOf,
  type BooleanMask,
  type FloatData,
  type Ids,
  type Precision,
  type Tensor,
} from "./tensor.js";
import type { WasmModule } from "./wasm.js";

type Double = Tensor<Float64Array>;
type Single = Tensor<Float32Array>;

/** Reads the numbers of a node of the graph. */
type Read = <D extends FloatData>(node: Node) => Tensor<D>;

/** Splits the options into `needWeights` and those that the graph takes. */
function splitNeedWeights<Given extends Options.NeedWeights>(operation: string, given: Given | undefined) {
  if (typeof given !== "object" || given === null || !("needWeights" in given))
    return { needWeights: true, others: given as Given };
  const { needWeights = true, ...others } = given;
  return { needWeights: flag(operation, "needWeights", needWeights), others };
}

/** The result of an attention, with its weights where they are wanted. With dropout the weights are a node of any graph. */
const attentionOf = <D extends FloatData>(
  read: Read,
  needWeights: boolean,
  { output, weights }: { output: Node; weights?: Node },
): Options.AttentionOutput<D> & { weights?: Tensor<D> } =>
  needWeights && weights
    ? { output: read<D>(output), weights: read<D>(weights) }
    : { output: read<D>(output) };

/** Inputs are tensors; outputs are tensors of the same precision. */
export class Functions {
  /** @internal */
  protected readonly module: WasmModule;

  /** @internal */
  constructor(module: WasmModule) {
    this.module = module;
  }

  /** A graph, in which every step is kept as a node. */
  graph(options?: GraphOptions): Graph {
    return new Graph(this.module, options);
  }

  /** (..., n, m) @ (..., m, p) -> (..., n, p); leading axes broadcast. */
  matmul<D extends FloatData>(a: Tensor<D>, b: Tensor<D>): Tensor<D> {
    return this.one("matmul", { a, b }, (graph) => graph.matmul(a, b));
  }

  /** a + b under NumPy's broadcasting. */
  add<D extends FloatData>(a: Tensor<D>, b: Tensor<D>): Tensor<D> {
    return this.one("add", { a, b }, (graph) => graph.add(a, b));
  }

  /** x * factor, or x / divisor. */
  scale<D extends FloatData>(x: Tensor<D>, options: Options.ScaleOptions): Tensor<D> {
    return this.one("scale", { x }, (graph) => graph.scale(x, options));
  }

  /** The axes in another order; without `axes` the last two swapped. */
  transpose<D extends FloatData>(x: Tensor<D>, options?: Options.TransposeOptions): Tensor<D> {
    return this.one("transpose", { x }, (graph) => graph.transpose(x, options));
  }

  /** The same numbers, row-major, under another shape. */
  reshape<D extends FloatData>(x: Tensor<D>, options: Options.ReshapeOptions): Tensor<D> {
    return this.one("reshape", { x }, (graph) => graph.reshape(x, options));
  }

  /** x[..., start:stop, ...] along an axis. */
  slice<D extends FloatData>(x: Tensor<D>, options: Options.SliceOptions): Tensor<D> {
    return this.one("slice", { x }, (graph) => graph.slice(x, options));
  }

  /** Tensors joined along an axis on which alone they may differ. */
  concat<D extends FloatData>(tensors: readonly Tensor<D>[], options: Options.ConcatOptions): Tensor<D> {
    return this.one("concat", { ...tensors }, (graph) => graph.concat(tensors, options));
  }

  /** where(mask, x, fill): x where the mask is 1; `fill` is -Infinity when absent. */
  mask<D extends FloatData>(x: Tensor<D>, mask: BooleanMask, options?: Options.MaskOptions): Tensor<D> {
    return this.one("mask", { x }, (graph) => graph.mask(x, mask, options));
  }

  /** exp(x - max) / sum(exp(x - max)) along an axis. All -Infinity: NaN, or zeros with `emptyIsZero`. */
  softmax<D extends FloatData>(x: Tensor<D>, options?: Options.SoftmaxOptions): Tensor<D> {
    return this.one("softmax", { x }, (graph) => graph.softmax(x, options));
  }

  /** x - max - log(sum(exp(x - max))) along an axis. */
  logSoftmax<D extends FloatData>(x: Tensor<D>, options?: Options.LogSoftmaxOptions): Tensor<D> {
    return this.one("logSoftmax", { x }, (graph) => graph.logSoftmax(x, options));
  }

  /** x weight^T + bias; weight (out, in) as torch.nn.Linear stores it. */
  linear<D extends FloatData>(x: Tensor<D>, weight: Tensor<D>, bias?: Tensor<D>): Tensor<D> {
    return this.one("linear", { x, weight, bias }, (graph) => graph.linear(x, weight, bias));
  }

  /** (B, L, D) -> (B, H, L, D/H). */
  splitHeads<D extends FloatData>(x: Tensor<D>, options: Options.SplitHeadsOptions): Tensor<D> {
    return this.one("splitHeads", { x }, (graph) => graph.splitHeads(x, options));
  }

  /** (B, H, L, d) -> (B, L, H d). */
  mergeHeads<D extends FloatData>(x: Tensor<D>): Tensor<D> {
    return this.one("mergeHeads", { x }, (graph) => graph.mergeHeads(x));
  }

  /** Rows of a table (V, D) at ids, times sqrt(D) if asked. */
  embedding<D extends FloatData>(ids: Ids, table: Tensor<D>, options?: Options.EmbeddingOptions): Tensor<D> {
    return this.one("embedding", { table }, (graph) => graph.embedding(ids, table, options));
  }

  /** hidden table^T. */
  tiedLogits<D extends FloatData>(hidden: Tensor<D>, table: Tensor<D>): Tensor<D> {
    return this.one("tiedLogits", { hidden, table }, (graph) => graph.tiedLogits(hidden, table));
  }

  /** (B?, C, H, W) -> (B?, N, ph pw C). */
  patchify<D extends FloatData>(image: Tensor<D>, options: Options.PatchifyOptions): Tensor<D> {
    return this.one("patchify", { image }, (graph) => graph.patchify(image, options));
  }

  /** A convolution with kernel = stride = patch; then the class token first and the positions added. */
  patchEmbedding<D extends FloatData>(
    image: Tensor<D>,
    weight: Tensor<D>,
    bias?: Tensor<D>,
    options?: Options.PatchEmbeddingOptions<Tensor<D>>,
  ): Options.PatchEmbedding<Tensor<D>> {
    const tensors = { image, weight, bias, cls: options?.cls, position: options?.position };
    return this.run("patchEmbedding", tensors, false, (graph, value) => {
      const { tokens, output } = graph.patchEmbedding(image, weight, bias, options);
      return { tokens: value<D>(tokens), output: value<D>(output) };
    });
  }

  /** PE[p, 2i] = sin(p / base^(2i/dim)), PE[p, 2i + 1] = cos of the same angle. */
  sinusoidal(options: Options.SinusoidalOptions, precision: "float32"): Single;
  sinusoidal(options: Options.SinusoidalOptions, precision?: "float64"): Double;
  sinusoidal(options: Options.SinusoidalOptions, precision?: Precision): Tensor {
    return this.one("sinusoidal", {}, (graph) => graph.sinusoidal(options), precision);
  }

  /** A matrix in which every row is filled with its position. */
  absoluteIndex(options: Options.AbsoluteIndexOptions, precision: "float32"): Single;
  absoluteIndex(options: Options.AbsoluteIndexOptions, precision?: "float64"): Double;
  absoluteIndex(options: Options.AbsoluteIndexOptions, precision?: Precision): Tensor {
    return this.one("absoluteIndex", {}, (graph) => graph.absoluteIndex(options), precision);
  }

  /** M with PE(p + offset) = M PE(p) for every p. */
  shiftMatrix(options: Options.ShiftMatrixOptions, precision: "float32"): Single;
  shiftMatrix(options: Options.ShiftMatrixOptions, precision?: "float64"): Double;
  shiftMatrix(options: Options.ShiftMatrixOptions, precision?: Precision): Tensor {
    return this.one("shiftMatrix", {}, (graph) => graph.shiftMatrix(options), precision);
  }

  /** RoPE: every pair of numbers of a row turned by position * base^(-2i/d). */
  rotary<D extends FloatData>(x: Tensor<D>, options: Options.RotaryOptions): Tensor<D> {
    return this.one("rotary", { x }, (graph) => graph.rotary(x, options));
  }

  /** ALiBi: slopes (H) and bias (H, L, S). */
  alibi(options: Options.AlibiOptions, precision: "float32"): Options.Alibi<Single>;
  alibi(options: Options.AlibiOptions, precision?: "float64"): Options.Alibi<Double>;
  alibi(options: Options.AlibiOptions, precision?: Precision): Options.Alibi<Tensor> {
    return this.run(
      "alibi",
      {},
      false,
      (graph, value) => {
        const { slopes, bias } = graph.alibi(options);
        return { slopes: value(slopes), bias: value(bias) };
      },
      precision,
    );
  }

  /**
   * softmax(query key^T / sqrt(d_k)) value. A query with every key masked has zero weights and a zero output. With `needWeights: false`
   * the weights (L, S) are neither returned nor kept in memory; the output differs by rounding only.
   */
  scaledDotProductAttention<D extends FloatData>(
    query: Tensor<D>,
    key: Tensor<D>,
    value: Tensor<D>,
    options: Options.AttentionOptions<BooleanMask | Tensor<D>> & { needWeights: false },
  ): Options.AttentionOutput<D>;
  scaledDotProductAttention<D extends FloatData>(
    query: Tensor<D>,
    key: Tensor<D>,
    value: Tensor<D>,
    options?: Options.AttentionOptions<BooleanMask | Tensor<D>> & { needWeights?: true },
  ): Options.Attention<D>;
  scaledDotProductAttention<D extends FloatData>(
    query: Tensor<D>,
    key: Tensor<D>,
    value: Tensor<D>,
    options?: Options.AttentionOptions<BooleanMask | Tensor<D>> & Options.NeedWeights,
  ): Options.AttentionOutput<D> {
    const operation = "scaledDotProductAttention";
    const { needWeights, others } = splitNeedWeights(operation, options);
    const tensors = { query, key, value, mask: options?.mask };
    return this.run(operation, tensors, needWeights, (graph, read) =>
      attentionOf(read, needWeights, graph.scaledDotProductAttention(query, key, value, others)),
    );
  }

  /** concat(head_1 ... head_H) W_O, or the concatenation without wO, and the weights per head, (B, H, L, S), unless `needWeights` is false. */
  multiHeadAttention<D extends FloatData>(
    query: Tensor<D>,
    key: Tensor<D>,
    value: Tensor<D>,
    parameters: Options.MultiHeadParameters<Tensor<D>>,
    options: Options.MultiHeadAttentionOptions<BooleanMask | Tensor<D>, BooleanMask> & {
      needWeights: false;
    },
  ): Options.AttentionOutput<D>;
  multiHeadAttention<D extends FloatData>(
    query: Tensor<D>,
    key: Tensor<D>,
    value: Tensor<D>,
    parameters: Options.MultiHeadParameters<Tensor<D>>,
    options: Options.MultiHeadAttentionOptions<BooleanMask | Tensor<D>, BooleanMask> & {
      needWeights?: true;
    },
  ): Options.Attention<D>;
  multiHeadAttention<D extends FloatData>(
    query: Tensor<D>,
    key: Tensor<D>,
    value: Tensor<D>,
    parameters: Options.MultiHeadParameters<Tensor<D>>,
    options: Options.MultiHeadAttentionOptions<BooleanMask | Tensor<D>, BooleanMask> & Options.NeedWeights,
  ): Options.AttentionOutput<D> {
    const operation = "multiHeadAttention";
    const { needWeights, others } = splitNeedWeights(operation, options);
    const tensors = { query, key, value, mask: options?.mask, ...parameters };
    return this.run(operation, tensors, needWeights, (graph, read) =>
      attentionOf(read, needWeights, graph.multiHeadAttention(query, key, value, parameters, others)),
    );
  }

  /** @internal The tensor of the one node that `work` makes. */
  protected one<D extends FloatData>(
    operation: string,
    tensors: Record<string, unknown>,
    work: (graph: Graph) => Node,
    precision?: Precision,
  ): Tensor<D> {
    return this.run(operation, tensors, false, (graph, value) => value<D>(work(graph)), precision);
  }

  /** @internal Runs `work` on a graph of its own. The graph is observed where `work` reads a step of an attention. */
  protected run<Result>(
    operation: string,
    tensors: Record<string, unknown>,
    observe: boolean,
    work: (graph: Graph, value: Read) => Result,
    given?: Precision,
  ): Result {
    const precision =
      given === undefined
        ? precisionOf(operation, tensors)
        : choice(operation, "precision", given, ["float64", "float32"]);
    const graph = this.graph({ precision, observe });
    graph.takesNames = false;
    try {
      return work(graph, <D extends FloatData>(node: Node) => graph.value(node) as unknown as Tensor<D>);
    } finally {
      graph.delete();
    }
  }
}
