/** Words in two orders, through attention without an encoding or with each of them (section 3.5). No weights: words look at each other as they are. */
import type { PositionsNumbers } from "../../../config/config.js";
import { orderOf, swapped } from "../../../config/labs/positions.js";
import type { Graph, Node } from "../../../core/attention.js";
import type { Core } from "../../../core/core.js";
import { schemesOf, under, type Scheme } from "./schemes.js";
import { withRandom } from "../../leaf.js";

/** The words as a scheme gives them to attention, by their rows: what queries and keys are made of, and what is handed over. */
type Encode = (x: Node, name: string) => { looks: Node; value: Node; bias?: Node };

/** (n, n): what ALiBi's first head adds to the scores. */
function firstBias(graph: Graph, heads: number, count: number): Node {
  const { bias } = graph.alibi({ numHeads: heads, queryLength: count, keyLength: count, name: "alibi.bias" });
  const first = graph.slice(bias, { axis: 0, start: 0, stop: 1, name: "alibi.first" });
  return graph.reshape(first, { shape: [count, count], name: "alibi.distance" });
}

function encoding(core: Core, graph: Graph, numbers: PositionsNumbers, scheme: Scheme): Encode {
  const { tokens, dim } = orderOf(numbers);
  const { base, seed, heads } = numbers;
  const [length, name] = [tokens.length, `${scheme}.PE`];
  const added = (table: Node): Encode => {
    return (x, input) => {
      const looks = graph.add(x, table, { name: input });
      return { looks, value: looks };
    };
  };
  switch (scheme) {
    case "none":
      return (x) => ({ looks: x, value: x });
    case "absolute":
      return added(graph.absoluteIndex({ length, dim, name }));
    case "learned":
      return added(
        withRandom(core, graph, seed, (random) =>
          graph.draw(name, random, "randn", { shape: [length, dim], sqrtDivisor: dim }),
        ),
      );
    case "sinusoidal":
      return added(graph.sinusoidal({ length, dim, base, name }));
    case "rotary":
      return (x, input) => ({
        looks: graph.rotary(x, { base, layout: "interleaved", name: input }),
        value: x,
      });
    case "alibi": {
      const bias = firstBias(graph, heads, length);
      return (x) => ({ looks: x, value: x, bias });
    }
  }
}

/** difference = attention(PX) - P attention(X), for each scheme, with P the change of places. */
export function buildOrder(core: Core, graph: Graph, numbers: PositionsNumbers): void {
  const order = orderOf(numbers);
  const x = graph.tokenVectors("X", order.tokens, numbers.seed, order.dim);
  const places = graph.leaf("order", {
    shape: [order.tokens.length],
    data: Int32Array.from(swapped(order)),
  });
  const moved = graph.embedding(places, x, { name: "swapped.X" });
  for (const scheme of schemesOf(numbers)) {
    const name = under(numbers, scheme);
    const encode = encoding(core, graph, numbers, scheme);
    const attend = (rows: Node, side: "" | "swapped."): Node => {
      const { looks, value, bias } = encode(rows, name(`${side}input`));
      return graph.scaledDotProductAttention(looks, looks, value, {
        ...(bias ? { mask: bias } : {}),
        name: name(side).replace(/\.$/, ""),
      }).output;
    };
    const [first, second] = [attend(x, ""), attend(moved, "swapped.")];
    const carried = graph.embedding(places, first, { name: name("moved") });
    const minus = graph.scale(carried, { factor: -1, name: name("minus") });
    graph.add(second, minus, { name: name("difference") });
  }
}
