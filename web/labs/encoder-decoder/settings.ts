/** The settings sentence of the encoder-decoder lab and its controls. */
import { sourceLength, sourceWords, trainedSteps } from "../../config/labs/encoder-decoder.js";
import type { Words } from "../../i18n/words.js";
import { labControls } from "../../telling/controls.js";
import { stringsIn } from "./strings.js";

/** The longest sentence, in characters, that the settings sentence quotes. A longer one is a number of words there. */
const MOST_QUOTED = 30;

/** The parameters that a link holds, as an option beside those that are stored. */
const OWN = "own" as const;

const trainedText = (steps: number | typeof OWN, words: Words): string =>
  steps === OWN || steps === 0
    ? stringsIn(words)(`trained.${steps}`)
    : stringsIn(words)("trained.many", { n: steps });

export const settings = labControls({
  id: "encoder-decoder",
  strings: stringsIn,
  sentence: (_config, words) => stringsIn(words)("sentence"),
  controls: {
    words: {
      setting: "tokens",
      essential: true,
      label({ numbers: { tokens } }, words) {
        const text = tokens.join(" ");
        const strings = stringsIn(words);
        return text.length <= MOST_QUOTED
          ? strings("words.quoted", { text })
          : strings("words.many", { n: tokens.length });
      },
      set(numbers, typed, reading, words) {
        const read = reading.words(typed.toLowerCase(), numbers.tokens, { min: 1, max: 64 });
        if (!Array.isArray(read)) return read;
        const unknown = read.find((word) => !sourceWords.includes(word));
        if (unknown !== undefined)
          return {
            refused: stringsIn(words)("refused.word", { known: sourceWords.join(", "), given: unknown }),
          };
        const tokens = read.slice(0, sourceLength.max);
        const isComplete = numbers.steps === numbers.tokens.length + 1;
        const steps = isComplete ? tokens.length + 1 : Math.min(numbers.steps, tokens.length + 1);
        return { ...numbers, tokens, steps };
      },
    },
    steps: { essential: true, range: ({ tokens }) => ({ min: 1, max: tokens.length + 1 }) },
    trained: {
      essential: true,
      value: ({ numbers }) => (numbers.parameters ? OWN : String(numbers.trained)),
      label: ({ numbers }, words) => trainedText(numbers.parameters ? OWN : numbers.trained, words),
      options: ({ numbers }, words) =>
        [...(numbers.parameters ? [OWN] : []), ...trainedSteps].map((value: number | typeof OWN) => ({
          value: String(value),
          label: trainedText(value, words),
        })),
      then: ({ parameters: _own, ...after }) => after,
    },
  },
});
