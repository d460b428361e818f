/** The tensors of the scaling lab: who they are, what their cells mean and become. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Fill, Role, Symbol } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import { BINS, sizesOf, WIDTHS } from "./build.js";
import { keyNames, say, widthNames, type Key } from "./words.js";

type Config = ConfigOf<"scaling">;

/** Scores as they are, and divided: what their nodes end in, and in which colour they are drawn. */
export const halves = [
  { after: "", role: "key", label: "label.undivided" },
  { after: "_scaled", role: "value", label: "label.divided" },
] as const satisfies { after: string; role: Role; label: Key }[];

/** What is measured of the scores and weights of a width. */
export const measures = ["variance", "entropy", "jacobian"] as const;
export type Measure = (typeof measures)[number];

const symbols: Record<Measure, Symbol> = {
  variance: { text: "σ²" },
  entropy: { text: "H" },
  jacobian: { text: "J" },
};

export function tensors({ numbers }: Config, words: Words): Tensor[] {
  const said = say(words);
  const { batch, queries, keys } = sizesOf(numbers);
  const widths = widthNames(said);
  const columns = keyNames(said, keys);
  const query = said("query.n", { n: numbers.query });
  const width = (at: number | undefined) => widths[at ?? 0] ?? "";
  const nodeAxes = [widths, null, null, columns];
  const asked = (key: Key) => (index: number[]) =>
    said(key, {
      query: said("query.n", { n: index[2]! }),
      key: columns[index[3]!] ?? "",
      width: width(index[0]),
    });
  const one = (
    node: string,
    name: Key,
    symbol: Symbol,
    role: Role,
    fill: Fill,
    family: string,
    step: number,
    rest: Partial<Tensor> = {},
  ): Tensor => ({
    node,
    name: said(name),
    single: said(name),
    symbol,
    role,
    fill,
    family,
    rows: WIDTHS.length,
    columns: keys,
    letters: "",
    step,
    axes: nodeAxes,
    at: [null, 0, numbers.query, null],
    ...rest,
  });
  const row = { rows: batch * queries, columns: 128, axes: [null, null, null], at: [0, null, null] };
  return [
    one("Q", "name.Q", { text: "Q" }, "query", "activation", "rows", 0, row),
    one("K", "name.K", { text: "K" }, "key", "activation", "rows", 0, row),
    one("K_T", "name.K_T", { text: "K", sup: "T" }, "key", "activation", "rows", 0, row),
    one("Q_cut", "name.Q_cut", { text: "Q" }, "query", "activation", "rows", 0, {
      axes: [widths, null, null, null],
    }),
    one("scores", "name.scores", { text: "S" }, "activation", "activation", "scores", 0, {
      meaning: asked("meaning.score"),
    }),
    one("scaled", "name.scaled", { text: "S/√d" }, "activation", "activation", "scores", 1, {
      meaning: asked("meaning.score"),
    }),
    one("centres", "name.centres", { text: "c" }, "activation", "activation", "scores", 0, {
      rows: 1,
      columns: BINS,
      axes: [null],
      at: [null],
    }),
    ...halves.flatMap(({ after, role, label }, half): Tensor[] => {
      const symbol = { text: "A", ...(half === 1 ? { sub: "s" } : {}) };
      const measure = (name: Measure, step: number): Tensor =>
        one(`${name}${after}`, `name.${name}`, symbols[name], role, "probability", name, step, {
          // None of the three is ever negative.
          stretched: true,
          columns: 1,
          turned: true,
          at: [null],
          axes: [widths],
          single: `${said(`name.${name}`)}, ${said(label)}`,
          meaning: ([at]) => said(`meaning.${name}`, { width: width(at) }),
        });
      const all = (name: Measure): Tensor =>
        one(`${name}_all${after}`, `name.${name}_all`, symbols[name], role, "probability", name, 3, {
          stretched: true,
          axes: [widths, null],
          at: [null, null],
        });
      return [
        ...measures.map(all),
        one(`shares${after}`, "name.shares", { text: "h" }, role, "probability", "shares", half, {
          columns: BINS,
          axes: [widths, null],
          at: [null, null],
          meaning: ([at]) => said("meaning.share", { width: width(at) }),
        }),
        measure("variance", half),
        one(`weights${after}`, `name.weights${after}`, symbol, "attention", "probability", "probability", 2, {
          letters: "W×S",
          single: query,
          meaning: asked("meaning.weight"),
        }),
        measure("entropy", 2),
        measure("jacobian", 3),
      ];
    }),
  ];
}
