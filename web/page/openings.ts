/**
 * The state that a lab opens with when the reader enters it from the header or the contents. A link without
 * fields always means `defaults`.
 */
import type { Config, LabId, NumbersOf, View } from "../config/config.js";
import { firstExamples } from "../config/defaults.js";
import type { Language } from "../i18n/words.js";
import { exampleIn } from "./in-language.js";
import { withNumbers, withView } from "./open-lab.js";

/**
 * Labs that open with another example than their first, or at another cell, because a newcomer sees more
 * there.
 */
const openings: Partial<Record<LabId, { example: string; cell?: View["cell"] }>> = {
  words: { example: "kingdom-on-a-map", cell: { node: "table.distance", index: [0, 2] } },
  "multi-head": { example: "one-word-two-looks" },
  bert: { example: "both-sides", cell: { node: "probabilities", index: [0, 7] } },
  optimizers: { example: "five-on-a-bowl" },
};

/** In the words of a language: for a reader of Chinese, the state and its address have Chinese words. */
export function openingOf(lab: LabId, language: Language): Config {
  const { example = firstExamples[lab], cell } = openings[lab] ?? {};
  const config = exampleIn(example, language)!;
  return cell ? ({ ...config, view: { ...config.view, cell } } as Config) : config;
}

/** A place that a link leads to: a lab and, if they are given, what is looked at and the words. */
export interface LabPlace {
  lab: LabId;
  view?: Partial<View>;
  /** The words of its sentence, for a lab that reads any. */
  tokens?: readonly string[];
}

export function openingAt({ lab, view, tokens }: LabPlace, language: Language): Config {
  const opening = openingOf(lab, language);
  const config = tokens ? withNumbers(opening, { ...opening.numbers, tokens } as NumbersOf[LabId]) : opening;
  return view ? withView(config, view) : config;
}
