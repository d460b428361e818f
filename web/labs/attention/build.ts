/** Builds the graph of the attention lab, all steps of one head (section 3.2.1 of the paper), for the settings that the small part of the core can compute; whole-build.ts builds the others. */
import type { AttentionNumbers, Matrix } from "../../config/config.js";
import { keyCount } from "../../config/labs/attention.js";
import type { Graph, Node } from "../../core/attention.js";
import type { Core } from "../../core/core.js";
import { attentionOptions } from "./attend.js";
import { typedLeaf, withRandom } from "../leaf.js";

/** Adds a drawn parameter. It has as many inputs as rows. */
type DrawParameter = (name: string, shape: number[]) => Node;

/** Adds the leaves: the words, the words that give keys and values, and the weights in the order in which they are drawn. `after` draws further parameters. */
export function addLeaves<More>(
  core: Core,
  graph: Graph,
  numbers: AttentionNumbers,
  after: (draw: DrawParameter) => More,
) {
  const { tokens, memory, dim, keyDim, valueDim, seed, draw } = numbers;
  const words =
    numbers.source === "values" && numbers.x
      ? typedLeaf(graph, "X", numbers.x)
      : graph.tokenVectors("X", tokens, seed, dim);
  const source = memory.length ? graph.tokenVectors("M", memory, seed, dim) : words;
  return withRandom(core, graph, seed, (random) => {
    const drawParameter: DrawParameter = (name, shape) =>
      draw === "randint"
        ? graph.draw(name, random, "randint", { shape, low: 0, high: 3 })
        : graph.draw(name, random, "randn", { shape, sqrtDivisor: shape[0]! });
    const weight = (name: string, typed: Matrix | null, width: number): Node => {
      if (!typed) return drawParameter(name, [dim, width]);
      // A typed weight is drawn too, so that the others keep their numbers.
      if (draw === "randint") random.randint(0, 3, [dim, width]);
      else random.randn([dim, width]);
      return typedLeaf(graph, name, typed);
    };
    const wq = weight("W_Q", numbers.wq, keyDim);
    const wk = weight("W_K", numbers.wk, keyDim);
    const wv = weight("W_V", numbers.wv, valueDim);
    return { words, source, wq, wk, wv, more: after(drawParameter) };
  });
}

export function build(core: Core, graph: Graph, numbers: AttentionNumbers): void {
  const { words, source, wq, wk, wv } = addLeaves(core, graph, numbers, () => null);
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
