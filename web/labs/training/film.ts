/** The film of a run: the head that looks most at the right places, at every second kept moment and at the latest. */
import type { TrainingNumbers } from "../../config/labs/training.js";
import type { Graph } from "../../core/index.js";
import type { TrainingCore } from "../../core/transformer/tasks.js";
import { isRefusal } from "../../core/refusal.js";
import type { Snapshots } from "../../marks/scene.js";
import type { AskedSample } from "./asked.js";
import { attentionNodes } from "./attention-nodes.js";
import { addFocus, bestHead, focusNode, type BestHead } from "./focus.js";
import type { Run } from "./runs.js";

/** What a node of one frame is called. */
const FRAME = /^film_(\d+)$/;
export const frameNode = (step: number): string => `film_${step}`;

/** The node that holds which layer the film is of, and which head of that layer. */
export const FILM_HEAD = "film.head";

/** The steps of the frames, from the first one on. */
export const framesIn = (snapshots: Snapshots): number[] =>
  [...snapshots.keys()]
    .flatMap((name) => FRAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

/** A graph of the present moment, with the settings and samples that it was made of. */
interface Observed {
  graph: Graph;
  numbers: TrainingNumbers;
  samples: readonly AskedSample[];
}

/** The attention weights of the first sample at one moment, and the head that looks most at the right places there. */
interface Frame {
  /** Of each layer (H, L, S). */
  layers: { shape: number[]; data: Float64Array }[];
  best: BestHead;
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

/** The frame of the moment that a graph shows, after `addFocus`. */
function frameOf(graph: Graph): Frame {
  const nodes = attentionNodes(graph.describe());
  const best = bestHead(nodes.map((_, layer) => graph.value(focusNode(layer)).data))!;
  const layers = nodes.map(({ name }) => {
    const { shape, data } = graph.value(name);
    const [, ...own] = shape as [number, number, number, number];
    return { shape: own, data: Float64Array.from(data.subarray(0, own[0] * own[1] * own[2])) };
  });
  return { layers, best };
}

/** The frame of a kept moment; null above the memory limit of the graph. */
function frameAt(core: TrainingCore, run: Run, step: number, of: Observed): Frame | null {
  const { graph, numbers, samples } = of;
  if (step === run.trainer.steps) return frameOf(graph);
  return run.revisit(step, (trainer) => {
    const other = core.graph({ observe: true, precision: "float64", maxBytes: graph.maxBytes });
    try {
      trainer.observe(
        other,
        samples.map(({ example }) => example),
      );
      addFocus(other, numbers);
      return frameOf(other);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return null;
    } finally {
      other.delete();
    }
  });
}

/** Adds the frames up to the furthest moment that the run has come to, each as a leaf (L, S), to a graph that has the nodes of `addFocus`. */
export function addFilm(core: TrainingCore, run: Run, of: Observed): void {
  const { graph, numbers } = of;
  const frames = framesOf(run, numbers);
  const shown: [number, Frame][] = [];
  for (const step of run.filmed) {
    const frame = frames.get(step) ?? frameAt(core, run, step, of);
    if (!frame) return;
    frames.set(step, frame);
    shown.push([step, frame]);
  }
  const { layer, head } = shown.at(-1)![1].best;
  graph.leaf(FILM_HEAD, { shape: [2], data: Int32Array.of(layer, head) });
  for (const [step, { layers }] of shown) {
    const { shape, data } = layers[layer]!;
    const [, rows, columns] = shape as [number, number, number];
    const first = head * rows * columns;
    graph.leaf(frameNode(step), { shape: [rows, columns], data: data.slice(first, first + rows * columns) });
  }
}
