// The smaller and the larger of two tensors, and their gradients.
import { tensor } from "../fixture.mjs";

export function run(core, { inputs, params }, precision) {
  const graph = core.graph({ precision });
  try {
    const a = graph.leaf("a", tensor(inputs.a, precision));
    const b = graph.leaf("b", tensor(inputs.b, precision));
    const output = params.op === "minimum" ? graph.minimum(a, b) : graph.maximum(a, b);
    graph.backward(output, tensor(inputs.g_out, precision));
    return { output: graph.value(output), grad_a: graph.gradient(a), grad_b: graph.gradient(b) };
  } finally {
    graph.delete();
  }
}
