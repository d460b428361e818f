/** The options of the operations of the transformer part. */
import type { Named } from "../options.js";

export interface GeluOptions {
  /** "none": x Phi(x) by erf; "tanh": the approximation of the paper. Absent: "none". */
  approximate?: "none" | "tanh";
}

export interface ReductionOptions {
  /** One axis or several; absent: all. */
  axis?: number | readonly number[];
  /** Keep the reduced axes, with size 1. */
  keepdim?: boolean;
}

export interface ArgmaxOptions {
  /** Absent: all cells, in row-major order. */
  axis?: number;
  /** Keep the axis, with size 1; without `axis`, keep all axes. */
  keepdim?: boolean;
}

export interface LayerNormOptions {
  /** Added to the variance; absent: 1e-5. */
  eps?: number;
  /** Divide the sum of squared deviations by n - 1 instead of n. */
  unbiased?: boolean;
}

/** `u` has a number for each cell; with `seed`, NumPy's generator draws them. A cell is kept where u > p. */
export type DropoutOptions<Operand> = { p: number } & (
  { seed: number; u?: undefined } | { u: Operand; seed?: undefined }
);

export interface OneHotOptions {
  numClasses: number;
}

export interface InterpolationMatrixOptions {
  /** Height and width of the grid. */
  from: readonly [number, number];
  /** Its new height and width. */
  to: readonly [number, number];
  /** Absent: "bicubic". */
  mode?: "bilinear" | "bicubic";
}

export interface Conv1dOptions {
  /** Absent: 1. */
  stride?: number;
  /** Zeros on both sides; absent: 0. */
  padding?: number;
}

export type Reduction = "mean" | "sum" | "none";

export interface CrossEntropyOptions<Operand> {
  /** One weight per class (K); absent: 1 each. */
  weight?: Operand;
  /** Absent: "mean". */
  reduction?: Reduction;
  /** Rows with this class are ignored; absent: -100. Only for targets that are class ids. */
  ignoreIndex?: number;
  /** The share of the target that is spread over the classes; absent: 0. */
  labelSmoothing?: number;
  /** "all" (torch): eps / K for every class; "others": eps / (K - 1) for those that are not the target. Absent: "all". */
  spread?: "all" | "others";
}

export interface KlDivergenceOptions {
  /** Absent: "mean", over all cells; "batchmean": over the first axis. */
  reduction?: Reduction | "batchmean";
}

export interface MseLossOptions {
  reduction?: Reduction;
}

export interface CatOptions {
  /** The axis along which the tensors are joined; absent: 0. */
  dim?: number;
}

export interface MaskedFillOptions {
  /** The number that stands where the mask is 1. */
  value: number;
}

/** wQ (d_q, h), wK (d_k, h), wV (h). */
export interface AdditiveAttentionParameters<Operand> {
  wQ: Operand;
  wK: Operand;
  wV: Operand;
}

export interface AdditiveAttentionOptions<Mask> {
  /** Broadcasts to (..., L, S): 1 where a key may be attended, or numbers that are added. */
  mask?: Mask;
}

export type Reduced = ReductionOptions & Named;
