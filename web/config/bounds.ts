/** The bounds of the fields that several labs share, of what is looked at, and of the work that reading a link may take. */

export interface Range {
  readonly min: number;
  readonly max: number;
}
const from = (min: number, max: number): Range => ({ min, max });

export const bounds = {
  words: from(0, 64),
  /** Characters (code points) of one word. */
  wordLength: from(1, 40),
  dim: from(1, 512),
  heads: from(1, 16),
  /** Widths of one head's keys and values. */
  keyDim: from(1, 128),
  valueDim: from(1, 128),
  seed: from(0, 4294967295),
  /** Rows of the multi-head lab's draws. */
  drawLength: from(1, 64),
  batch: from(1, 16),
  run: from(1, 16),
  /** Positions in the positions lab. */
  length: from(1, 512),
  position: from(0, 1_000_000),
  wordDim: from(2, 64),
  /** Encoder layers of the ViT lab, and their heads. */
  vitLayers: from(0, 4),
  vitHeads: from(1, 8),
  base: from(1, 1e9),
  offset: from(-512, 512),
  edits: from(0, 4096),
  /** Axes of a tensor, and places on one axis. */
  axes: from(0, 4),
  place: from(0, 4095),
  /** Characters in the name of a stop, an arrangement or a paragraph. */
  name: from(1, 64),
  /** Steps of a story, and the characters in a step's text and in its link. */
  storySteps: from(1, 24),
  storyWords: from(0, 600),
  storyLink: from(1, 16_384),
} as const;

/** The steps that a reader of a story may have reached, from 0. */
export const storyPlaces = from(0, bounds.storySteps.max - 1);

/**
 * The limits of one attempt at reading a link. Reading stops when one is reached, whatever the link holds.
 * They are counts and not times, so that every machine stops at the same place.
 */
export const linkBounds = {
  /** Characters in the longest link that is read; longer links are not offered. */
  characters: 5 << 17,
  fields: 128,
  /** The total number of bytes that all packed fields may inflate to. */
  inflated: 1 << 21,
  /** Compressed bytes that are inflated at a time. They produce at most 1032 times as many bytes before these are counted. */
  portion: 512,
  /** The total number of words, numbers, indices, bits and pixel levels that all fields may create. */
  cells: 1 << 19,
  notices: 20,
} as const;

/** The work of reading a link, summed over all attempts. */
export interface Work {
  attempts: number;
  fields: number;
  inflated: number;
  cells: number;
}

/** The link as it stands, and at most two of these: unescaped once more, escaped once more, without the text behind the link. */
const attempts = 3;
/** The most work that any link can take. */
export const mostWork: Readonly<Work> = {
  attempts,
  fields: attempts * linkBounds.fields,
  // The last portion is counted only after it was inflated, and up to 8 bytes of the portion before it may be left over.
  inflated: attempts * (linkBounds.inflated + 1032 * (linkBounds.portion + 8)),
  cells: attempts * linkBounds.cells,
};

export const imageSizes = [16, 32, 64] as const;
export const patchSizes = [2, 4, 8, 16, 32] as const;

export const choices = {
  mask: ["none", "causal", "painted"],
  encoding: ["sinusoidal", "absolute", "learned", "rotary", "alibi", "shift", "none", "compare"],
  compare: ["pixels", "projection"],
  interpolation: ["bicubic", "bilinear"],
  lang: ["en", "zh-CN"],
  unfolded: ["terms", "note"],
} as const;
