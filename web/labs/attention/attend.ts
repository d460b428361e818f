/** The options of the core's attention from a Config, and the controls of scale and mask, for the labs of one head and of many heads. */
import { choices } from "../../config/bounds.js";
import type { NumbersOf } from "../../config/config.js";
import type { Masked } from "../../config/mask.js";
import type { AttentionOptions, Graph, Node } from "../../core/attention.js";
import type { Key, Words } from "../../i18n/words.js";
import { maskTensor, withMask, withPaintedCell } from "./mask.js";
import type { ControlOf } from "../../telling/controls.js";

interface ScaledAndMasked extends Masked {
  scale: boolean;
}

/** Scale and mask as options of the core's attention. The mask is a leaf, so that its cells can be inspected. */
export function attentionOptions(
  graph: Graph,
  numbers: ScaledAndMasked,
  queries: number,
  keys: number,
): AttentionOptions<Node> {
  return {
    ...(numbers.scale ? {} : { scale: "none" }),
    ...(numbers.mask === "none" ? {} : { mask: graph.leaf("mask", maskTensor(numbers, queries, keys)) }),
  };
}

/** The functions by which a lab adds and removes the padding of keys, which is one of the choices of its mask. */
export interface Padding<N> {
  has(numbers: N): boolean;
  /** The numbers with padding; they keep the padding that they have. */
  add(numbers: N): N;
  remove(numbers: N): N;
  isOffered?(numbers: N): boolean;
  /** The text of padding without another mask: in the settings sentence, and as an option. */
  label: Key;
  option: Key;
}

/** The value of the mask's control: the mask, or "padding" for padding without another mask. */
export const maskChoice = <N extends Masked>(numbers: N, padding: Padding<N>): N["mask"] | "padding" =>
  numbers.mask === "none" && padding.has(numbers) ? "padding" : numbers.mask;

/** The controls of the scale, of the mask and of its painted cells. `width` is the text of the width in the divisor. */
export function scaleAndMaskControls<L extends "attention" | "multi-head">(
  sizeOf: (numbers: NumbersOf[L]) => [queries: number, keys: number],
  width: (numbers: NumbersOf[L]) => string,
  padding: Padding<NumbersOf[L]>,
): Record<"scale" | "mask" | "paint", ControlOf<L>> {
  const isOffered = (numbers: NumbersOf[L]): boolean => padding.isOffered?.(numbers) ?? true;
  const scaleText = (on: boolean, numbers: NumbersOf[L], words: Words): string =>
    words(on ? "labs.scale.on" : "labs.scale.off", { width: width(numbers) });
  return {
    scale: {
      label: ({ numbers }, words) => scaleText(numbers.scale, numbers, words),
      options: ({ numbers }, words) => [
        { value: "on", label: scaleText(true, numbers, words) },
        { value: "off", label: scaleText(false, numbers, words) },
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
        const next = withMask(numbers, mask, ...sizeOf(numbers));
        return mask === "none" ? padding.remove(next) : next;
      },
    },
    paint: {
      set: (numbers, typed, _reading, words) =>
        withPaintedCell(numbers, typed, ...sizeOf(numbers)) ?? {
          refused: words("labs.refused.paint", { given: typed }),
        },
    },
  };
}
