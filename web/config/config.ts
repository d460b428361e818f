/** The Config: the plain data that a page, a link, an embed or an example is made from. */
import type { Expected } from "./expected.js";
import type { LabId, NumbersOf } from "./labs.js";
import type { Looked } from "./view.js";

export type { LabId, NumbersOf } from "./labs.js";

export type Matrix = number[][];

/** A number of a leaf that the reader changed. */
export interface Edit {
  node: string;
  index: number[];
  value: number;
}

export type AttentionNumbers = NumbersOf["attention"];
export type MultiHeadNumbers = NumbersOf["multi-head"];
export type PositionsNumbers = NumbersOf["positions"];
export type VitNumbers = NumbersOf["vit"];

/** One step of a story: its text, and the link of the state that it describes. */
export interface StoryStep {
  words: string;
  link: string;
}

/** What the reader looks at. It changes no value of the graph. */
export interface View<L extends LabId = LabId> extends Looked {
  lab: L;
  /** The numbers that the lab's numbers are compared with, if there is a comparison. */
  before?: NumbersOf[L] | undefined;
}

export interface ConfigOf<L extends LabId> {
  version: 1;
  /** The id of the example whose numbers these are; null after any change. */
  example: string | null;
  numbers: NumbersOf[L];
  view: View<L>;
}
export type Config = { [L in LabId]: ConfigOf<L> }[LabId];

/** A problem that was found while a link or file was read. Reading never throws and never hides a problem. */
export interface ConfigNotice {
  kind: "cut" | "edited" | "newer" | "field" | "unknown-field" | "too-large" | "unreadable" | "unseen";
  field?: string;
  given?: string;
  used?: string;
  /** The expected value of the field, and the actual value if `given` does not show it. */
  expected?: Expected;
  actual?: string;
}
