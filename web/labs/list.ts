/** The list of the labs, by the names of their folders. Outside its folder and its settings, a lab is named only here. */
import type { ConfigOf, LabId, NumbersOf } from "../config/config.js";
import { isSmall } from "../config/labs/attention.js";
import { hasEncoder, isStretched } from "../config/labs/vit.js";

/** A part of the core: "attention" is the small one, with which the page opens; "transformer" is the whole core, which is fetched when it is first needed. */
export type Part = "attention" | "transformer";

interface LabEntry<L extends LabId> {
  /** Its number in Contents, from 1. */
  readonly chapter: number;
  /** The number of concepts of its lesson, which the page shows before the lesson is fetched. A test compares it with the lesson. */
  readonly concepts: number;
  /** Whether the small part of the core computes these numbers. Absent: the whole core computes them. */
  readonly isSmall?: (numbers: NumbersOf[L]) => boolean;
}

const always = (): boolean => true;

export const list = {
  attention: { chapter: 2, concepts: 5, isSmall },
  "multi-head": { chapter: 4, concepts: 5, isSmall: always },
  positions: { chapter: 5, concepts: 5, isSmall: always },
  vit: { chapter: 8, concepts: 6, isSmall: (numbers) => !hasEncoder(numbers) && !isStretched(numbers) },
  "encoder-decoder": { chapter: 7, concepts: 5 },
  optimizers: { chapter: 11, concepts: 5 },
  block: { chapter: 6, concepts: 5 },
  losses: { chapter: 10, concepts: 5 },
  complexity: { chapter: 12, concepts: 5 },
  scaling: { chapter: 3, concepts: 4 },
  bert: { chapter: 9, concepts: 5 },
  words: { chapter: 1, concepts: 5 },
  training: { chapter: 13, concepts: 4 },
} satisfies { readonly [L in LabId]: LabEntry<L> };

/** Whether a lab trains a model. It has a frame of its own, and elements do not contain it. */
export const trains = (lab: LabId): boolean => lab === "training";

/** The file of the frame that contains a lab. */
export const frameOf = (lab: LabId): string => (trains(lab) ? "embed-training.html" : "embed.html");

/** The labs that the small part of the core computes. */
export type SmallLab = { [L in LabId]: (typeof list)[L] extends { isSmall: unknown } ? L : never }[LabId];

/** The part of the core that a Config is computed with. */
export function partOf<L extends LabId>({ view, numbers }: Pick<ConfigOf<L>, "view" | "numbers">): Part {
  const { isSmall }: LabEntry<L> = list[view.lab] as LabEntry<L>;
  return isSmall?.(numbers) ? "attention" : "transformer";
}
