/** What the labs with an attention of their own have in common: its options from a Config, and setting them. */
import type { MaskKind } from "../config/config.js";
import type { AttentionOptions, Graph, Node } from "../core/attention.js";
import type { Words } from "../i18n/words.js";
import { maskTensor, masked, paint } from "./mask.js";
import { oneOf, type Refused } from "./settings.js";

interface Attending {
  scale: boolean;
  mask: MaskKind;
  paint: boolean[][] | null;
}

/** Scale and mask as the core's attention takes them. A mask is a leaf of its own, so that its cells can be looked at. */
export function attentionOptions(
  graph: Graph,
  numbers: Attending,
  queries: number,
  keys: number,
): AttentionOptions<Node> {
  return {
    ...(numbers.scale ? {} : { scale: "none" }),
    ...(numbers.mask === "none" ? {} : { mask: graph.leaf("mask", maskTensor(numbers, queries, keys)) }),
  };
}

/** The numbers after one of the controls "scale", "mask" and "paint" was set, or a refusal. */
export function attendingSet<N extends Attending>(
  numbers: N,
  control: "scale" | "mask" | "paint",
  value: string,
  queries: number,
  keys: number,
  words: Words,
): N | Refused {
  switch (control) {
    case "scale": {
      const scale = oneOf(value, "labs.field.scale", ["on", "off"], words);
      return typeof scale === "string" ? { ...numbers, scale: scale === "on" } : scale;
    }
    case "mask": {
      const mask = oneOf(value, "labs.field.mask", ["none", "causal", "painted"], words);
      return typeof mask === "string" ? masked(numbers, mask, queries, keys) : mask;
    }
    case "paint":
      return (
        paint(numbers, value, queries, keys) ?? { refused: words("labs.refused.paint", { given: value }) }
      );
  }
}
