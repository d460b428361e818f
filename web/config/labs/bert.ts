/** The Config of the BERT lab: two sentences, which of their words are hidden, and how long they were learnt. */
import type { Leaves } from "../cells.js";
import { choice, edits, oneOf, whole, wordList } from "../checks.js";
import * as v from "valibot";
import { bounds } from "../bounds.js";
import type { Edit } from "../config.js";
import { field, keptEdits } from "../field.js";
import * as form from "../forms.js";
import { expecting, message, rangeText } from "../expected.js";
import { editsRule } from "../rule.js";
import type { LabConfig } from "./lab-config.js";

/** All that changes a value in the BERT lab. */
export interface BertNumbers {
  tokens: string[];
  /** The second sentence; empty: there is one only. */
  second: string[];
  /** Hidden are the words at `hidden`, or words drawn as BERT draws them. */
  rule: "chosen" | "drawn";
  /** Places in the sequence, from 0 at [CLS], in rising order. */
  hidden: number[];
  dim: number;
  /** They divide dim. */
  heads: number;
  /** After how many steps of training on these sentences. */
  trained: number;
  seed: number;
  edits: Edit[];
}

export const bertBounds = {
  first: { min: 1, max: 12 },
  second: { min: 0, max: 12 },
  /** The last place a word may have, with both sentences at their longest. */
  place: { min: 1, max: 25 },
  dim: { min: 1, max: 32 },
  heads: { min: 1, max: 8 },
} as const;

export const bertChoices = { rule: ["chosen", "drawn"], trained: [0, 5, 10, 20, 40] } as const;

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

function nearestDivisor(dim: number, heads: number): number {
  let divisor = Math.min(dim, heads);
  while (dim % divisor !== 0) divisor -= 1;
  return divisor;
}

export const bert: LabConfig<BertNumbers> = {
  entries: {
    tokens: wordList(bertBounds.first),
    second: wordList(bertBounds.second),
    rule: choice(bertChoices.rule),
    hidden: v.array(
      whole(bertBounds.place),
      message("wholes", { ...bertBounds.place, count: rangeText(bertBounds.place) }),
    ),
    dim: whole(bertBounds.dim),
    heads: whole(bertBounds.heads),
    trained: oneOf(bertChoices.trained),
    seed: whole(bounds.seed),
    edits,
  },
  rules: [
    {
      field: "hidden",
      broken(numbers) {
        const { hidden } = numbers;
        const words = wordPlaces(numbers);
        if (hidden.length > 0 && isRising(hidden) && hidden.every((place) => words.includes(place)))
          return null;
        return {
          expected: expecting("rising", { places: words.join(", ") }),
          actual: hidden.join(),
        };
      },
      repair: (numbers) => ({ ...numbers, hidden: hiddenAmong(numbers, numbers.hidden) }),
    },
    {
      field: "heads",
      broken: ({ dim, heads }) =>
        dim % heads === 0 ? null : { expected: expecting("divisor", { of: dim }), actual: String(heads) },
      repair: (numbers) => ({ ...numbers, heads: nearestDivisor(numbers.dim, numbers.heads) }),
    },
    editsRule(leaves),
  ],
  fields: [
    field("tokens", "tokens", form.wordList(bertBounds.first.max)),
    field("second", "second", form.wordList(bertBounds.second.max)),
    field("rule", "rule", form.choice(bertChoices.rule)),
    field("hidden", "hidden", form.wholes(bertBounds.place, bertBounds.place.max), (now, base) =>
      hiddenAmong(now, base.hidden),
    ),
    field("dim", "dim", form.whole(bertBounds.dim)),
    field("heads", "heads", form.whole(bertBounds.heads), (now, base) => nearestDivisor(now.dim, base.heads)),
    field("trained", "trained", form.choice(bertChoices.trained)),
    field("seed", "seed", form.whole(bounds.seed)),
    field("edits", "edit", form.edits, keptEdits(leaves)),
  ],
  leaves,
};
