/** The settings of the ViT lab's encoder: how many layers, and their heads where there are some. */
import { bounds } from "../../../config/bounds.js";
import type { VitNumbers } from "../../../config/config.js";
import { encoderFits, encoderMost, encoderOf, patchCount } from "../../../config/labs/vit.js";
import type { Words } from "../../../i18n/words.js";
import type { ControlOf } from "../../../telling/controls.js";
import type { Refused } from "../../../telling/typed-values.js";
import { sayIn } from "./tensors.js";

const shown = (words: Words, what: "layers" | "heads", n: number): string =>
  what === "layers" && n === 0
    ? sayIn(words)("layers.0")
    : sayIn(words)(n === 1 ? `${what}.one` : `${what}.many`, { n });

/** Why these numbers cannot have encoder layers; null where they can. */
export function barred(numbers: VitNumbers, words: Words): string | null {
  const say = sayIn(words);
  if (encoderFits({ ...numbers, compare: "projection", cls: true })) return null;
  return numbers.dim > encoderMost.dim
    ? say("refused.dim", { most: encoderMost.dim, given: numbers.dim })
    : say("refused.patches", { most: encoderMost.patches, given: patchCount(numbers) });
}

export const encoderControls: Record<"layers" | "heads", ControlOf<"vit">> = {
  layers: {
    kind: "choice",
    title: (words) => sayIn(words)("field.layers"),
    help: (_config, words) => sayIn(words)("help.layers"),
    value: ({ numbers }) => String(encoderOf(numbers).layers),
    label: ({ numbers }, words) => shown(words, "layers", encoderOf(numbers).layers),
    options({ numbers }, words) {
      const disabled = barred(numbers, words);
      return Array.from({ length: bounds.vitLayers.max + 1 }, (_, n) => ({
        value: String(n),
        label: shown(words, "layers", n),
        ...(n > 0 && disabled ? { disabled } : {}),
      }));
    },
    // Layers bring the class token and the projection that they need.
    set(numbers, typed, reading, words) {
      const layers = reading.whole(typed, bounds.vitLayers);
      if (typeof layers !== "number") return layers;
      const { layers: _layers, heads: _heads, ...rest } = numbers;
      if (layers === 0) return rest;
      const refused = barred(numbers, words);
      return refused ? { refused } : { ...numbers, layers, compare: "projection", cls: true };
    },
  },
  heads: {
    kind: "choice",
    title: (words) => sayIn(words)("field.heads"),
    help: (_config, words) => sayIn(words)("help.heads"),
    value: ({ numbers }) => String(encoderOf(numbers).heads),
    label: ({ numbers }, words) => shown(words, "heads", encoderOf(numbers).heads),
    options: ({ numbers }, words) =>
      Array.from({ length: bounds.vitHeads.max }, (_, at) => at + 1)
        .filter((n) => numbers.dim % n === 0)
        .map((n) => ({ value: String(n), label: shown(words, "heads", n) })),
    set(numbers, typed, reading, words) {
      const heads = reading.whole(typed, bounds.vitHeads);
      if (typeof heads === "number" && numbers.dim % heads === 0) return { ...numbers, heads };
      return { refused: sayIn(words)("refused.heads", { dim: numbers.dim, given: typed }) };
    },
  },
};

/** Numbers after another setting: refused where layers cannot read them; without their class token the layers go. */
export function keptEncoder(numbers: VitNumbers, words: Words): VitNumbers | Refused {
  if (encoderOf(numbers).layers === 0) return numbers;
  const { layers, heads, ...rest } = numbers;
  if (numbers.compare === "pixels" || !numbers.cls) return rest;
  const refused = barred(numbers, words);
  if (refused) return { refused };
  return heads === undefined || numbers.dim % heads === 0 ? numbers : { ...rest, layers };
}
