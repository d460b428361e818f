/**
 * The ARIA grid of a board: the names and values of its cells, and one tab stop with a roving tabindex.
 * DESIGN.md, section 8.
 */
import { html, nothing, type TemplateResult } from "lit";
import { styleMap } from "../style-map.js";
import { namesOf, rectangleOf, sameCell, type Board, type Cell, type Place } from "../../marks/board.js";
import { formatNote } from "../../marks/numbers.js";
import { indexOf } from "../../marks/plane.js";
import type { Words } from "../../i18n/words.js";
import type { NodeWords } from "../../marks/wording.js";
import { symbolName } from "./letters.js";

/** Grids of boards with more cells contain only the row of their tab stop. */
const MOST_CELLS = 200;

export function isWhole(board: Board): boolean {
  return board.rows * board.columns <= MOST_CELLS;
}

export interface GridView {
  board: Board;
  /** The cell that the Tab key reaches; of a large board only its row is rendered. */
  place: Place;
  /** The number of cells that are computed so far. */
  shown: number;
  words: Words;
  nodeWords: ((node: string) => NodeWords) | null;
  /** The cell whose number is covered; null for none. */
  covered: Cell | null;
  /** Whether its numbers change many times a second: then the names of its cells are without them. */
  isMoving: boolean;
}

const wordsOfNode = ({ board, nodeWords }: Pick<GridView, "board" | "nodeWords">): NodeWords | null =>
  nodeWords?.(board.node) ?? null;

/** What the grid of a board depends on while its numbers change: all but these. */
export function movingParts(view: Pick<GridView, "board" | "nodeWords" | "words" | "covered">): unknown[] {
  const { board, words, covered } = view;
  const { rows, columns } = board.tensor
    ? namesOf(board.tensor, wordsOfNode(view))
    : { rows: [], columns: [] };
  const { id, x, y, cellWidth, cellHeight } = board;
  const names = [rows.join(), columns.join()];
  return ["moving", id, x, y, cellWidth, cellHeight, board.rows, board.columns, ...names, words, covered];
}

/** The name of a tensor, with what its cells are read as. */
function tensorName({ placed }: NonNullable<Board["tensor"]>, { words, ...view }: GridView): string {
  const name = placed.name || wordsOfNode(view)?.name || symbolName(placed.symbol);
  const reading = placed.reading?.name;
  return reading ? words("stage.reading", { name, reading }) : name;
}

/** The name of a grid: "weights, 4 by 4, rows word 1 to word 4, columns word 1 to word 4". */
function gridName(view: GridView): string {
  const { board, words } = view;
  if (!board.tensor) {
    if (board.patch !== null) return words("stage.pixels", { patch: board.patch });
    return words("stage.patches", { rows: board.rows, columns: board.columns });
  }
  const { rows, columns } = namesOf(board.tensor, wordsOfNode(view));
  const name = tensorName(board.tensor, view);
  let grid = words("stage.grid", { name, rows: board.rows, columns: board.columns });
  if (rows.length && board.rows > 1)
    grid = words("stage.gridRows", { grid, first: rows[0] ?? "", last: rows[board.rows - 1] ?? "" });
  if (columns.length && board.columns > 1) {
    grid = words("stage.gridColumns", {
      grid,
      first: columns[0] ?? "",
      last: columns[board.columns - 1] ?? "",
    });
  }
  return grid;
}

/** The name of each cell without its number, different for every cell: "keys, word 1, column 2". */
function placesOf(tensor: NonNullable<Board["tensor"]>, view: GridView): (cell: Place) => string {
  const { words } = view;
  const nodeWords = wordsOfNode(view);
  const names = namesOf(tensor, nodeWords);
  const name = tensorName(tensor, view);
  const { plane, snapshot } = tensor;
  /** The name of a place; its number where several places share a name, or have none. */
  const along = (axis: number, names: readonly string[], at: number): string => {
    const name = names[at] ?? "";
    if (name && names.indexOf(name) === names.lastIndexOf(name)) return name;
    const across = axis === plane.at.length - 1;
    const place = across ? words("stage.column", { column: at }) : words("stage.row", { row: at });
    return name ? words("stage.named", { place, name }) : place;
  };
  const fixed = plane.at.map((at, axis) =>
    at === null || snapshot.shape[axis] === 1 ? "" : along(axis, nodeWords?.axes[axis] ?? [], at),
  );
  // The names that a tensor brings along are only those of the columns in its window.
  const ofAxis =
    tensor.placed.window && plane.columnAxis !== null ? nodeWords?.axes[plane.columnAxis] : undefined;
  const columns = ofAxis ?? names.columns;
  return ([row, column]) => {
    const ownPlace = nodeWords?.place?.(indexOf(plane, row, column));
    const across = fixed.map((place, axis) => {
      if (axis === plane.rowAxis) return along(axis, names.rows, row);
      return axis === plane.columnAxis ? along(axis, columns, plane.firstColumn + column) : place;
    });
    const down = plane.rowAxis === null ? (names.rows[row] ?? "") : "";
    const places = ownPlace ? [ownPlace] : [across.includes(down) ? "" : down, ...across];
    return places.reduce((before, place) => (place ? words("stage.and", { before, place }) : before), name);
  };
}

/** The name of each cell with its number, unless that is moving: "weights, word 1, word 3: 0.749". */
export function cellNames(view: GridView): (row: number, column: number) => string {
  const { board, words, shown, covered } = view;
  const { tensor } = board;
  const placeOf = tensor && placesOf(tensor, view);
  return (row, column) => {
    const cell = board.cellAt(row, column);
    if (tensor?.placed.reading?.numbers === null) return words("stage.noReading");
    if (row * board.columns + column >= shown) return words("stage.notComputed");
    const number = board.valueAt(row, column);
    if (number === null || !tensor || !placeOf) {
      if (number === null) return words("stage.patch", { patch: row * board.columns + column });
      return words("stage.pixel", {
        patch: board.patch ?? 0,
        row: cell.index.at(-2) ?? row,
        column: cell.index.at(-1) ?? column,
        value: formatNote(number),
      });
    }
    if (view.isMoving) return placeOf([row, column]);
    const { snapshot, placed, changeAt } = tensor;
    const isCovered = sameCell(covered, cell);
    const value = isCovered ? "?" : formatNote(number);
    let name = words("stage.cell", { place: placeOf([row, column]), value });
    if (isCovered) return name;
    const change = changeAt?.(row, column) ?? 0;
    if (change !== 0 && !Number.isNaN(change) && !placed.reading?.numbers)
      name = words("stage.changed", { cell: name, by: formatNote(change) });
    if (placed.masked?.[row]?.[column]) name = words("stage.masked", { cell: name });
    const edited = snapshot.edited.some((index) => index.every((at, axis) => at === cell.index[axis]));
    return edited ? words("stage.handmade", { cell: name }) : name;
  };
}

/** The place of a row in its grid, and the widths of its cells if they differ. */
function rowStyle(board: Board, row: number): Record<string, string> {
  const { y, height } = rectangleOf(board, { top: row, bottom: row, left: 0, right: board.columns - 1 });
  const ends = board.ends?.[row];
  const widths = ends?.slice(1).map((end, column) => `${end - ends[column]!}px`);
  return {
    top: `${y - board.y}px`,
    height: `${height}px`,
    ...(widths && { "grid-template-columns": widths.join(" ") }),
  };
}

/**
 * The grid of a board's cells. Cells have their row and column in data attributes. Key handling, focus and
 * the tab stop belong to the stage, so that moving the tab stop renders no cell again.
 */
export function grid(view: GridView): TemplateResult {
  const { board, place } = view;
  const name = cellNames(view);
  const editable = board.tensor?.placed.editable ?? false;
  const paintable = board.tensor?.placed.paintable ?? false;
  const whole = isWhole(board);
  const rows = whole ? Array.from({ length: board.rows }, (_, row) => row) : [place[0]];
  const size = {
    left: `${board.x}px`,
    top: `${board.y}px`,
    width: `${board.columns * board.cellWidth}px`,
    height: `${board.rows * board.cellHeight}px`,
  };
  return html`<div
    role="grid"
    class=${paintable ? "paintable" : editable ? "pullable" : ""}
    data-board=${board.id}
    aria-label=${gridName(view)}
    aria-rowcount=${whole ? nothing : board.rows}
    aria-colcount=${whole ? nothing : board.columns}
    aria-readonly=${editable ? "false" : "true"}
    style=${styleMap(size)}
  >
    ${rows.map(
      (row) =>
        html`<div role="row" aria-rowindex=${row + 1} style=${styleMap(rowStyle(board, row))}>
          ${Array.from(
            { length: board.columns },
            (_, column) =>
              html`<div
                role="gridcell"
                data-row=${row}
                data-column=${column}
                tabindex="-1"
                aria-colindex=${column + 1}
                aria-label=${name(row, column)}
              ></div>`,
          )}
        </div>`,
    )}
  </div>`;
}
