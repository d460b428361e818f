/** Lab 3: why scores are divided by √d_k (section 3.2.1): their spread, the weights and the Jacobian of softmax as keys grow wider. */
import { declareLab } from "../../telling/declare-lab.js";
import { arrange, flow, opening, stops } from "./flow.js";
import { settings } from "./settings.js";
import spread from "./spread.tex?mathml";
import { say } from "./strings.js";
import { axes, tensors } from "./tensors.js";

export const lab = declareLab<"scaling">({
  id: "scaling",
  formulas: { spread },
  strings: say,
  ...settings,
  axes,
  tensors,
  stops,
  arrange,
  flow,
  symbols: () => ({
    id: "spread",
    symbols: { A: ["weights_scaled", "weights"], S: ["scores", "variance", "variance_scaled"] },
  }),
  opening,
});
