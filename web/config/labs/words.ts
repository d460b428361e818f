/** The Config of the words lab: words as one-hot rows and counts, as rows of a table that are near or far, and vectors learned from a text. */
import * as v from "valibot";
import type { Range } from "../bounds.js";
import type { Leaves } from "../cells.js";
import { choice, decimal, edits, matrix, whole, wholes, wordList } from "../checks.js";
import type { Edit, Matrix } from "../config.js";
import { field, keptEdits } from "../field.js";
import * as form from "../forms.js";
import { expecting, rangeText, shapeText } from "../expected.js";
import { editsRule, sizes, type Rule } from "../rule.js";
import type { LabConfig } from "./lab-config.js";

export const topics = ["count", "near", "learn"] as const;
export const methods = ["skipgram", "cbow"] as const;
export const losses = ["softmax", "negative"] as const;

export type Topic = (typeof topics)[number];

/** All that changes a value in the words lab. */
export interface WordsNumbers {
  topic: Topic;
  /** Two sentences whose words are counted. */
  tokens: string[];
  other: string[];
  /** Numbers per word, where they are drawn or learned. */
  dim: number;
  seed: number;
  /** Words with given vectors, (N) and (N, D). */
  names: string[];
  x: Matrix;
  /** The first less the second plus the third, as places in `names`. */
  analogy: number[];
  /** What is learned from; "." ends a sentence, and no word looks across it. */
  text: string[];
  /** Skip-gram: a word predicts its neighbours. CBOW: the neighbours predict the word. */
  method: (typeof methods)[number];
  /** Against all words, or against a few that are drawn. */
  loss: (typeof losses)[number];
  negatives: number;
  /** How far away a neighbour may be. */
  window: number;
  rate: number;
  /** How many steps are made, and after how many the vectors are shown: 0 is before the first. */
  steps: number;
  step: number;
  /** The word of the text that is looked at, counted without full stops. */
  at: number;
  edits: Edit[];
}

const from = (min: number, max: number): Range => ({ min, max });
export const bounds = {
  sentence: from(1, 8),
  dim: from(2, 8),
  seed: from(0, 0xffff_ffff),
  names: from(4, 12),
  text: from(2, 160),
  vocabulary: from(2, 40),
  negatives: from(1, 10),
  window: from(1, 4),
  rate: from(0.001, 1),
  steps: from(1, 200),
  step: from(0, 200),
  at: from(0, 159),
} as const;

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

/** As much of a text as has no more different words than there may be. */
export function withinVocabulary(text: readonly string[]): string[] {
  const known = new Set<string>();
  return text.filter((word) => {
    if (word === STOP || known.has(word)) return true;
    if (known.size === bounds.vocabulary.max) return false;
    known.add(word);
    return true;
  });
}

/** What keeps a text from being learned from. */
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

const placesForm: form.Form<number[]> = {
  plain: (value) => form.matrix.plain([value]),
  read: (text, allowance) => form.matrix.read(text, allowance)[0] ?? [],
};

export const wordsConfig: LabConfig<WordsNumbers> = {
  entries: {
    topic: choice(topics),
    tokens: wordList(bounds.sentence),
    other: wordList(bounds.sentence),
    dim: whole(bounds.dim),
    seed: whole(bounds.seed),
    names: wordList(bounds.names),
    x: v.nonNullable(matrix(bounds.names.max, bounds.dim.max)),
    analogy: wholes(from(0, bounds.names.max - 1), from(3, 3)),
    text: wordList(bounds.text),
    method: choice(methods),
    loss: choice(losses),
    negatives: whole(bounds.negatives),
    window: whole(bounds.window),
    rate: decimal(bounds.rate),
    steps: whole(bounds.steps),
    step: whole(bounds.step),
    at: whole(bounds.at),
    edits,
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
    {
      field: "step",
      broken: ({ step, steps }) =>
        step <= steps ? null : { expected: expecting("whole", { min: 0, max: steps }), actual: String(step) },
      repair: (numbers) => ({ ...numbers, step: numbers.steps }),
    },
    {
      field: "at",
      broken({ at, text }) {
        const last = textWords(text).length - 1;
        return at <= last
          ? null
          : { expected: expecting("whole", { min: 0, max: last }), actual: String(at) };
      },
      repair: (numbers) => ({ ...numbers, at: 0 }),
    },
    editsRule(leaves),
  ],
  fields: [
    field("topic", "topic", form.choice(topics)),
    field("tokens", "tokens", form.wordList(bounds.sentence.max)),
    field("other", "other", form.wordList(bounds.sentence.max)),
    field("dim", "dim", form.whole(bounds.dim)),
    field("seed", "seed", form.whole(bounds.seed)),
    field("names", "names", form.wordList(bounds.names.max)),
    field("x", "x", form.matrix),
    field("analogy", "analogy", placesForm),
    field("text", "text", form.wordList(bounds.text.max)),
    field("method", "method", form.choice(methods)),
    field("loss", "loss", form.choice(losses)),
    field("negatives", "negatives", form.whole(bounds.negatives)),
    field("window", "window", form.whole(bounds.window)),
    field("rate", "rate", form.decimal(bounds.rate)),
    field("steps", "steps", form.whole(bounds.steps)),
    // Vectors that were learned to the end are learned to the end.
    field("step", "step", form.whole(bounds.step), (now, base) =>
      base.step === base.steps ? now.steps : Math.min(base.step, now.steps),
    ),
    field("at", "at", form.whole(bounds.at), (now, base) =>
      base.at < textWords(now.text).length ? base.at : 0,
    ),
    field("edits", "edit", form.edits, keptEdits(leaves)),
  ],
  leaves,
};
