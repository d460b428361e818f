/** The graph of the attention lab with either score. Additive: "Neural Machine Translation by Jointly Learning to Align and Translate", section 3.1. */
import type { AttentionNumbers } from "../../config/config.js";
import { keyCount } from "../../config/labs/attention.js";
import type { Graph } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { attentionOptions } from "./attend.js";
import { build as dotProduct, leaves } from "./build.js";

/** scores[i, j] = v · tanh(x_i W_Q + m_j W_K): the words' own rows are what the network compares. */
export function build(core: Core, graph: Graph, numbers: AttentionNumbers): void {
  if (numbers.score !== "additive") return dotProduct(core, graph, numbers);
  // v, as long as a key: drawn after W_Q, W_K and W_V, so that they are those of the dot product.
  const { words, source, wq, wk, wv, more } = leaves(core, graph, numbers, (draw) =>
    draw("v", [numbers.keyDim]),
  );
  const value = graph.matmul(source, wv, { name: "V" });
  const { mask } = attentionOptions(graph, numbers, numbers.tokens.length, keyCount(numbers));
  graph.additiveAttention(words, source, value, { wQ: wq, wK: wk, wV: more }, mask ? { mask } : {});
}
