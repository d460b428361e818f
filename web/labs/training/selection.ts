/** Adds to the graph what the reader's selector selects: the numbers of a tensor, their gradient or their move, and a histogram. */
import type { TrainingNumbers } from "../../config/labs/training.js";
import {
  GRADIENT,
  isProblem,
  MOVE,
  parseSelector,
  SELECTED,
  selectedRanges,
  type Selector,
  type SelectorProblem,
} from "../../config/selector.js";
import type { Range } from "../../config/bounds.js";
import type { Graph, Node, Trainer } from "../../core/index.js";
import { isRefusal } from "../../core/refusal.js";
import type { Snapshot, Snapshots } from "../../marks/scene.js";
import { CACHED } from "./writing.js";

/** The bins of a histogram. */
export const BINS = 41;

interface Selection {
  selector: Selector;
  ranges: Range[];
}

/** The end of the name of a parameter. */
const PARAMETER = /(?:weight|bias|class_token|pos_embedding)$/;

/** Whether a node is a parameter of the model. */
export const isParameter = (name: string, { op }: Pick<Snapshot, "op">): boolean =>
  op === "leaf" && PARAMETER.test(name);

/** Whether a name is that of a node that a selection adds: those of a move begin with the name of a parameter. */
export const isOfSelection = (name: string): boolean =>
  name === SELECTED ||
  name.startsWith(`${SELECTED}.`) ||
  name.endsWith(GRADIENT) ||
  PARAMETER.test(name.slice(0, Math.max(0, name.lastIndexOf("."))));

/** Whether a selector may name a node: none that has no name, or that a selection or the cache has added. */
const isSelectable = (name: string): boolean =>
  !name.startsWith("#") && !name.startsWith(CACHED) && !isOfSelection(name);

/** What is selected, or what is wrong with the selector; null where nothing is to be selected. */
export function selectionOf(
  { watch = "none" }: TrainingNumbers,
  nodes: Iterable<{ name: string; shape: readonly number[] }>,
): Selection | SelectorProblem | null {
  if (watch === "none") return null;
  const selector = parseSelector(watch);
  if (isProblem(selector)) return selector;
  const shapes = new Map(
    [...nodes].flatMap(({ name, shape }) => (isSelectable(name) ? [[name, shape]] : [])),
  );
  const ranges = selectedRanges(selector, shapes);
  return isProblem(ranges) ? ranges : { selector, ranges };
}

/** The nodes beside those of the model: what is asked, recorded and counted. */
const BESIDE =
  /^(asked_|gray\.|run_|layer_|film|vocabulary|groups|reached|moments|stuck|source|target|labels|\w+_norms|update_ratios|learning_rates)/;

/** Selectors of every tensor of the model: its numbers, its gradient, of a parameter its move, and each with a histogram. */
export const selectorsOf = (nodes: Snapshots): string[] =>
  [...nodes.values()]
    .filter(({ name }) => !BESIDE.test(name) && isSelectable(name))
    .flatMap(({ name, op }) => {
      const flags = [
        "",
        ":hist",
        ":grad",
        ":grad:hist",
        ...(isParameter(name, { op }) ? [":move", ":move:hist"] : []),
      ];
      return flags.map((flag) => name + flag);
    });

/**
 * The gradient of the loss by a tensor as a leaf, or the move of a parameter; null for ids and masks, for the move of another tensor, and
 * above the memory limit of the graph. The gradient of a parameter has its move beside it, in which it is used.
 */
function derivedFrom(graph: Graph, trainer: Trainer, { name, move }: Selector): Node | null {
  const isTrained = trainer.names.includes(name);
  if (move && !isTrained) return null;
  try {
    if (isTrained) {
      trainer.observeMove(graph, name);
      return graph.node(name + (move ? MOVE : GRADIENT));
    }
    graph.backward("loss");
    return graph.leaf(name + GRADIENT, graph.gradient(name));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

const leafOf = (graph: Graph, name: string, value: number): Node =>
  graph.leaf(`${SELECTED}.${name}`, { shape: [1], data: Float64Array.of(value) });

/** The least and the largest finite number of a node; null if there is none. */
function extent(graph: Graph, node: Node): Range | null {
  let [min, max] = [Infinity, -Infinity];
  for (const value of graph.value(node).data) {
    if (!Number.isFinite(value)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? { min, max } : null;
}

/** Counts the selected numbers in bins of equal width: from 0 to the largest one, or as far below 0 as above it if one is negative. */
function addHistogram(graph: Graph, node: Node): void {
  const range = extent(graph, node);
  if (!range) return;
  const named = (name: string) => ({ name: `${SELECTED}.${name}` });
  const end = Math.max(Math.abs(range.min), Math.abs(range.max)) || 1;
  const low = leafOf(graph, "low", range.min < 0 ? -end : 0);
  const high = leafOf(graph, "high", end);
  const bins = leafOf(graph, "bins", BINS);
  const width = graph.divide(graph.subtract(high, low, named("reach")), bins, named("width"));
  const places = graph.leaf(`${SELECTED}.places`, {
    shape: [BINS - 1],
    data: Float64Array.from({ length: BINS - 1 }, (_, at) => at + 1),
  });
  const inner = graph.add(graph.multiply(places, width, named("steps")), low, named("inner"));
  // The ends are the numbers themselves, so that rounding leaves none of them out.
  const edges = graph.concat([low, inner, high], { axis: 0, ...named("edges") });
  const sides = [0, 1].map((start) =>
    graph.slice(edges, { axis: 0, start, stop: BINS + start, ...named(start === 0 ? "from" : "to") }),
  ) as [Node, Node];
  graph.scale(graph.add(...sides, named("from_to")), { divisor: 2, ...named("centres") });
  graph.histogram(node, edges, named("counts"));
}

/** Adds the selected numbers, with as many axes as their tensor has. Adds nothing if the selector is wrong. */
export function addSelection(graph: Graph, trainer: Trainer, numbers: TrainingNumbers): void {
  const nodes = graph.describe();
  const selection = selectionOf(numbers, nodes);
  if (!selection || isProblem(selection)) return;
  const { selector, ranges } = selection;
  const { name, gradient, move, histogram } = selector;
  const whole = gradient || move ? derivedFrom(graph, trainer, selector) : graph.node(name);
  if (!whole) return;
  const cut = ranges.reduce((node, { min: start, max: stop }, axis) => {
    if (stop - start === node.shape[axis]) return node;
    return graph.passOver(graph.slice(node, { axis, start, stop }));
  }, whole);
  const selected = graph.reshape(cut, { shape: [...cut.shape], name: SELECTED });
  if (histogram && selected.dataType === "float64") addHistogram(graph, selected);
}
