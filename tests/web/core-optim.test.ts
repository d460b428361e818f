// Learning: optimizers over kept parameters, their states and refusals, clipped gradients, schedules.
import { describe, expect, test } from "vitest";
import { type Core, type Graph, type Node, type Optimizer, type Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const doubles = (shape: number[], ...data: number[]): Tensor => ({ shape, data: Float64Array.from(data) });
const singles = (shape: number[], ...data: number[]): Tensor => ({ shape, data: Float32Array.from(data) });

type Parameters = ReturnType<Core["parameters"]>;

/** Computes the gradients of a loss for the parameters, and returns the loss. */
function differentiate(
  parameters: Parameters,
  loss: (graph: Graph, nodes: Readonly<Record<string, Node>>) => Node,
): number {
  const graph = core.graph({ precision: parameters.precision });
  try {
    const node = loss(graph, graph.stateDict(parameters));
    graph.backward(node);
    parameters.zeroGrad();
    graph.addGradients(parameters);
    return graph.value(node).data[0]!;
  } finally {
    graph.delete();
  }
}

/** p (2) with the gradient c p, in the precision of `start`. */
function quadratic(start: Tensor, curvature: Tensor): Parameters {
  const precision = start.data instanceof Float32Array ? "float32" : "float64";
  const parameters = core.parameters({ precision });
  parameters.add("p", start);
  differentiate(parameters, (graph, nodes) => graph.quadraticLoss(nodes["p"]!, curvature));
  return parameters;
}

/** p after one step from (1, -2) with the gradients (1, -20). */
function stepped(optimizer: Optimizer): number[] {
  const parameters = quadratic(doubles([2], 1, -2), doubles([2], 1, 10));
  try {
    optimizer.step(parameters);
    return [...parameters.get("p").data];
  } finally {
    parameters.delete();
    optimizer.delete();
  }
}

describe("a step", () => {
  test("goes against the gradient, by each optimizer's rule", () => {
    expect(stepped(core.sgd({ lr: 0.1 }))).toEqual([0.9, 0]);
    expect(stepped(core.sgd())).toEqual([1 - 0.001, -2 + 0.02]);
    expect(stepped(core.sgd({ lr: 0.1, weightDecay: 1 }))[1]).toBeCloseTo(0.2, 12);
    expect(stepped(core.sgd({ lr: 0.1, momentum: 0.5, nesterov: true }))[0]).toBeCloseTo(0.85, 12);
    expect(stepped(core.adagrad({ lr: 0.1 }))[1]).toBeCloseTo(-1.9, 8);
    expect(stepped(core.adagrad({ lr: 0.1, initialAccumulatorValue: 3 }))[0]).toBeCloseTo(0.95, 8);
    expect(stepped(core.rmsprop({ lr: 0.1, alpha: 0.75 }))[1]).toBeCloseTo(-1.8, 7);
    expect(stepped(core.adam({ lr: 0.1 }))[1]).toBeCloseTo(-1.9, 7);
    expect(stepped(core.adam({ lr: 0.1, betas: [0, 0], eps: 1 }))[0]).toBeCloseTo(0.95, 12);
    expect(stepped(core.adamw({ lr: 0.1 }))[1]).toBeCloseTo(-2 * (1 - 0.001) + 0.1, 7);
    expect(stepped(core.adamw({ lr: 0.1, weightDecay: 0 }))[1]).toBeCloseTo(-1.9, 7);
  });

  test("skips parameters without a gradient, and keeps the gradients of the others", () => {
    const parameters = quadratic(doubles([2], 1, -2), doubles([2], 1, 10));
    const optimizer = core.sgd({ lr: 0.1 });
    try {
      parameters.add("other", doubles([1], 5));
      optimizer.step(parameters);
      expect(parameters.get("other")).toEqual(doubles([1], 5));
      expect(parameters.gradient("p")).toEqual(doubles([2], 1, -20));
      parameters.zeroGrad();
      expect(() => optimizer.step(parameters)).toThrow("sgd: gradient is missing for every parameter");
      expect(parameters.get("p")).toEqual(doubles([2], 0.9, 0));
    } finally {
      parameters.delete();
      optimizer.delete();
    }
  });

  test("step after step fits the line of document 004, in both precisions", () => {
    for (const [made, digits] of [
      [doubles, 9],
      [singles, 4],
    ] as const) {
      const parameters = core.parameters({ precision: made === doubles ? "float64" : "float32" });
      const optimizer = core.sgd({ lr: 0.01 });
      try {
        parameters.add("w", made([], 0));
        parameters.add("b", made([], 0));
        const [x, y] = [made([5], 0, 1, 2, 3, 4), made([5], 1, 3, 5, 7, 9)];
        const losses: number[] = [];
        for (let step = 0; step < 100; step++) {
          losses.push(differentiate(parameters, (graph, { w, b }) => graph.lineFitLoss(w!, b!, x, y)));
          optimizer.step(parameters);
        }
        expect(losses[0]).toBe(33);
        expect(losses[80]).toBeCloseTo(0.009081748068220276, digits);
        expect(parameters.list().map(({ origin }) => origin.kind)).toEqual(["literal", "literal"]);
      } finally {
        parameters.delete();
        optimizer.delete();
      }
    }
  });

  test("step after step trains word vectors drawn from a seed", () => {
    const parameters = core.parameters();
    const optimizer = core.adam({ lr: 0.1 });
    try {
      parameters.draw("word2vec", { vocabulary: 6, dim: 3 }, 42);
      const { word, context } = core.skipGramPairs([0, 1, 2, 0, 1, 2], 1);
      const contexts = { shape: [word.data.length, 1], data: context.data };
      const losses = Array.from({ length: 200 }, () => {
        const loss = differentiate(parameters, (graph) => graph.skipGram(word, contexts, parameters).loss);
        optimizer.step(parameters);
        return loss;
      });
      expect(losses[0]).toBeCloseTo(word.data.length * Math.log(6), 12);
      // No loss goes below the entropy: 1 occurs twice beside 0 and twice beside 2; 0 and 2 have one neighbour twice, and one once.
      const least = 4 * Math.log(2) + 2 * (Math.log(3) + 2 * Math.log(3 / 2));
      expect(losses.at(-1)).toBeGreaterThan(least);
      expect(losses.at(-1)).toBeLessThan(least + 0.01);
    } finally {
      parameters.delete();
      optimizer.delete();
    }
  });
});

describe("an optimizer", () => {
  test("has a state with PyTorch's names", () => {
    const parameters = quadratic(doubles([2], 1, -2), doubles([2], 1, 10));
    const optimizer = core.adam({ amsgrad: true, betas: [0.5, 0.75] });
    try {
      expect(optimizer.state(parameters, "p")).toBeUndefined();
      optimizer.step(parameters);
      expect(optimizer.state(parameters, "p")).toEqual({
        step: 1,
        buffers: {
          exp_avg: doubles([2], 0.5, -10),
          exp_avg_sq: doubles([2], 0.25, 100),
          max_exp_avg_sq: doubles([2], 0.25, 100),
        },
      });
      expect(optimizer.state(parameters, "q")).toBeUndefined();
    } finally {
      parameters.delete();
      optimizer.delete();
    }
  });

  test("has a rate that a schedule sets", () => {
    const optimizer = core.sgd({ lr: 0.5 });
    expect(optimizer.lr).toBe(0.5);
    optimizer.lr = core.cosineLr(5, { lr: 0.2, steps: 10 });
    expect(optimizer.lr).toBeCloseTo(0.1, 12);
    expect(() => (optimizer.lr = -1)).toThrow("sgd: lr is -1, expected a number from 0 up");
    expect(() => (optimizer.lr = NaN)).toThrow("sgd: lr is NaN, expected a finite number");
    expect(stepped(optimizer)[0]).toBeCloseTo(0.9, 12);
    expect(() => optimizer.lr).toThrow("lr: the optimizer was deleted");
  });

  test("refuses settings out of their range", () => {
    expect(() => core.sgd({ momentum: -1 })).toThrow("sgd: momentum is -1, expected a number from 0 up");
    expect(() => core.sgd({ nesterov: true })).toThrow(
      "sgd: momentum is 0, expected a number above 0 with nesterov",
    );
    expect(() => core.sgd({ momentum: 1, dampening: 0.5, nesterov: true })).toThrow("sgd: dampening is 0.5");
    expect(() => core.adagrad({ lr: Infinity })).toThrow("adagrad: lr is Infinity, expected a finite number");
    expect(() => core.rmsprop({ alpha: 1.5 })).toThrow(
      "rmsprop: alpha is 1.5, expected a number from 0 to 1",
    );
    expect(() => core.adam({ betas: [0.9, 1] })).toThrow(
      "adam: beta2 is 1, expected a number from 0 to below 1",
    );
    expect(() => core.adam({ betas: [0.9] as never })).toThrow("adam: betas is [0.9], expected two numbers");
    expect(() => core.adamw({ eps: -1 })).toThrow("adamw: eps is -1, expected a number from 0 up");
    expect(() => core.adamw({ amsgrad: 1 as never })).toThrow("adamw: amsgrad is 1, expected true or false");
    expect(() => core.sgd({ rate: 1 } as never)).toThrow('sgd: unknown option "rate"');
    expect(() => core.sgd(null as never)).toThrow("sgd: options is null");
  });

  test("keeps separate states for parameters of the same name, in either precision", () => {
    const starts = [doubles([2], 1, -2), singles([2], 1, -2), doubles([1], 7)];
    const curvatures = [doubles([2], 1, 10), singles([2], 1, 10), doubles([1], 3)];
    const all = starts.map((start, place) => quadratic(start, curvatures[place]!));
    const shared = core.adam({ lr: 0.1 });
    try {
      for (let step = 0; step < 3; step++) for (const parameters of all) shared.step(parameters);
      starts.forEach((start, place) => {
        const alone = core.adam({ lr: 0.1 });
        const parameters = quadratic(start, curvatures[place]!);
        for (let step = 0; step < 3; step++) alone.step(parameters);
        expect(all[place]!.get("p")).toEqual(parameters.get("p"));
        expect(shared.state(all[place]!, "p")).toEqual(alone.state(parameters, "p"));
        expect(shared.state(parameters, "p")).toBeUndefined();
        for (const made of [alone, parameters]) made.delete();
      });
    } finally {
      for (const made of [...all, shared]) made.delete();
    }
  });

  test("refuses objects that are not parameters", () => {
    const parameters = quadratic(doubles([2], 1, -2), doubles([2], 1, 10));
    const optimizer = core.adam();
    try {
      expect(() => optimizer.step({} as never)).toThrow(
        "step: parameters is an Object, expected parameters or a graph",
      );
      expect(() => optimizer.state(parameters, 7 as never)).toThrow("state: name is 7, expected a string");
      expect(() => optimizer.state("p" as never, "p")).toThrow('state: parameters is "p"');
    } finally {
      for (const made of [parameters, optimizer]) made.delete();
    }
    expect(() => optimizer.step(parameters)).toThrow("step: the optimizer was deleted");
  });
});

describe("gradients and rates", () => {
  test("a norm above the limit is clipped, one below is left", () => {
    const parameters = quadratic(doubles([2], 3, 4), doubles([2], 1, 1));
    try {
      expect(core.clipGradNorm(parameters, 10)).toBe(5);
      expect(parameters.gradient("p")).toEqual(doubles([2], 3, 4));
      expect(core.clipGradNorm(parameters, 1)).toBe(5);
      expect(parameters.gradient("p").data[1]).toBeCloseTo(0.8, 6);
      expect(() => core.clipGradNorm(parameters, 0)).toThrow("clipGradNorm: maxNorm is 0");
      expect(() => core.clipGradNorm({} as never, 1)).toThrow("clipGradNorm: parameters is an Object");
    } finally {
      parameters.delete();
    }
    expect(() => core.clipGradNorm(parameters, 1)).toThrow("clipGradNorm: the parameters were deleted");
  });

  test("schedules rise and fall", () => {
    expect(core.noamLr(4000)).toBeCloseTo((512 * 4000) ** -0.5, 15);
    expect(core.noamLr(2, { dModel: 16, warmup: 4, factor: 2 })).toBeCloseTo(2 * 0.25 * 2 * 4 ** -1.5, 15);
    expect(core.noamLr(2 ** 40)).toBeCloseTo(512 ** -0.5 * 2 ** -20, 15);
    expect(() => core.noamLr(0)).toThrow("noamLr: step is 0, expected an integer of at least 1");
    expect(() => core.noamLr(1, { factor: -1 })).toThrow(
      "noam_lr: factor is -1, expected a number from 0 up",
    );
    expect(core.cosineLr(0, { lr: 1, steps: 4, warmup: 2 })).toBe(0.5);
    expect(core.cosineLr(2, { lr: 1, steps: 4, warmup: 2 })).toBe(1);
    expect(core.cosineLr(4, { lr: 1, minLr: 0.5, steps: 4, warmup: 2 })).toBeCloseTo(0.75, 12);
    expect(core.cosineLr(99, { lr: 1, minLr: 0.5, steps: 4 })).toBe(0.5);
    expect(() => core.cosineLr(0, {} as never)).toThrow("cosineLr: steps is undefined");
  });
});
