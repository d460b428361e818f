/** The settings of the multi-head lab. B = batch, L = rows. */
import { bounds, choices } from "../bounds.js";
import { choice, edits, flag, paint, whole, words, named } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { absentMask, paintRules } from "../mask.js";
import { besideRule } from "../rule.js";

const kinds = {
  tokens: words,
  /** "draw": x = randn(batch, length, dim) comes first from the same stream as the weights. */
  source: choice(["words", "draw"]),
  length: whole(bounds.drawLength),
  batch: whole(bounds.batch),
  dim: whole(bounds.dim),
  heads: whole(bounds.heads),
  /** Widths of one head's keys and values. */
  keyDim: named("dk", whole(bounds.keyDim)),
  valueDim: named("dv", whole(bounds.valueDim)),
  seed: whole(bounds.seed),
  /** W_Q, W_K, W_V, W_O in this order: randn / sqrt(dim), or randn as documents 000 and 001 draw. */
  draw: choice(["scaled", "randn"]),
  /** The draws are repeated this many times; the last ones count. */
  run: whole(bounds.run),
  scale: flag,
  paint,
  mask: choice(choices.mask),
  edits,
};
export type MultiHeadNumbers = NumbersIn<typeof kinds>;
type N = MultiHeadNumbers;

/** L. */
export const rowCount = ({ source, tokens, length }: N): number =>
  source === "words" ? tokens.length : length;

/** B: typed words are one sample. */
export const batchCount = ({ source, batch }: N): number => (source === "words" ? 1 : batch);

const sameWords = (now: N, base: N): boolean =>
  now.tokens.length === base.tokens.length && now.tokens.every((word, at) => word === base.tokens[at]);

/** Width of one head when none is given: an even share of dim. 0, which no width is, when there is no such share. */
const share = ({ dim, heads }: N): number =>
  dim % heads === 0 ? Math.min(dim / heads, bounds.keyDim.max) : 0;
/** Given heads that do not share dim evenly, both widths must be written. */
const headWidth = (key: "keyDim" | "valueDim") => (now: N, base: N) =>
  base[key] === share(base) || share(now) === 0 ? share(now) : base[key];

export const multiHead = labSettings<N>(kinds, {
  first: "ten-by-twenty-run-1",
  absent: {
    source: (now, base) => (sameWords(now, base) ? base.source : now.tokens.length > 0 ? "words" : "draw"),
    length: (now, base) =>
      now.source === "draw" || (base.source === "words" && sameWords(now, base))
        ? base.length
        : Math.max(now.tokens.length, 1),
    batch: (now, base) => (now.source === base.source || now.source === "draw" ? base.batch : 1),
    keyDim: headWidth("keyDim"),
    valueDim: headWidth("valueDim"),
    draw: (now, base) =>
      now.source === base.source ? base.draw : now.source === "words" ? "scaled" : "randn",
    run: (now, base) => (now.source === base.source ? base.run : 1),
    paint: (now, base) =>
      now.source === base.source && now.length === base.length && now.tokens.length === base.tokens.length
        ? base.paint
        : null,
    mask: absentMask,
  },
  rules: [
    besideRule("source", "words", "tokens", "draw"),
    paintRules<N>((numbers) => [rowCount(numbers), rowCount(numbers)]),
  ],
  leaves: (numbers) => ({
    // Typed words are rows; drawn ones have a batch axis from the start.
    x:
      numbers.source === "words"
        ? [rowCount(numbers), numbers.dim]
        : [batchCount(numbers), rowCount(numbers), numbers.dim],
    W_Q: [numbers.dim, numbers.heads * numbers.keyDim],
    W_K: [numbers.dim, numbers.heads * numbers.keyDim],
    W_V: [numbers.dim, numbers.heads * numbers.valueDim],
    W_O: [numbers.heads * numbers.valueDim, numbers.dim],
  }),
});
