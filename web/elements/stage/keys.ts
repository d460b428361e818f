/** The keyboard shortcuts in a grid of the stage. DESIGN.md, section 8. */
import type { Board, Place } from "../../marks/board.js";
import { changeOf } from "../../marks/pull.js";

export type KeyAction =
  | { kind: "move"; board: Board; place: Place }
  | { kind: "pin" | "escape" | "copy" | "paint" | "take" }
  | { kind: "edit"; typed: string | null }
  | { kind: "pull"; by: number }
  | { kind: "follow"; direction: "source" | "result" };

/** The action of a key on a cell; null when the browser should handle the key. */
export function keyAction(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
  boards: readonly Board[],
  board: Board,
  [row, column]: Place,
): KeyAction | null {
  const lastRow = board.rows - 1;
  const lastColumn = board.columns - 1;
  const move = (toRow: number, toColumn: number): KeyAction => ({
    kind: "move",
    board,
    place: [Math.max(0, Math.min(lastRow, toRow)), Math.max(0, Math.min(lastColumn, toColumn))],
  });
  if (event.altKey || event.metaKey) return null;
  if (event.ctrlKey) {
    if (event.key === "Home") return move(0, 0);
    return event.key === "End" ? move(lastRow, lastColumn) : null;
  }
  const by = event.shiftKey && board.tensor?.placed.editable ? changeOf(event.key) : null;
  if (by !== null) return { kind: "pull", by };
  switch (event.key) {
    case "ArrowLeft":
      return move(row, column - 1);
    case "ArrowRight":
      return move(row, column + 1);
    case "ArrowUp":
      return move(row - 1, column);
    case "ArrowDown":
      return move(row + 1, column);
    case "Home":
      return move(row, 0);
    case "End":
      return move(row, lastColumn);
    case "PageUp":
    case "PageDown":
      return neighbour(boards, board, row, column, event.key === "PageUp" ? -1 : 1);
    case "Enter":
      return { kind: "pin" };
    case "Escape":
      return { kind: "escape" };
    case " ":
      return board.tensor?.placed.paintable ? { kind: "paint" } : null;
    case "c":
      return { kind: "copy" };
    case "t":
      return { kind: "take" };
    case "u":
      return { kind: "follow", direction: "source" };
    case "d":
      return { kind: "follow", direction: "result" };
    case "F2":
      return { kind: "edit", typed: null };
  }
  const starts = /^[-\u2212.0-9]$/.test(event.key);
  return starts && board.tensor?.placed.editable ? { kind: "edit", typed: event.key } : null;
}

/** The previous or next board, at the same row and, if it exists, the same column. */
function neighbour(
  boards: readonly Board[],
  board: Board,
  row: number,
  column: number,
  way: 1 | -1,
): KeyAction | null {
  const stops = boards.filter((other) => other.stop);
  const next = stops[stops.findIndex((other) => other.id === board.id) + way];
  if (!next) return null;
  return {
    kind: "move",
    board: next,
    place: [Math.min(row, next.rows - 1), Math.min(column, next.columns - 1)],
  };
}
