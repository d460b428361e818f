/** The sizes that decide which parameters a layer or model has. */
import { flag, integer, integers, options, refuse } from "../arguments.js";

/** The widths of an encoder or decoder layer. */
export interface Widths {
  dModel: number;
  dFf: number;
}

export interface StackSizes extends Widths {
  numLayers: number;
  /** Whether there is a LayerNorm after the last layer; absent: true. */
  finalNorm?: boolean;
}

export interface TransformerSizes extends Widths {
  /** Absent: 6. */
  numEncoderLayers?: number;
  /** Absent: 6. */
  numDecoderLayers?: number;
}

/** The sizes that `parameters.draw` takes, by layer. */
export interface LayerSizes {
  linear: { inFeatures: number; outFeatures: number; bias?: boolean };
  embedding: { numEmbeddings: number; embeddingDim: number };
  layerNorm: { dim: number };
  multiHeadAttention: { embedDim: number };
  additiveAttention: { queryDim: number; keyDim: number; hiddenDim: number };
  feedForward: Widths;
  encoderLayer: Widths;
  decoderLayer: Widths;
  encoder: StackSizes;
  decoder: StackSizes;
  transformer: TransformerSizes;
  seq2seq: TransformerSizes & { vocabulary: number };
  visionTransformer: StackSizes & {
    /** Height and width. */
    imageSize: readonly [number, number];
    patchSize: number;
    numClasses: number;
    /** Absent: 3. */
    channels?: number;
  };
  bert: Omit<StackSizes, "finalNorm"> & {
    vocabulary: number;
    /** The longest sequence; absent: 512. */
    positions?: number;
    /** Absent: 2. */
    segments?: number;
  };
  gpt2: StackSizes & {
    vocabulary: number;
    /** The longest sequence; absent: 1024. */
    positions?: number;
  };
  word2vec: { vocabulary: number; dim: number };
  recurrent: { inputSize: number; hiddenSize: number };
  convolution: { inChannels: number; outChannels: number; kernelSize: number };
}

export type LayerName = keyof LayerSizes;

type Default = number | boolean | undefined;

/** Every size of every layer, with its default; undefined where it is required. */
const SIZES: Record<LayerName, Record<string, Default>> = {
  linear: { inFeatures: undefined, outFeatures: undefined, bias: true },
  embedding: { numEmbeddings: undefined, embeddingDim: undefined },
  layerNorm: { dim: undefined },
  multiHeadAttention: { embedDim: undefined },
  additiveAttention: { queryDim: undefined, keyDim: undefined, hiddenDim: undefined },
  feedForward: { dModel: undefined, dFf: undefined },
  encoderLayer: { dModel: undefined, dFf: undefined },
  decoderLayer: { dModel: undefined, dFf: undefined },
  encoder: { dModel: undefined, dFf: undefined, numLayers: undefined, finalNorm: true },
  decoder: { dModel: undefined, dFf: undefined, numLayers: undefined, finalNorm: true },
  transformer: { dModel: undefined, dFf: undefined, numEncoderLayers: 6, numDecoderLayers: 6 },
  seq2seq: {
    dModel: undefined,
    dFf: undefined,
    numEncoderLayers: 6,
    numDecoderLayers: 6,
    vocabulary: undefined,
  },
  visionTransformer: {
    dModel: undefined,
    dFf: undefined,
    numLayers: undefined,
    finalNorm: true,
    imageSize: undefined,
    patchSize: undefined,
    numClasses: undefined,
    channels: 3,
  },
  bert: {
    dModel: undefined,
    dFf: undefined,
    numLayers: undefined,
    vocabulary: undefined,
    positions: 512,
    segments: 2,
  },
  gpt2: {
    dModel: undefined,
    dFf: undefined,
    numLayers: undefined,
    finalNorm: true,
    vocabulary: undefined,
    positions: 1024,
  },
  word2vec: { vocabulary: undefined, dim: undefined },
  recurrent: { inputSize: undefined, hiddenSize: undefined },
  convolution: { inChannels: undefined, outChannels: undefined, kernelSize: undefined },
};

/** The sizes in the form that the core reads. Throws Error for an unknown layer, and for a size that is missing, unknown or below 1. */
export function layerSizes(layer: string, given: object): Record<string, number | boolean | number[]> {
  if (!Object.hasOwn(SIZES, layer)) refuse("draw", "layer", Object.keys(SIZES).join(" or "), layer);
  const defaults = SIZES[layer as LayerName];
  const sizes = options("draw", given, Object.keys(defaults) as never[]) as Record<string, unknown>;
  const read: Record<string, number | boolean | number[]> = layer === "bert" ? { finalNorm: false } : {};
  for (const [name, absent] of Object.entries(defaults)) {
    const size = sizes[name] ?? absent;
    if (typeof absent === "boolean") read[name] = flag("draw", name, size);
    else if (name === "imageSize") read[name] = integers("draw", name, size, { min: 1 });
    else read[name] = integer("draw", name, size, { min: 1 });
  }
  return read;
}
