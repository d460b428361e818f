/** ap-note: how one number was computed, set in columns with a rule and a result. DESIGN.md, section 5. */
import { LitElement, html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import type { Explanation } from "../../core/attention.js";
import type { Words } from "../../i18n/words.js";
import { icon } from "../icons.js";
import { look, roleColours } from "../look.js";
import { copiedKey, noteFoot } from "./foot.js";
import type { ResultCell, FootParts } from "./foot.js";
import { copyText, putOnClipboard } from "./copy.js";
import type { CopyForm } from "./copy.js";
import { isGradientNote } from "../../marks/gradient-reading.js";
import type { gradientLayout } from "./gradient.js";
import { formatNote } from "../../marks/numbers.js";
import { NoteGuess, coveredLayout, withCoveredOperand } from "./guess.js";
import type { NotePlaces } from "../../marks/travel-parts.js";
import { layoutOf, linesWithNumbers, withoutLinks } from "./layout.js";
import type { NoteLayout } from "./layout.js";
import { addressText, phraseForCell } from "./places.js";
import type { CellAddress, NodeWordsOf } from "./places.js";
import { noteStyles } from "./styles.js";
import { breakAfterDots, linesTable, termsTable } from "./table.js";

/** The events of ap-note; all bubble and cross shadow roots. */
export interface NoteEvents {
  /** An operand is pointed at or has the focus; null when it is left. */
  "operand-point": CellAddress | { node: null };
  "cell-go": CellAddress;
  "cell-pin": Record<string, never>;
  /** The reader opens the menu of the explained tensor; `at` is the window rectangle to place it at. */
  "take-open": { node: string; board: null; at: DOMRect };
  /** The reader edits the cell by a button. */
  "cell-change": Record<string, never>;
  /** The reader switches between the number and the gradient of the cell. */
  "cell-gradient": Record<string, never>;
  /** The reader shows or hides the terms that a long row omits. */
  "note-full": { open: boolean };
  /** The reader unfolds a sheet, or folds it to a line. */
  "note-fold": { open: boolean };
  /** The reader covers the number, to guess it. */
  "guess-cover": Record<string, never>;
  /** The covered number is to be shown; `isRight`: the reader has guessed it. */
  "guess-end": { isRight: boolean };
}

/**
 * The steps by which columns that do not fit are narrowed. Columns that are still too wide become one line
 * per term; with a single term, its names break.
 */
const FITS = ["free", "close"] as const;
/** In a dense note names break before the lines become lines of terms, which are more. */
const DENSE_FITS = [...FITS, "close broken"] as const;
const ONE_TERM_FITS = ["free", "broken"] as const;
/** Lines of terms can be narrowed further, and the names of their columns break. */
const TERM_FITS = [...FITS, "tight", "tight broken"] as const;
/** With more columns than this, all terms of a row are shown in lines. */
const COLUMNS = 8;

/** A note of this width has room for a second computation. */
const WIDE = 900;

/** Height of a row in the foot of a sheet, in pixels. */
const ROW = 30;

/** Milliseconds that a target must stay before it is announced. */
const ANNOUNCE_AFTER = 300;

/** Whether the content of the note, or its room, has changed. */
function changesFit(changed: PropertyValues<Note>): boolean {
  return (["explanation", "counterpart", "words", "variant", "full", "folded"] as const).some((name) =>
    changed.has(name),
  );
}

export class Note extends LitElement {
  static override properties = {
    explanation: { attribute: false },
    counterpart: { attribute: false },
    nodeWords: { attribute: false },
    resultCells: { attribute: false },
    pinned: { type: Boolean },
    gradient: {},
    gradientLayout: { attribute: false },
    operand: { attribute: false },
    full: { type: Boolean },
    editable: { type: Boolean },
    edited: { type: Boolean },
    was: { attribute: false },
    covered: { attribute: false },
    mayCover: { type: Boolean },
    shape: { attribute: false },
    folded: { type: Boolean, reflect: true },
    words: { attribute: false },
    variant: { reflect: true },
    copied: { state: true },
    isGradientRefused: { state: true },
    openedUse: { state: true },
    isTurned: { state: true },
    stop: { attribute: false },
    announcement: { state: true },
  };

  static override styles = [look, roleColours, noteStyles];

  declare explanation: Explanation | null;
  /** The explanation of another cell, which stands beside it where the note is wide. */
  declare counterpart: Explanation | null;
  declare nodeWords: NodeWordsOf | null;
  declare resultCells: readonly ResultCell[];
  declare pinned: boolean;
  /**
   * The state of the gradient switch: "none" for a number that was given, "" when the switch is not shown.
   */
  declare gradient: "" | "none" | "off" | "on";
  /** Lays out the note of a gradient. The page sets it with the first gradient, since few readers ask for one. */
  declare gradientLayout: typeof gradientLayout | null;
  /** The source cell that is pointed at on the stage; its number is underlined here. */
  declare operand: CellAddress | null;
  /** Whether `explanation` holds every term. */
  declare full: boolean;
  /** Whether the cell can be edited, and whether it was. */
  declare editable: boolean;
  declare edited: boolean;
  /** The number before the last drag; null when there was none. */
  declare was: number | null;
  /** The cell whose number is covered until the reader has guessed it; null for none. */
  declare covered: CellAddress | null;
  /** Whether the reader may cover the number. */
  declare mayCover: boolean;
  /** Shape of the explained tensor: on a sheet, arrow buttons move within it. Null for no arrow buttons. */
  declare shape: readonly number[] | null;
  /** Whether a sheet shows only its first line. */
  declare folded: boolean;
  declare words: Words | null;
  declare variant: "card" | "sheet" | "strip";
  declare private copied: CopyForm | "refused" | null;
  /** Whether the reader asked for a gradient where there is none. */
  declare private isGradientRefused: boolean;
  /** The use of a gradient that is shown; null for the sum of several. */
  declare private openedUse: number | null;
  /** Whether terms are set in lines because columns are too wide. */
  declare private isTurned: boolean;
  /** The sentence of the present stop of Play; it is announced before the result when the stop changes. */
  declare stop: string;
  /** The text of the live region, set once the target has stayed for a while. */
  declare private announcement: string;
  #announceTimer: ReturnType<typeof setTimeout> | undefined;
  #nextAnnouncement = "";
  #announcedStop = "";

  readonly #guess = new NoteGuess(this);
  #layout: NoteLayout | null = null;
  /** The layout as it is shown. */
  #shownLayout: NoteLayout | null = null;
  #width = 0;
  /** The text that was last fitted into the room, with each digit as 0. */
  #fittedText = "";
  readonly #watch = new ResizeObserver(() => {
    if (this.clientWidth === this.#width) return;
    this.#width = this.clientWidth;
    this.isTurned = false;
    this.requestUpdate("variant");
  });
  /** The address of the operand that was last reported as pointed at; empty for none. */
  #pointed = "";

  constructor() {
    super();
    this.explanation = null;
    this.counterpart = null;
    this.nodeWords = null;
    this.resultCells = [];
    this.pinned = false;
    this.gradient = "";
    this.gradientLayout = null;
    this.operand = null;
    this.full = false;
    this.editable = false;
    this.edited = false;
    this.was = null;
    this.covered = null;
    this.mayCover = false;
    this.shape = null;
    this.folded = false;
    this.words = null;
    this.variant = "card";
    this.copied = null;
    this.isGradientRefused = false;
    this.openedUse = null;
    this.isTurned = false;
    this.stop = "";
    this.announcement = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.disconnect();
    clearTimeout(this.#announceTimer);
  }

  /** Copies the numbers of the note to the clipboard. */
  async copy(form: CopyForm = "json"): Promise<void> {
    // A note that holds a covered number is not copied.
    if (!this.explanation || this.#shownLayout !== this.#layout) return;
    const done = await putOnClipboard(copyText(this.explanation, form), this.renderRoot);
    this.copied = done ? form : "refused";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { explanation, nodeWords, words } = this;
    if (changed.has("explanation")) {
      this.copied = null;
      this.isGradientRefused = false;
    }
    const last = changed.get("explanation");
    if (last && explanation && addressText(last) !== addressText(explanation)) this.openedUse = null;
    if (changesFit(changed)) this.isTurned = false;
    this.#guess.follow(explanation, this.isCovered, this.covered !== null);
    const all: Map<PropertyKey, unknown> = changed;
    if (["explanation", "nodeWords", "words", "edited", "openedUse"].some((name) => all.has(name)))
      this.#layout = explanation && nodeWords && words ? this.#layoutOf(explanation, nodeWords, words) : null;
    this.#shownLayout = this.#coveredLayout();
  }

  /** Whether the explained number is covered. */
  get isCovered(): boolean {
    const { explanation, covered } = this;
    if (!explanation || !covered || isGradientNote(explanation)) return false;
    return addressText(explanation) === addressText(covered);
  }

  /** Moves the focus to the field for a guess; returns whether there is one. */
  focusGuess(): boolean {
    return this.#guess.focus();
  }

  /** The layout with the covered number hidden; the layout itself if it does not hold that number. */
  #coveredLayout(): NoteLayout | null {
    const layout = this.#layout;
    if (!layout || !this.covered) return layout;
    return this.isCovered
      ? coveredLayout(layout, this.#guess.open)
      : withCoveredOperand(layout, this.explanation!, this.covered);
  }

  #layoutOf(explanation: Explanation, nodeWords: NodeWordsOf, words: Words): NoteLayout {
    const { gradientLayout, openedUse, edited } = this;
    return gradientLayout && isGradientNote(explanation)
      ? gradientLayout(explanation, openedUse, nodeWords, words)
      : layoutOf(explanation, nodeWords, words, { edited });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words } = this;
    const layout = this.#shownLayout;
    if (!layout || !words) return nothing;
    const { isCovered } = this;
    const asTerms = this.isTurned || (this.full && layout.columns > COLUMNS);
    const open = (): void => this.#setFull(true);
    const address = html`<h2>${breakAfterDots(layout.address)}</h2>`;
    const table = (asTerms ? termsTable : linesTable)(layout, words, this.operand, open);
    return html`<section
      aria-label=${words("note.region", { address: layout.address })}
      @pointerover=${this.#onPoint}
      @pointerleave=${this.#onLeave}
      @focusin=${this.#onPoint}
      @focusout=${this.#onLeave}
      @click=${this.#onClick}
      @keydown=${this.#onKey}
    >
      <header>
        <div class="title">
          ${
            this.#isFolded
              ? html`<span class="meaning">${layout.words}</span>
                  <b class="value">${isCovered ? "?" : formatNote(this.explanation?.value ?? NaN)}</b>
                  ${address}`
              : html`${address}<span class="meaning">${layout.words}</span>`
          }
        </div>
        ${this.variant === "strip" || this.#isFolded || isCovered ? nothing : this.#tools(words)}
        ${this.variant === "sheet" ? this.#foldButton(words) : nothing}
      </header>
      ${
        this.#isFolded
          ? nothing
          : html`<div class="pair">
              <div class="body">${table}</div>
              ${this.#beside()}
            </div>`
      }
      ${this.#isFolded ? nothing : this.#guessing(words)}
      ${
        this.#isFolded || isCovered
          ? nothing
          : this.variant === "strip"
            ? html`<p class="unseen" role="status">
                ${this.copied && words(copiedKey(this.copied, layout))}
              </p>`
            : noteFoot(layout, words, this.#footParts())
      }
      <p class="unseen" aria-live="polite" aria-atomic="true">${this.announcement}</p>
    </section>`;
  }

  /** The form for a guess or, once the number is shown, what was said of the guess. */
  #guessing(words: Words): TemplateResult | typeof nothing {
    const { explanation } = this;
    const layout = this.#layout;
    if (!explanation || !layout) return nothing;
    if (this.isCovered)
      return this.#guess.form(explanation, layout, words, (isRight) => this.#fire("guess-end", { isRight }));
    return this.#guess.verdict(words);
  }

  /** The counterpart, in a wide note. Its numbers cannot be pointed at. */
  #beside(): TemplateResult | typeof nothing {
    const { counterpart, nodeWords, words } = this;
    if (!counterpart || !nodeWords || !words || this.#width < WIDE) return nothing;
    const whole = layoutOf(counterpart, nodeWords, words, { edited: false });
    const layout = this.covered ? withCoveredOperand(whole, counterpart, this.covered) : whole;
    return html`<div class="counterpart">
      <p class="title">
        <b>${breakAfterDots(layout.address)}</b><span class="meaning">${layout.words}</span>
      </p>
      ${linesTable(withoutLinks(layout), words, null, () => undefined)}
    </div>`;
  }

  #tools(words: Words): TemplateResult {
    const pin = words(this.pinned ? "note.unpin" : "note.pin");
    return html`<span class="tools">
      ${this.variant === "sheet" ? this.#gradientSwitch(words) : nothing}
      ${
        this.mayCover
          ? html`<button
              class="quiet cover"
              aria-label=${words("note.guess.cover")}
              title=${words("note.guess.cover")}
              @click=${() => this.#fire("guess-cover", {})}
            >
              ?
            </button>`
          : nothing
      }
      ${
        this.variant === "sheet" && this.editable
          ? html`<button
              class="quiet"
              aria-label=${words("note.edit")}
              title=${words("note.edit")}
              @click=${() => this.#fire("cell-change", {})}
            >
              ${icon("edit", 17)}
            </button>`
          : nothing
      }
      ${
        this.#shownLayout === this.#layout
          ? html`<button
              class="quiet"
              aria-label=${words("note.copy")}
              title=${words("note.copy")}
              @click=${() => this.copy()}
            >
              ${icon("copy", 17)}
            </button>`
          : nothing
      }
      <button
        class="quiet"
        aria-label=${words("note.take")}
        title=${words("note.take")}
        aria-haspopup="dialog"
        @click=${this.#openMenu}
      >
        ${icon("take", 17)}
      </button>
      <button
        class="quiet"
        aria-label=${words("note.pin")}
        title=${pin}
        aria-pressed=${this.pinned ? "true" : "false"}
        @click=${() => this.#fire("cell-pin", {})}
      >
        ${icon("pin", 17)}
      </button>
    </span>`;
  }

  get #isFolded(): boolean {
    return this.variant === "sheet" && this.folded;
  }

  /** The button spans the whole first line of a folded sheet. */
  #foldButton(words: Words): TemplateResult {
    const name = words(this.folded ? "note.unfold" : "note.fold");
    return html`<button
      class="quiet fold"
      aria-label=${name}
      title=${name}
      aria-expanded=${this.folded ? "false" : "true"}
      @click=${() => this.#fire("note-fold", { open: this.folded })}
    >
      ${icon("down", 17)}
    </button>`;
  }

  #openMenu = (event: Event): void => {
    const button = event.currentTarget;
    const node = this.explanation?.node;
    if (!node || !(button instanceof HTMLElement)) return;
    this.#fire("take-open", { node, board: null, at: button.getBoundingClientRect() });
  };

  /**
   * On a sheet the switch is among the tools, because the foot is one line; otherwise it is a word in the
   * foot.
   */
  #gradientSwitch(words: Words): TemplateResult | null {
    const { gradient } = this;
    if (gradient === "") return null;
    const sheet = this.variant === "sheet";
    const title = {
      none: "note.gradient.no_tool",
      off: "note.gradient.tool",
      on: "note.gradient.tool_on",
    } as const;
    return html`<button
      class=${sheet ? "quiet gradient" : "link gradient"}
      aria-label=${words("note.gradient.tool")}
      title=${words(title[gradient])}
      aria-pressed=${gradient === "on" ? "true" : "false"}
      aria-disabled=${gradient === "none" ? "true" : "false"}
      @click=${() => (gradient === "none" ? this.refuseGradient() : this.#fire("cell-gradient", {}))}
    >
      <i aria-hidden="true">∂</i>${sheet ? nothing : html` ${words("gradient.name")}`}
    </button>`;
  }

  /** Shows why the cell has no gradient. */
  refuseGradient(): void {
    this.isGradientRefused = true;
  }

  get #resultCells(): readonly ResultCell[] {
    const { covered, resultCells } = this;
    if (!covered) return resultCells;
    const address = addressText(covered);
    return resultCells.map((cell) => (addressText(cell) === address ? { ...cell, isCovered: true } : cell));
  }

  #footParts(): FootParts {
    return {
      hasNoGradient: this.isGradientRefused,
      resultCells: this.#resultCells,
      isPinned: this.pinned,
      isEditable: this.editable,
      was: this.was === this.explanation?.value ? null : this.was,
      phraseForCell: (node) => (this.nodeWords ? phraseForCell(this.nodeWords(node)) : [node]),
      copied: this.copied,
      copy: (form) => void this.copy(form),
      canClose: this.full && (this.#layout?.total ?? 0) > COLUMNS,
      close: () => this.#setFull(false),
      closeUse: () => (this.openedUse = null),
      cell: this.explanation,
      shape: this.variant === "sheet" ? this.shape : null,
      go: (cell) => this.#go(cell),
      isShort: this.variant === "sheet",
      gradient: this.variant === "sheet" || !this.words ? null : this.#gradientSwitch(this.words),
    };
  }

  /** Announces the target once it has stayed for a while, so that held keys do not announce every cell. */
  #announce(): void {
    // The stop that the page opens at is not announced.
    this.#announcedStop ||= this.stop;
    const sentence = this.#shownLayout?.sentence ?? "";
    const next = this.stop + sentence;
    if (next === this.#nextAnnouncement) return;
    this.#nextAnnouncement = next;
    clearTimeout(this.#announceTimer);
    this.#announceTimer = setTimeout(() => {
      const { stop } = this;
      this.announcement = stop !== this.#announcedStop ? `${stop} ${sentence}` : sentence;
      this.#announcedStop = stop;
    }, ANNOUNCE_AFTER);
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.#announce();
    if (changed.has("explanation")) this.#pointAt(null);
    this.#fitFoot();
    const all: Map<PropertyKey, unknown> = changed;
    if (!changesFit(changed) && !all.has("isTurned")) return;
    const section = this.renderRoot.querySelector("section");
    const terms = this.renderRoot.querySelector(".terms");
    const body = terms ?? this.renderRoot.querySelector(".body");
    if (!section || !body) return;
    // Digits are equally wide: the same text with other digits fits as it did.
    const text = body.textContent.replace(/\d/g, "0");
    const isRoomChanged = ["words", "variant", "full", "folded"].some((name) => all.has(name));
    if (text === this.#fittedText && section.dataset["fit"] && !isRoomChanged) return;
    this.#fittedText = text;
    const fits = (): boolean => body.scrollWidth <= body.clientWidth;
    const several = (this.#layout?.places.length ?? 0) > 1;
    for (const fit of terms
      ? TERM_FITS
      : several
        ? this.hasAttribute("dense")
          ? DENSE_FITS
          : FITS
        : ONE_TERM_FITS) {
      section.dataset["fit"] = fit;
      if (fits()) return;
    }
    if (several) this.isTurned = true;
  }

  /**
   * Fits the foot of a sheet: links remain, in rows beside the arrow buttons, without the last ones that
   * would need another row; other parts are shown only if they need no row of their own.
   */
  #fitFoot(): void {
    const footParts = this.variant === "sheet" ? this.renderRoot.querySelector<HTMLElement>(".said") : null;
    if (!footParts) return;
    const parts = [...footParts.children].filter((part) => part instanceof HTMLElement);
    const isKept = (part: HTMLElement): boolean => part.classList.contains("kept");
    for (const part of parts) part.hidden = !isKept(part);
    for (const line of parts.filter(isKept)) {
      const leads = [...line.querySelectorAll<HTMLElement>(".lead")];
      for (const lead of leads) lead.hidden = false;
      for (const lead of leads.slice(1).reverse()) lead.hidden = line.clientHeight > ROW;
    }
    const height = footParts.clientHeight;
    for (const part of parts.filter((part) => !isKept(part))) {
      part.hidden = false;
      part.hidden =
        footParts.clientHeight > Math.max(height, ROW) || footParts.scrollWidth > footParts.clientWidth;
    }
  }

  /**
   * The places of numbers in the window, for copies that fly here: operands and the result, and the lines of
   * numbers; null while the note is folded or sets its terms in lines.
   */
  places(): NotePlaces | null {
    const lines = this.#layout?.lines ?? [];
    const result = this.renderRoot.querySelector("table.lines td.result");
    if (!result) return null;
    const operands = [
      ...this.renderRoot.querySelectorAll<HTMLElement>("table.lines td.number .operand"),
    ].flatMap((button) => {
      const [line = -1, column] = (button.dataset["at"] ?? "").split(",").map(Number);
      const operand = lines[line]?.cells.find((cell) => cell.column === column)?.operand;
      return operand ? [{ line, operand, slot: button.getBoundingClientRect() }] : [];
    });
    return {
      operands,
      result: result.getBoundingClientRect(),
      lines: this.#layout ? linesWithNumbers(this.#layout) : [],
      lineOf: (role) => lines.findIndex((line) => line.role === role),
    };
  }

  /** Hides the numbers of lines, and the result, until they have been brought. */
  wait(lines: readonly number[], hidesResult: boolean): void {
    const rows = this.renderRoot.querySelectorAll("table.lines tr");
    rows.forEach((row, line) => row.toggleAttribute("data-waits", lines.includes(line)));
    this.renderRoot.querySelector("section")?.toggleAttribute("data-waits", hidesResult);
  }

  #fire<Type extends keyof NoteEvents>(type: Type, detail: NoteEvents[Type]): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #setFull(open: boolean): void {
    this.#fire("note-full", { open });
  }

  #go(cell: CellAddress): void {
    this.#fire("cell-go", { node: cell.node, index: [...cell.index] });
  }

  /** The cell of the operand that an event happened on. */
  #operandUnder(event: Event): CellAddress | null {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>(".operand") : null;
    const [line, column] = (button?.dataset["at"] ?? "").split(",").map(Number);
    if (line === undefined || column === undefined) return null;
    return this.#layout?.lines[line]?.cells.find((cell) => cell.column === column)?.operand ?? null;
  }

  #pointAt(cell: CellAddress | null): void {
    const key = cell ? addressText(cell) : "";
    if (key === this.#pointed) return;
    this.#pointed = key;
    this.#fire("operand-point", cell ? { node: cell.node, index: [...cell.index] } : { node: null });
  }

  #onPoint = (event: Event): void => this.#pointAt(this.#operandUnder(event));

  #onLeave = (): void => this.#pointAt(null);

  #onClick = (event: Event): void => {
    const use = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-use]") : null;
    if (use) this.openedUse = Number(use.dataset["use"]);
    const cell = this.#operandUnder(event);
    if (cell) this.#go(cell);
  };

  /** The operands are one tab stop; arrow keys move among them. */
  #onKey = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches(".operand")) return;
    const operands = [...this.renderRoot.querySelectorAll<HTMLElement>(".operand")];
    const [line = 0, column = 0] = (event.target.dataset["at"] ?? "").split(",").map(Number);
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
    }; // prettier-ignore
    const move = moves[event.key];
    if (!move) return;
    const steps = operands
      .map((operand) => ({ operand, at: (operand.dataset["at"] ?? "").split(",").map(Number) }))
      .map(({ operand, at: [row = 0, place = 0] }) => ({
        operand,
        along: [row - line, place - column] as const,
      }))
      .filter(({ along: [down, right] }) =>
        move[0] !== 0 ? Math.sign(down) === move[0] : down === 0 && Math.sign(right) === move[1],
      )
      .sort(
        (a, b) => Math.abs(a.along[0]) - Math.abs(b.along[0]) || Math.abs(a.along[1]) - Math.abs(b.along[1]),
      );
    const next = steps[0]?.operand;
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    for (const operand of operands) operand.tabIndex = operand === next ? 0 : -1;
    next.focus();
  };
}

customElements.define("ap-note", Note);

declare global {
  interface HTMLElementTagNameMap {
    "ap-note": Note;
  }
}
