/** The tensors of the losses lab: who they are, what their cells mean and become. */
import type { ConfigOf } from "../../config/config.js";
import { ACTIVATIONS } from "../../config/labs/losses.js";
import type { Words } from "../../i18n/words.js";
import type { Fill, Role, Symbol } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import { rowNames, say, type Key, type Say } from "./words.js";

type Config = ConfigOf<"losses">;

/** The three targets: what their nodes end in, and in which colour they and their line are drawn. */
export const targets = [
  { after: "", role: "activation", sub: undefined, label: "chart.onehot" },
  { after: "_all", role: "key", sub: "K", label: "label.y_all" },
  { after: "_others", role: "value", sub: "K−1", label: "label.y_others" },
] as const satisfies { after: string; role: Role; sub: string | undefined; label: Key }[];

export const spreadOf = ({ numbers }: Config): "_all" | "_others" => `_${numbers.spread}`;

const symbol = (text: string, sub?: string): Symbol => ({ text, ...(sub ? { sub } : {}) });

interface Given {
  node: string;
  name: Key;
  symbol: Symbol;
  role: Role;
  fill: Fill;
  family: string;
  step: number;
}

/** A node of one axis stands as a column where it has a number per row. */
const column = { turned: true, at: [null] } satisfies Partial<Tensor>;
const single = { at: [null], letters: "1", axes: [null] } satisfies Partial<Tensor>;

function losses(config: Config, said: Say): Tensor[] {
  const { numbers } = config;
  const { classes } = numbers;
  const rows = rowNames(numbers, said);
  const divergence = numbers.topic === "divergence";
  const place = ([i = 0, j = 0]: number[]) => ({ row: rows[i] ?? "", class: classes[j] ?? "" });
  const step = (name: "predict" | "target" | "cost" | "entropy" | "divergence" | "gradient"): number =>
    divergence
      ? { predict: 0, target: 0, cost: 1, entropy: 1, divergence: 2, gradient: 3 }[name]
      : { predict: 0, target: 1, cost: 2, entropy: 2, divergence: 2, gradient: 2 }[name];
  const named = ({ name, ...rest }: Given) => ({
    ...rest,
    name: said(name),
    single: said("single.row", { name: said(name) }),
  });
  const matrix = (given: Given, meaning: Key): Tensor => ({
    ...named(given),
    letters: "N×K",
    axes: [rows, classes],
    meaning: (index) => said(meaning, place(index)),
  });
  const perRow = (given: Given, meaning: Key): Tensor => ({
    ...named(given),
    ...column,
    letters: "N",
    axes: [rows],
    meaning: (index) => said(meaning, place(index)),
  });
  const mean = (given: Given): Tensor => ({
    ...named(given),
    ...single,
    single: said("meaning.mean"),
    meaning: () => said("meaning.mean"),
  });
  const nats = { fill: "activation", family: "nats" } as const;
  const made: Tensor[] = [
    {
      ...matrix(
        {
          node: "logits",
          name: "name.logits",
          symbol: symbol("z"),
          role: "activation",
          fill: "activation",
          family: "logits",
          step: step("predict"),
        },
        "meaning.logit",
      ),
      editable: true,
    },
    {
      ...named({
        node: "targets",
        name: "name.targets",
        symbol: symbol("t"),
        role: "activation",
        fill: "activation",
        family: "ids",
        step: step("target"),
      }),
      ...column,
      letters: "N",
      axes: [rows],
    },
    matrix(
      {
        node: "p",
        name: "name.p",
        symbol: symbol("p"),
        role: "attention",
        fill: "probability",
        family: "probability",
        step: step(divergence ? "gradient" : "predict"),
      },
      "meaning.p",
    ),
    matrix(
      {
        node: "log_p",
        name: "name.log_p",
        symbol: symbol("log p"),
        role: "query",
        ...nats,
        step: step("predict"),
      },
      "meaning.p",
    ),
    matrix(
      {
        node: "surprise",
        name: "name.surprise",
        symbol: symbol("s"),
        role: "query",
        ...nats,
        step: step("predict"),
      },
      "meaning.surprise",
    ),
  ];
  for (const { after, role, sub } of targets) {
    const at = (node: string, name: Key, text: string): Given => ({
      node: `${node}${after}`,
      name,
      symbol: symbol(text, divergence ? undefined : sub),
      role,
      ...nats,
      step: step("cost"),
    });
    const gradient = { fill: "activation", family: "pushes", step: step("gradient") } as const;
    made.push(
      matrix(
        {
          ...at("y", `name.y${after}`, "y"),
          fill: "probability",
          family: "probability",
          step: step("target"),
        },
        "meaning.target",
      ),
      perRow(at("loss", "name.loss", "L"), "meaning.loss"),
      mean(at("loss_mean", "name.loss_mean", "m")),
      perRow({ ...at("entropy", "name.entropy", "H"), step: step("entropy") }, "meaning.entropy"),
      mean({ ...at("entropy_mean", "name.entropy_mean", "m"), step: step("entropy") }),
      matrix(
        { ...at("kl_terms", "name.kl_terms", "k"), family: "pushes", step: step("predict") },
        "meaning.kl",
      ),
      perRow({ ...at("kl", "name.kl", "KL"), step: step("divergence") }, "meaning.kl"),
      mean({ ...at("kl_mean", "name.kl_mean", "m"), step: step("divergence") }),
      matrix({ ...at("off", "name.off", "p − y"), ...gradient }, "meaning.gradient"),
      matrix({ ...at("gradient", "name.gradient", "g"), ...gradient }, "meaning.gradient"),
    );
  }
  const parts = constants(said, step("target"), rows, classes);
  return divergence
    ? [...made, ...parts]
    : [...made, ...parts, ...chart(said, rows, classes, numbers.targets)];
}

/** What the targets are put together from; none of it is drawn. */
function constants(said: Say, step: number, rows: readonly string[], classes: readonly string[]): Tensor[] {
  const one = (node: string, name: Key, text: string): Tensor => ({
    node,
    name: said(name),
    single: said(name),
    symbol: symbol(text),
    role: "activation",
    fill: "activation",
    family: "parts",
    letters: "1",
    step,
    axes: [null],
    meaning: () => "",
  });
  const each = (node: string, name: Key, text: string): Tensor => {
    const { meaning: _, ...rest } = one(node, name, text);
    return { ...rest, letters: "N×K", axes: [rows, classes] };
  };
  return [
    one("rows", "name.rows", "N"),
    one("one", "name.one", "1"),
    one("epsilon", "name.epsilon", "ε"),
    one("classes", "name.classes", "K"),
    one("keep", "name.keep", "1 − ε"),
    each("kept", "name.kept", "(1 − ε) y"),
    each("wrong", "name.wrong", "1 − y"),
    one("wrong_classes", "name.wrong_classes", "K − 1"),
    one("share_all", "name.share_all", "ε/K"),
    one("share_others", "name.share_others", "ε/(K−1)"),
    each("spread_others", "name.spread_others", "ε (1 − y)/(K−1)"),
  ];
}

/** What the chart of the smoothed targets is drawn from. */
function chart(
  said: Say,
  rows: readonly string[],
  classes: readonly string[],
  right: readonly number[],
): Tensor[] {
  const one = (node: string, name: Key, text: string, role: Role, sub?: string): Tensor => ({
    node,
    name: said(name),
    single: said(name),
    symbol: symbol(text, sub),
    role,
    fill: "activation",
    family: "chart",
    letters: "N×M",
    step: 3,
    axes: [rows, null],
  });
  return [
    one("swept", "name.swept", "z", "activation"),
    { ...one("swept_logits", "name.swept_logits", "z", "activation"), axes: [rows, null, classes] },
    one("swept_targets", "name.swept_targets", "t", "activation"),
    ...targets.map(({ after, role, sub }) => ({
      ...one(`swept_loss${after}`, "name.swept_loss", "L", role, sub),
      meaning: ([row = 0]: number[]) =>
        said("meaning.swept", { row: rows[row] ?? "", class: classes[right[row]!] ?? "" }),
    })),
    ...targets.flatMap(({ after, role, sub }) =>
      after ? [one(`best${after}`, "name.best", "z*", role, sub)] : [],
    ),
  ];
}

function dropout({ numbers }: Config, said: Say): Tensor[] {
  const { draws } = numbers;
  const places = Array.from({ length: ACTIVATIONS }, (_, at) => said("activation", { n: at }));
  const rows = Array.from({ length: draws }, (_, at) => said("draw.n", { n: at }));
  const one = (
    node: string,
    name: Key,
    text: string,
    role: Role,
    step: number,
    family = "activations",
  ): Tensor => ({
    node,
    name: said(name),
    single: said(name),
    symbol: symbol(text),
    role,
    fill: family === "uniform" ? "probability" : "activation",
    family,
    letters: "R×D",
    step,
    axes: [rows, places],
    meaning: ([i = 0, j = 0]) => said("meaning.draw", { activation: places[j] ?? "", draw: rows[i] ?? "" }),
  });
  const row = (tensor: Tensor): Tensor => {
    const { meaning: _, ...rest } = tensor;
    return { ...rest, at: [null], letters: "D", axes: [places] };
  };
  return [
    { ...row(one("x", "name.x", "x", "activation", 0)), editable: true },
    { ...one("u", "name.u", "u", "query", 0, "uniform"), editable: true },
    one("x_again", "name.x_again", "x", "activation", 0),
    one("dropped", "name.dropped", "d", "output", 1),
    row(one("mean", "name.mean", "m", "output", 2)),
    one("running", "name.running", "m", "output", 2),
    one("unscaled", "name.unscaled", "m", "key", 2),
    row(one("x_kept", "name.x_kept", "x", "key", 2)),
  ];
}

export function tensors(config: Config, words: Words): Tensor[] {
  const said = say(words);
  return config.numbers.topic === "dropout" ? dropout(config, said) : losses(config, said);
}
