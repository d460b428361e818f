/** The tensors of the scaling lab: who they are, and what their cells mean. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Role } from "../../marks/scene.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
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

export function axes({ numbers }: Config, words: Words): Axes {
  const said = say(words);
  return {
    width: ["W", widthNames(said)],
    key: ["S", Array.from({ length: sizesOf(numbers).keys }, (_, n) => said("key", { n }))],
  };
}

export function tensors({ numbers }: Config, words: Words): Tensor[] {
  const said = say(words);
  const asked = { axes: "width head query key", at: [null, 0, numbers.query, null] };
  const unlettered = { letters: "" };
  const row = { stop: "scores", family: "rows", axes: "head row d_k", at: [0, null, null], ...unlettered };
  const byBin = { axes: "width bin", at: [null, null], ...unlettered };
  const score = { family: "scores", ...asked, ...unlettered, meaning: "meaning.score" };
  return [
    { node: "Q", symbol: "Q", ...row, role: "query" },
    { node: "K", symbol: "K", ...row, role: "key" },
    { node: "K_T", symbol: "K^T", ...row, role: "key" },
    { node: "Q_cut", symbol: "Q", ...row, ...asked, axes: "width head row d_k", role: "query" },
    { node: "scores", stop: "scores", symbol: "S", ...score },
    { node: "scaled", stop: "divide", symbol: "S/√d", ...score },
    { node: "centres", stop: "scores", symbol: "c", family: "scores", axes: "bin", ...unlettered },
    ...halves.flatMap(({ after, role, label }, half): Tensor[] => {
      const spread = half === 0 ? "scores" : "divide";
      const named = (name: string) => ({ node: `${name}${after}`, name: said(`name.${name}` as Key), role });
      // None of the three is ever negative.
      const measured = (name: Measure) =>
        ({ symbol: symbols[name], family: name, fill: "probability", stretched: true }) as const;
      const mean = (name: Measure, stop: string): Tensor => ({
        ...named(name),
        ...measured(name),
        key: name,
        stop,
        turned: true,
        axes: "width",
        ...unlettered,
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
          meaning: "meaning.share",
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
          single: said("query.n", { n: numbers.query }),
          ...asked,
          meaning: "meaning.weight",
        },
        mean("entropy", "softmax"),
        mean("jacobian", "gradient"),
      ];
    }),
  ];
}
