/** The options of each operation, and the results of those that return several tensors. */
import type { FloatData, Tensor } from "./tensor.js";

/** The name of the node that an operation makes; absent: "#" and a number. */
export interface Named {
  name?: string;
}

/** Exactly one of the two. */
export type ScaleOptions = { factor: number; divisor?: undefined } | { divisor: number; factor?: undefined };

export interface TransposeOptions {
  /** The new order of the axes; absent: the last two swapped. */
  axes?: readonly number[];
}

export interface ReshapeOptions {
  shape: readonly number[];
}

/** The part from `start` up to, but not including, `stop`. */
export interface SliceOptions {
  axis: number;
  start: number;
  stop: number;
}

export interface ConcatOptions {
  axis: number;
}

export interface MaskOptions {
  /** The number put where the mask is 0; absent: the mask's own fill, or -Infinity. */
  fill?: number;
}

export interface SoftmaxOptions {
  /** Absent: the last axis. */
  axis?: number;
  /** A slice that is all -Infinity becomes zeros instead of NaN. */
  emptyIsZero?: boolean;
}

export interface LogSoftmaxOptions {
  axis?: number;
}

export interface SplitHeadsOptions {
  numHeads: number;
}

export interface EmbeddingOptions {
  /** Multiply by the square root of the row length, as the paper does (section 3.4). */
  scaleBySqrtDim?: boolean;
}

/** How the numbers of a patch are ordered: row, column, channel; or channel, row, column as a convolution stores them. */
export type PatchOrder = "p1 p2 c" | "c p1 p2";

export interface PatchifyOptions {
  /** Height and width of a patch. */
  patch: readonly [number, number];
  order: PatchOrder;
}

/** The positions: the listed ones, or 0 ... length - 1. */
export type Positions =
  | { positions: readonly number[] | Int32Array; length?: undefined }
  | { length: number; positions?: undefined };

export type SinusoidalOptions = Positions & {
  dim: number;
  base?: number;
  /** Added to every position; absent: 0. */
  offset?: number;
};

export type AbsoluteIndexOptions = Positions & { dim: number };

export interface ShiftMatrixOptions {
  offset: number;
  dim: number;
  base?: number;
}

export interface RotaryOptions {
  /** One per row of x; absent: 0, 1, 2, ... */
  positions?: readonly number[] | Int32Array;
  base?: number;
  /** Pairs (x[2i], x[2i+1]), or (x[i], x[i + d/2]). */
  layout: "interleaved" | "half";
}

export interface AlibiOptions {
  numHeads: number;
  queryLength: number;
  keyLength: number;
  /** Keys after a query get -Infinity. */
  causal?: boolean;
}

/** Query i may attend keys j <= i (top left) or j <= i + S - L (bottom right, for decoding with a cache of keys). */
export type Causal = boolean | "top_left" | "bottom_right";

export type Scale = number | "none";

/** Dropout while training: which numbers are dropped follows from the seed. */
export interface TrainingDropout {
  p: number;
  seed: number;
}

export interface AttentionOptions<Mask> {
  mask?: Mask;
  /** true means "top_left". */
  isCausal?: Causal;
  /** Factor of the scores; absent: they are divided by sqrt(d_k); "none": they stay as they are, and no step scales them. */
  scale?: Scale;
  /** Divides the scaled scores once more. */
  temperature?: number;
  /** Dropout of the weights; absent in evaluation. The weights that are returned are those before dropout. */
  dropout?: TrainingDropout;
}

export interface MultiHeadAttentionOptions<Mask, KeyMask> {
  numHeads: number;
  /** (L, S), or (B H, L, S) with a mask per head, or any of rank 4 that broadcasts to (B, H, L, S). */
  mask?: Mask;
  /** (B, S), 1 = may be attended. */
  keyMask?: KeyMask;
  isCausal?: Causal;
  scale?: Scale;
  /** Dropout of the weights; absent in evaluation. The weights that are returned are those before dropout. */
  dropout?: TrainingDropout;
}

/** Parameters in row-vector form, x W + b: wQ (D, H d_k), wK, wV (D, H d_v), wO (H d_v, D); the biases are optional. */
export type RowVectorParameters<Operand> = {
  wQ: Operand;
  wK: Operand;
  wV: Operand;
  /** (H d_k) */
  bQ?: Operand;
  /** (H d_k) */
  bK?: Operand;
  /** (H d_v) */
  bV?: Operand;
} & (
  | { wO: Operand; /** (D) */ bO?: Operand }
  /** Without wO the output is the concatenation of the heads. */
  | { wO?: undefined; bO?: undefined }
);

/** Parameters as torch.nn.MultiheadAttention stores them, x W^T + b: stacked, or separate when key or value widths differ. */
export type TorchParameters<Operand> = {
  inProjBias?: Operand;
  outProjWeight: Operand;
  outProjBias?: Operand;
} & (
  | { inProjWeight: Operand; qProjWeight?: undefined; kProjWeight?: undefined; vProjWeight?: undefined }
  | { qProjWeight: Operand; kProjWeight: Operand; vProjWeight: Operand; inProjWeight?: undefined }
);

export type MultiHeadParameters<Operand> = RowVectorParameters<Operand> | TorchParameters<Operand>;

/** The class token (D), (1, D) or (1, 1, D) and the learned positions (N + 1, D), or (N, D) without a class token, also after an axis of size 1. */
export interface PatchEmbeddingOptions<Operand> {
  /** Height and width of a patch: the weight is then (C ph pw, D), in row-vector form. */
  patch?: readonly [number, number];
  cls?: Operand;
  position?: Operand;
}

/** Only of functions; absent: true. In a graph `observe` decides whether the weights are a node. */
export interface NeedWeights {
  needWeights?: boolean;
}

/** The result of an attention. */
export interface AttentionOutput<Data extends FloatData> {
  output: Tensor<Data>;
}

export interface Attention<Data extends FloatData> extends AttentionOutput<Data> {
  weights: Tensor<Data>;
}

export interface PatchEmbedding<Value> {
  /** One row per patch, projected. */
  tokens: Value;
  /** The class token first, if there is one, and the positions added. */
  output: Value;
}

export interface Alibi<Value> {
  slopes: Value;
  bias: Value;
}
