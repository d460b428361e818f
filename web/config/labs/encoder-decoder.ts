/** The settings of the encoder-decoder lab. All its numbers follow from the words, so no leaf can be edited. */
import { bounds } from "../bounds.js";
import { expecting } from "../expected.js";
import { edits, later, matrix, oneOf, whole, words } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { boundRule, shapeRule } from "../rule.js";

/** The words the translator reads. */
export const sourceWords: readonly string[] =
  /* @__PURE__ */ "the a old small black white cat dog horse sleeps sings sees follows".split(" ");

export const sourceLength = { min: 1, max: 12 } as const;

export const trainedSteps: readonly number[] = [0, 100, 500, 2500];

/** The numbers of all parameters of the translator, in rows of d_model. */
export const parametersShape: readonly [number, number] = [288, 8];

const kinds = {
  /** The words to translate. */
  tokens: words,
  /** The number of decoded words: at most one more than the words to translate. */
  steps: whole({ min: 1, max: sourceLength.max + 1 }),
  /** The number of training steps after which the weights were saved; 0: the weights as they were drawn. */
  trained: oneOf(trainedSteps),
  edits,
  /** The numbers of all parameters, one after another in the order of their names: those of a run in the training lab. They replace those of `trained`. */
  parameters: later(matrix(...parametersShape)),
};
export type EncoderDecoderNumbers = NumbersIn<typeof kinds>;

const isSourceWord = (word: string): boolean => sourceWords.includes(word);

export const encoderDecoder = labSettings<EncoderDecoderNumbers>(kinds, {
  first: "old-black-cat",
  absent: {
    // If the base decodes the whole translation, so does the link.
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
    shapeRule("parameters", () => [...parametersShape], true),
    boundRule("steps", ({ tokens }) => ({ min: 1, max: tokens.length + 1 })),
  ],
});
