/** Lab 4: many heads side by side (section 3.2.2). */
import type { Lab } from "../../telling/lab.js";
import { multiHeadScene, multiHeadStrip } from "./scene.js";
import { lede, settings, title } from "./settings.js";
import { formula, nodeWords, opening, remarks, steps } from "./words.js";
import multiHeadFormula from "./multi-head.tex?mathml";

export const lab: Lab<"multi-head"> = {
  id: "multi-head",
  formulas: {
    "multi-head": multiHeadFormula,
  },
  title,
  lede,
  ...settings,
  scene: multiHeadScene,
  strip: multiHeadStrip,
  steps,
  formula,
  nodeWords,
  opening,
  untrained: () => true,
  remarks,
};
