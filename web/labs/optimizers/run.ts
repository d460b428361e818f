/** The run of one optimizer on one problem: every place it comes to, computed by the core's optimizers step by step. */
import type { NumbersOf } from "../../config/config.js";
import { optimizers, type OptimizerName } from "../../config/labs/optimizers.js";
import type { Graph, Node, Optimizer, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";

type Numbers = NumbersOf["optimizers"];

/** As the classes of document 004 have it, outside the root. */
export const EPSILON = 1e-8;

export interface Problem {
  /** Equal for equal losses. */
  key: string;
  /** The loss () at a place (1, 2). */
  loss(graph: Graph, theta: Node): Node;
}

export interface Run {
  /** (steps + 1, 2): the start, and where each step led. */
  path: Tensor;
  /** What the optimizer remembers before that step, by PyTorch's names; empty before the first. */
  buffers: Readonly<Record<string, Tensor>>;
}

export function rateOf(numbers: Numbers, name: OptimizerName): number {
  return numbers.rates[optimizers.indexOf(name)]!;
}

function made(core: Core, numbers: Numbers, name: OptimizerName): Optimizer {
  const lr = rateOf(numbers, name);
  const { momentum, alpha, beta1, beta2 } = numbers;
  switch (name) {
    case "sgd":
      return core.sgd({ lr });
    case "momentum":
      return core.sgd({ lr, momentum });
    case "adagrad":
      return core.adagrad({ lr, eps: EPSILON });
    case "rmsprop":
      return core.rmsprop({ lr, alpha, eps: EPSILON });
    case "adam":
      return core.adam({ lr, betas: [beta1, beta2], eps: EPSILON });
  }
}

interface Recorded {
  path: Tensor;
  buffers: Readonly<Record<string, Tensor>>[];
}

function recorded(core: Core, numbers: Numbers, name: OptimizerName, problem: Problem): Recorded {
  const optimizer = made(core, numbers, name);
  const parameters = core.parameters();
  try {
    parameters.add("theta", { shape: [1, 2], data: Float64Array.from(numbers.start) });
    const path = new Float64Array(2 * (numbers.steps + 1));
    path.set(numbers.start);
    const buffers: Recorded["buffers"] = [];
    for (let step = 0; step < numbers.steps; step++) {
      const graph = core.graph();
      try {
        graph.backward(problem.loss(graph, graph.stateDict(parameters)["theta"]!));
        parameters.zeroGrad();
        graph.addGradients(parameters);
      } finally {
        graph.delete();
      }
      buffers.push(optimizer.state(parameters, "theta")?.buffers ?? {});
      optimizer.step(parameters);
      path.set(parameters.get("theta").data, 2 * (step + 1));
    }
    return { path: { shape: [numbers.steps + 1, 2], data: path }, buffers };
  } finally {
    parameters.delete();
    optimizer.delete();
  }
}

/** The runs made last: moving through time makes none again. */
const kept = new Map<string, Recorded>();
const MOST_KEPT = 8;

/** One optimizer from the start of the numbers; the core computes the same whenever it is asked. */
export function runOf(core: Core, numbers: Numbers, name: OptimizerName, problem: Problem): Run {
  const { momentum, alpha, beta1, beta2, start, steps, step } = numbers;
  const settings = { name, rate: rateOf(numbers, name), momentum, alpha, beta1, beta2, start, steps };
  const key = JSON.stringify([problem.key, settings]);
  let run = kept.get(key);
  kept.delete(key);
  run ??= recorded(core, numbers, name, problem);
  kept.set(key, run);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  return { path: run.path, buffers: run.buffers[step]! };
}
