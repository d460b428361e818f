/**
 * ap-reading: the line under the settings about the comparison or the gradient on the stage, with a switch
 * and a button that ends it.
 */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Words } from "../i18n/words.js";
import { icon } from "./icons.js";
import { labelParts } from "./label.js";
import { look } from "./look.js";
import { narrower } from "./narrower.js";

/** One choice of the switch in the line about the comparison or the gradient on the stage. */
export interface ReadingOption {
  value: string;
  label: string;
}

/** Events: reading-show {value}, reading-other {}, reading-stop {}. */
export class ApReading extends LitElement {
  static override properties = {
    words: { attribute: false },
    name: {},
    text: {},
    options: { attribute: false },
    value: {},
    stop: {},
    other: {},
  };
  declare words: Words;
  /** The accessible name of the line. */
  declare name: string;
  /** The text; "_" begins a subscript. */
  declare text: string;
  /** The choices of the switch; empty when there is nothing to choose between. */
  declare options: readonly ReadingOption[];
  declare value: string;
  /** The label of the button that ends the comparison or the gradient. */
  declare stop: string;
  /** The label of a button for another act; empty for none. */
  declare other: string;

  static override styles = [
    look,
    css`
      :host {
        display: block;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 14px;
        align-items: center;
        min-height: 32px;
        padding-inline-start: 10px;
        border-inline-start: 3px solid var(--ink);
        color: var(--ink-2);
        font-size: 14px;
      }
      p {
        margin: 0;
      }
      sub {
        font-size: 0.78em;
        line-height: 0;
      }
      fieldset {
        display: flex;
        margin: 0;
        padding: 0;
        border: 0;
      }
      label {
        position: relative;
        display: inline-flex;
        align-items: center;
        min-height: 28px;
        padding: 2px 11px;
        border: 1px solid var(--control);
        background: var(--surface);
        color: var(--ink);
        font-size: 13px;
        white-space: nowrap;
        cursor: pointer;
      }
      label:first-of-type {
        border-start-start-radius: var(--radius-m);
        border-end-start-radius: var(--radius-m);
      }
      label:last-of-type {
        border-start-end-radius: var(--radius-m);
        border-end-end-radius: var(--radius-m);
      }
      label + label {
        margin-inline-start: -1px;
      }
      label:hover {
        z-index: 1;
        border-color: var(--ink);
      }
      label:has(:checked) {
        z-index: 1;
        border-color: var(--ink);
        background: var(--ink);
        color: var(--paper);
      }
      label:has(:focus-visible) {
        z-index: 2;
        outline: var(--frame) solid var(--ink);
        outline-offset: 2px;
      }
      input {
        position: absolute;
        inset: 0;
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }
      .quiet {
        margin-inline-start: -9px;
      }
      @media (pointer: coarse) {
        label {
          min-height: var(--touch);
          padding-inline: 16px;
        }
      }
      @media (forced-colors: active) {
        label:has(:checked) {
          forced-color-adjust: none;
          border-color: Highlight;
          background: Highlight;
          color: HighlightText;
        }
      }
      @media print {
        fieldset,
        .quiet {
          display: none;
        }
      }
    `,
    narrower(
      767,
      css`
        .line {
          margin-top: 6px;
          gap: 4px 10px;
        }
        p {
          flex-basis: 100%;
          line-height: 1.35;
        }
      `,
    ),
  ];

  constructor() {
    super();
    this.name = "";
    this.text = "";
    this.options = [];
    this.value = "";
    this.stop = "";
    this.other = "";
  }

  private send(name: string, detail: Record<string, unknown>): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private option({ value, label }: ReadingOption): TemplateResult {
    return html`<label
      ><input
        type="radio"
        name="shown"
        .checked=${value === this.value}
        @change=${() => this.send("reading-show", { value })}
      />${label}</label
    >`;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.words) return nothing;
    return html`<section class="line" aria-label=${this.name}>
      <p role="status">${labelParts(this.text)}</p>
      ${
        this.options.length > 0
          ? html`<fieldset>
              <legend class="unseen">${this.name}</legend>
              ${this.options.map((option) => this.option(option))}
            </fieldset>`
          : nothing
      }
      ${
        this.other
          ? html`<button class="link" @click=${() => this.send("reading-other", {})}>${this.other}</button>`
          : nothing
      }
      <button class="quiet" @click=${() => this.send("reading-stop", {})}>
        ${icon("close", 16)}<span>${this.stop}</span>
      </button>
    </section>`;
  }
}
customElements.define("ap-reading", ApReading);
