/** The positions of the lines and texts around one matrix: brackets, caption, names of rows and columns. See DESIGN.md, section 4. */
import type { Words } from "../i18n/words.js";
import { middleOf, rectangleOf, type Board, type Cell, type Rectangle } from "./board.js";
import { subscriptedWidth, symbolWidth } from "./lettering.js";
import type { Lighting } from "./lighting.js";
import { columnNames, cutName, cutTo, nameEvery, textWidth } from "./measure.js";
import { formatShape } from "./numbers.js";
import type { Run } from "./plane.js";

/** The distance of brackets from the cells, which is also the length of their hooks; a parameter's second line is 3 px farther out. */
const BRACKET = 5;
const DOUBLE = 3;
/** The width of a pen after the name, and how far a caption may reach past the brackets. */
const PEN = 18;
const CAPTION_REACH = 16;
/** The distance from the end of row names to the cells. */
const ROW_NAME = 14;

export function boardRectangle(board: Board): Rectangle {
  return {
    x: board.x,
    y: board.y,
    width: board.columns * board.cellWidth,
    height: board.rows * board.cellHeight,
  };
}

/**
 * The paths of the brackets (double for parameters), of the lines between the parts of heads, and of the bars at both ends of each
 * row that may attend nothing.
 */
export function bracketPaths(board: Board): { bracket: string; bars: string[] } | null {
  if (!board.tensor || board.tensor.placed.plain || board.tensor.placed.form) return null;
  const { x, y, width, height } = boardRectangle(board);
  const { fill, emptyRows, reading, parts = {} } = board.tensor.placed;
  const parameter = reading?.parameter ?? fill === "parameter";
  const top = y - 3;
  const bottom = y + height + 3;
  const left = x - BRACKET;
  const right = x + width + BRACKET;
  const single = `M${left + BRACKET} ${top}H${left}V${bottom}H${left + BRACKET}M${right - BRACKET} ${top}H${right}V${bottom}H${right - BRACKET}`;
  const second = parameter ? `M${left - DOUBLE} ${top}V${bottom}M${right + DOUBLE} ${top}V${bottom}` : "";
  let between = "";
  for (let at = parts.columns ?? Infinity; at < board.columns; at += parts.columns!)
    between += `M${x + at * board.cellWidth} ${y}v${height}`;
  for (let at = parts.rows ?? Infinity; at < board.rows; at += parts.rows!)
    between += `M${x} ${y + at * board.cellHeight}h${width}`;
  const bar = Math.min(18, board.cellHeight - 4);
  const bars = (emptyRows ?? []).map((row) => {
    const middle = y + (row + 0.5) * board.cellHeight;
    return `M${left} ${middle - bar / 2}v${bar}M${right} ${middle - bar / 2}v${bar}`;
  });
  return { bracket: single + second + between, bars };
}

/** The positions of the parts of a caption; the shape ends at `right`. */
export interface CaptionPlace {
  left: number;
  right: number;
  baseline: number;
  symbolWidth: number;
  /** Sizes and letters, as many as fit; empty if none fit. */
  shape: string;
  /** The plain name; empty if a text about the numbers takes its place. */
  name: string;
  nameX: number;
  nameY: number;
  /** The place of the pen of a mask that can be painted. */
  penX: number;
  /** "1 by hand", or the remark of a reading; empty if there is neither. */
  byHand: string;
  handX: number;
  handY: number;
}

/** The positions of symbol, plain name, sizes and letters, above or below the cells. */
export function captionPlace(board: Board, words: Words): CaptionPlace | null {
  if (!board.tensor || board.tensor.placed.caption === "none") return null;
  const { placed, snapshot } = board.tensor;
  const { x, y, width, height } = boardRectangle(board);
  const left = x - BRACKET;
  const right = x + width + BRACKET;
  const above = placed.caption === "above";
  const names = above && placed.columnNames ? columnNames(placed.columnNames, board.cellWidth).height : 0;
  const baseline = above ? y - 11 - names : y + height + 23;
  const symbol = symbolWidth(placed.symbol);
  const sizes = formatShape([board.rows, board.columns]);
  const full = placed.letters ? `${sizes}  ${placed.letters}` : sizes;
  const edited = snapshot.edited.length > 0 ? words("stage.byHand", { count: snapshot.edited.length }) : "";
  const byHand = placed.reading?.remark ?? edited;
  const handWidth = byHand ? textWidth(byHand, 12.5) + 10 : 0;
  const pen = placed.paintable ? PEN : 0;
  const nameWidth = placed.name ? textWidth(placed.name, 12.5) + 10 + pen : 0;
  // Beside the name if there is room, else over the symbol or in place of the name.
  const alone = (above ? symbol + 10 : 0) + nameWidth + handWidth > right - left + CAPTION_REACH;
  // Above the cells the name is on the symbol's line, below them on a line of its own.
  const beside = above ? textWidth(placed.name, 12.5) + (alone ? 0 : handWidth) + 10 : 0;
  const room = right - left - symbol - beside - 4;
  const name = byHand && alone && !above ? "" : placed.name;
  const nameX = above ? left + symbol + 10 : left;
  const nameY = above ? baseline : baseline + 17;
  return {
    left,
    right,
    baseline,
    symbolWidth: symbol,
    shape: [full, sizes].find((text) => subscriptedWidth(text, 12.5) <= room) ?? "",
    name,
    nameX,
    nameY,
    penX: name ? nameX + textWidth(name, 12.5) + 7 : left + symbol + 8,
    byHand,
    handX: alone ? left : nameX + nameWidth,
    handY: alone && above ? baseline - 18 : nameY,
  };
}

/** The rows and columns whose names are bold: those of the target, of the cells in line with it, and of highlighted runs. */
export function namesOn(board: Board, lighting: Lighting): { row: number | null; column: number | null } {
  const on: { row: number | null; column: number | null } = { row: null, column: null };
  const take = (run: Run): void => {
    if (run.top === run.bottom) on.row = run.top;
    if (run.left === run.right) on.column = run.left;
  };
  for (const run of lighting.sources.get(board.id) ?? []) take(run);
  const { target } = lighting;
  if (!target) return on;
  if (target.board === board) take(target.run);
  else if (
    on.row === null &&
    target.board.y === board.y &&
    target.board.cellHeight === board.cellHeight &&
    target.board.rows === board.rows
  ) {
    on.row = target.run.top;
  }
  return on;
}

/** A name beside or above a matrix, shortened and in full. */
export interface PlacedName {
  text: string;
  cut: string;
  x: number;
  y: number;
  on: boolean;
  kind: "row-name" | "tilted" | "level";
  /** The rotation in degrees about a point. */
  turn: { degrees: number; x: number; y: number } | null;
}

/** The row names at the left, inside `room`: as many as do not touch, and always the highlighted ones. */
export function placedRowNames(board: Board, on: number | null, room: number): PlacedName[] {
  const every = nameEvery(board.cellHeight);
  return (board.tensor?.placed.rowNames ?? []).flatMap((text, row) => {
    const near = on !== null && row !== on && Math.abs(row - on) * board.cellHeight < 12;
    if (row >= board.rows || near || (row % every !== 0 && row !== on)) return [];
    const y = board.y + (row + 0.5) * board.cellHeight + 4;
    const cut = cutTo(text, room - ROW_NAME);
    return [{ text, cut, x: board.x - ROW_NAME, y, on: row === on, kind: "row-name", turn: null } as const];
  });
}

/** The column names above: horizontal if each fits its column, else all tilted or vertical. */
export function placedColumnNames(board: Board, on: number | null): PlacedName[] {
  const { columnNames: given = [], form } = board.tensor?.placed ?? {};
  const names = form ? [] : given;
  const { degrees, every } = columnNames(names, board.cellWidth);
  return names.flatMap((text, column) => {
    const near = on !== null && column !== on && Math.abs(column - on) < every;
    if (column >= board.columns || near || (column % every !== 0 && column !== on)) return [];
    const x = board.x + (column + 0.5) * board.cellWidth;
    const y = board.y - 9;
    // A single character is never rotated.
    const turned = degrees !== 0 && Array.from(text).length > 1;
    const kind = turned ? "tilted" : "level";
    const upright = turned && degrees === -90;
    // Vertical text is centred over the column by its middle, not by its baseline.
    const from = upright ? { x: x + 4, y: y + 2 } : { x, y };
    const turn = upright ? { degrees, ...from } : turned ? { degrees, x: x - 3, y } : null;
    return [{ text, cut: cutName(text), ...from, on: column === on, kind, turn } as const];
  });
}

/** Enlarges a rectangle to at least six pixels in both directions: a smaller frame would hide its content. */
export function enlarged({ x, y, width, height }: Rectangle): Rectangle {
  const wide = Math.max(width, 6);
  const high = Math.max(height, 6);
  return { x: x - (wide - width) / 2, y: y - (high - height) / 2, width: wide, height: high };
}

/** The size of a question mark that does not fit its cell. */
const BESIDE = 13;

/**
 * The cover of a number that the reader is to guess, and its question mark, which stands on the right of a cell that is too small
 * for it; null on a board without the cell.
 */
export function coverPlace(
  board: Board,
  { node, index }: Cell,
): { cell: Rectangle; x: number; baseline: number; size: number; isBeside: boolean } | null {
  const run = board.run(node, index, index);
  if (!run) return null;
  const cell = rectangleOf(board, run);
  const [x, middle] = middleOf(cell);
  const size = Math.min(15, 0.7 * cell.height, 1.2 * cell.width);
  if (size >= 11) return { cell, x, baseline: middle + 0.36 * size, size, isBeside: false };
  return {
    cell,
    x: cell.x + cell.width + 10,
    baseline: middle + 0.36 * BESIDE,
    size: BESIDE,
    isBeside: true,
  };
}

/** The frames of a target: its cell, in a map also its whole row and column; and the wedge of a pinned cell. */
export function targetPlaces(board: Board, run: Run): { cell: Rectangle; lines: Rectangle[]; wedge: string } {
  const whole = boardRectangle(board);
  const cell = enlarged(rectangleOf(board, run));
  const tiny = Math.min(board.cellWidth, board.cellHeight) < 3;
  const across = {
    ...enlarged(rectangleOf(board, { ...run, left: 0, right: 0 })),
    x: whole.x - 1,
    width: whole.width + 2,
  };
  const down = {
    ...enlarged(rectangleOf(board, { ...run, top: 0, bottom: 0 })),
    y: whole.y - 1,
    height: whole.height + 2,
  };
  const wedge = Math.min(9, cell.width / 3, cell.height / 3);
  return {
    cell,
    lines: tiny ? [across, down] : [],
    wedge: `M${cell.x} ${cell.y}h${wedge}l${-wedge} ${wedge}z`,
  };
}

/**
 * Whether the board has row names and no board stands to its left at the same height. Such names stay in sight when the stage is scrolled
 * sideways.
 */
export function hasLeftmostRowNames(board: Board, boards: readonly Board[]): boolean {
  if (board.tensor?.placed.rowNames === undefined) return false;
  const bottom = board.y + board.rows * board.cellHeight;
  return !boards.some(
    (other) => other.x < board.x && other.y < bottom && board.y < other.y + other.rows * other.cellHeight,
  );
}
