// GPT-2 with its gradients and greedy continuations, and the sampler. Boolean masks: True = masked.
import { ids, tensor } from "../fixture.mjs";
import { optionsOf, stateDictOf } from "./encoder_layer.mjs";
import { keyMaskOf } from "./mha_torch.mjs";

const sequences = ["ids", "targets", "position_ids"];

/** The probabilities of the next id, and ids drawn by them. */
function sampling(core, { inputs, params }, precision) {
  const { temperature, top_k: topK, top_p: topP, seed, number } = params;
  const probabilities = core.nextProbabilities(tensor(inputs.logits, precision), { temperature, topK, topP });
  const random = core.randomState(seed);
  try {
    return { probabilities, drawn: core.drawIds(probabilities, number, random) };
  } finally {
    random.delete();
  }
}

/** Rows of ids in the shape of the expectation: (length) without a batch. */
const textOf = ({ ids: samples }, { shape }) => ({ shape, data: samples.flatMap((sample) => [...sample]) });

/** The likeliest continuation, with and without the cache, in a graph and by a decoder. */
function greedy(core, { inputs, params, expected }, parameters, settings, precision) {
  const prompt = ids(inputs.ids);
  const how = { steps: params.steps, temperature: 0 };
  const texts = [true, false].map((cache) => {
    const graph = core.graph({ precision });
    try {
      return graph.gpt2Continuation(prompt, parameters, { ...settings, ...how, cache });
    } finally {
      graph.delete();
    }
  });
  const owned = core.parameters({ precision });
  for (const [name, value] of Object.entries(parameters)) owned.add(name, value);
  const batch = prompt.shape.length === 2 ? prompt.shape[0] : undefined;
  const length = prompt.shape.at(-1) + params.steps - 1;
  const decoder = core.gpt2Decoder(owned, { ...settings, length, batch });
  texts.push(decoder.continueTexts(prompt, how));
  decoder.delete();
  owned.delete();
  return texts.map((text) => textOf(text, expected.greedy));
}

function forward(core, fixture, precision, observe) {
  const { inputs, params, expected } = fixture;
  const settings = { ...optionsOf({ norm_first: true, ...params }), activation: "gelu_tanh" };
  settings.numLayers = params.layers;
  const parameters = stateDictOf(inputs, sequences, precision);
  const graph = core.graph({ precision, observe });
  try {
    const leaves = Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, graph.leaf(name, value)]),
    );
    const given = { ...settings };
    if (inputs.key_padding_mask) given.keyMask = keyMaskOf(inputs.key_padding_mask);
    if (inputs.position_ids) given.positionIds = ids(inputs.position_ids);
    const model = graph.gpt2(ids(inputs.ids), leaves, given);
    const results = {
      embedded: graph.value(model.embedded),
      output: graph.value(model.blocks.output),
      logits: graph.value(model.logits),
    };
    if (inputs.targets) {
      const loss = graph.crossEntropy(model.logits, ids(inputs.targets));
      results.loss = graph.value(loss);
      graph.backward(loss);
      for (const [name, leaf] of Object.entries(leaves)) results[`grad_${name}`] = graph.gradient(leaf);
    }
    if (params.steps !== undefined)
      results.greedy = greedy(core, { inputs, params, expected }, parameters, settings, precision);
    return results;
  } finally {
    graph.delete();
  }
}

export function run(core, fixture, precision) {
  if (fixture.params.op === "sampling") return sampling(core, fixture, precision);
  const [observed, fused] = [true, false].map((observe) => forward(core, fixture, precision, observe));
  return Object.fromEntries(Object.keys(observed).map((key) => [key, [observed[key], fused[key]].flat()]));
}
