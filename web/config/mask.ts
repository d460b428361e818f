/** Masks among the settings of a lab: one that is painted, and what its absence in a link means. */
import { besideRule, shapeRule, type Rule } from "./rule.js";

export interface Masked {
  /** Which keys a query may see. "painted" reads `paint`. */
  mask: "none" | "causal" | "painted";
  paint: boolean[][] | null;
}

/** `mask` where a link does not say it: `painted` if the link has `paint`; `none` if the base's painting no longer fits. */
/* @__NO_SIDE_EFFECTS__ */
export function absentMask(now: Masked, base: Masked): Masked["mask"] {
  if (now.paint === base.paint) return base.mask;
  if (now.paint) return "painted";
  return base.mask === "painted" ? "none" : base.mask;
}

/** A painted mask of another size keeps the cells it shares; a cell it does not cover may be attended. */
/* @__NO_SIDE_EFFECTS__ */
function repainted(
  paint: readonly (readonly boolean[])[] | null,
  height: number,
  width: number,
): boolean[][] {
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => paint?.[row]?.[column] ?? true),
  );
}

/** A painting has the shape of the weights, and is there where it is asked for. */
/* @__NO_SIDE_EFFECTS__ */
export function paintRules<N extends Masked>(shape: (numbers: N) => [number, number]): Rule<N>[] {
  return [
    {
      ...shapeRule<N, "paint">("paint", shape),
      repair: (numbers) => ({ ...numbers, paint: repainted(numbers.paint, ...shape(numbers)) }),
    } as Rule<N>,
    besideRule<N, "mask">("mask", "painted", "paint", "none"),
  ];
}
