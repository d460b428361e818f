// Graphs that are replayed: inputs and outputs in place, views that stay valid, steps of learning, and refused calls.
import { describe, expect, test } from "vitest";
import { type Core, type Graph, type GraphOptions, type Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const doubles = (shape: number[], ...data: number[]) => ({ shape, data: Float64Array.from(data) });
const singles = (shape: number[], ...data: number[]) => ({ shape, data: Float32Array.from(data) });

function withGraph(options: GraphOptions, work: (graph: Graph) => void): void {
  const graph = core.graph(options);
  try {
    work(graph);
  } finally {
    graph.delete();
  }
}

/** `count` numbers that depend on `seed`. */
function drawn(shape: number[], seed: number): Tensor<Float32Array> {
  const random = core.randomState(seed);
  const { data } = random.randn(shape);
  random.delete();
  return { shape, data: Float32Array.from(data) };
}

describe("replay", () => {
  test("gives the numbers of a graph that is built with the inputs", () => {
    for (const observe of [false, true])
      withGraph({ precision: "float32", observe }, (graph) => {
        const [q, k] = [drawn([4, 3], 1), drawn([70, 3], 2)];
        const query = graph.leaf("query", q);
        const key = graph.leaf("key", k);
        const { output } = graph.scaledDotProductAttention(query, key, key, { name: "a" });
        const into = new Float32Array(12);
        for (let seed = 3; seed < 6; seed++) {
          q.data.set(drawn([4, 3], seed).data);
          const other = drawn([70, 3], 10 * seed);
          graph.replay({ query: q, key: other });
          expect(graph.read(output, into)).toBe(into);
          withGraph({ precision: "float32", observe }, (anew) => {
            const built = anew.scaledDotProductAttention(q, other, other).output;
            expect(into).toEqual(anew.value(built).data);
          });
          expect(graph.value(output).data).toEqual(into);
          expect(graph.value("key").data).toEqual(other.data);
        }
      });
  });

  test("with some or no inputs keeps the other leaves", () => {
    withGraph({}, (graph) => {
      const a = graph.leaf("a", doubles([2], 1, 2));
      const b = graph.leaf("b", doubles([2], 10, 20));
      const sum = graph.add(a, b);
      graph.replay();
      expect([...graph.value(sum).data]).toEqual([11, 22]);
      graph.replay({ b: doubles([2], 5, 6) });
      expect([...graph.value(sum).data]).toEqual([6, 8]);
      graph.replay({});
      expect([...graph.read("b", new Float64Array(2))]).toEqual([5, 6]);
    });
  });

  test("keeps a weight in packed form until it is written; reading it is not writing", () => {
    const numbers = (fill: number) => ({ shape: [32, 32], data: new Float32Array(1024).fill(fill) });
    const graph = core.graph({ precision: "float32" });
    const x = graph.leaf("x", numbers(1));
    const weight = graph.leaf("weight", numbers(2));
    const output = graph.linear(x, weight);
    const bytes = graph.bytes;
    expect(graph.view(weight).data[0]).toBe(2);
    graph.replay({ x: numbers(3) });
    expect(graph.bytes).toBe(bytes + 4096);
    expect(graph.value(output).data[0]).toBe(3 * 2 * 32);
    graph.replay({ weight: numbers(5) });
    expect(graph.bytes).toBe(bytes);
    expect(graph.value(output).data[0]).toBe(3 * 5 * 32);
    graph.delete();
  });

  test("takes ids and masks, and keeps their types", () => {
    withGraph({ precision: "float32" }, (graph) => {
      const ids = graph.leaf("ids", { shape: [2], data: Int32Array.of(0, 1) });
      const keep = graph.leaf("keep", { shape: [2, 1], data: Uint8Array.of(1, 0) });
      const rows = graph.embedding(ids, singles([3, 2], 1, 2, 3, 4, 5, 6));
      const kept = graph.mask(rows, keep, { fill: -1 });
      const into = graph.read(kept, new Float32Array(4));
      expect([...into]).toEqual([1, 2, -1, -1]);
      graph.replay({
        ids: { shape: [2], data: Int32Array.of(2, 2) },
        keep: { shape: [2, 1], data: Uint8Array.of(0, 1) },
      });
      expect([...graph.read(kept, into)]).toEqual([-1, -1, 5, 6]);
      expect(graph.read(ids, new Int32Array(2))).toEqual(Int32Array.of(2, 2));
      expect(graph.read(keep, new Uint8Array(2))).toEqual(Uint8Array.of(0, 1));
      expect(() => graph.replay({ ids: { shape: [2], data: Int32Array.of(0, 3) } })).toThrow(
        "embedding: id at (1,) is 3, expected a row of a table of 3",
      );
      expect(() => graph.replay({ keep: { shape: [2, 1], data: Uint8Array.of(0, 2) } })).toThrow(
        "replay: keep is a boolean mask, expected every value to be 0 or 1",
      );
      expect(() => graph.replay({ ids: { shape: [2], data: Int32Array.of(0, 2 ** 25) } })).toThrow(
        "replay: ids.data[1] is 33554432, expected an integer from -16777216 to 16777216",
      );
    });
  });

  test("makes a leaf typed: neither drawn nor edited; later edits count again", () => {
    withGraph({}, (graph) => {
      const random = core.randomState(1);
      const x = graph.draw("x", random, "randn", { shape: [2] });
      random.delete();
      const y = graph.scale(x, { factor: 2 });
      graph.setCell(x, [0], 5);
      expect(graph.snapshot(["x"])[0]!.edited).toEqual([[0]]);
      const numbers = doubles([2], 3, 4);
      for (let time = 0; time < 2; time++) {
        graph.replay({ x: numbers });
        expect(graph.snapshot(["x"])[0]!.edited).toEqual([]);
        expect(graph.describe()[0]!.origin).toEqual({ kind: "literal" });
        graph.setCell(x, [1], 7);
        expect(graph.snapshot(["x"])[0]!.edited).toEqual([[1]]);
        expect([...graph.value(y).data]).toEqual([6, 14]);
      }
      graph.reset(x);
      expect([...graph.value(y).data]).toEqual([6, 8]);
    });
  });

  test("drops gradients, which the next backward computes again", () => {
    withGraph({}, (graph) => {
      const x = graph.leaf("x", doubles([2], 1, 2));
      const y = graph.multiply(x, x);
      graph.backward(y);
      graph.replay({ x: doubles([2], 3, 4) });
      expect(() => graph.gradient(x)).toThrow(
        'gradient: node is "x", expected one of a graph that has gradients',
      );
      graph.backward(y);
      expect([...graph.gradient(x).data]).toEqual([6, 8]);
    });
  });

  test("refuses invalid inputs, and writes none of them", () => {
    withGraph({ precision: "float32" }, (graph) => {
      const a = graph.leaf("a", singles([2, 1], 1, 2));
      graph.leaf("b", singles([2, 1], 3, 4));
      graph.scale(a, { factor: 2, name: "twice" });
      const good = singles([2, 1], 8, 9);
      const refused: [unknown, string][] = [
        [{ b: good, c: good }, 'replay: name is "c", expected the name of a node'],
        [{ b: good, twice: good }, 'replay: twice is "a node computed by scale", expected a leaf'],
        [{ b: good, a: singles([2], 1, 2) }, "replay: a has shape (2,), expected (2, 1) of a"],
        [{ b: good, a: singles([2, 1], 1) }, "replay: a has 1 numbers, expected 2 to fill the shape (2, 1)"],
        [{ b: good, a: doubles([2, 1], 1, 2) }, "replay: a.data is a Float64Array, expected a Float32Array"],
        [{ b: good, a: [1, 2] }, "replay: a is [1, 2], expected a tensor { shape, data }"],
        [{ b: good, a: null }, "replay: a is null, expected a tensor { shape, data }"],
        [null, "replay: inputs is null, expected tensors by the names of leaves"],
        [3, "replay: inputs is 3, expected tensors by the names of leaves"],
      ];
      for (let time = 0; time < 2; time++) {
        for (const [inputs, message] of refused) expect(() => graph.replay(inputs as never)).toThrow(message);
        if (time === 0) expect([...graph.value("b").data]).toEqual([3, 4]);
        graph.replay({ a: good, b: singles([2, 1], 3, 4) }); // the second time their memory is known
      }
      expect(() => graph.read("a", new Float64Array(2) as never)).toThrow(
        "read: into is a Float64Array, expected a Float32Array for a",
      );
      expect(() => graph.read("a", new Float32Array(3))).toThrow("read: into has 3 numbers, expected 2 of a");
      expect(() => graph.read("z", new Float32Array(3))).toThrow(
        'read: name is "z", expected the name of a node',
      );
    });
  });

  test("a leaf of a refused call cannot be written", () => {
    withGraph({}, (graph) => {
      const x = graph.leaf("x", doubles([2], 1, 2));
      expect(() => graph.matmul(x, doubles([3], 1, 2, 3))).toThrow("matmul: a has shape");
      expect(() => graph.replay({ "#1": doubles([3], 1, 2, 3) })).toThrow("expected the name of a node");
      const y = graph.add(x, doubles([2], 5, 5));
      graph.replay({ "#1": doubles([2], 7, 7) });
      expect([...graph.value(y).data]).toEqual([8, 9]);
    });
  });
});

describe("a view", () => {
  test("is the memory of the node, and stays so after replays, edits and growth of the memory", () => {
    withGraph({ precision: "float32" }, (graph) => {
      const x = graph.leaf("x", singles([2], 1, 2));
      const y = graph.scale(x, { factor: 10 });
      const view = graph.view(y);
      expect(view.shape).toEqual([2]);
      const before = view.data;
      expect(view.data).toBe(before);
      graph.replay({ x: singles([2], 3, 4) });
      expect([...before]).toEqual([30, 40]);
      graph.setCell(x, [0], 5);
      graph.set(x, singles([2], 5, 6));
      expect([...before]).toEqual([50, 60]);
      const bytes = core.memoryBytes;
      while (core.memoryBytes === bytes)
        graph.leaf("", { shape: [1 << 20], data: new Float32Array(1 << 20) });
      expect(before.length).toBe(0); // stale
      expect([...view.data]).toEqual([50, 60]);
      graph.setCell(x, [1], 9);
      expect([...view.data]).toEqual([50, 90]);
      graph.replay({ x: singles([2], 1, 1) });
      expect([...graph.read(y, new Float32Array(2))]).toEqual([10, 10]);
    });
  });

  test("is refused for nodes without numbers, and after the graph is deleted", () => {
    const graph = core.graph();
    const x = graph.leaf("x", doubles([1], 1));
    const view = graph.view("x");
    graph.leaf("ids", { shape: [1], data: Int32Array.of(1) });
    expect(() => graph.view("ids")).toThrow(
      'view: node is "ids holding int32", expected a node holding float64',
    );
    graph.delete();
    expect(() => view.data).toThrow("view: the graph was deleted");
    expect(() => graph.replay()).toThrow("replay: the graph was deleted");
    expect(() => graph.read(x, new Float64Array(1))).toThrow("read: the graph was deleted");
  });
});

describe("learning in a graph", () => {
  const batch = (seed: number) => ({ x: drawn([2, 3, 8], seed), target: drawn([2, 3, 8], seed + 100) });

  /** An encoder layer's loss in `graph`. */
  function lossOf(graph: Graph, parameters: ReturnType<Core["parameters"]>, seed: number) {
    const { x, target } = batch(seed);
    const { output } = graph.encoderLayer(graph.leaf("x", x), parameters, { numHeads: 2, name: "layer" });
    return graph.mseLoss(output, graph.leaf("target", target));
  }

  test("gives the same numbers as training of parameters", () => {
    const [kept, apart] = [0, 1].map(() => core.parameters({ precision: "float32" }));
    for (const parameters of [kept!, apart!]) parameters.draw("encoderLayer", { dModel: 8, dFf: 16 }, 3);
    const [first, second] = [core.adam({ lr: 0.05 }), core.adam({ lr: 0.05 })];
    const graph = core.graph({ precision: "float32" });
    const loss = lossOf(graph, kept!, 0);
    const value = new Float32Array(1);
    for (let step = 0; step < 5; step++) {
      graph.replay(batch(step));
      graph.backward(loss);
      const norm = core.clipGradNorm(graph, 1);
      first.step(graph);
      const anew = core.graph({ precision: "float32" });
      const node = lossOf(anew, apart!, step);
      anew.backward(node);
      apart!.zeroGrad();
      anew.addGradients(apart!);
      expect(core.clipGradNorm(apart!, 1)).toBe(norm);
      second.step(apart!);
      expect(graph.read(loss, value)).toEqual(anew.value(node).data);
      anew.delete();
    }
    graph.updateParameters(kept!);
    expect(kept!.stateDict()).toEqual(apart!.stateDict());
    expect(first.state(graph, "layer.linear1.weight")).toEqual(second.state(apart!, "linear1.weight"));
    expect(first.state(kept!, "linear1.weight")).toBeUndefined();
    expect(first.state(graph, "linear1.weight")).toBeUndefined();
    for (const owned of [graph, first, second, kept!, apart!]) owned.delete();
  });

  test("takes no additional memory, step after step", () => {
    const parameters = core.parameters({ precision: "float32" });
    parameters.draw("encoderLayer", { dModel: 8, dFf: 16 }, 3);
    const optimizer = core.adam();
    const graph = core.graph({ precision: "float32" });
    const loss = lossOf(graph, parameters, 0);
    graph.backward(loss);
    optimizer.step(graph);
    const [held, taken] = [graph.bytes, core.memoryBytes];
    const inputs = batch(1);
    for (let step = 0; step < 2000; step++) {
      graph.replay(inputs);
      graph.backward(loss);
      optimizer.step(graph);
    }
    expect(graph.bytes).toBe(held);
    expect(core.memoryBytes).toBe(taken);
    for (const owned of [graph, optimizer, parameters]) owned.delete();
  });

  test("refuses parameters that the graph does not read, and a deleted graph", () => {
    const parameters = core.parameters();
    const graph = core.graph();
    const optimizer = core.sgd();
    expect(() => graph.updateParameters(parameters)).toThrow(
      "updateParameters: parameters is an Object, expected parameters that a layer of this graph reads",
    );
    graph.delete();
    expect(() => optimizer.step(graph)).toThrow("step: the graph was deleted");
    expect(() => optimizer.state(graph, "w")).toThrow("state: the graph was deleted");
    expect(() => core.clipGradNorm(graph, 1)).toThrow("clipGradNorm: the graph was deleted");
    for (const owned of [optimizer, parameters]) owned.delete();
  });
});
