// Models with several layers in one Parameters, and interrupted training: the state of an optimizer is loaded into another one.
import { describe, expect, test } from "vitest";
import type { Graph, Node, Optimizer, OptimizerState, Parameters, Precision } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const ids = { shape: [2, 3], data: Int32Array.of(1, 0, 2, 2, 3, 1) };
const target = { shape: [2, 3], data: Int32Array.of(0, 1, 1, 1, 0, 1) };

/** An embedding, an encoder and two linears, drawn under their prefixes. */
function drawn(precision: Precision): Parameters {
  const parameters = core.parameters({ precision });
  parameters.draw("embedding", { numEmbeddings: 4, embeddingDim: 4 }, 7, { prefix: "embedding." });
  parameters.draw("encoder", { dModel: 4, dFf: 8, numLayers: 1 }, 7, { prefix: "encoder." });
  parameters.draw("linear", { inFeatures: 4, outFeatures: 3 }, 7, { prefix: "hidden." });
  parameters.draw("linear", { inFeatures: 3, outFeatures: 2 }, 7, { prefix: "head." });
  return parameters;
}

function lossOf(graph: Graph, parameters: Parameters): Node {
  const nodes = graph.stateDict(parameters);
  const x = graph.embedding(ids, nodes["embedding.weight"]!);
  const within = graph.stateDict(parameters, { within: "encoder." });
  const { output } = graph.encoder(x, within, { numHeads: 2, numLayers: 1 });
  const hidden = graph.relu(graph.linear(output, nodes["hidden.weight"]!, nodes["hidden.bias"]));
  return graph.crossEntropy(graph.linear(hidden, nodes["head.weight"]!, nodes["head.bias"]), target);
}

const optimizers: Record<string, () => Optimizer> = {
  sgd: () => core.sgd({ lr: 0.1 }),
  "sgd with momentum": () => core.sgd({ lr: 0.1, momentum: 0.9, dampening: 0.1 }),
  "sgd with Nesterov": () => core.sgd({ lr: 0.1, momentum: 0.9, nesterov: true, weightDecay: 0.01 }),
  adagrad: () => core.adagrad({ lrDecay: 0.1, initialAccumulatorValue: 0.2 }),
  rmsprop: () => core.rmsprop(),
  "rmsprop, centred, with momentum": () => core.rmsprop({ centered: true, momentum: 0.5 }),
  adam: () => core.adam({ lr: 0.01 }),
  "adam with amsgrad": () => core.adam({ amsgrad: true }),
  adamw: () => core.adamw({ lr: 0.01 }),
};

/** A few steps over kept parameters, or over the leaves of a graph that reads them. */
function train(parameters: Parameters, optimizer: Optimizer, steps: number): void {
  for (let step = 0; step < steps; step++) {
    const graph = core.graph({ precision: parameters.precision });
    graph.backward(lossOf(graph, parameters));
    parameters.zeroGrad();
    graph.addGradients(parameters);
    optimizer.step(parameters);
    graph.delete();
  }
}

function trainGraph(graph: Graph, loss: Node, optimizer: Optimizer, steps: number): void {
  for (let step = 0; step < steps; step++) {
    graph.replay();
    graph.backward(loss);
    optimizer.step(graph);
  }
}

/** The state as it comes back from a file or another worker. */
const stored = (state: Record<string, OptimizerState>): typeof state => structuredClone(state);

describe.each(["float64", "float32"] as const)("interrupted and resumed in %s", (precision) => {
  test.each(Object.keys(optimizers))("%s goes on bit for bit, over parameters", (name) => {
    const through = drawn(precision);
    const first = optimizers[name]!();
    train(through, first, 6);

    const interrupted = drawn(precision);
    const before = optimizers[name]!();
    train(interrupted, before, 3);
    const state = stored(before.state(interrupted));
    expect(Object.keys(state)).toHaveLength(interrupted.names.length);
    const resumed = core.parameters({ precision });
    for (const [key, tensor] of Object.entries(interrupted.stateDict())) resumed.add(key, tensor);
    const after = optimizers[name]!();
    after.loadState(resumed, state);
    expect(after.state(resumed)).toEqual(state);
    train(resumed, after, 3);
    expect(resumed.stateDict()).toEqual(through.stateDict());
    expect(after.state(resumed)).toEqual(first.state(through));
    for (const owned of [through, first, interrupted, before, resumed, after]) owned.delete();
  });

  test.each(Object.keys(optimizers))("%s goes on bit for bit, over a graph", (name) => {
    const parameters = drawn(precision);
    const begin = (): { graph: Graph; loss: Node } => {
      const graph = core.graph({ precision });
      return { graph, loss: lossOf(graph, parameters) };
    };
    const through = begin();
    const first = optimizers[name]!();
    trainGraph(through.graph, through.loss, first, 6);

    const interrupted = begin();
    const before = optimizers[name]!();
    trainGraph(interrupted.graph, interrupted.loss, before, 3);
    const state = stored(before.state(interrupted.graph));
    interrupted.graph.updateParameters(parameters);
    const resumed = begin();
    const after = optimizers[name]!();
    after.loadState(resumed.graph, state);
    trainGraph(resumed.graph, resumed.loss, after, 3);

    const numbers = (graph: Graph) => {
      graph.replay();
      graph.updateParameters(parameters);
      return parameters.stateDict();
    };
    expect(numbers(resumed.graph)).toEqual(numbers(through.graph));
    expect(after.state(resumed.graph)).toEqual(first.state(through.graph));
    for (const owned of [through.graph, interrupted.graph, resumed.graph, first, before, after, parameters])
      owned.delete();
  });
});

describe("a state that does not fit", () => {
  const tensor = (...data: number[]) => ({ shape: [data.length], data: Float64Array.from(data) });

  test("is refused by name, and nothing changes", () => {
    const parameters = core.parameters();
    parameters.add("w", tensor(1, 2));
    const adam = core.adam();
    const good = { w: { step: 2, buffers: { exp_avg: tensor(1, 1), exp_avg_sq: tensor(1, 1) } } };
    adam.loadState(parameters, good);
    const load = (state: unknown) => () =>
      adam.loadState(parameters, state as Record<string, OptimizerState>);
    const { step, buffers } = good.w;
    expect(load({ v: good.w })).toThrow('adam: name is "v", expected the name of a parameter');
    expect(load({ w: { step, buffers: {} } })).toThrow(
      'adam: buffers of "w" is none, expected exp_avg, exp_avg_sq',
    );
    expect(load({ w: { step, buffers: { ...buffers, sum: tensor(1, 1) } } })).toThrow(
      'adam: buffers of "w" is exp_avg, exp_avg_sq, sum, expected exp_avg, exp_avg_sq',
    );
    expect(load({ w: { step, buffers: { ...buffers, exp_avg: tensor(1) } } })).toThrow(
      'adam: exp_avg of "w" has shape (1,), expected (2,), the shape of the parameter',
    );
    expect(load({ w: { step: 0, buffers } })).toThrow(
      'loadState: step of "w" is 0, expected an integer of at least 1',
    );
    expect(load({ w: { step, buffers, lr: 1 } })).toThrow(
      'loadState: unknown option "lr", expected step, buffers',
    );
    expect(load({ w: 3 })).toThrow('loadState: "w" is 3, expected { step, buffers }');
    expect(load(undefined)).toThrow("loadState: states is undefined, expected");
    expect(adam.state(parameters)).toEqual(good);
    const graph = core.graph();
    expect(() => adam.loadState(graph, good)).toThrow('adam: name is "w", expected the name of a parameter');
    const single = core.parameters({ precision: "float32" });
    single.add("w", { shape: [2], data: Float32Array.of(1, 2) });
    expect(() =>
      adam.loadState(single, { w: { step, buffers: { ...buffers, exp_avg: tensor(1e300, 1) } } }),
    ).toThrow('loadState: exp_avg of "w" is 1e+300, expected numbers that float32 holds');
    for (const owned of [parameters, single, adam, graph]) owned.delete();
  });
});

describe("a step without a gradient", () => {
  test("is an Error, over parameters and over a graph, and changes nothing", () => {
    const parameters = drawn("float64");
    const adam = core.adam();
    const graph = core.graph();
    const loss = lossOf(graph, parameters);
    const message = "adam: gradient is missing for every parameter, expected the gradients of a backward";
    expect(() => adam.step(parameters)).toThrow(`${message}, added before the step`);
    expect(() => adam.step(graph)).toThrow(`${message} before the step`);
    graph.backward(loss);
    expect(() => adam.step(parameters)).toThrow(message);
    expect([adam.state(parameters), adam.state(graph)]).toEqual([{}, {}]);
    graph.addGradients(parameters);
    adam.step(parameters);
    parameters.zeroGrad();
    expect(() => adam.step(parameters)).toThrow(message);
    for (const owned of [graph, adam, parameters]) owned.delete();
  });
});

describe("a prefix", () => {
  test("stands before every name, and another draws other numbers", () => {
    const parameters = drawn("float64");
    expect(parameters.names).toContain("encoder.layers.0.self_attn.in_proj_weight");
    expect(parameters.names).toEqual(expect.arrayContaining(["hidden.weight", "hidden.bias", "head.weight"]));
    const two = core.parameters();
    two.draw("linear", { inFeatures: 2, outFeatures: 2 }, 1, { prefix: "a." });
    two.draw("linear", { inFeatures: 2, outFeatures: 2 }, 1, { prefix: "b." });
    expect(two.get("a.weight").data).not.toEqual(two.get("b.weight").data);
    expect(() => two.draw("linear", { inFeatures: 2, outFeatures: 2 }, 1, { prefix: "a." })).toThrow(
      'parameters: name is "a.weight", expected one that no other parameter has',
    );
    const draw = two.draw.bind(two) as (...given: unknown[]) => void;
    expect(() => draw("linear", { inFeatures: 2, outFeatures: 2 }, 1, { prefx: "c." })).toThrow(
      'draw: unknown option "prefx", expected prefix',
    );
    expect(() => draw("linear", { inFeatures: 2, outFeatures: 2 }, { prefix: "c." })).toThrow(
      "draw: seed is",
    );
    const graph = core.graph();
    expect(Object.keys(graph.stateDict(two, { within: "b." }))).toEqual(["weight", "bias"]);
    expect(() => graph.stateDict(two, { within: "c." })).toThrow(
      'stateDict: within is "c.", expected what the names of some parameters begin with',
    );
    for (const owned of [graph, two, parameters]) owned.delete();
  });
});
