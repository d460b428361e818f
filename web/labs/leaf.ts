/** Leaves that several labs make alike: rows typed in, and draws of one seed. */
import type { Matrix } from "../config/config.js";
import type { Graph, Node, RandomState } from "../core/attention.js";
import type { Core } from "../core/core.js";

/** Rows typed in, as a leaf. */
export function typedLeaf(graph: Graph, name: string, rows: Matrix): Node {
  const shape = [rows.length, rows[0]?.length ?? 0];
  return graph.leaf(name, { shape, data: Float64Array.from(rows.flat()) });
}

/** Does `work` with the stream of a seed, which ends with it. */
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
