/** Builds the graph of the positions lab: the table of an encoding, or vectors before and after an encoding. */
import type { PositionsNumbers } from "../../config/config.js";
import { hasOrder, positionCount } from "../../config/labs/positions.js";
import type { DrawOptions, Graph, Node } from "../../core/attention.js";
import type { Core } from "../../core/core.js";
import { buildOrder } from "./order/build.js";
import { typedLeaf, withRandom } from "../leaf.js";

function positionOptions(numbers: PositionsNumbers): { positions: readonly number[] } | { length: number } {
  return numbers.positions ? { positions: numbers.positions } : { length: numbers.length };
}

/** Adds a leaf of numbers drawn from the seed. */
function drawLeaf(core: Core, graph: Graph, name: string, seed: number, options: DrawOptions): Node {
  return withRandom(core, graph, seed, (random) => graph.draw(name, random, "randn", options));
}

/** The vectors that RoPE rotates, one for each position: typed rows, one typed row for all positions, or drawn rows. */
function rotaryInput(core: Core, graph: Graph, numbers: PositionsNumbers): Node {
  const count = positionCount(numbers);
  if (!numbers.x) return drawLeaf(core, graph, "X", numbers.seed, { shape: [count, numbers.dim] });
  const rows = typedLeaf(graph, "X", numbers.x);
  if (numbers.x.length === count) return rows;
  return graph.embedding({ shape: [count], data: new Int32Array(count) }, rows, { name: "rows" });
}

export function build(core: Core, graph: Graph, numbers: PositionsNumbers): void {
  const { encoding, dim, base, seed } = numbers;
  if (hasOrder(numbers)) return buildOrder(core, graph, numbers);
  const count = positionCount(numbers);
  if (encoding === "rotary") {
    graph.rotary(rotaryInput(core, graph, numbers), {
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
    const table = graph.sinusoidal({ ...positionOptions(numbers), dim, base, name: "PE_p" });
    const shift = graph.transpose(graph.shiftMatrix({ offset: numbers.offset, dim, base, name: "M" }), {
      name: "M_T",
    });
    graph.matmul(table, shift, { name: "M_PE_p" });
    graph.sinusoidal({ ...positionOptions(numbers), offset: numbers.offset, dim, base, name: "PE_pk" });
    return;
  }
  const table =
    encoding === "sinusoidal"
      ? graph.sinusoidal({ ...positionOptions(numbers), dim, base, name: "PE" })
      : encoding === "absolute"
        ? graph.absoluteIndex({ ...positionOptions(numbers), dim, name: "PE" })
        : drawLeaf(core, graph, "PE", seed, { shape: [count, dim], sqrtDivisor: dim });
  if (numbers.x) graph.add(typedLeaf(graph, "X", numbers.x), table, { name: "input" });
  // The similarity of two positions is the dot product of their rows.
  else graph.matmul(table, graph.transpose(table, { name: "PE_T" }), { name: "similarity" });
}
