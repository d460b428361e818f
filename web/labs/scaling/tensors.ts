/** The tensors of the scaling lab, and the meaning of their cells. */
import type { ConfigOf } from "../../config/config.js";
import { widthsOf } from "../../config/labs/scaling.js";
import type { Words } from "../../i18n/words.js";
import { formatNote } from "../../marks/numbers.js";
import type { Role, Snapshots } from "../../marks/scene.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { sizesOf } from "./build.js";
import { stringsIn, type Key, type Say } from "./strings.js";

type Config = ConfigOf<"scaling">;

/** The two halves of the stage, scores as they are and divided scores: the end of the names of their nodes, the node of the scores, and their colour. */
export const halves = [
  { after: "", scores: "scores", role: "key", label: "label.undivided" },
  { after: "_scaled", scores: "scaled", role: "value", label: "label.divided" },
] as const satisfies { after: string; scores: string; role: Role; label: Key }[];

/** What is measured of the scores and weights of a width. */
export const measures = ["variance", "entropy", "jacobian"] as const;
export type Measure = (typeof measures)[number];

const symbols: Record<Measure, string> = { variance: "σ²", entropy: "H", jacobian: "J" };

export const keyNames = ({ numbers }: Config, say: Say): string[] =>
  Array.from({ length: sizesOf(numbers).keys }, (_, n) => say("key", { n }));

export function axes(config: Config, words: Words, snapshots: Snapshots): Axes {
  const say = stringsIn(words);
  return {
    width: ["W", widthsOf(config.numbers).map((n) => say("width", { n }))],
    key: ["S", keyNames(config, say)],
    bin: ["", Array.from(snapshots.get("centres")?.data ?? [], formatNote)],
  };
}

export function tensors({ numbers }: Config, words: Words): Tensor[] {
  const say = stringsIn(words);
  const ofQuery = { axes: "width head query key", at: [null, 0, numbers.query, null] };
  const unlettered = { letters: "" };
  const row = { stop: "scores", family: "rows", axes: "head row d_k", at: [0, null, null], ...unlettered };
  const score = { family: "scores", ...ofQuery, ...unlettered, meaning: "meaning.score" };
  return [
    { node: "Q", symbol: "Q", ...row, role: "query" },
    { node: "K", symbol: "K", ...row, role: "key" },
    { node: "K_T", symbol: "K^T", ...row, role: "key" },
    { node: "Q_cut", symbol: "Q", ...row, ...ofQuery, axes: "width head row d_k", role: "query" },
    { node: "scores", stop: "scores", symbol: "S", ...score },
    { node: "scaled", stop: "divide", symbol: "S/√d", ...score },
    { node: "root", stop: null, symbol: "√d_k", axes: "width head row d_k" },
    { node: "centres", stop: "scores", symbol: "c", family: "scores", axes: "bin", ...unlettered },
    ...halves.flatMap(({ after, role, label }, half): Tensor[] => {
      const stop = half === 0 ? "scores" : "divide";
      const named = (name: string) => ({ node: `${name}${after}`, name: say(`name.${name}` as Key), role });
      const single = (name: string) => `${say(`name.${name}` as Key)}, ${say(label)}`;
      const byBin = { axes: "width bin", at: [null, null], ...unlettered };
      const measured = { turned: true, axes: "width", ...unlettered, fill: "none" } as const;
      const mean = (name: Measure, stop: string): Tensor => ({
        ...named(name),
        ...measured,
        symbol: symbols[name],
        family: name,
        key: name,
        stop,
        single: single(name),
      });
      return [
        ...measures.map((name): Tensor => ({
          ...named(`${name}_all`),
          ...byBin,
          axes: "width row",
          symbol: symbols[name],
          family: name,
          fill: "probability",
          stretched: true,
          stop: "gradient",
        })),
        {
          ...named("shares"),
          ...byBin,
          meaning: "meaning.share",
          stop,
          symbol: "h",
          family: "scores",
        },
        mean("variance", stop),
        {
          node: `weights${after}`,
          stop: "softmax",
          symbol: { text: "A", ...(half === 1 && { sub: "s" }) },
          role: "attention",
          single: say("query.n", { n: numbers.query }),
          ...ofQuery,
          meaning: "meaning.weight",
        },
        mean("entropy", "softmax"),
        mean("jacobian", "gradient"),
        // These are not drawn; notes name them.
        { ...named("entropies"), symbol: "H", stop: null, axes: "width head query" },
        { ...named("rest"), symbol: "1−A", stop: null, axes: "width head query key" },
        { ...named("diagonal"), symbol: "A(1−A)", stop: null, axes: "width head query key" },
        { ...named("traces"), symbol: "J", stop: null, axes: "width head query" },
      ];
    }),
  ];
}
