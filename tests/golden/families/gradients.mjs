// Reverse-mode gradients of L = sum(g_out * output), or of the loss itself.
import { floatArrays, ids, mask, tensor } from "../fixture.mjs";
import { activations } from "./ffn.mjs";
import { optionsOf, masksOf } from "./encoder_layer.mjs";
import { attentionParameters, attnMask } from "./mha_torch.mjs";

/** Label smoothing of document 004 as a node: the target gets 1 - eps, every other class eps / (K - 1). */
function smoothedLoss(graph, logits, targets, { mode, epsilon, reduction }) {
  const spread = mode === "torch" ? "all" : "others";
  if (reduction !== "batchmean")
    return graph.crossEntropy(logits, targets, { labelSmoothing: epsilon, spread, reduction });
  const classes = logits.shape.at(-1);
  const other = epsilon / (mode === "torch" ? classes : classes - 1);
  const places = graph.scale(graph.oneHot(targets, { numClasses: classes }), {
    factor: 1 - epsilon - (mode === "torch" ? 0 : other),
  });
  const target = graph.add(places, { shape: [1], data: floatArrays[graph.precision].of(other) });
  return graph.klDivergence(graph.logSoftmax(logits), target, { reduction });
}

/** Builds the output of each op from leaves with the fixture's names. */
const forward = {
  softmax: (graph, { x }, { params }) => graph.softmax(x, { axis: params.axis }),
  sdpa: (graph, { q, k, v }, { inputs, params }) => {
    const options = {};
    if (params.scale !== undefined) options.scale = params.scale;
    const causal = /^causal_(.*)$/.exec(params.mask)?.[1];
    if (causal) options.isCausal = causal;
    else if (inputs.mask) options.mask = mask(inputs.mask, params.mask, graph.precision);
    return graph.scaledDotProductAttention(q, k, v, options).output;
  },
  mha_torch: (graph, leaves, { inputs, params }) => {
    const { query, key = query, value = key } = leaves;
    const options = { numHeads: params.heads };
    if (inputs.attn_mask) options.mask = attnMask(inputs.attn_mask, graph.precision);
    return graph.multiHeadAttention(query, key, value, attentionParameters(leaves), options).output;
  },
  blog_mha: (graph, { x, w_q, w_k, w_v, w_o }, { params }) =>
    graph.multiHeadAttention(x, x, x, { wQ: w_q, wK: w_k, wV: w_v, wO: w_o }, { numHeads: params.heads })
      .output,
  layer_norm: (graph, { x, gamma, beta }, { params }) =>
    graph.layerNorm(x, gamma, beta, { eps: params.eps, unbiased: params.variance === "unbiased" }),
  ffn: (graph, { x, w1, b1, w2, b2 }, { params }) =>
    graph.linear(activations[params.activation](graph, graph.linear(x, w1, b1)), w2, b2),
  linear: (graph, { x, weight, bias }) => graph.linear(x, weight, bias),
  embedding: (graph, { table }, { inputs, params }) =>
    graph.embedding(ids(inputs.ids), table, { scaleBySqrtDim: params.scaled }),
  cross_entropy: (graph, { logits }, { inputs, params }) =>
    graph.crossEntropy(logits, ids(inputs.targets), { reduction: params.reduction }),
  label_smoothing: (graph, { logits }, { inputs, params }) =>
    smoothedLoss(graph, logits, ids(inputs.targets), params),
  encoder_layer: (graph, { src, ...parameters }, { inputs, params }) =>
    graph.encoderLayer(src, parameters, {
      ...optionsOf(params),
      ...masksOf(inputs.src_mask, inputs.src_key_padding_mask, graph.precision),
    }).output,
  decoder_layer: (graph, { tgt, memory, ...parameters }, { inputs, params }) =>
    graph.decoderLayer(tgt, memory, parameters, {
      ...optionsOf(params),
      target: masksOf(inputs.tgt_mask, inputs.tgt_key_padding_mask, graph.precision),
      memory: masksOf(inputs.memory_mask, inputs.memory_key_padding_mask, graph.precision),
    }).output,
  vit_patch: (graph, { image, weight, bias, cls, pos }) =>
    graph.patchEmbedding(image, weight, bias, { cls, position: pos }).output,
  tied_embedding_softmax: (graph, { table }, { inputs }) => {
    const hidden = graph.embedding(ids(inputs.ids), table, { scaleBySqrtDim: true });
    return graph.crossEntropy(graph.tiedLogits(hidden, table), ids(inputs.targets));
  },
  additive_attention: (graph, { q, k, v, w_q, w_k, w_v }) =>
    graph.additiveAttention(q, k, v, { wQ: w_q, wK: w_k, wV: w_v }).output,
};

/** Leaves for the inputs whose gradient is expected. */
function gradients(core, fixture, precision, observe) {
  const { inputs, params, expected } = fixture;
  const graph = core.graph({ precision, observe });
  try {
    const leaves = {};
    for (const [name, input] of Object.entries(inputs)) {
      if (`grad_${name}` in expected) leaves[name] = graph.leaf(name, tensor(input, precision));
    }
    const output = forward[params.op](graph, leaves, fixture);
    if (inputs.g_out) graph.backward(output, tensor(inputs.g_out, precision));
    else graph.backward(output);
    const results = { output: graph.value(output) };
    for (const [name, leaf] of Object.entries(leaves)) results[`grad_${name}`] = graph.gradient(leaf);
    return results;
  } finally {
    graph.delete();
  }
}

export function run(core, fixture, precision) {
  if (!(fixture.params.op in forward)) return undefined;
  const [observed, fused] = [true, false].map((observe) => gradients(core, fixture, precision, observe));
  return Object.fromEntries(Object.keys(observed).map((key) => [key, [observed[key], fused[key]]]));
}
