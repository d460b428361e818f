/** The settings of the words lab: words as one-hot rows and counts, given vectors compared, vectors learned from a text, and token ids that look up rows of a table. */
import { bounds as all, type Range } from "../bounds.js";
import type { Leaves } from "../cells.js";
import * as checks from "../checks.js";
import { expecting, rangeText, shapeText } from "../expected.js";
import * as forms from "../forms.js";
import { choice, decimal, edits, later, matrix, whole, wholes, wordList, type Kind } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { boundRule, sizes, type Rule } from "../rule.js";

const from = (min: number, max: number): Range => ({ min, max });
export const bounds = {
  sentence: from(1, 8),
  dim: from(2, 8),
  /** The width of given vectors. */
  width: from(2, 64),
  names: from(4, 12),
  text: from(2, 160),
  vocabulary: from(2, 40),
  /** Token ids, and the rows of the table that they look up. */
  ids: from(1, 8),
  rows: from(2, 4096),
} as const;

/** Three indices of words. A link writes them as a row of a matrix. */
const analogy: Kind<number[]> = {
  check: checks.wholes(from(0, bounds.names.max - 1), from(3, 3)),
  form: {
    plain: (value) => forms.matrix.plain([value]),
    read: (text, allowance) => forms.matrix.read(text, allowance)[0] ?? [],
  },
};

const kinds = {
  topic: choice(["count", "near", "learn", "lookup"]),
  /** The two sentences whose words are counted. */
  tokens: wordList(bounds.sentence),
  other: wordList(bounds.sentence),
  /** The width of a word's vector, if vectors are drawn or learned. */
  dim: whole(bounds.dim),
  seed: whole(all.seed),
  /** N words and their given vectors (N, D). */
  names: wordList(bounds.names),
  x: matrix(bounds.names.max, bounds.width.max),
  /** The analogy first − second + third, as indices in `names`. */
  analogy,
  /** The text that is learned from. "." ends a sentence; neighbours of a word are in its own sentence. */
  text: wordList(bounds.text),
  /** Skip-gram: a word predicts its neighbours. CBOW: the neighbours predict the word. */
  method: choice(["skipgram", "cbow"]),
  /** The full softmax over all words, or negative sampling. */
  loss: choice(["softmax", "negative"]),
  negatives: whole(from(1, 10)),
  /** The greatest distance of a neighbour. */
  window: whole(from(1, 4)),
  rate: decimal(from(0.001, 1)),
  /** The number of training steps, and the step after which the vectors are shown; 0 is before the first. */
  steps: whole(from(1, 200)),
  step: whole(from(0, 200)),
  /** The index of the word of the text that is shown, counted without full stops. */
  at: whole(from(0, 159)),
  edits,
  /** Token ids that look up rows; absent, here and below: what `lookupOf` returns. */
  ids: later(wholes(from(0, bounds.rows.max - 1), bounds.ids)),
  /** How many rows the table has. */
  rows: later(whole(bounds.rows)),
};
export type WordsNumbers = NumbersIn<typeof kinds>;

/** Ids and table of document 004: it describes 1000 rows. These defaults are frozen. */
export const lookupOf = ({ ids, rows }: Pick<WordsNumbers, "ids" | "rows">): Lookup => ({
  ids: ids ?? [133, 23, 58],
  rows: rows ?? 1000,
});
export interface Lookup {
  ids: readonly number[];
  rows: number;
}

/** Whether a row of the table has two numbers: then it is a place on the map, and no directions are needed. */
export const isPlane = ({ dim }: Pick<WordsNumbers, "dim">): boolean => dim === 2;

/** The word that ends a sentence. */
export const STOP = ".";

export const distinct = (words: readonly string[]): string[] => [...new Set(words)];

/** The distinct words of the two sentences, in the order of first occurrence. */
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

/** The text without the words that would exceed the largest vocabulary. */
export function withinVocabulary(text: readonly string[]): string[] {
  const known = new Set<string>();
  return text.filter((word) => {
    if (word === STOP || known.has(word)) return true;
    if (known.size === bounds.vocabulary.max) return false;
    known.add(word);
    return true;
  });
}

/** The problem of a text that cannot be learned from; null if it can. */
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
    case "lookup":
      return { E: [lookupOf(numbers).rows, numbers.dim] };
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
        if (x.length === names.length && width >= bounds.width.min) return null;
        return {
          expected: expecting("shape", { shape: shapeText([names.length, rangeText(bounds.width)]) }),
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
    {
      field: "ids",
      broken(numbers) {
        const { ids, rows } = lookupOf(numbers);
        if (ids.every((id) => id < rows)) return null;
        const expected = expecting("wholes", { count: rangeText(bounds.ids), min: 0, max: rows - 1 });
        return { expected, actual: ids.join() };
      },
      repair(numbers) {
        const { ids, rows } = lookupOf(numbers);
        const inside = ids.filter((id) => id < rows);
        return { ...numbers, ids: inside.length > 0 ? inside : [0] };
      },
    },
  ],
  leaves,
});
