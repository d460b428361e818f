/** Lab 7: encoder and decoder. Its numbers, their checks and rules, and the fields of its links. */
import { choice as oneWord, whole as wholeText, words as wordsText, edits as editsText } from "../forms.js";
import { bounds } from "../bounds.js";
import { edits, oneOf, whole, words } from "../checks.js";
import type { Edit } from "../config.js";
import { field, keptEdits } from "../field.js";
import type { Leaves } from "../cells.js";
import { expecting } from "../expected.js";
import { editsRule } from "../rule.js";
import type { LabConfig } from "./lab-config.js";

/** The words the translator reads. */
export const sourceWords = [
  "the",
  "a",
  "old",
  "small",
  "black",
  "white",
  "cat",
  "dog",
  "horse",
  "sleeps",
  "sings",
  "sees",
  "follows",
] as const;

/** After how many steps of training its weights were kept; 0: as they were drawn. */
export const trainedSteps = [0, 100, 500, 2500] as const;

export const sourceLength = { min: 1, max: 12 } as const;
/** The longest translation: the words it begins with, and one more. */
export const decodeSteps = { min: 1, max: sourceLength.max + 1 } as const;

/** All that changes a value in the encoder and decoder lab. */
export interface EncoderDecoderNumbers {
  /** The words to translate. */
  tokens: string[];
  /** How many words are decoded. */
  steps: number;
  trained: number;
  edits: Edit[];
}

const isSourceWord = (word: string): boolean => (sourceWords as readonly string[]).includes(word);

/** Every number here follows from the words. */
const leaves = (): Leaves => ({});

export const encoderDecoder: LabConfig<EncoderDecoderNumbers> = {
  entries: { tokens: words, steps: whole(decodeSteps), trained: oneOf(trainedSteps), edits },
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
    {
      field: "steps",
      broken: ({ tokens, steps }) =>
        steps <= tokens.length + 1
          ? null
          : { expected: expecting("whole", { min: 1, max: tokens.length + 1 }), actual: String(steps) },
      repair: (numbers) => ({ ...numbers, steps: numbers.tokens.length + 1 }),
    },
    editsRule(leaves),
  ],
  fields: [
    field("tokens", "tokens", wordsText),
    // A translation that was decoded to its end is decoded to its end.
    field("steps", "steps", wholeText(decodeSteps), (now, base) =>
      base.steps === base.tokens.length + 1
        ? now.tokens.length + 1
        : Math.min(base.steps, now.tokens.length + 1),
    ),
    field("trained", "trained", oneWord(trainedSteps)),
    field("edits", "edit", editsText, keptEdits(leaves)),
  ],
  leaves,
};
