// torch.nn.Transformer, and the whole model from ids to the next word. Boolean masks: True = masked.
import { ids, tensor } from "../fixture.mjs";
import { masksOf, optionsOf, stateDictOf } from "./encoder_layer.mjs";

const sequences = ["src", "tgt", "src_ids", "tgt_ids", "table"];

function settings({ inputs, params }, precision) {
  return {
    ...optionsOf(params),
    numEncoderLayers: params.encoder_layers,
    numDecoderLayers: params.decoder_layers,
    source: masksOf(inputs.src_mask, inputs.src_key_padding_mask, precision),
    target: masksOf(inputs.tgt_mask, inputs.tgt_key_padding_mask, precision),
    memory: masksOf(inputs.memory_mask, inputs.memory_key_padding_mask, precision),
  };
}

/** Greedy decoding with and without the cache, one row per sample. */
function greedy(graph, fixture, parameters, precision, cache) {
  const { inputs, params } = fixture;
  const { source, ...others } = settings(fixture, precision);
  const { target, memory, ...options } = others;
  if (target.mask || memory.mask)
    throw new TypeError("greedy: masks of the target and the memory are unknown here");
  const decoded = graph.greedyDecoding(ids(inputs.src_ids), parameters, {
    ...options,
    ...(source.keyMask ? { keyMask: source.keyMask } : {}),
    begin: params.bos,
    steps: params.steps,
    cache,
    name: cache ? "cached" : "",
  });
  const data = decoded.ids.flatMap((sample) => [...sample]);
  const shape = inputs.src_ids.shape.slice(0, -1);
  return { shape: [...shape, decoded.ids[0].length], data };
}

function forward(core, fixture, precision, observe) {
  const { inputs, params } = fixture;
  const parameters = stateDictOf(inputs, sequences, precision);
  const graph = core.graph({ precision, observe });
  try {
    if (params.op === "transformer") {
      const [src, tgt] = [inputs.src, inputs.tgt].map((input) => tensor(input, precision));
      const { memory, output } = graph.transformer(src, tgt, parameters, settings(fixture, precision));
      return { memory: graph.value(memory), output: graph.value(output) };
    }
    const tied = { ...parameters, "embedding.weight": tensor(inputs.table, precision) };
    const [src, tgt] = [inputs.src_ids, inputs.tgt_ids].map(ids);
    const model = graph.seq2seq(src, tgt, tied, settings(fixture, precision));
    const results = {
      memory: graph.value(model.transformer.memory),
      decoded: graph.value(model.transformer.output),
      logits: graph.value(model.logits),
      log_probs: graph.value(model.logProbs),
    };
    if (params.steps === undefined) return results;
    return {
      ...results,
      greedy: [true, false].map((cache) => {
        const other = core.graph({ precision, observe });
        try {
          return greedy(other, fixture, tied, precision, cache);
        } finally {
          other.delete();
        }
      }),
    };
  } finally {
    graph.delete();
  }
}

export function run(core, fixture, precision) {
  const [observed, fused] = [true, false].map((observe) => forward(core, fixture, precision, observe));
  return Object.fromEntries(Object.keys(observed).map((key) => [key, [observed[key], fused[key]].flat()]));
}
