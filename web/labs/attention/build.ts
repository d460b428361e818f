/** The graph of the attention lab: one head, every step of it (section 3.2.1). */
import type { AttentionNumbers, Matrix } from "../../config/config.js";
import { keyCount } from "../../config/labs/attention.js";
import type { Graph, Node, RandomState } from "../../core/attention.js";
import type { Core } from "../../core/core.js";
import { attentionOptions } from "./attend.js";
import { typedLeaf, withRandom } from "../leaf.js";

/** W_Q, W_K and W_V in the order in which they are drawn. A typed one is drawn too, so that the others keep their places. */
function weights(graph: Graph, random: RandomState, numbers: AttentionNumbers): [Node, Node, Node] {
  const { dim, keyDim, valueDim, draw } = numbers;
  const weight = (name: string, typed: Matrix | null, width: number): Node => {
    const shape = [dim, width];
    if (typed) {
      if (draw === "randint") random.randint(0, 3, shape);
      else random.randn(shape);
      return typedLeaf(graph, name, typed);
    }
    return draw === "randint"
      ? graph.draw(name, random, "randint", { shape, low: 0, high: 3 })
      : graph.draw(name, random, "randn", { shape, sqrtDivisor: dim });
  };
  return [
    weight("W_Q", numbers.wq, keyDim),
    weight("W_K", numbers.wk, keyDim),
    weight("W_V", numbers.wv, valueDim),
  ];
}

/** The words, the words they see, and the weights; `after` draws what else there is from the same stream. */
export function leaves<More>(
  core: Core,
  graph: Graph,
  numbers: AttentionNumbers,
  after: (random: RandomState) => More,
): { words: Node; source: Node; wq: Node; wk: Node; wv: Node; more: More } {
  const { tokens, memory, dim, seed } = numbers;
  const words =
    numbers.source === "values" && numbers.x
      ? typedLeaf(graph, "X", numbers.x)
      : graph.tokenVectors("X", tokens, seed, dim);
  const source = memory.length ? graph.tokenVectors("M", memory, seed, dim) : words;
  return withRandom(core, graph, seed, (random) => {
    const [wq, wk, wv] = weights(graph, random, numbers);
    return { words, source, wq, wk, wv, more: after(random) };
  });
}

export function build(core: Core, graph: Graph, numbers: AttentionNumbers): void {
  const { words, source, wq, wk, wv } = leaves(core, graph, numbers, () => null);
  const query = graph.matmul(words, wq, { name: "Q" });
  const key = graph.matmul(source, wk, { name: "K" });
  const value = graph.matmul(source, wv, { name: "V" });
  graph.scaledDotProductAttention(
    query,
    key,
    value,
    attentionOptions(graph, numbers, numbers.tokens.length, keyCount(numbers)),
  );
}
