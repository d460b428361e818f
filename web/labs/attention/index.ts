/** The attention lab: attention step by step, with every number of one head (section 3.2.1 of the paper). */
import type { Lab } from "../../telling/lab.js";
import { labFrom, stringsFrom } from "../../telling/declaration.js";
import attentionFormula from "./attention.tex?mathml";
import attentionAdditiveFormula from "./additive.tex?mathml";
import attentionAdditiveMaskedFormula from "./additive-masked.tex?mathml";
import attentionMaskedFormula from "./masked.tex?mathml";
import attentionUnscaledFormula from "./unscaled.tex?mathml";
import attentionUnscaledMaskedFormula from "./unscaled-masked.tex?mathml";
import { arrange, opening, stops, symbols } from "./flow.js";
import { picture, strip } from "./picture.js";
import { remarks } from "./remarks.js";
import { lede, settings, title } from "./settings.js";
import { axes, tensors } from "./tensors.js";

// The page opens with this lab. It has no lines, so that it is fetched without the code that draws them.
export const lab: Lab<"attention"> = labFrom(null, {
  id: "attention",
  formulas: {
    attention: attentionFormula,
    "attention-masked": attentionMaskedFormula,
    "attention-additive": attentionAdditiveFormula,
    "attention-additive-masked": attentionAdditiveMaskedFormula,
    "attention-unscaled": attentionUnscaledFormula,
    "attention-unscaled-masked": attentionUnscaledMaskedFormula,
  },
  strings: stringsFrom("labs.attention.", "labs."),
  title,
  lede,
  ...settings,
  axes,
  tensors,
  stops,
  arrange,
  picture,
  strip,
  symbols,
  opening,
  untrained: ({ numbers }) => numbers.source === "words",
  remarks,
});
