/** Lab 2: attention step by step. One head, every number of it (section 3.2.1). */
import { attentionScene, attentionStrip } from "./scene.js";
import { lede, settings, title } from "./settings.js";
import { formula, nodeWords, opening, remarks, steps } from "./words.js";
import type { Lab } from "../../telling/lab.js";
import attentionFormula from "./attention.tex?mathml";
import attentionAdditiveFormula from "./additive.tex?mathml";
import attentionAdditiveMaskedFormula from "./additive-masked.tex?mathml";
import attentionMaskedFormula from "./masked.tex?mathml";
import attentionUnscaledFormula from "./unscaled.tex?mathml";
import attentionUnscaledMaskedFormula from "./unscaled-masked.tex?mathml";

export const lab: Lab<"attention"> = {
  id: "attention",
  formulas: {
    attention: attentionFormula,
    "attention-masked": attentionMaskedFormula,
    "attention-additive": attentionAdditiveFormula,
    "attention-additive-masked": attentionAdditiveMaskedFormula,
    "attention-unscaled": attentionUnscaledFormula,
    "attention-unscaled-masked": attentionUnscaledMaskedFormula,
  },
  title,
  lede,
  ...settings,
  scene: attentionScene,
  strip: attentionStrip,
  steps,
  formula,
  nodeWords,
  opening,
  untrained: ({ numbers }) => numbers.source === "words",
  remarks,
};
