/** The formulas of the labs, by id. Symbols a reader can point at are written \class{sym-NAME}{…} in the .tex. */
import type { FormulaElement } from "../marks/formula.js";
import attention from "./attention.tex?mathml";
import attentionUnscaled from "./attention-unscaled.tex?mathml";
import multiHead from "./multi-head.tex?mathml";
import patchPixels from "./patch-pixels.tex?mathml";
import patchProjection from "./patch-projection.tex?mathml";
import sinusoidal from "./sinusoidal.tex?mathml";
import absolute from "./absolute.tex?mathml";
import learned from "./learned.tex?mathml";
import rotary from "./rotary.tex?mathml";
import alibi from "./alibi.tex?mathml";
import shift from "./shift.tex?mathml";

export const formulas: Readonly<Record<string, FormulaElement>> = {
  attention,
  "attention-unscaled": attentionUnscaled,
  "multi-head": multiHead,
  sinusoidal,
  absolute,
  learned,
  rotary,
  alibi,
  shift,
  "patch-pixels": patchPixels,
  "patch-projection": patchProjection,
};
