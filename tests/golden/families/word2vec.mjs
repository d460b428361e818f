// CBOW, skip-gram and skip-gram with negative sampling: the loss and its gradients with respect to both tables.
import { ids, tensor } from "../fixture.mjs";

/** The first context word is the positive, the others are the negatives. */
function sampled(graph, word, { shape: [count], data }, tables) {
  const positive = { shape: [], data: data.slice(0, 1) };
  const negatives = { shape: [count - 1], data: data.slice(1) };
  return graph.skipGramNegativeSampling(word, positive, negatives, tables);
}

export function run(core, { inputs, params }, precision) {
  const graph = core.graph({ precision });
  try {
    const w_in = graph.leaf("w_in", tensor(inputs.w_in, precision));
    const w_out = graph.leaf("w_out", tensor(inputs.w_out, precision));
    const [word, context, tables] = [ids(inputs.word), ids(inputs.context), { w_in, w_out }];
    const models = {
      cbow: () => graph.cbow(word, context, tables),
      skipgram: () => graph.skipGram(word, context, tables),
      sgns: () => (params.positive_is_first_context_word ? sampled(graph, word, context, tables) : undefined),
    };
    const model = models[params.mode]?.();
    if (model === undefined) return undefined;
    graph.backward(model.loss);
    return {
      probs: model.probs && graph.value(model.probs),
      loss: graph.value(model.loss),
      grad_w_in: graph.gradient(w_in),
      grad_w_out: graph.gradient(w_out),
    };
  } finally {
    graph.delete();
  }
}
