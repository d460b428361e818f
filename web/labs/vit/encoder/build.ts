/** The graph of the ViT lab with an encoder: what CLS looks at in the last layer, and through all of them. */
import type { VitNumbers } from "../../../config/config.js";
import { encoderOf, encoderWider, hasEncoder } from "../../../config/labs/vit.js";
import type { Graph } from "../../../core/index.js";
import type { TransformerCore as Core } from "../../../core/transformer/core.js";
import { build as plain, buildSequence } from "../build.js";

export function build(core: Core, graph: Graph, numbers: VitNumbers): void {
  if (!hasEncoder(numbers)) return plain(core, graph, numbers);
  const { dim, seed } = numbers;
  const { layers, heads } = encoderOf(numbers);
  const sequence = buildSequence(core, graph, numbers);
  const parameters = core.parameters({ maxBytes: graph.maxBytes });
  try {
    parameters.draw("encoder", { dModel: dim, dFf: encoderWider * dim, numLayers: layers }, seed);
    graph.encoder(sequence, parameters, {
      numHeads: heads,
      numLayers: layers,
      activation: "gelu",
      normFirst: true,
      eps: 1e-6,
    });
  } finally {
    parameters.delete();
  }
  const weights = Array.from({ length: layers }, (_, layer) =>
    graph.node(`layers.${layer}.self_attn.weights`),
  );
  graph.slice(weights.at(-1)!, { axis: 1, start: 0, stop: 1, name: "cls_weights" });
  const rollout = graph.attentionRollout(weights, { name: "rollout" });
  graph.slice(rollout, { axis: 0, start: 0, stop: 1, name: "cls_rollout" });
}
