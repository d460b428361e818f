/** The labs, each named by its folder: the one list in which a lab stands outside its folder and its settings. */
import type { LabId } from "../config/config.js";

export interface LabEntry {
  /** Its place in Contents, from 1. */
  readonly chapter: number;
  /** How many concepts its lesson has: known before the lesson is fetched. A test compares. */
  readonly concepts: number;
  /** It is computed by the small part of the core that the page opens with. Absent: by the whole. */
  readonly small?: true;
}

export const list = {
  attention: { chapter: 2, concepts: 5, small: true },
  "multi-head": { chapter: 4, concepts: 5, small: true },
  positions: { chapter: 5, concepts: 5, small: true },
  vit: { chapter: 8, concepts: 6, small: true },
  "encoder-decoder": { chapter: 7, concepts: 5 },
  optimizers: { chapter: 11, concepts: 5 },
  block: { chapter: 6, concepts: 5 },
  losses: { chapter: 10, concepts: 5 },
  complexity: { chapter: 12, concepts: 5 },
  scaling: { chapter: 3, concepts: 4 },
  bert: { chapter: 9, concepts: 5 },
  words: { chapter: 1, concepts: 5 },
} as const satisfies Record<LabId, LabEntry>;

/** The labs that the small part of the core computes. */
export type SmallLab = { [L in LabId]: (typeof list)[L] extends { small: true } ? L : never }[LabId];
