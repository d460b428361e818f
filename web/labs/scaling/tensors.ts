/** The tensors of the scaling lab: who they are, what their cells mean and become. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Role } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import { sizesOf } from "./build.js";
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

/** The stops of Play. */
export type StopId = "scores" | "divide" | "softmax" | "gradient";

const symbols: Record<Measure, string> = { variance: "σ²", entropy: "H", jacobian: "J" };

export function tensors({ numbers }: Config, words: Words): Tensor[] {
  const said = say(words);
  const widths = widthNames(said);
  const columns = keyNames(said, sizesOf(numbers).keys);
  const width = (at: number | undefined) => widths[at ?? 0] ?? "";
  const asked = (key: Key) => (index: number[]) =>
    said(key, {
      query: said("query.n", { n: index[2]! }),
      key: columns[index[3]!] ?? "",
      width: width(index[0]),
    });
  type Rest = Partial<Tensor> & { named?: string };
  const one = (
    node: string,
    stop: StopId,
    symbol: Tensor["symbol"],
    { named = node, ...rest }: Rest = {},
  ): Tensor => ({
    node,
    stop,
    symbol,
    name: said(`name.${named}` as Key),
    axes: [widths, null, null, columns],
    at: [null, 0, numbers.query, null],
    ...rest,
  });
  const row = { family: "rows", axes: [null, null, null], at: [0, null, null] };
  const byBin = { axes: [widths, null], at: [null, null] };
  const score = { family: "scores", meaning: asked("meaning.score") };
  return [
    one("Q", "scores", "Q", { ...row, role: "query" }),
    one("K", "scores", "K", { ...row, role: "key" }),
    one("K_T", "scores", { text: "K", sup: "T" }, { ...row, role: "key" }),
    one("Q_cut", "scores", "Q", { role: "query", family: "rows", axes: [widths, null, null, null] }),
    one("scores", "scores", "S", score),
    one("scaled", "divide", "S/√d", score),
    one("centres", "scores", "c", { family: "scores", axes: [null], at: [null] }),
    ...halves.flatMap(({ after, role, label }, half): Tensor[] => {
      const spread = half === 0 ? "scores" : "divide";
      // None of the three is ever negative.
      const measured = { role, fill: "probability", stretched: true } as const;
      const measure = (name: Measure, stop: StopId): Tensor => ({
        ...one(`${name}${after}`, stop, symbols[name], { ...measured, named: name }),
        family: name,
        turned: true,
        at: [null],
        axes: [widths],
        single: `${said(`name.${name}`)}, ${said(label)}`,
        meaning: ([at]) => said(`meaning.${name}`, { width: width(at) }),
      });
      return [
        ...measures.map((name) =>
          one(`${name}_all${after}`, "gradient", symbols[name], {
            ...measured,
            ...byBin,
            family: name,
            named: `${name}_all`,
          }),
        ),
        one(`shares${after}`, spread, "h", {
          ...byBin,
          named: "shares",
          role,
          fill: "probability",
          family: "shares",
          meaning: ([at]) => said("meaning.share", { width: width(at) }),
        }),
        measure("variance", spread),
        {
          ...one(`weights${after}`, "softmax", { text: "A", ...(half === 1 && { sub: "s" }) }),
          role: "attention",
          letters: "W×S",
          single: said("query.n", { n: numbers.query }),
          meaning: asked("meaning.weight"),
        },
        measure("entropy", "softmax"),
        measure("jacobian", "gradient"),
      ];
    }),
  ];
}
