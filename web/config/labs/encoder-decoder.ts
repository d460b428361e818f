/**
 * The settings of the encoder-decoder lab: the translator that is stored with the page, or a model of the training lab. All its numbers follow
 * from the words, so no leaf can be edited.
 */
import { bounds } from "../bounds.js";
import { expecting } from "../expected.js";
import { cellCount, encoderLayerShapes, givenBounds, givenWordsRules } from "../given.js";
import { choice, edits, flag, later, matrix, named, oneOf, whole, wordList, words } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { boundRule, headsProblem, largestDivisorUpTo, shapeRule, type Rule } from "../rule.js";

/** The words the stored translator reads. */
export const sourceWords: readonly string[] =
  /* @__PURE__ */ "the a old small black white cat dog horse sleeps sings sees follows".split(" ");

/** The words of a source, and the decoded words: of the stored translator, and of a given model. */
const lengths = { source: 12, givenSource: 16, givenSteps: 24 };

export const trainedSteps: readonly number[] = [0, 100, 500, 2500];

/** The numbers of all parameters of the stored translator, in rows of d_model. */
export const parametersShape: readonly [number, number] = [288, 8];

/** The token that each target begins with. */
export const BEGIN = "<begin>";

export const givenVocabulary = { min: 2, max: 128 } as const;

export const givenLayers = { min: 1, max: 6 } as const;

/** The heads that stand side by side. */
export const PAIR = 2;
const firstOfPairs = [0, 2, 4, 6];

const kinds = {
  /** The words to translate. */
  tokens: words,
  /** The number of decoded words; of the stored translator at most one more than the words to translate. */
  steps: whole({ min: 1, max: lengths.givenSteps }),
  /** The number of training steps after which the weights of the stored translator were saved; 0: the weights as they were drawn. */
  trained: oneOf(trainedSteps),
  edits,
  /** The numbers of all parameters, one after another in the order of their names: those of a run in the training lab. They replace those of `trained`. With `vocabulary` in one row, else in rows of 8. */
  parameters: later(matrix(parametersShape[0], givenBounds.max)),
  /** The tokens of a given model by their ids; given with `parameters`. Absent, here and below: the stored translator's, which `modelOf` returns. */
  vocabulary: later(wordList(givenVocabulary)),
  dim: later(whole({ min: 1, max: 96 })),
  heads: later(whole({ min: 1, max: 8 })),
  /** The number of layers of the encoder, and of the decoder. */
  layers: later(whole(givenLayers)),
  hidden: named("ff", later(whole({ min: 1, max: 512 }))),
  norm: later(choice(["post", "pre"])),
  /** Whether the model has these parts: residual connections, positional encodings, the factor √dim of embeddings. */
  residual: later(flag),
  positions: later(flag),
  scaleEmbedding: named("scale", later(flag)),
  /** The layer that is shown, from 0. */
  layer: later(whole({ min: 0, max: givenLayers.max - 1 })),
  /** The first of the heads that are shown. */
  head: later(oneOf(firstOfPairs)),
};
export type EncoderDecoderNumbers = NumbersIn<typeof kinds>;

/** The sizes of a given model, and what of it is shown. */
const ofGiven = [
  "dim",
  "heads",
  "layers",
  "hidden",
  "norm",
  "residual",
  "positions",
  "scaleEmbedding",
  "layer",
  "head",
] as const;
export type Model = { [K in (typeof ofGiven)[number]]: NonNullable<EncoderDecoderNumbers[K]> };

/** The sizes of the model, and the layer and the head that are shown. Those of the stored translator never change. */
export const modelOf = ({
  dim = 8,
  heads = 2,
  layers = 1,
  hidden = 32,
  norm = "post",
  residual = true,
  positions = true,
  scaleEmbedding = true,
  layer = 0,
  head = 0,
}: Partial<Model>): Model => {
  const sizes = { dim, heads, layers, hidden, norm };
  return { ...sizes, residual, positions, scaleEmbedding, layer, head };
};

/** The name of a layer of the encoder or of the decoder, counted from 0; the first has the name of its part. */
export const layerName = (part: "encoder" | "decoder", layer: number): string =>
  layer === 0 ? part : `${part}.layers.${layer}`;

/** The number of parameters of a given model: embeddings, the layers of the encoder and of the decoder, and their last norms. */
export function parameterCount(numbers: Pick<EncoderDecoderNumbers, "vocabulary"> & Partial<Model>): number {
  const { dim, layers, hidden } = modelOf(numbers);
  const encoderLayer = cellCount(encoderLayerShapes(dim, hidden));
  // A layer of the decoder has one more attention, with its norm.
  const decoderLayer = encoderLayer + 4 * dim * dim + 6 * dim;
  return numbers.vocabulary!.length * dim + layers * (encoderLayer + decoderLayer) + 4 * dim;
}

/** The words that can be read: all but special tokens. */
export const readableWords = ({ vocabulary }: Pick<EncoderDecoderNumbers, "vocabulary">): readonly string[] =>
  vocabulary?.filter((word) => !/^<.+>$/.test(word)) ?? sourceWords;

export const sourceLength = ({ vocabulary }: Pick<EncoderDecoderNumbers, "vocabulary">) => ({
  min: 1,
  max: vocabulary ? lengths.givenSource : lengths.source,
});

export const stepsRange = ({ tokens, vocabulary }: Pick<EncoderDecoderNumbers, "tokens" | "vocabulary">) => ({
  min: 1,
  max: vocabulary ? lengths.givenSteps : tokens.length + 1,
});

/** The words that can be read, as many as can be; if there are none, `others`. */
function readableAmong(numbers: EncoderDecoderNumbers, others: readonly string[]): string[] {
  const readable = readableWords(numbers);
  const known = (all: readonly string[]) =>
    all.filter((word) => readable.includes(word)).slice(0, sourceLength(numbers).max);
  return [known(numbers.tokens), known(others), readable.slice(0, 1)].find((list) => list.length > 0)!;
}

/** Numbers with the stored translator in place of a given model. It may not know the words. */
export function withStoredTranslator(numbers: EncoderDecoderNumbers): EncoderDecoderNumbers {
  const { parameters: _parameters, vocabulary: _vocabulary, ...others } = numbers;
  for (const name of ofGiven) delete others[name];
  return others;
}

/** Rule: a setting of a given model is given with its vocabulary. */
const givenRule = (field: (typeof ofGiven)[number]): Rule<EncoderDecoderNumbers> => ({
  field,
  broken: ({ vocabulary, [field]: value }) =>
    vocabulary || value === undefined
      ? null
      : { expected: expecting("beside", { field: "vocabulary" }), actual: String(value) },
  repair: ({ [field]: _alone, ...numbers }) => numbers as EncoderDecoderNumbers,
});

/** The first heads of the pairs that the model has. */
export const pairsOf = (numbers: EncoderDecoderNumbers): number[] =>
  firstOfPairs.filter((first) => first < modelOf(numbers).heads);

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
    ...givenWordsRules<"vocabulary", EncoderDecoderNumbers>(
      "vocabulary",
      givenVocabulary,
      withStoredTranslator,
    ),
    {
      field: "vocabulary",
      broken: ({ vocabulary }) =>
        !vocabulary || (vocabulary.includes(BEGIN) && readableWords({ vocabulary }).length > 0)
          ? null
          : { expected: expecting("just", { value: `${BEGIN}, a, …` }), actual: vocabulary.join() },
      repair: withStoredTranslator,
    },
    ...ofGiven.map(givenRule),
    {
      field: "heads",
      broken: (numbers) => headsProblem(modelOf(numbers)),
      repair(numbers) {
        const { dim, heads } = modelOf(numbers);
        return { ...numbers, heads: largestDivisorUpTo(dim, heads) };
      },
    },
    boundRule<EncoderDecoderNumbers>("layer", (numbers) => ({ min: 0, max: modelOf(numbers).layers - 1 })),
    {
      field: "head",
      broken(numbers) {
        const { head } = modelOf(numbers);
        const pairs = pairsOf(numbers);
        if (pairs.includes(head)) return null;
        return { expected: expecting("choice", { options: pairs.join(", ") }), actual: String(head) };
      },
      repair: (numbers) => ({ ...numbers, head: pairsOf(numbers).at(-1)! }),
    },
    {
      ...shapeRule<EncoderDecoderNumbers, "parameters">("parameters", (numbers) =>
        numbers.vocabulary ? [1, parameterCount(numbers)] : [...parametersShape],
      ),
      repair: withStoredTranslator,
    },
    {
      field: "tokens",
      broken(numbers) {
        const { tokens } = numbers;
        const { min, max } = sourceLength(numbers);
        if (tokens.length < min || tokens.length > max)
          return {
            expected: expecting("words", { min, max, length: bounds.wordLength.max }),
            actual: String(tokens.length),
          };
        const readable = readableWords(numbers);
        const other = tokens.find((word) => !readable.includes(word));
        return other === undefined
          ? null
          : { expected: expecting("choice", { options: readable.join(", ") }), actual: other };
      },
      repair: (numbers, base) => ({ ...numbers, tokens: readableAmong(numbers, base.tokens) }),
    },
    boundRule<EncoderDecoderNumbers>("steps", stepsRange),
  ],
});
