/** Parameters that a link gives, where otherwise a seed draws them: the numbers of all tensors in one row, one tensor after the other. */
import { bounds, type Range } from "./bounds.js";
import type { Leaves } from "./cells.js";
import type { Matrix } from "./config.js";
import { expecting } from "./expected.js";
import { shapeRule, sizes, type Rule } from "./rule.js";

/** About as many numbers of 32 bits as the longest link holds. */
export const givenBounds = { min: 1, max: 122_000 } as const;

const countIn = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** The number of cells of all these tensors. */
export const cellCount = (shapes: Leaves): number =>
  Object.values(shapes).reduce((sum, shape) => sum + countIn(shape), 0);

/** The numbers of given parameters by their names. */
export type GivenParameters = ReadonlyMap<string, readonly number[]>;

/** Given parameters as tensors of these shapes; none if they are drawn. */
export function givenParameters(parameters: Matrix | undefined, shapes: () => Leaves): GivenParameters {
  const all = parameters?.[0];
  let start = 0;
  return new Map(
    all &&
      Object.entries(shapes()).map(([name, shape]) => {
        const first = start;
        start += countIn(shape);
        return [name, all.slice(first, start)] as const;
      }),
  );
}

/** The shapes of the parameters of PyTorch's nn.TransformerEncoderLayer, with or without its norms. */
export const encoderLayerShapes = (dim: number, hidden: number, layerNorm = true): Leaves => ({
  "self_attn.in_proj_weight": [3 * dim, dim],
  "self_attn.in_proj_bias": [3 * dim],
  "self_attn.out_proj.weight": [dim, dim],
  "self_attn.out_proj.bias": [dim],
  "linear1.weight": [hidden, dim],
  "linear1.bias": [hidden],
  "linear2.weight": [dim, hidden],
  "linear2.bias": [dim],
  ...(layerNorm && {
    "norm1.weight": [dim],
    "norm1.bias": [dim],
    "norm2.weight": [dim],
    "norm2.bias": [dim],
  }),
});

/** The shapes of the parameters of `count` equal layers, layer by layer; `nameIn` gives the name of a parameter in a layer, counted from 0. */
export const shapesOfLayers = (
  count: number,
  ofLayer: Leaves,
  nameIn: (layer: number, name: string) => string,
): Leaves =>
  Object.fromEntries(
    Array.from({ length: count }, (_, layer) =>
      Object.entries(ofLayer).map(([name, shape]) => [nameIn(layer, name), shape] as const),
    ).flat(),
  );

/** Settings with given parameters, and the words that some of their rows are of. */
type WithGiven<W extends string> = { parameters?: Matrix } & { [K in W]?: string[] };

/** The words, with a number behind those that were there before. */
function madeDistinct(words: readonly string[]): string[] {
  const made = new Set<string>();
  for (const word of words) {
    const start = Array.from(word)
      .slice(0, bounds.wordLength.max - 4)
      .join("");
    let one = word;
    for (let n = 2; made.has(one); n++) one = `${start.trimEnd()} ${n}`;
    made.add(one);
  }
  return [...made];
}

/**
 * Rules: words that rows of the parameters are of are given with parameters, and no two of them are alike. Repair: words become different, else
 * the parameters are drawn.
 */
/* @__NO_SIDE_EFFECTS__ */
export function givenWordsRules<W extends string, N extends WithGiven<W>>(
  names: W & keyof N & string,
  range: Range,
  withDrawn: (numbers: N) => N,
): Rule<N>[] {
  const wordsOf = (numbers: N): string[] | undefined => numbers[names];
  return [
    {
      field: names,
      broken(numbers) {
        const words = wordsOf(numbers);
        return !words || new Set(words).size === words.length
          ? null
          : { expected: expecting("different", { ...range }), actual: words.join() };
      },
      repair: (numbers) => ({ ...numbers, [names]: madeDistinct(wordsOf(numbers)!) }),
    },
    {
      field: names,
      broken(numbers) {
        const words = wordsOf(numbers);
        return !words || numbers.parameters
          ? null
          : { expected: expecting("beside", { field: "parameters" }), actual: words.join() };
      },
      repair: withDrawn,
    },
  ];
}

/** These rules, and: parameters are given with such words, and are as many numbers as the shapes ask for. */
/* @__NO_SIDE_EFFECTS__ */
export function givenRules<W extends string, N extends WithGiven<W>>(
  names: W & keyof N & string,
  range: Range,
  count: (numbers: N) => number,
  withDrawn: (numbers: N) => N,
): Rule<N>[] {
  return [
    ...givenWordsRules(names, range, withDrawn),
    {
      field: "parameters",
      broken: (numbers) =>
        !numbers.parameters || numbers[names]
          ? null
          : { expected: expecting("beside", { field: names }), actual: sizes(numbers.parameters) },
      repair: withDrawn,
    },
    {
      ...shapeRule<N, "parameters">("parameters", (numbers) => [1, count(numbers)]),
      repair: withDrawn,
    },
  ];
}
