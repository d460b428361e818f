/** The graph of the multi-head lab (section 3.2.2). */
import type { MultiHeadNumbers } from "../config/config.js";
import { batchCount, rowCount } from "../config/leaves.js";
import type { Core, Graph, Node, RandomState } from "../core/attention.js";
import { attentionOptions } from "./attend.js";
import { withRandom } from "./leaf.js";

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

export function build(core: Core, graph: Graph, numbers: MultiHeadNumbers): void {
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
