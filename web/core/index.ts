/** Attention core: what Transformers compute, with every step open to inspection. See README.md. */
export { load, type Build, type LoadOptions } from "./load.js";
export type { Core } from "./core.js";
export type * from "./description.js";
export type { Graph, GraphOptions } from "./graph.js";
export type { DrawMethod, DrawOptions } from "./leaves.js";
export type { AttentionNodes, MultiHeadAttentionNodes, PatchEmbeddingNodes } from "./layers.js";
export * as masks from "./masks.js";
export type { IdsOperand, MaskOperand, Node, Operand } from "./node.js";
export type * from "./options.js";
export type { Draw, Place, RandomOptions, RandomState } from "./random.js";
export type {
  AttentionMask,
  BooleanMask,
  DataType,
  FloatData,
  Ids,
  Precision,
  Tensor,
  TensorData,
} from "./tensor.js";
