// A whole Vision Transformer: patches, class token, positions, pre-norm encoder, head on the class token.
import { tensor } from "../fixture.mjs";
import { optionsOf } from "./encoder_layer.mjs";

const names = {
  patch_weight: "conv_proj.weight",
  patch_bias: "conv_proj.bias",
  cls: "class_token",
  pos: "pos_embedding",
  head_weight: "head.weight",
  head_bias: "head.bias",
};

function forward(core, { inputs, params }, precision, observe) {
  const parameters = Object.fromEntries(
    Object.entries(inputs)
      .filter(([name]) => name !== "image")
      .map(([name, input]) => [names[name] ?? name, tensor(input, precision)]),
  );
  const graph = core.graph({ precision, observe });
  try {
    const options = { ...optionsOf({ norm_first: true, ...params }), numLayers: params.layers };
    const model = graph.visionTransformer(tensor(inputs.image, precision), parameters, options);
    const { weights } = model.encoder.layers[0].selfAttention;
    return {
      embedded: graph.value(model.embedded),
      attention: weights && graph.value(weights),
      encoded: graph.value(model.encoder.output),
      logits: graph.value(model.logits),
    };
  } finally {
    graph.delete();
  }
}

export function run(core, fixture, precision) {
  const observed = forward(core, fixture, precision, true);
  const { embedded, encoded, logits } = forward(core, fixture, precision, false);
  return {
    embedded: [observed.embedded, embedded],
    attention: observed.attention,
    encoded: [observed.encoded, encoded],
    logits: [observed.logits, logits],
  };
}
