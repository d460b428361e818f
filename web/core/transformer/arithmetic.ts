/** Arithmetic, activations, norms and rearrangements of a graph, and additive attention. */
import {
  choice,
  finiteNumber,
  flag,
  integer,
  integers,
  number,
  options,
  refuse,
  text,
} from "../arguments.js";
import { Graph } from "../graph.js";
import { attentionMask } from "../layers.js";
import type { IdsOperand, MaskOperand, Node, Operand } from "../node.js";
import { numbers, optional } from "../operations.js";
import type { Named } from "../options.js";
import type * as Options from "./options.js";

/** The steps of an additive attention. */
export interface AdditiveAttentionNodes {
  query: Node;
  key: Node;
  /** (..., L, S, h): every query with every key. */
  sum: Node;
  hidden: Node;
  scores: Node;
  /** Only with a mask. */
  masked?: Node;
  weights: Node;
  output: Node;
}

export class ArithmeticGraph extends Graph {
  #reduced(operation: string, x: Operand, given?: Options.Reduced): Node {
    const { axis, keepdim = false } = this.settings(operation, given, ["axis", "keepdim"]);
    const axes = axis === undefined ? undefined : typeof axis === "number" ? [axis] : axis;
    const attributes = {
      axes: axes === undefined ? undefined : integers(operation, "axis", axes),
      keepdim: flag(operation, "keepdim", keepdim),
    };
    return this.single(operation, { x: numbers(x) }, attributes, given);
  }

  #pair(operation: string, a: Operand, b: Operand, given?: Named): Node {
    this.settings(operation, given, []);
    return this.single(operation, { a: numbers(a), b: numbers(b) }, {}, given);
  }

  #each(operation: string, x: Operand, given?: Named): Node {
    this.settings(operation, given, []);
    return this.single(operation, { x: numbers(x) }, {}, given);
  }

  /** a - b under NumPy's broadcasting. */
  subtract(a: Operand, b: Operand, given?: Named): Node {
    return this.#pair("subtract", a, b, given);
  }

  /** a b, cell by cell, under NumPy's broadcasting. */
  multiply(a: Operand, b: Operand, given?: Named): Node {
    return this.#pair("multiply", a, b, given);
  }

  /** a / b under NumPy's broadcasting. */
  divide(a: Operand, b: Operand, given?: Named): Node {
    return this.#pair("divide", a, b, given);
  }

  /** The smaller one of a and b, cell by cell, under NumPy's broadcasting. Of equal numbers each has half of the gradient. */
  minimum(a: Operand, b: Operand, given?: Named): Node {
    return this.#pair("minimum", a, b, given);
  }

  /** The larger one of a and b, cell by cell, under NumPy's broadcasting. Of equal numbers each has half of the gradient. */
  maximum(a: Operand, b: Operand, given?: Named): Node {
    return this.#pair("maximum", a, b, given);
  }

  /** e^x. */
  exp(x: Operand, given?: Named): Node {
    return this.#each("exp", x, given);
  }

  /** The natural logarithm. */
  log(x: Operand, given?: Named): Node {
    return this.#each("log", x, given);
  }

  /** The square root. */
  sqrt(x: Operand, given?: Named): Node {
    return this.#each("sqrt", x, given);
  }

  /** log(1 / (1 + e^-x)). */
  logSigmoid(x: Operand, given?: Named): Node {
    return this.#each("logSigmoid", x, given);
  }

  /** The hyperbolic tangent. */
  tanh(x: Operand, given?: Named): Node {
    return this.#each("tanh", x, given);
  }

  /** max(x, 0). */
  relu(x: Operand, given?: Named): Node {
    return this.#each("relu", x, given);
  }

  /** x Phi(x), where Phi is the cumulative distribution function of the standard normal distribution. */
  gelu(x: Operand, given?: Options.GeluOptions & Named): Node {
    const { approximate = "none" } = this.settings("gelu", given, ["approximate"]);
    if (approximate !== "none" && approximate !== "tanh")
      return refuse("gelu", "approximate", '"none" or "tanh"', approximate);
    const variant = approximate === "none" ? "erf" : "tanh";
    return this.single("gelu", { x: numbers(x) }, { variant }, given);
  }

  /** The sum along axes, or of all cells. */
  sum(x: Operand, given?: Options.Reduced): Node {
    return this.#reduced("sum", x, given);
  }

  /** The mean along axes, or of all cells. */
  mean(x: Operand, given?: Options.Reduced): Node {
    return this.#reduced("mean", x, given);
  }

  /** The index of the largest number along an axis, or among all cells, as ids; the first of equal ones; NaN is larger than any number. */
  argmax(x: Operand, given?: Options.ArgmaxOptions & Named): Node {
    const { axis, keepdim = false } = this.settings("argmax", given, ["axis", "keepdim"]);
    const attributes = {
      axis: axis === undefined ? undefined : integer("argmax", "axis", axis),
      keepdim: flag("argmax", "keepdim", keepdim),
    };
    return this.single("argmax", { x: numbers(x) }, attributes, given);
  }

  /** (x - mean) / sqrt(variance + eps) weight + bias over the last axis. */
  layerNorm(x: Operand, weight?: Operand, bias?: Operand, given?: Options.LayerNormOptions & Named): Node {
    const { eps = 1e-5, unbiased = false } = this.settings("layerNorm", given, ["eps", "unbiased"]);
    const inputs = { x: numbers(x), weight: optional(weight), bias: optional(bias) };
    const attributes = {
      eps: finiteNumber("layerNorm", "eps", eps),
      unbiased: flag("layerNorm", "unbiased", unbiased),
    };
    return this.single("layerNorm", inputs, attributes, given);
  }

  /** x / (1 - p) where u > p, else 0. With p = 0 and a seed nothing is drawn, and x itself is returned. */
  dropout(x: Operand, given: Options.DropoutOptions<Operand> & Named): Node {
    const { p, u, seed } = this.settings("dropout", given, ["p", "u", "seed"]);
    if ((u === undefined) === (seed === undefined))
      throw new Error(`dropout: expected either u or seed, got ${u === undefined ? "neither" : "both"}`);
    const attributes = {
      p: number("dropout", "p", p),
      seed: seed === undefined ? undefined : integer("dropout", "seed", seed, { min: 0, max: 2 ** 32 - 1 }),
    };
    return this.single("dropout", { x: numbers(x), u: optional(u) }, attributes, given);
  }

  /** (..., numClasses): 1 at the id, 0 elsewhere. */
  oneHot(ids: IdsOperand, given: Options.OneHotOptions & Named): Node {
    const { numClasses } = this.settings("oneHot", given, ["numClasses"]);
    const attributes = { numClasses: integer("oneHot", "numClasses", numClasses, { min: 1 }) };
    return this.single("oneHot", { ids: { operand: ids, allowed: ["int32"] } }, attributes, given);
  }

  /** (H W, h w): what a grid, flattened row by row, is multiplied by to be resized, as torch.nn.functional.interpolate without align_corners. */
  interpolationMatrix(given: Options.InterpolationMatrixOptions & Named): Node {
    const {
      from,
      to,
      mode = "bicubic",
    } = this.settings("interpolationMatrix", given, ["from", "to", "mode"]);
    const attributes = {
      from: integers("interpolationMatrix", "from", from, { min: 1 }),
      to: integers("interpolationMatrix", "to", to, { min: 1 }),
      mode: choice("interpolationMatrix", "mode", mode, ["bilinear", "bicubic"]),
    };
    return this.single("interpolationMatrix", {}, attributes, given);
  }

  /** (B?, C, L) with weight (out, C, k), bias (out) -> (B?, out, (L + 2 padding - k) / stride + 1), as torch.nn.Conv1d. */
  conv1d(x: Operand, weight: Operand, bias?: Operand, given?: Options.Conv1dOptions & Named): Node {
    const { stride = 1, padding = 0 } = this.settings("conv1d", given, ["stride", "padding"]);
    const inputs = { x: numbers(x), weight: numbers(weight), bias: optional(bias) };
    const attributes = {
      stride: integer("conv1d", "stride", stride, { min: 1 }),
      padding: integer("conv1d", "padding", padding, { min: 0 }),
    };
    return this.single("conv1d", inputs, attributes, given);
  }

  /** scores[i, j] = wV . tanh(query_i wQ + key_j wK), then softmax and value. `name` is put before the names of its steps. */
  additiveAttention(
    query: Operand,
    key: Operand,
    value: Operand,
    parameters: Options.AdditiveAttentionParameters<Operand>,
    given?: Options.AdditiveAttentionOptions<MaskOperand> & Named,
  ): AdditiveAttentionNodes {
    const operation = "additiveAttention";
    const { mask, name = "" } = this.settings(operation, given, ["mask"]);
    if (typeof parameters !== "object" || parameters === null)
      return refuse(operation, "parameters", "{ wQ, wK, wV }", parameters);
    const { wQ, wK, wV } = options(operation, parameters, ["wQ", "wK", "wV"]);
    const inputs = {
      query: numbers(query),
      key: numbers(key),
      value: numbers(value),
      wQ: numbers(wQ),
      wK: numbers(wK),
      wV: numbers(wV),
      mask: attentionMask(mask),
    };
    const nodes = this.apply(operation, inputs, {}, text(operation, "name", name));
    return nodes as unknown as AdditiveAttentionNodes;
  }
}
