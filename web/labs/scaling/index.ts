/** Lab 3: why scores are divided by √d_k (section 3.2.1): their spread, the weights and the Jacobian of softmax as keys grow wider. */
import { labFrom } from "../../telling/declaration.js";
import type { Lab } from "../../telling/lab.js";
import { arrange, counterpart, opening, stops } from "./flow.js";
import { picture } from "./picture.js";
import { settings } from "./settings.js";
import spread from "./spread.tex?mathml";
import { stringsIn } from "./strings.js";
import { axes, tensors } from "./tensors.js";

export const lab: Lab<"scaling"> = labFrom(null, {
  id: "scaling",
  formulas: { spread },
  strings: stringsIn,
  ...settings,
  axes,
  tensors,
  stops,
  arrange,
  picture,
  strip: null,
  symbols: () => ({
    id: "spread",
    symbols: { A: ["weights_scaled", "weights"], S: ["scores", "variance", "variance_scaled"] },
  }),
  opening,
  counterpart,
});
