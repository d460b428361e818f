/**
 * What a lesson is: short paragraphs, each with something to try, and concepts that tick off when the reader does the thing.
 * A lab's lesson is one file, `lesson.ts` (or `LAB-lesson.ts`), entered in lessons.ts; it is fetched beside the lab, never with the
 * page, and is no part of a frame. Both languages stand side by side, so that neither can lack a sentence.
 */
import type { ConfigOf, LabId, View } from "../config/config.js";
import type { Language } from "../i18n/words.js";
import type { Snapshots } from "../marks/scene.js";

/** A sentence in every language. `code` in backquotes; *Q* a symbol, *query|W_Q* one in the colour of its role. */
export type Translations = Readonly<Record<Language, string>>;

/** One text for all languages, or one for each. */
export type LessonText = Translations | string;

export const inLanguage = (text: LessonText, language: Language): string =>
  typeof text === "string" ? text : text[language];

export interface Lesson<L extends LabId> {
  parts: readonly LessonPart[];
  concepts: readonly Concept<L>[];
}

/** One idea: a heading, a short paragraph or two, and what to try. */
export interface LessonPart {
  id: string;
  heading: Translations;
  paragraphs: readonly Translations[];
  table?: Table;
  tries?: readonly Try[];
}

/** A small table under the paragraphs: the first cell of a row names it. At most four columns stand on a phone. */
export interface Table {
  caption: Translations;
  head: readonly LessonText[];
  rows: readonly (readonly LessonText[])[];
}

/** A value for a control. */
export interface Setting {
  control: string;
  value: LessonText;
}

/** A link of the lesson that sets the lab up. What the link does does not tick off a concept. */
export interface Try {
  /** What the link does, as an order: "Turn the division off". */
  sentence: Translations;
  /** What to look at then; shown in the bar of Play meanwhile. */
  look: Translations;
  /** Starts from this example of the lab, in the words of the reader's language; else from the settings as they are. */
  example?: string;
  /** Settings changed, in order, as `Lab.change` takes them. When the settings as they are refuse one, the lab's first example takes it. */
  changes?: readonly Setting[];
  /** The cell to look at; the nearest there is. */
  cell?: { node: string; index: number[] };
  view?: Partial<Pick<View, "scales" | "item">>;
  /** Then Play. */
  play?: true;
}

/** A task, and the text that is shown when it is done. */
export interface Concept<L extends LabId> {
  /** Permanent: what a reader has done is kept under it. */
  id: string;
  title: Translations;
  /** What to do. */
  sentence: Translations;
  /** Said when it is done; what was found: "You found the largest weight, and the note says how it was made." */
  done: Translations;
  /** Whether this act of the reader completes the task. It compares numbers and computes none. */
  happens(act: Act, at: At<L>): boolean;
}

/** An act of the reader, reported once its numbers are computed. What a try, Play or the page does is not an act of the reader. */
export type Act =
  /** Stayed at a cell, whose arithmetic the note shows. */
  | { kind: "cell"; node: string; index: number[] }
  /** Pinned a cell. */
  | { kind: "pin"; node: string; index: number[] }
  /** Followed sources from note to note: every node from the first cell to this one. */
  | { kind: "chain"; nodes: string[] }
  /** Set a control, as `Lab.change` takes it. A picture of one's own: control "image", value "own". */
  | { kind: "change"; control: string; value: string }
  /** Typed another number into a cell; Undo and Reset are edits of nothing. */
  | { kind: "edit"; node: string; index: number[]; value: number }
  /** Came to a stop by Step, Back or the track. */
  | { kind: "stop"; id: string }
  /** Play or Step came to the last stop. */
  | { kind: "play-end" }
  /** Pointed at a symbol of the formula. */
  | { kind: "symbol"; nodes: readonly string[] };

/** The lab as it is after the act; `was`: its Config before a change or an edit, else the same. */
export interface At<L extends LabId> {
  config: ConfigOf<L>;
  was: ConfigOf<L>;
  snapshots: Snapshots;
}

/** The number at an index of a node; NaN where there is none. */
export function valueOf(snapshots: Snapshots, node: string, index: readonly number[]): number {
  const snapshot = snapshots.get(node);
  if (!snapshot || snapshot.shape.length !== index.length) return NaN;
  const flat = snapshot.shape.reduce((place, size, axis) => place * size + index[axis]!, 0);
  return snapshot.data[flat] ?? NaN;
}

/** Whether a cell holds the largest number of its node. */
export function isLargest(snapshots: Snapshots, node: string, index: readonly number[]): boolean {
  const value = valueOf(snapshots, node, index);
  return snapshots.get(node)?.data.every((other) => !(other > value)) === true && !Number.isNaN(value);
}

/** Whether a cell holds the largest number of its row: the last axis. */
export function isLargestOfRow(snapshots: Snapshots, node: string, index: readonly number[]): boolean {
  const width = snapshots.get(node)?.shape.at(-1) ?? 0;
  const value = valueOf(snapshots, node, index);
  const row = Array.from({ length: width }, (_, at) => valueOf(snapshots, node, [...index.slice(0, -1), at]));
  return !Number.isNaN(value) && row.every((other) => !(other > value));
}

/** A task that is done by staying at a cell of a node for which `holds` is true. */
export const atCell =
  <L extends LabId>(
    node: string,
    holds: (snapshots: Snapshots, node: string, index: readonly number[]) => boolean,
  ): Concept<L>["happens"] =>
  (act, { snapshots }) =>
    act.kind === "cell" && act.node === node && holds(snapshots, node, act.index);
