/** Lab 2: attention step by step. One head, every number of it (section 3.2.1). */
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

// The page opens with this lab: without lines, it is fetched without what draws them.
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
