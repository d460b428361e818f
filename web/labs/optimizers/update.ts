/** One step of an optimizer as nodes: from the parameters, their gradient and the optimizer's state to the new parameters. */
import type { NumbersOf } from "../../config/config.js";
import type { Graph, Node, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { EPSILON, rateOf, type Run } from "./run.js";
import { hasOwnRates } from "./settings-text.js";

type Numbers = NumbersOf["optimizers"];

const one = (value: number): Tensor => ({ shape: [1], data: Float64Array.of(value) });
const zeros = (): Tensor => ({ shape: [1, 2], data: new Float64Array(2) });

/** 1 - x, computed by the core. */
const oneMinus = (core: Core, x: number): number => core.subtract(one(1), one(x)).data[0]!;

/** kept * before + (1 - kept) * x: a running mean. */
function runningMean(core: Core, graph: Graph, name: string, before: Node, x: Node, kept: number): Node {
  const old = graph.scale(before, { factor: kept, name: `${name}_kept` });
  const fresh = graph.scale(x, { factor: oneMinus(core, kept), name: `${name}_new` });
  return graph.add(old, fresh, { name });
}

/** 1 - beta^t, where t counts the steps up to this one. The power is a product of t factors, and t is at most 400. */
function correction(graph: Graph, name: string, beta: number, step: number): Node {
  const base = graph.leaf(`${name}.beta`, one(beta));
  let power = base;
  for (let at = 0; at < step; at++) power = graph.multiply(power, base);
  return graph.subtract(one(1), power, { name });
}

/** x / (sqrt(squares) + eps). */
function overRoot(graph: Graph, x: Node, squares: Node): Node {
  const root = graph.sqrt(squares, { name: "root" });
  return graph.divide(x, graph.add(root, one(EPSILON), { name: "root_eps" }), { name: "direction" });
}

function direction(
  core: Core,
  graph: Graph,
  numbers: Numbers,
  buffers: Run["buffers"],
  gradient: Node,
): Node {
  const before = (name: string, buffer: string) => graph.leaf(name, buffers[buffer] ?? zeros());
  const square = () => graph.multiply(gradient, gradient, { name: "square" });
  switch (numbers.optimizer) {
    case "sgd":
      return gradient;
    case "momentum": {
      const kept = graph.scale(before("v_before", "momentum_buffer"), {
        factor: numbers.momentum,
        name: "v_kept",
      });
      return graph.add(kept, gradient, { name: "v" });
    }
    case "adagrad": {
      const G = graph.add(before("G_before", "sum"), square(), { name: "G" });
      const along = overRoot(graph, gradient, G);
      if (hasOwnRates(numbers))
        graph.divide(graph.leaf("effective.lr", one(rateOf(numbers, "adagrad"))), graph.node("root_eps"), {
          name: "effective",
        });
      return along;
    }
    case "rmsprop": {
      const v = runningMean(core, graph, "v", before("v_before", "square_avg"), square(), numbers.alpha);
      return overRoot(graph, gradient, v);
    }
    case "adam": {
      const { beta1, beta2, step } = numbers;
      const m = runningMean(core, graph, "m", before("m_before", "exp_avg"), gradient, beta1);
      const v = runningMean(core, graph, "v", before("v_before", "exp_avg_sq"), square(), beta2);
      const mHat = graph.divide(m, correction(graph, "m_rest", beta1, step), { name: "m_hat" });
      const vHat = graph.divide(v, correction(graph, "v_rest", beta2, step), { name: "v_hat" });
      return overRoot(graph, mHat, vHat);
    }
  }
}

export function update(
  core: Core,
  graph: Graph,
  numbers: Numbers,
  { buffers }: Run,
  theta: Node,
  gradient: Node,
): void {
  const along = direction(core, graph, numbers, buffers, gradient);
  const step = graph.scale(along, { factor: rateOf(numbers, numbers.optimizer), name: "step" });
  graph.subtract(theta, step, { name: "next" });
}
