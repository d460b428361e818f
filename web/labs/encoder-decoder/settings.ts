/** The settings sentence of the encoder-decoder lab and its controls. */
import {
  modelOf,
  PAIR,
  pairsOf,
  readableWords,
  sourceLength,
  stepsRange,
  trainedSteps,
  withStoredTranslator,
  type EncoderDecoderNumbers,
} from "../../config/labs/encoder-decoder.js";
import type { Words } from "../../i18n/words.js";
import { labControls, withoutDefaults } from "../../telling/controls.js";
import { knownWords } from "../known-words.js";
import { stringsIn } from "./strings.js";

/** The longest sentence, in characters, that the settings sentence quotes. A longer one is a number of words there. */
const MOST_QUOTED = 30;
/** The most words of a given model that a refusal lists; the help lists all. */
const MOST_LISTED = 40;

/** What the stored translator reads after a model that knew other words. */
const aSentence = ["the", "old", "black", "cat", "sleeps"];

const listed = (known: readonly string[]): string[] => [
  ...known.slice(0, MOST_LISTED),
  ...(known.length > MOST_LISTED ? ["…"] : []),
];

/** The words that are typed; those of a given model also with another capital letter, as phones write it. */
function typedWords(typed: string, { vocabulary }: EncoderDecoderNumbers): string[] {
  const known = readableWords({ vocabulary });
  const isKnown = (word: string): boolean => known.includes(word);
  const own = knownWords(typed, known);
  return own.every(isKnown) ? own : knownWords(typed.toLowerCase(), known);
}

/** The parameters that a link holds, as an option beside those that are stored. */
const OWN = "own" as const;

const trainedText = (steps: number | typeof OWN, words: Words): string =>
  steps === OWN || steps === 0
    ? stringsIn(words)(`trained.${steps}`)
    : stringsIn(words)("trained.many", { n: steps });

function headsText(numbers: EncoderDecoderNumbers, head: number, words: Words): string {
  const last = Math.min(head + PAIR, modelOf(numbers).heads) - 1;
  return stringsIn(words)(last > head ? "heads.pair" : "head", { n: head, last });
}

const defaults = { layer: modelOf({}).layer, head: modelOf({}).head };

export const settings = labControls({
  id: "encoder-decoder",
  strings: stringsIn,
  sentence({ numbers }, words) {
    const strings = stringsIn(words);
    const { layers, heads } = modelOf(numbers);
    const shown = [...(layers > 1 ? ["{layer}"] : []), ...(heads > PAIR ? ["{head}"] : [])];
    return shown.length === 0
      ? strings("sentence")
      : strings("sentence.shown", { shown: shown.join(strings("comma")) });
  },
  controls: {
    words: {
      setting: "tokens",
      essential: true,
      stringsId: ({ vocabulary }) => (vocabulary ? "read" : "words"),
      label({ numbers: { tokens } }, words) {
        const text = tokens.join(" ");
        const strings = stringsIn(words);
        return text.length <= MOST_QUOTED
          ? strings("words.quoted", { text })
          : strings("words.many", { n: tokens.length });
      },
      help({ numbers }, words) {
        const strings = stringsIn(words);
        const known = readableWords(numbers);
        return numbers.vocabulary
          ? strings("help.words.given", { known: known.join(" ") })
          : strings("help.words.stored", { known: known.join(strings("comma")), n: known.length });
      },
      set(numbers, typed, reading, words) {
        const known = readableWords(numbers);
        const before = numbers.vocabulary ? typedWords(typed, numbers) : numbers.tokens;
        const text = numbers.vocabulary ? before.join(" ") : typed.toLowerCase();
        const read = reading.words(text, before, { min: 1, max: 64 });
        if (!Array.isArray(read)) return read;
        const unknown = read.find((word) => !known.includes(word));
        if (unknown !== undefined) {
          const name = stringsIn(words)(numbers.vocabulary ? "field.read" : "field.words");
          const slots = { name, known: listed(known).join(", "), given: unknown };
          return { refused: stringsIn(words)("refused.word", slots) };
        }
        const tokens = read.slice(0, sourceLength(numbers).max);
        // A translation that is whole stays whole.
        const more = numbers.steps - numbers.tokens.length;
        const steps = more > 0 ? tokens.length + more : Math.min(numbers.steps, tokens.length + 1);
        return { ...numbers, tokens, steps: Math.min(steps, stepsRange({ ...numbers, tokens }).max) };
      },
    },
    steps: { essential: true, range: stepsRange },
    trained: {
      essential: true,
      value: ({ numbers }) => (numbers.parameters ? OWN : String(numbers.trained)),
      label: ({ numbers }, words) => trainedText(numbers.parameters ? OWN : numbers.trained, words),
      options: ({ numbers }, words) =>
        [...(numbers.parameters ? [OWN] : []), ...trainedSteps].map((value: number | typeof OWN) => ({
          value: String(value),
          label:
            numbers.vocabulary && value !== OWN
              ? stringsIn(words)(value === 0 ? "translator.0" : "translator.many", { n: value })
              : trainedText(value, words),
        })),
      stringsId: ({ vocabulary }) => (vocabulary ? "translator" : "trained"),
      then: (after) => ({
        ...withStoredTranslator(after),
        ...(after.vocabulary && { tokens: aSentence, steps: aSentence.length + 1 }),
      }),
    },
    layer: {
      kind: "number",
      range: (numbers) => ({ min: 0, max: modelOf(numbers).layers - 1 }),
      value: ({ numbers }) => String(modelOf(numbers).layer),
      label: ({ numbers }, words) => stringsIn(words)("layer", { n: modelOf(numbers).layer }),
      then: (after) => withoutDefaults(after, defaults),
    },
    head: {
      kind: "choice",
      value: ({ numbers }) => String(modelOf(numbers).head),
      label: ({ numbers }, words) => headsText(numbers, modelOf(numbers).head, words),
      options: ({ numbers }, words) =>
        pairsOf(numbers).map((first) => ({
          value: String(first),
          label: headsText(numbers, first, words),
        })),
      then: (after) => withoutDefaults(after, defaults),
    },
  },
});
