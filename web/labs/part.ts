/** Which part of the core a Config is computed with: the small one the page opens with, or the whole, fetched when it is first needed. */
import type { ConfigOf, LabId, NumbersOf } from "../config/config.js";
import { hasEncoder } from "../config/labs/vit.js";

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
  words: "transformer",
} as const satisfies Record<LabId, Part>;

/** The labs of a part. */
export type LabOf<P extends Part> = { [L in LabId]: (typeof parts)[L] extends P ? L : never }[LabId];

/** Which numbers of a lab of the attention part need the whole core. */
const needsWhole: { readonly [L in LabOf<"attention">]?: (numbers: NumbersOf[L]) => boolean } = {
  attention: ({ score }) => score === "additive",
  vit: hasEncoder,
};

export function partOf<L extends LabId>({ view, numbers }: Pick<ConfigOf<L>, "view" | "numbers">): Part {
  const needs = (needsWhole as { readonly [K in LabId]?: (numbers: NumbersOf[K]) => boolean })[view.lab];
  return needs?.(numbers) ? "transformer" : parts[view.lab];
}
