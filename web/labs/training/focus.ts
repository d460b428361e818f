/** How much weight each head gives to the places that the task asks for. */
import type { TrainingNumbers } from "../../config/labs/training.js";
import type { Graph } from "../../core/index.js";
import { expectedPlaces } from "./asked.js";
import { attentionNodes } from "./attention-nodes.js";

/** The node of the mean weights of the heads of a layer. */
export const focusNode = (layer: number): string => `layer_${layer}.focus`;

export interface BestHead {
  layer: number;
  head: number;
}

/** The head with the largest of these numbers, which are the mean weights of the heads of each layer; null if there are none. */
export function bestHead(focus: readonly ArrayLike<number>[]): BestHead | null {
  const all = focus.flatMap((heads, layer) => Array.from(heads, (weight, head) => ({ weight, layer, head })));
  const [first] = all;
  return first ? all.reduce((best, one) => (one.weight > best.weight ? one : best), first) : null;
}

/**
 * Adds how much weight each head gives to the right places, on the mean over the rows of the first sample: layer_N.focus (H). Adds nothing
 * for a task without such places; returns whether it has them.
 */
export function addFocus(graph: Graph, numbers: TrainingNumbers): boolean {
  let hasPlaces = false;
  for (const [layer, { name }] of attentionNodes(graph.describe()).entries()) {
    const weights = graph.node(name);
    const [, heads, rows, columns] = weights.shape as [number, number, number, number];
    const places = expectedPlaces(numbers, rows, columns);
    if (!places) continue;
    hasPlaces = true;
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
  return hasPlaces;
}
