/** The bounds of every field: what a link, a control and a file may hold. */

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
  /** Characters of the name of a stop, a picture, a paragraph. */
  name: from(1, 64),
  /** Steps of a story, and characters of what one says and of its link. */
  storySteps: from(1, 24),
  storyWords: from(0, 600),
  storyLink: from(1, 16_384),
} as const;

/** Where a reader of a story may have come to. */
export const storyPlaces = from(0, bounds.storySteps.max - 1);

/**
 * What one attempt at reading a link may take, counted while it is read: reading stops at these, whatever the link says.
 * They are counts and not times, so that every machine stops at the same place.
 */
export const linkBounds = {
  /** Characters of the longest link that is read, and so of the longest that is worth giving. */
  characters: 65_536,
  fields: 64,
  /** Bytes that packed fields may inflate to, all of them together. */
  inflated: 1 << 21,
  /** Bytes of deflate taken at a time; they make at most 1032 times as many before those are counted. */
  portion: 512,
  /** Words, numbers, places, bits and levels that are made, all fields together. */
  cells: 1 << 19,
  notices: 20,
} as const;

/** What reading a link took, all attempts together. */
export interface Work {
  attempts: number;
  fields: number;
  inflated: number;
  cells: number;
}

/** As it stands, and two of: unescaped once more, unescaped once less, without what stands behind the link. */
const attempts = 3;
/** No link takes more than this. */
export const mostWork: Readonly<Work> = {
  attempts,
  fields: attempts * linkBounds.fields,
  // The last portion is seen to be too much when it is made; of the one before up to 8 bytes may be left.
  inflated: attempts * (linkBounds.inflated + 1032 * (linkBounds.portion + 8)),
  cells: attempts * linkBounds.cells,
};

export const imageSizes = [16, 32, 64] as const;
export const patchSizes = [2, 4, 8, 16, 32] as const;

export const choices = {
  mask: ["none", "causal", "painted"],
  encoding: ["sinusoidal", "absolute", "learned", "rotary", "alibi", "shift", "none", "compare"],
  compare: ["pixels", "projection"],
  lang: ["en", "zh-CN"],
  unfolded: ["terms", "note"],
} as const;
