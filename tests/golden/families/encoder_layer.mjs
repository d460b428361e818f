// torch.nn.TransformerEncoderLayer, batch first, and stacks of it. Boolean masks: True = masked.
import { tensor } from "../fixture.mjs";
import { attnMask, keyMaskOf } from "./mha_torch.mjs";

const activations = { relu: "relu", gelu: "gelu", gelu_erf: "gelu", gelu_tanh: "gelu_tanh" };

/** A layer's settings. */
export const optionsOf = (params) => {
  const { heads, activation = "relu", norm_first: normFirst = false, eps = 1e-5 } = params;
  const { residual = true, norm = true } = params;
  return { numHeads: heads, activation: activations[activation], normFirst, residual, norm, eps };
};

/** The masks of one attention. */
export function masksOf(mask, keyPadding, precision) {
  const options = {};
  if (mask) options.mask = attnMask(mask, precision);
  if (keyPadding) options.keyMask = keyMaskOf(keyPadding);
  return options;
}

/** The parameters of a state_dict: all inputs except sequences and masks. */
export const stateDictOf = (inputs, others, precision) =>
  Object.fromEntries(
    Object.entries(inputs)
      .filter(([name]) => !others.includes(name) && !/_mask$/.test(name))
      .map(([name, input]) => [name, tensor(input, precision)]),
  );

/** The outputs of a call of the graph, in separate steps and fused. */
export function bothWays(core, precision, outputOf) {
  return [true, false].map((observe) => {
    const graph = core.graph({ precision, observe });
    try {
      return graph.value(outputOf(graph));
    } finally {
      graph.delete();
    }
  });
}

export function run(core, { inputs, params }, precision) {
  const parameters = stateDictOf(inputs, ["src"], precision);
  const options = {
    ...optionsOf(params),
    ...masksOf(inputs.src_mask, inputs.src_key_padding_mask, precision),
  };
  const src = tensor(inputs.src, precision);
  const stack = { ...options, numLayers: params.layers, finalNorm: params.final_norm };
  return {
    output: bothWays(core, precision, (graph) =>
      params.op === "stack"
        ? graph.encoder(src, parameters, stack).output
        : graph.encoderLayer(src, parameters, options).output,
    ),
  };
}
