/** The settings of the encoder and decoder lab as a sentence. */
import { sourceLength, sourceWords } from "../../config/labs/encoder-decoder.js";
import { labControls } from "../../telling/controls.js";
import { ownWords } from "./tensors.js";

/** Longer sentences are counted in the settings, not quoted. */
const quoted = 30;
const known: readonly string[] = sourceWords;

export const settings = labControls({
  id: "encoder-decoder",
  say: ownWords,
  sentence: (_config, words) => ownWords(words)("sentence"),
  controls: {
    words: {
      setting: "tokens",
      essential: true,
      label({ numbers: { tokens } }, words) {
        const text = tokens.join(" ");
        const say = ownWords(words);
        return text.length <= quoted
          ? say("words.quoted", { text })
          : say("words.many", { n: tokens.length });
      },
      set(numbers, typed, reading, words) {
        const read = reading.words(typed.toLowerCase(), numbers.tokens, { min: 1, max: 64 });
        if (!Array.isArray(read)) return read;
        const other = read.find((word) => !known.includes(word));
        if (other !== undefined)
          return { refused: ownWords(words)("refused.word", { known: known.join(", "), given: other }) };
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
