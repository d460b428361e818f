/** Pulling a number: a number that a pointer, a finger or a key changes where it stands. */
import { html, nothing, type TemplateResult } from "lit";
import { rectangleOf, sameCell, type Board, type Cell, type Place } from "../../marks/board.js";
import { textWidth } from "../../marks/measure.js";
import type { Words } from "../../i18n/words.js";
import { numberAfter, PIXELS_PER_UNIT, unitOf } from "../../marks/pull.js";
import { CHEVRONS, HANDLE, textOf } from "../../marks/rail.js";
import { styleMap } from "../style-map.js";

/** The part of the stage that a pull uses. */
export interface PullHost {
  /** Whether values that were chosen are not in the numbers yet. */
  readonly isBehind: boolean;
  /** The cell that a change of this cell edits, and its number; null where it cannot be changed. */
  editableAt(board: Board, place: Place): { cell: Cell; value: number } | null;
  /** `isFirst` begins a drag: with the later values it is one step to undo. */
  pull(cell: Cell, value: number, isFirst: boolean): void;
  requestUpdate(): void;
}

/** A number under a pointer. */
interface Held {
  board: string;
  place: Place;
  cell: Cell;
  /** The number before the drag. */
  was: number;
  value: number;
  /** The number, the place of the pointer and the unit that the present value is counted from. */
  from: { value: number; x: number; unit: number };
  hasChanged: boolean;
}

/** The gap between a number and the handle above it, and that between a hint and the brackets on its right. */
const GAP = 8;
const ARROW = 26;

const shortText = (value: number): string => textOf(Number(value.toFixed(3)));

export class StagePull {
  readonly #host: PullHost;
  #held: Held | null = null;
  /** The last value that the reader chose; the scene may not have it yet. */
  #chosen: { cell: Cell; value: number } | null = null;

  constructor(host: PullHost) {
    this.#host = host;
  }

  /** Whether a pointer holds a number. */
  get isHolding(): boolean {
    return this.#held !== null;
  }

  /** A pointer takes hold of a number; false where it cannot be changed. */
  hold(board: Board, place: Place, x: number): boolean {
    const found = this.#host.editableAt(board, place);
    if (!found) return false;
    const { cell, value } = found;
    this.#held = {
      board: board.id,
      place,
      cell,
      was: value,
      value,
      from: { value, x, unit: 0.1 },
      hasChanged: false,
    };
    this.#host.requestUpdate();
    return true;
  }

  /** The pointer moves: every few pixels change the number by a unit. */
  move(event: Pick<PointerEvent, "clientX" | "shiftKey" | "altKey">): void {
    const held = this.#held;
    if (!held) return;
    const unit = unitOf(event);
    // Another unit counts from here on.
    if (unit !== held.from.unit)
      held.from = { value: held.value, x: held.hasChanged ? event.clientX : held.from.x, unit };
    const { from } = held;
    const value = numberAfter(from.value, Math.round((event.clientX - from.x) / PIXELS_PER_UNIT), unit);
    if (value === held.value) return;
    this.#choose(held.cell, value, !held.hasChanged);
    Object.assign(held, { value, hasChanged: true });
  }

  letGo(): void {
    if (!this.#held) return;
    this.#held = null;
    this.#host.requestUpdate();
  }

  /** A key changes a number. */
  step(board: Board, place: Place, by: number): void {
    const found = this.#host.editableAt(board, place);
    if (!found) return;
    const { cell } = found;
    const value = this.#chosen && sameCell(this.#chosen.cell, cell) ? this.#chosen.value : found.value;
    this.#choose(cell, numberAfter(value, 1, by), true);
  }

  #choose(cell: Cell, value: number, isFirst: boolean): void {
    this.#chosen = { cell, value };
    this.#host.pull(cell, value, isFirst);
    this.#host.requestUpdate();
  }

  /** Call with new numbers, and when the host is no longer behind: the number drawn counts then, and no chosen one. */
  renew(): void {
    if (!this.#host.isBehind) this.#chosen = null;
  }

  /** The handle above the number that is held: what it was, and what it is. */
  template(boards: readonly Board[], width: number): TemplateResult | typeof nothing {
    const held = this.#held;
    const board = held && boards.find(({ id }) => id === held.board);
    if (!held || !board) return nothing;
    const [row, column] = held.place;
    const cell = rectangleOf(board, { top: row, bottom: row, left: column, right: column });
    const text = held.hasChanged
      ? `${shortText(held.was)} → ${shortText(held.value)}`
      : shortText(held.value);
    const wide = textWidth(text, HANDLE.text) + HANDLE.height + 12;
    const left = Math.max(0, Math.min(width - wide, cell.x + (cell.width - wide) / 2));
    const size = {
      left: `${left}px`,
      top: `${Math.max(0, cell.y - GAP - HANDLE.height)}px`,
      width: `${wide}px`,
    };
    return html`<span class="handle pull" aria-hidden="true" style=${styleMap(size)}
      ><svg viewBox="0 0 9 16"><path d=${CHEVRONS} /></svg>${text}</span
    >`;
  }

  /** The hint at a number that numbers can be dragged: on the left of its row, where nothing else is. */
  hint(boards: readonly Board[], cell: Cell | null, words: Words): TemplateResult | typeof nothing {
    for (const board of cell && !this.#held ? boards : []) {
      const run = board.run(cell!.node, cell!.index, cell!.index);
      if (!run || !board.tensor?.placed.editable) continue;
      const text = words("stage.pull", { value: shortText(board.ownAt(run.top, run.left) ?? NaN) });
      const wide = textWidth(text, HANDLE.text) + ARROW;
      const { y, height } = rectangleOf(board, run);
      const [left, top] = [board.x - GAP - wide, y + (height - HANDLE.height) / 2];
      const isFree = boards.every(
        (other) =>
          other.x >= board.x ||
          other.y > top + HANDLE.height ||
          other.y + other.rows * other.cellHeight < top ||
          other.x + other.columns * other.cellWidth < left,
      );
      if (left < 0 || !isFree) continue;
      const size = { left: `${left}px`, top: `${top}px`, width: `${wide}px`, height: `${HANDLE.height}px` };
      return html`<span class="pull-hint" aria-hidden="true" style=${styleMap(size)}
        >${text}<svg viewBox="0 0 20 16"><path d="M2 8h15M12 3l5 5-5 5" /></svg
      ></span>`;
    }
    return nothing;
  }
}
