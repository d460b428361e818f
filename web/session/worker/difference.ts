/** The difference to a stored state: present minus earlier numbers, cell by cell, computed in the core. */
import type { Graph, Snapshot } from "../../core/attention.js";
import type { Core } from "../../core/core.js";
import type { Before } from "../messages.js";

/** now - before of every node of `graph` that is also in `before`, with the same shape. It uses a graph of its own, which is freed at the end. */
export function differences(core: Core, graph: Graph, before: readonly Before[]): Snapshot[] {
  const shapes = new Map(graph.describe().map(({ name, shape }) => [name, shape.join()]));
  return before
    .filter(({ name, shape }) => shapes.get(name) === shape.join())
    .map(({ name, shape, data }) => {
      const own = core.graph({ precision: "float64", maxBytes: graph.maxBytes });
      try {
        const now = { shape: [...shape], data: Float64Array.from(graph.value(name).data) };
        own.add(now, own.scale({ shape: [...shape], data }, { factor: -1 }), { name });
        return own.snapshot([name])[0]!;
      } finally {
        own.delete();
      }
    });
}
