/** Where each lab is on the map of the model. A new lab is one line of the table `places`. */
import type { LabId } from "../../config/config.js";
import type { GlyphPlace } from "../../elements/glyph.js";

/** The blocks of each stave, in the order in which the numbers flow. */
export const staves = {
  encoder: ["words", "places", "input", "self", "sum1", "network", "sum2", "memory"],
  decoder: ["words", "places", "input", "self", "sum1", "cross", "sum2", "network", "sum3", "next"],
} as const;

export type Stave = keyof typeof staves;
export type BlockId = { [S in Stave]: `${S}.${(typeof staves)[S][number]}` }[Stave];

export const blockIds = (Object.keys(staves) as Stave[]).flatMap((stave) =>
  staves[stave].map((block) => `${stave}.${block}` as BlockId),
);

export const staveOf = (block: BlockId): Stave => block.split(".")[0] as Stave;

export interface Place {
  /** The block that its name stands at. Absent: the way back of the gradient, under both staves. */
  at?: BlockId;
  /** The last block that its bracket spans. Absent: a line leads from its name to the block. */
  to?: BlockId;
  /** Whether it stands at the words of the rows, before the block. */
  atRows?: true;
  /** The line of names that it is on: the first is the highest. "below" is under the captions. */
  lane: number | "below";
  /** Whether its name ends where its bracket ends. */
  atEnd?: true;
  /** The block under its name where the staves are towers. Absent: it is listed under the encoder. */
  tower?: BlockId;
}

export const places: { readonly [L in LabId]: Place } = {
  words: { at: "encoder.words", lane: 1, tower: "encoder.words" },
  attention: { at: "encoder.self", to: "encoder.self", lane: 1, tower: "encoder.self" },
  scaling: { at: "encoder.self", lane: "below" },
  "multi-head": { at: "decoder.self", to: "decoder.self", lane: 1, tower: "decoder.self" },
  positions: { at: "encoder.places", lane: 2, tower: "decoder.words" },
  block: { at: "encoder.self", to: "encoder.sum2", lane: 0, atEnd: true, tower: "encoder.network" },
  "encoder-decoder": { at: "decoder.cross", to: "decoder.cross", lane: 1, tower: "decoder.cross" },
  vit: { at: "encoder.words", atRows: true, lane: 0 },
  bert: { at: "encoder.memory", to: "encoder.memory", lane: 0 },
  losses: { at: "decoder.next", to: "decoder.next", lane: 1, atEnd: true, tower: "decoder.next" },
  optimizers: { lane: 0 },
  training: { lane: 0 },
  complexity: { at: "decoder.self", to: "decoder.self", lane: 0 },
};

/** The two staves of a glyph of 20 by 20, and the line under them. */
const glyph = {
  left: 2,
  width: 16,
  encoder: { y: 3, height: 5 },
  decoder: { y: 9, height: 5 },
  back: { y: 16, height: 2 },
};

/** The place that a lab fills in its glyph. */
export function glyphOf(lab: LabId): GlyphPlace {
  const { at, to = at }: Place = places[lab];
  if (!at || !to) return { x: glyph.left, width: glyph.width, ...glyph.back };
  const stave = staveOf(at);
  const ids = blockIds.filter((id) => staveOf(id) === stave);
  const each = glyph.width / ids.length;
  const [first, last] = [ids.indexOf(at), ids.indexOf(to)];
  // The least part is wide enough to be seen.
  const width = Math.max(4, each * (last - first + 1));
  const middle = glyph.left + (each * (first + last + 1)) / 2;
  const x = Math.max(glyph.left, Math.min(glyph.left + glyph.width - width, middle - width / 2));
  return { x, width, ...glyph[stave] };
}
