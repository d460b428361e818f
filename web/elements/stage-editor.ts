/** The editor over one cell: a number typed in place. Enter commits, Escape cancels, what is not a number is named and kept. */
import { html, type TemplateResult } from "lit";
import { styleMap } from "./style-map.js";
import type { Board, Cell, Place } from "../marks/board.js";
import type { Words } from "../i18n/words.js";

export interface Editing {
  board: Board;
  place: Place;
  cell: Cell;
  text: string;
  /** Typed over: the caret stands after the first figure instead of selecting the old number. */
  typed: boolean;
  problem: string;
}

/** The number that a reader typed, in any minus and any width of figures; null when it is none. */
export function parseNumber(text: string): number | null {
  const plain = text.normalize("NFKC").replaceAll("\u2212", "-").trim();
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** As NumPy writes it: "X[0, 2]". */
export function addressOf(cell: Cell): string {
  return `${cell.node}[${cell.index.join(", ")}]`;
}

const LEAST_WIDTH = 76;

export function editor(
  editing: Editing,
  width: number,
  words: Words,
  on: { type: (text: string) => void; commit: () => void; cancel: () => void; away: () => void },
): TemplateResult {
  const { board, place, cell, text, problem } = editing;
  const own = Math.max(LEAST_WIDTH, board.cellWidth);
  const left = Math.max(0, Math.min(width - own, board.x + (place[1] + 0.5) * board.cellWidth - own / 2));
  const height = Math.max(26, board.cellHeight);
  const top = board.y + (place[0] + 0.5) * board.cellHeight - height / 2;
  const keys = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Enter") on.commit();
    else if (event.key === "Escape") on.cancel();
    else return;
    event.preventDefault();
  };
  return html`<div
    class="editor"
    style=${styleMap({ left: `${left}px`, top: `${top}px`, width: `${own}px` })}
  >
    <input
      style=${styleMap({ height: `${height}px` })}
      inputmode="decimal"
      autocomplete="off"
      spellcheck="false"
      aria-label=${words("stage.edit", { address: addressOf(cell) })}
      aria-invalid=${problem ? "true" : "false"}
      aria-describedby="problem"
      .value=${text}
      @input=${(event: Event) => on.type((event.target as HTMLInputElement).value)}
      @keydown=${keys}
      @blur=${on.away}
    />
    <p id="problem" role="alert">${problem}</p>
  </div>`;
}

/** Focuses an editor that has just been drawn: the caret after what was typed, or the old number selected, so that typing replaces it. */
export function startEditing(input: HTMLInputElement, typed: boolean): void {
  input.focus({ preventScroll: true });
  if (typed) input.setSelectionRange(input.value.length, input.value.length);
  else input.select();
}
