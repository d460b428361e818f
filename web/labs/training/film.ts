/** The film of a run: the head that looks most at the right places, at every second kept moment. */
import type { TrainingNumbers } from "../../config/labs/training.js";
import type { Graph, Trainer } from "../../core/index.js";
import type { TrainingCore } from "../../core/transformer/tasks.js";
import type { Snapshots } from "../../marks/scene.js";
import type { AskedSample } from "./asked.js";
import { attentionNodes } from "./attention-nodes.js";
import { addFocus } from "./focus.js";
import type { Run } from "./runs.js";

/** What a node of one frame is called. */
const FRAME = /^film_(\d+)$/;
export const frameNode = (step: number): string => `film_${step}`;

/** The place of the head of the film: its layer, and its place in that. */
export const FILM_HEAD = "film.head";

/** The steps of the frames, from the first one on. */
export const framesIn = (snapshots: Snapshots): number[] =>
  [...snapshots.keys()]
    .flatMap((name) => FRAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

/** The attention weights of the first sample at one moment. */
interface Frame {
  /** Of each layer (H, L, S). */
  layers: { shape: number[]; data: Float64Array }[];
  /** The layer and the head with the largest mean weight on the right places; of a task that has none, the first head of the last layer. */
  head: [layer: number, head: number];
}

/** The frames of a run, and the samples that the model was asked in them. */
const kept = new WeakMap<Run, { asked: string; frames: Map<number, Frame> }>();

function framesOf(run: Run, { samples }: TrainingNumbers): Map<number, Frame> {
  const asked = samples.join(" ");
  const known = kept.get(run);
  if (known?.asked === asked) return known.frames;
  const frames = new Map<number, Frame>();
  kept.set(run, { asked, frames });
  return frames;
}

/** The frame of the moment that a graph shows, which has the nodes of `addFocus`. */
function frameOf(graph: Graph): Frame {
  const nodes = attentionNodes(graph.describe());
  const names = new Set(graph.describe().map(({ name }) => name));
  const focus = nodes.map((_, layer) => {
    const name = `layer_${layer}.focus`;
    return names.has(name) ? [...graph.value(name).data] : [];
  });
  const all = focus.flatMap((heads, layer) => heads.map((share, head) => ({ share, layer, head })));
  const best = all.reduce((most, one) => (one.share > most.share ? one : most), {
    share: -Infinity,
    layer: nodes.length - 1,
    head: 0,
  });
  const layers = nodes.map(({ name }) => {
    const { shape, data } = graph.value(name);
    const [, ...own] = shape as [number, number, number, number];
    return { shape: own, data: Float64Array.from(data.subarray(0, own[0] * own[1] * own[2])) };
  });
  return { layers, head: [best.layer, best.head] };
}

/**
 * Adds the frames up to the furthest moment that the run has come to, each as a leaf (L, S). Adds nothing where the right answer to the first
 * sample is not known: the rows would stand for other tokens at each moment.
 */
export function addFilm(
  core: TrainingCore,
  graph: Graph,
  run: Run,
  numbers: TrainingNumbers,
  samples: readonly AskedSample[],
): void {
  if (!samples[0]?.expected || attentionNodes(graph.describe()).length === 0) return;
  const frames = framesOf(run, numbers);
  const look = (trainer: Trainer): Frame => {
    const other = core.graph({ observe: true, precision: "float64" });
    try {
      trainer.observe(
        other,
        samples.map(({ example }) => example),
      );
      addFocus(other, numbers);
      return frameOf(other);
    } finally {
      other.delete();
    }
  };
  const steps = run.framed;
  for (const step of steps) {
    if (frames.has(step)) continue;
    frames.set(step, step === run.trainer.steps ? frameOf(graph) : run.revisit(step, look));
  }
  const [layer, head] = frames.get(steps.at(-1)!)!.head;
  graph.leaf(FILM_HEAD, { shape: [2], data: Int32Array.of(layer, head) });
  for (const step of steps) {
    const { shape, data } = frames.get(step)!.layers[layer]!;
    const [, rows, columns] = shape as [number, number, number];
    const first = head * rows * columns;
    graph.leaf(frameNode(step), { shape: [rows, columns], data: data.slice(first, first + rows * columns) });
  }
}
