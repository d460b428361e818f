/** A copy of a number of a stage, with the look of its cell, and where that cell is. */
import { rectangleOf, type Board, type Cell, type Rectangle } from "./board.js";
import { rampFor } from "./board-drawing.js";
import { cssColour, textOn, type Palette } from "./colour.js";
import { familyOf } from "./domains.js";
import type { Copy } from "./flight.js";
import type { Lighting } from "./lighting.js";
import { formatNote } from "./numbers.js";
import { holdsPlace } from "./stops.js";

export interface CellCopy extends Copy {
  cell: Rectangle;
}

/** A stage as it is drawn at a moment. */
export interface DrawnStage {
  boards: readonly Board[];
  lighting: Lighting;
  /** The number of computed cells of a board. */
  shown: (board: Board) => number;
  domains: ReadonlyMap<string, number>;
  scales: "shared" | "own";
  palette: Palette;
}

/**
 * A copy of a cell's number, and the cell's rectangle on the stage; null when no matrix shows the number. `value`: the
 * number of a cell that Play has not reached.
 */
export function copyOfCell(
  { node, index }: Cell,
  value: number | undefined,
  stage: DrawnStage,
): CellCopy | null {
  const { boards, lighting, shown, domains, scales, palette } = stage;
  const { sources } = lighting;
  const found = boards
    .flatMap((board) => {
      const run = board.tensor && board.run(node, index, index);
      return run ? [{ board, run }] : [];
    })
    .sort((a, b) => Number(sources.has(b.board.id)) - Number(sources.has(a.board.id)))[0];
  if (!found) return null;
  const { board, run } = found;
  const { fill, role } = board.tensor!.placed;
  const isShown = holdsPlace(board, [run.top, run.left], shown(board));
  const number = value ?? (isShown ? board.valueAt(run.top, run.left) : null);
  if (number === null) return null;
  const domain = domains.get(familyOf(board, scales)) ?? 1;
  const colour = rampFor(fill, palette)(Number.isFinite(number) ? number / domain : 0);
  return {
    cell: rectangleOf(board, run),
    text: formatNote(number),
    role,
    fill: cssColour(colour),
    ink: textOn(colour),
  };
}
