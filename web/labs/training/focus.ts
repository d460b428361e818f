/** How much weight each head gives to the places that the task asks for. */
import type { TrainingNumbers } from "../../config/labs/training.js";
import type { Graph } from "../../core/index.js";
import { expectedPlaces } from "./asked.js";
import { attentionNodes } from "./attention-nodes.js";

/** Adds how much weight each head gives to them, on the mean over the rows of the first sample: layer_N.focus (H). Of a task without such places it adds nothing. */
export function addFocus(graph: Graph, numbers: TrainingNumbers): void {
  for (const [layer, { name }] of attentionNodes(graph.describe()).entries()) {
    const weights = graph.node(name);
    const [, heads, rows, columns] = weights.shape as [number, number, number, number];
    const places = expectedPlaces(numbers, rows, columns);
    if (!places) continue;
    const named = (part: string) => ({ name: `layer_${layer}.${part}` });
    const first = graph.slice(weights, { axis: 0, start: 0, stop: 1, ...named("weights") });
    const expected = graph.leaf(named("expected").name, {
      shape: [rows, columns],
      data: Float64Array.from(places),
    });
    const onPlace = graph.multiply(first, expected, named("on_place"));
    const byRow = graph.sum(onPlace, { axis: -1, ...named("focus_by_row") });
    graph.reshape(graph.mean(byRow, { axis: -1 }), { shape: [heads], ...named("focus") });
  }
}
