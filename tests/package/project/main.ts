// The page of another project: the element, both parts of the core, and their types.
import type { AttentionPlayground, ElementTensor } from "attention-playground";
import "attention-playground";
import { load as loadAttention, type Tensor } from "attention-playground/core/attention";
import { load } from "attention-playground/core";
import frame from "attention-playground/embed.html?url";
import type { Found } from "./found.js";

async function found(): Promise<Found> {
  const element: AttentionPlayground = document.querySelector("attention-playground")!;
  element.addEventListener("cell-focus", ({ detail }) => {
    const [row = 0]: number[] = detail.index;
    element.title = `${detail.tensor} ${row + detail.value}`;
  });
  element.addEventListener("change", (event) => history.replaceState(null, "", event.detail.src));
  element.addEventListener("click", (event) => event.clientX);
  const tensors: Record<string, ElementTensor> = await element.tensors();
  const shown = Object.fromEntries(
    Object.entries(tensors).map(([name, { shape, data }]) => [name, { shape, data: [...data] }]),
  );

  const x: Tensor = { shape: [2, 2], data: new Float64Array([1, 0, 0, 1]) };
  const small = await loadAttention();
  const { output } = small.scaledDotProductAttention(x, x, x, { isCausal: true });
  const large = await load();
  using graph = large.graph();
  const normalized = graph.value(graph.layerNorm(x));
  return {
    shown,
    state: element.state,
    attention: { build: small.build, output: [...output.data] },
    whole: { build: large.build, normalized: [...normalized.data] },
    frame,
  };
}

window.found = found();
