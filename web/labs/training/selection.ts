/** Adds to the graph what the reader's selector selects: the numbers of a tensor or their gradient, and their histogram. */
import type { TrainingNumbers } from "../../config/labs/training.js";
import {
  GRADIENT,
  isProblem,
  parseSelector,
  SELECTED,
  selectedRanges,
  type Selector,
  type SelectorProblem,
} from "../../config/selector.js";
import type { Range } from "../../config/bounds.js";
import type { Graph, Node } from "../../core/index.js";
import type { Snapshots } from "../../marks/scene.js";

/** The bins of a histogram. */
export const BINS = 41;

interface Selection {
  selector: Selector;
  ranges: Range[];
}

/** Whether a name is that of a node of this file. */
export const isOfSelection = (name: string): boolean =>
  name === SELECTED || name.startsWith(`${SELECTED}.`) || name.endsWith(GRADIENT);

/** What is selected, or what is wrong with the selector; null where nothing is to be selected. */
export function selectionOf(
  { watch = "none" }: TrainingNumbers,
  nodes: Iterable<{ name: string; shape: readonly number[] }>,
): Selection | SelectorProblem | null {
  if (watch === "none") return null;
  const selector = parseSelector(watch);
  if (isProblem(selector)) return selector;
  const shapes = new Map(
    [...nodes].flatMap(({ name, shape }) => (/^#/.test(name) || isOfSelection(name) ? [] : [[name, shape]])),
  );
  const ranges = selectedRanges(selector, shapes);
  return isProblem(ranges) ? ranges : { selector, ranges };
}

/** The nodes beside those of the model: what is asked, recorded and counted. */
const BESIDE = /^(asked_|run_|layer_|vocabulary|groups|reached|moments|stuck|source|target|labels|\w+_norms)/;

/** Selectors of every tensor of the model: its numbers, its gradient, and both with a histogram. */
export const selectorsOf = (nodes: Snapshots): string[] =>
  [...nodes.keys()]
    .filter((name) => !BESIDE.test(name) && !isOfSelection(name))
    .flatMap((name) => ["", ":hist", ":grad", ":grad:hist"].map((flags) => name + flags));

/** The gradient of the loss by a tensor as a leaf; null for ids and masks, and above the memory limit of the graph. */
function gradientOf(graph: Graph, name: string): Node | null {
  try {
    graph.backward("loss");
    return graph.leaf(name + GRADIENT, graph.gradient(name));
  } catch (error) {
    if (!(error instanceof Error) || error instanceof WebAssembly.RuntimeError) throw error;
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
export function addSelection(graph: Graph, numbers: TrainingNumbers): void {
  const nodes = graph.describe();
  const selection = selectionOf(numbers, nodes);
  if (!selection || isProblem(selection)) return;
  const { selector, ranges } = selection;
  const { name, gradient, histogram } = selector;
  const whole = gradient ? gradientOf(graph, name) : graph.node(name);
  if (!whole) return;
  const cut = ranges.reduce((node, { min: start, max: stop }, axis) => {
    if (stop - start === node.shape[axis]) return node;
    return graph.passOver(graph.slice(node, { axis, start, stop }));
  }, whole);
  const selected = graph.reshape(cut, { shape: [...cut.shape], name: SELECTED });
  if (histogram && selected.dataType === "float64") addHistogram(graph, selected);
}
