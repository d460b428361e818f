/** The focus in the grids of a stage: one tab stop per board, moving the focus with the target, and keys. */
import type { Board, Place } from "../../marks/board.js";
import { keyAction, type KeyAction } from "./keys.js";

/** The part of the stage that the keyboard uses. */
export interface KeyboardHost {
  readonly boards: readonly Board[];
  readonly renderRoot: HTMLElement | DocumentFragment;
  /** A cell received the focus. */
  reach(board: Board, place: Place): void;
  act(action: KeyAction, board: Board, place: Place): void;
  leaveGrid(): void;
  requestUpdate(): void;
}

function isCell(thing: unknown): thing is HTMLElement {
  return thing instanceof HTMLElement && thing.getAttribute("role") === "gridcell";
}

function isAt(cell: HTMLElement, [row, column]: Place): boolean {
  return cell.dataset["row"] === String(row) && cell.dataset["column"] === String(column);
}

function cellIn(grid: HTMLElement, [row, column]: Place): HTMLElement | null {
  return grid.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);
}

export class StageKeyboard {
  #host: KeyboardHost;
  /** The tab stop of each board. */
  #places = new Map<string, Place>();
  #goal: { board: string; place: Place } | null = null;
  /** The tab stop of each grid. */
  #stops = new WeakMap<Element, HTMLElement>();

  constructor(host: KeyboardHost) {
    this.#host = host;
  }

  place = (board: Board): Place => {
    const [row, column] = this.#places.get(board.id) ?? [0, 0];
    return [Math.min(row, board.rows - 1), Math.min(column, board.columns - 1)];
  };

  /** The grid cell that has the focus. */
  get focused(): HTMLElement | null {
    const active = this.#host.renderRoot instanceof ShadowRoot ? this.#host.renderRoot.activeElement : null;
    return isCell(active) ? active : null;
  }

  /** Moves the focus to a cell: now if its grid contains it, otherwise once the cell is rendered. */
  focus(board: Board, place: Place): void {
    if (!board.stop) return;
    this.#places.set(board.id, place);
    this.#goal = { board: board.id, place };
    if (!this.#reachGoal()) this.#host.requestUpdate();
  }

  /** The target moved: it becomes the tab stop of its board, and the focus inside the grids follows it. */
  follow(board: Board, place: Place, move: boolean): void {
    this.#places.set(board.id, place);
    if (move && !this.#goal && this.focused) this.#goal = { board: board.id, place };
  }

  /**
   * Call after the grids are rendered: sets one tab stop in each, and moves the focus to the requested cell.
   */
  settle(): void {
    const boards = new Map(this.#host.boards.map((board) => [board.id, board]));
    for (const grid of this.#grids) {
      const board = boards.get(grid.dataset["board"] ?? "");
      if (board) this.#stopAt(grid, this.place(board));
    }
    this.#reachGoal();
    this.#goal = null;
  }

  get #grids(): HTMLElement[] {
    return [...this.#host.renderRoot.querySelectorAll<HTMLElement>(".paper > [data-board]")];
  }

  #stopAt(grid: HTMLElement, place: Place): void {
    const before = this.#stops.get(grid);
    if (before && before.tabIndex === 0 && grid.contains(before) && isAt(before, place)) return;
    const cell = cellIn(grid, place);
    if (before && before !== cell) before.tabIndex = -1;
    if (!cell) return;
    cell.tabIndex = 0;
    this.#stops.set(grid, cell);
  }

  #reachGoal(): boolean {
    const goal = this.#goal;
    if (!goal) return true;
    const grid = this.#grids.find((element) => element.dataset["board"] === goal.board);
    const cell = grid && cellIn(grid, goal.place);
    if (!grid || !cell) return false;
    this.#stopAt(grid, goal.place);
    this.#goal = null;
    if (cell === this.focused) return true;
    const scrolls = this.#host.renderRoot.querySelector(".box:not(.fits)") !== null;
    cell.focus({ preventScroll: !scrolls });
    return true;
  }

  #at(event: Event): { board: Board; place: Place } | null {
    const cell = event.composedPath()[0];
    if (!isCell(cell)) return null;
    const id = cell.closest<HTMLElement>("[data-board]")?.dataset["board"];
    const board = this.#host.boards.find((other) => other.id === id);
    return board ? { board, place: [Number(cell.dataset["row"]), Number(cell.dataset["column"])] } : null;
  }

  /**
   * The cell that the next key starts from: keys may come faster than frames, so it is the last requested
   * one.
   */
  #wanted(): { board: Board; place: Place } | null {
    const goal = this.#goal;
    const board =
      goal && this.focused ? this.#host.boards.find((other) => other.id === goal.board) : undefined;
    return goal && board ? { board, place: goal.place } : null;
  }

  readonly down = (event: KeyboardEvent): void => {
    const at = this.#wanted() ?? this.#at(event);
    const action = at && keyAction(event, this.#host.boards, at.board, at.place);
    if (!at || !action) return;
    event.preventDefault();
    this.#host.act(action, at.board, at.place);
  };

  readonly focusIn = (event: Event): void => {
    const at = this.#at(event);
    if (at) this.#host.reach(at.board, at.place);
  };

  readonly focusOut = (event: Event): void => {
    if (this.#at(event)) this.#host.leaveGrid();
  };

  /** The focus moves when a press ends, because a press may also start a scroll. */
  readonly mouseDown = (event: Event): void => {
    if (event.composedPath().some(isCell)) event.preventDefault();
  };
}
