/** Lab 10: losses and regularisation (section 5.4): cross entropy, label smoothing, KL divergence, dropout. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { FormulaPart } from "../../marks/wording.js";
import { sizeWords } from "../phrases.js";
import { told } from "../telling.js";
import divergence from "./divergence.tex?mathml";
import dropout from "./dropout.tex?mathml";
import { flow, opening, stops } from "./flow.js";
import { lede, settings, title } from "./settings.js";
import smoothing from "./smoothing.tex?mathml";
import { spreadOf, targets, tensors } from "./tensors.js";

function formula(config: ConfigOf<"losses">, words: Words): { id: string; parts: FormulaPart[] } {
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
  const { topic } = config.numbers;
  const after = spreadOf(config);
  const each = (node: string) => targets.map((target) => `${node}${target.after}`);
  const parts = {
    smoothing: () => [
      part("L", ...each("loss")),
      part("y", ...each("y")),
      part("p", "p", "surprise"),
      part("z", "logits"),
    ],
    divergence: () => [
      part("KL", `kl${after}`),
      part("L", `loss${after}`),
      part("H", `entropy${after}`),
      part("g", `gradient${after}`),
      part("p", "p"),
      part("y", `y${after}`),
    ],
    dropout: () => [part("d", "dropped"), part("x", "x"), part("u", "u")],
  };
  return { id: topic, parts: parts[topic]() };
}

export const lab = told<"losses">({
  id: "losses",
  formulas: { smoothing, divergence, dropout },
  title,
  lede,
  ...settings,
  tensors,
  stops,
  flow,
  formula,
  opening,
});
