/** The settings of the multi-head lab as a sentence, and its title. */
import { bounds } from "../../config/bounds.js";
import type { ConfigOf } from "../../config/config.js";
import { rowCount } from "../../config/counts.js";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import { counted, maskControl, numberControls, scaleControl } from "../controls.js";
import { helped } from "../help.js";

type Config = ConfigOf<"multi-head">;

export function title(_config: Config, words: Words): string {
  return words("labs.multi_head.title");
}

export function lede({ numbers }: Config, words: Words, narrow: boolean): string {
  const even = numbers.heads * numbers.keyDim === numbers.dim;
  const key = narrow
    ? "labs.multi_head.lede.narrow"
    : even
      ? "labs.multi_head.lede"
      : "labs.multi_head.lede.free";
  return words(key, { width: numbers.keyDim, dim: numbers.dim });
}

export function sentence(config: Config, words: Words): { text: string; controls: Control[] } {
  const { numbers, view } = config;
  const drawn = numbers.source === "draw";
  const number = numberControls(words);
  const draws = (["scaled", "randn"] as const).map((value) => ({
    value,
    label: words(`labs.draw.${value}`),
  }));
  const length = rowCount(numbers);
  const controls: Control[] = [
    ...(drawn
      ? [
          number("length", "labs.field.length", length, bounds.drawLength, String(length)),
          {
            id: "source",
            kind: "choice" as const,
            title: words("labs.field.source"),
            value: "draw",
            label: words("labs.source.draw"),
            options: (["draw", "words"] as const).map((value) => ({
              value,
              label: words(`labs.source.${value}`),
            })),
          },
        ]
      : [
          {
            id: "words",
            kind: "words" as const,
            pieces: true,
            essential: true,
            title: words("labs.field.words"),
            value: numbers.tokens.join(" "),
            label: counted(words, "labs.words", length),
          },
        ]),
    number("dim", "labs.field.dim", numbers.dim, bounds.dim, counted(words, "labs.numbers", numbers.dim)),
    number(
      "heads",
      "labs.field.heads",
      numbers.heads,
      bounds.heads,
      counted(words, "labs.heads", numbers.heads),
      true,
    ),
    number("keyDim", "labs.field.headWidth", numbers.keyDim, bounds.keyDim, String(numbers.keyDim)),
    {
      id: "draw",
      kind: "choice",
      title: words("labs.field.draw"),
      value: numbers.draw,
      label: words(`labs.draw.${numbers.draw}`),
      options: draws,
    },
    number(
      "seed",
      "labs.field.seed",
      numbers.seed,
      bounds.seed,
      words("labs.seed", { n: numbers.seed }),
      true,
    ),
    ...(drawn
      ? [number("run", "labs.field.run", numbers.run, bounds.run, words("labs.run", { n: numbers.run }))]
      : []),
    scaleControl(numbers.scale, String(numbers.keyDim), words),
    maskControl(numbers.mask, words),
    ...(drawn
      ? [
          number(
            "item",
            "labs.field.item",
            view.item,
            { min: 0, max: numbers.batch - 1 },
            words("labs.item", { n: view.item }),
          ),
          number("batch", "labs.field.batch", numbers.batch, bounds.batch, String(numbers.batch)),
        ]
      : []),
  ];
  const even = numbers.heads * numbers.keyDim === numbers.dim && numbers.keyDim === numbers.valueDim;
  const help = helped(
    "multi-head",
    controls,
    words,
    { dim: numbers.dim },
    even ? {} : { heads: "labs.help.multi_head.heads.free" },
  );
  return {
    text: words(drawn ? "labs.multi_head.sentence.drawn" : "labs.multi_head.sentence"),
    controls: help,
  };
}
