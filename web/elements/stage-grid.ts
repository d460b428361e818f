/** The ARIA grid that mirrors a board: names and values of its cells, one tab stop with a roving tabindex. DESIGN.md, section 8. */
import { html, nothing, type TemplateResult } from "lit";
import { styleMap } from "./style-map.js";
import { namesOf, type Board, type Place } from "../marks/board.js";
import { formatNote } from "../marks/numbers.js";
import type { Words } from "../i18n/words.js";
import type { NodeWords } from "../marks/wording.js";
import { symbolName } from "./stage-letters.js";

/** Boards with more cells hold only the row of their tab stop. */
const MOST_CELLS = 200;

export function isWhole(board: Board): boolean {
  return board.rows * board.columns <= MOST_CELLS;
}

export interface GridView {
  board: Board;
  /** The cell that the Tab key reaches; of a large board its row alone is drawn. */
  place: Place;
  /** Only so many cells are computed so far. */
  shown: number;
  words: Words;
  nodeWords: ((node: string) => NodeWords) | null;
}

const saidOf = ({ board, nodeWords }: GridView): NodeWords | null => nodeWords?.(board.node) ?? null;

/** "weights, 4 by 4, rows word 1 to word 4, columns word 1 to word 4". */
function gridName(view: GridView): string {
  const { board, words } = view;
  if (!board.tensor) {
    if (board.patch !== null) return words("stage.pixels", { patch: board.patch });
    return words("stage.patches", { rows: board.rows, columns: board.columns });
  }
  const said = saidOf(view);
  const { rows, columns } = namesOf(board.tensor, said);
  const { placed } = board.tensor;
  const own = placed.name || said?.name || symbolName(placed.symbol);
  const reading = placed.reading?.name;
  const name = reading ? words("stage.reading", { name: own, reading }) : own;
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

/** "word 1 to word 3, 0.749". */
function cellNames(view: GridView): (row: number, column: number) => string {
  const { board, words, shown } = view;
  const { tensor } = board;
  const said = tensor && saidOf(view);
  const names = tensor && namesOf(tensor, said);
  return (row, column) => {
    const cell = board.cellAt(row, column);
    if (tensor?.placed.reading?.numbers === null) return words("stage.noReading");
    if (row * board.columns + column >= shown) return words("stage.notComputed");
    const number = board.valueAt(row, column);
    if (number === null || !tensor) {
      if (number === null) return words("stage.patch", { patch: row * board.columns + column });
      return words("stage.pixel", {
        row: cell.index.at(-2) ?? row,
        column: cell.index.at(-1) ?? column,
        value: formatNote(number),
      });
    }
    const { snapshot, placed, changeAt } = tensor;
    const value = formatNote(number);
    const meaning = said?.meaning(cell.index) ?? "";
    const rowName = names?.rows[row];
    const columnName = names?.columns[column];
    let name: string;
    if (rowName && columnName) name = words("stage.cellPair", { row: rowName, column: columnName, value });
    else if (meaning) name = words("stage.cellMeaning", { meaning, value });
    else {
      const places = {
        row: rowName ?? words("stage.row", { row }),
        column: columnName ?? words("stage.column", { column }),
      };
      name = words("stage.cell", { ...places, value });
    }
    const change = changeAt?.(row, column) ?? 0;
    if (change !== 0 && !Number.isNaN(change) && !placed.reading?.numbers)
      name = words("stage.changed", { cell: name, by: formatNote(change) });
    if (placed.masked?.(row, column)) name = words("stage.masked", { cell: name });
    const edited = snapshot.edited.some((index) => index.every((at, axis) => at === cell.index[axis]));
    return edited ? words("stage.handmade", { cell: name }) : name;
  };
}

/**
 * The grid over a board's cells. Cells carry their row and column in data attributes; keys, focus and the one tab stop are the
 * stage's, so that a stop that moves makes no cell anew.
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
    class=${paintable ? "paintable" : ""}
    data-board=${board.id}
    aria-label=${gridName(view)}
    aria-rowcount=${whole ? nothing : board.rows}
    aria-colcount=${whole ? nothing : board.columns}
    aria-readonly=${editable ? "false" : "true"}
    style=${styleMap(size)}
  >
    ${rows.map(
      (row) =>
        html`<div
          role="row"
          aria-rowindex=${row + 1}
          style=${styleMap({ top: `${row * board.cellHeight}px`, height: `${board.cellHeight}px` })}
        >
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
