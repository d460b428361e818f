/** Attention as named steps of a graph, for one head or many: Q K^T, scaled, masked, softmax, times V (section 3.2.1). */
import type { Graph, Node, Tensor } from "../core/index.js";

export interface AttendOptions {
  /** Divide the scores by the square root of this; null: weights come from the scores as they are. */
  scaleBy: number | null;
  /** 1 = may be attended; null: no mask. */
  mask: Tensor<Uint8Array> | null;
  /** The last node: "output", or "heads" where heads are still to be joined. */
  result: string;
}

/** Makes K_T, scores, scaled?, mask?, masked?, weights and the result. Q (…, L, d_k), K (…, S, d_k), V (…, S, d_v). */
export function attend(graph: Graph, query: Node, key: Node, value: Node, options: AttendOptions): Node {
  const keyTransposed = graph.transpose(key, { name: "K_T" });
  let logits = graph.matmul(query, keyTransposed, { name: "scores" });
  if (options.scaleBy !== null)
    logits = graph.scale(logits, { divisor: Math.sqrt(options.scaleBy), name: "scaled" });
  if (options.mask) logits = graph.mask(logits, graph.leaf("mask", options.mask), { name: "masked" });
  const weights = graph.softmax(logits, { emptyIsZero: true, name: "weights" });
  return graph.matmul(weights, value, { name: options.result });
}
