/**
 * Turns numbers that a reader brought into edits of a tensor: of all of it, of the matrix on the stage, or of
 * a block that begins at one cell.
 */
import { bounds } from "../../config/bounds.js";
import type { Edit } from "../../config/config.js";
import { joinedEdits } from "../../config/edits.js";
import type { ReadNumbers, Unread } from "../../files/numbers-text.js";
import type { Slots } from "../../i18n/words.js";
import { placeOf } from "../../marks/plane.js";
import type { Board, Place } from "../../marks/board.js";
import { formatFull, formatShape } from "../../marks/numbers.js";
import type { en } from "./en.js";

/** Why numbers were refused: the key of a string, and its slots. */
export interface Refusal {
  key: keyof typeof en;
  slots: Slots;
}
export type PutResult = { edits: Edit[] } | Refusal;

export function isPut(answer: PutResult): answer is { edits: Edit[] } {
  return "edits" in answer;
}

/** The place that the numbers should go to. */
export interface Goal {
  board: Board;
  /** The cell where the numbers begin; null when they are for the whole tensor. */
  from: Place | null;
  /** The name of the tensor in sentences. */
  name: string;
  /** The edits of the present Config. */
  before: readonly Edit[];
}

const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((length, axis) => length === b[axis]);

/** The index of a row-major position. */
function indexAt(shape: readonly number[], place: number): number[] {
  const index: number[] = [];
  let rest = place;
  for (const length of [...shape].reverse()) {
    index.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return index;
}

/** The cell for the number at each row-major position; null when the numbers do not fit. */
function cellFinder(given: ReadNumbers, { board, from }: Goal): ((place: number) => number[]) | null {
  const shape = board.tensor?.snapshot.shape ?? [];
  const flat = [given.data.length / Math.max(1, shape.at(-1) ?? 1), shape.at(-1) ?? 1];
  const whole = shape.reduce((size, length) => size * length, 1) === given.data.length;
  // A table of a tensor with more than two axes has its matrices one below the other.
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

/** A refusal that names the row and column of the first number that is not finite; null if all numbers are finite. */
export function notFiniteRefusal({ shape, data }: ReadNumbers): Refusal | null {
  const broken = data.findIndex((value) => !Number.isFinite(value));
  if (broken < 0) return null;
  const columns = shape.at(-1) ?? 1;
  const [row, column] = [Math.floor(broken / columns) + 1, (broken % columns) + 1];
  return { key: "put.finite", slots: { row, column, given: formatFull(data[broken]!) } };
}

/**
 * The edits that put `given` at its goal, without cells that already have the number; or why the numbers are
 * refused.
 */
export function putNumbers(given: ReadNumbers, goal: Goal): PutResult {
  const { board, from, name, before } = goal;
  const { tensor } = board;
  if (!tensor?.placed.editable) return { key: "put.computed", slots: { name } };
  const { shape, data } = tensor.snapshot;
  const aimed = cellFinder(given, goal);
  const actual = formatShape(given.shape);
  if (!aimed && from) {
    const expected = formatShape([board.rows - from[0], board.columns - from[1]]);
    return {
      key: "put.room",
      slots: { name, whole: formatShape([board.rows, board.columns]), expected, actual },
    };
  }
  if (!aimed) return { key: "put.shape", slots: { name, expected: formatShape(shape), actual } };
  const broken = notFiniteRefusal(given);
  if (broken) return broken;
  const edits = Array.from(given.data, (value, place): Edit => ({
    node: board.node,
    index: aimed(place),
    value,
  }));
  const changed = edits.filter(({ index, value }) => !Object.is(data[placeOf(shape, index)], value));
  if (changed.length === 0) return { key: "put.same", slots: {} };
  const count = joinedEdits(before, changed).length;
  if (count > bounds.edits.max) return { key: "put.most", slots: { most: bounds.edits.max, given: count } };
  return { edits: changed };
}

/** Why a text is not an array, as a string and its slots. */
export function unreadRefusal({ problem, line, text, expected, actual, most }: Unread): Refusal {
  const slots: Slots = {};
  for (const [slot, value] of Object.entries({ line, text, expected, actual, most }))
    if (value !== undefined) slots[slot] = value;
  return { key: `put.${problem}`, slots };
}
