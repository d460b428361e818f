/** Functions that several labs use for their leaves: typed rows, and numbers drawn from a seed. */
import type { Matrix } from "../config/config.js";
import type { Graph, Node, RandomState } from "../core/attention.js";
import type { Core } from "../core/core.js";

/** Adds typed rows as a leaf. */
export function typedLeaf(graph: Graph, name: string, rows: Matrix): Node {
  const shape = [rows.length, rows[0]?.length ?? 0];
  return graph.leaf(name, { shape, data: Float64Array.from(rows.flat()) });
}

/** Calls `work` with the random stream of a seed, which is deleted afterwards. */
export function withRandom<Result>(
  core: Core,
  graph: Graph,
  seed: number,
  work: (random: RandomState) => Result,
): Result {
  const random = core.randomState(seed, { maxBytes: graph.maxBytes });
  try {
    return work(random);
  } finally {
    random.delete();
  }
}
