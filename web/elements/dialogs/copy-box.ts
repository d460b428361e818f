/** ap-copy-box: a text with a button that copies it. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../i18n/words.js";
import { icon } from "../icons.js";
import { look } from "../look.js";

/** Milliseconds that the button shows the result of copying. */
const shownFor = 1500;

export class ApCopyBox extends LitElement {
  static override properties = {
    words: { attribute: false },
    text: {},
    lead: {},
    name: {},
    action: {},
    main: { type: Boolean },
    copied: { state: true },
  };
  declare words: Words;
  declare text: string;
  /** The beginning of the text that is set in a lighter colour. */
  declare lead: string;
  /** The accessible name of the text. */
  declare name: string;
  /** The accessible name of the button. */
  declare action: string;
  /** Whether the button is the main one of its dialog. */
  declare main: boolean;
  /** Whether the last attempt to copy succeeded; null when there was none, or it was some time ago. */
  declare private copied: { done: boolean } | null;

  static override styles = [
    look,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 8px;
        margin-top: 8px;
      }
      .button {
        align-self: start;
      }
      .box {
        max-height: 11em;
        overflow: auto;
        padding: 8px 12px;
        border-radius: var(--radius-s);
        background: var(--sunk);
        color: var(--ink-2);
        font: 13px/1.5 var(--mono);
        overflow-wrap: anywhere;
        user-select: all;
      }
      mark {
        background: none;
        color: var(--ink);
        white-space: pre-wrap;
      }
      @media (max-width: 479px) {
        :host {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  constructor() {
    super();
    this.text = "";
    this.lead = "";
    this.name = "";
    this.action = "";
    this.main = false;
    this.copied = null;
  }

  /** Removes the result of the last copy. */
  reset(): void {
    this.copied = null;
  }

  async #copy(): Promise<void> {
    let done = true;
    try {
      await navigator.clipboard.writeText(this.text);
    } catch {
      done = false;
      const box = this.renderRoot.querySelector(".box");
      if (box) getSelection()?.selectAllChildren(box);
    }
    const copied = { done };
    this.copied = copied;
    setTimeout(() => {
      if (this.copied === copied) this.copied = null;
    }, shownFor);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, copied, lead, text } = this;
    if (!words) return nothing;
    const answer = copied ? words(copied.done ? "share.copied" : "share.copy_failed") : "";
    return html`<div class="box" tabindex="0" role="textbox" aria-readonly="true" aria-label=${this.name}>
        ${lead}<mark>${text.slice(lead.length)}</mark>
      </div>
      <button
        class="button ${this.main ? "main" : ""}"
        aria-label=${answer || this.action}
        @click=${() => void this.#copy()}
      >
        ${icon(copied?.done ? "check" : "copy", 18)}${answer || words("share.copy")}
      </button>
      <span class="unseen" role="status">${answer}</span>`;
  }
}
customElements.define("ap-copy-box", ApCopyBox);
