/** The cells of the note's rows, each with its column. */
import { formatFull, formatNote } from "../../marks/numbers.js";
import { addressText, placeName } from "./places.js";
import type { CellAddress } from "./places.js";
import type { RowWording } from "./rows.js";
import { firstFilled } from "./slots.js";
import type { Context, Row } from "./slots.js";
import type { Words } from "../../i18n/words.js";

/** One item in a column. `after` is printed between this column and the next. */
export interface NoteCell {
  column: number;
  kind: "number" | "result" | "rest" | "text" | "name" | "use";
  text: string;
  /** The number, where the cell holds one. */
  value?: number;
  /** The number with all its digits, for the tooltip. */
  exact: string;
  after: "" | "+" | "=";
  /** The tensor cell that the number is read from. */
  operand: CellAddress | null;
  tone: "plain" | "dim" | "own";
  /** The use of the cell that a term of its gradient comes through. */
  use?: number;
}

export function numberCell(column: number, value: number, rest: Partial<NoteCell> = {}): NoteCell {
  return {
    column,
    kind: "number",
    text: formatNote(value),
    value,
    exact: formatFull(value),
    after: "",
    operand: null,
    tone: "plain",
    ...rest,
  };
}

export const isNumber = ({ kind }: NoteCell): boolean => kind === "number" || kind === "result";

export function wordsCell(column: number, text: string, rest: Partial<NoteCell> = {}): NoteCell {
  return { column, kind: "text", text, exact: "", after: "", operand: null, tone: "plain", ...rest };
}

function addressed(operand: CellAddress): CellAddress | null {
  const { node, index, gradient } = operand;
  return node === "" ? null : { node, index, ...(gradient && { gradient }) };
}

/** The column of the omitted terms: before the last term of a sum, after all terms of a slice. */
export function restColumn(row: Row, atEnd: boolean): number {
  return atEnd ? row.operands.length : row.operands.length - 1;
}

export function termCells(row: Row, atEnd: boolean): NoteCell[] {
  const gap = row.rest ? restColumn(row, atEnd) : Infinity;
  return row.operands.map((operand, place) =>
    numberCell(place >= gap ? place + 1 : place, operand.value, { operand: addressed(operand) }),
  );
}

export function restCell(row: Row, atEnd: boolean, announced: boolean, words: Words): NoteCell[] {
  if (!row.rest) return [];
  const column = restColumn(row, atEnd);
  if (row.rest.value !== undefined) return [numberCell(column, row.rest.value, { tone: "dim" })];
  if (announced) return [];
  return [wordsCell(column, words("note.more", { count: row.rest.count }), { kind: "rest", tone: "dim" })];
}

export const inOrder = (cells: NoteCell[]): NoteCell[] => cells.sort((a, b) => a.column - b.column);

/** The meaning of a masked cell, "word 1 may not look at word 3", from the names of the mask's last two axes. */
function maskWords({ node, index, value }: Row["operands"][number], { nodeWords, words }: Context): string {
  const [row, column] = [2, 1].map((back) => {
    const axis = index.length - back;
    return node === "" ? null : placeName(nodeWords(node), axis, index[axis] ?? 0);
  });
  if (!row || !column) return words(value === 0 ? "note.mask.hidden" : "note.mask.kept");
  return words(value === 0 ? "note.mask.may_not" : "note.mask.may", { row, column });
}

/** The cells of a row, for every setting except "products". */
export function cellsOf(row: Row, wording: RowWording, announced: boolean, context: Context): NoteCell[] {
  const { explanation, words, slots, own } = context;
  const first = row.operands[0];
  const one = row.operands.length === 1 ? first : undefined;
  const result = (column: number) =>
    numberCell(column, row.value ?? explanation.value, { kind: "result", tone: "own" });
  if (wording.show === "terms")
    return inOrder([...termCells(row, false), ...restCell(row, false, announced, words)]);
  if (wording.show === "slice") {
    const cells = inOrder([...termCells(row, true), ...restCell(row, true, announced, words)]);
    cells.forEach((cell) => (cell.tone = cell.column === own ? "own" : "dim"));
    if (!wording.result) return cells;
    return own < 0
      ? [...cells, result(cells.length)]
      : cells.map((cell) => (cell.column === own ? result(own) : cell));
  }
  if (wording.show === "own") {
    const column = Math.max(own, 0);
    return wording.result ? [result(column)] : row.value === undefined ? [] : [numberCell(column, row.value)];
  }
  if (wording.show === "value") {
    if (wording.result) return [result(0)];
    const value = row.value ?? first?.value;
    return value === undefined ? [] : [numberCell(0, value, { operand: one ? addressed(one) : null })];
  }
  if (wording.show === "from" && first) {
    const value = numberCell(1, explanation.value, { kind: "result", tone: "own" });
    return [
      wordsCell(0, addressText(first), {
        operand: addressed(first),
        after: "=",
        exact: formatFull(first.value),
      }),
      value,
    ];
  }
  if (wording.show === "reason" && first) {
    const exact = formatFull(first.value);
    return [wordsCell(0, maskWords(first, context), { operand: addressed(first), exact })];
  }
  if (wording.show === "text") return [wordsCell(0, firstFilled(wording.text ?? [], slots, words) ?? "")];
  return [];
}

/** Whether the printed terms do not add up to the printed result. */
export function missesSum(terms: readonly NoteCell[], result: string): boolean {
  const read = (text: string) => Number(text.replaceAll("\u2212", "-").replaceAll("∞", "Infinity"));
  const sum = terms.reduce((total, term) => total + read(term.text), 0);
  const shown = read(result);
  return (
    Number.isFinite(sum) &&
    Number.isFinite(shown) &&
    Math.abs(sum - shown) > 1e-9 * Math.max(1, Math.abs(shown))
  );
}
