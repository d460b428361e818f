/** The settings of the scaling lab as a sentence, and how each is changed. */
import type { ConfigOf } from "../../config/config.js";
import { scalingBounds, scalingChoices, type ScalingNumbers } from "../../config/labs/scaling.js";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import { changing, type Refused } from "../settings.js";
import { say } from "./words.js";

export const title = (_config: ConfigOf<"scaling">, words: Words): string => say(words)("title");

export const lede = (_config: ConfigOf<"scaling">, words: Words, narrow: boolean): string =>
  say(words)(narrow ? "lede.narrow" : "lede");

export function sentence(
  { numbers }: ConfigOf<"scaling">,
  words: Words,
): { text: string; controls: Control[] } {
  const said = say(words);
  const { source, keys, query, seed } = numbers;
  const number = (id: "keys" | "query" | "seed", value: number, label: string): Control => ({
    id,
    kind: "number",
    title: said(`field.${id}`),
    help: said(`help.${id}`),
    value: String(value),
    ...scalingBounds[id],
    label,
  });
  const controls: Control[] = [
    {
      id: "source",
      kind: "choice",
      essential: true,
      title: said("field.source"),
      help: said("help.source"),
      value: source,
      label: said(`source.${source}`),
      options: scalingChoices.source.map((value) => ({ value, label: said(`option.${value}`) })),
    },
    number("seed", seed, words("labs.seed", { n: seed })),
    number("keys", keys, said("keys.many", { n: keys })),
    number("query", query, said("query.n", { n: query })),
  ];
  const text = said(source === "unit" ? "sentence.unit" : "sentence.words");
  return { text, controls: controls.filter(({ id }) => text.includes(`{${id}}`)) };
}

function set(
  numbers: ScalingNumbers,
  control: string,
  value: string,
  words: Words,
): ScalingNumbers | Refused {
  const said = say(words);
  switch (control) {
    case "source": {
      const source = scalingChoices.source.find((one) => one === value);
      const options = scalingChoices.source.join(", ");
      return source
        ? { ...numbers, source }
        : { refused: words("labs.refused.choice", { field: said("field.source"), options, given: value }) };
    }
    case "keys":
    case "query":
    case "seed": {
      const { min, max } = scalingBounds[control];
      const typed = Number(value.trim());
      if (/^\d+$/.test(value.trim()) && typed >= min && typed <= max) return { ...numbers, [control]: typed };
      return {
        refused: words("labs.refused.whole", {
          field: said(`field.${control}`),
          min,
          max,
          given: value,
        }),
      };
    }
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

export const change = changing("scaling", set);
