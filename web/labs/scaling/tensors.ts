/** The tensors of the scaling lab: who they are, and what their cells mean. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Role } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import { sizesOf, WIDTHS } from "./build.js";
import { say, type Key, type Say } from "./strings.js";

type Config = ConfigOf<"scaling">;

/** Scores as they are, and divided: what their nodes end in, and in which colour they are drawn. */
export const halves = [
  { after: "", role: "key", label: "label.undivided" },
  { after: "_scaled", role: "value", label: "label.divided" },
] as const satisfies { after: string; role: Role; label: Key }[];

/** What is measured of the scores and weights of a width. */
export const measures = ["variance", "entropy", "jacobian"] as const;
export type Measure = (typeof measures)[number];

const symbols: Record<Measure, string> = { variance: "σ²", entropy: "H", jacobian: "J" };

export const widthNames = (said: Say): string[] => WIDTHS.map((width) => said("width", { n: width }));

export function tensors({ numbers }: Config, words: Words): Tensor[] {
  const said = say(words);
  const widths = widthNames(said);
  const columns = Array.from({ length: sizesOf(numbers).keys }, (_, at) => said("key", { n: at }));
  const shown = { axes: [widths, null, null, columns], at: [null, 0, numbers.query, null] };
  const asked = (key: Key) => ({
    ...shown,
    meaning: ([width = 0, , query = 0, at = 0]: number[]) =>
      said(key, {
        query: said("query.n", { n: query }),
        key: columns[at] ?? "",
        width: widths[width] ?? "",
      }),
  });
  const ofWidth = (key: Key) => ({
    meaning: ([at = 0]: number[]) => said(key, { width: widths[at] ?? "" }),
  });
  const row = { stop: "scores", family: "rows", axes: [null, null, null], at: [0, null, null] };
  const byBin = { axes: [widths, null], at: [null, null] };
  const score = { family: "scores", ...asked("meaning.score") };
  return [
    { node: "Q", symbol: "Q", ...row, role: "query" },
    { node: "K", symbol: "K", ...row, role: "key" },
    { node: "K_T", symbol: { text: "K", sup: "T" }, ...row, role: "key" },
    { node: "Q_cut", symbol: "Q", ...row, ...shown, axes: [widths, null, null, null], role: "query" },
    { node: "scores", stop: "scores", symbol: "S", ...score },
    { node: "scaled", stop: "divide", symbol: "S/√d", ...score },
    { node: "centres", stop: "scores", symbol: "c", family: "scores", axes: [null] },
    ...halves.flatMap(({ after, role, label }, half): Tensor[] => {
      const spread = half === 0 ? "scores" : "divide";
      const named = (name: string) => ({ node: `${name}${after}`, name: said(`name.${name}` as Key), role });
      // None of the three is ever negative.
      const measured = (name: Measure) =>
        ({ symbol: symbols[name], family: name, fill: "probability", stretched: true }) as const;
      const mean = (name: Measure, stop: string): Tensor => ({
        ...named(name),
        ...measured(name),
        ...ofWidth(`meaning.${name}`),
        stop,
        turned: true,
        axes: [widths],
        single: `${said(`name.${name}`)}, ${said(label)}`,
      });
      return [
        ...measures.map((name): Tensor => ({
          ...named(`${name}_all`),
          ...byBin,
          ...measured(name),
          stop: "gradient",
        })),
        {
          ...named("shares"),
          ...byBin,
          ...ofWidth("meaning.share"),
          stop: spread,
          symbol: "h",
          fill: "probability",
          family: "shares",
        },
        mean("variance", spread),
        {
          node: `weights${after}`,
          stop: "softmax",
          symbol: { text: "A", ...(half === 1 && { sub: "s" }) },
          role: "attention",
          letters: "W×S",
          single: said("query.n", { n: numbers.query }),
          ...asked("meaning.weight"),
        },
        mean("entropy", "softmax"),
        mean("jacobian", "gradient"),
      ];
    }),
  ];
}
