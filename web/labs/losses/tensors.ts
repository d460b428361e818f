/** The tensors of the losses lab: their names, axes, colours, and the meanings of their cells. */
import type { ConfigOf } from "../../config/config.js";
import { ACTIVATIONS, type LossesNumbers } from "../../config/labs/losses.js";
import type { Words } from "../../i18n/words.js";
import type { Role } from "../../marks/scene.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { rowNames, stringsIn, type Key, type Say } from "./strings.js";

type Config = ConfigOf<"losses">;

/** The three targets: the end of their node names, and the colour of their tensors and curves. */
export const targets = [
  { suffix: "", role: "activation", sub: "", label: "chart.onehot" },
  { suffix: "_all", role: "key", sub: "_K", label: "label.y_all" },
  { suffix: "_others", role: "value", sub: "_K−1", label: "label.y_others" },
] as const satisfies { suffix: string; role: Role; sub: string; label: Key }[];

/** The place of a node's target in `targets`; undefined if the node belongs to none. */
export function targetOf(node: string): number | undefined {
  const suffix = /_(all|others)$/.exec(node)?.[0];
  if (suffix) return targets.findIndex((target) => target.suffix === suffix);
  return /^(y|loss|loss_mean|entropy|kl|off|swept_loss)$/.test(node) ? 0 : undefined;
}

export const spreadOf = ({ numbers }: Config): "_all" | "_others" => `_${numbers.spread}`;

/** The axes: rows and classes; for dropout, draws and activations. */
export function axes({ numbers }: Config, words: Words): Axes {
  const say = stringsIn(words);
  return {
    row: ["N", rowNames(numbers, say)],
    class: ["K", numbers.classes],
    one: ["1"],
    draw: ["R", Array.from({ length: numbers.draws }, (_, n) => say("draw.n", { n }))],
    activation: ["D", Array.from({ length: ACTIVATIONS }, (_, n) => say("activation", { n }))],
  };
}

const grid = { axes: "row class" };
/** A column with one number for each row. */
const perRow = { axes: "row", turned: true };
const share = { fill: "probability", family: "probability" } as const;

/** The parts of the targets with their symbols; they are not drawn. */
const constants = {
  rows: "N",
  one: "1",
  epsilon: "ε",
  classes: "K",
  keep: "1 − ε",
  kept: "(1 − ε) y",
  wrong: "1 − y",
  wrong_classes: "K − 1",
  share_all: "ε/K",
  share_others: "ε/(K−1)",
  spread_others: "ε (1 − y)/(K−1)",
};
const constantsOfAll = ["kept", "wrong", "spread_others"];

function losses(numbers: LossesNumbers, say: Say): Tensor[] {
  const { topic, classes, targets: right } = numbers;
  const rows = rowNames(numbers, say);
  const divergence = topic === "divergence";
  const target = divergence ? "predict" : "target";
  // The picture of the three targets has one colour scale for all numbers except probabilities.
  const family = (own: string): string => (divergence ? own : "numbers");
  const surprise = { stop: "predict", role: "query", family: family("nats"), ...grid } as const;
  const mean = { axes: "one", single: say("meaning.of_rows"), meaning: "meaning.of_rows" };
  const ofRight =
    (key: Key) =>
    ([row = 0]: readonly number[]): string =>
      say(key, { row: rows[row] ?? "", class: classes[right[row]!] ?? "" });
  const main: Tensor[] = [
    { node: "logits", stop: "predict", symbol: "z", family: family("logits"), editable: true, ...grid },
    { node: "targets", stop: target, symbol: "t", ...perRow },
    { node: "p", stop: divergence ? "gradient" : "predict", symbol: "p", role: "attention", ...grid },
    { node: "log_p", symbol: "log p", ...surprise, meaning: "meaning.p" },
    { node: "surprise", symbol: "s", ...surprise },
    ...targets.flatMap(({ suffix, role, sub }): Tensor[] => {
      const row = (
        key: string,
        text: string,
        stop: string,
        more: Omit<Tensor, "node" | "symbol">,
      ): Tensor => ({
        node: `${key}${suffix}`,
        key,
        symbol: divergence ? text : text + sub,
        role,
        family: family("nats"),
        stop,
        ...more,
      });
      const cost = divergence ? "entropy" : "cost";
      const floor = divergence ? "entropy" : "confidence";
      const above = divergence ? "divergence" : "confidence";
      const slope = divergence ? "gradient" : "confidence";
      const pushes = { ...grid, family: family("pushes") };
      return [
        row("y", "y", target, { ...grid, ...share, key: `y${suffix}`, meaning: "meaning.target" }),
        row("loss", "L", cost, perRow),
        row("loss_mean", "m", cost, mean),
        row("entropy", "H", floor, perRow),
        row("entropy_mean", "m", floor, mean),
        row("kl_terms", "k", "predict", { ...pushes, meaning: "meaning.kl" }),
        row("kl", "KL", above, perRow),
        row("kl_mean", "m", above, mean),
        row("off", "p − y", slope, { ...pushes, meaning: "meaning.gradient" }),
        row("gradient", "g", slope, pushes),
      ];
    }),
  ];
  const parts = Object.entries(constants).map(([node, symbol]): Tensor => ({
    node,
    stop: target,
    symbol,
    axes: constantsOfAll.includes(node) ? "row class" : "one",
  }));
  /** The tensors that the chart is drawn from. */
  const chart: Tensor[] = [
    { node: "swept", symbol: "z", axes: "row M" },
    { node: "swept_logits", symbol: "z", axes: "row M class" },
    { node: "swept_targets", symbol: "t", axes: "row M" },
    ...targets.map(({ suffix, role, sub }): Tensor => ({
      node: `swept_loss${suffix}`,
      key: "swept_loss",
      symbol: `L${sub}`,
      role,
      axes: "row M",
      meaning: ofRight("meaning.swept_loss"),
    })),
    {
      node: "swept_p",
      stop: "predict",
      symbol: "p",
      role: "attention",
      joined: true,
      axes: "row M",
      meaning: ofRight("meaning.swept_p"),
    },
    // Without smoothing the best logit is infinite.
    ...targets.slice(numbers.smoothing > 0 ? 1 : targets.length).map(({ suffix, role, sub }): Tensor => ({
      node: `best${suffix}`,
      key: "best",
      symbol: `z*${sub}`,
      role,
      axes: "row M",
      stop: "confidence",
      meaning: ofRight("meaning.best"),
    })),
  ];
  return [
    ...main.map((tensor) => {
      const key = `name.${tensor.key ?? tensor.node}` as Key;
      return { single: say("single.row", { name: say(key) }), ...tensor };
    }),
    ...parts,
    ...(divergence ? [] : chart.map((tensor) => ({ stop: "cost", ...tensor }))),
  ];
}

function dropout(): Tensor[] {
  const uniform = { fill: "probability", family: "uniform" } as const;
  const perDraw = { axes: "draw activation", family: "activations", meaning: "meaning.of_draw" };
  const each = { axes: "activation", family: "activations" };
  return [
    { node: "x", stop: "draw", symbol: "x", ...each, editable: true },
    { node: "u", stop: "draw", symbol: "u", role: "query", ...perDraw, ...uniform, editable: true },
    { node: "x_again", stop: "draw", symbol: "x", ...perDraw },
    { node: "dropped", stop: "drop", symbol: "d", role: "output", ...perDraw },
    { node: "mean", stop: "mean", symbol: "m", role: "output", ...each },
    { node: "running", stop: "mean", symbol: "m", role: "output", ...perDraw },
    { node: "unscaled", stop: "mean", symbol: "m", role: "key", ...perDraw },
    { node: "x_kept", stop: "mean", symbol: "x", role: "key", ...each },
  ];
}

export function tensors({ numbers }: Config, words: Words): Tensor[] {
  return (numbers.topic === "dropout" ? dropout : losses)(numbers, stringsIn(words));
}
