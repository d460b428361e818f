/** The settings of the multi-head lab. B = batch, L = rows. */
import { bounds, choices } from "../bounds.js";
import { expecting } from "../expected.js";
import {
  choice,
  decimal,
  edits,
  flag,
  later,
  matrix,
  paint,
  whole,
  wholes,
  wordList,
  words,
  named,
} from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { absentMask, paintRules } from "../mask.js";
import { besideRule, shapeRule, sizes, type Rule } from "../rule.js";

export const multiHeadBounds = { dropout: { min: 0, max: 0.9 } } as const;

/** Typed weights: no more columns than a link holds. */
const weights = later(matrix(bounds.dim.max, bounds.dim.max));

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
  /** The number of times that all draws are made. The last ones are used. */
  run: whole(bounds.run),
  scale: flag,
  paint,
  mask: choice(choices.mask),
  edits,
  /** Whether the joined heads go through W_O; absent: they do. */
  output: later(flag),
  /** Whether the projections have biases: b_Q, b_K, b_V, b_O, drawn in this order after the weights; absent: they have none. */
  biases: later(flag),
  /** Words whose keys and values are attended to, with source "words"; absent: the words attend to themselves. */
  memory: later(wordList({ ...bounds.words, min: 1 })),
  /** The rows typed in, with source "words": (L, dim). */
  x: later(matrix(bounds.words.max, bounds.dim.max)),
  /** Weights typed in instead of drawn. `wo` is kept while there is no W_O. */
  wq: weights,
  wk: weights,
  wv: weights,
  wo: weights,
  /** p of the dropout of the weights, while training; absent: none. */
  dropout: later(decimal(multiHeadBounds.dropout)),
  /** The number of keys of each sample that are real words. The others are padding, to which no query may attend. Absent: all are real. */
  lengths: later(wholes(bounds.drawLength, bounds.batch)),
};
export type MultiHeadNumbers = NumbersIn<typeof kinds>;
type N = MultiHeadNumbers;

/** L. */
export const rowCount = ({ source, tokens, length }: N): number =>
  source === "words" ? tokens.length : length;

/** B: typed words are one sample. */
export const batchCount = ({ source, batch }: N): number => (source === "words" ? 1 : batch);

/** S: the words of the memory, or the sentence's own. */
export const keyCount = (numbers: N): number => numbers.memory?.length ?? rowCount(numbers);

export const hasProjection = ({ output = true }: Pick<N, "output">): boolean => output;

export const hasBiases = ({ biases = false }: Pick<N, "biases">): boolean => biases;

/** p; 0: no dropout. */
export const dropoutOf = ({ dropout = 0 }: Pick<N, "dropout">): number => dropout;

/** The number of keys of a sample that are real words. */
export const realKeyCount = (numbers: N, sample: number): number =>
  numbers.lengths?.[sample] ?? keyCount(numbers);

/** Shapes of the weights, by field. */
const shapes = {
  wq: ({ dim, heads, keyDim }: N): [number, number] => [dim, heads * keyDim],
  wk: ({ dim, heads, keyDim }: N): [number, number] => [dim, heads * keyDim],
  wv: ({ dim, heads, valueDim }: N): [number, number] => [dim, heads * valueDim],
  wo: ({ dim, heads, valueDim }: N): [number, number] => [heads * valueDim, dim],
} as const;

/** The weights of the base, if they still have the right size. */
const keptWeights = (field: keyof typeof shapes) => (now: N, base: N) =>
  shapes[field](now).join() === shapes[field](base).join() ? base[field] : undefined;

/** A field that only typed words can have. */
const ofWords = <K extends "memory" | "x">(
  field: K,
  text: (value: NonNullable<N[K]>) => string,
): Rule<N> => ({
  field,
  broken({ source, [field]: value }) {
    if (source === "words" || value === undefined) return null;
    return { expected: expecting("just", { value: "none" }), actual: text(value as NonNullable<N[K]>) };
  },
  repair: (numbers) => ({ ...numbers, [field]: undefined }),
});

const lengthsRule: Rule<N> = {
  field: "lengths",
  broken(numbers) {
    const { lengths } = numbers;
    const [count, max] = [batchCount(numbers), keyCount(numbers)];
    if (!lengths || (lengths.length === count && lengths.every((length) => length <= max))) return null;
    return { expected: expecting("wholes", { min: 1, max, count }), actual: lengths.join() };
  },
  repair: (numbers) => ({
    ...numbers,
    lengths: Array.from({ length: batchCount(numbers) }, (_, sample) =>
      Math.min(realKeyCount(numbers, sample), keyCount(numbers)),
    ),
  }),
};

const sameWords = (now: N, base: N): boolean =>
  now.tokens.length === base.tokens.length && now.tokens.every((word, at) => word === base.tokens[at]);

/** The width of one head if none is given: an even share of dim; 0, which is no valid width, if dim has none. */
const share = ({ dim, heads }: N): number =>
  dim % heads === 0 ? Math.min(dim / heads, bounds.keyDim.max) : 0;
/** Both widths must be given if the heads do not share dim evenly. */
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
    memory: (now, base) => (now.source === "words" ? base.memory : undefined),
    x: (now, base) =>
      now.source === "words" && now.dim === base.dim && sameWords(now, base) ? base.x : undefined,
    wq: keptWeights("wq"),
    wk: keptWeights("wk"),
    wv: keptWeights("wv"),
    wo: keptWeights("wo"),
    lengths: (now, base) =>
      batchCount(now) === batchCount(base) && keyCount(now) === keyCount(base) ? base.lengths : undefined,
  },
  rules: [
    besideRule("source", "words", "tokens", "draw"),
    ofWords("memory", (memory) => memory.join(" ")),
    ofWords("x", sizes),
    shapeRule("x", ({ tokens, dim }) => [tokens.length, dim], true),
    shapeRule("wq", shapes.wq, true),
    shapeRule("wk", shapes.wk, true),
    shapeRule("wv", shapes.wv, true),
    shapeRule("wo", shapes.wo, true),
    lengthsRule,
    paintRules<N>((numbers) => [rowCount(numbers), keyCount(numbers)]),
  ],
  leaves: (numbers) => ({
    // Typed words are rows; drawn ones have a batch axis from the start.
    x:
      numbers.source === "words"
        ? [rowCount(numbers), numbers.dim]
        : [batchCount(numbers), rowCount(numbers), numbers.dim],
    ...(numbers.memory && { M: [numbers.memory.length, numbers.dim] }),
    W_Q: shapes.wq(numbers),
    W_K: shapes.wk(numbers),
    W_V: shapes.wv(numbers),
    ...(hasProjection(numbers) && { W_O: shapes.wo(numbers) }),
    ...(hasBiases(numbers) && {
      b_Q: [numbers.heads * numbers.keyDim],
      b_K: [numbers.heads * numbers.keyDim],
      b_V: [numbers.heads * numbers.valueDim],
      ...(hasProjection(numbers) && { b_O: [numbers.dim] }),
    }),
  }),
  widths: { dim: { matrices: ["x"], heights: ({ tokens }) => [tokens.length] } },
});
