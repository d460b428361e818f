/** How an answer is written, token by token: the probabilities that each token is drawn with, and the same logits with a key-value cache. */
import type { TrainingNumbers } from "../../config/labs/training.js";
import type { Graph, Node, Trainer } from "../../core/index.js";
import { isRefusal } from "../../core/refusal.js";
import type { Snapshots } from "../../marks/scene.js";
import type { AskedSample } from "./asked.js";

/** What the names of the nodes of the cache begin with, as the core gives them. */
export const CACHED = "cached.";
/** The logits with the cache minus those without, (tokens, V). */
export const DIFFERENCE = `${CACHED}difference`;

/** Whether a model writes its answer token by token, each of which it reads before the next. */
export const writesAnswer = ({ model }: Pick<TrainingNumbers, "model">): boolean =>
  model === "decoder" || model === "encoder-decoder";

/** The probabilities that the tokens of an answer are drawn with; where that is another distribution than the model's own. */
export function addDrawn(
  graph: Graph,
  logits: Node,
  { temperature = 0 }: TrainingNumbers,
  name: string,
): void {
  if (temperature === 0 || temperature === 1) return;
  graph.softmax(graph.scale(logits, { divisor: temperature, name: `${name}_logits` }), { name });
}

/** The most layers times tokens that are computed with a cache: each adds about thirty nodes, which all go to the page. */
const MOST_COMPUTED = 128;

/**
 * Adds how the first sample is answered with a cache, and by how much its logits differ from those of the whole answer. Adds nothing where
 * there is no answer, or too much to compute. Above the memory limit of the graph the difference is left out.
 */
export function addCached(
  graph: Graph,
  trainer: Trainer,
  { layers }: TrainingNumbers,
  { example, start }: AskedSample,
  answer: readonly number[],
): void {
  const written = answer.length - start.length;
  if (written <= 0 || layers * written > MOST_COMPUTED) return;
  try {
    const cached = trainer.observeCached(graph, example, answer);
    graph.subtract(cached, graph.node("asked_0.logits"), { name: DIFFERENCE });
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** How many rows the call that writes a token of the first sample computes, and how many keys and values it reads from the cache; null without a cache. */
export function cachedRows(snapshots: Snapshots, token: number): { computed: number; kept: number } | null {
  if (!snapshots.has(DIFFERENCE)) return null;
  const computed = (call: number): number => snapshots.get(`${CACHED}step_${call}.ids`)?.shape[0] ?? 0;
  let kept = 0;
  for (let call = 0; call < token; call++) kept += computed(call);
  return { computed: computed(token), kept };
}
