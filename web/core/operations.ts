/** The operations of a graph: each checks its arguments, passes them to the core and returns nodes. */
import {
  choice,
  finiteNumber,
  finiteNumbers,
  flag,
  integer,
  integers,
  number,
  options,
  refuse,
  text,
} from "./arguments.js";
import type { IdsOperand, MaskOperand, Node, Operand } from "./node.js";
import type * as Options from "./options.js";
import { checkShape, type DataType } from "./tensor.js";

/** Attributes of an operation, as the core reads them. Absent ones are undefined. */
export type Attributes = Record<string, number | boolean | string | readonly number[] | undefined>;

/** The nodes an operation reads, each with the types it may have. */
export interface Inputs {
  [argument: string]: { operand: unknown; allowed: readonly DataType[] } | undefined;
}

export const FLOATS: readonly DataType[] = ["float64", "float32"];
const ANY: readonly DataType[] = ["float64", "float32", "int32", "bool"];

export const numbers = (operand: unknown) => ({ operand, allowed: FLOATS });
export const optional = (operand: unknown) => (operand === undefined ? undefined : numbers(operand));

function positionsOf(operation: string, given: { positions?: unknown; length?: unknown }): Attributes {
  const { positions, length } = given;
  if ((positions === undefined) === (length === undefined)) {
    throw new Error(
      `${operation}: expected either positions or length, got ${positions === undefined ? "neither" : "both"}`,
    );
  }
  return positions === undefined
    ? { length: integer(operation, "length", length, { min: 1 }) }
    : { positions: finiteNumbers(operation, "positions", positions) };
}

/** The operations of `Graph`. Operands are its nodes, or tensors, which become unnamed leaves. */
export abstract class Operations {
  /** Applies an operation of the core and returns its nodes by role. A refused call leaves no node behind. */
  protected abstract apply(
    operation: string,
    inputs: Inputs,
    attributes: Attributes,
    name: string,
  ): Record<string, Node>;

  /** @internal Whether operations take names. They do not in a function, which returns numbers only. */
  takesNames = true;

  /** Checks the options of an operation: `known`, and those of `naming` where nodes take names. Throws Error for any other. */
  protected settings<Given extends Options.Named>(
    operation: string,
    given: Given | undefined,
    known: readonly (keyof Given & string)[],
    naming?: readonly (keyof Given & string)[],
  ): Given {
    return options(operation, given, this.takesNames ? [...known, ...(naming ?? ["name"])] : known);
  }

  /** Applies an operation that makes one node. */
  protected single(operation: string, inputs: Inputs, attributes: Attributes, given?: Options.Named): Node {
    const name = given?.name === undefined ? "" : text(operation, "name", given.name);
    return this.apply(operation, inputs, attributes, name)["output"]!;
  }

  /** (..., n, m) @ (..., m, p) -> (..., n, p); leading axes broadcast. */
  matmul(a: Operand, b: Operand, given?: Options.Named): Node {
    this.settings("matmul", given, []);
    return this.single("matmul", { a: numbers(a), b: numbers(b) }, {}, given);
  }

  /** a + b under NumPy's broadcasting. */
  add(a: Operand, b: Operand, given?: Options.Named): Node {
    this.settings("add", given, []);
    return this.single("add", { a: numbers(a), b: numbers(b) }, {}, given);
  }

  /** x * factor, or x / divisor. */
  scale(x: Operand, given: Options.ScaleOptions & Options.Named): Node {
    const { factor, divisor } = this.settings("scale", given, ["factor", "divisor"]);
    if ((factor === undefined) === (divisor === undefined)) {
      throw new Error(
        `scale: expected either factor or divisor, got ${factor === undefined ? "neither" : "both"}`,
      );
    }
    const attributes: Attributes = {
      factor: factor === undefined ? undefined : finiteNumber("scale", "factor", factor),
      divisor: divisor === undefined ? undefined : finiteNumber("scale", "divisor", divisor),
    };
    if (attributes["divisor"] === 0) refuse("scale", "divisor", "a finite number other than 0", divisor);
    return this.single("scale", { x: numbers(x) }, attributes, given);
  }

  /** The axes in another order; without `axes` the last two swapped. */
  transpose(x: Operand, given?: Options.TransposeOptions & Options.Named): Node {
    const { axes } = this.settings("transpose", given, ["axes"]);
    const attributes = { axes: axes === undefined ? undefined : integers("transpose", "axes", axes) };
    return this.single("transpose", { x: { operand: x, allowed: ANY } }, attributes, given);
  }

  /** The same numbers, row-major, under another shape. */
  reshape(x: Operand, given: Options.ReshapeOptions & Options.Named): Node {
    const { shape } = this.settings("reshape", given, ["shape"]);
    return this.single(
      "reshape",
      { x: { operand: x, allowed: ANY } },
      { shape: checkShape("reshape", "shape", shape) },
      given,
    );
  }

  /** x[..., start:stop, ...] along an axis. */
  slice(x: Operand, given: Options.SliceOptions & Options.Named): Node {
    const { axis, start, stop } = this.settings("slice", given, ["axis", "start", "stop"]);
    const attributes = {
      axis: integer("slice", "axis", axis),
      start: integer("slice", "start", start, { min: 0 }),
      stop: integer("slice", "stop", stop, { min: 0 }),
    };
    return this.single("slice", { x: { operand: x, allowed: ANY } }, attributes, given);
  }

  /** Tensors joined along an axis on which alone they may differ. */
  concat(tensors: readonly Operand[], given: Options.ConcatOptions & Options.Named): Node {
    const { axis } = this.settings("concat", given, ["axis"]);
    if (!Array.isArray(tensors) || tensors.length === 0)
      refuse("concat", "tensors", "a list of at least one tensor", tensors);
    const inputs: Inputs = {};
    tensors.forEach((tensor, place) => (inputs[`tensors[${place}]`] = numbers(tensor)));
    return this.single(
      "concat",
      inputs,
      { axis: integer("concat", "axis", axis), count: tensors.length },
      given,
    );
  }

  /** where(mask, x, fill): x where the mask is 1; of a mask of numbers where it is not 0, as `masked_fill(mask == 0, fill)`. */
  mask(x: Operand, mask: MaskOperand, given?: Options.MaskOptions & Options.Named): Node {
    const { fill } = this.settings("mask", given, ["fill"]);
    const inputs = { x: numbers(x), mask: { operand: mask, allowed: ["bool", ...FLOATS] as const } };
    const attributes = { fill: fill === undefined ? undefined : number("mask", "fill", fill) };
    return this.single("mask", inputs, attributes, given);
  }

  /** exp(x - max) / sum(exp(x - max)) along an axis. All -Infinity: NaN, or zeros with `emptyIsZero`. */
  softmax(x: Operand, given?: Options.SoftmaxOptions & Options.Named): Node {
    const { axis = -1, emptyIsZero = false } = this.settings("softmax", given, ["axis", "emptyIsZero"]);
    const attributes = {
      axis: integer("softmax", "axis", axis),
      emptyIsZero: flag("softmax", "emptyIsZero", emptyIsZero),
    };
    return this.single("softmax", { x: numbers(x) }, attributes, given);
  }

  /** x - max - log(sum(exp(x - max))) along an axis. */
  logSoftmax(x: Operand, given?: Options.LogSoftmaxOptions & Options.Named): Node {
    const { axis = -1 } = this.settings("logSoftmax", given, ["axis"]);
    return this.single("logSoftmax", { x: numbers(x) }, { axis: integer("logSoftmax", "axis", axis) }, given);
  }

  /** x weight^T + bias; weight (out, in) as torch.nn.Linear stores it. */
  linear(x: Operand, weight: Operand, bias?: Operand, given?: Options.Named): Node {
    this.settings("linear", given, []);
    return this.single("linear", { x: numbers(x), weight: numbers(weight), bias: optional(bias) }, {}, given);
  }

  /** (B, L, D) -> (B, H, L, D/H): head h takes columns h D/H ... (h + 1) D/H. */
  splitHeads(x: Operand, given: Options.SplitHeadsOptions & Options.Named): Node {
    const { numHeads } = this.settings("splitHeads", given, ["numHeads"]);
    const attributes = { numHeads: integer("splitHeads", "numHeads", numHeads, { min: 1 }) };
    return this.single("splitHeads", { x: numbers(x) }, attributes, given);
  }

  /** (B, H, L, d) -> (B, L, H d): the heads side by side again. */
  mergeHeads(x: Operand, given?: Options.Named): Node {
    this.settings("mergeHeads", given, []);
    return this.single("mergeHeads", { x: numbers(x) }, {}, given);
  }

  /** Rows of a table (V, D) at ids, times sqrt(D) if asked. */
  embedding(ids: IdsOperand, table: Operand, given?: Options.EmbeddingOptions & Options.Named): Node {
    const { scaleBySqrtDim = false } = this.settings("embedding", given, ["scaleBySqrtDim"]);
    const inputs = { ids: { operand: ids, allowed: ["int32"] as const }, table: numbers(table) };
    return this.single(
      "embedding",
      inputs,
      { scaleBySqrtDim: flag("embedding", "scaleBySqrtDim", scaleBySqrtDim) },
      given,
    );
  }

  /** hidden table^T: the output projection that shares the table of the embedding. */
  tiedLogits(hidden: Operand, table: Operand, given?: Options.Named): Node {
    this.settings("tiedLogits", given, []);
    return this.single("tiedLogits", { hidden: numbers(hidden), table: numbers(table) }, {}, given);
  }

  /** (B?, C, H, W) -> (B?, N, ph pw C): patches in row-major order of the grid. */
  patchify(image: Operand, given: Options.PatchifyOptions & Options.Named): Node {
    const { patch, order } = this.settings("patchify", given, ["patch", "order"]);
    const sizes = integers("patchify", "patch", patch, { min: 1 });
    if (sizes.length !== 2) refuse("patchify", "patch", "a height and a width", patch);
    const attributes = { patch: sizes, order: choice("patchify", "order", order, ["p1 p2 c", "c p1 p2"]) };
    return this.single("patchify", { image: numbers(image) }, attributes, given);
  }

  /** PE[p, 2i] = sin(p / base^(2i/dim)), PE[p, 2i + 1] = cos of the same angle; an odd dim has one sine more. */
  sinusoidal(given: Options.SinusoidalOptions & Options.Named): Node {
    const {
      positions,
      length,
      dim,
      base = 10000,
      offset = 0,
    } = this.settings("sinusoidal", given, ["positions", "length", "dim", "base", "offset"]);
    const attributes = {
      ...positionsOf("sinusoidal", { positions, length }),
      dim: integer("sinusoidal", "dim", dim, { min: 1 }),
      base: finiteNumber("sinusoidal", "base", base, { positive: true }),
      offset: finiteNumber("sinusoidal", "offset", offset),
    };
    return this.single("sinusoidal", {}, attributes, given);
  }

  /** A matrix in which every row is filled with its position: the naive scheme. */
  absoluteIndex(given: Options.AbsoluteIndexOptions & Options.Named): Node {
    const { positions, length, dim } = this.settings("absoluteIndex", given, ["positions", "length", "dim"]);
    const attributes = {
      ...positionsOf("absoluteIndex", { positions, length }),
      dim: integer("absoluteIndex", "dim", dim, { min: 1 }),
    };
    return this.single("absoluteIndex", {}, attributes, given);
  }

  /** M with PE(p + offset) = M PE(p) for every p. */
  shiftMatrix(given: Options.ShiftMatrixOptions & Options.Named): Node {
    const { offset, dim, base = 10000 } = this.settings("shiftMatrix", given, ["offset", "dim", "base"]);
    const attributes = {
      offset: finiteNumber("shiftMatrix", "offset", offset),
      dim: integer("shiftMatrix", "dim", dim, { min: 1 }),
      base: finiteNumber("shiftMatrix", "base", base, { positive: true }),
    };
    return this.single("shiftMatrix", {}, attributes, given);
  }

  /** RoPE: every pair of numbers of a row turned by position * base^(-2i/d). */
  rotary(x: Operand, given: Options.RotaryOptions & Options.Named): Node {
    const {
      positions,
      base = 10000,
      layout,
    } = this.settings("rotary", given, ["positions", "base", "layout"]);
    const attributes = {
      positions: positions === undefined ? undefined : finiteNumbers("rotary", "positions", positions),
      base: finiteNumber("rotary", "base", base, { positive: true }),
      layout: choice("rotary", "layout", layout, ["interleaved", "half"]),
    };
    return this.single("rotary", { x: numbers(x) }, attributes, given);
  }
}
