/** The exports of both parts of the library, besides load(). */
export type { Build, LoadOptions } from "./load.js";
export type * from "./description.js";
export type { BackwardOptions, GraphOptions } from "./graph.js";
export type { DrawMethod, DrawOptions } from "./leaves.js";
export type { AttentionNodes, MultiHeadAttentionNodes, PatchEmbeddingNodes } from "./layers.js";
export { masks } from "./masks.js";
export type { Nested } from "./nested.js";
export type { IdsOperand, MaskOperand, Node, Operand } from "./node.js";
export type * from "./options.js";
export type { Draw, Place, RandomOptions, RandomState } from "./random.js";
export type { ReplayInputs, ReplayOptions, View } from "./replay.js";
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
