/** Which part of the core a Config is computed with: the small one the page opens with, or the whole, fetched when it is first needed. */
import type { ConfigOf, LabId, NumbersOf } from "../config/config.js";
import { hasEncoder } from "../config/labs/vit.js";
import { list, type LabEntry, type SmallLab } from "./list.js";

export type Part = "attention" | "transformer";

/** Which numbers of a lab of the small part need the whole core. */
const needsWhole: { readonly [L in SmallLab]?: (numbers: NumbersOf[L]) => boolean } = {
  attention: ({ score }) => score === "additive",
  vit: hasEncoder,
};

export function partOf<L extends LabId>({ view, numbers }: Pick<ConfigOf<L>, "view" | "numbers">): Part {
  const needs = (needsWhole as { readonly [K in LabId]?: (numbers: NumbersOf[K]) => boolean })[view.lab];
  const { small }: LabEntry = list[view.lab];
  return small && !needs?.(numbers) ? "attention" : "transformer";
}
