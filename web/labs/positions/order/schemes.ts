/** The encodings that are compared, by age, and the names of their nodes. */
import type { PositionsNumbers } from "../../../config/config.js";

export const SCHEMES = ["none", "absolute", "learned", "sinusoidal", "rotary", "alibi"] as const;
export type Scheme = (typeof SCHEMES)[number];

type WithEncoding = Pick<PositionsNumbers, "encoding">;

/** The schemes of a graph. */
export function schemesOf({ encoding }: WithEncoding): readonly Scheme[] {
  return encoding === "compare" ? SCHEMES : ["none"];
}

/** The scheme that a node belongs to; null if it belongs to all. */
export const schemeOf = (node: string): Scheme | null =>
  SCHEMES.find((scheme) => node.startsWith(`${scheme}.`)) ?? null;

/** Returns a function that names the nodes of a scheme. In a comparison their names begin with the scheme: "rotary.weights". */
export function nodeNamer({ encoding }: WithEncoding, scheme: Scheme): (name: string) => string {
  return encoding === "compare" ? (name) => `${scheme}.${name}` : (name) => name;
}

/** The name of the node that attention reads under a scheme: the words alone, or the words with their positions. */
export const inputName = (scheme: Scheme): "X" | "input" =>
  scheme === "none" || scheme === "alibi" ? "X" : "input";

/** The prefixes of node names in the first order and in the second. */
export const SIDES = ["", "swapped."] as const;
export type Side = (typeof SIDES)[number];
