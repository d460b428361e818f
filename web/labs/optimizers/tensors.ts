/** The tensors of the optimizers lab: who they are, what their places are called, what their cells become. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { optimizers, type OptimizerName } from "../../config/labs/optimizers.js";
import type { Words } from "../../i18n/words.js";
import type { Fill, Role, Symbol } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import { said, type OwnKey } from "./strings.js";
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

/** The optimizers that run. */
export const running = ({ optimizer, compare }: Numbers): readonly OptimizerName[] =>
  compare ? optimizers : [optimizer];

/** The two parameters. */
export const names = ({ topic }: Numbers): readonly string[] => (topic === "line" ? ["w", "b"] : ["x", "y"]);

const STOPS = { predict: 0, gradient: 1, update: 2, map: 0, step: 1 } as const;

/** Symbol, role, fill and family of a pair of numbers that an update is made of. */
type Part = readonly [symbol: Symbol, role: Role, fill: Fill, family: string];
const memory = (text: string, sub?: string): Part => [
  sub === undefined ? { text } : { text, sub },
  "value",
  "activation",
  "memory",
];

/** What one step of each optimizer is made of, in the order of the graph. */
const parts: Readonly<Record<OptimizerName, Readonly<Record<string, Part>>>> = {
  sgd: {},
  momentum: {
    v_before: memory("v", "t−1"),
    v_kept: memory("μv"),
    v: memory("v", "t"),
  },
  adagrad: {
    G_before: memory("G", "t−1"),
    square: memory("g²"),
    G: memory("G", "t"),
    root: memory("√G"),
    root_eps: memory("√G+ε"),
    direction: [{ text: "d" }, "attention", "activation", "direction"],
  },
  rmsprop: {
    v_before: memory("v", "t−1"),
    square: memory("g²"),
    v_kept: memory("αv"),
    v_new: memory("(1−α)g²"),
    v: memory("v", "t"),
    root: memory("√v"),
    root_eps: memory("√v+ε"),
    direction: [{ text: "d" }, "attention", "activation", "direction"],
  },
  adam: {
    m_before: memory("m", "t−1"),
    m_kept: memory("β₁m"),
    m_new: memory("(1−β₁)g"),
    m: memory("m", "t"),
    v_before: memory("v", "t−1"),
    square: memory("g²"),
    v_kept: memory("β₂v"),
    v_new: memory("(1−β₂)g²"),
    v: memory("v", "t"),
    m_hat: memory("m̂"),
    v_hat: memory("v̂"),
    root: memory("√v̂"),
    root_eps: memory("√v̂+ε"),
    direction: [{ text: "d" }, "attention", "activation", "direction"],
  },
};

/** Names of nodes of which one name means different things: what v is to Momentum is no mean square. */
function nameOf(optimizer: OptimizerName, node: string): OwnKey {
  const squares = optimizer === "rmsprop" || optimizer === "adam";
  const key = squares && node.startsWith("v") && node !== "v_hat" ? node.replace("v", "s") : node;
  return `name.${key}` as OwnKey;
}

function pair(
  numbers: Numbers,
  node: string,
  name: string,
  [symbol, role, fill, family]: Part,
  step: number,
  more: Partial<Tensor> = {},
): Tensor {
  const axis = names(numbers);
  return {
    node,
    role,
    fill,
    family,
    symbol,
    name,
    single: name,
    step,
    axes: [null, axis],
    meaning: (index) => axis[index[1] ?? 0] ?? "",
    ...more,
  };
}

/** What changes the parameters, from the gradient on. */
function updating(config: ConfigOf<"optimizers">, words: Words, step: number): Tensor[] {
  const { numbers } = config;
  const text = said(words);
  const { optimizer } = numbers;
  const own = parts[optimizer];
  const list = Object.entries(own);
  const made = list.map(([node, part]) =>
    pair(numbers, node, text(nameOf(optimizer, node)), part, step, {
      ...(node.endsWith("_before") ? { origin: text("origin.buffer") } : {}),
    }),
  );
  const scalar = (node: string, symbol: string): Tensor => ({
    ...pair(numbers, node, text(`name.${node}` as OwnKey), memory(symbol), step),
    axes: [null],
    meaning: () => "",
  });
  const corrections =
    optimizer === "adam"
      ? [
          scalar("m_rest.beta", "β₁"),
          scalar("m_rest", "1−β₁ᵗ"),
          scalar("v_rest.beta", "β₂"),
          scalar("v_rest", "1−β₂ᵗ"),
        ]
      : [];
  return [
    ...made,
    ...corrections,
    pair(
      numbers,
      "step",
      text("name.step"),
      [{ text: "Δ" }, "attention", "parameter", "parameters"],
      step,
      {},
    ),
    pair(
      numbers,
      "next",
      text("name.next"),
      [{ text: "θ", sub: "t+1" }, "weight", "parameter", "parameters"],
      step,
      {
        single: text("single.next"),
      },
    ),
  ];
}

/** Where every optimizer goes, and how high it stands: not matrices of the stage, but what its charts are drawn from. */
function walked(config: ConfigOf<"optimizers">, words: Words): Tensor[] {
  const { numbers } = config;
  const text = said(words);
  const times = Array.from({ length: numbers.steps + 1 }, (_, n) => text("step", { n }));
  return running(numbers).flatMap((name): Tensor[] => {
    const optimizer = text(`optimizer.${name}`);
    const common = {
      role: roles[name],
      fill: "activation" as const,
      family: "walk",
      step: 0,
    };
    const path = text("name.path", { optimizer });
    const loss = text(numbers.topic === "line" ? "name.loss" : "name.height", { optimizer });
    return [
      {
        ...common,
        node: `${name}.path`,
        symbol: { text: "θ" },
        name: path,
        single: path,
        axes: [times, names(numbers)],
        origin: text("origin.run"),
      },
      {
        ...common,
        node: `${name}.loss`,
        symbol: { text: "L" },
        name: loss,
        single: loss,
        axes: [times],
      },
    ];
  });
}

function line(config: ConfigOf<"optimizers">, words: Words): Tensor[] {
  const { numbers } = config;
  const text = said(words);
  const points = numbers.points.map((_, n) => text("point", { n }));
  const column = (
    node: "A" | "prediction" | "y" | "residual" | "twice" | "pull",
    symbol: Symbol,
    role: Role,
    step: number,
    more: Partial<Tensor> = {},
  ): Tensor => ({
    node,
    role,
    fill: "activation",
    family: node === "pull" || node === "twice" ? "slopes" : "values",
    symbol,
    name: text(`name.${node}`),
    single: text(`single.${node}`),
    step,
    axes: [points, null],
    meaning: ([i]) => points[i ?? 0] ?? "",
    ...more,
  });
  return [
    column("A", { text: "X" }, "query", STOPS.predict, {
      axes: [points, ["x", text("one")]],
    }),
    pair(
      numbers,
      "theta",
      text("name.theta"),
      [{ text: "θ", sub: "t" }, "weight", "parameter", "parameters"],
      STOPS.update,
      {
        single: text("single.theta"),
      },
    ),
    {
      ...pair(
        numbers,
        "theta_T",
        text("name.theta_T"),
        [{ text: "θ", sup: "T" }, "weight", "parameter", "parameters"],
        STOPS.predict,
      ),
      axes: [["w", "b"], null],
      meaning: ([i]) => ["w", "b"][i ?? 0] ?? "",
    },
    column("prediction", { text: "ŷ" }, "output", STOPS.predict),
    column("y", { text: "y" }, "value", STOPS.predict),
    column("residual", { text: "r" }, "key", STOPS.predict),
    column("twice", { text: "2r" }, "key", STOPS.gradient),
    column("pull", { text: "2rX" }, "key", STOPS.gradient, {
      axes: [points, ["w", "b"]],
      meaning: ([i, j]) => `${points[i ?? 0] ?? ""} · ${["w", "b"][j ?? 0] ?? ""}`,
    }),
    pair(
      numbers,
      "gradient",
      text("name.gradient"),
      [{ text: "g" }, "attention", "activation", "slopes"],
      STOPS.gradient,
      {
        single: text("single.gradient"),
      },
    ),
    ...updating(config, words, STOPS.update),
    ...walked(config, words),
  ];
}

function surface(config: ConfigOf<"optimizers">, words: Words): Tensor[] {
  const { numbers } = config;
  const text = said(words);
  const map = (node: "grid" | "map.loss" | "map_1" | "shade", symbol: string): Tensor => ({
    node,
    role: "activation",
    fill: "activation",
    family: "map",
    joined: true,
    symbol: { text: symbol },
    name: text(node === "map.loss" ? "name.map" : `name.${node}`),
    single: text(node === "map.loss" ? "name.map" : `name.${node}`),
    step: STOPS.map,
    axes: [null, null],
    meaning: () => "",
  });
  const term = (node: string, formula: string, role: Role = "activation"): Tensor => ({
    ...pair(numbers, node, formula, [{ text: formula }, role, "activation", "slopes"], STOPS.step),
    axes: [null, null],
    meaning: () => "",
  });
  return [
    { ...map("grid", "p"), axes: [null, null, names(numbers)] },
    map("map.loss", "f"),
    map("map_1", "1+f"),
    map("shade", "log(1+f)"),
    pair(
      numbers,
      "theta",
      text("name.theta"),
      [{ text: "θ", sub: "t" }, "weight", "parameter", "parameters"],
      STOPS.step,
      {
        single: text("single.theta"),
      },
    ),
    pair(
      numbers,
      "gradient",
      text("name.gradient"),
      [{ text: "g" }, "attention", "activation", "slopes"],
      STOPS.step,
      {
        single: text("single.gradient"),
        meaning: ([, j]) => `∂f/∂${names(numbers)[j ?? 0]} = ${slopes[numbers.surface][j ?? 0]}`,
      },
    ),
    ...["x", "y"].flatMap((letter, at) => [
      term(`${letter}_now`, letter, "weight"),
      term(`along_${letter}`, slopes[numbers.surface][at]!, "attention"),
    ]),
    ...Object.entries(terms[numbers.surface]).map(([node, formula]) => term(node, formula)),
    ...updating(config, words, STOPS.step),
    ...walked(config, words),
  ];
}

const RATES = {
  t: ["t", "activation", "steps", 0],
  w: ["w", "activation", "steps", 0],
  d: ["d", "activation", "steps", 0],
  root_d: ["√d", "activation", "steps", 0],
  root_t: ["√t", "activation", "steps", 1],
  root_t_d: ["√(td)", "activation", "steps", 1],
  falling: ["↘", "key", "rates", 1],
  root_w: ["√w", "activation", "steps", 0],
  power_w: ["w√w", "activation", "steps", 0],
  power_w_d: ["w√(wd)", "activation", "steps", 0],
  rising: ["↗", "query", "rates", 0],
  lr: ["η", "output", "rates", 2],
} as const satisfies Record<string, readonly [string, Role, string, number]>;

/** One number for all steps. */
const SINGLE = new Set(["w", "d", "root_w", "root_d", "power_w", "power_w_d"]);

/** The formula of the cosine at one of the told steps, with its numbers; of the curve's points without. */
function cosineAt({ peak, warmup, length, ...numbers }: Numbers, told: number | null | undefined): string {
  const w = Math.min(warmup, length - 1);
  const t = tellingSteps({ warmup, length, ...numbers } as Numbers)[told ?? -1] ?? null;
  if (t !== null && t <= w) return `${peak} · ${t} ÷ ${w}`;
  return `${peak} ÷ 2 · (1 + cos(π · (${t ?? "t"} − ${w}) ÷ (${length} − ${w})))`;
}

function schedule({ numbers }: ConfigOf<"optimizers">, words: Words): Tensor[] {
  const text = said(words);
  const steps = tellingSteps(numbers).map((n) => text("step", { n }));
  const noam = numbers.schedule === "noam";
  const shown = Object.entries(RATES).filter(([node]) => noam || node === "t" || node === "lr");
  return shown.flatMap(([node, [symbol, role, family, step]]) => {
    const name = text(`name.${node}` as OwnKey);
    const single = SINGLE.has(node);
    return ["", "_curve"].map((after): Tensor => ({
      node: `${node}${after}`,
      role,
      fill: "activation",
      family,
      symbol: { text: symbol },
      name,
      single: name,
      step: noam ? step : 0,
      axes: [single || after ? null : steps, null],
      ...(!noam && node === "lr"
        ? { origin: text("origin.cosine"), meaning: ([i]: number[]) => cosineAt(numbers, after ? null : i) }
        : {}),
    }));
  });
}

export function tensors(config: ConfigOf<"optimizers">, words: Words): Tensor[] {
  const { topic } = config.numbers;
  return topic === "line"
    ? line(config, words)
    : topic === "surface"
      ? surface(config, words)
      : schedule(config, words);
}
