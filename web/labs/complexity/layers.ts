/** The four layers of lab 12 in the core (section 4): inputs and layer apart, so that the layer can be counted and timed alone. */
import type { ComplexityNumbers } from "../../config/labs/complexity.js";
import type { Graph, Node, Parameters, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";

/** The layers in the order of the rows. */
export const layerIds = ["attention", "recurrent", "convolution", "near"] as const;
export type LayerId = (typeof layerIds)[number];

/** The lengths that are counted: powers of two from 16 on, and the length of the text as the last. */
export function countedLengths(length: number): number[] {
  return [16, 32, 64, 128, 256].filter((shorter) => shorter < length).concat(length);
}

/** Computes a layer on a graph, once for each call. */
export type RunLayer = () => void;

/** The parameters of all layers, drawn once. */
export interface LayerInputs {
  core: Core;
  numbers: ComplexityNumbers;
  attention: Parameters;
  recurrent: Parameters;
  convolution: Parameters;
}

export function drawLayerInputs(core: Core, numbers: ComplexityNumbers): LayerInputs {
  const { dim, kernel } = numbers;
  const [attention, recurrent, convolution] = [core.parameters(), core.parameters(), core.parameters()];
  attention.draw("multiHeadAttention", { embedDim: dim });
  recurrent.draw("recurrent", { inputSize: dim, hiddenSize: dim });
  convolution.draw("convolution", { inChannels: dim, outChannels: dim, kernelSize: kernel });
  return { core, numbers, attention, recurrent, convolution };
}

export function freeLayerInputs({ attention, recurrent, convolution }: LayerInputs): void {
  for (const parameters of [attention, recurrent, convolution]) parameters.delete();
}

function drawTensor({ core }: LayerInputs, shape: number[]): Tensor {
  using random = core.randomState(0);
  return random.randn(shape);
}

/** The places of the `near` words that each word sees: itself, `near / 2` on its left and one less on its right; fewer on one side at the ends of the text, and more on the other. */
function windowsOf(length: number, near: number): { shape: number[]; data: Int32Array } {
  const half = Math.floor(near / 2);
  const first = (word: number) => Math.min(Math.max(word - half, 0), length - near);
  const data = Int32Array.from({ length: length * near }, (_, at) => {
    const word = Math.floor(at / near);
    return first(word) + (at % near);
  });
  return { shape: [length, near], data };
}

/** Self-attention: its four products with weights, or the heads alone. */
function attention(inputs: LayerInputs, graph: Graph, length: number): RunLayer {
  const { dim, heads, projected } = inputs.numbers;
  if (projected) {
    const x = graph.leaf("x", drawTensor(inputs, [length, dim]));
    const weights = graph.stateDict(inputs.attention);
    const parameters = {
      inProjWeight: weights["in_proj_weight"]!,
      inProjBias: weights["in_proj_bias"]!,
      outProjWeight: weights["out_proj.weight"]!,
      outProjBias: weights["out_proj.bias"]!,
    };
    return () => void graph.multiHeadAttention(x, x, x, parameters, { numHeads: heads });
  }
  const x = graph.leaf("x", drawTensor(inputs, [heads, length, dim / heads]));
  return () => void graph.scaledDotProductAttention(x, x, x);
}

/** Attention of every word to the words near it: keys and values are looked up by place, which computes nothing. */
function near(inputs: LayerInputs, graph: Graph, length: number): RunLayer {
  const { dim, heads, near: reach, projected } = inputs.numbers;
  const width = dim / heads;
  const x = graph.leaf("x", drawTensor(inputs, [length, dim]));
  const windows = graph.leaf("windows", windowsOf(length, reach));
  const weights = projected ? graph.stateDict(inputs.attention) : {};
  const part = (name: string, axis: number, start: number, stop: number): Node =>
    graph.slice(weights[name]!, { axis, start, stop });
  const linears = projected
    ? [0, 1, 2].map((at): [Node, Node] => [
        part("in_proj_weight", 0, at * dim, (at + 1) * dim),
        part("in_proj_bias", 0, at * dim, (at + 1) * dim),
      ])
    : [];
  const project = (words: Node, at: number) =>
    projected ? graph.linear(words, linears[at]![0], linears[at]![1]) : words;
  const gathered = (words: Node) => {
    const rows = graph.reshape(graph.embedding(windows, words), { shape: [length, reach, heads, width] });
    return graph.transpose(rows, { axes: [0, 2, 1, 3] });
  };
  return () => {
    const query = graph.reshape(project(x, 0), { shape: [length, heads, 1, width] });
    const { output } = graph.scaledDotProductAttention(
      query,
      gathered(project(x, 1)),
      gathered(project(x, 2)),
    );
    const joined = graph.reshape(output, { shape: [length, dim] });
    if (projected) graph.linear(joined, weights["out_proj.weight"]!, weights["out_proj.bias"]);
  };
}

function recurrent(inputs: LayerInputs, graph: Graph, length: number): RunLayer {
  const x = graph.leaf("x", drawTensor(inputs, [length, inputs.numbers.dim]));
  graph.stateDict(inputs.recurrent);
  return () => void graph.recurrent(x, inputs.recurrent);
}

function convolution(inputs: LayerInputs, graph: Graph, length: number): RunLayer {
  const { dim, kernel } = inputs.numbers;
  const x = graph.leaf("x", drawTensor(inputs, [length, dim]));
  graph.stateDict(inputs.convolution);
  return () => void graph.convolution(x, inputs.convolution, { padding: Math.floor(kernel / 2) });
}

/** Puts the inputs of a layer on a graph; returns the function that computes the layer. */
export const layers: Readonly<
  Record<LayerId, (inputs: LayerInputs, graph: Graph, length: number) => RunLayer>
> = {
  attention,
  recurrent,
  convolution,
  near,
};
