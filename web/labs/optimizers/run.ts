/** The run of one optimizer on one problem: the parameters after each step, computed by the core's optimizers. */
import type { NumbersOf } from "../../config/config.js";
import { optimizers, type OptimizerName } from "../../config/labs/optimizers.js";
import type { Graph, Node, Optimizer, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";

type Numbers = NumbersOf["optimizers"];

/** The ε of the classes of document 004. It is added after the root. */
export const EPSILON = 1e-8;

export interface Problem {
  /** Problems with the same losses have the same key. */
  key: string;
  /** The loss () of a step at the parameters (1, 2). */
  loss(graph: Graph, theta: Node, step: number): Node;
}

export interface Run {
  /** (steps + 1, 2): the start, and the parameters after each step. */
  path: Tensor;
  /** The optimizer's state before the step that is shown, by PyTorch's names; empty before the first step. */
  buffers: Readonly<Record<string, Tensor>>;
}

export function rateOf(numbers: Numbers, name: OptimizerName): number {
  return numbers.rates[optimizers.indexOf(name)]!;
}

function optimizerOf(core: Core, numbers: Numbers, name: OptimizerName): Optimizer {
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

/** A whole run: its path, and the optimizer's state before each step. */
interface Recording {
  path: Tensor;
  buffers: Readonly<Record<string, Tensor>>[];
}

function record(core: Core, numbers: Numbers, name: OptimizerName, problem: Problem): Recording {
  const optimizer = optimizerOf(core, numbers, name);
  const parameters = core.parameters();
  try {
    parameters.add("theta", { shape: [1, 2], data: Float64Array.from(numbers.start) });
    const path = new Float64Array(2 * (numbers.steps + 1));
    path.set(numbers.start);
    const buffers: Recording["buffers"] = [];
    for (let step = 0; step < numbers.steps; step++) {
      const graph = core.graph();
      try {
        graph.backward(problem.loss(graph, graph.stateDict(parameters)["theta"]!, step));
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

/** The latest runs. The slider of steps needs no new run. */
const recordings = new Map<string, Recording>();
const MOST_RECORDINGS = 8;

/** The run of one optimizer from the given start. */
export function runOf(core: Core, numbers: Numbers, name: OptimizerName, problem: Problem): Run {
  const { momentum, alpha, beta1, beta2, start, steps, step } = numbers;
  const settings = { name, rate: rateOf(numbers, name), momentum, alpha, beta1, beta2, start, steps };
  const key = JSON.stringify([problem.key, settings]);
  let run = recordings.get(key);
  recordings.delete(key);
  run ??= record(core, numbers, name, problem);
  recordings.set(key, run);
  if (recordings.size > MOST_RECORDINGS) recordings.delete(recordings.keys().next().value!);
  return { path: run.path, buffers: run.buffers[step]! };
}
