/** The graph of the optimizers lab: the runs of the optimizers, and one step of one of them as nodes. */
import type { NumbersOf } from "../../config/config.js";
import { batchOf, dataOf, hasBatches, seedOf } from "../../config/labs/optimizers.js";
import type { Graph, Node, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { drawBatches } from "./batches.js";
import { learningRates } from "./learning-rates.js";
import { runOf, type Problem } from "./run.js";
import { runningOptimizers } from "./settings-text.js";
import { surfaceGradient } from "./surface-gradient.js";
import { addMap } from "./surface-map.js";
import { update } from "./update.js";

type Numbers = NumbersOf["optimizers"];

/** One row of a run's path, as a node. */
function rowOf(graph: Graph, run: Node, step: number, name: string): Node {
  return graph.slice(run, { axis: 0, start: step, stop: step + 1, name });
}

/** Inputs (N, 2) and targets (N, 1). */
interface Data<T> {
  inputs: T;
  targets: T;
}

/** x and 1 of each point of the line, or x₁ and x₂ of each sample. */
function columnsOf(core: Core, numbers: Numbers): Data<Tensor> {
  const rows = dataOf(numbers);
  const all = { shape: [rows.length, rows[0]!.length], data: Float64Array.from(rows.flat()) };
  const column = (at: number) => core.slice(all, { axis: 1, start: at, stop: at + 1 });
  if (numbers.topic === "sparse")
    return { inputs: core.slice(all, { axis: 1, start: 0, stop: 2 }), targets: column(2) };
  const ones = { shape: [rows.length, 1], data: new Float64Array(rows.length).fill(1) };
  return { inputs: core.concat([column(0), ones], { axis: 1 }), targets: column(1) };
}

/** The gradient of the loss. Every step of its arithmetic is a node. */
function gradientOf(graph: Graph, { inputs, targets }: Data<Node>, thetaT: Node): Node {
  const prediction = graph.matmul(inputs, thetaT, { name: "prediction" });
  const residual = graph.subtract(prediction, targets, { name: "residual" });
  const twice = graph.scale(residual, { factor: 2, name: "twice" });
  const pull = graph.multiply(inputs, twice, { name: "pull" });
  return graph.mean(pull, { axis: 0, keepdim: true, name: "gradient" });
}

/** Adds a line through points, or two weights for samples. The loss is the mean squared error of the rows that a step sees. */
function buildFit(core: Core, graph: Graph, numbers: Numbers): void {
  const columns = columnsOf(core, numbers);
  const batches = hasBatches(numbers) ? drawBatches(core, numbers) : null;
  const idsOf = (batch: Int32Array) => ({ shape: [batch.length], data: batch });
  const problem: Problem = {
    key: JSON.stringify([
      numbers.topic,
      dataOf(numbers),
      ...(batches ? [batchOf(numbers), seedOf(numbers)] : []),
    ]),
    loss(of, theta, step) {
      const rows = (tensor: Tensor) => (batches ? of.embedding(idsOf(batches[step]!), tensor) : tensor);
      return of.mseLoss(of.matmul(rows(columns.inputs), of.transpose(theta)), rows(columns.targets));
    },
  };
  const inputs = graph.leaf("A", columns.inputs);
  const targets = graph.leaf("y", columns.targets);
  for (const name of runningOptimizers(numbers)) {
    const { path } = runOf(core, numbers, name, problem);
    const places = graph.leaf(`${name}.path`, path);
    const all = graph.matmul(places, graph.transpose(inputs), {});
    const differences = graph.subtract(all, graph.transpose(targets), {});
    graph.mean(graph.multiply(differences, differences), { axis: 1, name: `${name}.loss` });
  }
  const theta = rowOf(graph, graph.node(`${numbers.optimizer}.path`), numbers.step, "theta");
  const thetaT = graph.transpose(theta, { name: "theta_T" });
  let seen: Data<Node> = { inputs, targets };
  if (batches) {
    if (numbers.topic === "line") graph.matmul(inputs, thetaT, { name: "line" });
    const ids = graph.leaf("batch", idsOf(batches[numbers.step]!));
    seen = {
      inputs: graph.embedding(ids, inputs, { name: "batch.A" }),
      targets: graph.embedding(ids, targets, { name: "batch.y" }),
    };
  }
  const gradient = gradientOf(graph, seen, thetaT);
  update(core, graph, numbers, runOf(core, numbers, numbers.optimizer, problem), theta, gradient);
}

function buildSurface(core: Core, graph: Graph, numbers: Numbers): void {
  const { surface } = numbers;
  addMap(graph, surface);
  const problem: Problem = {
    key: surface,
    loss: (of, theta) => of.sum(of.testSurface(theta, { surface })),
  };
  for (const name of runningOptimizers(numbers)) {
    const { path } = runOf(core, numbers, name, problem);
    graph.testSurface(graph.leaf(`${name}.path`, path), { surface, name });
  }
  const run = runOf(core, numbers, numbers.optimizer, problem);
  const theta = rowOf(graph, graph.node(`${numbers.optimizer}.path`), numbers.step, "theta");
  update(core, graph, numbers, run, theta, surfaceGradient(graph, surface, theta));
}

export function build(core: Core, graph: Graph, numbers: Numbers): void {
  if (numbers.topic === "surface") buildSurface(core, graph, numbers);
  else if (numbers.topic === "schedule") learningRates(core, graph, numbers);
  else buildFit(core, graph, numbers);
}
