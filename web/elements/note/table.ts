/**
 * The body of the note: its lines as a table or, when all terms of a long sum are shown, one line per term.
 */
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Words } from "../../i18n/words.js";
import type { NoteCell } from "./cells.js";
import type { NoteLayout, NoteLine } from "./layout.js";
import { addressText, plainText } from "./places.js";
import type { CellAddress, Phrase } from "./places.js";

/** Text with its symbols in serif italics. */
export function phraseTemplate(parts: Phrase): unknown {
  return parts.map((part) => {
    if (typeof part === "string") return part;
    const sub = part.sub ? html`<sub>${part.sub}</sub>` : nothing;
    const sup = part.sup ? html`<sup>${part.sup}</sup>` : nothing;
    return html`<i>${part.text}${sub}${sup}</i>`;
  });
}

/** A long address may break after its dots. */
export const breakAfterDots = (address: string): unknown[] =>
  address.split(/(?<=\.)/).map((part, place) => (place > 0 ? html`<wbr />${part}` : part));

/** Shows the terms that a row omits. */
type Open = () => void;

function isSameCell(a: CellAddress | null, b: CellAddress | null): boolean {
  return a !== null && b !== null && a.node === b.node && a.index.join() === b.index.join();
}

/** The content of a cell: an operand is a button, and so is "125 more". `first` marks the tab stop. */
function content(
  cell: NoteCell,
  at: string,
  first: boolean,
  layout: NoteLayout,
  words: Words,
  lit: CellAddress | null,
  open: Open,
): unknown {
  if (cell.kind === "rest") {
    const name = words("note.open_full", { total: layout.total });
    return html`<button class="link" title=${name} @click=${open}>${cell.text}</button>`;
  }
  if (cell.use !== undefined) {
    const name = words("note.gradient.open", { value: cell.text });
    return html`<button class="link" data-use=${cell.use} aria-label=${name} title=${name}>
      ${cell.text}
    </button>`;
  }
  if (!cell.operand)
    return cell.exact === "" ? cell.text : html`<span title=${cell.exact}>${cell.text}</span>`;
  const address = addressText(cell.operand);
  const nameWith = (value: string) => words("note.operand", { address, value });
  return html`<button
    class="operand"
    data-at=${at}
    title=${nameWith(cell.exact)}
    aria-label=${cell.kind === "number" ? nameWith(cell.text) : nothing}
    tabindex=${first ? 0 : -1}
    ?data-lit=${isSameCell(cell.operand, lit)}
  >
    ${cell.kind === "text" ? breakAfterDots(cell.text) : cell.text}
  </button>`;
}

function label(line: NoteLine): TemplateResult {
  return html`<span data-role=${line.tone ?? nothing}
    >${line.sign ? `${line.sign}\u00a0` : nothing}${phraseTemplate(line.label)}</span
  >`;
}

function classes(cell: NoteCell): string {
  return `${cell.kind} ${cell.tone}`;
}

/** The place of the first operand of the note: "line,column". */
function firstOperand(layout: NoteLayout): string {
  const line = layout.lines.findIndex(({ cells }) => cells.some((cell) => cell.operand));
  return `${line},${layout.lines[line]?.cells.find((cell) => cell.operand)?.column}`;
}

/**
 * A table row per line: the label, then for each column a cell and, between two columns, an operator or a
 * gap.
 */
export function linesTable(
  layout: NoteLayout,
  words: Words,
  lit: CellAddress | null,
  open: Open,
): TemplateResult {
  const first = firstOperand(layout);
  const columns = Array.from({ length: layout.columns }, (_, column) => column);
  const between = columns.map((column) =>
    layout.lines.some(({ cells }) => cells.some((cell) => cell.column === column && cell.after !== "")),
  );
  /** A label without cells spans the table: it must not make the column of labels wide. */
  const labelCell = (line: NoteLine): TemplateResult => {
    if (plainText(line.label) === "") return html`<td class="blank"></td>`;
    const span = line.cells.length === 0 ? 2 * layout.columns : nothing;
    return html`<th scope="row" colspan=${span}>${label(line)}</th>`;
  };
  const row = (line: NoteLine, number: number): TemplateResult => {
    const shown = (cell: NoteCell) =>
      content(
        cell,
        `${number},${cell.column}`,
        `${number},${cell.column}` === first,
        layout,
        words,
        lit,
        open,
      );
    if (line.spansColumns) {
      return html`${line.cells.map(
        (cell) => html`<td class=${classes(cell)} colspan=${2 * layout.columns - 1}>${shown(cell)}</td>`,
      )}`;
    }
    return html`${columns.map((column) => {
      const cell = line.cells.find((one) => one.column === column);
      const inline = cell?.kind === "result" && line.cells.some((one) => one.after === "=");
      const gap = column < layout.columns - 1;
      return html`<td class=${cell ? `${classes(cell)}${inline ? " inline" : ""}` : nothing}>
          ${cell ? shown(cell) : nothing}
        </td>
        ${gap ? html`<td class=${between[column] ? "after" : "gap"}>${cell?.after || nothing}</td>` : nothing}`;
    })}`;
  };
  return html`<table class="lines">
    <tbody>
      ${layout.lines.map(
        (line, number) =>
          html`<tr
            class=${[line.hasRule && "ruled", line.spansColumns && "wide"].filter(Boolean).join(" ") || nothing}
          >
            ${labelCell(line)} ${line.cells.length === 0 ? nothing : row(line, number)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/**
 * A table row per term under the labels of the lines, for terms that are too wide as columns, or too many.
 * Results are at the end or below.
 */
export function termsTable(
  layout: NoteLayout,
  words: Words,
  lit: CellAddress | null,
  open: Open,
): TemplateResult {
  const first = firstOperand(layout);
  const names = layout.lines.find((line) => line.role === "names");
  const across = layout.lines.filter((line) => !line.spansColumns && line !== names);
  const below = layout.lines.filter((line) => line.spansColumns);
  const shown = (line: NoteLine, cell: NoteCell) => {
    const at = `${layout.lines.indexOf(line)},${cell.column}`;
    return content(cell, at, at === first, layout, words, lit, open);
  };
  const corner =
    names && plainText(names.label) !== ""
      ? label(names)
      : html`<span class="unseen">${words("note.term")}</span>`;
  const row = (column: number): TemplateResult => {
    const cells = across.map((line) => line.cells.find((cell) => cell.column === column));
    const rest = cells.findIndex((cell) => cell?.kind === "rest");
    const restLine = across[rest];
    const restCell = cells[rest];
    const place = column < layout.places.length ? layout.places[column] : words("note.row.sum");
    return html`<tr class=${cells.some((cell) => cell?.tone === "own") ? "own" : nothing}>
      <th scope="row">${restLine && restCell ? shown(restLine, restCell) : place}</th>
      ${across.map((line, number) => {
        const cell = number === rest ? undefined : cells[number];
        const ruled = line.hasRule && names !== undefined ? " ruled" : "";
        return html`<td class=${`${cell ? classes(cell) : ""}${ruled}`}>
          ${cell ? shown(line, cell) : nothing}
        </td>`;
      })}
    </tr>`;
  };
  return html`<div
    class="terms"
    tabindex="0"
    role="group"
    aria-label=${words("note.region", { address: layout.address })}
  >
    <table>
      <thead>
        <tr>
          <th scope="col">${corner}</th>
          ${across.map((line) => html`<th scope="col">${label(line)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${Array.from({ length: layout.columns }, (_, column) => row(column))}
      </tbody>
      <tfoot>
        ${below.map(
          (line) =>
            html`<tr class=${line.role === "sum" || line.hasRule ? "ruled" : nothing}>
              <th scope="row">${label(line)}</th>
              ${line.cells.map(
                (cell) => html`<td class=${classes(cell)} colspan=${across.length}>${shown(line, cell)}</td>`,
              )}
            </tr>`,
        )}
      </tfoot>
    </table>
  </div>`;
}
