/** The graph of the multi-head lab (section 3.2.2). */
import type { Matrix, MultiHeadNumbers } from "../../config/config.js";
import {
  batchCount,
  dropoutOf,
  hasBiases,
  hasProjection,
  keyCount,
  realKeyCount,
  rowCount,
} from "../../config/labs/multi-head.js";
import type { Graph, Node, RandomState } from "../../core/attention.js";
import type { Core } from "../../core/core.js";
import { attentionOptions } from "../attention/attend.js";
import { typedLeaf, withRandom } from "../leaf.js";

/** The drawn leaves with their shapes, in the order in which they are drawn. */
function drawnShapes(numbers: MultiHeadNumbers): [string, number[]][] {
  const { dim, heads, keyDim, valueDim } = numbers;
  const x: [string, number[]][] =
    numbers.source === "draw" ? [["x", [batchCount(numbers), rowCount(numbers), dim]]] : [];
  return [
    ...x,
    ["W_Q", [dim, heads * keyDim]],
    ["W_K", [dim, heads * keyDim]],
    ["W_V", [dim, heads * valueDim]],
    ["W_O", [heads * valueDim, dim]],
  ];
}

/** Typed weights, by leaf. */
const typedWeights = ({ wq, wk, wv, wo }: MultiHeadNumbers): Record<string, Matrix | undefined> => ({
  W_Q: wq,
  W_K: wk,
  W_V: wv,
  W_O: wo,
});

/**
 * Draws all leaves `run` times from one stream, as a notebook cell that is run again does, and returns the last draws. Typed weights, and
 * W_O where it is left out, are drawn too, so that the others get the same numbers. Biases are drawn last, once.
 */
function drawLeaves(graph: Graph, random: RandomState, numbers: MultiHeadNumbers): Record<string, Node> {
  const { dim, heads, keyDim, valueDim } = numbers;
  for (let run = 1; run < numbers.run; run += 1)
    for (const [, shape] of drawnShapes(numbers)) random.randn(shape);
  const leaves: Record<string, Node> = {};
  const typed = typedWeights(numbers);
  for (const [name, shape] of drawnShapes(numbers)) {
    const rows = typed[name];
    const isLeftOut = name === "W_O" && !hasProjection(numbers);
    if (rows || isLeftOut) random.randn(shape);
    if (isLeftOut) continue;
    const isDivided = numbers.draw === "scaled" && name !== "x";
    const drawing = isDivided ? { shape, sqrtDivisor: dim } : { shape };
    leaves[name] = rows ? typedLeaf(graph, name, rows) : graph.draw(name, random, "randn", drawing);
  }
  if (!hasBiases(numbers)) return leaves;
  const [keys, values] = [heads * keyDim, heads * valueDim];
  const biases: [string, number][] = [["b_Q", keys], ["b_K", keys], ["b_V", values]]; // prettier-ignore
  if (hasProjection(numbers)) biases.push(["b_O", dim]);
  for (const [name, width] of biases)
    leaves[name] = graph.draw(name, random, "randn", { shape: [width], sqrtDivisor: dim });
  return leaves;
}

/** The bytes of the graph, 8 for each number of every node: those that all samples share, and those that each sample adds. */
export function bytesNeeded(numbers: MultiHeadNumbers): { shared: number; each: number } {
  const { dim, heads, keyDim, valueDim, source, mask, memory, lengths } = numbers;
  const [rows, columns] = [rowCount(numbers), keyCount(numbers)];
  const [keys, values] = [heads * keyDim, heads * valueDim];
  const output = hasProjection(numbers) ? dim : 0;
  const isBiased = hasBiases(numbers);
  // Typed words are leaves of two axes before the batch axis is put before them.
  const words = (source === "words" ? rows * dim : 0) + (memory ? 2 * columns * dim : 0);
  const weights = dim * (2 * keys + values) + values * output;
  const biases = isBiased ? 2 * keys + values + output : 0;
  const shared = words + weights + biases + (mask === "none" ? 0 : rows * columns);
  // Q, K and V, whole and by heads, and K transposed; the heads, apart and concatenated; x and the output.
  const wide = rows * (dim + output + 2 * keys + 2 * values) + columns * (3 * keys + 2 * values);
  // The products before biases are added to them.
  const products = isBiased ? rows * (keys + output) + columns * (keys + values) : 0;
  // Scores, scaled scores, scores masked by each of the masks, and weights; the draws of dropout, and the weights after it.
  const masks = (mask === "none" ? 0 : 1) + (lengths ? 1 : 0);
  const squares = 3 + masks + (dropoutOf(numbers) > 0 ? 2 : 0);
  const padding = lengths ? 2 * columns : 0;
  return { shared: 8 * shared, each: 8 * (wide + products + squares * heads * rows * columns + padding) };
}

/** Throws Error, before anything is drawn, if the graph would hold more than its limit. */
function checkMemory(graph: Graph, numbers: MultiHeadNumbers): void {
  const { shared, each } = bytesNeeded(numbers);
  const batch = batchCount(numbers);
  const bytes = shared + batch * each;
  const { maxBytes } = graph;
  if (bytes <= maxBytes) return;
  const most = Math.floor((maxBytes - shared) / each);
  const expected = most < 1 ? "smaller sizes" : `at most ${most} with the other sizes as they are`;
  const megabytes = (count: number): string => `${(count / 2 ** 20).toFixed(1)} MB`;
  throw new Error(
    `multi-head: batch is ${batch}, expected ${expected}: its tensors need ${megabytes(bytes)}, the limit is ${megabytes(maxBytes)}.`,
  );
}

/** The rows of typed words, or the typed rows in their place. */
function wordRows(graph: Graph, { tokens, seed, dim, x }: MultiHeadNumbers): Node {
  return x ? typedLeaf(graph, "x", x) : graph.tokenVectors("x", tokens, seed, dim);
}

/** Puts a batch axis of one sample before the rows of typed words. */
const withBatchAxis = (graph: Graph, rows: Node): Node =>
  graph.reshape(rows, { shape: [1, ...rows.shape], name: `${rows.name}_batch` });

/** The mask (B, S) of the keys that are real words: 1 = may be attended. */
function keyMask(graph: Graph, numbers: MultiHeadNumbers): Node {
  const shape = [batchCount(numbers), keyCount(numbers)] as const;
  const real = Array.from({ length: shape[0] }, (_, sample) =>
    Array.from({ length: shape[1] }, (_, key) => +(key < realKeyCount(numbers, sample))),
  );
  return graph.leaf("key_mask", { shape: [...shape], data: Uint8Array.from(real.flat()) });
}

export function build(core: Core, graph: Graph, numbers: MultiHeadNumbers): void {
  checkMemory(graph, numbers);
  const { memory, seed, dim, heads } = numbers;
  const words = numbers.source === "words" ? withBatchAxis(graph, wordRows(graph, numbers)) : null;
  const others = memory ? withBatchAxis(graph, graph.tokenVectors("M", memory, seed, dim)) : null;
  const leaf = withRandom(core, graph, seed, (random) => drawLeaves(graph, random, numbers));
  const x = words ?? leaf["x"]!;
  const keys = others ?? x;
  const biases = hasBiases(numbers) ? { bQ: leaf["b_Q"]!, bK: leaf["b_K"]!, bV: leaf["b_V"]! } : {};
  const projection = hasProjection(numbers)
    ? { wO: leaf["W_O"]!, ...(leaf["b_O"] && { bO: leaf["b_O"] }) }
    : {};
  const parameters = { wQ: leaf["W_Q"]!, wK: leaf["W_K"]!, wV: leaf["W_V"]!, ...biases, ...projection };
  const p = dropoutOf(numbers);
  graph.multiHeadAttention(x, keys, keys, parameters, {
    numHeads: heads,
    ...attentionOptions(graph, numbers, rowCount(numbers), keyCount(numbers)),
    ...(numbers.lengths ? { keyMask: keyMask(graph, numbers) } : {}),
    ...(p > 0 ? { dropout: { p, seed } } : {}),
  });
}
