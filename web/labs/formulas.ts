/** The formulas of the labs, by id. Symbols a reader can point at are written \class{sym-NAME}{…} in the .tex. */
import type { FormulaElement } from "../marks/formula.js";
import attention from "./attention.tex?mathml";
import attentionMasked from "./attention-masked.tex?mathml";
import attentionUnscaled from "./attention-unscaled.tex?mathml";
import attentionUnscaledMasked from "./attention-unscaled-masked.tex?mathml";
import multiHead from "./multi-head.tex?mathml";
import patchPixels from "./patch-pixels.tex?mathml";
import patchProjection from "./patch-projection.tex?mathml";
import sinusoidal from "./sinusoidal.tex?mathml";
import sinusoidalBase from "./sinusoidal-base.tex?mathml";
import absolute from "./absolute.tex?mathml";
import learned from "./learned.tex?mathml";
import rotary from "./rotary.tex?mathml";
import alibi from "./alibi.tex?mathml";
import shift from "./shift.tex?mathml";

export const formulas: Readonly<Record<string, FormulaElement>> = {
  attention,
  "attention-masked": attentionMasked,
  "attention-unscaled": attentionUnscaled,
  "attention-unscaled-masked": attentionUnscaledMasked,
  "multi-head": multiHead,
  sinusoidal,
  "sinusoidal-base": sinusoidalBase,
  absolute,
  learned,
  rotary,
  alibi,
  shift,
  "patch-pixels": patchPixels,
  "patch-projection": patchProjection,
};
