/**
 * ap-sentence: the settings as one sentence whose underlined words are the controls. DESIGN.md, sections 1
 * and 3.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { spaceBetween, type Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import "./control.js";
import type { ApControl } from "./control.js";
import { icon } from "../icons.js";
import { labelParts, plainLabel } from "../label.js";
import { showInFront } from "../in-front.js";
import { look } from "../look.js";
import type { LearnPieces } from "./own-text.js";
import { sentenceLook } from "./sentence-look.js";

/** Events: control-change {control, value}, control-image {control, file} (from ap-control), edit-undo {}, edit-reset {}. */
export class ApSentence extends LitElement {
  static override properties = {
    words: { attribute: false },
    text: {},
    controls: { attribute: false },
    refusal: { attribute: false },
    edits: { attribute: false },
    undoable: { attribute: false },
    learn: { attribute: false },
    form: {},
    open: { state: true },
    unfolded: { state: true },
  };
  declare words: Words;
  /** The sentence, with {slots} named like the controls; what stands after "{+}" is folded at first. */
  declare text: string;
  declare controls: Control[];
  declare refusal: { control: string; message: string } | null;
  /** The number of edited numbers. */
  declare edits: number;
  /** Whether an edit or a reset can be undone. */
  declare undoable: boolean;
  /** Learns byte pairs of a text; null when there is no core that can. */
  declare learn: LearnPieces | null;
  /** The whole sentence, one line that opens a sheet, or only the essential words of an embed. */
  declare form: "sentence" | "line" | "essential";
  /** The control whose popover is open. */
  declare private open: string | null;
  /** Whether the folded part of the sentence is shown. */
  declare private unfolded: boolean;
  /** What the popover stands beside in place of the control's word: the element that opened it. */
  #beside: HTMLElement | null = null;

  static override styles = [look, sentenceLook];

  constructor() {
    super();
    this.text = "";
    this.controls = [];
    this.refusal = null;
    this.edits = 0;
    this.undoable = false;
    this.learn = null;
    this.form = "sentence";
    this.open = null;
    this.unfolded = false;
  }

  /** The element that opened the popover. */
  private get opener(): HTMLElement | null {
    if (this.#beside?.isConnected) return this.#beside;
    return this.renderRoot.querySelector<HTMLElement>(`[data-control="${this.open ?? ""}"]`);
  }

  private readonly place = (): void => {
    const button = this.opener;
    const popover = this.renderRoot.querySelector<HTMLElement>("[popover]");
    if (!button || !popover) return;
    const word = button.getBoundingClientRect();
    const box = popover.getBoundingClientRect();
    const width = document.documentElement.clientWidth;
    const below = word.bottom + 6;
    const fits = below + box.height <= window.innerHeight - 8;
    const above = word.top - 6 - box.height;
    const top = fits ? below : above >= 8 ? above : Math.max(8, window.innerHeight - 8 - box.height);
    popover.style.left = `${Math.max(8, Math.min(word.left, width - 8 - box.width))}px`;
    popover.style.top = `${top}px`;
  };

  /** Puts the line about edits below the sentence when the last line of the sentence has no room for it. */
  private readonly placeEditsLine = (): void => {
    const hand = this.renderRoot.querySelector<HTMLElement>(".sentence .edited");
    if (!hand) return;
    hand.classList.remove("hangs");
    const { right } = hand.getBoundingClientRect();
    hand.classList.toggle("hangs", right > this.getBoundingClientRect().right);
  };

  private readonly onPaste = (event: ClipboardEvent): void => {
    const control = this.controls.find((item) => item.kind === "image");
    const file = [...(event.clipboardData?.files ?? [])].find((item) => item.type.startsWith("image/"));
    // A paste outside a frame's lab belongs to the page around it.
    const own =
      this.form !== "essential" || event.composedPath().includes((this.getRootNode() as ShadowRoot).host);
    if (!control || !file || !own) return;
    event.preventDefault();
    this.dispatchEvent(
      new CustomEvent("control-image", {
        detail: { control: control.id, file },
        bubbles: true,
        composed: true,
      }),
    );
  };

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("paste", this.onPaste);
    window.addEventListener("resize", this.place);
    window.addEventListener("resize", this.placeEditsLine);
    window.addEventListener("scroll", this.place, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("paste", this.onPaste);
    window.removeEventListener("resize", this.place);
    window.removeEventListener("resize", this.placeEditsLine);
    window.removeEventListener("scroll", this.place);
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.placeEditsLine();
    if (changed.has("controls") && this.open !== null) {
      if (this.controls.some((control) => control.id === this.open)) this.place();
      else this.close();
    }
  }

  /** Opens the editor of a control beside an element outside the sentence; in one line, in the sheet of all controls. */
  async openBeside(id: string, element: HTMLElement): Promise<void> {
    const control = this.controls.find((one) => one.id === id);
    if (!control) return;
    if (this.form !== "line") return this.show(control, element);
    showInFront(this.renderRoot.querySelector("dialog"));
    const editors = [...this.renderRoot.querySelectorAll<ApControl>("dialog ap-control")];
    const editor = editors.find((one) => one.control.id === id);
    editor?.scrollIntoView({ block: "center" });
    await editor?.focusEditor();
  }

  private async show(control: Control, beside: HTMLElement | null = null): Promise<void> {
    const popover = this.renderRoot.querySelector<HTMLElement>("[popover]");
    if (!popover) return;
    if (this.open === control.id) return this.close();
    this.open = control.id;
    this.#beside = beside;
    await this.updateComplete;
    if (!popover.matches(":popover-open")) popover.showPopover();
    const editor = popover.querySelector<ApControl>("ap-control");
    await editor?.updateComplete;
    this.place();
    await editor?.focusEditor();
  }

  private close(): void {
    const popover = this.renderRoot.querySelector<HTMLElement>("[popover]");
    const back = this.open === null ? null : this.opener;
    if (popover?.matches(":popover-open")) popover.hidePopover();
    this.open = null;
    back?.focus({ preventScroll: true });
  }

  private onToggle(event: ToggleEvent): void {
    if (event.newState === "open" || this.open === null) return;
    const back = this.opener;
    this.open = null;
    // When the reader left by clicking on a number, the focus is there already.
    const { activeElement } = document;
    const left =
      this.renderRoot.querySelector("[popover]")?.matches(":focus-within") ||
      activeElement === null ||
      activeElement === document.body;
    if (left) back?.focus({ preventScroll: true });
  }

  private onFocusOut(event: FocusEvent): void {
    const next = event.relatedTarget;
    const popover = event.currentTarget as HTMLElement;
    if (next instanceof Node && !popover.contains(next) && popover.matches(":popover-open"))
      popover.hidePopover();
  }

  private word(control: Control): TemplateResult {
    return html`<button
      class="word"
      data-control=${control.id}
      aria-haspopup="dialog"
      aria-expanded=${this.open === control.id ? "true" : "false"}
      aria-label=${this.words("page.change", { title: control.title, label: plainLabel(control.label) })}
      @pointerdown=${(event: Event) => this.open === control.id && event.preventDefault()}
      @click=${() => this.show(control)}
    >
      ${labelParts(control.label)}${icon("down", 13)}
    </button>`;
  }

  private editor(control: Control, titled: boolean): TemplateResult {
    return html`<ap-control
      .words=${this.words}
      .control=${control}
      .titled=${titled}
      .learn=${this.learn}
      .refused=${this.refusal?.control === control.id ? this.refusal.message : ""}
      @control-done=${() => titled || this.close()}
    ></ap-control>`;
  }

  private get essential(): Control[] {
    const essential = this.controls.filter((control) => control.essential);
    return essential.length ? essential : this.controls;
  }

  private editorPopover(): TemplateResult {
    const control = this.controls.find((item) => item.id === this.open);
    return html`<div
      popover="auto"
      role="dialog"
      aria-label=${control?.title ?? this.words("page.settings")}
      @toggle=${this.onToggle}
      @focusout=${this.onFocusOut}
    >
      ${control ? this.editor(control, false) : nothing}
    </div>`;
  }

  private editsLine(): TemplateResult | typeof nothing {
    const { words, edits } = this;
    if (edits === 0 && !this.undoable) return nothing;
    const text =
      edits === 0
        ? words("sentence.reset_done")
        : this.form === "line"
          ? words("stage.byHand", { count: edits })
          : edits === 1
            ? words("sentence.edited_one")
            : words("sentence.edited", { count: edits });
    const send = (name: string) => () =>
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }));
    return html` <span class="edited"
      >${text}<button class="link" @click=${send("edit-undo")}>${words("sentence.undo")}</button>${
        edits === 0
          ? nothing
          : html`<button class="link" @click=${send("edit-reset")}>${words("sentence.reset")}</button>`
      }</span
    >`;
  }

  private line(): TemplateResult {
    const { words } = this;
    const dialog = () => this.renderRoot.querySelector("dialog");
    const dot = words("sentence.dot");
    return html`<div class="row">
        <button class="line" aria-haspopup="dialog" @click=${() => showInFront(dialog())}>
          <span
            >${this.essential.map((control, place) => html`<span>${place ? dot : ""}${control.lead ?? ""}${labelParts(control.label)}</span>`)}</span
          >${icon("down", 16)}
        </button>
        ${this.editsLine()}
      </div>
      <dialog
        aria-label=${words("page.settings")}
        @click=${(event: Event) => event.target === dialog() && dialog()?.close()}
      >
        <div class="heading">
          <h2>${words("page.settings")}</h2>
          <button class="quiet" @click=${() => dialog()?.close()}>${words("sentence.done")}</button>
        </div>
        <div class="sheet">
          ${repeat(
            this.controls,
            (control) => control.id,
            (control) => this.editor(control, true),
          )}
        </div>
      </dialog>`;
  }

  /**
   * A control with adjacent punctuation, so that no line begins with a comma and none ends with an opening
   * bracket.
   */
  private withPunctuation(opening: string, control: Control, closing: string): TemplateResult {
    return html`<span class="kept">${opening}${this.word(control)}${closing}</span>`;
  }

  /** The sentence; what stands after "{+}" is folded behind a button until the reader opens it. */
  private sentence(): unknown[] {
    const [first = "", rest] = this.text.split("{+}");
    if (rest === undefined) return this.filled(first);
    const toggle = html`<button
      class="link"
      aria-expanded=${this.unfolded ? "true" : "false"}
      @click=${() => (this.unfolded = !this.unfolded)}
    >
      ${this.words(this.unfolded ? "sentence.fold" : "sentence.unfold")}
    </button>`;
    return [...this.filled(first), " ", ...(this.unfolded ? [...this.filled(rest), " "] : []), toggle];
  }

  /** The words of a text with its controls in their slots. */
  private filled(text: string): unknown[] {
    const controls = new Map(this.controls.map((control) => [control.id, control]));
    const parts = text.split(/\{([\w-]+)\}/);
    const openingOf = (part = ""): string => part.match(/\p{Ps}$/u)?.[0] ?? "";
    const closingOf = (part = ""): string => part.match(/^[\p{Pe}\p{Po}]+/u)?.[0] ?? "";
    let last = "";
    return parts.map((part, place) => {
      const control = place % 2 ? controls.get(part) : undefined;
      const next = control ? plainLabel(control.label) : place % 2 ? "" : part;
      const space = spaceBetween(last, next);
      last = next || last;
      if (control)
        return [
          space,
          this.withPunctuation(openingOf(parts[place - 1]), control, closingOf(parts[place + 1])),
        ];
      const [opening, closing] = [
        controls.has(parts[place + 1] ?? "") ? openingOf(part) : "",
        controls.has(parts[place - 1] ?? "") ? closingOf(part) : "",
      ];
      return [space, next.slice(closing.length, next.length - opening.length)];
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.words) return nothing;
    if (this.form === "line") return this.line();
    const comma = this.words("sentence.comma");
    const content =
      this.form === "essential"
        ? this.essential.map((control, place) => [place ? comma : "", control.lead ?? "", this.word(control)])
        : this.sentence();
    return html`<p class=${this.form}>${content}${this.editsLine()}</p>
      ${this.editorPopover()}`;
  }
}
customElements.define("ap-sentence", ApSentence);
