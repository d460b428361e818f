/** The settings of the attention lab. L = tokens (or rows of x), S = memory (or L). */
import { bounds, choices } from "../bounds.js";
import { choice, edits, flag, later, optionalMatrix, paint, whole, words, named } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { absentMask, paintRules } from "../mask.js";
import { expecting } from "../expected.js";
import { besideRule, noWords, shapeRule } from "../rule.js";

/** The meanings of a 1 (True) in the mask: True = keep, True = masked, or 0 = masked in a mask of numbers. */
const polarities = ["keep", "masked", "zero"] as const;
/** The ways to hide a pair: −∞ or −1e9 replaces its score, or −1e9 is added to it. */
export const fills = ["infinity", "put", "added"] as const;

const kinds = {
  /** The words; they name rows and, with source "words", give each row its vector. */
  tokens: words,
  /** Words whose keys and values are attended to; empty: the words attend to themselves. */
  memory: words,
  dim: whole(bounds.dim),
  keyDim: named("dk", whole(bounds.keyDim)),
  valueDim: named("dv", whole(bounds.valueDim)),
  /** The rows typed in, with source "values": (L, dim). */
  x: optionalMatrix(bounds.words.max, bounds.dim.max),
  source: choice(["words", "values"]),
  seed: whole(bounds.seed),
  /** How W_Q, W_K, W_V are drawn, in this order: randn / sqrt(dim), or randint(3) as document 002 draws. */
  draw: choice(["scaled", "randint"]),
  /** Weights typed in instead of drawn. */
  wq: optionalMatrix(bounds.dim.max, bounds.keyDim.max),
  wk: optionalMatrix(bounds.dim.max, bounds.keyDim.max),
  wv: optionalMatrix(bounds.dim.max, bounds.valueDim.max),
  /** Divide the scores by sqrt(keyDim). */
  scale: flag,
  /** (L, S), true = may be attended; kept while another mask is chosen. */
  paint,
  /** The rule for the keys that a query may see. "painted" reads `paint`. */
  mask: choice(choices.mask),
  edits,
  /** The score of a query and a key: their dot product, also if absent, or v · tanh(q + k), which is never divided. */
  score: later(choice(["dot", "additive"])),
  /** The meaning of a 1 in the mask. Absent, here and in the next two: the value that `maskingOf` returns. */
  polarity: later(choice(polarities)),
  fill: later(choice(fills)),
  /** The number of keys at the end that are padding, which no query may see. */
  padding: later(whole(bounds.words)),
  /** Subtract the largest score of a row before its exponentials are taken; absent: the value that `isStable` returns. */
  stable: later(flag),
};
export type AttentionNumbers = NumbersIn<typeof kinds>;
type N = AttentionNumbers;

/** The settings that hide pairs of words. */
export interface Masking {
  polarity: (typeof polarities)[number];
  fill: (typeof fills)[number];
  padding: number;
}

/** Whether a small network compares the words instead of a dot product. */
export const isAdditive = ({ score }: Pick<N, "score">): boolean => score === "additive";

/** How pairs are hidden. The defaults never change, and additive attention always has them. */
export const maskingOf = (numbers: Pick<N, "score" | keyof Masking>): Masking => {
  const { polarity = "keep", fill = "infinity", padding = 0 } = isAdditive(numbers) ? {} : numbers;
  return { polarity, fill, padding };
};

/** Whether softmax subtracts the largest score of a row first. */
export const isStable = (numbers: Pick<N, "score" | "stable">): boolean =>
  isAdditive(numbers) || (numbers.stable ?? true);

/** Whether any pair may be hidden: by the mask, or as padding. */
export const isMasked = (numbers: N): boolean => numbers.mask !== "none" || maskingOf(numbers).padding > 0;

/** Whether the mask is converted before it hides anything: it is written in another way than the core takes it, or keys are padding. */
export function hasConversion(numbers: N): boolean {
  const { polarity, fill, padding } = maskingOf(numbers);
  if (padding > 0) return true;
  return numbers.mask !== "none" && (polarity !== "keep" || fill !== "infinity");
}

/** Whether the small part of the core computes these numbers. */
export const isSmall = (numbers: N): boolean =>
  !isAdditive(numbers) && isStable(numbers) && !hasConversion(numbers);

/** S: the words of the memory, or the sentence's own. */
export const keyCount = ({ memory, tokens }: Pick<N, "memory" | "tokens">): number =>
  memory.length || tokens.length;

const sameRows = (now: N, base: N): boolean =>
  now.dim === base.dim &&
  now.tokens.length === base.tokens.length &&
  now.tokens.every((word, at) => word === base.tokens[at]);

/** The weights of the base, if they still have the right size. */
const sameWidths =
  <K extends "wq" | "wk" | "wv">(weights: K, width: "keyDim" | "valueDim") =>
  (now: N, base: N): N[K] =>
    now.dim === base.dim && now[width] === base[width] ? base[weights] : null;

export const attention = labSettings<N>(kinds, {
  first: "four-words",
  absent: {
    // If the keys of the base are as wide as its words, so are those of the link.
    keyDim: (now, base) => (base.keyDim === base.dim ? Math.min(now.dim, bounds.keyDim.max) : base.keyDim),
    valueDim: (now, base) =>
      base.valueDim === base.dim ? Math.min(now.dim, bounds.valueDim.max) : base.valueDim,
    x: (now, base) => (sameRows(now, base) ? base.x : null),
    source: (now, base) =>
      now.x === base.x && sameRows(now, base) ? base.source : now.x ? "values" : "words",
    draw: (now, base) => (now.source === base.source ? base.draw : "scaled"),
    wq: sameWidths("wq", "keyDim"),
    wk: sameWidths("wk", "keyDim"),
    wv: sameWidths("wv", "valueDim"),
    paint: (now, base) =>
      now.tokens.length === base.tokens.length && now.memory.length === base.memory.length
        ? base.paint
        : null,
    mask: absentMask,
  },
  rules: [
    {
      field: "tokens",
      broken: ({ tokens }) => (tokens.length > 0 ? null : noWords),
      repair: (numbers, { tokens, source, x, dim }) => ({ ...numbers, tokens, source, x, dim }),
    },
    shapeRule("x", ({ tokens, dim }) => [tokens.length, dim]),
    besideRule("source", "values", "x", "words"),
    shapeRule("wq", ({ dim, keyDim }) => [dim, keyDim]),
    shapeRule("wk", ({ dim, keyDim }) => [dim, keyDim]),
    shapeRule("wv", ({ dim, valueDim }) => [dim, valueDim]),
    paintRules<N>((numbers) => [numbers.tokens.length, keyCount(numbers)]),
    {
      field: "padding",
      broken({ padding = 0, ...numbers }) {
        const most = keyCount(numbers);
        if (padding <= most) return null;
        return { expected: expecting("whole", { min: 0, max: most }), actual: String(padding) };
      },
      repair: (numbers) => ({ ...numbers, padding: keyCount(numbers) }),
    },
  ],
  leaves: ({ tokens, memory, dim, keyDim, valueDim, score }) => ({
    X: [tokens.length, dim],
    ...(memory.length > 0 && { M: [memory.length, dim] }),
    W_Q: [dim, keyDim],
    W_K: [dim, keyDim],
    W_V: [dim, valueDim],
    ...(score === "additive" && { v: [keyDim] }),
  }),
  widths: {
    dim: { matrices: ["x"], heights: ({ tokens }) => [tokens.length] },
    keyDim: { matrices: ["wq", "wk"], heights: ({ dim }) => [dim] },
    valueDim: { matrices: ["wv"], heights: ({ dim }) => [dim] },
  },
});
