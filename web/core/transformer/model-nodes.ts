/** The nodes that models return, by role. */
import type { MultiHeadAttentionNodes } from "../layers.js";
import type { Node } from "../node.js";
import type { Tensor } from "../tensor.js";

export interface FeedForwardNodes {
  linear1: Node;
  /** After the activation. */
  hidden: Node;
  output: Node;
}

export interface EncoderLayerNodes {
  norm1?: Node;
  selfAttention: MultiHeadAttentionNodes;
  /** The sum after attention; without residual connections, attention's output. */
  residual1: Node;
  norm2?: Node;
  feedForward: FeedForwardNodes;
  residual2: Node;
  output: Node;
}

export interface DecoderLayerNodes extends EncoderLayerNodes {
  crossAttention: MultiHeadAttentionNodes;
  norm3?: Node;
  residual3: Node;
}

export interface EncoderNodes {
  layers: EncoderLayerNodes[];
  output: Node;
}

export interface DecoderNodes {
  layers: DecoderLayerNodes[];
  output: Node;
}

export interface TransformerNodes {
  encoder: EncoderNodes;
  decoder: DecoderNodes;
  memory: Node;
  output: Node;
}

export interface VisionTransformerNodes {
  patches: Node;
  tokens: Node;
  /** With the class token first and the positions added. */
  embedded: Node;
  encoder: EncoderNodes;
  cls: Node;
  logits: Node;
}

export interface Seq2SeqNodes {
  source: Node;
  target: Node;
  transformer: TransformerNodes;
  logits: Node;
  logProbs: Node;
}

export interface GreedyNodes {
  memory: Node;
  /** The ids of each sample: begin, then the appended ones. */
  ids: Int32Array[];
  /** (B?, V): the logits of the last position, one node per appended token. */
  logits: Node[];
}

export interface BertNodes {
  tokens: Node;
  positions: Node;
  segments: Node;
  embedded: Node;
  encoder: EncoderNodes;
  transformed: Node;
  logits: Node;
}

export interface Gpt2Nodes {
  tokens: Node;
  positions: Node;
  embedded: Node;
  /** The blocks, with the roles of encoder layers; their output is ln_f's. */
  blocks: EncoderNodes;
  /** (B?, L, V) */
  logits: Node;
}

/** Texts that were continued. */
export interface Continuation {
  /** The ids of each sample: the prompt, then the appended ones. */
  ids: Int32Array[];
  /** (B?, V), one per appended token: what it was drawn by, after temperature, top-k and top-p. */
  probabilities: Tensor<Float64Array>[];
}

export interface Gpt2ContinuationNodes extends Continuation {
  /** (B?, V): the logits of the last position, one node per appended token. */
  logits: Node[];
}

export interface RecurrentNodes {
  /** (B?, 1, h) of each position. */
  hidden: Node[];
  output: Node;
}
