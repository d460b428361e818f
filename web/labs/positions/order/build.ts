/** Builds attention over words in two orders, without an encoding or with each encoding (section 3.5). There are no projections: the words themselves are queries, keys and values. */
import type { PositionsNumbers } from "../../../config/config.js";
import { orderOf, swappedOrder } from "../../../config/labs/positions.js";
import type { Graph, Node } from "../../../core/attention.js";
import type { Core } from "../../../core/core.js";
import { schemesOf, nodeNamer, type Scheme } from "./schemes.js";
import { withRandom } from "../../leaf.js";

/** Encodes rows of words by a scheme: the rows that are queries and keys, those that are values, and a bias for the scores. */
type Encode = (x: Node, name: string) => { queriesAndKeys: Node; values: Node; bias?: Node };

/** The bias (n, n) that ALiBi's first head adds to the scores. */
function firstBias(graph: Graph, heads: number, count: number): Node {
  const { bias } = graph.alibi({ numHeads: heads, queryLength: count, keyLength: count, name: "alibi.bias" });
  const first = graph.slice(bias, { axis: 0, start: 0, stop: 1, name: "alibi.first" });
  return graph.reshape(first, { shape: [count, count], name: "alibi.distance" });
}

function encodeBy(core: Core, graph: Graph, numbers: PositionsNumbers, scheme: Scheme): Encode {
  const { tokens, dim } = orderOf(numbers);
  const { base, seed, heads } = numbers;
  const [length, name] = [tokens.length, `${scheme}.PE`];
  const addTable = (table: Node): Encode => {
    return (x, input) => {
      const sum = graph.add(x, table, { name: input });
      return { queriesAndKeys: sum, values: sum };
    };
  };
  switch (scheme) {
    case "none":
      return (x) => ({ queriesAndKeys: x, values: x });
    case "absolute":
      return addTable(graph.absoluteIndex({ length, dim, name }));
    case "learned":
      return addTable(
        withRandom(core, graph, seed, (random) =>
          graph.draw(name, random, "randn", { shape: [length, dim], sqrtDivisor: dim }),
        ),
      );
    case "sinusoidal":
      return addTable(graph.sinusoidal({ length, dim, base, name }));
    case "rotary":
      return (x, input) => ({
        queriesAndKeys: graph.rotary(x, { base, layout: "interleaved", name: input }),
        values: x,
      });
    case "alibi": {
      const bias = firstBias(graph, heads, length);
      return (x) => ({ queriesAndKeys: x, values: x, bias });
    }
  }
}

/** difference = attention(PX) - P attention(X), for each scheme, where P swaps two words. */
export function buildOrder(core: Core, graph: Graph, numbers: PositionsNumbers): void {
  const order = orderOf(numbers);
  const x = graph.tokenVectors("X", order.tokens, numbers.seed, order.dim);
  const places = graph.leaf("order", {
    shape: [order.tokens.length],
    data: Int32Array.from(swappedOrder(order)),
  });
  const swappedX = graph.embedding(places, x, { name: "swapped.X" });
  for (const scheme of schemesOf(numbers)) {
    const name = nodeNamer(numbers, scheme);
    const encode = encodeBy(core, graph, numbers, scheme);
    const attend = (rows: Node, side: "" | "swapped."): Node => {
      const { queriesAndKeys, values, bias } = encode(rows, name(`${side}input`));
      return graph.scaledDotProductAttention(queriesAndKeys, queriesAndKeys, values, {
        ...(bias ? { mask: bias } : {}),
        name: name(side).replace(/\.$/, ""),
      }).output;
    };
    const [first, second] = [attend(x, ""), attend(swappedX, "swapped.")];
    const swappedOutput = graph.embedding(places, first, { name: name("moved") });
    const negated = graph.scale(swappedOutput, { factor: -1, name: name("minus") });
    graph.add(second, negated, { name: name("difference") });
  }
}
