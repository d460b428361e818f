/** The settings of the BERT lab: two sentences, the words that are hidden in them, and the steps of training. */
import * as v from "valibot";
import { bounds } from "../bounds.js";
import * as checks from "../checks.js";
import { expecting, message, rangeText } from "../expected.js";
import * as forms from "../forms.js";
import { choice, edits, later, whole, wordList, type Kind } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import type { Leaves } from "../cells.js";
import { headsRule, largestDivisorUpTo } from "../rule.js";

/** The steps of training. */
export const TRAINING = { min: 0, max: 40 } as const;

export const bertBounds = { dim: { min: 1, max: 32 } } as const;

const second = { min: 0, max: 12 };
/** The last place that a word can have if both sentences are as long as possible. */
const place = { min: 1, max: 25 };
/** Places of words; the rules ask for at least one. */
const places: Kind<number[]> = {
  check: v.array(checks.whole(place), message("wholes", { ...place, count: rangeText(place) })),
  form: forms.wholes(place, place.max),
};

const kinds = {
  tokens: wordList({ min: 1, max: 12 }),
  /** The second sentence; empty if there is only one. */
  second: wordList(second),
  /** "chosen" hides the words at `hidden`; "drawn" draws the hidden words as BERT's training does. */
  rule: choice(["chosen", "drawn"]),
  /** Places in the sequence, from 0 at [CLS], in rising order. */
  hidden: places,
  dim: whole(bertBounds.dim),
  /** The heads divide dim. */
  heads: whole({ min: 1, max: 8 }),
  /** The number of training steps on these sentences. */
  trained: whole(TRAINING),
  seed: whole(bounds.seed),
  edits,
  /** The head, counted from 0, whose weights are drawn as arcs. Absent: the one that `arcHead` returns. */
  head: later(whole({ min: 0, max: 7 })),
};
export type BertNumbers = NumbersIn<typeof kinds>;

/** The head whose weights are drawn as arcs. The value for an absent field never changes. */
export const arcHead = ({ head = 0 }: Pick<BertNumbers, "head">): number => head;

export const special = ["[CLS]", "[SEP]", "[MASK]"] as const;
const [CLS, SEP] = special;

type Sentences = Pick<BertNumbers, "tokens" | "second">;

/** The sequence before any word is hidden: [CLS] first [SEP], and second [SEP] if there is a second sentence. */
export function sequenceOf({ tokens, second }: Sentences): string[] {
  return [CLS, ...tokens, SEP, ...(second.length > 0 ? [...second, SEP] : [])];
}

/** The places of the words in the sequence: all but [CLS] and [SEP]. */
export function wordPlaces({ tokens, second }: Sentences): number[] {
  return [...tokens.map((_, at) => at + 1), ...second.map((_, at) => tokens.length + 2 + at)];
}

/** Which sentence a place belongs to: the first with its [CLS] and [SEP], or the second with its [SEP]. */
export const segmentAt = ({ tokens }: Sentences, place: number): 0 | 1 => (place < tokens.length + 2 ? 0 : 1);

/** The vocabulary: [CLS], [SEP], [MASK], then each word once, in the order of first occurrence. */
export function bertVocabulary({ tokens, second }: Sentences): string[] {
  return [...new Set<string>([...special, ...tokens, ...second])];
}

function leaves(numbers: BertNumbers): Leaves {
  const { dim } = numbers;
  return {
    "embeddings.word_embeddings.weight": [bertVocabulary(numbers).length, dim],
    "embeddings.position_embeddings.weight": [sequenceOf(numbers).length, dim],
    "embeddings.token_type_embeddings.weight": [2, dim],
  };
}

/** Those of the given places that are words, in rising order; the first word if there are none. */
function hiddenAmong(numbers: Sentences, wanted: readonly number[]): number[] {
  const words = wordPlaces(numbers);
  const kept = words.filter((place) => wanted.includes(place));
  return kept.length > 0 ? kept : words.slice(0, 1);
}

const isRising = (places: readonly number[]): boolean =>
  places.every((place, at) => at === 0 || place > places[at - 1]!);

export const bert = labSettings<BertNumbers>(kinds, {
  first: "masked-mat",
  absent: {
    hidden: (now, base) => hiddenAmong(now, base.hidden),
    heads: (now, base) => largestDivisorUpTo(now.dim, base.heads),
  },
  rules: [
    {
      field: "hidden",
      broken(numbers) {
        const { hidden } = numbers;
        const places = wordPlaces(numbers);
        if (hidden.length > 0 && isRising(hidden) && hidden.every((place) => places.includes(place)))
          return null;
        return { expected: expecting("rising", { places: places.join(", ") }), actual: hidden.join() };
      },
      repair: (numbers) => ({ ...numbers, hidden: hiddenAmong(numbers, numbers.hidden) }),
    },
    headsRule(),
    {
      field: "head",
      broken: (numbers) =>
        arcHead(numbers) < numbers.heads
          ? null
          : {
              expected: expecting("whole", { min: 0, max: numbers.heads - 1 }),
              actual: String(numbers.head),
            },
      repair: ({ head: _, ...numbers }) => numbers,
    },
  ],
  leaves,
});
