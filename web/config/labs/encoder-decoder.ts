/** The settings of lab 7: encoder and decoder. Every number of it follows from the words, so no leaf can be edited. */
import { bounds } from "../bounds.js";
import { expecting } from "../expected.js";
import { edits, oneOf, whole, words } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { boundRule } from "../rule.js";

/** The words the translator reads. */
export const sourceWords: readonly string[] =
  /* @__PURE__ */ "the a old small black white cat dog horse sleeps sings sees follows".split(" ");

export const sourceLength = { min: 1, max: 12 } as const;

const kinds = {
  /** The words to translate. */
  tokens: words,
  /** How many words are decoded: the longest translation has those it begins with, and one more. */
  steps: whole({ min: 1, max: sourceLength.max + 1 }),
  /** After how many steps of training its weights were kept; 0: as they were drawn. */
  trained: oneOf([0, 100, 500, 2500]),
  edits,
};
export type EncoderDecoderNumbers = NumbersIn<typeof kinds>;

const isSourceWord = (word: string): boolean => sourceWords.includes(word);

export const encoderDecoder = labSettings<EncoderDecoderNumbers>(kinds, {
  first: "old-black-cat",
  absent: {
    // A translation that was decoded to its end is decoded to its end.
    steps: (now, base) =>
      base.steps === base.tokens.length + 1
        ? now.tokens.length + 1
        : Math.min(base.steps, now.tokens.length + 1),
  },
  rules: [
    {
      field: "tokens",
      broken({ tokens }) {
        const { min, max } = sourceLength;
        if (tokens.length < min || tokens.length > max)
          return {
            expected: expecting("words", { min, max, length: bounds.wordLength.max }),
            actual: String(tokens.length),
          };
        const other = tokens.find((word) => !isSourceWord(word));
        return other === undefined
          ? null
          : { expected: expecting("choice", { options: sourceWords.join(", ") }), actual: other };
      },
      repair(numbers, base) {
        const known = numbers.tokens.filter(isSourceWord).slice(0, sourceLength.max);
        return { ...numbers, tokens: known.length > 0 ? known : base.tokens };
      },
    },
    boundRule("steps", ({ tokens }) => ({ min: 1, max: tokens.length + 1 })),
  ],
});
