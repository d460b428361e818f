/** ap-notice: a notice: what happened, what is shown instead, and links that help. DESIGN.md, section 11. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { codeParts, look } from "./look.js";

/** Event: notice-action {action}, the index of the link in `actions`. */
export class ApNotice extends LitElement {
  static override properties = { heading: {}, body: {}, code: {}, actions: { attribute: false } };
  declare heading: string;
  /** The text; parts in backquotes are set as code. */
  declare body: string;
  /** A text, such as the link as it came, that is shown whole under the body and can be selected. */
  declare code: string;
  declare actions: string[];

  static override styles = [
    look,
    css`
      :host {
        display: block;
      }
      section {
        padding: 10px 14px;
        border-inline-start: 3px solid var(--notice);
        border-radius: 0 var(--radius-m) var(--radius-m) 0;
        background: var(--notice-wash);
        line-height: 1.5;
      }
      strong {
        display: block;
        font-weight: 600;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: 0 16px;
        margin-top: 4px;
      }
      :host([inline]) section {
        padding-block: 6px;
      }
      :host([inline]) :is(strong, .actions) {
        display: inline;
      }
      :host([inline]) .link {
        margin-right: 12px;
      }
      .whole {
        display: block;
        max-height: 9.5em;
        overflow: auto;
        margin-top: 6px;
        overflow-wrap: anywhere;
        color: var(--ink-2);
        font-size: 13px;
      }
      code {
        overflow-wrap: anywhere;
      }
      @media (forced-colors: active) {
        section {
          border: 1px solid CanvasText;
          border-inline-start-width: 3px;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.heading = "";
    this.body = "";
    this.code = "";
    this.actions = [];
  }

  protected override render(): TemplateResult {
    return html`<section role="status">
      <strong>${this.heading}</strong>
      <span
        >${codeParts(this.body).map((part) => (part.code ? html`<code>${part.text}</code>` : part.text))}</span
      >
      ${this.code ? html`<code class="whole" tabindex="0">${this.code}</code>` : nothing}
      ${
        this.actions.length
          ? html`<div class="actions">
              ${this.actions.map(
                (label, action) =>
                  html`<button
                    class="link"
                    @click=${() => this.dispatchEvent(new CustomEvent("notice-action", { detail: { action }, bubbles: true, composed: true }))}
                  >
                    ${label}
                  </button> `,
              )}
            </div>`
          : nothing
      }
    </section>`;
  }
}
customElements.define("ap-notice", ApNotice);
