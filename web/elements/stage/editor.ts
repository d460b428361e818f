/**
 * The editor over one cell, for typing a number in place. Enter commits, Escape cancels; text that is not a
 * number is kept, with a message.
 */
import { html, nothing, type TemplateResult } from "lit";
import { printable } from "../../config/shortened.js";
import type { Words } from "../../i18n/words.js";
import { sameCell, type Board, type Cell, type Place } from "../../marks/board.js";
import { textWidth } from "../../marks/measure.js";
import { formatFull, parseNumber } from "../../marks/numbers.js";
import { styleMap } from "../style-map.js";

interface Editing {
  board: Board;
  place: Place;
  cell: Cell;
  text: string;
  /**
   * Whether the reader began to type over the number: then the caret is after the first character, and
   * nothing is selected.
   */
  typed: boolean;
  problem: string;
  /** Whether the input has not had the focus yet. */
  opening: boolean;
}

/** The part of the stage that the editor uses. */
export interface EditorHost {
  requestUpdate(): void;
  /** The reader has finished with the keyboard: the focus returns to the cell. */
  focusOn(board: Board, place: Place): void;
  edit(cell: Cell, value: number): void;
}

/** The address as NumPy writes it: "X[0, 2]". */
export function addressOf(cell: Cell): string {
  return `${cell.node}[${cell.index.join(", ")}]`;
}

const LEAST_WIDTH = 76;
const LEAST_HEIGHT = 26;
/** The width of a message; longer ones have several lines. */
const REFUSAL_WIDTH = 360;

export class StageEditor {
  #host: EditorHost;
  #editing: Editing | null = null;
  /** The cell where a change was refused; `text` is the reason, null when the cell cannot be edited. */
  #refused: { board: Board; place: Place; text: string | null } | null = null;

  constructor(host: EditorHost) {
    this.#host = host;
  }

  get isOpen(): boolean {
    return this.#editing !== null;
  }

  /**
   * Opens over a cell with its number, or with the text typed so far. Over a cell that cannot be edited it
   * shows a message.
   */
  open(board: Board, place: Place, typed: string | null): void {
    if (!board.tensor) return;
    if (!board.tensor.placed.editable) {
      return this.refuse(board, place, null);
    }
    const text = typed ?? formatFull(board.ownAt(...place) ?? NaN);
    const cell = board.cellAt(...place);
    this.#editing = { board, place, cell, text, typed: typed !== null, problem: "", opening: true };
    this.#host.requestUpdate();
  }

  /**
   * Shows a message at a cell: why a value was refused or, when `text` is null, that the cell cannot be
   * edited.
   */
  refuse(board: Board, place: Place, text: string | null): void {
    this.#refused = { board, place, text };
    this.#host.requestUpdate();
  }

  /** The target moved to `cell`: a message at another cell is removed. */
  closeMessageElsewhere(cell: Cell | null): void {
    const refused = this.#refused;
    if (refused && !sameCell(refused.board.cellAt(...refused.place), cell)) this.#refused = null;
  }

  /** Removes the message. */
  clear(): void {
    if (!this.#refused) return;
    this.#refused = null;
    this.#host.requestUpdate();
  }

  /** Finds the same cell in a new scene, or closes. */
  renew(boards: readonly Board[]): void {
    const again = ({ id, place: [row, column] }: { id: string; place: Place }): Board | undefined =>
      boards.find((board) => board.id === id && row < board.rows && column < board.columns);
    const refused = this.#refused;
    // The message stays in another layout; with new numbers it goes.
    const still = refused && again({ id: refused.board.id, place: refused.place });
    const same = still?.tensor?.snapshot === refused?.board.tensor?.snapshot;
    this.#refused = still && same ? { ...refused, board: still } : null;
    const editing = this.#editing;
    if (!editing) return;
    const board = again({ id: editing.board.id, place: editing.place });
    this.#editing = board?.tensor?.placed.editable ? { ...editing, board } : null;
  }

  template(width: number, words: Words): TemplateResult {
    return html`${this.#input(width, words)}${this.#refusal(width, words)}`;
  }

  /** The element is always present, so that a screen reader announces its content. */
  #refusal(width: number, words: Words): TemplateResult {
    const refused = this.#refused;
    if (!refused?.board.tensor) return html`<p class="refused" role="status"></p>`;
    const { board, place } = refused;
    const key = board.tensor?.snapshot.op === "leaf" ? "stage.fixed" : "stage.computed";
    const text = refused.text ?? words(key, { address: addressOf(board.cellAt(...place)) });
    const room = Math.max(0, width - Math.min(REFUSAL_WIDTH, textWidth(text, 12.5)) - 24);
    const left = Math.min(room, board.x + place[1] * board.cellWidth);
    const top = board.y + (place[0] + 1) * board.cellHeight + 6;
    return html`<p class="refused" role="status" style=${styleMap({ left: `${left}px`, top: `${top}px` })}>
      ${text}
    </p>`;
  }

  #input(width: number, words: Words): TemplateResult | typeof nothing {
    if (!this.#editing) return nothing;
    const { board, place, cell, text, problem } = this.#editing;
    const own = Math.max(LEAST_WIDTH, board.cellWidth);
    const middle = board.x + (place[1] + 0.5) * board.cellWidth;
    const left = Math.max(0, Math.min(width - own, middle - own / 2));
    const height = Math.max(LEAST_HEIGHT, board.cellHeight);
    const top = board.y + (place[0] + 0.5) * board.cellHeight - height / 2;
    const size = { left: `${left}px`, top: `${top}px`, width: `${own}px` };
    return html`<div class="editor" style=${styleMap(size)}>
      <input
        style=${styleMap({ height: `${height}px` })}
        autocomplete="off"
        spellcheck="false"
        aria-label=${words("stage.edit", { address: addressOf(cell) })}
        aria-invalid=${problem ? "true" : "false"}
        aria-describedby="problem"
        .value=${text}
        @input=${this.#type}
        @keydown=${(event: KeyboardEvent) => this.#key(event, words)}
        @blur=${() => this.#commit(words, false)}
      />
      <p id="problem" role="alert">${problem}</p>
    </div>`;
  }

  /**
   * Focuses the input when it has just been drawn, with the caret after the typed text or the old number
   * selected.
   */
  settle(root: ParentNode): void {
    const input = this.#editing?.opening ? root.querySelector<HTMLInputElement>(".editor input") : null;
    if (!input || !this.#editing) return;
    this.#editing.opening = false;
    input.focus({ preventScroll: true });
    if (this.#editing.typed) input.setSelectionRange(input.value.length, input.value.length);
    else input.select();
  }

  #change(part: Partial<Editing>): void {
    if (this.#editing) this.#editing = { ...this.#editing, ...part };
    this.#host.requestUpdate();
  }

  #type = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) this.#change({ text: event.target.value, problem: "" });
  };

  #key(event: KeyboardEvent, words: Words): void {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Enter") this.#commit(words, true);
    else if (event.key === "Escape") this.#close(true);
    else return;
    event.preventDefault();
  }

  /** Reports the new number and closes; a text that is not a number stays, with a message. */
  #commit(words: Words, stay: boolean): void {
    const editing = this.#editing;
    if (!editing) return;
    const text = editing.text.trim();
    const value = parseNumber(text);
    const before = editing.board.ownAt(...editing.place) ?? NaN;
    if (text === formatFull(before) || (value !== null && Object.is(value, before))) this.#close(stay);
    else if (value === null) {
      this.#change({
        problem: text ? words("stage.notNumber", { text: printable(text) }) : words("stage.emptyEdit"),
      });
    } else {
      this.#close(stay);
      const { leaf = editing.cell.node } = editing.board.tensor?.placed ?? {};
      this.#host.edit({ ...editing.cell, node: leaf }, value);
    }
  }

  #close(stay: boolean): void {
    const editing = this.#editing;
    this.#editing = null;
    if (editing && stay) this.#host.focusOn(editing.board, editing.place);
    this.#host.requestUpdate();
  }
}
