/** Lab 3: why scores are divided by √d_k (section 3.2.1): their spread, the weights and the Jacobian of softmax as keys grow wider. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { FormulaPart } from "../../marks/wording.js";
import { sizeWords } from "../phrases.js";
import { told } from "../telling.js";
import { flow, opening, stops } from "./flow.js";
import { settings } from "./settings.js";
import spread from "./spread.tex?mathml";
import { tensors } from "./tensors.js";
import { say } from "./words.js";

function formula(config: ConfigOf<"scaling">, words: Words): { id: string; parts: FormulaPart[] } {
  const all = new Map(tensors(config, words).map((tensor) => [tensor.node, tensor]));
  const part = (symbol: string, ...nodes: string[]): FormulaPart => {
    const { rows, columns, name, role } = all.get(nodes[0]!)!;
    return {
      symbol,
      nodes,
      ...(role === "activation" ? {} : { role }),
      label: words("labs.formula.part", { symbol, name, size: sizeWords([rows, columns], words) }),
    };
  };
  return {
    id: "spread",
    parts: [part("A", "weights_scaled", "weights"), part("S", "scores", "variance", "variance_scaled")],
  };
}

export const lab = told<"scaling">({
  id: "scaling",
  formulas: { spread },
  title: (_config, words) => say(words)("title"),
  lede: (_config, words, narrow) => say(words)(narrow ? "lede.narrow" : "lede"),
  ...settings,
  tensors,
  stops,
  flow,
  formula,
  opening,
});
