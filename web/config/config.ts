/** The Config: the one thing a page, a link, an embed and an example are made from. Plain data. */
import type { OptimizersNumbers } from "./labs/optimizers.js";
import type { Expected } from "./expected.js";
import type { WordsNumbers } from "./labs/words.js";

import type { ComplexityNumbers } from "./labs/complexity.js";
import type { EncoderDecoderNumbers } from "./labs/encoder-decoder.js";
import type { BertNumbers } from "./labs/bert.js";
import type { BlockNumbers } from "./labs/block.js";
import type { LossesNumbers } from "./labs/losses.js";
import type { ScalingNumbers } from "./labs/scaling.js";

export type Matrix = number[][];

/** A number of a leaf changed by hand. */
export interface Edit {
  node: string;
  index: number[];
  value: number;
}

/** Which keys a query may see. "painted" reads `paint`. */
export type MaskKind = "none" | "causal" | "painted";

/** All that changes a value in the attention lab. L = tokens (or rows of x), S = memory (or L). */
export interface AttentionNumbers {
  /** The words; they name rows and, with source "words", give each row its vector. */
  tokens: string[];
  /** Words whose keys and values are attended to; empty: the words attend to themselves. */
  memory: string[];
  source: "words" | "values";
  /** The rows typed in, with source "values": (L, dim). */
  x: Matrix | null;
  dim: number;
  keyDim: number;
  valueDim: number;
  seed: number;
  /** How W_Q, W_K, W_V are drawn, in this order: randn / sqrt(dim), or randint(3) as document 002 draws. */
  draw: "scaled" | "randint";
  /** Weights typed in instead of drawn. */
  wq: Matrix | null;
  wk: Matrix | null;
  wv: Matrix | null;
  /** Divide the scores by sqrt(keyDim). */
  scale: boolean;
  mask: MaskKind;
  /** (L, S), true = may be attended; kept while another mask is chosen. */
  paint: boolean[][] | null;
  edits: Edit[];
  /** What compares a query with a key: their dot product, also where absent, or v · tanh(q + k), which nothing divides. */
  score?: "dot" | "additive" | undefined;
}

/** All that changes a value in the multi-head lab. */
export interface MultiHeadNumbers {
  tokens: string[];
  /** "draw": x = randn(batch, length, dim) comes first from the same stream as the weights. */
  source: "words" | "draw";
  length: number;
  batch: number;
  dim: number;
  heads: number;
  /** Widths of one head's keys and values. */
  keyDim: number;
  valueDim: number;
  seed: number;
  /** W_Q, W_K, W_V, W_O in this order: randn / sqrt(dim), or randn as documents 000 and 001 draw. */
  draw: "scaled" | "randn";
  /** The draws are repeated this many times; the last ones count. */
  run: number;
  scale: boolean;
  mask: MaskKind;
  paint: boolean[][] | null;
  edits: Edit[];
}

/** All that changes a value in the positions lab. */
export interface PositionsNumbers {
  /** "none" and "compare" read the last three fields: words whose order changes, without an encoding or with each. */
  encoding: "sinusoidal" | "absolute" | "learned" | "rotary" | "alibi" | "shift" | "none" | "compare";
  length: number;
  /** Positions other than 0 … length - 1. */
  positions: number[] | null;
  dim: number;
  base: number;
  /** k of the shift matrix. */
  offset: number;
  /** Heads of ALiBi. */
  heads: number;
  /** Seed of the learned table and of the vectors that RoPE turns. */
  seed: number;
  /** Word vectors the encoding is added to: (N, dim) or one row for all. */
  x: Matrix | null;
  edits: Edit[];
  /** The words whose order changes; absent, here and below: what `orderOf` in order.ts says. */
  tokens?: string[] | undefined;
  /** The places of the two words that change places. */
  swap?: number[] | undefined;
  /** How many numbers a word has. */
  wordDim?: number | undefined;
}

/** All that changes a value in the ViT lab. */
export interface VitNumbers {
  /** A sample's id, or the reader's own pixels. */
  image: { sample: string } | { pixels: Uint8Array };
  /** Side in pixels. Own pixels: size * size * 3 levels of 0 … 15, row, column, channel. */
  size: number;
  patch: number;
  /** What the patches are compared by: their flat pixels, or their projections. */
  compare: "pixels" | "projection";
  dim: number;
  /** Put a learnable CLS token first and add learnable positions (projection only). */
  cls: boolean;
  seed: number;
  edits: Edit[];
  /** Encoder layers that read the sequence; absent, here and below: what `encoderOf` in encoder.ts says. */
  layers?: number | undefined;
  heads?: number | undefined;
}

export interface NumbersOf {
  attention: AttentionNumbers;
  "multi-head": MultiHeadNumbers;
  positions: PositionsNumbers;
  vit: VitNumbers;
  "encoder-decoder": EncoderDecoderNumbers;
  optimizers: OptimizersNumbers;
  block: BlockNumbers;
  losses: LossesNumbers;
  complexity: ComplexityNumbers;
  scaling: ScalingNumbers;
  bert: BertNumbers;
  words: WordsNumbers;
}
export type LabId = keyof NumbersOf;

/** What is said at one step of a story, and the link of the state that it is said of. */
export interface StoryStep {
  words: string;
  link: string;
}

/** What is looked at; changes no value. */
export interface View<L extends LabId = LabId> {
  lab: L;
  /** The cell the note explains. */
  cell: { node: string; index: number[] } | null;
  pinned: boolean;
  /** One colour scale per family, or each tensor its own. */
  scales: "shared" | "own";
  /** Which sample of the batch is shown. */
  item: number;
  lang: "en" | "zh-CN" | null;
  theme: "light" | "dark" | null;
  /** The numbers that these are compared with; absent, here and below: there is none. */
  before?: NumbersOf[L] | undefined;
  /** The cell whose gradient is shown. */
  gradient?: { node: string; index: number[] } | undefined;
  /** The numbers themselves are shown, where a comparison or a gradient could be. */
  read?: "numbers" | undefined;
  /** The stop at which Play stands, by its id: what is made later is not drawn yet. */
  stop?: string | undefined;
  /** What is unfolded of the note: all its terms, and on a phone the note itself. */
  unfolded?: ("terms" | "note")[] | undefined;
  /** What of the lab is on the stage, as its scene names it, where the cell alone would bring another. */
  picture?: string | undefined;
  /** The part of the lesson that is read, and after a comma the paragraph, from 0. */
  lesson?: string | undefined;
  /** The story that is told. */
  story?: StoryStep[] | undefined;
  /** The step of the story that the reader has come to, from 0; absent: the first. */
  reached?: number | undefined;
}

export interface ConfigOf<L extends LabId> {
  version: 1;
  /** The example this came from, when nothing in `numbers` was changed since. */
  example: string | null;
  numbers: NumbersOf[L];
  view: View<L>;
}
export type Config = { [L in LabId]: ConfigOf<L> }[LabId];

/** Something the reader should know about what was read: never silent, never an exception. */
export interface ConfigNotice {
  kind: "cut" | "edited" | "newer" | "field" | "unknown-field" | "too-large" | "unreadable" | "unseen";
  field?: string;
  given?: string;
  used?: string;
  /** What a field may hold, and what came instead where the value does not show it. */
  expected?: Expected;
  actual?: string;
}
