/** What the operations of the transformer part take beside their tensors. */
import type { Named } from "../options.js";

export interface GeluOptions {
  /** "none": x Phi(x) by erf; "tanh": the approximation of the paper. Absent: "none". */
  approximate?: "none" | "tanh";
}

export interface ReductionOptions {
  /** One axis or several; absent: all. */
  axis?: number | readonly number[];
  /** Reduced axes stay, with size 1. */
  keepdim?: boolean;
}

export interface ArgmaxOptions {
  /** Absent: all cells, in row-major order. */
  axis?: number;
  /** The axis stays, with size 1; without one all do. */
  keepdim?: boolean;
}

export interface LayerNormOptions {
  /** Added to the variance; absent: 1e-5. */
  eps?: number;
  /** Divide the squared deviations by n - 1 instead of n. */
  unbiased?: boolean;
}

/** The draws of each cell: given, or made by NumPy's generator after seeding. A cell is kept where u > p. */
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
  /** Of classes (K); absent: 1 each. */
  weight?: Operand;
  /** Absent: "mean". */
  reduction?: Reduction;
  /** Rows with this class count for nothing; absent: -100. Of class targets only. */
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
