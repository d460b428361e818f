// Bahdanau's additive attention.
import { tensor } from "../fixture.mjs";

export function run(core, { inputs }, precision) {
  const [q, k, v, wQ, wK, wV] = ["q", "k", "v", "w_q", "w_k", "w_v"].map((name) =>
    tensor(inputs[name], precision),
  );
  const graph = core.graph({ precision, observe: true });
  try {
    const { scores, weights, output } = graph.additiveAttention(q, k, v, { wQ, wK, wV });
    return { scores: graph.value(scores), weights: graph.value(weights), output: graph.value(output) };
  } finally {
    graph.delete();
  }
}
