// Feed-forward networks of two linear layers with an activation between them, and the activations alone.
import { tensor } from "../fixture.mjs";

export const activations = {
  relu: (on, x) => on.relu(x),
  gelu_erf: (on, x) => on.gelu(x),
  gelu_tanh: (on, x) => on.gelu(x, { approximate: "tanh" }),
};

export function run(core, { inputs, params }, precision) {
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, tensor(input, precision)]),
  );
  const activate = activations[params.activation];
  if (params.op === "activation") return { y: activate(core, given.x) };
  const hidden = activate(core, core.linear(given.x, given.w1, given.b1));
  return { hidden, y: core.linear(hidden, given.w2, given.b2) };
}
