/** The settings of the BERT lab: two sentences, the words that are hidden in them, and the steps of training or the parameters of a run. */
import * as v from "valibot";
import { bounds } from "../bounds.js";
import * as checks from "../checks.js";
import { expecting, message, rangeText } from "../expected.js";
import * as forms from "../forms.js";
import { cellCount, encoderLayerShapes, givenBounds, givenRules, shapesOfLayers } from "../given.js";
import { choice, edits, later, matrix, named, whole, wordList, type Kind } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import type { Leaves } from "../cells.js";
import { boundRule, headsRule, largestDivisorUpTo } from "../rule.js";

/** The steps of training. */
export const TRAINING = { min: 0, max: 40 } as const;

export const bertBounds = {
  dim: { min: 1, max: 32 },
  layers: { min: 1, max: 4 },
  layer: { min: 0, max: 3 },
  width: { min: 1, max: 512 },
  /** As many as a phone has columns for. */
  vocabulary: { min: 1, max: 64 },
  /** [CLS], a word and [SEP]; the most are two sentences of 12 words. */
  positions: { min: 3, max: 27 },
} as const;

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
  /** The number of layers. Absent, here and below: the value that `encoderOf` returns. */
  layers: later(whole(bertBounds.layers)),
  /** The layer that is shown, from 0. */
  layer: later(whole(bertBounds.layer)),
  /** Width of the feed-forward network of a layer. */
  width: named("ff", later(whole(bertBounds.width))),
  /** The words of the vocabulary after [CLS], [SEP] and [MASK]; given with `parameters`. Absent: those of the sentences. */
  vocabulary: later(wordList(bertBounds.vocabulary)),
  /** All numbers in one row, in the order of `parameterShapes`: those of a run in the training lab; given with `vocabulary`. Absent: drawn from the seed, and trained. */
  parameters: later(matrix(1, givenBounds.max)),
  /** The rows of the table of positions, and so the most places. Absent: as many as there are places. */
  positions: later(whole(bertBounds.positions)),
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

/** The vocabulary: [CLS], [SEP], [MASK], then each word once, in the order given, or of first occurrence. */
export function bertVocabulary({
  tokens,
  second,
  vocabulary = [...tokens, ...second],
}: Sentences & Pick<BertNumbers, "vocabulary">): string[] {
  return [...new Set<string>([...special, ...vocabulary])];
}

type Sizes = Sentences & Pick<BertNumbers, "dim" | "layers" | "layer" | "width" | "vocabulary" | "positions">;

/** The encoder: its layers, the one that is shown, the width of their networks, and the number of positions. The values for absent fields never change. */
export const encoderOf = ({ dim, layers = 1, layer = 0, width = 2 * dim, ...numbers }: Sizes) => ({
  layers,
  layer,
  width,
  positions: numbers.positions ?? sequenceOf(numbers).length,
});

/** The name of a node of the layer that is shown. */
export const inShownLayer = ({ layer = 0 }: Pick<BertNumbers, "layer">, node: string): string =>
  `layers.${layer}.${node}`;

function leaves(numbers: Sizes): Leaves {
  const { dim } = numbers;
  return {
    "embeddings.word_embeddings.weight": [bertVocabulary(numbers).length, dim],
    "embeddings.position_embeddings.weight": [encoderOf(numbers).positions, dim],
    "embeddings.token_type_embeddings.weight": [2, dim],
  };
}

/** The shapes of all parameters, by the core's names. */
export function parameterShapes(numbers: Sizes): Leaves {
  const { dim } = numbers;
  const { layers, width } = encoderOf(numbers);
  const norm = (name: string): Leaves => ({ [`${name}.weight`]: [dim], [`${name}.bias`]: [dim] });
  return {
    ...leaves(numbers),
    ...norm("embeddings.norm"),
    ...shapesOfLayers(layers, encoderLayerShapes(dim, width), (layer, name) => inShownLayer({ layer }, name)),
    "head.dense.weight": [dim, dim],
    "head.dense.bias": [dim],
    ...norm("head.norm"),
    "head.bias": [bertVocabulary(numbers).length],
  };
}

export const parameterCount = (numbers: Sizes): number => cellCount(parameterShapes(numbers));

/** Numbers whose parameters are drawn and trained, of one layer. Edits were of the given ones. */
export function withDrawnParameters({
  parameters: _given,
  vocabulary: _words,
  positions: _positions,
  layers: _layers,
  layer: _layer,
  width: _width,
  ...numbers
}: BertNumbers): BertNumbers {
  return { ...numbers, edits: [] };
}

/** The first word of a sentence that given parameters have no row for. */
export const unknownWord = ({ tokens, second, vocabulary }: BertNumbers): string | undefined =>
  vocabulary && [...tokens, ...second].find((word) => !vocabulary.includes(word));

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
    ...givenRules<"vocabulary", BertNumbers>(
      "vocabulary",
      bertBounds.vocabulary,
      parameterCount,
      withDrawnParameters,
    ),
    {
      field: "tokens",
      broken(numbers) {
        const unknown = unknownWord(numbers);
        return unknown === undefined
          ? null
          : { expected: expecting("choice", { options: numbers.vocabulary!.join(", ") }), actual: unknown };
      },
      repair(numbers) {
        const { vocabulary = [] } = numbers;
        const known = (words: string[]): string[] => words.filter((word) => vocabulary.includes(word));
        const tokens = known(numbers.tokens);
        return {
          ...numbers,
          tokens: tokens.length > 0 ? tokens : vocabulary.slice(-1),
          second: known(numbers.second),
        };
      },
    },
    {
      field: "tokens",
      broken(numbers) {
        const more = sequenceOf(numbers).length - encoderOf(numbers).positions;
        if (more <= 0) return null;
        const count = numbers.tokens.length + numbers.second.length;
        const range = { min: 1, max: count - more, length: bounds.wordLength.max };
        return { expected: expecting("words", range), actual: String(count) };
      },
      repair: (numbers) => ({
        ...numbers,
        tokens: numbers.tokens.slice(0, encoderOf(numbers).positions - 2),
        second: [],
      }),
    },
    boundRule<BertNumbers>("layer", (numbers) => ({ min: 0, max: encoderOf(numbers).layers - 1 })),
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
