// Multi-head attention whose projections are wider than d_model. Mask: scaled scores + mask * -1e9, 1 = masked.
import { broadcastToHeads, mask, tensor } from "../fixture.mjs";

export function run(core, { inputs, params }, precision) {
  const [x, wQ, wK, wV, wO] = ["x", "w_q", "w_k", "w_v", "w_o"].map((name) =>
    tensor(inputs[name], precision),
  );
  const graph = core.graph({ precision, observe: true });
  try {
    const options = { numHeads: params.heads };
    if (inputs.mask) options.mask = broadcastToHeads(mask(inputs.mask, "additive_times_-1e9", precision));
    const nodes = graph.multiHeadAttention(x, x, x, { wQ, wK, wV, wO }, options);
    return {
      q_heads: graph.value(nodes.queryHeads),
      k_heads: graph.value(nodes.keyHeads),
      v_heads: graph.value(nodes.valueHeads),
      weights: graph.value(nodes.weights),
      concat: graph.value(nodes.concat),
      output: graph.value(nodes.output),
    };
  } finally {
    graph.delete();
  }
}
