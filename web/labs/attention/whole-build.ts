/**
 * Builds the graph of the attention lab with all its settings, some of which need the whole core. Additive attention is that of "Neural
 * Machine Translation by Jointly Learning to Align and Translate", section 3.1.
 */
import type { AttentionNumbers } from "../../config/config.js";
import {
  hasConversion,
  isAdditive,
  isMasked,
  isSmall,
  isStable,
  keyCount,
  maskingOf,
} from "../../config/labs/attention.js";
import type { Graph, Node } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { attentionOptions } from "./attend.js";
import { build as buildSmall, addLeaves } from "./build.js";
import { maskTensor } from "./mask.js";
import { markedPairs, isInverted } from "./mask-conversion.js";

/** The number that is used for −∞ in a mask of finite numbers. */
const LARGE = -1e9;

const constant = (graph: Graph, name: string, value: number): Node =>
  graph.leaf(name, { shape: [1], data: Float64Array.of(value) });

export function build(core: Core, graph: Graph, numbers: AttentionNumbers): void {
  if (isSmall(numbers)) return buildSmall(core, graph, numbers);
  if (isAdditive(numbers)) return buildAdditive(core, graph, numbers);
  const { words, source, wq, wk, wv } = addLeaves(core, graph, numbers, () => null);
  const query = graph.matmul(words, wq, { name: "Q" });
  const key = graph.matmul(source, wk, { name: "K" });
  const value = graph.matmul(source, wv, { name: "V" });
  let logits = graph.matmul(query, graph.transpose(key, { name: "K_T" }), { name: "scores" });
  if (numbers.scale) {
    const root = graph.sqrt(constant(graph, "key_width", numbers.keyDim), { name: "root" });
    logits = graph.divide(logits, root, { name: "scaled" });
  }
  if (isMasked(numbers)) logits = maskScores(graph, logits, numbers);
  graph.matmul(softmax(graph, logits, numbers), value, { name: "output" });
}

/** Builds additive attention: scores[i, j] = v · tanh(x_i W_Q + m_j W_K), from the rows of the words. */
function buildAdditive(core: Core, graph: Graph, numbers: AttentionNumbers): void {
  // v has the length of a key. It is drawn last, so that W_Q, W_K and W_V are the same as for dot products.
  const { words, source, wq, wk, wv, more } = addLeaves(core, graph, numbers, (draw) =>
    draw("v", [numbers.keyDim]),
  );
  const value = graph.matmul(source, wv, { name: "V" });
  const { mask } = attentionOptions(graph, numbers, numbers.tokens.length, keyCount(numbers));
  graph.additiveAttention(words, source, value, { wQ: wq, wK: wk, wV: more }, mask ? { mask } : {});
}

/** Replaces the scores of the hidden pairs, or adds −1e9 to them. */
function maskScores(graph: Graph, scores: Node, numbers: AttentionNumbers): Node {
  const [queries, keys] = [numbers.tokens.length, keyCount(numbers)];
  if (!hasConversion(numbers))
    return graph.mask(scores, graph.leaf("mask", maskTensor(numbers, queries, keys)), { name: "masked" });
  const { fill } = maskingOf(numbers);
  const mask = convertMask(graph, numbers);
  if (fill !== "added")
    return graph.mask(scores, mask, { name: "masked", ...(fill === "put" && { fill: LARGE }) });
  const term = graph.scale(mask, { factor: LARGE, name: "term" });
  return graph.add(scores, term, { name: "masked" });
}

/** The mask and the padding as one mask of numbers: 1 for the kept pairs, or for the hidden ones. */
function convertMask(graph: Graph, numbers: AttentionNumbers): Node {
  const [queries, keys] = [numbers.tokens.length, keyCount(numbers)];
  const { polarity, padding } = maskingOf(numbers);
  const areKeptMarked = markedPairs(numbers) === "kept";
  let ones: Node | null = null;
  const inverse = (mask: Node, name: string): Node =>
    graph.subtract((ones ??= constant(graph, "one", 1)), mask, { name });
  const pairMask = (): Node => {
    const { shape, data } = maskTensor(numbers, queries, keys);
    const written = Float64Array.from(data, (isAllowed) =>
      polarity === "masked" ? 1 - isAllowed : isAllowed,
    );
    const mask = graph.leaf("mask", { shape, data: written });
    return isInverted(numbers) ? inverse(mask, "inverted") : mask;
  };
  const keyMask = (): Node => {
    const data = Float64Array.from({ length: keys }, (_, key) => Number(key >= keys - padding));
    const mask = graph.leaf("key_padding_mask", { shape: [keys], data });
    return areKeptMarked ? inverse(mask, "real_keys") : mask;
  };
  if (padding === 0) return pairMask();
  if (numbers.mask === "none") return keyMask();
  const name = "combined";
  return areKeptMarked
    ? graph.minimum(pairMask(), keyMask(), { name })
    : graph.maximum(pairMask(), keyMask(), { name });
}

/** Adds the weights: softmax with the maximum subtracted, or exp(s) / sum(exp(s)) step by step. */
function softmax(graph: Graph, logits: Node, numbers: AttentionNumbers): Node {
  if (isStable(numbers)) return graph.softmax(logits, { emptyIsZero: true, name: "weights" });
  const exponentials = graph.exp(logits, { name: "exp" });
  const total = graph.sum(exponentials, { axis: -1, keepdim: true, name: "total" });
  return graph.divide(exponentials, total, { name: "weights" });
}
