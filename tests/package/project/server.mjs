// A server has no custom elements: importing the package does nothing there, and the core computes.
import { inspect } from "node:util";
import { AttentionPlayground } from "attention-playground";
import "attention-playground/classic";
import { load as loadAttention } from "attention-playground/core/attention";
import { load } from "attention-playground/core";
import about from "attention-playground/package.json" with { type: "json" };

const x = { shape: [2, 2], data: new Float64Array([1, 0, 0, 1]) };
const small = await loadAttention();
const large = await load();
const { output } = small.scaledDotProductAttention(x, x, x, { isCausal: true });
const graph = large.graph();
const normalized = graph.value(graph.layerNorm(x));
const shown = inspect(graph.leaf("x", x), { breakLength: Infinity });
graph.delete();
console.log(
  JSON.stringify({
    name: about.name,
    element: typeof AttentionPlayground,
    output: [...output.data],
    normalized: [...normalized.data],
    shown,
  }),
);
