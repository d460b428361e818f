/** The graph of lab 7: a Transformer of one layer each (section 3.1) translates word by word, greedily, with its cache and anew. */
import type { EncoderDecoderNumbers } from "../../config/labs/encoder-decoder.js";
import type { Graph, Node, Parameters } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import translator from "./translator.json";

interface Translator {
  vocabulary: string[];
  sizes: {
    dModel: number;
    dFf: number;
    numEncoderLayers: number;
    numDecoderLayers: number;
    vocabulary: number;
  };
  seed: number;
  /** By steps of training. */
  states: Record<string, { parameters: Record<string, number[]> }>;
}
const { vocabulary, sizes, seed, states } = translator as Translator;
const layers = { numHeads: 2, numEncoderLayers: 1, numDecoderLayers: 1 } as const;

/** The weights as they were kept after so many steps of training; before the first as they are drawn. */
function weightsAfter(core: Core, steps: number): Parameters {
  const parameters = core.parameters();
  parameters.draw("seq2seq", sizes, seed);
  for (const [name, numbers] of Object.entries(states[steps]?.parameters ?? {}))
    parameters.set(name, { shape: parameters.get(name).shape, data: Float64Array.from(numbers) });
  return parameters;
}

/** Parameters of one layer by their names inside it. */
function within(all: Readonly<Record<string, Node>>, prefix: string): Record<string, Node> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, node]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), node]] : [],
    ),
  );
}

const idsOf = (ids: ArrayLike<number>) => ({ shape: [ids.length], data: Int32Array.from(ids) });

/** The whole translation at once, every step of it: the words decoded so far go in, masked, and every row predicts its next word. */
function whole(graph: Graph, all: Readonly<Record<string, Node>>, source: Node, target: Node): Node {
  const { numHeads } = layers;
  const embedding = { "embedding.weight": all["embedding.weight"]! };
  const norm = (x: Node, of: string, name: string) =>
    graph.layerNorm(x, all[`${of}.norm.weight`]!, all[`${of}.norm.bias`]!, { name });
  const read = graph.embedSequence(source, embedding, { name: "source" });
  const encoder = graph.encoderLayer(read, within(all, "encoder.layers.0."), { numHeads, name: "encoder" });
  const memory = norm(encoder.output, "encoder", "memory");
  const written = graph.embedSequence(target, embedding, { name: "target" });
  const decoder = graph.decoderLayer(written, memory, within(all, "decoder.layers.0."), {
    numHeads,
    target: { isCausal: true },
    name: "decoder",
  });
  const output = norm(decoder.output, "decoder", "output");
  const logits = graph.tiedLogits(output, all["embedding.weight"]!, { name: "logits" });
  graph.softmax(logits, { name: "next" });
  return logits;
}

export function build(core: Core, graph: Graph, { tokens, steps, trained }: EncoderDecoderNumbers): void {
  using parameters = weightsAfter(core, trained);
  const all = graph.stateDict(parameters);
  const source = graph.leaf("source_ids", idsOf(tokens.map((word) => vocabulary.indexOf(word))));
  const decoded = graph.greedyDecoding(source, parameters, {
    ...layers,
    begin: vocabulary.indexOf("<begin>"),
    steps,
    name: "cached",
  });
  const [ids] = decoded.ids as [Int32Array];
  const target = graph.leaf("target_ids", idsOf(ids.subarray(0, steps)));
  graph.leaf("next_ids", idsOf(ids.subarray(1)));
  const logits = whole(graph, all, source, target);
  // Row n was made at step n, and is what later steps read.
  const rows = (projection: "K" | "V") =>
    decoded.logits.map((_, n) => graph.node(`cached.step_${n}.decoder.layers.0.self_attn.${projection}`));
  graph.concat(rows("K"), { axis: 0, name: "kept_keys" });
  graph.concat(rows("V"), { axis: 0, name: "kept_values" });
  const kept = graph.concat(
    decoded.logits.map((row) => graph.reshape(row, { shape: [1, vocabulary.length] })),
    { axis: 0, name: "kept_logits" },
  );
  graph.subtract(kept, logits, { name: "difference" });
}
