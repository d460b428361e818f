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
export const step = { work: 0, count: 1, order: 2, memory: 3, time: 4 } as const;

export function layerNames({ numbers }: Config, words: Words): string[] {
  const say = ownWords(words);
  return layerIds.map((id) => say(`layer.${id}`, { k: numbers.kernel, r: numbers.near }));
}

/** What table 1 says of a column, layer by layer. */
export function orders(column: "work" | "sequential" | "path" | "weights", words: Words): string[] {
  const say = ownWords(words);
  return layerIds.map((id) => say(`order.${column}.${id}`));
}

type Named = Parameters<OwnWords<typeof en>>[0];

/** Symbol, role and stop of Play of the tensors of one column. */
const columns = {
  words: ["n", "activation", step.work],
  meets: ["m", "activation", step.work],
  pairs: ["N", "activation", step.work],
  width: ["d", "activation", step.work],
  products: ["D", "activation", step.work],
  kernel: ["k", "activation", step.work],
  heads: ["H", "activation", step.memory],
  work: ["W", "activation", step.work],
  work_millions: ["W", "activation", step.work],
  flops: ["F", "output", step.count],
  ratio: ["R", "activation", step.count],
  sequential: ["S", "activation", step.order],
  path: ["P", "activation", step.order],
  weights: ["A", "attention", step.memory],
  weights_thousands: ["A", "attention", step.memory],
  milliseconds: ["T", "output", step.time],
  speed: ["V", "activation", step.time],
  rate: ["G", "activation", step.time],
} as const satisfies Record<string, readonly [string, Tensor["role"], number]>;

/** And of those with a column per length. */
const byLength = {
  counted: ["F", "output", step.count],
  millions: ["F", "output", step.count],
  begun: ["t", "activation", step.time],
  ended: ["t", "activation", step.time],
  elapsed: ["t", "activation", step.time],
  calls: ["c", "activation", step.time],
  times: ["T", "output", step.time],
} as const satisfies Record<string, readonly [string, Tensor["role"], number]>;

/** Which of the columns of table 1 a node is. */
const columnsOfTable: Readonly<Record<string, "work" | "sequential" | "path" | "weights">> = {
  work: "work",
  work_millions: "work",
  sequential: "sequential",
  path: "path",
  weights: "weights",
  weights_thousands: "weights",
};

export function tensors(config: Config, words: Words): Tensor[] {
  const say = ownWords(words);
  const rows = layerNames(config, words);
  const lengths = countedLengths(config.numbers.length);
  const timed = config.numbers.measured > 0;
  const narrow = Object.entries(columns).map(([node, [text, role, at]]): Tensor => {
    const column = columnsOfTable[node];
    const order = column ? orders(column, words) : null;
    return {
      node,
      rows: rows.length,
      columns: 1,
      role,
      fill: "none",
      family: node,
      symbol: { text },
      name: say(`name.${node}` as Named),
      single: say((node === "ratio" ? "single.ratio" : `name.${node}`) as Named),
      letters: "",
      step: at,
      axes: [rows, null],
      meaning: ([row = 0]) =>
        order
          ? say("meaning.order", { layer: rows[row] ?? "", order: order[row] ?? "" })
          : say("meaning.layer", { layer: rows[row] ?? "" }),
    };
  });
  const wide = Object.entries(byLength).map(([node, [text, role, at]]): Tensor => ({
    node,
    rows: rows.length,
    columns: lengths.length,
    role,
    fill: "none",
    family: node,
    symbol: { text },
    name: say(`name.${node}` as Named),
    single: say(`name.${node}` as Named),
    letters: "",
    step: at,
    axes: [rows, lengths.map(String)],
    meaning: ([row = 0, column = 0]) =>
      say("meaning.length", { layer: rows[row] ?? "", n: lengths[column] ?? "" }),
  }));
  const all = [...narrow, ...wide];
  return timed ? all : all.filter((tensor) => tensor.step !== step.time);
}
