/** The tensors of the optimizers lab, with their roles, colours and the names of their axes. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { dataOf, hasBatches, seedOf, type OptimizerName } from "../../config/labs/optimizers.js";
import type { Words } from "../../i18n/words.js";
import type { Role, Snapshots } from "../../marks/scene.js";
import { valuesOf } from "../../stage/series.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { placeOf } from "./batches.js";
import { hasOwnRates, runningOptimizers } from "./settings-text.js";
import { stringsIn, type Strings } from "./strings.js";
import { slopes, termTexts } from "./surface-gradient.js";
import { shownSteps } from "./shown-steps.js";

type Numbers = NumbersOf["optimizers"];

/** The colour of each optimizer on every chart. */
export const roles: Readonly<Record<OptimizerName, Role>> = {
  sgd: "query",
  momentum: "key",
  adagrad: "value",
  rmsprop: "attention",
  adam: "output",
};

const parameter = { role: "weight", family: "parameters" } as const;
const slope = { role: "attention", fill: "activation", family: "slopes" } as const;

/** The nodes of one step of each optimizer, in the order of the graph, with their symbols. */
const stepNodes: Readonly<Record<OptimizerName, Readonly<Record<string, string>>>> = {
  sgd: {},
  momentum: { v_before: "v_t−1", v_kept: "μv", v: "v_t" },
  adagrad: { G_before: "G_t−1", square: "g²", G: "G_t", root: "√G", root_eps: "√G+ε", direction: "d" },
  rmsprop: {
    v_before: "v_t−1",
    square: "g²",
    v_kept: "αv",
    v_new: "(1−α)g²",
    v: "v_t",
    root: "√v",
    root_eps: "√v+ε",
    direction: "d",
  },
  adam: {
    m_before: "m_t−1",
    m_kept: "β₁m",
    m_new: "(1−β₁)g",
    m: "m_t",
    v_before: "v_t−1",
    square: "g²",
    v_kept: "β₂v",
    v_new: "(1−β₂)g²",
    v: "v_t",
    m_hat: "m̂",
    v_hat: "v̂",
    root: "√v̂",
    root_eps: "√v̂+ε",
    direction: "d",
    "m_rest.beta": "β₁",
    m_rest: "1−β₁ᵗ",
    "v_rest.beta": "β₂",
    v_rest: "1−β₂ᵗ",
  },
};

/** The key of a node's name: v is a velocity in Momentum, and a mean square in RMSProp and Adam. */
function keyOf(optimizer: OptimizerName, node: string): string {
  const squares = optimizer === "rmsprop" || optimizer === "adam";
  return squares && /^v(_before|_kept|_new)?$/.test(node) ? node.replace("v", "s") : node;
}

/** The tensors from the gradient to the new parameters. */
function updateTensors(numbers: Numbers, strings: Strings, stop: string): Tensor[] {
  const { optimizer } = numbers;
  const ofOptimizer = Object.entries(stepNodes[optimizer]).map(([node, symbol]): Tensor => ({
    node,
    key: keyOf(optimizer, node),
    symbol,
    ...(node === "direction"
      ? { ...slope, family: "direction" }
      : { role: "value" as const, family: "memory" }),
    axes: node.includes("_rest") ? "once" : "once parameter",
    ...(node.endsWith("_before") && { origin: strings("origin.buffer") }),
  }));
  const step: Tensor = {
    node: "step",
    symbol: "Δ",
    ...parameter,
    role: "attention",
    fill: "parameter",
    axes: "once parameter",
  };
  const next: Tensor = { node: "next", symbol: "θ_t+1", ...parameter, axes: "once parameter" };
  // The learning rate that AdaGrad gives each weight, on a rare feature.
  const effective: Tensor = {
    node: "effective",
    symbol: "η_i",
    role: "attention",
    fill: "activation",
    family: "rates",
    axes: "once parameter",
  };
  const eta: Tensor = { node: "effective.lr", symbol: "η", role: "attention", axes: "once" };
  const ownRates = hasOwnRates(numbers) ? [eta, effective] : [];
  return [...ofOptimizer, ...ownRates, step, next].map((row) => ({ ...row, stop }));
}

/** The path and the losses of every optimizer, which are drawn as charts, not as matrices. */
function runTensors(numbers: Numbers, strings: Strings, stop: string): Tensor[] {
  return runningOptimizers(numbers).flatMap((name): Tensor[] => {
    const common = { role: roles[name], slots: { optimizer: strings(`optimizer.${name}`) }, stop };
    const key = numbers.topic === "surface" ? "height" : "loss";
    return [
      { node: `${name}.path`, symbol: "θ", ...common, axes: "time parameter", origin: strings("origin.run") },
      { node: `${name}.loss`, key, symbol: "L", ...common, axes: "time" },
    ];
  });
}

/** The kinds of axes. None has a letter. */
export function axes({ numbers }: ConfigOf<"optimizers">, words: Words, snapshots: Snapshots): Axes {
  const strings = stringsIn(words);
  const step = (n: number): string => strings("step", { n });
  const shown = numbers.topic === "schedule" ? shownSteps(numbers) : [];
  return {
    point: ["", dataOf(numbers).map((_, n) => nameOfRow(numbers, strings, n))],
    seen: ["", batchRows(numbers, snapshots).map((n) => nameOfRow(numbers, strings, n))],
    input: ["", numbers.topic === "sparse" ? ["x₁", "x₂"] : ["x", strings("one")]],
    parameter: [
      "",
      { line: ["w", "b"], sparse: ["w₁", "w₂"], surface: ["x", "y"], schedule: [] }[numbers.topic],
    ],
    time: ["", Array.from({ length: numbers.steps + 1 }, (_, n) => step(n))],
    step: ["", shown.map(step)],
    once: [""],
    place: [""],
  };
}

/** Row n of the data: "point 3" of a line, "sample 3". */
const nameOfRow = ({ topic }: Numbers, strings: Strings, n: number): string =>
  strings(topic === "sparse" ? "sample" : "point", { n });

/** The rows of the data that the shown step computes its loss from: those of its batch, or all. */
export const batchRows = (numbers: Numbers, snapshots: Snapshots): number[] =>
  hasBatches(numbers) ? Array.from(valuesOf(snapshots, "batch")) : dataOf(numbers).map((_, n) => n);

/** The tensors of the rows that the step draws from the data; none if every step sees all rows. */
function batchTensors(numbers: Numbers, strings: Strings): Tensor[] {
  if (!hasBatches(numbers)) return [];
  const { epoch, start, stop } = placeOf(numbers, numbers.step);
  const slots = { seed: seedOf(numbers), n: dataOf(numbers).length, epoch: epoch + 1, start, last: stop - 1 };
  const origin = strings(start === stop - 1 ? "origin.batch.one" : "origin.batch.many", slots);
  const predict = { stop: "predict", family: "values" };
  return [
    ...(numbers.topic === "line"
      ? [{ node: "line", symbol: "ŷ", role: "output" as const, ...predict, axes: "point once" }]
      : []),
    { node: "batch", symbol: "i", stop: "predict", fill: "none", axes: "seen", turned: true, origin },
    { node: "batch.A", symbol: "X_B", role: "query", ...predict, axes: "seen input" },
    { node: "batch.y", symbol: "y_B", role: "value", ...predict, axes: "seen once" },
  ];
}

/** The texts of the inputs: x and 1 of a line, or x₁ and x₂ of samples. */
function inputs(
  numbers: Numbers,
  strings: Strings,
  rows: readonly number[],
): Pick<Tensor, "key" | "meaning"> {
  if (numbers.topic === "sparse") return { key: "inputs" };
  return { meaning: ([at = 0]: number[]): string => nameOfRow(numbers, strings, rows[at] ?? 0) };
}

function fitTensors(numbers: Numbers, strings: Strings, snapshots: Snapshots): Tensor[] {
  const predict = { stop: "predict", family: "values" };
  const gradient = { stop: "gradient", family: "slopes" };
  const rows = dataOf(numbers).map((_, n) => n);
  const seen = batchRows(numbers, snapshots);
  return [
    {
      node: "A",
      symbol: "X",
      role: "query",
      ...predict,
      axes: "point input",
      ...inputs(numbers, strings, rows),
    },
    { node: "theta", stop: "update", symbol: "θ_t", ...parameter, axes: "once parameter" },
    { node: "theta_T", stop: "predict", symbol: "θ^T", ...parameter, axes: "parameter once" },
    ...batchTensors(numbers, strings).map((row) =>
      row.node === "batch.A" ? { ...row, ...inputs(numbers, strings, seen) } : row,
    ),
    { node: "prediction", symbol: "ŷ", role: "output", ...predict, axes: "seen once" },
    { node: "y", symbol: "y", role: "value", ...predict, axes: "point once" },
    { node: "residual", symbol: "r", role: "key", ...predict, axes: "seen once" },
    { node: "twice", symbol: "2r", role: "key", ...gradient, axes: "seen once" },
    { node: "pull", symbol: "2rX", role: "key", ...gradient, axes: "seen parameter" },
    { node: "gradient", symbol: "g", stop: "gradient", ...slope, axes: "once parameter" },
    ...updateTensors(numbers, strings, "update"),
    ...runTensors(numbers, strings, "predict"),
  ];
}

function surfaceTensors(numbers: Numbers, strings: Strings): Tensor[] {
  const names = ["x", "y"] as const;
  const along = slopes[numbers.surface];
  const map = { stop: "map", family: "map", joined: true, axes: "place place" };
  const term = (node: string, formula: string, role: Role = "activation"): Tensor => ({
    node,
    name: formula,
    symbol: formula,
    ...slope,
    role,
    stop: "update",
    axes: "once once",
  });
  return [
    { node: "grid", symbol: "p", ...map, axes: "place place parameter", meaning: () => "" },
    { node: "map.loss", key: "map", symbol: "f", ...map },
    { node: "map_1", symbol: "1+f", ...map },
    { node: "shade", symbol: "log(1+f)", ...map },
    { node: "theta", stop: "update", symbol: "θ_t", ...parameter, axes: "once parameter" },
    {
      node: "gradient",
      stop: "update",
      symbol: "g",
      ...slope,
      axes: "once parameter",
      meaning: ([, j = 0]) => `∂f/∂${names[j]} = ${along[j]}`,
    },
    ...names.flatMap((name, at) => [
      term(`${name}_now`, name, "weight"),
      term(`along_${name}`, along[at]!, "attention"),
    ]),
    ...Object.entries(termTexts[numbers.surface]).map(([node, formula]) => term(node, formula)),
    ...updateTensors(numbers, strings, "update"),
    ...runTensors(numbers, strings, "map"),
  ];
}

/** The tensors of the paper's learning rate. Some hold one number for all steps. */
const RATES: readonly Tensor[] = [
  { node: "t", symbol: "t", stop: "rising", axes: "step once" },
  { node: "w", symbol: "w", stop: "rising", axes: "once once" },
  { node: "d", symbol: "d", stop: "rising", axes: "once once" },
  { node: "root_d", symbol: "√d", stop: "rising", axes: "once once" },
  { node: "root_t", symbol: "√t", stop: "falling", axes: "step once" },
  { node: "root_t_d", symbol: "√(td)", stop: "falling", axes: "step once" },
  { node: "falling", symbol: "↘", stop: "falling", axes: "step once", role: "key", family: "rates" },
  { node: "root_w", symbol: "√w", stop: "rising", axes: "once once" },
  { node: "power_w", symbol: "w√w", stop: "rising", axes: "once once" },
  { node: "power_w_d", symbol: "w√(wd)", stop: "rising", axes: "once once" },
  { node: "rising", symbol: "↗", stop: "rising", axes: "step once", role: "query", family: "rates" },
  { node: "lr", symbol: "η", stop: "lr", axes: "step once", role: "output", family: "rates" },
];

/** The formula of the cosine with its numbers. For a point of the curve (null) the step stays t. */
function cosineAt({ peak, warmup, length, ...numbers }: Numbers, row: number | null | undefined): string {
  const w = Math.min(warmup, length - 1);
  const t = shownSteps({ warmup, length, ...numbers } as Numbers)[row ?? -1] ?? null;
  if (t !== null && t <= w) return `${peak} · ${t} ÷ ${w}`;
  return `${peak} ÷ 2 · (1 + cos(π · (${t ?? "t"} − ${w}) ÷ (${length} − ${w})))`;
}

function scheduleTensors(numbers: Numbers, strings: Strings): Tensor[] {
  const noam = numbers.schedule === "noam";
  const shown = RATES.filter(({ node }) => noam || node === "t" || node === "lr");
  return shown.flatMap((row) =>
    ["", "_curve"].map((after): Tensor => ({
      family: "steps",
      ...row,
      node: `${row.node}${after}`,
      key: row.node,
      ...(after && { axes: "once once" }),
      ...(!noam && {
        stop: "rates",
        ...(row.node === "lr" && {
          origin: strings("origin.cosine"),
          meaning: ([i]: number[]) => cosineAt(numbers, after ? null : i),
        }),
      }),
    })),
  );
}

export function tensors({ numbers }: ConfigOf<"optimizers">, words: Words, snapshots: Snapshots): Tensor[] {
  return { line: fitTensors, sparse: fitTensors, surface: surfaceTensors, schedule: scheduleTensors }[
    numbers.topic
  ](numbers, stringsIn(words), snapshots);
}
