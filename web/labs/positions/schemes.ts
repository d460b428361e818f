/** The encodings that are set side by side, in the order in which they were thought of, and how their tensors are called. */
import type { PositionsNumbers } from "../../config/config.js";

export const SCHEMES = ["none", "absolute", "learned", "sinusoidal", "rotary", "alibi"] as const;
export type Scheme = (typeof SCHEMES)[number];

type Shown = Pick<PositionsNumbers, "encoding">;

/** Which of them a graph holds. */
export function schemesOf({ encoding }: Shown): readonly Scheme[] {
  return encoding === "compare" ? SCHEMES : ["none"];
}

/** Side by side, a scheme's tensors are told apart by its name: "rotary.weights". */
export function under({ encoding }: Shown, scheme: Scheme): (name: string) => string {
  return encoding === "compare" ? (name) => `${scheme}.${name}` : (name) => name;
}

/** Where a tensor belongs: its scheme (null: to all), its order, and its own name. */
export function placeOf(
  { encoding }: Shown,
  node: string,
): { scheme: Scheme | null; swapped: boolean; name: string } {
  const found = SCHEMES.find((scheme) => node.startsWith(`${scheme}.`)) ?? null;
  const rest = found ? node.slice(found.length + 1) : node;
  const swapped = rest.startsWith("swapped.");
  const name = swapped ? rest.slice("swapped.".length) : rest;
  const shared = name === "X" || name === "order";
  return { scheme: found ?? (encoding === "none" && !shared ? "none" : null), swapped, name };
}
