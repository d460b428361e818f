/** Builds the graph of the encoder-decoder lab: a Transformer of an encoder and a decoder (section 3.1) translates word by word, greedily, once with a cache and once without. */
import {
  BEGIN,
  layerName,
  modelOf,
  type EncoderDecoderNumbers,
  type Model,
} from "../../config/labs/encoder-decoder.js";
import type { Graph, Node, Parameters } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { seed, states } from "./translator.json";
import { numbersInThousandths } from "./thousandths.js";
import { vocabularyOf } from "./vocabulary.js";

/** The stored parameters, by the number of training steps. */
const stored: Record<string, { parameters: Record<string, string> }> = states;

/** Those of the link, else those stored after this many training steps; for 0 steps as they were drawn. */
function parametersOf(core: Core, numbers: EncoderDecoderNumbers): Parameters {
  const { trained, parameters: given } = numbers;
  const { dim, hidden, layers } = modelOf(numbers);
  const parameters = core.parameters();
  const vocabulary = vocabularyOf(numbers).length;
  const sizes = { dModel: dim, dFf: hidden, numEncoderLayers: layers, numDecoderLayers: layers, vocabulary };
  parameters.draw("seq2seq", sizes, seed);
  const all = given?.flat();
  let start = 0;
  for (const name of [...parameters.names].sort()) {
    const { shape, data } = parameters.get(name);
    const text = stored[trained]?.parameters[name];
    if (all) parameters.set(name, { shape, data: Float64Array.from(all.slice(start, start + data.length)) });
    else if (text) parameters.set(name, { shape, data: numbersInThousandths(text) });
    start += data.length;
  }
  return parameters;
}

/** The parameters of one layer, by their names inside the layer. */
function layerParameters(all: Readonly<Record<string, Node>>, prefix: string): Record<string, Node> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, node]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), node]] : [],
    ),
  );
}

const idsOf = (ids: ArrayLike<number>) => ({ shape: [ids.length], data: Int32Array.from(ids) });

const layerOptions = ({ heads, norm, residual }: Model) => ({
  numHeads: heads,
  normFirst: norm === "pre",
  residual,
});
const embeddingOptions = ({ positions, scaleEmbedding }: Model) => ({ positions, scaleEmbedding });

/** Adds the whole translation without a cache and returns its logits: the decoder reads the decoded words under a causal mask, and each row predicts the next word. */
function buildWithoutCache(
  graph: Graph,
  all: Readonly<Record<string, Node>>,
  source: Node,
  target: Node,
  numbers: EncoderDecoderNumbers,
): Node {
  const model = modelOf(numbers);
  const options = layerOptions(model);
  const embedding = { "embedding.weight": all["embedding.weight"]! };
  const lastNorm = (x: Node, module: string, name: string) =>
    graph.layerNorm(x, all[`${module}.norm.weight`]!, all[`${module}.norm.bias`]!, { name });
  const ofLayer = (part: "encoder" | "decoder", layer: number) =>
    [layerParameters(all, `${part}.layers.${layer}.`), layerName(part, layer)] as const;
  let rows = graph.embedSequence(source, embedding, { ...embeddingOptions(model), name: "source" });
  for (let layer = 0; layer < model.layers; layer++) {
    const [parameters, name] = ofLayer("encoder", layer);
    rows = graph.encoderLayer(rows, parameters, { ...options, name }).output;
  }
  const memory = lastNorm(rows, "encoder", "memory");
  rows = graph.embedSequence(target, embedding, { ...embeddingOptions(model), name: "target" });
  for (let layer = 0; layer < model.layers; layer++) {
    const [parameters, name] = ofLayer("decoder", layer);
    const target = { isCausal: true };
    rows = graph.decoderLayer(rows, memory, parameters, { ...options, target, name }).output;
  }
  const output = lastNorm(rows, "decoder", "output");
  const logits = graph.tiedLogits(output, all["embedding.weight"]!, { name: "logits" });
  graph.softmax(logits, { name: "next" });
  return logits;
}

export function build(core: Core, graph: Graph, numbers: EncoderDecoderNumbers): void {
  const { tokens, steps } = numbers;
  const model = modelOf(numbers);
  const { layers, layer } = model;
  const vocabulary = vocabularyOf(numbers);
  using parameters = parametersOf(core, numbers);
  const all = graph.stateDict(parameters);
  const source = graph.leaf("source_ids", idsOf(tokens.map((word) => vocabulary.indexOf(word))));
  const decoded = graph.greedyDecoding(source, parameters, {
    ...layerOptions(model),
    ...embeddingOptions(model),
    numEncoderLayers: layers,
    numDecoderLayers: layers,
    begin: vocabulary.indexOf(BEGIN),
    steps,
    name: "cached",
  });
  const [ids] = decoded.ids as [Int32Array];
  const target = graph.leaf("target_ids", idsOf(ids.subarray(0, steps)));
  graph.leaf("next_ids", idsOf(ids.subarray(1)));
  const logits = buildWithoutCache(graph, all, source, target, numbers);
  // Row n was computed at step n, and later steps read it from the cache.
  const rows = (projection: "K" | "V") =>
    decoded.logits.map((_, n) =>
      graph.node(`cached.step_${n}.decoder.layers.${layer}.self_attn.${projection}`),
    );
  graph.concat(rows("K"), { axis: 0, name: "kept_keys" });
  graph.concat(rows("V"), { axis: 0, name: "kept_values" });
  const cachedLogits = graph.concat(
    decoded.logits.map((row) => graph.reshape(row, { shape: [1, vocabulary.length] })),
    { axis: 0, name: "kept_logits" },
  );
  graph.subtract(cachedLogits, logits, { name: "difference" });
}
