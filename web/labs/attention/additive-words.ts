/** What is said of the nodes that additive attention has and dot products lack. */
import type { Words } from "../../i18n/words.js";
import type { NodeWords } from "../../marks/wording.js";
import { HIDDEN, type AttentionNode } from "./blocks.js";

/** Of additive attention: nodes that hold another node's numbers as they are. */
export const CARRIED: Readonly<Record<string, AttentionNode>> = {
  Q_pairs: "Q",
  K_pairs: "K",
  w_v_column: "v",
  score_columns: "scores",
};

/** Words of what stands on no stage, or as a part of it: what a query and a key add up to, before and after tanh, and its carriers. */
export function pairWords(node: string, known: NodeWords, axes: NodeWords["axes"], words: Words): NodeWords {
  const [rows, keys] = axes;
  const pair = (index: number[]) => ({
    row: rows?.[index[0]!] ?? "",
    column: keys?.[index[1]!] ?? "",
  });
  switch (node) {
    case "sum":
    case "hidden":
      return {
        ...known,
        symbol: node === "sum" ? { text: "q+k" } : HIDDEN,
        role: "activation",
        name: words(`labs.name.${node}`),
        single: words(`labs.single.${node}`),
        axes: [...axes, null],
        meaning: (index) => words("labs.meaning.pair", pair(index)),
      };
    case "Q_pairs":
      return { ...known, axes: [rows ?? null, null, null] };
    case "K_pairs":
      return { ...known, axes: [null, keys ?? null, null], meaning: (index) => pair(index).column };
    case "w_v_column":
      return { ...known, axes: [null, null] };
    default:
      return { ...known, axes: [...axes, null] };
  }
}
