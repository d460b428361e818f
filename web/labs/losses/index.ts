/** Lab 10: losses and regularisation (section 5.4): cross entropy, label smoothing, KL divergence, dropout. */
import type { ConfigOf } from "../../config/config.js";
import type { FormulaSymbols } from "../../telling/declaration.js";
import { declareLab } from "../../telling/declare-lab.js";
import divergence from "./divergence.tex?mathml";
import dropout from "./dropout.tex?mathml";
import { arrange, flow, opening, stops } from "./flow.js";
import { lede, settings, title } from "./settings.js";
import { picture } from "./picture.js";
import smoothing from "./smoothing.tex?mathml";
import { stringsIn } from "./strings.js";
import { axes, spreadOf, targets, tensors } from "./tensors.js";

function symbols(config: ConfigOf<"losses">): FormulaSymbols {
  const { topic } = config.numbers;
  const suffix = spreadOf(config);
  const each = (node: string) => targets.map((target) => `${node}${target.suffix}`);
  const all = {
    smoothing: { L: each("loss"), y: each("y"), p: ["p", "surprise"], z: "logits" },
    divergence: {
      KL: `kl${suffix}`,
      L: `loss${suffix}`,
      H: `entropy${suffix}`,
      g: `gradient${suffix}`,
      p: "p",
      y: `y${suffix}`,
    },
    dropout: { d: "dropped", x: "x", u: "u" },
  };
  return { id: topic, symbols: all[topic] };
}

export const lab = declareLab<"losses">({
  id: "losses",
  formulas: { smoothing, divergence, dropout },
  strings: stringsIn,
  title,
  lede,
  ...settings,
  axes,
  tensors,
  stops,
  arrange,
  flow,
  picture,
  symbols,
  opening,
});
