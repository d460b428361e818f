/** Numbers a reader brought become edits of a tensor: all of it, the matrix on the stage, or a block from one cell on. */
import { bounds } from "../../config/bounds.js";
import type { Edit } from "../../config/config.js";
import { joinedEdits } from "../../config/edits.js";
import type { ReadNumbers, Unread } from "../../files/numbers-text.js";
import type { Slots } from "../../i18n/words.js";
import type { Board, Place } from "../../marks/board.js";
import { formatFull, formatShape } from "../../marks/numbers.js";
import type { en } from "./en.js";

/** Why numbers were not taken: a string and its slots. */
export interface NotTaken {
  key: keyof typeof en;
  slots: Slots;
}
export type Taken = { edits: Edit[] } | NotTaken;

export function isTaken(answer: Taken): answer is { edits: Edit[] } {
  return "edits" in answer;
}

/** Where the numbers are to go. */
export interface Goal {
  board: Board;
  /** The cell that numbers may start from; null: the whole tensor is meant. */
  from: Place | null;
  /** What a sentence calls the tensor. */
  name: string;
  /** Edits there are already. */
  before: readonly Edit[];
}

const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((length, axis) => length === b[axis]);

/** A row-major place as an index. */
function indexAt(shape: readonly number[], place: number): number[] {
  const index: number[] = [];
  let rest = place;
  for (const length of [...shape].reverse()) {
    index.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return index;
}

/** Which cell takes the number at a row-major place; null where the numbers do not fit. */
function aim(given: ReadNumbers, { board, from }: Goal): ((place: number) => number[]) | null {
  const shape = board.tensor?.snapshot.shape ?? [];
  const flat = [given.data.length / Math.max(1, shape.at(-1) ?? 1), shape.at(-1) ?? 1];
  const whole = shape.reduce((size, length) => size * length, 1) === given.data.length;
  // A table of a tensor of more axes has its matrices one under the other.
  if (sameShape(given.shape, shape) || (shape.length > 2 && whole && sameShape(given.shape, flat)))
    return (place) => indexAt(shape, place);
  if (given.shape.length > 2) return null;
  const columns = given.shape.at(-1) ?? 1;
  const rows = given.shape.length === 2 ? (given.shape[0] ?? 1) : 1;
  const all = rows === board.rows && columns === board.columns;
  const [top, left] = all ? [0, 0] : (from ?? [board.rows, board.columns]);
  if (top + rows > board.rows || left + columns > board.columns) return null;
  return (place) => board.cellAt(top + Math.floor(place / columns), left + (place % columns)).index;
}

/** Where the first thing that is no finite number stands; null where all are. */
export function notFinite({ shape, data }: ReadNumbers): NotTaken | null {
  const broken = data.findIndex((value) => !Number.isFinite(value));
  if (broken < 0) return null;
  const columns = shape.at(-1) ?? 1;
  const [row, column] = [Math.floor(broken / columns) + 1, (broken % columns) + 1];
  return { key: "put.finite", slots: { row, column, given: formatFull(data[broken]!) } };
}

/** The edits that put `given` where it is to go; cells that hold the number already take none. Or why not. */
export function put(given: ReadNumbers, goal: Goal): Taken {
  const { board, from, name, before } = goal;
  const { tensor } = board;
  if (!tensor?.placed.editable) return { key: "put.computed", slots: { name } };
  const { shape, data } = tensor.snapshot;
  const aimed = aim(given, goal);
  const actual = formatShape(given.shape);
  if (!aimed && from) {
    const expected = formatShape([board.rows - from[0], board.columns - from[1]]);
    return {
      key: "put.room",
      slots: { name, whole: formatShape([board.rows, board.columns]), expected, actual },
    };
  }
  if (!aimed) return { key: "put.shape", slots: { name, expected: formatShape(shape), actual } };
  const broken = notFinite(given);
  if (broken) return broken;
  const edits = Array.from(given.data, (value, place): Edit => ({
    node: board.node,
    index: aimed(place),
    value,
  }));
  const placeOf = (index: readonly number[]): number =>
    index.reduce((place, at, axis) => place * (shape[axis] ?? 1) + at, 0);
  const changed = edits.filter(({ index, value }) => !Object.is(data[placeOf(index)], value));
  if (changed.length === 0) return { key: "put.same", slots: {} };
  const count = joinedEdits(before, changed).length;
  if (count > bounds.edits.max) return { key: "put.most", slots: { most: bounds.edits.max, given: count } };
  return { edits: changed };
}

/** Why a text is no array, as a string and its slots. */
export function notRead({ problem, line, text, expected, actual, most }: Unread): NotTaken {
  const slots: Slots = {};
  for (const [slot, value] of Object.entries({ line, text, expected, actual, most }))
    if (value !== undefined) slots[slot] = value;
  return { key: `put.${problem}`, slots };
}
