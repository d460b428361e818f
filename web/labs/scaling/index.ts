/** Lab 3: why scores are divided by √d_k (section 3.2.1): their spread, the weights and the Jacobian of softmax as keys grow wider. */
import { told } from "../../telling/told.js";
import { arrange, flow, opening, stops } from "./flow.js";
import { settings } from "./settings.js";
import spread from "./spread.tex?mathml";
import { say } from "./strings.js";
import { tensors } from "./tensors.js";

export const lab = told<"scaling">({
  id: "scaling",
  formulas: { spread },
  say,
  ...settings,
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
