/** The masks of a lab: rules for a painted mask, and the value of a missing `mask`. */
import { besideRule, shapeRule, type Rule } from "./rule.js";

export interface Masked {
  /** The rule for the keys that a query may attend to. "painted" uses `paint`. */
  mask: "none" | "causal" | "painted";
  paint: boolean[][] | null;
}

/** The value of `mask` for a link without it: `painted` if the link has `paint`, `none` if the painted mask of the base does not fit. */
/* @__NO_SIDE_EFFECTS__ */
export function absentMask(now: Masked, base: Masked): Masked["mask"] {
  if (now.paint === base.paint) return base.mask;
  if (now.paint) return "painted";
  return base.mask === "painted" ? "none" : base.mask;
}

/** A painted mask in another size. It keeps the cells that both sizes have; keys at new cells may be attended to. */
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

/** Rules: a painted mask has the shape of the weights, and exists if `mask` is "painted". */
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
