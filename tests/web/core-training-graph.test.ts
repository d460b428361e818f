// What training needs of a graph: dropout drawn anew, replays for some nodes, gradients of parameters that accumulate.
import { describe, expect, test } from "vitest";
import type { Graph, Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const doubles = (shape: number[], ...data: number[]) => ({ shape, data: Float64Array.from(data) });
const ids = (...data: number[]) => ({ shape: [data.length], data: Int32Array.from(data) });

const skipped = (operation: string, node: string) =>
  `${operation}: node is "${node}", which the last replay skipped, ` +
  "expected a node that it was for, or a replay of the whole graph first";

function withGraph(work: (graph: Graph) => void): void {
  const graph = core.graph();
  try {
    work(graph);
  } finally {
    graph.delete();
  }
}

describe("redrawDropout", () => {
  const uniform = (seed: number | number[]) => {
    const random = core.randomState(seed);
    const { data } = random.uniform(0, 1, 6);
    random.delete();
    return data;
  };

  test("draws what RandomState draws from the seed and the step, and the origin says so", () => {
    withGraph((graph) => {
      const x = graph.leaf("x", doubles([2, 3], 1, 1, 1, 1, 1, 1));
      const y = graph.dropout(x, { p: 0.5, seed: 9, name: "y" });
      const origin = () => graph.describe().find(({ name }) => name === "y.u")!.origin;
      const first = origin();
      for (const step of [1, 2, 2 ** 32 - 1]) {
        graph.redrawDropout(step);
        graph.replay();
        expect(graph.value("y.u").data).toEqual(uniform([9, step]));
        expect([...graph.value(y).data]).toEqual([...uniform([9, step])].map((u) => (u > 0.5 ? 2 : 0)));
        expect(origin()).toMatchObject({ kind: "draw", method: "uniform", seed: [9, step], skip: "" });
        expect(graph.explain("y.u", [0, 1]).rows[0]!.role).toBe("drawn");
        expect(graph.program({ language: "numpy" })).toContain(`np.random.RandomState((9, ${step}))`);
      }
      graph.redrawDropout(0);
      expect(graph.value("y.u").data).toEqual(uniform(9));
      expect(origin()).toEqual(first);
    });
  });

  test("also draws a leaf that was typed, which counts as typed again when it is written again", () => {
    withGraph((graph) => {
      graph.dropout(graph.leaf("x", doubles([2], 1, 1)), { p: 0.5, seed: 9, name: "y" });
      for (const step of [1, 2]) {
        graph.replay({ "y.u": doubles([2], 0.25, 0.75) });
        expect(graph.explain("y.u", [0]).rows[0]!.role).toBe("typed");
        graph.redrawDropout(step);
        graph.replay();
        expect(graph.explain("y.u", [0]).rows[0]!.role).toBe("drawn");
        graph.setCell("y.u", [0], 0.5);
      }
    });
  });

  test("is refused for what is no step, and changes nothing", () => {
    withGraph((graph) => {
      const y = graph.dropout(graph.leaf("x", doubles([1], 1)), { p: 0.5, seed: 9 });
      for (const step of [-1, 0.5, 2 ** 32, NaN, "1", undefined])
        expect(() => graph.redrawDropout(step as number)).toThrow("redrawDropout: step is ");
      graph.backward(y); // the graph is not stale
      graph.redrawDropout(1);
      expect(() => graph.backward(y)).toThrow("backward: graph is stale");
    });
    withGraph((graph) => {
      const x = graph.leaf("x", doubles([1], 1));
      const y = graph.scale(x, { factor: 2 });
      graph.redrawDropout(1); // there is no dropout
      graph.backward(y);
      graph.delete();
      expect(() => graph.redrawDropout(1)).toThrow("redrawDropout: the graph was deleted");
    });
  });
});

describe("a replay for some nodes", () => {
  const scene = (graph: Graph) => {
    const x = graph.leaf("x", doubles([2], 1, 2));
    const table = graph.leaf("table", doubles([2, 1], 5, 6));
    return {
      twice: graph.scale(x, { factor: 2, name: "twice" }),
      square: graph.multiply(x, x, { name: "square" }),
      rows: graph.embedding(graph.leaf("ids", ids(0, 1)), table, { name: "rows" }),
    };
  };

  test("evaluates what they depend on; the others are refused until they are evaluated", () => {
    withGraph((graph) => {
      const { twice, square, rows } = scene(graph);
      const view = graph.view(square);
      const two = new Float64Array(2);
      for (const asked of [[twice], ["twice"]]) {
        graph.replay({ x: doubles([2], 3, 4) }, { for: asked });
        expect([...graph.read(twice, two)]).toEqual([6, 8]);
        expect([...graph.value("twice").data]).toEqual([6, 8]);
        expect([...graph.value(rows).data]).toEqual([5, 6]); // it reads no leaf that was written
        expect(() => graph.read(square, two)).toThrow(skipped("read", "square"));
        expect(() => graph.value(square)).toThrow(skipped("value", "square"));
        expect(() => graph.view(square).data).toThrow(skipped("view", "square"));
        expect(() => view.data).toThrow(skipped("view", "square"));
        expect(() => graph.snapshot()).toThrow(skipped("snapshot", "square"));
        expect(graph.snapshot(["twice"])[0]!.data).toEqual(Float64Array.of(6, 8));
        expect(() => graph.backward(square)).toThrow(skipped("backward", "square"));
        expect(() => graph.add(twice, twice)).toThrow("add: graph is stale");
        graph.backward(twice);
        expect([...graph.gradient("x").data]).toEqual([2, 2]);
        expect(graph.explain(twice, [1]).value).toBe(8);
      }
      graph.replay({}, { for: [square, twice] });
      expect([...view.data]).toEqual([9, 16]);
      graph.replay({ x: doubles([2], 5, 6) }, { for: [twice] });
      expect(graph.setCell("x", [0], 7)).toEqual(["twice", "square", "rows"]);
      expect([...view.data]).toEqual([49, 36]);
      graph.replay({ x: doubles([2], 1, 1) }, { for: [twice] });
      graph.replay({}, {});
      expect([...graph.read(square, two)]).toEqual([1, 1]);
    });
  });

  test("after a step of learning still returns the loss before it, and not what was skipped", () => {
    withGraph((graph) => {
      const parameters = core.parameters();
      parameters.add("w", doubles([], 2));
      const w = graph.stateDict(parameters)["w"]!;
      const loss = graph.multiply(w, w, { name: "loss" });
      graph.scale(w, { factor: 3, name: "other" });
      const optimizer = core.sgd({ lr: 0.25 });
      graph.backward(loss);
      optimizer.step(graph);
      graph.replay({}, { for: [loss] });
      graph.backward(loss);
      optimizer.step(graph);
      expect([...graph.value(loss).data]).toEqual([1]);
      expect(() => graph.value("other")).toThrow(skipped("value", "other"));
      graph.replay();
      expect([...graph.value("other").data]).toEqual([1.5]);
      for (const owned of [parameters, optimizer]) owned.delete();
    });
  });

  test("is refused before anything is written, or takes the numbers back and evaluates the whole graph", () => {
    withGraph((graph) => {
      const { twice, square, rows } = scene(graph);
      const before = graph.snapshot();
      const refused = (asked: unknown, message: string) => {
        expect(() => graph.replay({ x: doubles([2], 9, 9) }, { for: asked } as never)).toThrow(message);
        expect(graph.snapshot()).toEqual(before);
      };
      refused([], "replay: for is ");
      refused("twice", "replay: for is ");
      refused(["none"], 'replay: name is "none"');
      refused([3], "replay: node is 3, expected a node of this graph or its name");
      expect(() => graph.replay({}, { only: [twice] } as never)).toThrow('replay: unknown option "only"');
      withGraph((other) => {
        const foreign = other.leaf("x", doubles([2], 1, 2));
        expect(() => graph.replay({}, { for: [foreign] })).toThrow(/^replay: /);
      });
      const inputs: Record<string, Tensor<Float64Array | Int32Array>> = {
        x: doubles([2], 9, 9),
        ids: ids(0, 2),
      };
      for (let time = 0; time < 2; time++) {
        expect(() => graph.replay(inputs, { for: [square, rows] })).toThrow("expected a row of a table of 2");
        expect(graph.snapshot()).toEqual(before);
        graph.backward(twice);
      }
    });
  });
});

describe("backward for parameters", () => {
  /** The loss of a linear layer over a constant input, computed from another one. */
  const scene = (graph: Graph, x: Tensor) => {
    const parameters = core.parameters();
    parameters.draw("linear", { inFeatures: 2, outFeatures: 1 }, 4);
    const { weight, bias } = graph.stateDict(parameters);
    parameters.delete();
    const input = graph.scale(graph.leaf("x", x), { factor: 2, name: "input" });
    return { weight: weight!, bias: bias!, input, loss: graph.mean(graph.linear(input, weight!, bias!)) };
  };
  const two = doubles([2, 2], 1, 2, 3, 4);

  test("computes no others, and refuses to read them", () => {
    withGraph((graph) => {
      const { weight, input, loss } = scene(graph, two);
      graph.backward(loss);
      const [whole, bytes] = [graph.gradient(weight), graph.bytes];
      graph.backward(loss, undefined, { parametersOnly: true });
      expect(graph.gradient(weight)).toEqual(whole);
      expect(graph.bytes).toBe(bytes - 2 * 4 * 8);
      expect(() => graph.gradient(input)).toThrow(
        'gradient: node is "input", whose gradient was not asked for',
      );
      expect(() => graph.gradient("x")).toThrow("gradient: ");
      expect(graph.explainGradient(weight, [0, 0]).value).toBe(whole.data[0]);
      graph.backward(loss, undefined, { parametersOnly: false });
      expect([...graph.gradient(input).data].some((cell) => cell !== 0)).toBe(true);
    });
  });

  test("adds up over parts of a batch to the gradients of the whole", () => {
    withGraph((graph) => {
      const { weight, bias, loss } = scene(graph, two);
      graph.backward(loss);
      const whole = [weight, bias].map((node) => [...graph.gradient(node).data]);
      withGraph((inParts) => {
        const part = scene(inParts, doubles([1, 2], 0, 0));
        const half = doubles([], 0.5);
        expect(() => inParts.backward(part.loss, half, { accumulate: true })).toThrow(
          "backward: accumulate is true, expected false, as no parameter has a gradient to add to",
        );
        for (let step = 0; step < 2; step++) {
          [doubles([1, 2], 1, 2), doubles([1, 2], 3, 4)].forEach((x, index) => {
            inParts.replay({ x }, { for: [part.loss] });
            inParts.backward(part.loss, half, { parametersOnly: true, accumulate: index > 0 });
          });
          expect([part.weight, part.bias].map((node) => [...inParts.gradient(node).data])).toEqual(whole);
        }
        expect(() => inParts.explainGradient(part.weight, [0, 0])).toThrow("a sum over several backwards");
        inParts.setCell("x", [0, 0], 1);
        expect(() => inParts.backward(part.loss, half, { accumulate: true })).toThrow(
          "backward: accumulate is true",
        );
      });
    });
  });

  test("refuses other options", () => {
    withGraph((graph) => {
      const { loss } = scene(graph, two);
      for (const given of [{ accumulate: 1 }, { parametersOnly: "yes" }, { only: true }, []])
        expect(() => graph.backward(loss, undefined, given as never)).toThrow(/^backward: /);
      expect(() => graph.gradient(loss)).toThrow("gradient: ");
    });
  });
});

test("a thousand steps of training take no additional memory", () => {
  const parameters = core.parameters({ precision: "float32" });
  parameters.draw("encoderLayer", { dModel: 8, dFf: 16 }, 3);
  const optimizer = core.adam();
  const graph = core.graph({ precision: "float32" });
  const x = { shape: [2, 3, 8], data: Float32Array.from({ length: 48 }, (_, cell) => Math.sin(cell)) };
  const { output } = graph.encoderLayer(graph.leaf("x", x), parameters, {
    numHeads: 2,
    dropout: { p: 0.1, seed: 5 },
  });
  const loss = graph.mseLoss(output, graph.leaf("target", x));
  graph.scale(output, { factor: 2, name: "unasked" });
  const train = (from: number, to: number) => {
    for (let step = from; step < to; step++) {
      for (const accumulate of [false, true]) {
        graph.redrawDropout(2 * step + Number(accumulate));
        graph.replay({ x }, { for: [loss] });
        graph.backward(loss, undefined, { parametersOnly: true, accumulate });
      }
      optimizer.step(graph);
    }
  };
  train(0, 2);
  const [held, taken] = [graph.bytes, core.memoryBytes];
  train(2, 1002);
  expect(graph.bytes).toBe(held);
  expect(core.memoryBytes).toBe(taken);
  for (const owned of [graph, optimizer, parameters]) owned.delete();
});
