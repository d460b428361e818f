/** The four layers of lab 12 in the core (section 4): what goes in, and the layer itself, so that it can be counted and timed alone. */
import type { ComplexityNumbers } from "../../config/labs/complexity.js";
import type { Graph, Node, Parameters, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";

/** In the order of the rows. */
export const layerIds = ["attention", "recurrent", "convolution", "near"] as const;
export type LayerId = (typeof layerIds)[number];

/** The lengths that are counted: doubled from 16 on, and last the text's own. */
export function countedLengths(length: number): number[] {
  return [16, 32, 64, 128, 256].filter((shorter) => shorter < length).concat(length);
}

/** A layer ready on a graph: each call computes it once more. */
export type Ready = () => void;

/** What every layer reads, drawn once. */
export interface Stock {
  core: Core;
  numbers: ComplexityNumbers;
  attention: Parameters;
  recurrent: Parameters;
  convolution: Parameters;
}

export function stockOf(core: Core, numbers: ComplexityNumbers): Stock {
  const { dim, kernel } = numbers;
  const [attention, recurrent, convolution] = [core.parameters(), core.parameters(), core.parameters()];
  attention.draw("multiHeadAttention", { embedDim: dim });
  recurrent.draw("recurrent", { inputSize: dim, hiddenSize: dim });
  convolution.draw("convolution", { inChannels: dim, outChannels: dim, kernelSize: kernel });
  return { core, numbers, attention, recurrent, convolution };
}

export function freeStock({ attention, recurrent, convolution }: Stock): void {
  for (const parameters of [attention, recurrent, convolution]) parameters.delete();
}

function drawn({ core }: Stock, shape: number[]): Tensor {
  using random = core.randomState(0);
  return random.randn(shape);
}

/** For every word the places of the words near it: as many on both sides as there are, `near` in all. */
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
function attention(stock: Stock, graph: Graph, length: number): Ready {
  const { dim, heads, projected } = stock.numbers;
  if (projected) {
    const x = graph.leaf("x", drawn(stock, [length, dim]));
    const weights = graph.stateDict(stock.attention);
    const parameters = {
      inProjWeight: weights["in_proj_weight"]!,
      inProjBias: weights["in_proj_bias"]!,
      outProjWeight: weights["out_proj.weight"]!,
      outProjBias: weights["out_proj.bias"]!,
    };
    return () => void graph.multiHeadAttention(x, x, x, parameters, { numHeads: heads });
  }
  const x = graph.leaf("x", drawn(stock, [heads, length, dim / heads]));
  return () => void graph.scaledDotProductAttention(x, x, x);
}

/** Attention of every word to the words near it: keys and values are looked up by place, which computes nothing. */
function near(stock: Stock, graph: Graph, length: number): Ready {
  const { dim, heads, near: reach, projected } = stock.numbers;
  const width = dim / heads;
  const x = graph.leaf("x", drawn(stock, [length, dim]));
  const windows = graph.leaf("windows", windowsOf(length, reach));
  const weights = projected ? graph.stateDict(stock.attention) : {};
  const part = (name: string, axis: number, start: number, stop: number): Node =>
    graph.slice(weights[name]!, { axis, start, stop });
  const linears = projected
    ? [0, 1, 2].map((at): [Node, Node] => [
        part("in_proj_weight", 0, at * dim, (at + 1) * dim),
        part("in_proj_bias", 0, at * dim, (at + 1) * dim),
      ])
    : [];
  const asked = (words: Node, at: number) =>
    projected ? graph.linear(words, linears[at]![0], linears[at]![1]) : words;
  const gathered = (words: Node) => {
    const rows = graph.reshape(graph.embedding(windows, words), { shape: [length, reach, heads, width] });
    return graph.transpose(rows, { axes: [0, 2, 1, 3] });
  };
  return () => {
    const query = graph.reshape(asked(x, 0), { shape: [length, heads, 1, width] });
    const { output } = graph.scaledDotProductAttention(query, gathered(asked(x, 1)), gathered(asked(x, 2)));
    const joined = graph.reshape(output, { shape: [length, dim] });
    if (projected) graph.linear(joined, weights["out_proj.weight"]!, weights["out_proj.bias"]);
  };
}

function recurrent(stock: Stock, graph: Graph, length: number): Ready {
  const x = graph.leaf("x", drawn(stock, [length, stock.numbers.dim]));
  graph.stateDict(stock.recurrent);
  return () => void graph.recurrent(x, stock.recurrent);
}

function convolution(stock: Stock, graph: Graph, length: number): Ready {
  const { dim, kernel } = stock.numbers;
  const x = graph.leaf("x", drawn(stock, [length, dim]));
  graph.stateDict(stock.convolution);
  return () => void graph.convolution(x, stock.convolution, { padding: Math.floor(kernel / 2) });
}

/** Puts what a layer reads on a graph, and gives back the layer. */
export const layers: Readonly<Record<LayerId, (stock: Stock, graph: Graph, length: number) => Ready>> = {
  attention,
  recurrent,
  convolution,
  near,
};
