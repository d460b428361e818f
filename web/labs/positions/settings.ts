/** The settings of the positions lab as a sentence, and its title. */
import { bounds } from "../../config/bounds.js";
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import { counted } from "../../telling/phrases.js";
import { labControls } from "../../telling/controls.js";
import { aloneOf } from "./blocks.js";

type Config = ConfigOf<"positions">;

export function title({ numbers }: Config, words: Words): string {
  return words(`labs.positions.title.${aloneOf(numbers)}`);
}

export function lede({ numbers }: Config, words: Words, narrow: boolean): string {
  return narrow ? words("labs.positions.lede.narrow") : words(`labs.positions.lede.${aloneOf(numbers)}`);
}

export const settings = labControls({
  id: "positions",
  say: null,
  sentence({ numbers }, words) {
    const text = words(
      numbers.encoding === "rotary" && numbers.x
        ? "labs.positions.sentence.rotary.typed"
        : `labs.positions.sentence.${aloneOf(numbers)}`,
    );
    return numbers.positions ? text.replace("{length}", "{positions}") : text;
  },
  controls: {
    encoding: { essential: true },
    length: {
      title: "labs.field.positions",
      essential: true,
      label: ({ numbers }, words) => counted(words, "labs.positions.count", numbers.length),
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
      label: ({ numbers }, words) => counted(words, "labs.positions.dims", numbers.dim),
      then(after, before, words) {
        const { encoding, dim } = after;
        if (dim === before.dim) return before;
        if ((encoding === "rotary" || encoding === "shift") && dim % 2 === 1)
          return { refused: words("labs.refused.even", { given: dim }) };
        return { ...after, x: null, edits: [] };
      },
    },
    base: { label: ({ numbers }, words) => words("labs.positions.base", { n: numbers.base }) },
  },
});
