// The cost of graphs: operations, parameters, and memory that is reused.
import { beforeAll, expect, test } from "vitest";
import { load, type Core, type Tensor } from "../../web/core/index.js";

let core: Core;
beforeAll(async () => {
  core = await load({ build: "simd" });
});

const zeros = (...shape: number[]): Tensor<Float64Array> => ({
  shape,
  data: new Float64Array(shape.reduce((product, size) => product * size, 1)),
});

test("a product counts two operations per multiply-add, and its matrix is a parameter", () => {
  const graph = core.graph();
  graph.leaf("x", zeros(2, 3, 5));
  graph.leaf("W", zeros(5, 7));
  graph.matmul(graph.node("x"), graph.node("W"), { name: "y" });
  const described = Object.fromEntries(graph.describe().map((node) => [node.name, node]));
  expect(described["x"]).toMatchObject({ op: "leaf", flops: 0, parameters: 0, origin: { kind: "literal" } });
  expect(described["W"]).toMatchObject({ flops: 0, parameters: 35 });
  expect(described["y"]).toMatchObject({ op: "matmul", flops: 2 * 2 * 3 * 5 * 7, parameters: 0 });
  expect(graph.cost()).toEqual({ flops: 420, parameters: 35 });
  graph.delete();
});

test("an encoder layer has as many parameters as PyTorch's", () => {
  const parameters = core.parameters();
  parameters.draw("encoderLayer", { dModel: 8, dFf: 32 });
  const graph = core.graph();
  graph.encoderLayer(zeros(2, 5, 8), parameters, { numHeads: 2 });
  // in_proj, out_proj, linear1, linear2, two norms
  const expected = 3 * 64 + 24 + (64 + 8) + (8 * 32 + 32) + (32 * 8 + 8) + 4 * 8;
  expect(graph.cost().parameters).toBe(expected);
  expect(parameters.count).toBe(expected);
  graph.delete();
  parameters.delete();
});

test("a thousand graphs need no more memory than ten", () => {
  const parameters = core.parameters();
  parameters.draw("transformer", { dModel: 8, dFf: 16, numEncoderLayers: 2, numDecoderLayers: 2 });
  const handles = core.liveHandles;
  const build = (times: number) => {
    for (let i = 0; i < times; i++) {
      const graph = core.graph({ observe: i % 2 === 0 });
      const { output } = graph.transformer(zeros(2, 4, 8), zeros(2, 3, 8), parameters, {
        numHeads: 2,
        numEncoderLayers: 2,
        numDecoderLayers: 2,
      });
      graph.backward(output);
      expect(() => graph.leaf(output.name, zeros(2))).toThrow(Error);
      graph.delete();
    }
  };
  build(10);
  const { memoryBytes } = core;
  build(1000);
  expect(core.memoryBytes).toBe(memoryBytes);
  expect(core.liveHandles).toBe(handles);
  parameters.delete();
  expect([core.liveHandles, core.liveValues]).toEqual([0, 0]);
}, 120_000);
