/** What the scaling lab computes: scores of keys of growing width, divided by √d_k and not, and what softmax makes of both (section 3.2.1). */
import { WIDTHS, widthsOf, type ScalingNumbers } from "../../config/labs/scaling.js";
import type { Graph, Node } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { withRandom } from "../leaf.js";

const WIDEST = 128;
/** Queries of variance 1; or samples and words of document 001. */
const QUERIES = 200;
const DOCUMENT = { batch: 10, length: 20 } as const;
/** Bins of the histograms, how many of them in the middle are shown of divided scores, and their width where queries and keys have variance 1. */
export const BINS = 41;
export const MIDDLE_BINS = 15;
const BIN = 0.8;
/** A score that no score exceeds. */
const FAR = 1e9;

/** How many queries and keys there are, in how many samples. */
export function sizesOf({ source, keys }: ScalingNumbers): { batch: number; queries: number; keys: number } {
  return source === "unit"
    ? { batch: 1, queries: QUERIES, keys }
    : { batch: DOCUMENT.batch, queries: DOCUMENT.length, keys: DOCUMENT.length };
}

const leafOf = (graph: Graph, name: string, shape: number[], values: readonly number[]): Node =>
  graph.leaf(name, { shape, data: Float64Array.from(values) });

/** Queries and keys, (batch, n, 128). */
function drawn(core: Core, graph: Graph, numbers: ScalingNumbers): [Node, Node] {
  const { batch, queries, keys } = sizesOf(numbers);
  return withRandom(core, graph, numbers.seed, (random): [Node, Node] => {
    if (numbers.source === "unit")
      return [
        graph.draw("Q", random, "randn", { shape: [batch, queries, WIDEST] }),
        graph.draw("K", random, "randn", { shape: [batch, keys, WIDEST] }),
      ];
    const x = graph.draw("x", random, "randn", { shape: [batch, queries, WIDEST] });
    const weights = (name: string) =>
      graph.draw(name, random, "randn", {
        shape: [WIDEST, WIDEST],
        ...(numbers.source === "scaled" ? { sqrtDivisor: WIDEST } : {}),
      });
    const [query, key] = [weights("W_Q"), weights("W_K")];
    return [graph.matmul(x, query, { name: "Q" }), graph.matmul(x, key, { name: "K" })];
  });
}

/** The share of the scores of each width that is between two edges, for every two that follow each other: the node "shares", as `named` names it. */
function shares(
  graph: Graph,
  widths: readonly number[],
  scores: Node,
  edges: Node,
  bins: number,
  named: (name: string) => { name: string },
): void {
  const counts = widths.map((width, at) => {
    const row = graph.slice(scores, { axis: 0, start: at, stop: at + 1, ...named(`of_${width}`) });
    const histogram = graph.histogram(row, edges, named(`histogram_${width}`));
    return graph.reshape(histogram, { shape: [1, bins], ...named(`counts_${width}`) });
  });
  graph.divide(graph.concat(counts, { axis: 0, ...named("counts") }), graph.node("count"), named("shares"));
}

/** Variance of the scores of each width; entropy of the rows softmax makes of them, and the trace of its Jacobian, on the mean. */
function measured(graph: Graph, scores: Node, numbers: ScalingNumbers, after: string): void {
  const { batch, queries, keys } = sizesOf(numbers);
  const rows = batch * queries;
  const named = (name: string) => ({ name: `${name}${after}` });
  const mean = (x: Node, size: number, name: string) =>
    graph.mean(graph.reshape(x, { shape: [WIDTHS.length, size], ...named(`${name}_all`) }), {
      axis: -1,
      ...named(name),
    });
  graph.sqrt(
    mean(graph.multiply(scores, scores, named("squares")), rows * keys, "variance"),
    named("deviation"),
  );
  const weights = graph.softmax(scores, named("weights"));
  mean(graph.entropy(weights, named("entropies")), rows, "entropy");
  const rest = graph.subtract(graph.node("one"), weights, named("rest"));
  const diagonal = graph.multiply(weights, rest, named("diagonal"));
  mean(graph.sum(diagonal, { axis: -1, ...named("traces") }), rows, "jacobian");
}

export function build(core: Core, graph: Graph, numbers: ScalingNumbers): void {
  const { batch, queries, keys } = sizesOf(numbers);
  const [query, key] = drawn(core, graph, numbers);
  const widths = widthsOf(numbers);
  // Row n of the prefixes has ones at the first numbers that the width takes.
  const prefixes = widths.flatMap((width) => Array.from({ length: WIDEST }, (_, at) => Number(at < width)));
  const first = leafOf(graph, "first", [widths.length, 1, 1, WIDEST], prefixes);
  const cut = graph.multiply(query, first, { name: "Q_cut" });
  const scores = graph.matmul(cut, graph.transpose(key, { name: "K_T" }), { name: "scores" });
  const d_k = leafOf(graph, "d_k", [widths.length, 1, 1, 1], widths);
  const scaled = graph.divide(scores, graph.sqrt(d_k, { name: "root" }), { name: "scaled" });
  leafOf(graph, "one", [1], [1]);
  measured(graph, scores, numbers, "");
  measured(graph, scaled, numbers, "_scaled");
  const width =
    numbers.source === "randn"
      ? graph.scale(leafOf(graph, "unit", [1], [BIN]), { factor: WIDEST, name: "bin" })
      : leafOf(graph, "bin", [1], [BIN]);
  const places = graph.reshape(graph.absoluteIndex({ length: BINS + 1, dim: 1, name: "places" }), {
    shape: [BINS + 1],
    name: "places_row",
  });
  const middle = graph.scale(leafOf(graph, "bins", [1], [BINS]), { divisor: 2, name: "half" });
  const edges = graph.multiply(graph.subtract(places, middle, { name: "from_middle" }), width, {
    name: "edges",
  });
  graph.scale(
    graph.add(
      graph.slice(edges, { axis: 0, start: 0, stop: BINS, name: "from" }),
      graph.slice(edges, { axis: 0, start: 1, stop: BINS + 1, name: "to" }),
      { name: "from_to" },
    ),
    { divisor: 2, name: "centres" },
  );
  graph.sum(
    leafOf(graph, "ones", [batch * queries * keys], new Array<number>(batch * queries * keys).fill(1)),
    { axis: 0, keepdim: true, name: "count" },
  );
  for (const { node, bins, after } of [
    { node: scores, bins: BINS, after: "" },
    { node: scaled, bins: MIDDLE_BINS, after: "_scaled" },
  ]) {
    shares(graph, widths, node, edges, BINS, (name) => ({ name: name + after }));
    // Below, between and above the ends of the bins that are shown.
    const end = (bins / 2) * BIN * (numbers.source === "randn" ? WIDEST : 1);
    const ends = leafOf(graph, `ends${after}`, [4], [-FAR, -end, end, FAR]);
    shares(graph, widths, node, ends, 3, (name) => ({ name: `outer_${name}${after}` }));
  }
}
