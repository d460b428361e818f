// Trajectories of optimizers: the line fit of document 004, Rosenbrock's valley and quadratics, in full batches.
import { tensor } from "../fixture.mjs";

/** The optimizer classes of the document, as the library's optimizers with particular settings. */
const DEFAULTS = {
  mini_sgd: ["sgd", {}],
  mini_momentum: ["sgd", { lr: 0.01, momentum: 0.9 }],
  mini_adagrad: ["adagrad", { lr: 0.01, eps: 1e-8 }],
  mini_rmsprop: ["rmsprop", { lr: 0.01, alpha: 0.9, eps: 1e-8 }],
  mini_adam: ["adam", { lr: 0.01, betas: [0.9, 0.999], eps: 1e-8 }],
  noam_adam: ["adam", { betas: [0.9, 0.98], eps: 1e-9 }],
};

const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function made(core, name, hyper) {
  const [kind, defaults] = DEFAULTS[name] ?? [name, {}];
  if (typeof core[kind] !== "function") return undefined;
  const settings = { ...defaults };
  for (const [key, value] of Object.entries(hyper)) {
    if (key === "beta1") settings.betas = [value, settings.betas[1]];
    else if (key === "beta2") settings.betas = [settings.betas[0], value];
    else if (name !== "noam_adam") settings[camelCase(key)] = value;
  }
  return core[kind](settings);
}

const vector = (Floats, numbers) => ({ shape: [numbers.length], data: Floats.from(numbers) });

/** A problem: its initial parameters, and its loss as a node. */
function problemOf({ inputs, params }, precision) {
  const start = tensor(inputs.start, precision);
  const Floats = start.data.constructor;
  if (params.problem === "linear") {
    const [w, b] = [start.data.slice(0, 1), start.data.slice(1, 2)];
    const [x, y] = [vector(Floats, [0, 1, 2, 3, 4]), vector(Floats, [1, 3, 5, 7, 9])];
    return {
      start: { w: { shape: [], data: w }, b: { shape: [], data: b } },
      loss: (graph, nodes) => graph.lineFitLoss(nodes.w, nodes.b, x, y),
    };
  }
  if (params.problem === "rosenbrock")
    return {
      start: { p: start },
      loss: (graph, { p }) => graph.testSurface(p, { surface: "rosenbrock" }),
    };
  if (params.problem === "quadratic")
    return {
      start: { p: start },
      loss: (graph, { p }) => graph.quadraticLoss(p, tensor(inputs.c, precision)),
    };
  return undefined;
}

/** The numbers of all parameters, or of `of(name)` for each name, in one row. */
const joined = (parameters, of = (name) => parameters.get(name)) =>
  parameters.names.flatMap((name) => [...of(name).data]);

/** Computes the gradients of the parameters and returns the loss. */
function differentiated(core, parameters, problem, precision) {
  const graph = core.graph({ precision });
  try {
    const loss = problem.loss(graph, graph.stateDict(parameters));
    graph.backward(loss);
    parameters.zeroGrad();
    graph.addGradients(parameters);
    return graph.value(loss).data[0];
  } finally {
    graph.delete();
  }
}

/** Rows of numbers: the positions (including the start), and the losses and gradients before each update. */
export function trajectory(core, fixture, precision) {
  const { optimizer: name, hyper, steps } = fixture.params;
  const problem = problemOf(fixture, precision);
  const optimizer = problem && made(core, name, hyper);
  if (!optimizer) return undefined;
  const parameters = core.parameters({ precision });
  try {
    for (const [parameter, value] of Object.entries(problem.start)) parameters.add(parameter, value);
    const [places, losses, grads] = [[joined(parameters)], [], []];
    for (let step = 1; step <= steps; step++) {
      losses.push(differentiated(core, parameters, problem, precision));
      grads.push(joined(parameters, (parameter) => parameters.gradient(parameter)));
      if (name === "noam_adam")
        optimizer.lr = core.noamLr(step, { dModel: hyper.d, warmup: hyper.w, factor: hyper.f });
      optimizer.step(parameters);
      places.push(joined(parameters));
    }
    return { places, losses, grads };
  } finally {
    parameters.delete();
    optimizer.delete();
  }
}

export const table = (rows) => ({ shape: [rows.length, rows[0].length], data: rows.flat() });
export const column = (numbers) => ({ shape: [numbers.length], data: numbers });

export function run(core, fixture, precision) {
  const run = trajectory(core, fixture, precision);
  if (!run) return undefined;
  const { places, losses, grads } = run;
  const reported = fixture.params.report_after_step ?? [0];
  return {
    trajectory: table(places),
    losses: column(losses),
    grads: table(grads),
    reported_params: table(reported.map((step) => places[step + 1])),
    reported_losses: column(reported.map((step) => losses[step])),
  };
}
