/** The graph of the positions lab: a table of an encoding, or what it does to vectors. */
import type { PositionsNumbers } from "../../config/config.js";
import { hasOrder, positionCount } from "../../config/labs/positions.js";
import type { DrawOptions, Graph, Node } from "../../core/attention.js";
import type { Core } from "../../core/core.js";
import { buildOrder } from "./order/build.js";
import { typedLeaf, withRandom } from "../leaf.js";

function places(numbers: PositionsNumbers): { positions: readonly number[] } | { length: number } {
  return numbers.positions ? { positions: numbers.positions } : { length: numbers.length };
}

/** A leaf of numbers drawn from the seed. */
function drawn(core: Core, graph: Graph, name: string, seed: number, given: DrawOptions): Node {
  return withRandom(core, graph, seed, (random) => graph.draw(name, random, "randn", given));
}

/** The vectors that RoPE turns, one per position: typed, typed once for all, or drawn. */
function vectors(core: Core, graph: Graph, numbers: PositionsNumbers): Node {
  const count = positionCount(numbers);
  if (!numbers.x) return drawn(core, graph, "X", numbers.seed, { shape: [count, numbers.dim] });
  const typed = typedLeaf(graph, "X", numbers.x);
  if (numbers.x.length === count) return typed;
  return graph.embedding({ shape: [count], data: new Int32Array(count) }, typed, { name: "rows" });
}

export function build(core: Core, graph: Graph, numbers: PositionsNumbers): void {
  const { encoding, dim, base, seed } = numbers;
  if (hasOrder(numbers)) return buildOrder(core, graph, numbers);
  const count = positionCount(numbers);
  if (encoding === "rotary") {
    graph.rotary(vectors(core, graph, numbers), {
      ...(numbers.positions ? { positions: numbers.positions } : {}),
      base,
      layout: "interleaved",
      name: "rotated",
    });
    return;
  }
  if (encoding === "alibi") {
    graph.alibi({ numHeads: numbers.heads, queryLength: count, keyLength: count, name: "bias" });
    return;
  }
  if (encoding === "shift") {
    const here = graph.sinusoidal({ ...places(numbers), dim, base, name: "PE_p" });
    const shift = graph.transpose(graph.shiftMatrix({ offset: numbers.offset, dim, base, name: "M" }), {
      name: "M_T",
    });
    graph.matmul(here, shift, { name: "M_PE_p" });
    graph.sinusoidal({ ...places(numbers), offset: numbers.offset, dim, base, name: "PE_pk" });
    return;
  }
  const encoded =
    encoding === "sinusoidal"
      ? graph.sinusoidal({ ...places(numbers), dim, base, name: "PE" })
      : encoding === "absolute"
        ? graph.absoluteIndex({ ...places(numbers), dim, name: "PE" })
        : drawn(core, graph, "PE", seed, { shape: [count, dim], sqrtDivisor: dim });
  if (numbers.x) graph.add(typedLeaf(graph, "X", numbers.x), encoded, { name: "input" });
  // How alike two positions are: the dot product of their rows.
  else graph.matmul(encoded, graph.transpose(encoded, { name: "PE_T" }), { name: "similarity" });
}
