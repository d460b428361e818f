/** The settings of the positions lab. N is the number of positions. */
import { bounds, choices } from "../bounds.js";
import { expecting, shapeText } from "../expected.js";
import * as checks from "../checks.js";
import * as forms from "../forms.js";
import {
  choice,
  decimal,
  edits,
  later,
  optionalMatrix,
  whole,
  wholes,
  words,
  type Kind,
  named,
} from "../kinds.js";
import * as v from "valibot";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { noWords, sizes } from "../rule.js";

const given: Kind<number[] | null> = {
  check: v.nullable(checks.wholes(bounds.position, bounds.length)),
  form: forms.optional(forms.wholes(bounds.position, bounds.length.max)),
};

const kinds = {
  /** "none" and "compare" show words in two orders, without an encoding or with each encoding, and use the last three fields. */
  encoding: choice(choices.encoding),
  length: whole(bounds.length),
  /** The positions, if they are not 0 … length - 1. */
  positions: given,
  dim: whole(bounds.dim),
  base: decimal(bounds.base),
  /** k of the shift matrix M_k. */
  offset: whole(bounds.offset),
  /** Heads of ALiBi. */
  heads: whole(bounds.heads),
  /** The seed of the learned table and of the vectors that RoPE rotates. */
  seed: whole(bounds.seed),
  /** The word vectors that the encoding is added to: (N, dim), or one row for all positions. */
  x: optionalMatrix(bounds.length.max, bounds.dim.max),
  edits,
  /** The words whose order changes. Absent, here and below: the value that `orderOf` returns. */
  tokens: later(words),
  /** The places of the two words that are exchanged. */
  swap: later(wholes({ min: 0, max: bounds.words.max - 1 }, { min: 2, max: 2 })),
  /** The width of a word's vector. */
  wordDim: named("wdim", later(whole(bounds.wordDim))),
};
export type PositionsNumbers = NumbersIn<typeof kinds>;
type N = PositionsNumbers;

/** The number of positions, N. */
export const positionCount = ({ positions, length }: Pick<N, "positions" | "length">): number =>
  positions ? positions.length : length;

/** The words whose order changes. The values for absent fields never change. */
export interface Order {
  tokens: readonly string[];
  /** The width of a word's vector. */
  dim: number;
  /** The two places whose words are exchanged. */
  swap: readonly [number, number];
}

export function orderOf({ tokens = ["the", "dog", "bites", "the", "man"], wordDim = 8, swap }: N): Order {
  const [first = Math.min(1, Math.max(0, tokens.length - 2)), second = tokens.length - 1] = swap ?? [];
  return { tokens, dim: wordDim, swap: [first, second] };
}

/** Whether the lab shows what encodings do to words in two orders. */
export const hasOrder = ({ encoding }: Pick<N, "encoding">): boolean =>
  encoding === "none" || encoding === "compare";

/** The index of the word at each place after the exchange. */
export const swappedOrder = ({ tokens, swap: [first, second] }: Order): number[] =>
  tokens.map((_, place) => (place === first ? second : place === second ? first : place));

export const positions = labSettings<N>(kinds, {
  first: "fifty-positions",
  absent: {
    positions: (now, base) => (now.length === base.length ? base.positions : null),
    x: (now, base) => {
      const sameCount = now.positions === base.positions && now.length === base.length;
      return now.dim === base.dim && (sameCount || base.x?.length === 1) ? base.x : null;
    },
  },
  rules: [
    {
      field: "dim",
      broken: ({ encoding, dim }) =>
        (encoding === "rotary" || encoding === "shift") && dim % 2 === 1
          ? { expected: expecting("even"), actual: String(dim) }
          : null,
      repair: (numbers) => ({ ...numbers, dim: numbers.dim + 1 }),
    },
    {
      field: "x",
      broken(numbers) {
        const count = positionCount(numbers);
        const { x, dim } = numbers;
        if (!x || ((x.length === 1 || x.length === count) && x[0]?.length === dim)) return null;
        return {
          expected: expecting("shape", { shape: `${shapeText([count, dim])} / ${shapeText([1, dim])}` }),
          actual: sizes(x),
        };
      },
      repair: (numbers) => ({ ...numbers, x: null }),
    },
    {
      field: "tokens",
      broken: ({ tokens }) => (!tokens || tokens.length > 0 ? null : noWords),
      repair: (numbers) => ({ ...numbers, tokens: [...orderOf({ ...numbers, tokens: undefined }).tokens] }),
    },
    {
      field: "swap",
      broken(numbers) {
        const count = orderOf(numbers).tokens.length;
        const { swap } = numbers;
        if (!swap || swap.every((place) => place < count)) return null;
        return { expected: expecting("wholes", { count: 2, min: 0, max: count - 1 }), actual: swap.join() };
      },
      repair: (numbers) => ({ ...numbers, swap: [...orderOf({ ...numbers, swap: undefined }).swap] }),
    },
    {
      field: "wordDim",
      broken: (numbers) =>
        numbers.encoding === "compare" && orderOf(numbers).dim % 2 === 1
          ? { expected: expecting("even"), actual: String(orderOf(numbers).dim) }
          : null,
      repair: (numbers) => ({ ...numbers, wordDim: orderOf(numbers).dim + 1 }),
    },
  ],
  leaves(numbers) {
    const { encoding, x, dim } = numbers;
    if (hasOrder(numbers)) return { X: [orderOf(numbers).tokens.length, orderOf(numbers).dim] };
    // ALiBi and the shift matrix use no word vectors.
    return {
      ...(encoding !== "alibi" && encoding !== "shift" && x && { X: [x.length, dim] }),
      ...(encoding === "rotary" && !x && { X: [positionCount(numbers), dim] }),
      ...(encoding === "learned" && { PE: [positionCount(numbers), dim] }),
    };
  },
  widths: { dim: { matrices: ["x"], heights: (now) => [positionCount(now), 1] } },
});
