/** The gray images of a vision Transformer as the image lab reads them: three channels with the same numbers v from −1 to 1, in 16 levels. */
import type { Graph } from "../../core/index.js";

/** The pixels of the task go from `least` to `most`; the image lab holds them as levels from 0 to `levels`. */
const PIXELS = { least: -0.3, most: 1.3, levels: 15 } as const;

/** The nearest level of a pixel. */
export function levelOf(pixel: number): number {
  const share = (pixel - PIXELS.least) / (PIXELS.most - PIXELS.least);
  return Math.round(PIXELS.levels * Math.max(0, Math.min(1, share)));
}

/** The nodes of the projection for such images: (3 P P, D) and (D). */
export const GRAY = { weight: "gray.W_E", bias: "gray.b_E" } as const;

/**
 * Adds the projection of gray patches, (D, 1, P, P), as one of patches with three channels. A pixel is middle + half · v, so each channel has a
 * third of `half` times the weights, and the bias adds `middle` times their sum.
 */
export function addGrayProjection(graph: Graph): void {
  const weight = graph.node("conv_proj.weight");
  const [dim = 1, ...patch] = weight.shape;
  const pixels = patch.reduce((product, size) => product * size, 1);
  const columns = graph.transpose(graph.reshape(weight, { shape: [dim, pixels] }));
  const half = (PIXELS.most - PIXELS.least) / 2;
  const channel = graph.scale(columns, { factor: half / 3 });
  graph.concat([channel, channel, channel], { axis: 0, name: GRAY.weight });
  const middles = graph.scale(graph.sum(columns, { axis: 0 }), { factor: PIXELS.least + half });
  graph.add(graph.node("conv_proj.bias"), middles, { name: GRAY.bias });
}
