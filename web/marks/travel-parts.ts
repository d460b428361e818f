/** What travels at a stop of Play: the operands of a number, where they come from, and where they land. */
import type { Explanation } from "../core/attention.js";
import { middleOf, sameCell, type Cell, type Rectangle } from "./board.js";
import type { CellCopy } from "./cell-copy.js";
import type { TravelParts } from "./flight.js";

/** A number of an explanation: its cell, or an empty node for a number of no tensor. */
interface Operand extends Cell {
  gradient?: unknown;
}

/** The places of the numbers in a note. */
export interface NotePlaces {
  operands: readonly { line: number; operand: Operand; slot: Rectangle }[];
  result: Rectangle;
  /** The lines that have numbers. */
  lines: readonly number[];
  /** The line of a role of the explanation; -1 when there is none. */
  lineOf: (role: string) => number;
}

/** Where the numbers of an explanation are shown. */
export interface Shown {
  /** A copy of a cell's number; null when it is not shown. `value`: the number of a cell that is not reached. */
  copyOf: (cell: Cell, value?: number) => CellCopy | null;
  /** Null when there is no note. */
  note: NotePlaces | null;
  isInSight: (place: Rectangle) => boolean;
}

/** With more operands than this nothing travels. */
const MOST = 24;

/** The place of a number in the note, at least as large as a digit with some air. */
function placeAround(slot: Rectangle): Rectangle {
  const [x, y] = middleOf(slot);
  const width = Math.max(24, slot.width + 4);
  return { x: x - width / 2, y: y - 9, width, height: 18 };
}

/** The parts of a travel to the explained cell; null where nothing can travel. */
export function travelParts(explanation: Explanation, shown: Shown): TravelParts | null {
  const { copyOf, isInSight } = shown;
  if (explanation.op === "leaf") return null;
  const goal = copyOf(explanation, explanation.value);
  if (!goal || !isInSight(goal.cell)) return null;
  const to = middleOf(goal.cell);
  const note = shown.note && isInSight(shown.note.result) ? shown.note : null;
  const numbers =
    note?.operands ??
    explanation.rows.flatMap(({ operands }) =>
      operands.map((operand) => ({ line: null, operand, slot: null })),
    );
  const flying = numbers.flatMap(({ line, operand, slot }) => {
    const found = operand.node === "" || operand.gradient ? null : copyOf(operand);
    if (!found || !isInSight(found.cell)) return [];
    const { cell, ...copy } = found;
    return [
      { line, copy, from: middleOf(cell), to: slot ? middleOf(slot) : to, slot: slot && placeAround(slot) },
    ];
  });
  // Operands that the stage does not show appear in the note.
  if ((flying.length === 0 && !note) || flying.length > MOST) return null;
  const operands = [...new Set(flying.map((one) => one.line))].map((line) => ({
    line,
    copies: flying.filter((one) => one.line === line),
  }));
  const { cell: goalCell, ...copy } = goal;
  return {
    operands,
    lines: note?.lines.filter((line) => operands.every((one) => one.line !== line)) ?? [],
    goal: goalCell,
    result: { copy, from: note ? middleOf(note.result) : to, to },
    ...(note && softmaxParts(explanation, copyOf, note)),
  };
}

/** The bars of a softmax in the cells that its weights go to, and the largest number of its row. */
function softmaxParts(
  explanation: Explanation,
  copyOf: Shown["copyOf"],
  { operands, lineOf }: NotePlaces,
): Pick<TravelParts, "bars" | "largest"> {
  const row = (role: string) => explanation.rows.find((one) => one.role === role)?.operands ?? [];
  const [values, exps, quotients] = [row("value"), row("exp"), row("quotient")];
  if (explanation.op !== "softmax" || quotients.length !== values.length) return {};
  const axis = values[0]?.index.findIndex((at, place) => at !== values.at(-1)?.index[place]) ?? -1;
  const bars = values.flatMap(({ index }, at) => {
    const own: Cell = { node: explanation.node, index: explanation.index.with(axis, index[axis]!) };
    const found = axis < 0 ? null : copyOf(own, quotients[at]!.value);
    return found
      ? [{ cell: found.cell, role: found.role, grown: exps[at]!.value, share: quotients[at]!.value }]
      : [];
  });
  const most = values.reduce((best, one) => (one.value > best.value ? one : best), values[0]!);
  const slot = operands.find(({ operand }) => sameCell(operand, most))?.slot;
  return {
    bars: { bars, grows: lineOf("exp"), shrinks: lineOf("quotient") },
    largest: slot && { slot: placeAround(slot), line: lineOf("minus_max") },
  };
}
