/** What a graph says of its nodes: snapshots, descriptions, explanations. Plain data. */
import type { Place } from "./random.js";
import type { DataType } from "./tensor.js";

/** Where the numbers of a leaf come from, so that a program can draw them again. */
export type Origin =
  | { kind: "literal"; causal?: "top_left" | "bottom_right" }
  | ({
      kind: "draw";
      method: "randn" | "randint" | "uniform";
      low?: number;
      high?: number;
      /** What the numbers drawn are divided by, or the number whose square root it is. */
      divisor?: number;
      sqrtDivisor?: number;
    } & Place)
  | { kind: "token_vectors"; tokens: string[]; seed: number; dim: number };

export interface NodeDescription {
  name: string;
  op: string;
  inputs: string[];
  shape: number[];
  dataType: DataType;
  /** What the op was told: { axis: -1 }. */
  attributes: Record<string, unknown>;
  /** Of a leaf. */
  origin?: Origin;
}

/** What a node, or all of a graph, costs. */
export interface Cost {
  /** Floating point operations of one forward pass; a multiply-add counts 2. */
  flops: number;
  /** How many numbers are parameters: those of a leaf that a layer reads as one. */
  parameters: number;
}

/** A copy of a node. Numbers are doubles whatever the precision; a mask's are 0 and 1. */
export interface Snapshot {
  name: string;
  op: string;
  inputs: string[];
  shape: number[];
  data: Float64Array;
  /** Indices of the cells of a leaf changed by hand. */
  edited: number[][];
}

/** A number in a row of arithmetic; `node` is "" for one that stands in no tensor. */
export interface ExplanationOperand {
  node: string;
  index: number[];
  value: number;
  /** The number whose square root it is: the 3 of a divisor √3. */
  rootOf?: number;
  /** A cell of the gradient of `node`, not of its value. */
  gradient?: true;
}

export interface ExplanationRow {
  /** A permanent id: "row", "column", "products". */
  role: string;
  operands: ExplanationOperand[];
  /** Terms not shown: how many, and their partial sum where adding them means something. */
  rest?: { count: number; value?: number };
  value?: number;
  /** Whether the value is not 0 but no larger than what rounding can leave of a sum that is 0. */
  zeroWithinRounding?: true;
}

/** A block of cells of a node, by its two corners, both inclusive. */
export interface CellBlock {
  node: string;
  from: number[];
  to: number[];
}

export interface ExplanationRegion extends CellBlock {
  /** Of the gradient of `node`, not of its value. */
  gradient?: true;
}

/** How a cell was made. The last row carries its value. */
export interface Explanation {
  node: string;
  op: string;
  index: number[];
  value: number;
  rows: ExplanationRow[];
  /** All the cells it was made from. */
  sources: ExplanationRegion[];
  /** What the op was told, or where the numbers of a leaf come from. */
  attributes: Record<string, unknown>;
}

/** What reached the gradient of a cell through one of its uses: `node` reads the cell's tensor as its input at `place`. */
export interface GradientUse {
  node: string;
  op: string;
  place: number;
  /** "upstream": cells of the gradient of `node`; "local": how each follows a change of the cell; "contributions": their products. */
  rows: ExplanationRow[];
  sources: ExplanationRegion[];
  attributes: Record<string, unknown>;
}

/** How the gradient of a cell was made: the sum over its uses. */
export interface GradientExplanation {
  node: string;
  index: number[];
  value: number;
  uses: GradientUse[];
  /** "sum_over_uses", a term per use; "seed" for the node that `backward` started from, "unreached" for one that it did not reach. */
  sum: ExplanationRow;
}
