/** What the labs with an attention of their own have in common: its options from a Config, and setting them. */
import type { NumbersOf } from "../../config/config.js";
import type { Masked } from "../../config/mask.js";
import type { AttentionOptions, Graph, Node } from "../../core/attention.js";
import type { Words } from "../../i18n/words.js";
import { maskTensor, masked, paint } from "./mask.js";
import type { ControlOf } from "../../telling/controls.js";

interface Attending extends Masked {
  scale: boolean;
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

/** The controls of a lab with an attention of its own: its scale, whose width reads as `width`, its mask, and painting that. */
export function attendingControls<L extends "attention" | "multi-head">(
  sizeOf: (numbers: NumbersOf[L]) => [queries: number, keys: number],
  width: (numbers: NumbersOf[L]) => string,
): Record<"scale" | "mask" | "paint", ControlOf<L>> {
  const scale = (on: boolean, numbers: NumbersOf[L], words: Words): string =>
    words(on ? "labs.scale.on" : "labs.scale.off", { width: width(numbers) });
  return {
    scale: {
      label: ({ numbers }, words) => scale(numbers.scale, numbers, words),
      options: ({ numbers }, words) => [
        { value: "on", label: scale(true, numbers, words) },
        { value: "off", label: scale(false, numbers, words) },
      ],
    },
    mask: { essential: true, then: (after, before) => masked(before, after.mask, ...sizeOf(before)) },
    paint: {
      set: (numbers, typed, _reading, words) =>
        paint(numbers, typed, ...sizeOf(numbers)) ?? {
          refused: words("labs.refused.paint", { given: typed }),
        },
    },
  };
}
