/** Which part of the core a lab is computed with: the small one the page opens with, or the whole, fetched when it is first needed. */
import type { LabId } from "../config/config.js";

export type Part = "attention" | "transformer";

const parts = {
  attention: "attention",
  "multi-head": "attention",
  positions: "attention",
  vit: "attention",
  "encoder-decoder": "transformer",
  optimizers: "transformer",
  block: "transformer",
  losses: "transformer",
  complexity: "transformer",
  scaling: "transformer",
  bert: "transformer",
} as const satisfies Record<LabId, Part>;

/** The labs of a part. */
export type LabOf<P extends Part> = { [L in LabId]: (typeof parts)[L] extends P ? L : never }[LabId];

export const partOf = (lab: LabId): Part => parts[lab];
