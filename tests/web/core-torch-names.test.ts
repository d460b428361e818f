// Operations under PyTorch's names have PyTorch's numbers, and make the same node as the operation that they stand for.
// The reference numbers are those of torch 1.13 in float64: torch.cat, Tensor.masked_fill and torch.nn.functional.kl_div of the tensors below.
import { describe, expect, test } from "vitest";
import type { Graph, Node, Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const tensor = (shape: number[], ...data: number[]): Tensor<Float64Array> => ({
  shape,
  data: Float64Array.from(data),
});
const flags = (...data: number[]) => ({ shape: [data.length], data: Uint8Array.from(data) });

const x = tensor([2, 3], 1, -2, 3, 0.5, 0, -1);
const row = tensor([1, 3], 7, 8, 9);
const masked = flags(1, 0, 1);
/** torch.log_softmax(x, -1). */
const logProbabilities = tensor(
  [2, 3],
  ...[-2.1328452337275756, -5.132845233727576, -0.13284523372757556],
  ...[-0.6041306053367284, -1.1041306053367284, -2.1041306053367284],
);
const probabilities = tensor([2, 3], 0.1, 0.2, 0.7, 0.5, 0.5, 0);

describe("the numbers are PyTorch's", () => {
  test("cat joins along the first axis, or along dim", () => {
    expect(core.cat([x, row])).toEqual(tensor([3, 3], 1, -2, 3, 0.5, 0, -1, 7, 8, 9));
    expect(core.cat([x, x], { dim: -1 })).toEqual(tensor([2, 6], 1, -2, 3, 1, -2, 3, 0.5, 0, -1, 0.5, 0, -1));
  });

  test("maskedFill fills where the mask is 1, whatever fill the mask itself has", () => {
    const filled = tensor([2, 3], -1e9, -2, -1e9, -1e9, 0, -1e9);
    expect(core.maskedFill(x, masked, { value: -1e9 })).toEqual(filled);
    expect(core.maskedFill(x, { ...masked, fill: 5 }, { value: -1e9 })).toEqual(filled);
    expect(core.maskedFill(x, masked, { value: -Infinity })).toEqual(
      tensor([2, 3], -Infinity, -2, -Infinity, -Infinity, 0, -Infinity),
    );
  });

  test("a filled cell passes no gradient on", () => {
    using graph = core.graph();
    const leaf = graph.leaf("x", x);
    const filled = graph.maskedFill(leaf, masked, { value: -1e9 });
    graph.backward(filled, tensor([2, 3], 1, 2, 3, 4, 5, 6));
    expect(graph.gradient(leaf)).toEqual(tensor([2, 3], 0, 2, 0, 0, 5, 0));
  });

  test.each([
    [undefined, [0.11533501766017022]],
    ["mean", [0.11533501766017022]],
    ["sum", [0.6920101059610213]],
    ["batchmean", [0.34600505298051065]],
    [
      "none",
      [
        -0.01697398592664698, 0.7046814642586949, -0.1566807971478098, -0.044508287611608466,
        0.20549171238839153, 0,
      ],
    ],
  ] as const)("klDiv takes log-probabilities first, reduction %s", (reduction, expected) => {
    const { data } = core.klDiv(logProbabilities, probabilities, reduction && { reduction });
    expect(data).toHaveLength(expected.length);
    expected.forEach((value, place) => expect(data[place]).toBeCloseTo(value, 14));
  });
});

/** The call by PyTorch's name and the call by the library's name that make the same node. */
const pairs: Record<string, [torch: (graph: Graph) => Node, own: (graph: Graph) => Node]> = {
  cat: [
    (graph) => graph.cat([x, row], { name: "y" }),
    (graph) => graph.concat([x, row], { axis: 0, name: "y" }),
  ],
  maskedFill: [
    (graph) => graph.maskedFill(x, masked, { value: 7, name: "y" }),
    (graph) => graph.mask(x, flags(0, 1, 0), { fill: 7, name: "y" }),
  ],
  klDiv: [
    (graph) => graph.klDiv(logProbabilities, probabilities, { reduction: "batchmean", name: "y" }),
    (graph) => graph.klDivergence(logProbabilities, probabilities, { reduction: "batchmean", name: "y" }),
  ],
};

describe("in a graph", () => {
  test.each(Object.entries(pairs))("%s makes the same nodes as the operation", (_, calls) => {
    const [torch, own] = calls.map((call) => {
      using graph = core.graph();
      call(graph);
      return { nodes: graph.describe(), values: graph.snapshot() };
    });
    expect(torch).toEqual(own);
  });

  test("maskedFill refuses a node as its mask, and nothing is kept", () => {
    using graph = core.graph();
    const node = graph.leaf("hidden", masked) as unknown as Tensor<Uint8Array>;
    expect(() => graph.maskedFill(x, node, { value: 0 })).toThrow(
      'maskedFill: mask is "hidden", expected a tensor; mask(x, keep, { fill }) takes a node',
    );
    expect(graph.describe().map(({ name }) => name)).toEqual(["hidden"]);
  });
});
