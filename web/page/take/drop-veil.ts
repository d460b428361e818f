/**
 * ap-drop-veil: while a file is dragged over the page, a frame around what will receive it, and a sentence
 * about it.
 */
import { LitElement, css, html, type TemplateResult } from "lit";
import { look } from "../../elements/look.js";
import { styleMap } from "../../elements/style-map.js";

/** The distance of the frame from the tensor, or from the edge of the window. */
const AIR = 8;

export class ApDropVeil extends LitElement {
  static override properties = { text: { state: true }, target: { state: true } };
  declare private text: string;
  /** The rectangle of the receiving tensor; null for the page. */
  declare private target: DOMRect | null;

  static override styles = [
    look,
    css`
      [popover] {
        position: fixed;
        inset: 0;
        width: auto;
        height: auto;
        margin: 0;
        padding: 0;
        border: 0;
        overflow: hidden;
        background: none;
        pointer-events: none;
      }
      .frame {
        position: absolute;
        border: 2.5px solid var(--ink);
        border-radius: var(--radius-s);
        box-shadow:
          0 0 0 1.5px var(--paper),
          inset 0 0 0 1.5px var(--paper);
      }
      p {
        position: absolute;
        bottom: 72px;
        left: 50%;
        width: max-content;
        max-width: calc(100vw - 48px);
        margin: 0;
        padding: 9px 14px;
        transform: translateX(-50%);
        border: 1px solid var(--control);
        border-radius: var(--radius-m);
        background: var(--surface);
        color: var(--ink);
        box-shadow: var(--shadow);
      }
    `,
  ];

  constructor() {
    super();
    this.text = "";
    this.target = null;
  }

  #shown = false;

  show(text: string, target: DOMRect | null): void {
    this.#shown = true;
    this.text = text;
    this.target = target;
    // The first time a file is dragged over the page, the element is not rendered yet.
    void this.updateComplete.then(() => {
      const veil = this.renderRoot.querySelector<HTMLElement>("[popover]");
      if (this.#shown && veil && !veil.matches(":popover-open")) veil.showPopover();
    });
  }

  hide(): void {
    this.#shown = false;
    const veil = this.renderRoot.querySelector<HTMLElement>("[popover]");
    if (veil?.matches(":popover-open")) veil.hidePopover();
  }

  protected override render(): TemplateResult {
    const { target } = this;
    const at = target
      ? {
          left: `${target.left - AIR}px`,
          top: `${target.top - AIR}px`,
          width: `${target.width + 2 * AIR}px`,
          height: `${target.height + 2 * AIR}px`,
        }
      : { inset: `${AIR}px` };
    return html`<div popover="manual">
      <div class="frame" style=${styleMap(at)}></div>
      <p role="status">${this.text}</p>
    </div>`;
  }
}
customElements.define("ap-drop-veil", ApDropVeil);

declare global {
  interface HTMLElementTagNameMap {
    "ap-drop-veil": ApDropVeil;
  }
}
