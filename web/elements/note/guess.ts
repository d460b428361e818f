/**
 * A number that the reader guesses before the note shows how it is made. The lines of given numbers are shown, the computed ones
 * are covered. A guess that equals the number of an earlier line shows what is still missing. The page only compares numbers.
 */
import { html, nothing, type LitElement, type TemplateResult } from "lit";
import type { Explanation } from "../../core/attention.js";
import type { Words } from "../../i18n/words.js";
import { parseNumber } from "../../marks/numbers.js";
import { icon } from "../icons.js";
import { isNumber, type NoteCell } from "./cells.js";
import type { NoteLayout, NoteLine } from "./layout.js";
import { addressText, plainText, type CellAddress, type Phrase } from "./places.js";

/** How a guess compares with the number. `line`: it is the number of this line, and later lines are missing. */
export type Verdict =
  | { kind: "right" | "near" | "sign" | "largest" | "larger" | "smaller" | "unread" }
  | { kind: "line"; line: number };

/** A guess is right within this share of the number, or this distance from it, whichever is more; and near within this share. */
const RIGHT = 0.02;
const RIGHT_WITHIN = 0.005;
const NEAR = 0.15;

function isWithin(guess: number, value: number, share: number): boolean {
  if (!Number.isFinite(value)) return guess === value;
  return Math.abs(guess - value) <= Math.max(RIGHT_WITHIN, share * Math.abs(value)) + 1e-12;
}

/** Parses a guess: a number, or infinity. */
function parseGuess(text: string): number | null {
  const [, sign, isInfinite] = /^\s*([-\u2212+]?)(?:(∞|inf(?:inity)?)\s*$)?/i.exec(text) ?? [];
  if (!isInfinite) return parseNumber(text);
  return sign === "" || sign === "+" ? Infinity : -Infinity;
}

/** The line with the result, which other lines may follow that say how a place was found. */
const resultLineOf = ({ lines }: NoteLayout): number =>
  lines.findLastIndex(({ cells }) => cells.some(({ kind }) => kind === "result"));

/** The number that a line has come to: that of the explained cell among several; null for a line of operands. */
function numberOf({ sign, cells }: NoteLine): number | null {
  const numbers = cells.filter(isNumber);
  const own = numbers.find(({ tone }) => tone === "own");
  const one = numbers.length === 1 && sign === "" ? numbers[0] : undefined;
  return (own ?? one)?.value ?? null;
}

/** Compares a guess with the explained number, and with the numbers on the way to it. */
export function verdictOf(guess: number, { value, slips }: Explanation, layout: NoteLayout): Verdict {
  if (isWithin(guess, value, RIGHT)) return { kind: "right" };
  const line = layout.lines.slice(0, resultLineOf(layout)).findLastIndex((one) => {
    const number = numberOf(one);
    return number !== null && isWithin(guess, number, RIGHT);
  });
  if (line >= 0) return { kind: "line", line };
  if (isWithin(-guess, value, RIGHT)) return { kind: "sign" };
  if (slips?.["max"] !== undefined && isWithin(guess, slips["max"], RIGHT)) return { kind: "largest" };
  if (isWithin(guess, value, NEAR)) return { kind: "near" };
  return { kind: guess < value ? "larger" : "smaller" };
}

const covered = (cell: NoteCell): NoteCell => ({ ...cell, text: "?", exact: "", operand: null });

/**
 * The layout of another cell's note without the covered number: as an operand, as another weight of the same softmax, or as the result of a
 * copy. The same layout if the note does not hold it.
 */
export function withCoveredOperand(
  layout: NoteLayout,
  explanation: Explanation,
  cell: CellAddress,
): NoteLayout {
  const address = addressText(cell);
  const isOperand = ({ operand }: NoteCell): boolean => operand !== null && addressText(operand) === address;
  const place = cell.index.join();
  const neighbour =
    explanation.op === "softmax" && explanation.node === cell.node
      ? layout.lines.flatMap(({ cells }) => cells).find(({ operand }) => operand?.index.join() === place)
      : undefined;
  const isCopied =
    explanation.op === "mask" || explanation.rows.some(({ role }) => role === "from")
      ? layout.lines.some(({ cells }) => cells.some(isOperand))
      : false;
  let holds = false;
  const hide = (one: NoteCell, line: NoteLine): NoteCell => {
    const isNeighbour =
      line.role === "quotient" && neighbour !== undefined && one.column === neighbour.column;
    const isOwn = isOperand(one);
    if (!isOwn && !isNeighbour && !(isCopied && one.kind === "result")) return one;
    holds = true;
    if (isOwn && one.kind === "text") return { ...one, exact: "?" };
    return { ...covered(one), operand: isOwn ? one.operand : null };
  };
  const lines = layout.lines.map((line) => ({ ...line, cells: line.cells.map((one) => hide(one, line)) }));
  return holds ? { ...layout, lines, sentence: "" } : layout;
}

/** A part of a label, "exp, Σ = 1.335" or "√(1.25 + 1e−5)", without the number that it ends in and without covered ones. */
function withoutNumbers(part: Phrase[number], hidden: ReadonlySet<string>): Phrase[number] {
  if (typeof part !== "string") return part;
  const text = part.replace(/=(\s)\S+$/, "=$1?");
  return text.replace(/(?<![\d.])\u2212?\d+(?:\.\d+)?(?![\d.])/gu, (number) =>
    hidden.has(number) ? "?" : number,
  );
}

/** The layout of the covered cell: `open` lines are shown, and further ones only as far as they consist of other cells' numbers. */
export function coveredLayout(layout: NoteLayout, open: number): NoteLayout {
  const hidden = new Set<string>();
  const lines = layout.lines.map((line, at) => ({
    ...line,
    label: at < open ? line.label : line.label.map((part) => withoutNumbers(part, hidden)),
    cells: line.cells.map((cell) => {
      if (at < open && cell.kind !== "result") return cell;
      // The address of a copied number has that number in its title.
      if (!isNumber(cell)) return { ...cell, exact: "", operand: null };
      if (cell.operand && line.role !== "from") return cell;
      hidden.add(cell.text);
      return covered(cell);
    }),
  }));
  return { ...layout, lines, sentence: "", foot: null };
}

/** The guess at the covered number of a note. */
export class NoteGuess {
  readonly #host: LitElement & { words: Words | null };
  /** The covered cell and its number. */
  #key = "";
  /** Whether some number was covered when the note was drawn last. */
  #hadCover = false;
  /** What stands in the field. */
  #draft = "";
  #verdict: Verdict | null = null;
  /** The guess that was right, as it was typed. */
  #typed = "";
  /** The number of lines that are shown whatever they hold. */
  open = 0;

  constructor(host: LitElement & { words: Words | null }) {
    this.#host = host;
  }

  /**
   * Forgets the guess when another number is covered, or the same anew. It stays while the reader looks at other cells. `isCovered`: the
   * explained number is covered; `hasCover`: that or another one is.
   */
  follow(explanation: Explanation | null, isCovered: boolean, hasCover: boolean): void {
    const key = explanation ? `${addressText(explanation)} ${explanation.value}` : "";
    const isOther = key !== this.#key;
    const isNew = isCovered ? isOther || !this.#hadCover : isOther && !hasCover;
    if (isCovered) this.#key = key;
    this.#hadCover = hasCover;
    if (!isNew) return;
    this.#verdict = null;
    this.#typed = this.#draft = "";
    this.open = 0;
  }

  get #input(): HTMLInputElement | null {
    return this.#host.renderRoot.querySelector("input.guess");
  }

  /** Moves the focus to the field; returns whether there is one. */
  focus(): boolean {
    const input = this.#input;
    input?.focus({ preventScroll: true });
    return input !== null;
  }

  /** Compares the typed guess; returns whether it is right. */
  #try(explanation: Explanation, layout: NoteLayout): boolean {
    const typed = this.#draft;
    const guess = parseGuess(typed);
    this.#verdict = guess === null ? { kind: "unread" } : verdictOf(guess, explanation, layout);
    this.#typed = typed.trim();
    if (this.#verdict.kind === "line") this.open = Math.max(this.open, this.#verdict.line + 1);
    this.#host.requestUpdate();
    return this.#verdict.kind === "right";
  }

  #verdictText(layout: NoteLayout, words: Words): string {
    const verdict = this.#verdict;
    if (!verdict) return "";
    const guess = this.#typed;
    if (verdict.kind !== "line") return words(`note.guess.${verdict.kind}`, { guess });
    const labelOf = ({ sign, label }: NoteLine): string => `${sign} ${plainText(label)}`.trim();
    const label = labelOf(layout.lines[verdict.line]!);
    const missing = coveredLayout(layout, this.open)
      .lines.slice(verdict.line + 1, resultLineOf(layout) + 1)
      .map(labelOf)
      .filter((text) => text !== "")
      .join(words("note.place.list"));
    return words("note.guess.line", { guess, label, missing });
  }

  /** What was said of the guess, once the number is shown. */
  verdict(words: Words): TemplateResult | typeof nothing {
    if (this.#verdict?.kind !== "right") return nothing;
    return html`<p class="verdict right" role="status">
      ${icon("check", 15)} ${words("note.guess.right", { guess: this.#typed })}
    </p>`;
  }

  /** The form under the covered lines. `end` is called when the number is to be shown, with whether it was guessed. */
  form(
    explanation: Explanation,
    layout: NoteLayout,
    words: Words,
    end: (isRight: boolean) => void,
  ): TemplateResult {
    const hasMore = this.#nextLine(layout) < resultLineOf(layout);
    return html`<form
      class="guessing"
      @submit=${(event: Event) => {
        event.preventDefault();
        if (this.#try(explanation, layout)) end(true);
      }}
    >
      <label
        >${words("note.guess.label")}
        <input
          class="guess"
          type="text"
          .value=${this.#draft}
          @input=${(event: InputEvent) => (this.#draft = (event.target as HTMLInputElement).value)}
          inputmode="decimal"
          autocomplete="off"
          spellcheck="false"
          size="8"
      /></label>
      <button class="button" type="submit">${words("note.guess.try")}</button>
      ${
        hasMore
          ? html`<button class="link" type="button" @click=${() => this.#showLine(layout)}>
              ${words("note.guess.next_line")}
            </button>`
          : nothing
      }
      <button class="link" type="button" @click=${() => end(false)}>${words("note.guess.show")}</button>
      <p class="verdict" role="status">${this.#verdictText(layout, words)}</p>
    </form>`;
  }

  /** The next line whose numbers are still covered; that of the result, if there is none before it. */
  #nextLine(layout: NoteLayout): number {
    const result = resultLineOf(layout);
    const next = layout.lines.findIndex(
      ({ role, cells }, at) =>
        at >= this.open &&
        at < result &&
        cells.some(({ kind, operand }) => kind === "number" && (!operand || role === "from")),
    );
    return next < 0 ? result : next;
  }

  #showLine(layout: NoteLayout): void {
    this.open = this.#nextLine(layout) + 1;
    this.#host.requestUpdate();
  }
}
