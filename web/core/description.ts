/** Snapshots, descriptions and explanations of nodes, as plain data. */
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
      /** The number that the draws are divided by, or the number whose square root they are divided by. */
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
  /** The settings of the operation: { axis: -1 }. */
  attributes: Record<string, unknown>;
  /** Only of a leaf: where its numbers come from. */
  origin?: Origin;
}

/** The cost of a node, or of a whole graph. */
export interface Cost {
  /** Floating point operations of one forward pass; a multiply-add counts 2. */
  flops: number;
  /** The number of parameters: the cells of a leaf that a layer reads as a parameter. */
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

/** A number in a row of arithmetic. `node` is "" for a number that is not a cell of a tensor. */
export interface ExplanationOperand {
  node: string;
  index: number[];
  value: number;
  /** The number whose square root this is: the 3 of a divisor √3. */
  rootOf?: number;
  /** Whether this is a cell of the gradient of `node` instead of its value. */
  gradient?: true;
}

export interface ExplanationRow {
  /** The role of the row, a permanent id: "row", "column", "products". */
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
  /** Whether this is a block of the gradient of `node` instead of its value. */
  gradient?: true;
}

/** How a cell is computed. The value of the last row is the value of the cell. */
export interface Explanation {
  node: string;
  op: string;
  index: number[];
  value: number;
  rows: ExplanationRow[];
  /** All cells that this one is computed from. */
  sources: ExplanationRegion[];
  /** The settings of the operation, or the origin of a leaf. */
  attributes: Record<string, unknown>;
  /** What one gets by leaving out a step that the rows do not show apart. Of softmax, `max`: e to the cell's own number. */
  slips?: Record<string, number>;
}

/** What one use of a cell adds to its gradient: `node` reads the cell's tensor as its input number `place`. */
export interface GradientUse {
  node: string;
  op: string;
  place: number;
  /** "upstream": cells of the gradient of `node`; "local": their derivatives by the cell; "contributions": the products of the two. */
  rows: ExplanationRow[];
  sources: ExplanationRegion[];
  attributes: Record<string, unknown>;
}

/** How the gradient of a cell is computed: the sum over its uses. */
export interface GradientExplanation {
  node: string;
  index: number[];
  value: number;
  uses: GradientUse[];
  /** "sum_over_uses", a term per use; "seed" for the node that `backward` started from, "unreached" for one that it did not reach. */
  sum: ExplanationRow;
}
