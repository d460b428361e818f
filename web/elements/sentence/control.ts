/**
 * ap-control: the editor of one control of a lab: a number, a choice, words, or an image. It is shown in a
 * popover of the sentence or in the phone's sheet.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import { icon } from "../icons.js";
import { labelParts } from "../label.js";
import { look } from "../look.js";
import { controlLook } from "./control-look.js";
import { MOST_CHARACTERS, OwnText, type LearnPieces } from "./own-text.js";

const imageTypes = "image/png,image/jpeg,image/webp";

/** Events: control-change {control, value}, control-image {control, file}, control-done {}. */
export class ApControl extends LitElement {
  static override properties = {
    words: { attribute: false },
    control: { attribute: false },
    refused: {},
    titled: { type: Boolean },
    learn: { attribute: false },
    draft: { state: true },
    over: { state: true },
  };
  declare words: Words;
  declare control: Control;
  /** Why the last value was refused; empty when it was accepted. */
  declare refused: string;
  /** Whether the control's title is shown above it. */
  declare titled: boolean;
  /** Learns byte pairs of a text; null when there is no core that can. */
  declare learn: LearnPieces | null;
  /** The typed text, until the field loses the focus. */
  declare private draft: string | null;
  declare private over: boolean;

  readonly #own = new OwnText(this);

  static override styles = [look, controlLook];

  constructor() {
    super();
    this.refused = "";
    this.titled = false;
    this.learn = null;
    this.draft = null;
    this.over = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("control");
    if (before && before.id !== this.control.id) this.draft = null;
  }

  /** Moves the focus to the editor and selects its text. */
  async focusEditor(): Promise<void> {
    await this.updateComplete;
    const field = ["textarea", "input:checked", "input[type=text]", "input:enabled", "button"]
      .map((kind) => this.renderRoot.querySelector<HTMLElement>(kind))
      .find(Boolean);
    field?.focus({ preventScroll: true });
    if (field instanceof HTMLInputElement && field.type === "text") field.select();
    if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length);
  }

  send(value: string): void {
    this.dispatchEvent(
      new CustomEvent("control-change", {
        detail: { control: this.control.id, value },
        bubbles: true,
        composed: true,
      }),
    );
  }

  private done(): void {
    this.dispatchEvent(new CustomEvent("control-done", { bubbles: true, composed: true }));
  }

  /**
   * Prevents the default of Enter: the focus returns to the word in the sentence, which would be pressed by
   * it.
   */
  private onEnter(event: KeyboardEvent): void {
    event.preventDefault();
    this.done();
  }

  private image(file: File | undefined): void {
    if (!file) return;
    this.dispatchEvent(
      new CustomEvent("control-image", {
        detail: { control: this.control.id, file },
        bubbles: true,
        composed: true,
      }),
    );
    // The result is visible on the page, or a notice tells what failed.
    this.done();
  }

  private onTyped(value: string): void {
    this.draft = value;
    if (this.control.pieces) this.#own.onTyped(value, this.learn);
    else if (this.control.kind === "words" || this.isValidNumber(value)) this.send(value.trim());
  }

  /** Whether a text is a number within the control's bounds, and whole where it must be. */
  private isValidNumber(text: string): boolean {
    const { min = -Infinity, max = Infinity, stops } = this.control;
    const form = stops ? /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?$/i : /^-?\d{1,15}$/;
    return form.test(text.trim()) && Number(text) >= min && Number(text) <= max;
  }

  /** The number one step up or down: the next whole one, or the next of the stops. */
  private nextNumber(from: number, step: number): number {
    const { min = -Infinity, max = Infinity, stops } = this.control;
    const next = !stops
      ? from + step
      : ((step > 0 ? stops.find((stop) => stop > from) : stops.findLast((stop) => stop < from)) ?? from);
    return Math.min(max, Math.max(min, next));
  }

  private nudge(step: number): void {
    const { value } = this.control;
    const from = Number(this.isValidNumber(this.draft ?? "") ? this.draft : value);
    const next = this.nextNumber(from, step);
    if (next === from) return;
    this.draft = null;
    this.send(String(next));
  }

  private numberKey(event: KeyboardEvent): void {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      this.nudge(event.key === "ArrowUp" ? 1 : -1);
    } else if (event.key === "Enter") this.onEnter(event);
  }

  private hint(text: string, wrong: boolean): TemplateResult | typeof nothing {
    const shown = this.refused || text;
    if (!shown) return nothing;
    return html`<p class="hint ${wrong || this.refused ? "wrong" : ""}" id="hint" aria-live="polite">
      ${shown}
    </p>`;
  }

  /** What the control does; for words this is part of their hint. */
  private help(): TemplateResult | typeof nothing {
    const { help, kind } = this.control;
    return help && kind !== "words" ? html`<p class="hint" id="help">${help}</p>` : nothing;
  }

  private number(): TemplateResult {
    const { control, words } = this;
    const { min, max } = control;
    const text = this.draft ?? control.value;
    const wrong = this.draft !== null && !this.isValidNumber(this.draft);
    return html`<div class="stepper">
        <button
          class="button"
          aria-label=${words("sentence.less")}
          ?disabled=${Number(control.value) <= (min ?? -Infinity)}
          @click=${() => this.nudge(-1)}
        >
          ${icon("less", 16)}
        </button>
        <input
          type="text"
          inputmode=${(min ?? -1) < 0 ? "text" : control.stops ? "decimal" : "numeric"}
          autocomplete="off"
          aria-label=${control.title}
          aria-describedby="hint help"
          aria-invalid=${wrong || this.refused ? "true" : "false"}
          .value=${text}
          @input=${(event: Event) => this.onTyped((event.target as HTMLInputElement).value)}
          @blur=${() => (this.draft = null)}
          @keydown=${this.numberKey}
        />
        <button
          class="button"
          aria-label=${words("sentence.more")}
          ?disabled=${Number(control.value) >= (max ?? Infinity)}
          @click=${() => this.nudge(1)}
        >
          ${icon("more", 16)}
        </button>
      </div>
      ${this.hint(min !== undefined && max !== undefined ? words(wrong ? (control.stops ? "sentence.decimal" : "sentence.whole") : "sentence.range", { min, max }) : "", wrong)}`;
  }

  /** The value after an option was chosen, or taken back where several may be. */
  private chosen(option: string): string {
    const { many, value } = this.control;
    if (!many) return option;
    const all = value.split(" ");
    const other = all.filter((one) => one !== option);
    return (other.length < all.length ? other : [...all, option]).join(" ").trim();
  }

  private options(): TemplateResult {
    const { control } = this;
    const { many } = control;
    return html`<fieldset aria-describedby="help">
      <legend class="unseen">${control.title}</legend>
      <div class="options">
        ${(control.options ?? []).map(
          (option) =>
            html`<label
              class="option ${option.disabled ? "off" : ""}"
              @pointerup=${() => option.disabled || many || requestAnimationFrame(() => this.done())}
            >
              <input
                type=${many ? "checkbox" : "radio"}
                name="option"
                .checked=${(many ? control.value.split(" ") : [control.value]).includes(option.value)}
                ?disabled=${Boolean(option.disabled)}
                @change=${() => this.send(this.chosen(option.value))}
                @keydown=${(event: KeyboardEvent) => event.key === "Enter" && this.onEnter(event)}
              />
              <span>${labelParts(option.label)}</span>
              ${option.disabled ? html`<small>${option.disabled}</small>` : nothing}
            </label>`,
        )}
      </div>
      ${this.hint("", false)}
    </fieldset>`;
  }

  /** A line of text that is sent when it is finished: with Enter, by leaving it, or by choosing one of the texts that are offered. Another Enter ends it. */
  private line(): TemplateResult {
    const { control } = this;
    const send = (event: Event): void => this.send((event.target as HTMLInputElement).value);
    return html`<input
        type="text"
        list="offered"
        spellcheck="false"
        autocapitalize="off"
        autocomplete="off"
        aria-label=${control.title}
        aria-describedby="hint"
        aria-invalid=${this.refused ? "true" : "false"}
        .value=${control.value}
        @change=${send}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== "Enter" || event.isComposing) return;
          if ((event.target as HTMLInputElement).value === control.value) this.onEnter(event);
          else send(event);
        }}
      /><datalist id="offered">
        ${control.options!.map(({ value }) => html`<option value=${value}></option>`)}
      </datalist>
      ${this.hint(control.help ?? "", false)}`;
  }

  private text(): TemplateResult {
    const { control } = this;
    const own = control.pieces ? this.#own : null;
    const hint = own?.hint() ?? { text: control.help ?? this.words("sentence.words_hint"), wrong: false };
    return html`<textarea
        rows="3"
        maxlength=${own ? MOST_CHARACTERS : nothing}
        spellcheck="false"
        autocapitalize="off"
        aria-label=${control.title}
        aria-describedby="hint"
        aria-invalid=${this.refused ? "true" : "false"}
        .value=${this.draft ?? own?.text ?? control.value}
        @input=${(event: InputEvent) => {
          const { value } = event.target as HTMLTextAreaElement;
          if (event.isComposing) this.draft = value;
          else this.onTyped(value);
        }}
        @compositionend=${(event: Event) => this.onTyped((event.target as HTMLTextAreaElement).value)}
        @blur=${() => (this.draft = null)}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          this.done();
        }}
      ></textarea>
      ${own?.template(this.learn)} ${this.hint(hint.text, hint.wrong)}`;
  }

  private picture(): TemplateResult {
    const { words } = this;
    return html`${this.options()}
      <div
        class="drop ${this.over ? "over" : ""}"
        @dragover=${(event: DragEvent) => {
          event.preventDefault();
          this.over = true;
        }}
        @dragleave=${() => (this.over = false)}
        @drop=${(event: DragEvent) => {
          event.preventDefault();
          event.stopPropagation();
          this.over = false;
          this.image(event.dataTransfer?.files[0]);
        }}
      >
        ${icon("image", 20)}
        <span>${words("sentence.image_drop")}</span>
        <button
          class="button"
          @click=${() => this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click()}
        >
          ${words("sentence.image_choose")}
        </button>
        <input
          type="file"
          hidden
          accept=${imageTypes}
          tabindex="-1"
          aria-label=${words("sentence.image_choose")}
          @change=${(event: Event) => {
            const field = event.target as HTMLInputElement;
            this.image(field.files?.[0]);
            field.value = "";
          }}
        />
        <span class="hint">${words("sentence.image_hint")} ${words("sentence.image_scaled")}</span>
      </div>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.words || !this.control) return nothing;
    const body = {
      number: () => this.number(),
      choice: () => this.options(),
      words: () => (this.control.options ? this.line() : this.text()),
      image: () => this.picture(),
    };
    return html`${this.titled ? html`<span class="title" aria-hidden="true">${labelParts(this.control.title)}</span>` : nothing}
    ${body[this.control.kind]()} ${this.help()}`;
  }
}
customElements.define("ap-control", ApControl);
