/** Functions that several labs use for their leaves: typed rows, given parameters, and numbers drawn from a seed. */
import type { Matrix } from "../config/config.js";
import type { Graph, Node, RandomState } from "../core/attention.js";
import type { GivenParameters } from "../config/given.js";
import type { Core } from "../core/core.js";
import type { Parameters } from "../core/transformer/parameters.js";

/** Adds typed rows as a leaf. */
export function typedLeaf(graph: Graph, name: string, rows: Matrix): Node {
  const shape = [rows.length, rows[0]?.length ?? 0];
  return graph.leaf(name, { shape, data: Float64Array.from(rows.flat()) });
}

/** Replaces drawn parameters by given ones. `givenName` returns the name of a parameter among the given ones. */
export function setGiven(
  parameters: Parameters,
  given: GivenParameters,
  givenName: (name: string) => string = (name) => name,
): void {
  for (const name of parameters.names) {
    const own = given.get(givenName(name));
    if (own) parameters.set(name, { ...parameters.get(name), data: Float64Array.from(own) });
  }
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
