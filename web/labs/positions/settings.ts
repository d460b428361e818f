/** The settings sentence of the positions lab and its controls. */
import { bounds } from "../../config/bounds.js";
import { hasOrder, orderOf } from "../../config/labs/positions.js";
import type { Key } from "../../i18n/words.js";
import { labControls, type ControlOf } from "../../telling/controls.js";
import { countText } from "../../telling/phrases.js";
import { withoutNode } from "../../telling/typed-values.js";
import { wordNames } from "../../telling/phrases.js";
import { kindOf, stringsIn } from "./order/strings.js";

/** The control of one of the two words that change places. */
const swapControl = (which: 0 | 1): ControlOf<"positions"> => ({
  kind: "choice",
  ...(which === 0 && { essential: true as const }),
  help: (_config, words) => stringsIn(words)("help.swap"),
  value: ({ numbers }) => String(orderOf(numbers).swap[which]),
  label({ numbers }, words) {
    const { tokens, swap } = orderOf(numbers);
    return wordNames(tokens, words)[swap[which]]!;
  },
  options: ({ numbers }, words) =>
    wordNames(orderOf(numbers).tokens, words).map((label, value) => ({ value: String(value), label })),
  set(numbers, typed, reading) {
    const { tokens, swap } = orderOf(numbers);
    const at = reading.whole(typed, { min: 0, max: tokens.length - 1 });
    if (typeof at !== "number") return at;
    return at === swap[which] ? numbers : { ...numbers, swap: which === 0 ? [at, swap[1]] : [swap[0], at] };
  },
});

export const settings = labControls({
  id: "positions",
  strings: stringsIn,
  sentence({ numbers }, words) {
    if (hasOrder(numbers)) return stringsIn(words)(`sentence.${kindOf(numbers)}`);
    const { encoding, x, positions } = numbers;
    const typed = encoding === "rotary" && x ? ".typed" : "";
    const text = words(`labs.positions.sentence.${encoding}${typed}` as Key);
    return positions ? text.replace("{length}", "{positions}") : text;
  },
  controls: {
    encoding: {
      essential: true,
      label: ({ numbers }, words) =>
        hasOrder(numbers)
          ? stringsIn(words)(`label.${kindOf(numbers)}`)
          : words(`labs.encoding.${numbers.encoding}`),
    },
    length: {
      title: "labs.field.positions",
      essential: true,
      label: ({ numbers }, words) => countText(words, "labs.positions.count", numbers.length),
    },
    positions: {
      kind: "words",
      pieces: true,
      label({ numbers: { positions: all } }, words) {
        const list = (all ?? []).slice(0, 4).join(", ") + ((all?.length ?? 0) > 4 ? " …" : "");
        return words("labs.positions.listed", { list });
      },
      set(numbers, typed, reading, words) {
        const list = typed.split(/[\s,，、]+/).filter(Boolean);
        const { max } = bounds.length;
        if (list.length < 1 || list.length > max)
          return { refused: words("labs.refused.count", { field: reading.field, max, given: list.length }) };
        const positions: number[] = [];
        for (const text of list) {
          const position = reading.whole(text, bounds.position);
          if (typeof position !== "number") return position;
          positions.push(position);
        }
        return { ...numbers, positions };
      },
    },
    dim: {
      title: "labs.field.dimensions",
      label: ({ numbers }, words) => countText(words, "labs.positions.dims", numbers.dim),
      then(after, before, words) {
        const { encoding, dim } = after;
        if (dim === before.dim) return before;
        if ((encoding === "rotary" || encoding === "shift") && dim % 2 === 1)
          return { refused: words("labs.refused.even", { given: dim }) };
        return { ...after, x: null, edits: [] };
      },
    },
    base: { label: ({ numbers }, words) => words("labs.positions.base", { n: numbers.base }) },
    seed: { help: (_config, words) => words("labs.help.attention.seed") },
    words: {
      setting: "tokens",
      kind: "words",
      value: ({ numbers }) => orderOf(numbers).tokens.join(" "),
      label: ({ numbers }, words) => countText(words, "labs.words", orderOf(numbers).tokens.length),
      set(numbers, typed, reading) {
        const { tokens: before } = orderOf(numbers);
        const tokens = reading.words(typed, before, { min: 1, max: bounds.words.max });
        if (!Array.isArray(tokens)) return tokens;
        if (tokens.join(" ") === before.join(" ")) return numbers;
        return { ...numbers, tokens, edits: withoutNode(numbers.edits, "X") };
      },
    },
    wordDim: {
      title: "labs.field.dim",
      value: ({ numbers }) => String(orderOf(numbers).dim),
      label: ({ numbers }, words) => countText(words, "labs.numbers", orderOf(numbers).dim),
      then: (after, before) => (after.wordDim === orderOf(before).dim ? before : after),
    },
    first: swapControl(0),
    second: swapControl(1),
  },
});
