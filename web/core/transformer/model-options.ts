/** The settings of encoder, decoder and models, and their defaults. */
import { choice, finiteNumber, flag, integer, options, refuse } from "../arguments.js";
import { attentionMask, causalOf, dropoutAttributes } from "../layers.js";
import type { MaskOperand } from "../node.js";
import type { Attributes, Inputs } from "../operations.js";
import type { Causal, Named, TrainingDropout } from "../options.js";

export interface LayerOptions {
  numHeads: number;
  /** "gelu" is by erf. Absent: "relu"; "gelu" in BERT and ViT, "gelu_tanh" in GPT-2. */
  activation?: "relu" | "gelu" | "gelu_tanh";
  /** Pre-norm: x + f(LN(x)). Absent: false, post-norm: LN(x + f(x)); true in ViT and GPT-2. */
  normFirst?: boolean;
  /** A sub-layer's output is added to its input. false: it replaces it, f(LN(x)) or LN(f(x)). Absent: true. */
  residual?: boolean;
  /** The LayerNorms of the layer. false: none, x + f(x). Absent: true. */
  norm?: boolean;
  /** Of every LayerNorm. Absent: 1e-5; 1e-12 in BERT, 1e-6 in ViT. */
  eps?: number;
  /** LayerNorm divides its squared deviations by n - 1 instead of n, as torch.nn.LayerNorm never does. Absent: false. */
  unbiased?: boolean;
  /**
   * Dropout of attention weights, sub-layers and the feed-forward network; each place draws other numbers from the seed. Absent: none,
   * as in evaluation.
   */
  dropout?: TrainingDropout;
}

export interface StackOptions extends LayerOptions {
  numLayers: number;
  /** A LayerNorm after the last layer. Absent: true; false in BERT. */
  finalNorm?: boolean;
}

export interface TransformerOptions extends LayerOptions {
  /** Absent: 6. */
  numEncoderLayers?: number;
  /** Absent: 6. */
  numDecoderLayers?: number;
}

/** The masks of one attention. */
export interface Masking {
  /** (L, S), (B H, L, S) or of 4 axes: 1 where a key may be attended, or numbers that are added. */
  mask?: MaskOperand;
  /** (B, S), 1 = may be attended. */
  keyMask?: MaskOperand;
  isCausal?: Causal;
}

/** Masks of the target's self-attention and of the attention to the memory. */
export interface DecoderMasks {
  target?: Masking;
  memory?: Masking;
}

export interface TransformerMasks extends DecoderMasks {
  source?: Masking;
}

export type EncoderLayerOptions = LayerOptions & Masking & Named;
export type EncoderOptions = StackOptions & Masking & Named;
export type DecoderLayerOptions = LayerOptions & DecoderMasks & Named;
export type DecoderOptions = StackOptions & DecoderMasks & Named;

/** How ids become the rows of a sequence. */
export interface EmbeddingOptions {
  /** Of the positional encoding; absent: 10000. */
  base?: number;
  /** A positional encoding is added. Absent: true. */
  positions?: boolean;
  /** Embeddings are multiplied by sqrt(D). Absent: true. */
  scaleEmbedding?: boolean;
}

export type Seq2SeqOptions = TransformerOptions & EmbeddingOptions;

export type GreedyOptions = Seq2SeqOptions & {
  /** The id every target begins with. */
  begin: number;
  /** Tokens to append, at most. */
  steps: number;
  /** The id that ends a target. */
  end?: number;
  /** Keep keys and values, and compute new tokens alone; the numbers are the same. Absent: true. */
  cache?: boolean;
  /** (B, S) of the source, 1 = may be attended. */
  keyMask?: MaskOperand;
};

/** How the next token is chosen from its logits. */
export interface SamplingOptions {
  /** Divides the logits; 0: the most likely id, greedy. Absent: 1. */
  temperature?: number;
  /** Only the k most likely ids. Absent: all. */
  topK?: number;
  /** Of these only the most likely, until their probabilities sum to p. Absent: 1, all. */
  topP?: number;
}

export interface ContinuationOptions extends SamplingOptions {
  /** Tokens to append, at most. */
  steps: number;
  /** The id that ends a text. */
  end?: number;
  /** Of the draws, as of NumPy's RandomState(seed); absent: 0. */
  seed?: number;
}

export const LAYER = [
  "numHeads",
  "activation",
  "normFirst",
  "residual",
  "norm",
  "eps",
  "unbiased",
  "dropout",
] as const;
export const STACK = [...LAYER, "numLayers", "finalNorm"] as const;
export const STACKS = [...LAYER, "numEncoderLayers", "numDecoderLayers"] as const;
export const MASKING = ["mask", "keyMask", "isCausal"] as const;
export const EMBEDDING = ["base", "positions", "scaleEmbedding"] as const;
export const GREEDY = [...STACKS, ...EMBEDDING, "begin", "steps", "end"] as const;
export const SAMPLING = ["temperature", "topK", "topP"] as const;
export const CONTINUATION = [...SAMPLING, "steps", "end", "seed"] as const;

/** Absent settings get the values of the model's paper. */
type Defaults = Required<Pick<LayerOptions, "activation" | "normFirst" | "eps">> & { finalNorm: boolean };
export const PAPER: Defaults = { activation: "relu", normFirst: false, eps: 1e-5, finalNorm: true };
export const BERT: Defaults = { activation: "gelu", normFirst: false, eps: 1e-12, finalNorm: false };
export const GPT2: Defaults = { activation: "gelu_tanh", normFirst: true, eps: 1e-5, finalNorm: true };
export const VIT: Defaults = { activation: "gelu", normFirst: true, eps: 1e-6, finalNorm: true };

/** The settings of a layer as the core reads them. Throws Error naming the first that does not fit. */
export function layerAttributes(operation: string, given = {} as LayerOptions, defaults = PAPER): Attributes {
  const { numHeads, dropout } = given;
  const {
    activation = defaults.activation,
    normFirst = defaults.normFirst,
    residual = true,
    norm = true,
    eps = defaults.eps,
    unbiased = false,
  } = given;
  return {
    numHeads: integer(operation, "numHeads", numHeads, { min: 1 }),
    activation: choice(operation, "activation", activation, ["relu", "gelu", "gelu_tanh"]),
    normFirst: flag(operation, "normFirst", normFirst),
    residual: flag(operation, "residual", residual),
    norm: flag(operation, "norm", norm),
    eps: finiteNumber(operation, "eps", eps),
    unbiased: flag(operation, "unbiased", unbiased),
    ...dropoutAttributes(operation, dropout),
  };
}

export function stackAttributes(operation: string, given = {} as StackOptions, defaults = PAPER): Attributes {
  const { numLayers, finalNorm = defaults.finalNorm } = given;
  return {
    ...layerAttributes(operation, given, defaults),
    numLayers: integer(operation, "numLayers", numLayers, { min: 1 }),
    finalNorm: flag(operation, "finalNorm", finalNorm),
  };
}

export function stacksAttributes(operation: string, given = {} as TransformerOptions): Attributes {
  const { numEncoderLayers = 6, numDecoderLayers = 6 } = given;
  return {
    ...layerAttributes(operation, given),
    numEncoderLayers: integer(operation, "numEncoderLayers", numEncoderLayers, { min: 1 }),
    numDecoderLayers: integer(operation, "numDecoderLayers", numDecoderLayers, { min: 1 }),
  };
}

export function embeddingAttributes(operation: string, given = {} as EmbeddingOptions): Attributes {
  const { base = 10000, positions = true, scaleEmbedding = true } = given;
  return {
    base: finiteNumber(operation, "base", base, { positive: true }),
    positions: flag(operation, "positions", positions),
    scaleEmbedding: flag(operation, "scaleEmbedding", scaleEmbedding),
  };
}

/** The nodes and settings of one attention's masks, under names that begin with `of`. */
export function masking(
  operation: string,
  given: Masking | undefined,
  of: string,
): { inputs: Inputs; attributes: Attributes } {
  if (given === undefined) return { inputs: {}, attributes: {} };
  if (typeof given !== "object" || given === null)
    return refuse(operation, of.replace(".", ""), "{ mask, keyMask, isCausal }", given);
  const { mask, keyMask, isCausal } = given;
  if (of) options(operation, given, MASKING);
  const inputs: Inputs = { [`${of}mask`]: attentionMask(mask) };
  if (keyMask !== undefined) inputs[`${of}keyMask`] = { operand: keyMask, allowed: ["bool"] };
  return { inputs, attributes: { [`${of}causal`]: causalOf(operation, isCausal) } };
}

/** The nodes and settings of the masks of several attentions. */
export function maskings(
  operation: string,
  given: Record<string, Masking | undefined>,
): { inputs: Inputs; attributes: Attributes } {
  const parts = Object.entries(given).map(([name, part]) => masking(operation, part, `${name}.`));
  return {
    inputs: Object.assign({}, ...parts.map(({ inputs }) => inputs)) as Inputs,
    attributes: Object.assign({}, ...parts.map(({ attributes }) => attributes)) as Attributes,
  };
}

/** The checked settings of greedy decoding. */
export function greedyAttributes(operation: string, given: Omit<GreedyOptions, "keyMask">) {
  const { begin, steps, end, cache = true } = given;
  return {
    ...stacksAttributes(operation, given),
    ...embeddingAttributes(operation, given),
    begin: integer(operation, "begin", begin, { min: 0 }),
    steps: integer(operation, "steps", steps, { min: 1 }),
    end: end === undefined ? undefined : integer(operation, "end", end, { min: 0 }),
    cache: flag(operation, "cache", cache),
  };
}

/** The settings of the choice as the core reads them. Throws Error naming the first that does not fit. */
export function samplingAttributes(operation: string, given: SamplingOptions) {
  const { temperature = 1, topK, topP = 1 } = given;
  if (finiteNumber(operation, "temperature", temperature) < 0)
    refuse(operation, "temperature", "a number from 0 up", temperature);
  if (finiteNumber(operation, "topP", topP, { positive: true }) > 1)
    refuse(operation, "topP", "a number above 0, at most 1", topP);
  return {
    temperature,
    topK: topK === undefined ? undefined : integer(operation, "topK", topK, { min: 1 }),
    topP,
  };
}

/** The checked settings of continuing a text. */
export function continuationAttributes(operation: string, given: ContinuationOptions) {
  const { steps, end, seed = 0 } = given;
  return {
    ...samplingAttributes(operation, given),
    steps: integer(operation, "steps", steps, { min: 1 }),
    end: end === undefined ? undefined : integer(operation, "end", end, { min: 0 }),
    seed: integer(operation, "seed", seed, { min: 0, max: 2 ** 32 - 1 }),
  };
}
