/**
 * The types of a lesson: short paragraphs, each with something to try, and concepts that are ticked off when the reader has done a
 * task. A lab's lesson is its file `lesson.ts`. It is loaded separately from the lab and is not part of a frame.
 */
import type { ConfigOf, LabId } from "../config/config.js";
import { placeOf } from "../marks/plane.js";
import type { Snapshots } from "../marks/scene.js";
import type { Question, SetUp } from "./question.js";
import type { Translated, Translations } from "./translations.js";

export interface Lesson<L extends LabId> {
  parts: readonly LessonPart[];
  concepts: readonly Concept<L>[];
}

/** One idea: a heading, a short paragraph or two, things to try, and questions. */
export interface LessonPart {
  id: string;
  heading: Translations;
  paragraphs: readonly Paragraph[];
  table?: Table;
  tries?: readonly Try[];
  questions?: readonly Question[];
}

export interface Paragraph extends Translations {
  /** The id of the stop that the stage goes to when the paragraph is read, where the settings have that stop. Absent: the stage stays. */
  stop?: string;
}

/** A small table under the paragraphs. The first cell of a row is its name. A phone has room for four columns at most. */
export interface Table {
  caption: Translations;
  head: readonly Translated[];
  rows: readonly (readonly Translated[])[];
}

/** A link of the lesson that sets the lab up. What the link does does not tick off a concept. */
export interface Try extends SetUp {
  /** What the link does, in the imperative: "Turn the division off". */
  sentence: Translations;
  /** What to look at afterwards; the bar of Play shows it. */
  look: Translations;
  /** Whether Play starts afterwards. */
  play?: true;
}

/** A task, and the text that is shown when it is done. */
export interface Concept<L extends LabId> {
  /** Permanent: the browser stores what the reader has done under this id. */
  id: string;
  title: Translations;
  /** The task. */
  sentence: Translations;
  /** The text shown when the task is done; it names what was found: "You found the largest weight, and the note says how it was made." */
  done: Translations;
  /** Whether this act of the reader completes the task. It only compares numbers; it computes none. */
  happens(act: Act, at: At<L>): boolean;
}

/** An act of the reader, reported once its numbers are computed. Changes made by a try, by Play or by the page are not reported. */
export type Act =
  /** The reader stayed at a cell; the note shows its arithmetic. */
  | { kind: "cell"; node: string; index: number[] }
  /** The reader pinned a cell. */
  | { kind: "pin"; node: string; index: number[] }
  /** The reader followed sources from note to note; `nodes` are all nodes from the first cell to this one. */
  | { kind: "chain"; nodes: string[] }
  /** The reader set a control; the fields are those of `Lab.change`. For an own picture, the control is "image" and the value "own". */
  | { kind: "change"; control: string; value: string }
  /** The reader typed a number into a cell. Undo and Reset are not reported as edits. */
  | { kind: "edit"; node: string; index: number[]; value: number }
  /** The reader guessed a covered number or, if it is not right, had it shown. */
  | { kind: "guess"; node: string; index: number[]; isRight: boolean }
  /** The reader went to a stop with Step, Back or the track. */
  | { kind: "stop"; id: string }
  /** Play or Step reached the last stop. */
  | { kind: "play-end" }
  /** The reader pointed at a symbol of the formula. */
  | { kind: "symbol"; nodes: readonly string[] };

/** The lab after the act. `was` is the Config before a change or an edit; for any other act it equals `config`. */
export interface At<L extends LabId> {
  config: ConfigOf<L>;
  was: ConfigOf<L>;
  snapshots: Snapshots;
}

/** The number at an index of a node; NaN where there is none. */
export function valueOf(snapshots: Snapshots, node: string, index: readonly number[]): number {
  const snapshot = snapshots.get(node);
  if (!snapshot || snapshot.shape.length !== index.length) return NaN;
  return snapshot.data[placeOf(snapshot.shape, index)] ?? NaN;
}

/** Whether a cell holds the largest number of its node. */
export function isLargest(snapshots: Snapshots, node: string, index: readonly number[]): boolean {
  const value = valueOf(snapshots, node, index);
  return snapshots.get(node)?.data.every((other) => !(other > value)) === true && !Number.isNaN(value);
}

/** Whether a cell holds the largest number of its row, that is, along the last axis. */
export function isLargestOfRow(snapshots: Snapshots, node: string, index: readonly number[]): boolean {
  const width = snapshots.get(node)?.shape.at(-1) ?? 0;
  const value = valueOf(snapshots, node, index);
  const row = Array.from({ length: width }, (_, at) => valueOf(snapshots, node, [...index.slice(0, -1), at]));
  return !Number.isNaN(value) && row.every((other) => !(other > value));
}

/** A task that is completed when the reader stays at a cell of `node` for which `holds` is true. */
export const atCell =
  <L extends LabId>(
    node: string,
    holds: (snapshots: Snapshots, node: string, index: readonly number[]) => boolean,
  ): Concept<L>["happens"] =>
  (act, { snapshots }) =>
    act.kind === "cell" && act.node === node && holds(snapshots, node, act.index);
