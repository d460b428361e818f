/** The settings of the words lab: words as one-hot rows and counts, as rows of a table that are near or far, and vectors learned from a text. */
import { bounds as all, type Range } from "../bounds.js";
import type { Leaves } from "../cells.js";
import * as checks from "../checks.js";
import { expecting, rangeText, shapeText } from "../expected.js";
import * as forms from "../forms.js";
import { choice, decimal, edits, matrix, whole, wordList, type Kind } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { boundRule, sizes, type Rule } from "../rule.js";

const from = (min: number, max: number): Range => ({ min, max });
export const bounds = {
  sentence: from(1, 8),
  dim: from(2, 8),
  names: from(4, 12),
  text: from(2, 160),
  vocabulary: from(2, 40),
} as const;

/** Three places of words, written as a row of a matrix. */
const analogy: Kind<number[]> = {
  check: checks.wholes(from(0, bounds.names.max - 1), from(3, 3)),
  form: {
    plain: (value) => forms.matrix.plain([value]),
    read: (text, allowance) => forms.matrix.read(text, allowance)[0] ?? [],
  },
};

const kinds = {
  topic: choice(["count", "near", "learn"]),
  /** Two sentences whose words are counted. */
  tokens: wordList(bounds.sentence),
  other: wordList(bounds.sentence),
  /** Numbers per word, where they are drawn or learned. */
  dim: whole(bounds.dim),
  seed: whole(all.seed),
  /** Words with given vectors, (N) and (N, D). */
  names: wordList(bounds.names),
  x: matrix(bounds.names.max, bounds.dim.max),
  /** The first minus the second plus the third, as places in `names`. */
  analogy,
  /** The training text; "." ends a sentence, and windows do not cross it. */
  text: wordList(bounds.text),
  /** Skip-gram: a word predicts its neighbours. CBOW: the neighbours predict the word. */
  method: choice(["skipgram", "cbow"]),
  /** The softmax over all words, or negative sampling. */
  loss: choice(["softmax", "negative"]),
  negatives: whole(from(1, 10)),
  /** The window: the largest distance of a neighbour. */
  window: whole(from(1, 4)),
  rate: decimal(from(0.001, 1)),
  /** The number of training steps, and the step whose vectors are shown: 0 is before the first. */
  steps: whole(from(1, 200)),
  step: whole(from(0, 200)),
  /** The place in the text of the word that is shown, not counting full stops. */
  at: whole(from(0, 159)),
  edits,
};
export type WordsNumbers = NumbersIn<typeof kinds>;

/** The word that ends a sentence. */
export const STOP = ".";

export const distinct = (words: readonly string[]): string[] => [...new Set(words)];

/** The words of the two sentences that are counted, in the order in which they come. */
export const countedWords = ({ tokens, other }: Pick<WordsNumbers, "tokens" | "other">): string[] =>
  distinct([...tokens, ...other]);

export const textWords = (text: readonly string[]): string[] => text.filter((word) => word !== STOP);
export const vocabularyOf = (text: readonly string[]): string[] => distinct(textWords(text));

/** The sentences of a text, without their full stops. */
export function sentencesOf(text: readonly string[]): string[][] {
  const sentences: string[][] = [[]];
  for (const word of text) {
    if (word === STOP) sentences.push([]);
    else sentences.at(-1)!.push(word);
  }
  return sentences.filter((sentence) => sentence.length > 0);
}

/** The longest beginning of a text that has no more different words than allowed. */
export function withinVocabulary(text: readonly string[]): string[] {
  const known = new Set<string>();
  return text.filter((word) => {
    if (word === STOP || known.has(word)) return true;
    if (known.size === bounds.vocabulary.max) return false;
    known.add(word);
    return true;
  });
}

/** The reason why a text cannot be trained on. */
function textProblem(text: readonly string[]): ReturnType<Rule<WordsNumbers>["broken"]> {
  const { min, max } = bounds.vocabulary;
  const count = vocabularyOf(text).length;
  if (count < min || count > max)
    return { expected: expecting("different", { min, max }), actual: String(count) };
  if (!sentencesOf(text).some((sentence) => sentence.length > 1))
    return { expected: expecting("sentence"), actual: text.join() };
  return null;
}

const leaves = (numbers: WordsNumbers): Leaves => {
  switch (numbers.topic) {
    case "count":
      return { E: [countedWords(numbers).length, numbers.dim] };
    case "near":
      return { E: [numbers.names.length, numbers.x[0]?.length ?? 0] };
    case "learn":
      return {};
  }
};

export const wordsSettings = labSettings<WordsNumbers>(kinds, {
  first: "dog-bites-man",
  absent: {
    // If the base shows its last step and `steps` changes, the link shows its last step.
    step: (now, base) => (base.step === base.steps ? now.steps : Math.min(base.step, now.steps)),
    at: (now, base) => (base.at < textWords(now.text).length ? base.at : 0),
  },
  rules: [
    {
      field: "names",
      broken: ({ names }) =>
        distinct(names).length === names.length
          ? null
          : { expected: expecting("different", { ...bounds.names }), actual: names.join() },
      repair: (numbers, base) => ({ ...numbers, names: base.names, x: base.x, analogy: base.analogy }),
    },
    {
      field: "x",
      broken({ x, names }) {
        const width = x[0]?.length ?? 0;
        if (x.length === names.length && width >= bounds.dim.min) return null;
        return {
          expected: expecting("shape", { shape: shapeText([names.length, rangeText(bounds.dim)]) }),
          actual: sizes(x),
        };
      },
      repair: (numbers, base) =>
        base.x.length === numbers.names.length
          ? { ...numbers, x: base.x }
          : { ...numbers, names: base.names, x: base.x, analogy: base.analogy },
    },
    {
      field: "analogy",
      broken: ({ analogy, names }) =>
        analogy.every((place) => place < names.length)
          ? null
          : {
              expected: expecting("wholes", { count: 3, min: 0, max: names.length - 1 }),
              actual: analogy.join(),
            },
      repair: (numbers) => ({ ...numbers, analogy: [0, 1, 2] }),
    },
    {
      field: "text",
      broken: ({ text }) => textProblem(text),
      repair(numbers, base) {
        const text = withinVocabulary(numbers.text);
        return { ...numbers, text: textProblem(text) ? base.text : text };
      },
    },
    boundRule("step", ({ steps }) => ({ min: 0, max: steps })),
    boundRule("at", ({ text }) => ({ min: 0, max: textWords(text).length - 1 }), 0),
  ],
  leaves,
});
