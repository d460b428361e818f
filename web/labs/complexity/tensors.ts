/** Who the tensors of lab 12 are: a row per layer, and what a cell means. */
import type { ConfigOf } from "../../config/config.js";
import { own, type OwnWords, type Words } from "../../i18n/words.js";
import type { Tensor } from "../../telling/telling.js";
import { en } from "./en.js";
import { countedLengths, layerIds } from "./layers.js";
import { zhCN } from "./zh-CN.js";

type Config = ConfigOf<"complexity">;

export const ownWords = (words: Words): OwnWords<typeof en> => own(words, { en, "zh-CN": zhCN });

export const stopIds = ["work", "count", "order", "memory", "time"] as const;
type Stop = (typeof stopIds)[number];
type TableColumn = "work" | "sequential" | "path" | "weights";

/** The number of each stop. */
export const step = { work: 0, count: 1, order: 2, memory: 3, time: 4 } as const;

export function layerNames({ numbers }: Config, words: Words): string[] {
  const say = ownWords(words);
  return layerIds.map((id) => say(`layer.${id}`, { k: numbers.kernel, r: numbers.near }));
}

/** What table 1 says of a column, layer by layer. */
export function orders(column: TableColumn, words: Words): string[] {
  const say = ownWords(words);
  return layerIds.map((id) => say(`order.${column}.${id}`));
}

type Named = Parameters<OwnWords<typeof en>>[0];

/** Symbol, stop of Play, role, and what table 1 calls the column, of the tensors of one column. */
const columns: Readonly<Record<string, readonly [string, Stop, Tensor["role"]?, TableColumn?]>> = {
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
  path: ["P", "order", "activation", "path"],
  weights: ["A", "memory", "attention", "weights"],
  weights_thousands: ["A", "memory", "attention", "weights"],
  milliseconds: ["T", "time", "output"],
  speed: ["V", "time"],
  rate: ["G", "time"],
};

/** The same of those with a column per length. */
const byLength: typeof columns = {
  counted: ["F", "count", "output"],
  millions: ["F", "count", "output"],
  begun: ["t", "time"],
  ended: ["t", "time"],
  elapsed: ["t", "time"],
  calls: ["c", "time"],
  times: ["T", "time", "output"],
};

export function tensors(config: Config, words: Words): Tensor[] {
  const say = ownWords(words);
  const rows = layerNames(config, words);
  const lengths = countedLengths(config.numbers.length);
  const narrow = Object.entries(columns).map(([node, [symbol, stop, role, column]]): Tensor => {
    const order = column && orders(column, words);
    const name = say(`name.${node}` as Named);
    return {
      node,
      stop,
      ...(role && { role }),
      fill: "none",
      family: node,
      symbol,
      name,
      single: node === "ratio" ? say("single.ratio") : name,
      axes: [rows, null],
      meaning: ([row = 0]) =>
        order
          ? say("meaning.order", { layer: rows[row] ?? "", order: order[row] ?? "" })
          : say("meaning.layer", { layer: rows[row] ?? "" }),
    };
  });
  const wide = Object.entries(byLength).map(([node, [symbol, stop, role]]): Tensor => ({
    node,
    stop,
    ...(role && { role }),
    fill: "none",
    family: node,
    symbol,
    name: say(`name.${node}` as Named),
    axes: [rows, lengths.map(String)],
    meaning: ([row = 0, column = 0]) =>
      say("meaning.length", { layer: rows[row] ?? "", n: lengths[column] ?? "" }),
  }));
  const timed = config.numbers.measured > 0;
  return [...narrow, ...wide].filter(({ stop }) => timed || stop !== "time");
}
