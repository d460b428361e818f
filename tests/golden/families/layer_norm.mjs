// Layer norm over the last axis; mean and variance are taken from the explanation of a cell of the row.
import { floatArrays, tensor } from "../fixture.mjs";

/** All indices of the axes before the last. */
function* rows(shape) {
  const count = shape.slice(0, -1).reduce((product, size) => product * size, 1);
  for (let row = 0; row < count; ++row) {
    const index = [];
    let rest = row;
    for (const size of shape.slice(0, -1).reverse()) {
      index.unshift(rest % size);
      rest = Math.floor(rest / size);
    }
    yield index;
  }
}

export function run(core, { inputs, params, expected }, precision) {
  const [x, gamma, beta] = ["x", "gamma", "beta"].map(
    (name) => inputs[name] && tensor(inputs[name], precision),
  );
  const options = { eps: params.eps, unbiased: params.variance === "unbiased" };
  const graph = core.graph({ precision });
  try {
    const y = graph.layerNorm(x, gamma, beta, options);
    const explained = [...rows(x.shape)].map((index) => graph.explain(y, [...index, 0]).rows);
    const explainedValues = (role) => ({
      shape: expected[role === "mean" ? "mean" : "var"]?.shape ?? x.shape.slice(0, -1),
      data: floatArrays[precision].from(explained, (steps) => steps.find((step) => step.role === role).value),
    });
    return { y: graph.value(y), mean: explainedValues("mean"), var: explainedValues("variance") };
  } finally {
    graph.delete();
  }
}
