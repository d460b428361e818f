/** A state to set up from data, and a question about one of its numbers. Both are data, so that a lesson and a set of questions can hold them. */
import type { View } from "../config/config.js";
import type { Translated, Translations } from "./translations.js";

/** A value for a control. */
export interface Setting {
  control: string;
  value: Translated;
}

/** What a link of a lesson sets up. */
export interface SetUp {
  /** The id of the example to start from, with its words in the reader's language. Absent: the current settings. */
  example?: string;
  /**
   * The settings to change, in order, as `Lab.change` takes them. If the current settings refuse a change, the lab's first example
   * is used instead.
   */
  changes?: readonly Setting[];
  /** The cell to look at. If it does not exist, the nearest one is taken. */
  cell?: { node: string; index: number[] };
  view?: Partial<Pick<View, "scales" | "item">>;
}

/**
 * A number to guess before the note shows how it is made. Its cell is covered, and the tensors of later stops are not drawn. If the present
 * settings do not have the cell, the lab's first example is used instead.
 */
export interface Question extends SetUp {
  /** The stop of Play at which it is asked; the cell belongs to it. */
  stop: string;
  /** The sentence that asks. It contains no number that depends on the settings. */
  sentence: Translations;
  cell: { node: string; index: number[] };
}
