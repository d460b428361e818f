/** The tensors of lab 12, with a row for each layer, and what their cells mean. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { countedLengths, layerIds } from "./layers.js";
import { stringsIn } from "./strings.js";

type Config = ConfigOf<"complexity">;

/** The order of growth of each layer, by column; of work, sequential and path it is that of table 1. */
export const orders = {
  work: ["n² d", "n d²", "k n d²", "r n d"],
  sequential: ["O(1)", "O(n)", "O(1)", "O(1)"],
  path: ["O(1)", "O(n)", "log_k n", "n / r"],
  hops: ["O(1)", "O(n)", "O(log_k n)", "O(n / r)"],
  weights: ["H n²", "–", "–", "H r n"],
} as const;

export function layerNames({ numbers }: Config, words: Words): string[] {
  const say = stringsIn(words);
  return layerIds.map((id) => say(`layer.${id}`, { k: numbers.kernel, r: numbers.near }));
}

/** The tensors of one column: symbol, stop of Play, role, and the column of `orders`. */
const columns: Readonly<Record<string, readonly [string, string, Tensor["role"]?, (keyof typeof orders)?]>> =
  {
    words: ["n", "work"],
    meets: ["m", "work"],
    pairs: ["N", "work"],
    width: ["d", "work"],
    products: ["D", "work"],
    kernel: ["k", "work"],
    heads: ["H", "memory"],
    work: ["W", "work", "activation", "work"],
    work_millions: ["W", "work", "activation", "work"],
    flops: ["F", "count", "output"],
    ratio: ["R", "count"],
    sequential: ["S", "order", "activation", "sequential"],
    hops: ["L", "path"],
    path: ["P", "path", "activation", "path"],
    weights: ["A", "memory", "attention", "weights"],
    weights_thousands: ["A", "memory", "attention", "weights"],
    milliseconds: ["T", "time", "output"],
    speed: ["V", "time"],
    rate: ["G", "time"],
  };

/** The tensors with a column for each length. */
const byLength: typeof columns = {
  counted: ["F", "count", "output"],
  millions: ["F", "count", "output"],
  begun: ["t", "time"],
  ended: ["t", "time"],
  elapsed: ["t", "time"],
  calls: ["c", "time"],
  times: ["T", "time", "output"],
};

export const axes = (config: Config, words: Words): Axes => ({
  layer: ["", layerNames(config, words)],
  n: ["", countedLengths(config.numbers.length).map(String)],
  column: [""],
});

export function tensors(config: Config, words: Words): Tensor[] {
  const say = stringsIn(words);
  const layers = layerNames(config, words);
  const rows = (table: typeof columns, across: "column" | "n"): Tensor[] =>
    Object.entries(table).map(([node, [symbol, stop, role = "activation", column]]): Tensor => ({
      node,
      stop,
      role,
      fill: "none",
      family: node,
      symbol,
      axes: `layer ${across}`,
      ...(column && {
        meaning: ([row = 0]) =>
          say("meaning.order", { layer: layers[row] ?? "", order: orders[column][row] ?? "" }),
      }),
      ...(node === "hops" && {
        origin: say("origin.hops"),
        meaning: ([row = 0]) => say("meaning.hops", { layer: layers[row] ?? "", n: config.numbers.length }),
      }),
      ...(across === "n" && { meaning: "meaning.length" }),
    }));
  const timed = config.numbers.measured > 0;
  return [...rows(columns, "column"), ...rows(byLength, "n")].filter(({ stop }) => timed || stop !== "time");
}
