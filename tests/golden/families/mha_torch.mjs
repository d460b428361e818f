// torch.nn.MultiheadAttention, batch first. Boolean masks: True = masked.
import { masks } from "../../../dist/core/index.js";
import { flags, floatArrays, numbersOf, tensor } from "../fixture.mjs";

const parameterNames = {
  inProjWeight: "in_proj_weight",
  qProjWeight: "q_proj_weight",
  kProjWeight: "k_proj_weight",
  vProjWeight: "v_proj_weight",
  inProjBias: "in_proj_bias",
  outProjWeight: "out_proj.weight",
  outProjBias: "out_proj.bias",
};

/** Parameters by the library's names, from those under torch's names. */
export const attentionParameters = (named) =>
  Object.fromEntries(
    Object.entries(parameterNames)
      .filter(([, theirs]) => named[theirs])
      .map(([ours, theirs]) => [ours, named[theirs]]),
  );

/** The average over the heads, which are the axis before the last two. */
function meanOverHeads({ shape, data }) {
  const [heads, queries, keys] = shape.slice(-3);
  const batch = shape.slice(0, -3);
  const cells = queries * keys;
  const mean = new floatArrays.float64(data.length / heads);
  data.forEach((weight, place) => {
    mean[Math.floor(place / (heads * cells)) * cells + (place % cells)] += weight / heads;
  });
  return { shape: [...batch, queries, keys], data: mean };
}

/** A numeric padding mask contains 0 and -Infinity. */
export function keyMaskOf(fixture) {
  if (fixture.dtype === "bool") return masks.fromTorchModule(flags(fixture));
  return {
    shape: fixture.shape,
    data: Uint8Array.from(numbersOf(fixture), (value) => (value === -Infinity ? 0 : 1)),
  };
}

/** A mask of booleans, True = masked, or of numbers that are added. */
export const attnMask = (fixture, precision) =>
  fixture.dtype === "bool" ? masks.fromTorchModule(flags(fixture)) : tensor(fixture, precision);

export function run(core, { inputs, params }, precision) {
  const query = tensor(inputs.query, precision);
  const key = inputs.key ? tensor(inputs.key, precision) : query;
  const value = inputs.value ? tensor(inputs.value, precision) : key;
  const parameters = attentionParameters(
    Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, tensor(input, precision)])),
  );
  const options = { numHeads: params.heads };
  const { attn_mask: mask, key_padding_mask: padding } = inputs;
  if (mask) options.mask = attnMask(mask, precision);
  if (padding) options.keyMask = keyMaskOf(padding);
  const { output, weights } = core.multiHeadAttention(query, key, value, parameters, options);
  const graph = core.graph({ precision });
  try {
    const fused = graph.value(graph.multiHeadAttention(query, key, value, parameters, options).output);
    return { output: [output, fused], weights, weights_mean: meanOverHeads(weights) };
  } finally {
    graph.delete();
  }
}
