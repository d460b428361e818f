/** Lab 12: why self-attention (section 4, table 1). The work of four layers, counted in the core's graphs and timed in this browser. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { FormulaPart } from "../../marks/wording.js";
import type { Lab } from "../../telling/lab.js";
import { declareLab } from "../../telling/declare-lab.js";
import { flow, opening, stops } from "./flow.js";
import { picture } from "./picture.js";
import { settings } from "./settings.js";
import { stringsIn } from "./strings.js";
import { axes, layerNames, orders, tensors } from "./tensors.js";
import why from "./why.tex?mathml";

/** Two of the layers: their symbols are rows of one tensor. */
function formula(config: ConfigOf<"complexity">, words: Words): { id: string; parts: FormulaPart[] } {
  const names = layerNames(config, words);
  const part = (symbol: string, row: number, role: FormulaPart["role"]): FormulaPart => ({
    symbol,
    nodes: ["work_millions"],
    label: stringsIn(words)("part", { symbol: orders.work[row]!, layer: names[row] ?? "" }),
    role,
  });
  return { id: "why", parts: [part("A", 0, "attention"), part("R", 1, "key")] };
}

const lines = declareLab<"complexity">({
  id: "complexity",
  formulas: { why },
  strings: stringsIn,
  ...settings,
  axes,
  tensors,
  stops,
  flow,
  picture,
  symbols: () => ({ id: "why", symbols: {} }),
  gradients: false,
  opening,
});

export const lab: Lab<"complexity"> = { ...lines, formula };
