/** The encodings that are set side by side, in the order in which they were thought of, and how their tensors are called. */
import type { PositionsNumbers } from "../../../config/config.js";

export const SCHEMES = ["none", "absolute", "learned", "sinusoidal", "rotary", "alibi"] as const;
export type Scheme = (typeof SCHEMES)[number];

type Shown = Pick<PositionsNumbers, "encoding">;

/** Which of them a graph holds. */
export function schemesOf({ encoding }: Shown): readonly Scheme[] {
  return encoding === "compare" ? SCHEMES : ["none"];
}

/** The scheme that a tensor belongs to; null: it belongs to all. */
export const schemeOf = (node: string): Scheme | null =>
  SCHEMES.find((scheme) => node.startsWith(`${scheme}.`)) ?? null;

/** Side by side, a scheme's tensors are told apart by its name: "rotary.weights". */
export function under({ encoding }: Shown, scheme: Scheme): (name: string) => string {
  return encoding === "compare" ? (name) => `${scheme}.${name}` : (name) => name;
}

/** What attention reads under a scheme: the words as they are, or with their positions. */
export const inputName = (scheme: Scheme): "X" | "input" =>
  scheme === "none" || scheme === "alibi" ? "X" : "input";

/** The first order, and what the names of tensors of the second begin with. */
export const SIDES = ["", "swapped."] as const;
export type Side = (typeof SIDES)[number];
