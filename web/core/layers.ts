/** The layers of a graph: operations that make several nodes and return them by role. */
import { finiteNumber, flag, integer, integers, options, refuse, text } from "./arguments.js";
import type { MaskOperand, Node, Operand } from "./node.js";
import { FLOATS, numbers, Operations, optional, type Attributes, type Inputs } from "./operations.js";
import type * as Options from "./options.js";

/** An observed attention: every step a node. Unobserved, only `output` is there. */
export interface AttentionNodes {
  keyTransposed?: Node;
  scores?: Node;
  scaled?: Node;
  /** Only with a temperature. */
  tempered?: Node;
  /** Only with a mask. */
  masked?: Node;
  /** The probabilities, before dropout. */
  weights?: Node;
  /** The weights after dropout; only with dropout. */
  dropped?: Node;
  output: Node;
}

/** An observed multi-head attention. Unobserved, the steps of `AttentionNodes` between the heads are not there. */
export interface MultiHeadAttentionNodes extends AttentionNodes {
  query: Node;
  key: Node;
  value: Node;
  queryHeads: Node;
  keyHeads: Node;
  valueHeads: Node;
  heads: Node;
  concat: Node;
}

/** A patch embedding: `output` is the last of its steps. */
export interface PatchEmbeddingNodes extends Options.PatchEmbedding<Node> {
  patches: Node;
  /** Only in row-vector form with a bias. */
  projected?: Node;
  /** Only with both a class token and positions. */
  joined?: Node;
}

/** The layers of `Graph`. `name` is the prefix of the names of the steps. */
export abstract class Layers extends Operations {
  /**
   * A convolution with kernel = stride = patch, weight (D, C, ph, pw); then the class token first and the positions added.
   * `name` is put before the names of the steps; the last of them is called `outputName`, or "output".
   */
  patchEmbedding(
    image: Operand,
    weight: Operand,
    bias: Operand | undefined,
    given?: Options.PatchEmbeddingOptions<Operand> & Options.Named & { outputName?: string },
  ): PatchEmbeddingNodes {
    const operation = "patchEmbedding";
    const known = ["cls", "position", "patch"] as const;
    const {
      cls,
      position,
      patch,
      name = "",
      outputName,
    } = this.settings(operation, given, known, ["name", "outputName"]);
    const inputs = {
      image: numbers(image),
      weight: numbers(weight),
      bias: optional(bias),
      cls: optional(cls),
      position: optional(position),
    };
    const attributes = {
      patch: patch === undefined ? undefined : integers(operation, "patch", patch, { min: 1 }),
      outputName: outputName === undefined ? undefined : text(operation, "outputName", outputName),
    };
    const nodes = this.apply(operation, inputs, attributes, text(operation, "name", name));
    return nodes as unknown as PatchEmbeddingNodes;
  }

  /** ALiBi: bias[h, i, j] = -slope[h] |i + S - L - j|, and with `causal` -Infinity for later keys. */
  alibi(given: Options.AlibiOptions & Options.Named): Options.Alibi<Node> {
    const known = ["numHeads", "queryLength", "keyLength", "causal"] as const;
    const {
      numHeads,
      queryLength,
      keyLength,
      causal = false,
      name = "",
    } = this.settings("alibi", given, known);
    const attributes = {
      numHeads: integer("alibi", "numHeads", numHeads, { min: 1 }),
      queryLength: integer("alibi", "queryLength", queryLength, { min: 1 }),
      keyLength: integer("alibi", "keyLength", keyLength, { min: 1 }),
      causal: flag("alibi", "causal", causal),
    };
    return this.apply("alibi", {}, attributes, text("alibi", "name", name)) as unknown as Options.Alibi<Node>;
  }

  /** softmax(query key^T / sqrt(d_k)) value, with a mask after the scaling. `name` is put before the names of its steps. */
  scaledDotProductAttention(
    query: Operand,
    key: Operand,
    value: Operand,
    given?: Options.AttentionOptions<MaskOperand> & Options.Named,
  ): AttentionNodes {
    const operation = "scaledDotProductAttention";
    const known = ["mask", "isCausal", "scale", "temperature", "dropout"] as const;
    const { mask, isCausal, scale, temperature, dropout, name = "" } = this.settings(operation, given, known);
    const inputs = {
      query: numbers(query),
      key: numbers(key),
      value: numbers(value),
      mask: attentionMask(mask),
    };
    const attributes = {
      ...attentionAttributes(operation, isCausal, scale),
      ...dropoutAttributes(operation, dropout),
      temperature:
        temperature === undefined
          ? undefined
          : finiteNumber(operation, "temperature", temperature, { positive: true }),
    };
    return this.apply(
      operation,
      inputs,
      attributes,
      text(operation, "name", name),
    ) as unknown as AttentionNodes;
  }

  /** concat(head_1 ... head_H) W_O, or without wO the concatenation; head_i = attention of the i-th columns of the projected query, key and value. */
  multiHeadAttention(
    query: Operand,
    key: Operand,
    value: Operand,
    parameters: Options.MultiHeadParameters<Operand>,
    given: Options.MultiHeadAttentionOptions<MaskOperand, MaskOperand> & Options.Named,
  ): MultiHeadAttentionNodes {
    const operation = "multiHeadAttention";
    const known = ["numHeads", "mask", "keyMask", "isCausal", "scale", "dropout"] as const;
    const {
      numHeads,
      mask,
      keyMask,
      isCausal,
      scale,
      dropout,
      name = "",
    } = this.settings(operation, given, known);
    const inputs: Inputs = {
      query: numbers(query),
      key: numbers(key),
      value: numbers(value),
      mask: attentionMask(mask),
    };
    if (keyMask !== undefined) inputs["keyMask"] = { operand: keyMask, allowed: ["bool"] };
    for (const [parameter, operand] of Object.entries(parametersOf(operation, parameters))) {
      inputs[`parameters.${parameter}`] = optional(operand);
    }
    const attributes = {
      ...attentionAttributes(operation, isCausal, scale),
      ...dropoutAttributes(operation, dropout),
      numHeads: integer(operation, "numHeads", numHeads, { min: 1 }),
    };
    return this.apply(
      operation,
      inputs,
      attributes,
      text(operation, "name", name),
    ) as unknown as MultiHeadAttentionNodes;
  }
}

export function attentionMask(mask: unknown): Inputs[string] {
  return mask === undefined ? undefined : { operand: mask, allowed: ["bool", ...FLOATS] };
}

/** A causal rule in the form that the core reads. Throws Error for another word. */
export function causalOf(operation: string, isCausal: unknown): string | undefined {
  if (isCausal === undefined || isCausal === false) return undefined;
  if (isCausal === true) return "top_left";
  if (isCausal === "top_left" || isCausal === "bottom_right") return isCausal;
  return refuse(operation, "isCausal", 'true, false, "top_left" or "bottom_right"', isCausal);
}

function attentionAttributes(operation: string, isCausal: unknown, scale: unknown): Attributes {
  return {
    causal: causalOf(operation, isCausal),
    scale: scale === undefined || scale === "none" ? undefined : finiteNumber(operation, "scale", scale),
    unscaled: scale === "none",
  };
}

/** A dropout { p, seed } as the core reads it. Throws Error. */
export function dropoutAttributes(operation: string, dropout: unknown): Attributes {
  if (dropout === undefined) return {};
  if (typeof dropout !== "object" || dropout === null)
    return refuse(operation, "dropout", "{ p, seed }", dropout);
  const { p, seed } = options(operation, dropout as Options.TrainingDropout, ["p", "seed"]);
  return {
    "dropout.p": finiteNumber(operation, "dropout.p", p),
    "dropout.seed": integer(operation, "dropout.seed", seed, { min: 0, max: 2 ** 32 - 1 }),
  };
}

const PARAMETERS = [
  "wQ", "wK", "wV", "wO", "bQ", "bK", "bV", "bO",
  "inProjWeight", "qProjWeight", "kProjWeight", "vProjWeight", "inProjBias", "outProjWeight", "outProjBias",
] as const; // prettier-ignore

function parametersOf(operation: string, parameters: unknown): Record<string, unknown> {
  if (typeof parameters !== "object" || parameters === null) {
    return refuse(
      operation,
      "parameters",
      "{ wQ, wK, wV, wO } and their biases or those of torch.nn.MultiheadAttention",
      parameters,
    );
  }
  for (const name of Object.keys(parameters)) {
    if (!(PARAMETERS as readonly string[]).includes(name))
      refuse(operation, "parameters", PARAMETERS.join(", "), name);
  }
  return parameters as Record<string, unknown>;
}
