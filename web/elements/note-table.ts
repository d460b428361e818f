/** The body of the note: its lines as a table, or, with every term of a long sum open, a line per term. */
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Words } from "../i18n/words.js";
import type { NoteCell } from "./note-cells.js";
import type { NoteLayout, NoteLine } from "./note-layout.js";
import { addressText, plain } from "./note-places.js";
import type { CellAddress, Phrase } from "./note-places.js";

/** Text with symbols in serif italics. */
export function phrase(parts: Phrase): unknown {
  return parts.map((part) => {
    if (typeof part === "string") return part;
    const sub = part.sub ? html`<sub>${part.sub}</sub>` : nothing;
    const sup = part.sup ? html`<sup>${part.sup}</sup>` : nothing;
    return html`<i>${part.text}${sub}${sup}</i>`;
  });
}

type Open = () => void;

function same(a: CellAddress | null, b: CellAddress | null): boolean {
  return a !== null && b !== null && a.node === b.node && a.index.join() === b.index.join();
}

/** What stands in a cell: an operand is a button, and so is "125 more". `first` is the tab stop. */
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
  if (!cell.operand)
    return cell.exact === "" ? cell.text : html`<span title=${cell.exact}>${cell.text}</span>`;
  const address = addressText(cell.operand);
  const named = (value: string) => words("note.operand", { address, value });
  return html`<button
    class="operand"
    data-at=${at}
    title=${named(cell.exact)}
    aria-label=${cell.kind === "number" ? named(cell.text) : nothing}
    tabindex=${first ? 0 : -1}
    ?data-lit=${same(cell.operand, lit)}
  >
    ${cell.text}
  </button>`;
}

function label(line: NoteLine): TemplateResult {
  return html`<span data-role=${line.tone ?? nothing}
    >${line.sign ? `${line.sign} ` : nothing}${phrase(line.label)}</span
  >`;
}

function classes(cell: NoteCell): string {
  return `${cell.kind} ${cell.tone}`;
}

/** Where the first operand of the note stands: "line,column". */
function firstOperand(layout: NoteLayout): string {
  const line = layout.lines.findIndex(({ cells }) => cells.some((cell) => cell.operand));
  return `${line},${layout.lines[line]?.cells.find((cell) => cell.operand)?.column}`;
}

/** Label, then per column a cell and, between two columns, an operator or a gap. */
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
    if (line.wide) {
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
          html`<tr class=${[line.ruled && "ruled", line.wide && "wide"].filter(Boolean).join(" ") || nothing}>
            ${plain(line.label) === "" ? html`<td class="blank"></td>` : html`<th scope="row">${label(line)}</th>`}
            ${row(line, number)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A line per term, in a box that scrolls, under the labels; the sum stands below. */
export function termsTable(
  layout: NoteLayout,
  words: Words,
  lit: CellAddress | null,
  open: Open,
): TemplateResult {
  const first = firstOperand(layout);
  const across = layout.lines.filter((line) => !line.wide);
  const below = layout.lines.filter((line) => line.wide);
  return html`<div
      class="terms"
      tabindex="0"
      role="group"
      aria-label=${words("note.open_full", { total: layout.total })}
    >
      <table>
        <thead>
          <tr>
            <th scope="col"><span class="unseen">${words("note.term")}</span></th>
            ${across.map((line) => html`<th scope="col">${label(line)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Array.from(
            { length: layout.columns },
            (_, column) =>
              html`<tr>
                <th scope="row">${column}</th>
                ${across.map((line) => {
                  const cell = line.cells.find((one) => one.column === column);
                  const at = `${layout.lines.indexOf(line)},${column}`;
                  return html`<td class=${cell ? classes(cell) : nothing}>
                    ${cell ? content(cell, at, at === first, layout, words, lit, open) : nothing}
                  </td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <table>
      <tbody>
        ${below.map(
          (line) =>
            html`<tr class="ruled">
              <th scope="row">${label(line)}</th>
              ${line.cells.map((cell) => html`<td class=${classes(cell)}>${cell.text}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
}
