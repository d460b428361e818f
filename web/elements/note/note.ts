/** ap-note: how one number was made, set as columns with a rule and a result. DESIGN.md, section 5. */
import { LitElement, html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import type { Explanation } from "../../core/attention.js";
import type { Words } from "../../i18n/words.js";
import { icon } from "../icons.js";
import { look, roleColours } from "../look.js";
import { copiedKey, foot } from "./foot.js";
import type { Becomes, FootParts } from "./foot.js";
import { copyText, putOnClipboard } from "./copy.js";
import type { CopyForm } from "./copy.js";
import { isGradientNote } from "../../marks/graded.js";
import { gradientLayout } from "./gradient.js";
import { formatNote } from "../../marks/numbers.js";
import { layoutOf } from "./layout.js";
import type { NoteLayout } from "./layout.js";
import { addressText, single } from "./places.js";
import type { CellAddress, NodeWordsOf } from "./places.js";
import { noteStyles } from "./styles.js";
import { breakable, linesTable, termsTable } from "./table.js";

/** What ap-note says, by the name of its event; all bubble and cross shadow roots. */
export interface NoteEvents {
  /** An operand is pointed at or has the focus; null when it is left. */
  "operand-point": CellAddress | { node: null };
  "cell-go": CellAddress;
  "cell-pin": Record<string, never>;
  /** The explained tensor is to be taken away; `at` is where its menu may stand, in the window. */
  "take-open": { node: string; board: null; at: DOMRect };
  /** The cell is to be changed, where the reader has no key for it. */
  "cell-change": Record<string, never>;
  /** The gradient of the cell is asked for, or no more. */
  "cell-gradient": Record<string, never>;
  /** The reader opens or closes the terms that a long row leaves out. */
  "note-full": { open: boolean };
  /** A sheet is to be opened, or folded to a line. */
  "note-fold": { open: boolean };
}

/** Columns that would not fit come closer first; what is still too wide is set a line per term, or, of one term, breaks its names. */
const FITS = ["free", "close"] as const;
const ONE_TERM_FITS = ["free", "broken"] as const;
/** Lines of terms may come closer still, and break the names of their columns. */
const TERM_FITS = [...FITS, "tight", "tight broken"] as const;
/** All terms of a row stand in columns up to here; more stand in lines. */
const COLUMNS = 8;

/** Of the foot of a sheet, in pixels. */
const ROW = 30;

/** Milliseconds that a target stays before it is said. */
const REST = 300;

/** Whether what stands in the note, or its room, is new. */
function changesFit(changed: PropertyValues<Note>): boolean {
  return (["explanation", "words", "variant", "full", "folded"] as const).some((name) => changed.has(name));
}

export class Note extends LitElement {
  static override properties = {
    explanation: { attribute: false },
    nodeWords: { attribute: false },
    becomes: { attribute: false },
    pinned: { type: Boolean },
    gradient: {},
    operand: { attribute: false },
    full: { type: Boolean },
    editable: { type: Boolean },
    edited: { type: Boolean },
    shape: { attribute: false },
    folded: { type: Boolean, reflect: true },
    words: { attribute: false },
    variant: { reflect: true },
    copied: { state: true },
    refused: { state: true },
    opened: { state: true },
    turned: { state: true },
    stop: { attribute: false },
    spoken: { state: true },
  };

  static override styles = [look, roleColours, noteStyles];

  declare explanation: Explanation | null;
  declare nodeWords: NodeWordsOf | null;
  declare becomes: readonly Becomes[];
  declare pinned: boolean;
  /** Whether the gradient of the cell can be asked for, or is shown; "none": of a given number there is none; "": not offered. */
  declare gradient: "" | "none" | "off" | "on";
  /** The source cell pointed at on the stage; its number is underlined here. */
  declare operand: CellAddress | null;
  /** Whether `explanation` holds every term. */
  declare full: boolean;
  /** The cell can be changed by hand, and whether it was. */
  declare editable: boolean;
  declare edited: boolean;
  /** Shape of the explained tensor: on a sheet, arrows move within it. Absent: no arrows. */
  declare shape: readonly number[] | null;
  /** A sheet shows its first line alone. */
  declare folded: boolean;
  declare words: Words | null;
  declare variant: "card" | "sheet" | "strip";
  declare private copied: CopyForm | "refused" | null;
  /** The reader asked for a gradient where there is none. */
  declare private refused: boolean;
  /** Of a gradient over several uses, the one that is shown. */
  declare private opened: number | null;
  /** Terms stand in lines, for want of width. */
  declare private turned: boolean;
  /** The sentence of the stop of Play that the reader is at: said before the result when another is come to. */
  declare stop: string;
  /** What is said aloud, once the target rests. */
  declare private spoken: string;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #next = "";
  #stopSaid = "";

  #layout: NoteLayout | null = null;
  #width = 0;
  readonly #watch = new ResizeObserver(() => {
    if (this.clientWidth === this.#width) return;
    this.#width = this.clientWidth;
    this.turned = false;
    this.requestUpdate("variant");
  });
  /** The operand last spoken of; empty for none. */
  #pointed = "";

  constructor() {
    super();
    this.explanation = null;
    this.nodeWords = null;
    this.becomes = [];
    this.pinned = false;
    this.gradient = "";
    this.operand = null;
    this.full = false;
    this.editable = false;
    this.edited = false;
    this.shape = null;
    this.folded = false;
    this.words = null;
    this.variant = "card";
    this.copied = null;
    this.refused = false;
    this.opened = null;
    this.turned = false;
    this.stop = "";
    this.spoken = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.disconnect();
    clearTimeout(this.#resting);
  }

  /** Puts the numbers of the note on the clipboard. */
  async copy(form: CopyForm = "json"): Promise<void> {
    if (!this.explanation) return;
    const done = await putOnClipboard(copyText(this.explanation, form), this.renderRoot);
    this.copied = done ? form : "refused";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { explanation, nodeWords, words } = this;
    if (changed.has("explanation")) {
      this.copied = null;
      this.refused = false;
    }
    const last = changed.get("explanation");
    if (last && explanation && addressText(last) !== addressText(explanation)) this.opened = null;
    if (changesFit(changed)) this.turned = false;
    const all: Map<PropertyKey, unknown> = changed;
    if (["explanation", "nodeWords", "words", "edited", "opened"].some((name) => all.has(name)))
      this.#layout = explanation && nodeWords && words ? this.#layoutOf(explanation, nodeWords, words) : null;
  }

  #layoutOf(explanation: Explanation, nodeWords: NodeWordsOf, words: Words): NoteLayout {
    return isGradientNote(explanation)
      ? gradientLayout(explanation, this.opened, nodeWords, words)
      : layoutOf(explanation, nodeWords, words, { edited: this.edited });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words } = this;
    const layout = this.#layout;
    if (!layout || !words) return nothing;
    const asTerms = this.turned || (this.full && layout.columns > COLUMNS);
    const open = (): void => this.#full(true);
    const address = html`<h2>${breakable(layout.address)}</h2>`;
    const table = (asTerms ? termsTable : linesTable)(layout, words, this.operand, open);
    return html`<section
      aria-label=${words("note.region", { address: layout.address })}
      @pointerover=${this.#point}
      @pointerleave=${this.#leave}
      @focusin=${this.#point}
      @focusout=${this.#leave}
      @click=${this.#choose}
      @keydown=${this.#key}
    >
      <header>
        <div class="title">
          ${
            this.#folds
              ? html`<span class="meaning">${layout.words}</span>
                  <b class="value">${formatNote(this.explanation?.value ?? NaN)}</b> ${address}`
              : html`${address}<span class="meaning">${layout.words}</span>`
          }
        </div>
        ${this.variant === "strip" || this.#folds ? nothing : this.#tools(words)}
        ${this.variant === "sheet" ? this.#fold(words) : nothing}
      </header>
      ${this.#folds ? nothing : html`<div class="body">${table}</div>`}
      ${
        this.#folds
          ? nothing
          : this.variant === "strip"
            ? html`<p class="unseen" role="status">
                ${this.copied && words(copiedKey(this.copied, layout))}
              </p>`
            : foot(layout, words, this.#footParts())
      }
      <p class="unseen" aria-live="polite" aria-atomic="true">${this.spoken}</p>
    </section>`;
  }

  #tools(words: Words): TemplateResult {
    const pin = words(this.pinned ? "note.unpin" : "note.pin");
    return html`<span class="tools">
      ${this.variant === "sheet" ? this.#gradientSwitch(words) : nothing}
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
      <button
        class="quiet"
        aria-label=${words("note.copy")}
        title=${words("note.copy")}
        @click=${() => this.copy()}
      >
        ${icon("copy", 17)}
      </button>
      <button
        class="quiet"
        aria-label=${words("note.take")}
        title=${words("note.take")}
        aria-haspopup="dialog"
        @click=${this.#take}
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

  get #folds(): boolean {
    return this.variant === "sheet" && this.folded;
  }

  /** The whole first line of a folded sheet can be tapped. */
  #fold(words: Words): TemplateResult {
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

  #take = (event: Event): void => {
    const button = event.currentTarget;
    const node = this.explanation?.node;
    if (!node || !(button instanceof HTMLElement)) return;
    this.#fire("take-open", { node, board: null, at: button.getBoundingClientRect() });
  };

  /** On a sheet among the tools, for its foot is one line; else a word in the foot. */
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

  /** Says why the cell has no gradient. */
  refuseGradient(): void {
    this.refused = true;
  }

  #footParts(): FootParts {
    return {
      refused: this.refused,
      becomes: this.becomes,
      pinned: this.pinned,
      editable: this.editable,
      called: (node) => (this.nodeWords ? single(this.nodeWords(node)) : [node]),
      copied: this.copied,
      copy: (form) => void this.copy(form),
      closable: this.full && (this.#layout?.total ?? 0) > COLUMNS,
      close: () => this.#full(false),
      closeUse: () => (this.opened = null),
      cell: this.explanation,
      shape: this.variant === "sheet" ? this.shape : null,
      go: (cell) => this.#go(cell),
      short: this.variant === "sheet",
      gradient: this.variant === "sheet" || !this.words ? null : this.#gradientSwitch(this.words),
    };
  }

  /** A target that is passed over is not said: keys may be held down. */
  #speak(): void {
    // What the page opens at is not come to, also where the reader steps on before anything was said.
    this.#stopSaid ||= this.stop;
    const next = this.stop + (this.#layout?.sentence ?? "");
    if (next === this.#next) return;
    this.#next = next;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      const { stop } = this;
      const sentence = this.#layout?.sentence ?? "";
      this.spoken = stop !== this.#stopSaid ? `${stop} ${sentence}` : sentence;
      this.#stopSaid = stop;
    }, REST);
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.#speak();
    if (changed.has("explanation")) this.#pointAt(null);
    this.#fitFoot();
    if (!changesFit(changed) && !(changed as Map<PropertyKey, unknown>).has("turned")) return;
    const section = this.renderRoot.querySelector("section");
    const terms = this.renderRoot.querySelector(".terms");
    const body = terms ?? this.renderRoot.querySelector(".body");
    if (!section || !body) return;
    const fits = (): boolean => body.scrollWidth <= body.clientWidth;
    const several = (this.#layout?.places.length ?? 0) > 1;
    for (const fit of terms ? TERM_FITS : several ? FITS : ONE_TERM_FITS) {
      section.dataset["fit"] = fit;
      if (fits()) return;
    }
    if (several) this.turned = true;
  }

  /** The links at the foot of a sheet stay, in rows beside the arrows; of what a cell becomes the last is left out where it finds no room, and the rest is said where it takes no row of its own. */
  #fitFoot(): void {
    const said = this.variant === "sheet" ? this.renderRoot.querySelector<HTMLElement>(".said") : null;
    if (!said) return;
    const parts = [...said.children].filter((part) => part instanceof HTMLElement);
    const kept = (part: HTMLElement): boolean => part.classList.contains("kept");
    for (const part of parts) part.hidden = !kept(part);
    for (const line of parts.filter(kept)) {
      const leads = [...line.querySelectorAll<HTMLElement>(".lead")];
      for (const lead of leads) lead.hidden = false;
      for (const lead of leads.slice(1).reverse()) lead.hidden = line.clientHeight > ROW;
    }
    const height = said.clientHeight;
    for (const part of parts.filter((part) => !kept(part))) {
      part.hidden = false;
      part.hidden = said.clientHeight > Math.max(height, ROW) || said.scrollWidth > said.clientWidth;
    }
  }

  #fire<Type extends keyof NoteEvents>(type: Type, detail: NoteEvents[Type]): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #full(open: boolean): void {
    this.#fire("note-full", { open });
  }

  #go(cell: CellAddress): void {
    this.#fire("cell-go", { node: cell.node, index: [...cell.index] });
  }

  /** The cell of the operand an event happened on. */
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

  #point = (event: Event): void => this.#pointAt(this.#operandUnder(event));

  #leave = (): void => this.#pointAt(null);

  #choose = (event: Event): void => {
    const use = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-use]") : null;
    if (use) this.opened = Number(use.dataset["use"]);
    const cell = this.#operandUnder(event);
    if (cell) this.#go(cell);
  };

  /** The operands are one tab stop; arrows move among them. */
  #key = (event: KeyboardEvent): void => {
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
