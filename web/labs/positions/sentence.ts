/** The settings of the positions lab as a sentence, and its title. */
import { bounds, choices } from "../../config/bounds.js";
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import { counted, numberControls } from "../controls.js";
import { helped } from "../help.js";
import { aloneOf } from "./blocks.js";

type Config = ConfigOf<"positions">;

export function title({ numbers }: Config, words: Words): string {
  return words(`labs.positions.title.${aloneOf(numbers)}`);
}

export function lede({ numbers }: Config, words: Words, narrow: boolean): string {
  return narrow ? words("labs.positions.lede.narrow") : words(`labs.positions.lede.${aloneOf(numbers)}`);
}

export function sentence({ numbers }: Config, words: Words): { text: string; controls: Control[] } {
  const number = numberControls(words);
  const listed = numbers.positions;
  const controls: Control[] = [
    {
      id: "encoding",
      kind: "choice",
      essential: true,
      title: words("labs.field.encoding"),
      value: numbers.encoding,
      label: words(`labs.encoding.${numbers.encoding}`),
      options: choices.encoding.map((value) => ({ value, label: words(`labs.encoding.${value}`) })),
    },
    listed
      ? {
          id: "positions",
          kind: "words",
          pieces: true,
          title: words("labs.field.positions"),
          value: listed.join(" "),
          label: words("labs.positions.listed", {
            list: listed.slice(0, 4).join(", ") + (listed.length > 4 ? " …" : ""),
          }),
        }
      : number(
          "length",
          "labs.field.positions",
          numbers.length,
          bounds.length,
          counted(words, "labs.positions.count", numbers.length),
          true,
        ),
    number(
      "dim",
      "labs.field.dimensions",
      numbers.dim,
      bounds.dim,
      counted(words, "labs.positions.dims", numbers.dim),
    ),
    number(
      "base",
      "labs.field.base",
      numbers.base,
      bounds.base,
      words("labs.positions.base", { n: numbers.base }),
    ),
    number("offset", "labs.field.offset", numbers.offset, bounds.offset, String(numbers.offset)),
    number(
      "heads",
      "labs.field.heads",
      numbers.heads,
      bounds.heads,
      counted(words, "labs.heads", numbers.heads),
    ),
    number("seed", "labs.field.seed", numbers.seed, bounds.seed, words("labs.seed", { n: numbers.seed })),
  ];
  const text = words(
    numbers.encoding === "rotary" && numbers.x
      ? "labs.positions.sentence.rotary.typed"
      : `labs.positions.sentence.${aloneOf(numbers)}`,
  );
  const named = [listed ? text.replace("{length}", "{positions}") : text][0]!;
  const shown = controls.filter(({ id }) => named.includes(`{${id}}`));
  return { text: named, controls: helped("positions", shown, words) };
}
