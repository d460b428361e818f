/** What the labs with an attention of their own have in common: its options from a Config, and setting them. */
import { choices } from "../../config/bounds.js";
import type { NumbersOf } from "../../config/config.js";
import type { Masked } from "../../config/mask.js";
import type { AttentionOptions, Graph, Node } from "../../core/attention.js";
import type { Key, Words } from "../../i18n/words.js";
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

/** Keys that are padding, which is one of the choices of a mask. */
export interface Padding<N> {
  has(numbers: N): boolean;
  /** The numbers with padding: as much as they have, or some. */
  add(numbers: N): N;
  remove(numbers: N): N;
  isOffered?(numbers: N): boolean;
  /** Padding without another mask, in the sentence and as an option. */
  label: Key;
  option: Key;
}

/** The mask as the reader chooses it. */
export const maskChoice = <N extends Masked>(numbers: N, padding: Padding<N>): N["mask"] | "padding" =>
  numbers.mask === "none" && padding.has(numbers) ? "padding" : numbers.mask;

/** The controls of a lab with an attention of its own: its scale, whose width reads as `width`, its mask, and painting that. */
export function attendingControls<L extends "attention" | "multi-head">(
  sizeOf: (numbers: NumbersOf[L]) => [queries: number, keys: number],
  width: (numbers: NumbersOf[L]) => string,
  padding: Padding<NumbersOf[L]>,
): Record<"scale" | "mask" | "paint", ControlOf<L>> {
  const isOffered = (numbers: NumbersOf[L]): boolean => padding.isOffered?.(numbers) ?? true;
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
    mask: {
      essential: true,
      value: ({ numbers }) => maskChoice(numbers, padding),
      label({ numbers }, words) {
        const mask = maskChoice(numbers, padding);
        return words(mask === "padding" ? padding.label : `labs.mask.${mask}`);
      },
      options: ({ numbers }, words) => [
        ...choices.mask.map((value) => ({ value, label: words(`labs.mask.${value}`) })),
        ...(isOffered(numbers) ? [{ value: "padding", label: words(padding.option) }] : []),
      ],
      set(numbers, typed, reading) {
        const options = [...choices.mask, ...(isOffered(numbers) ? (["padding"] as const) : [])];
        const mask = reading.choice(typed, options);
        if (typeof mask !== "string") return mask;
        if (mask === "padding") return { ...padding.add(numbers), mask: "none" };
        const chosen = masked(numbers, mask, ...sizeOf(numbers));
        return mask === "none" ? padding.remove(chosen) : chosen;
      },
    },
    paint: {
      set: (numbers, typed, _reading, words) =>
        paint(numbers, typed, ...sizeOf(numbers)) ?? {
          refused: words("labs.refused.paint", { given: typed }),
        },
    },
  };
}
