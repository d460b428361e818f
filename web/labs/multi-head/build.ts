/** The graph of the multi-head lab (section 3.2.2). */
import type { MultiHeadNumbers } from "../../config/config.js";
import { batchCount, rowCount } from "../../config/labs/multi-head.js";
import type { Graph, Node, RandomState } from "../../core/attention.js";
import type { Core } from "../../core/core.js";
import { attentionOptions } from "../attention/attend.js";
import { withRandom } from "../leaf.js";

/** The leaves in the order in which they are drawn, with their shapes. */
function draws(numbers: MultiHeadNumbers): [string, number[]][] {
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

/** Draws everything `run` times from one stream, as a notebook cell that is run again does; the last draws are kept. */
function drawn(graph: Graph, random: RandomState, numbers: MultiHeadNumbers): Record<string, Node> {
  for (let run = 1; run < numbers.run; run += 1) for (const [, shape] of draws(numbers)) random.randn(shape);
  const kept = draws(numbers).map(([name, shape]): [string, Node] => {
    const divided = numbers.draw === "scaled" && name !== "x";
    return [
      name,
      graph.draw(name, random, "randn", divided ? { shape, sqrtDivisor: numbers.dim } : { shape }),
    ];
  });
  return Object.fromEntries(kept);
}

/** What the graph holds in bytes, 8 for each number of every node: what all samples share, and what each of them adds. */
export function bytesNeeded(numbers: MultiHeadNumbers): { shared: number; each: number } {
  const { dim, heads, keyDim, valueDim, source, mask } = numbers;
  const rows = rowCount(numbers);
  const [keys, values] = [heads * keyDim, heads * valueDim];
  const masked = mask === "none" ? 0 : 1;
  // Typed words are a leaf of two axes before the batch axis is put before them.
  const leaves = 2 * dim * (keys + values) + masked * rows ** 2 + (source === "words" ? rows * dim : 0);
  // x and the output; Q, K and V as they are made and by heads, K transposed too; what the heads give, apart and side by side.
  const wide = rows * (2 * dim + 5 * keys + 4 * values);
  // Scores, scaled, masked where there is a mask, and weights.
  const square = (3 + masked) * heads * rows ** 2;
  return { shared: 8 * leaves, each: 8 * (wide + square) };
}

/** Throws Error, before anything is drawn, where the graph would hold more than its limit. */
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

export function build(core: Core, graph: Graph, numbers: MultiHeadNumbers): void {
  checkMemory(graph, numbers);
  const { tokens, seed, dim, heads } = numbers;
  const length = rowCount(numbers);
  let x: Node | null = null;
  if (numbers.source === "words") {
    // Words are one sample: the batch axis is put before their rows.
    x = graph.reshape(graph.tokenVectors("x", tokens, seed, dim), {
      shape: [1, length, dim],
      name: "x_batch",
    });
  }
  const leaf = withRandom(core, graph, seed, (random) => drawn(graph, random, numbers));
  x ??= leaf["x"]!;
  const parameters = { wQ: leaf["W_Q"]!, wK: leaf["W_K"]!, wV: leaf["W_V"]!, wO: leaf["W_O"]! };
  graph.multiHeadAttention(x, x, x, parameters, {
    numHeads: heads,
    ...attentionOptions(graph, numbers, length, length),
  });
}
