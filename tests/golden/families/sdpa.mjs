// Scaled dot-product attention, in separate steps and fused.
import { mask, tensor } from "../fixture.mjs";

const causal = { causal_top_left: "top_left", causal_bottom_right: "bottom_right" };

export function run(core, { inputs, params }, precision) {
  const [query, key, value] = [inputs.q, inputs.k, inputs.v].map((input) => tensor(input, precision));
  const options = {};
  if (params.scale !== undefined) options.scale = params.scale;
  if (params.temperature !== undefined) options.temperature = params.temperature;
  if (causal[params.mask]) options.isCausal = causal[params.mask];
  else if (inputs.mask) options.mask = mask(inputs.mask, params.mask, precision);
  const { output, weights } = core.scaledDotProductAttention(query, key, value, options);
  const graph = core.graph({ precision });
  try {
    const fused = graph.value(graph.scaledDotProductAttention(query, key, value, options).output);
    return { output: [output, fused], weights };
  } finally {
    graph.delete();
  }
}
