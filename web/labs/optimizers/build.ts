/** Lab 11, worker side: the run of an optimizer, and its step at one time as nodes. */
import type { NumbersOf } from "../../config/config.js";
import type { Graph, Node } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { learningRates } from "./learning-rates.js";
import { runOf, type Problem } from "./run.js";
import { running } from "./settings-text.js";
import { surfaceGradient } from "./surface-gradient.js";
import { mapOf } from "./surface-map.js";
import { update } from "./update.js";

type Numbers = NumbersOf["optimizers"];

/** The row of a run at the step that is shown, as a node. */
function rowOf(graph: Graph, run: Node, step: number, name: string): Node {
  return graph.slice(run, { axis: 0, start: step, stop: step + 1, name });
}

/** Loss and gradient of the line, from the points and one step's (w, b), every step of the way a node. */
function lineAt(graph: Graph, design: Node, y: Node, theta: Node): Node {
  const prediction = graph.matmul(design, graph.transpose(theta, { name: "theta_T" }), {
    name: "prediction",
  });
  const residual = graph.subtract(prediction, y, { name: "residual" });
  const twice = graph.scale(residual, { factor: 2, name: "twice" });
  const pull = graph.multiply(design, twice, { name: "pull" });
  return graph.mean(pull, { axis: 0, keepdim: true, name: "gradient" });
}

function line(core: Core, graph: Graph, numbers: Numbers): void {
  const data = { shape: [numbers.points.length, 2], data: Float64Array.from(numbers.points.flat()) };
  const design = core.concat(
    [
      core.slice(data, { axis: 1, start: 0, stop: 1 }),
      { shape: [numbers.points.length, 1], data: new Float64Array(numbers.points.length).fill(1) },
    ],
    { axis: 1 },
  );
  const heights = core.slice(data, { axis: 1, start: 1, stop: 2 });
  const problem: Problem = {
    key: JSON.stringify(["line", numbers.points]),
    loss: (of, theta) => of.mseLoss(of.matmul(design, of.transpose(theta)), heights),
  };
  const inputs = graph.leaf("A", design);
  const y = graph.leaf("y", heights);
  for (const name of running(numbers)) {
    const { path } = runOf(core, numbers, name, problem);
    const places = graph.leaf(`${name}.path`, path);
    const all = graph.matmul(places, graph.transpose(inputs), {});
    const differences = graph.subtract(all, graph.transpose(y), {});
    graph.mean(graph.multiply(differences, differences), { axis: 1, name: `${name}.loss` });
  }
  const theta = rowOf(graph, graph.node(`${numbers.optimizer}.path`), numbers.step, "theta");
  const gradient = lineAt(graph, inputs, y, theta);
  update(core, graph, numbers, runOf(core, numbers, numbers.optimizer, problem), theta, gradient);
}

function surface(core: Core, graph: Graph, numbers: Numbers): void {
  const { surface } = numbers;
  mapOf(graph, surface);
  const problem: Problem = {
    key: surface,
    loss: (of, theta) => of.sum(of.testSurface(theta, { surface })),
  };
  for (const name of running(numbers)) {
    const { path } = runOf(core, numbers, name, problem);
    graph.testSurface(graph.leaf(`${name}.path`, path), { surface, name });
  }
  const run = runOf(core, numbers, numbers.optimizer, problem);
  const theta = rowOf(graph, graph.node(`${numbers.optimizer}.path`), numbers.step, "theta");
  update(core, graph, numbers, run, theta, surfaceGradient(graph, surface, theta));
}

export function build(core: Core, graph: Graph, numbers: Numbers): void {
  if (numbers.topic === "line") line(core, graph, numbers);
  else if (numbers.topic === "surface") surface(core, graph, numbers);
  else learningRates(core, graph, numbers);
}
