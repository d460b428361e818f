/** Controls and phrases that several labs say alike. */
import type { Range } from "../config/bounds.js";
import type { AttentionNumbers } from "../config/config.js";
import { inPieces } from "../config/tokens.js";
import type { Key, Words } from "../i18n/words.js";
import type { Control } from "../marks/wording.js";

/** One word or several: keys end in ".one" or ".many". */
export function counted(
  words: Words,
  key: string,
  n: number,
  more: Record<string, string | number> = {},
): string {
  return words(`${key}.${n === 1 ? "one" : "many"}` as Key, { n, ...more });
}

/** How many words a text has, or pieces: the key's with ".pieces" before its end. */
export function countedTokens(words: Words, key: string, tokens: readonly string[]): string {
  return counted(words, inPieces(tokens) ? `${key}.pieces` : key, tokens.length);
}

/** Makes number controls: by id, the key of the title, the value, its range, and how the value is said. */
export function numberControls(words: Words) {
  return (
    id: string,
    key: Key,
    value: number,
    { min, max }: Range,
    label: string,
    essential = false,
  ): Control => ({
    id,
    kind: "number",
    title: words(key),
    value: String(value),
    min,
    max,
    label,
    ...(essential ? { essential } : {}),
  });
}

export function maskControl(mask: AttentionNumbers["mask"], words: Words): Control {
  const options = (["none", "causal", "painted"] as const).map((value) => ({
    value,
    label: words(`labs.mask.${value}`),
  }));
  return {
    id: "mask",
    kind: "choice",
    label: words(`labs.mask.${mask}`),
    title: words("labs.field.mask"),
    value: mask,
    options,
    essential: true,
  };
}

export function scaleControl(scale: boolean, width: string, words: Words): Control {
  return {
    id: "scale",
    kind: "choice",
    label: words(scale ? "labs.scale.on" : "labs.scale.off", { width }),
    title: words("labs.field.scale"),
    value: scale ? "on" : "off",
    options: (["on", "off"] as const).map((value) => ({
      value,
      label: words(`labs.scale.${value}`, { width }),
    })),
  };
}

/** "4 by 3", for a screen reader. */
export function sizeWords(shape: readonly number[], words: Words): string {
  return shape.join(words("labs.by"));
}
