/**
 * The foot of the note: links to the cells computed from this one and to its sources, the result of copying,
 * and, on a sheet, arrow buttons.
 */
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Key, Words } from "../../i18n/words.js";
import { formatFull, formatNote } from "../../marks/numbers.js";
import { icon } from "../icons.js";
import type { CopyForm } from "./copy.js";
import type { NoteLayout } from "./layout.js";
import { addressText } from "./places.js";
import type { CellAddress, Phrase } from "./places.js";
import { phraseTemplate } from "./table.js";

/** A cell that is computed from the explained one. */
export interface ResultCell extends CellAddress {
  value: number;
  /** Whether its number is covered. */
  isCovered?: boolean;
  /** The corners of the block of such cells in its node. */
  from?: number[];
  to?: number[];
}

/** The number of links to such cells that are shown. */
const MOST_LINKS = 4;

export interface FootParts {
  resultCells: readonly ResultCell[];
  /** The phrase for one cell of a node: "weight". */
  phraseForCell: (node: string) => Phrase;
  isPinned: boolean;
  /** Whether the cell can be edited. */
  isEditable: boolean;
  /** The number before the last drag, if it was another one. */
  was: number | null;
  /** The format that was copied since the cell was chosen. */
  copied: CopyForm | "refused" | null;
  copy: (form: CopyForm) => void;
  /** Whether all terms are shown and can be folded again. */
  canClose: boolean;
  close: () => void;
  /** Goes back to the sum over the uses of a cell. */
  closeUse: () => void;
  cell: CellAddress | null;
  /** Shape of the tensor that the arrow buttons move in; null for no arrow buttons. */
  shape: readonly number[] | null;
  go: (cell: CellAddress) => void;
  /** Whether the foot is one line, as on a sheet. */
  isShort: boolean;
  /** Whether the reader asked for a gradient where there is none. */
  hasNoGradient: boolean;
  /** The switch between the number and the gradient of the cell. */
  gradient: TemplateResult | null;
}

function resultLink(cell: ResultCell, words: Words, go: FootParts["go"]): TemplateResult {
  const address = addressText(cell);
  const value = cell.isCovered ? "?" : formatNote(cell.value);
  return html`<button
    class="link"
    aria-label=${words("note.go", { address, value })}
    title=${words("note.operand", { address, value: cell.isCovered ? "?" : formatFull(cell.value) })}
    @click=${() => go(cell)}
  >
    ${value}
  </button>`;
}

/** The line of links, "used in query 2 · key 2 · value 1"; in the short form an arrow replaces the words. */
function resultsLine(
  { isGradient }: NoteLayout,
  { resultCells: becomes, phraseForCell, go, isShort }: FootParts,
  words: Words,
): unknown {
  const line = words(isGradient ? "note.gradient.becomes" : "note.becomes");
  const [before, after] = isShort ? ["→ ", ""] : line.split("{links}");
  const more = becomes.length > MOST_LINKS ? html`<span class="lead"> · …</span>` : nothing;
  const links = becomes.slice(0, MOST_LINKS).map((cell, place) => {
    const between = place > 0 ? html`<span aria-hidden="true"> · </span>` : nothing;
    const change = cell.gradient ? "∂\u2009" : nothing;
    return html`<span class="lead"
      >${between}${change}${phraseTemplate(phraseForCell(cell.node))} ${resultLink(cell, words, go)}</span
    >`;
  });
  return [before, links, more, after];
}

function sourcesLine({ from }: NoteLayout, words: Words, go: FootParts["go"]): unknown {
  const [before, after] = words("note.from").split("{links}");
  const links = from.map(({ label, role, name, ...cell }, place) => {
    const title = words("note.source", { name, address: addressText(cell) });
    const symbol = html`<span data-role=${role}>${phraseTemplate(label)}</span>`;
    return html`${place > 0 ? " · " : nothing}<button class="link" title=${title} @click=${() => go(cell)}>
        ${symbol}
      </button>`;
  });
  return [before, links, after];
}

/** The message after copying. The copy of a long row holds only the terms that are shown. */
export function copiedKey(copied: CopyForm | "refused", { hidden }: Pick<NoteLayout, "hidden">): Key {
  if (copied === "refused") return "note.copy_refused";
  if (copied === "numpy") return hidden > 0 ? "note.copied_numpy_shown" : "note.copied_numpy";
  return hidden > 0 ? "note.copied_shown" : "note.copied";
}

function copiedLine(
  copied: CopyForm | "refused",
  layout: NoteLayout,
  copy: FootParts["copy"],
  words: Words,
): TemplateResult {
  const other = copied === "json" ? "numpy" : "json";
  const offer = words(other === "numpy" ? "note.copy_numpy" : "note.copy_json");
  return html`<span role="status">
    ${words(copiedKey(copied, layout))}
    ${copied === "refused" ? nothing : html`<button class="link" @click=${() => copy(other)}>${offer}</button>`}
  </span>`;
}

function arrows(
  cell: CellAddress,
  shape: readonly number[],
  words: Words,
  go: FootParts["go"],
): TemplateResult {
  const arrow = (name: "left" | "up" | "down" | "right", axis: number, by: number) => {
    const index = cell.index.map((place, at) => (at === axis ? place + by : place));
    const place = index[axis];
    const missing = place === undefined || place < 0 || place >= (shape[axis] ?? 0);
    return html`<button
      class="quiet ${name}"
      aria-label=${words(`note.${name}`)}
      ?disabled=${missing}
      @click=${() => go({ node: cell.node, index })}
    >
      ${icon(name === "left" || name === "up" ? "left" : "right")}
    </button>`;
  };
  const last = shape.length - 1;
  return html`<span class="arrows">
    ${arrow("left", last, -1)}${arrow("right", last, 1)}${arrow("up", last - 1, -1)}${arrow("down", last - 1, 1)}
  </span>`;
}

export function noteFoot(
  layout: NoteLayout,
  words: Words,
  parts: FootParts,
): TemplateResult | typeof nothing {
  const { copied, resultCells: becomes, canClose, cell, shape, go } = parts;
  const from = layout.from.length > 0 && html`<span class="kept">${sourcesLine(layout, words, go)}</span>`;
  const { was } = parts;
  const lines = [
    was !== null && html`<span class="kept was">${words("note.was", { value: formatNote(was) })}</span>`,
    copied && copiedLine(copied, layout, parts.copy, words),
    becomes.length > 0 && html`<span class="kept">${resultsLine(layout, parts, words)}</span>`,
    parts.isShort && from,
    parts.isEditable &&
      !parts.isShort &&
      !layout.isGradient &&
      copied === null &&
      html`<span class="how">${words("note.editable")}</span>`,
    parts.hasNoGradient && html`<span role="alert">${words("note.gradient.no_tool")}</span>`,
    layout.foot && html`<span>${words(layout.foot)}</span>`,
    layout.missesSum && html`<span>${words("note.short")}</span>`,
    canClose && html`<button class="link" @click=${parts.close}>${words("note.close_full")}</button>`,
    layout.showsOneUse &&
      html`<button class="link" @click=${parts.closeUse}>${words("note.gradient.close")}</button>`,
    !parts.isShort && from,
    parts.gradient,
    parts.isPinned && !parts.isShort && html`<span class="how">${words("note.pinned")}</span>`,
  ].filter(Boolean);
  const moves = cell && shape ? arrows(cell, shape, words, go) : nothing;
  if (lines.length === 0 && moves === nothing) return nothing;
  return html`<footer>
    <div class="said">${lines}</div>
    ${moves}
  </footer>`;
}
