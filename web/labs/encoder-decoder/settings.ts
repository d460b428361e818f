/** The settings sentence of the encoder-decoder lab and its controls. */
import { sourceLength, sourceWords } from "../../config/labs/encoder-decoder.js";
import { labControls } from "../../telling/controls.js";
import { stringsIn } from "./strings.js";

/** The longest sentence, in characters, that the settings sentence quotes. A longer one is a number of words there. */
const MOST_QUOTED = 30;

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
    trained: { essential: true },
  },
});
