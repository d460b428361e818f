/** The settings of the block lab: one layer on words or several, layer norm alone on a row of numbers, or the curves of the activation functions. */
import { bounds } from "../bounds.js";
import type { Leaves } from "../cells.js";
import { expecting } from "../expected.js";
import { cellCount, encoderLayerShapes, givenBounds, givenRules, shapesOfLayers } from "../given.js";
import {
  choice,
  decimal,
  edits,
  flag,
  later,
  matrix,
  named,
  optionalMatrix,
  whole,
  wordList,
  words,
} from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { besideRule, boundRule, headsRule, largestDivisorUpTo, noWords, sizes } from "../rule.js";

export const blockBounds = {
  dropout: { min: 0, max: 0.9 },
  row: { min: 1, max: 64 },
  layers: { min: 1, max: 6 },
  layer: { min: 0, max: 5 },
  vocabulary: { min: 1, max: 320 },
  positions: { min: 0, max: 128 },
} as const;

const kinds = {
  /** The row (1, n) of layer norm alone. */
  x: optionalMatrix(1, blockBounds.row.max),
  /** The row (1, n) that a text gives as its normalisation. */
  claim: optionalMatrix(1, blockBounds.row.max),
  /** The whole block, layer norm alone, or ReLU, GELU and softmax as curves. */
  part: choice(["block", "norm", "curves"]),
  tokens: words,
  dim: whole(bounds.dim),
  /** A divisor of dim. */
  heads: whole(bounds.heads),
  /** Width of the feed-forward network between its two products: d_ff. */
  hidden: named("ff", whole({ min: 1, max: 1024 })),
  activation: choice(["relu", "gelu"]),
  /** The place of layer norm: after each sum (post), or before each sub-layer (pre). */
  norm: choice(["post", "pre"]),
  /** Layer norm divides its squared deviations by n - 1 instead of n. */
  unbiased: flag,
  /** The p of dropout in training; 0 for none, as in evaluation. */
  dropout: decimal(blockBounds.dropout),
  seed: whole(bounds.seed),
  edits,
  /** Whether each sub-layer's output is added to its input. Absent, here and below: the value that `stackOf` returns. */
  residual: later(flag),
  /** Whether the layers have layer norms. */
  layerNorm: named("ln", later(flag)),
  /** The number of layers, each with parameters of its own. */
  layers: later(whole(blockBounds.layers)),
  /** The layer that is shown in full, from 0. */
  layer: later(whole(blockBounds.layer)),
  /** Word embeddings are multiplied by sqrt(dim) before the positions are added. */
  scaleEmbedding: named("scale", later(flag)),
  /** The words that the rows of E in `parameters` are of, in their order; given with `parameters`. Absent: those of the tokens. */
  vocabulary: later(wordList(blockBounds.vocabulary)),
  /** All numbers of E, of P and of the layers in one row, in the order of `parameterShapes`: those of a run in the training lab; given with `vocabulary`. Absent: drawn from the seed. */
  parameters: later(matrix(1, givenBounds.max)),
  /** Whether each word looks only at itself and at those before it, as in a decoder without an encoder. Absent: the value that `stackOf` returns. */
  causal: later(flag),
  /** The number of learned positions, the rows P of `parameters`; 0: words without positions. Absent: the sines and cosines of the paper. */
  positions: later(whole(blockBounds.positions)),
};
export type BlockNumbers = NumbersIn<typeof kinds>;

/** The settings of the layers. */
export interface Stack {
  residual: boolean;
  layerNorm: boolean;
  layers: number;
  layer: number;
  scaleEmbedding: boolean;
  causal: boolean;
}

/** The settings of the layers. Those absent from a link get their defaults, which never change: one layer with residual connections and norms. */
export const stackOf = ({
  residual = true,
  layerNorm = true,
  layers = 1,
  layer = 0,
  scaleEmbedding = true,
  causal = false,
}: Partial<Stack>): Stack => ({ residual, layerNorm, layers, layer, scaleEmbedding, causal });

/** What is added to the words. */
export function positionsOf({ positions }: Pick<BlockNumbers, "positions">): "sines" | "none" | "learned" {
  if (positions === undefined) return "sines";
  return positions === 0 ? "none" : "learned";
}

/** Whether there is a single layer, as in the encoder of the paper. */
export function isPlain(numbers: Partial<Stack> & Pick<BlockNumbers, "positions">): boolean {
  const { residual, layerNorm, layers, scaleEmbedding, causal } = stackOf(numbers);
  const isWhole = residual && layerNorm && scaleEmbedding;
  return isWhole && !causal && layers === 1 && positionsOf(numbers) === "sines";
}

/** The name that a node of the first layer has in layer `layer`, counted from 0 as PyTorch counts; the first has no prefix. */
export const inLayer = (layer: number, node: string): string =>
  layer === 0 ? node : `layers.${layer}.${node}`;

/** The layer of a node, and the name that it has in a first layer. */
export function layerAndName(node: string): { layer: string; own: string } {
  const [, layer = "0", own = ""] = /^(?:layers\.(\d+)\.)?(.+)$/.exec(node) ?? [];
  return { layer, own };
}

/** The words of the table, each once: those given, or those of the tokens in the order in which they first appear. */
export const vocabularyOf = ({ tokens, vocabulary }: Pick<BlockNumbers, "tokens" | "vocabulary">): string[] =>
  vocabulary ?? [...new Set(tokens)];

/** What the sizes of the parameters follow from. */
type Sizes = Pick<BlockNumbers, "tokens" | "vocabulary" | "dim" | "hidden" | "positions"> & Partial<Stack>;

/** The shape of E, of P where positions are learned, and of the parameters of each layer, by PyTorch's names. */
export function parameterShapes(numbers: Sizes): Leaves {
  const { dim, hidden, positions = 0 } = numbers;
  const { layers, layerNorm } = stackOf(numbers);
  return {
    E: [vocabularyOf(numbers).length, dim],
    ...(positions > 0 && { P: [positions, dim] }),
    ...shapesOfLayers(layers, encoderLayerShapes(dim, hidden, layerNorm), inLayer),
  };
}

/** The number of parameters of E, of P and of all layers. */
export const parameterCount = (numbers: Sizes): number => cellCount(parameterShapes(numbers));

function leaves(numbers: BlockNumbers): Leaves {
  const { part, x } = numbers;
  if (part === "curves") return { start: [3, 1] };
  if (part === "norm") {
    const width = x?.[0]?.length ?? 0;
    return { x: [1, width], ...(numbers.claim && { claim: [1, width] }) };
  }
  return parameterShapes(numbers);
}

/** Numbers whose parameters are drawn, for words of any vocabulary. Edits were of the given ones, and drawn positions are not learned. */
export function withDrawnParameters({
  parameters: _given,
  vocabulary: _words,
  positions,
  ...numbers
}: BlockNumbers): BlockNumbers {
  return { ...numbers, ...(positions === 0 && { positions }), edits: [] };
}

export const block = labSettings<BlockNumbers>(kinds, {
  first: "one-block",
  absent: {
    claim: (now, base) => (now.x === base.x ? base.claim : null),
    // A link with a row of its own shows layer norm; a link with words shows the block.
    part: (now, base) => (now.x === base.x ? base.part : now.x ? "norm" : "block"),
    heads: (now, base) => largestDivisorUpTo(now.dim, base.heads),
  },
  rules: [
    {
      field: "tokens",
      broken: ({ tokens }) => (tokens.length > 0 ? null : noWords),
      repair: (numbers, { tokens }) => ({ ...numbers, tokens }),
    },
    ...givenRules<"vocabulary", BlockNumbers>(
      "vocabulary",
      blockBounds.vocabulary,
      parameterCount,
      withDrawnParameters,
    ),
    {
      field: "tokens",
      broken({ tokens, vocabulary }) {
        const unknown = vocabulary && tokens.find((token) => !vocabulary.includes(token));
        return unknown === undefined
          ? null
          : { expected: expecting("choice", { options: vocabulary!.join(", ") }), actual: unknown };
      },
      repair(numbers) {
        const { tokens, vocabulary = [] } = numbers;
        const known = tokens.filter((token) => vocabulary.includes(token));
        return { ...numbers, tokens: known.length > 0 ? known : vocabulary.slice(0, 1) };
      },
    },
    {
      field: "positions",
      broken: ({ positions = 0, parameters }) =>
        positions === 0 || parameters
          ? null
          : { expected: expecting("beside", { field: "parameters" }), actual: String(positions) },
      repair: ({ positions: _learned, ...numbers }) => numbers,
    },
    {
      field: "tokens",
      broken({ tokens, positions = 0 }) {
        if (positions === 0 || tokens.length <= positions) return null;
        const expected = expecting("words", { min: 1, max: positions, length: bounds.wordLength.max });
        return { expected, actual: String(tokens.length) };
      },
      repair: (numbers) => ({ ...numbers, tokens: numbers.tokens.slice(0, numbers.positions) }),
    },
    headsRule(),
    {
      field: "claim",
      broken: ({ x, claim }) =>
        !claim || (x && x[0]!.length === claim[0]!.length)
          ? null
          : {
              expected: x ? expecting("shape", { shape: sizes(x) }) : expecting("beside", { field: "x" }),
              actual: sizes(claim),
            },
      repair: (numbers) => ({ ...numbers, claim: null }),
    },
    besideRule("part", "norm", "x", "block"),
    boundRule<BlockNumbers>("layer", (numbers) => ({ min: 0, max: stackOf(numbers).layers - 1 })),
  ],
  leaves,
});
