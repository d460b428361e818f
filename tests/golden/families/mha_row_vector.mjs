// Row-vector multi-head attention with optional biases, an optional W_O, dropout of the weights and a mask per sample.
import { flags, tensor } from "../fixture.mjs";

const parameterNames = {
  w_q: "wQ",
  w_k: "wK",
  w_v: "wV",
  w_o: "wO",
  b_q: "bQ",
  b_k: "bK",
  b_v: "bV",
  b_o: "bO",
};

export function run(core, { inputs, params }, precision) {
  const graph = core.graph({ precision, observe: true });
  try {
    const given = Object.keys(inputs).filter((name) => name !== "g_out" && name !== "mask");
    const leaves = Object.fromEntries(
      given.map((name) => [name, graph.leaf(name, tensor(inputs[name], precision))]),
    );
    const parameters = Object.fromEntries(
      given.filter((name) => parameterNames[name]).map((name) => [parameterNames[name], leaves[name]]),
    );
    const options = { numHeads: params.heads };
    if (inputs.mask) options.mask = flags(inputs.mask);
    if (params.dropout) options.dropout = params.dropout;
    const { query, memory } = leaves;
    const nodes = graph.multiHeadAttention(query, memory, memory, parameters, options);
    graph.backward(nodes.output, tensor(inputs.g_out, precision));
    const gradients = given.map((name) => [`grad_${name}`, graph.gradient(leaves[name])]);

    // The function gives the same output and weights: in steps, and without the weights (fused where nothing is dropped).
    const tensors = Object.fromEntries(
      Object.entries(parameters).map(([name, leaf]) => [name, graph.value(leaf)]),
    );
    const [q, m] = [graph.value(query), graph.value(memory)];
    const asFunction = core.multiHeadAttention(q, m, m, tensors, options);
    const withoutWeights = core.multiHeadAttention(q, m, m, tensors, { ...options, needWeights: false });
    if (Object.keys(withoutWeights).join() !== "output")
      throw new TypeError("needWeights: false gave more than the output");
    return {
      output: [graph.value(nodes.output), asFunction.output, withoutWeights.output],
      weights: [graph.value(nodes.weights), asFunction.weights],
      concat: graph.value(nodes.concat),
      ...(nodes.dropped ? { dropped: graph.value(nodes.dropped) } : {}),
      ...Object.fromEntries(gradients),
    };
  } finally {
    graph.delete();
  }
}
