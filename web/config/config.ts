/** The Config: the one thing a page, a link, an embed and an example are made from. Plain data. */
import type { Expected } from "./expected.js";
import type { LabId, NumbersOf } from "./labs.js";
import type { Looked } from "./view.js";

export type { LabId, NumbersOf } from "./labs.js";

export type Matrix = number[][];

/** A number of a leaf changed by hand. */
export interface Edit {
  node: string;
  index: number[];
  value: number;
}

export type AttentionNumbers = NumbersOf["attention"];
export type MultiHeadNumbers = NumbersOf["multi-head"];
export type PositionsNumbers = NumbersOf["positions"];
export type VitNumbers = NumbersOf["vit"];

/** What is said at one step of a story, and the link of the state that it is said of. */
export interface StoryStep {
  words: string;
  link: string;
}

/** What is looked at; changes no value. */
export interface View<L extends LabId = LabId> extends Looked {
  lab: L;
  /** The numbers that these are compared with; absent: there are none. */
  before?: NumbersOf[L] | undefined;
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
