/** The settings of the BERT lab: two sentences, which of their words are hidden, and how long they were learnt. */
import * as v from "valibot";
import { bounds } from "../bounds.js";
import * as checks from "../checks.js";
import { expecting, message, rangeText } from "../expected.js";
import * as forms from "../forms.js";
import { choice, edits, oneOf, whole, wordList, type Kind } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import type { Leaves } from "../cells.js";
import { headsRule, nearestDivisor } from "../rule.js";

const second = { min: 0, max: 12 };
/** The last place a word may have, with both sentences at their longest. */
const place = { min: 1, max: 25 };
/** Places of words, one at least, which the rules say. */
const places: Kind<number[]> = {
  check: v.array(checks.whole(place), message("wholes", { ...place, count: rangeText(place) })),
  form: forms.wholes(place, place.max),
};

const kinds = {
  tokens: wordList({ min: 1, max: 12 }),
  /** The second sentence; empty: there is one only. */
  second: wordList(second),
  /** Hidden are the words at `hidden`, or words drawn as BERT draws them. */
  rule: choice(["chosen", "drawn"]),
  /** Places in the sequence, from 0 at [CLS], in rising order. */
  hidden: places,
  dim: whole({ min: 1, max: 32 }),
  /** They divide dim. */
  heads: whole({ min: 1, max: 8 }),
  /** After how many steps of training on these sentences. */
  trained: oneOf([0, 5, 10, 20, 40]),
  seed: whole(bounds.seed),
  edits,
};
export type BertNumbers = NumbersIn<typeof kinds>;

export const special = ["[CLS]", "[SEP]", "[MASK]"] as const;
const [CLS, SEP] = special;

type Sentences = Pick<BertNumbers, "tokens" | "second">;

/** What BERT reads before any word is hidden: [CLS] first [SEP], and second [SEP] if there is one. */
export function sequenceOf({ tokens, second }: Sentences): string[] {
  return [CLS, ...tokens, SEP, ...(second.length > 0 ? [...second, SEP] : [])];
}

/** The places of the words in the sequence: all but [CLS] and [SEP]. */
export function wordPlaces({ tokens, second }: Sentences): number[] {
  return [...tokens.map((_, at) => at + 1), ...second.map((_, at) => tokens.length + 2 + at)];
}

/** Which sentence a place belongs to: the first with its [CLS] and [SEP], or the second with its [SEP]. */
export const segmentAt = ({ tokens }: Sentences, place: number): 0 | 1 => (place < tokens.length + 2 ? 0 : 1);

/** The words of the table: [CLS], [SEP], [MASK], then each word once, in the order in which they are first said. */
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

/** The places that are words, in rising order; the first word when none is. */
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
    heads: (now, base) => nearestDivisor(now.dim, base.heads),
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
  ],
  leaves,
});
