/** The tensors of the optimizers lab: who they are and what their places are called. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import type { OptimizerName } from "../../config/labs/optimizers.js";
import type { Words } from "../../i18n/words.js";
import type { Role } from "../../marks/scene.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { running } from "./settings-text.js";
import { sayIn, type Say } from "./strings.js";
import { slopes, terms } from "./surface-gradient.js";
import { tellingSteps } from "./telling-steps.js";

type Numbers = NumbersOf["optimizers"];

/** Each optimizer's colour and letters, on every chart. */
export const roles: Readonly<Record<OptimizerName, Role>> = {
  sgd: "query",
  momentum: "key",
  adagrad: "value",
  rmsprop: "attention",
  adam: "output",
};

const parameter = { role: "weight", family: "parameters" } as const;
const slope = { role: "attention", fill: "activation", family: "slopes" } as const;

/** What one step of each optimizer is made of, in the order of the graph, with its symbols. */
const parts: Readonly<Record<OptimizerName, Readonly<Record<string, string>>>> = {
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

/** The key of a node's name: what v is to Momentum is no mean square. */
function keyOf(optimizer: OptimizerName, node: string): string {
  const squares = optimizer === "rmsprop" || optimizer === "adam";
  return squares && /^v(_before|_kept|_new)?$/.test(node) ? node.replace("v", "s") : node;
}

/** What changes the parameters, from the gradient on. */
function updating({ optimizer }: Numbers, say: Say, stop: string): Tensor[] {
  const made = Object.entries(parts[optimizer]).map(([node, symbol]): Tensor => ({
    node,
    key: keyOf(optimizer, node),
    symbol,
    ...(node === "direction"
      ? { ...slope, family: "direction" }
      : { role: "value" as const, family: "memory" }),
    axes: node.includes("_rest") ? "once" : "once parameter",
    ...(node.endsWith("_before") && { origin: say("origin.buffer") }),
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
  return [...made, step, next].map((row) => ({ ...row, stop }));
}

/** Where every optimizer goes, and how high it stands: not matrices of the stage, but what its charts are drawn from. */
function ways(numbers: Numbers, say: Say, stop: string): Tensor[] {
  return running(numbers).flatMap((name): Tensor[] => {
    const common = { role: roles[name], slots: { optimizer: say(`optimizer.${name}`) }, stop };
    const key = numbers.topic === "line" ? "loss" : "height";
    return [
      { node: `${name}.path`, symbol: "θ", ...common, axes: "time parameter", origin: say("origin.run") },
      { node: `${name}.loss`, key, symbol: "L", ...common, axes: "time" },
    ];
  });
}

/** What stands on the axes of a line or a surface, and of a schedule; none has a letter. */
export function axes({ numbers }: ConfigOf<"optimizers">, words: Words): Axes {
  const say = sayIn(words);
  const step = (n: number): string => say("step", { n });
  const shown = numbers.topic === "schedule" ? tellingSteps(numbers) : [];
  return {
    point: ["", pointNames(numbers, say)],
    input: ["", ["x", say("one")]],
    parameter: ["", numbers.topic === "line" ? ["w", "b"] : ["x", "y"]],
    time: ["", Array.from({ length: numbers.steps + 1 }, (_, n) => step(n))],
    step: ["", shown.map(step)],
    once: [""],
    place: [""],
  };
}

const pointNames = ({ points }: Numbers, say: Say): string[] => points.map((_, n) => say("point", { n }));

function line(numbers: Numbers, say: Say): Tensor[] {
  const points = pointNames(numbers, say);
  const value = { family: "values", axes: "point once" };
  const predict = { stop: "predict", ...value };
  const gradient = { stop: "gradient", family: "slopes" };
  const pointName = ([i = 0]: number[]): string => points[i] ?? "";
  return [
    { node: "A", symbol: "X", role: "query", ...predict, axes: "point input", meaning: pointName },
    { node: "theta", stop: "update", symbol: "θ_t", ...parameter, axes: "once parameter" },
    { node: "theta_T", stop: "predict", symbol: "θ^T", ...parameter, axes: "parameter once" },
    { node: "prediction", symbol: "ŷ", role: "output", ...predict },
    { node: "y", symbol: "y", role: "value", ...predict },
    { node: "residual", symbol: "r", role: "key", ...predict },
    { node: "twice", symbol: "2r", role: "key", ...value, ...gradient },
    { node: "pull", symbol: "2rX", role: "key", ...gradient, axes: "point parameter" },
    { node: "gradient", symbol: "g", stop: "gradient", ...slope, axes: "once parameter" },
    ...updating(numbers, say, "update"),
    ...ways(numbers, say, "predict"),
  ];
}

function surface(numbers: Numbers, say: Say): Tensor[] {
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
    ...Object.entries(terms[numbers.surface]).map(([node, formula]) => term(node, formula)),
    ...updating(numbers, say, "update"),
    ...ways(numbers, say, "map"),
  ];
}

/** Symbol, axes and stop of what the paper's rate is made of: some are one number for all steps. */
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

/** The formula of the cosine at one of the told steps, with its numbers; of the curve's points without. */
function cosineAt({ peak, warmup, length, ...numbers }: Numbers, told: number | null | undefined): string {
  const w = Math.min(warmup, length - 1);
  const t = tellingSteps({ warmup, length, ...numbers } as Numbers)[told ?? -1] ?? null;
  if (t !== null && t <= w) return `${peak} · ${t} ÷ ${w}`;
  return `${peak} ÷ 2 · (1 + cos(π · (${t ?? "t"} − ${w}) ÷ (${length} − ${w})))`;
}

function schedule(numbers: Numbers, say: Say): Tensor[] {
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
          origin: say("origin.cosine"),
          meaning: ([i]: number[]) => cosineAt(numbers, after ? null : i),
        }),
      }),
    })),
  );
}

export function tensors({ numbers }: ConfigOf<"optimizers">, words: Words): Tensor[] {
  return { line, surface, schedule }[numbers.topic](numbers, sayIn(words));
}
