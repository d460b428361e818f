// One operation of a graph, called by its name with tensors and its options, and the gradients of its inputs where g_out is given.
import { ids, tensor } from "../fixture.mjs";

export function run(core, { inputs, params }, precision) {
  const { g_out: upstream, ...given } = inputs;
  const graph = core.graph({ precision });
  try {
    const operands = Object.entries(given).map(([name, fixture]) =>
      graph.leaf(name, fixture.dtype === "int64" ? ids(fixture) : tensor(fixture, precision)),
    );
    const output = graph[params.op](...operands, params.options);
    const results = { output: graph.value(output) };
    if (upstream === undefined) return results;
    graph.backward(output, tensor(upstream, precision));
    for (const { name } of operands) results[`grad_${name}`] = graph.gradient(name);
    return results;
  } finally {
    graph.delete();
  }
}
