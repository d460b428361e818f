/** The settings of the encoder and decoder lab as a sentence. */
import { sourceLength, sourceWords } from "../../config/labs/encoder-decoder.js";
import { labControls } from "../../telling/controls.js";
import { stringsIn } from "./strings.js";

/** Longer sentences are counted in the settings, not quoted. */
const quoted = 30;

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
        const say = stringsIn(words);
        return text.length <= quoted
          ? say("words.quoted", { text })
          : say("words.many", { n: tokens.length });
      },
      set(numbers, typed, reading, words) {
        const read = reading.words(typed.toLowerCase(), numbers.tokens, { min: 1, max: 64 });
        if (!Array.isArray(read)) return read;
        const other = read.find((word) => !sourceWords.includes(word));
        if (other !== undefined)
          return {
            refused: stringsIn(words)("refused.word", { known: sourceWords.join(", "), given: other }),
          };
        const tokens = read.slice(0, sourceLength.max);
        const whole = numbers.steps === numbers.tokens.length + 1;
        const steps = whole ? tokens.length + 1 : Math.min(numbers.steps, tokens.length + 1);
        return { ...numbers, tokens, steps };
      },
    },
    steps: { essential: true, range: ({ tokens }) => ({ min: 1, max: tokens.length + 1 }) },
    trained: { essential: true },
  },
});
