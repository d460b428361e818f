/** ap-take-menu: the small menu of one tensor: saves its numbers or its picture, and puts numbers into it. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { look } from "../../elements/look.js";
import type { Words } from "../../i18n/words.js";
import { buttonRow, fileButton, formsLook, pictureForms, tableForms, type Form } from "./buttons.js";
import { takeWords } from "./words.js";

/** The tensor that a menu is opened for. */
export interface MenuEntry {
  /** Its name: "weights". */
  name: string;
  /** Its size: "4×4". */
  shape: string;
  /** Whether the tensor is on the stage, so that there is a picture of it. */
  isDrawn: boolean;
  /** The shape of the file that the tensor accepts; null for a tensor that is computed. */
  takes: string | null;
  save(form: Form): Promise<string | null>;
  put(file: File): void;
}

/** The element that has the focus, inside any shadow roots. */
function focusedElement(): HTMLElement | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at instanceof HTMLElement ? at : null;
}

/** Margin between the menu, the place it belongs to, and the edge of the window. */
const AIR = 6;

export class ApTakeMenu extends LitElement {
  static override properties = {
    words: { attribute: false },
    entry: { state: true },
    saved: { state: true },
  };
  declare words: Words;
  declare private entry: MenuEntry | null;
  /** The name of the file saved last. */
  declare private saved: string;

  #at = new DOMRect();
  /** The element that had the focus when the menu was opened. */
  #from: HTMLElement | null = null;

  static override styles = [
    look,
    formsLook,
    css`
      [popover] {
        position: fixed;
        inset: auto;
        width: min(340px, calc(100vw - 16px));
        margin: 0;
        padding: 12px 16px 14px;
        border: 1px solid var(--control);
        border-radius: var(--radius-m);
        background: var(--surface);
        color: var(--ink);
        box-shadow: var(--shadow);
      }
      h2 {
        display: flex;
        align-items: baseline;
        justify-content: space-between;
        gap: 12px;
        margin: 0;
        font: 600 14px/1.4 var(--sans);
      }
      h2 span {
        color: var(--ink-3);
        font-size: 12.5px;
        font-weight: 400;
      }
      h3 {
        margin: 10px 0 5px;
        color: var(--ink-2);
        font: 400 12.5px/1.4 var(--sans);
      }
      p {
        margin: 8px 0 0;
        color: var(--ink-2);
        font-size: 12.5px;
        line-height: 1.5;
      }
      p:empty {
        display: none;
      }
    `,
  ];

  constructor() {
    super();
    this.entry = null;
    this.saved = "";
  }

  /** Opens beside `at`, a rectangle in the window, and moves the focus to the first button. */
  async open(entry: MenuEntry, at: DOMRect): Promise<void> {
    this.entry = entry;
    this.saved = "";
    this.#at = at;
    this.#from = focusedElement();
    await this.updateComplete;
    const popover = this.renderRoot.querySelector<HTMLElement>("[popover]");
    if (!popover) return;
    if (!popover.matches(":popover-open")) popover.showPopover();
    this.#place(popover);
    this.renderRoot.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  }

  close(): void {
    const popover = this.renderRoot.querySelector<HTMLElement>("[popover]");
    if (popover?.matches(":popover-open")) popover.hidePopover();
  }

  #place(popover: HTMLElement): void {
    const at = this.#at;
    const { width, height } = popover.getBoundingClientRect();
    const room = document.documentElement.clientWidth - width - AIR;
    const below = at.bottom + AIR;
    const top = below + height + AIR <= innerHeight ? below : Math.max(AIR, at.top - AIR - height);
    popover.style.left = `${Math.max(AIR, Math.min(room, at.left))}px`;
    popover.style.top = `${Math.min(top, Math.max(AIR, innerHeight - AIR - height))}px`;
  }

  /** Moves the focus back to where it was, unless the reader has moved it elsewhere. */
  #closed = (event: ToggleEvent): void => {
    if (event.newState !== "closed") return;
    const now = focusedElement();
    const from = this.#from;
    this.#from = null;
    if (now === null || now === document.body || this.renderRoot.contains(now))
      from?.focus({ preventScroll: true });
  };

  async #save(form: Form): Promise<void> {
    const { entry } = this;
    const saved = await entry?.save(form);
    if (this.entry === entry) this.saved = saved ?? "";
    if (saved === null) this.close();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry } = this;
    if (!this.words || !entry) return nothing;
    const words = takeWords(this.words);
    const { name, takes } = entry;
    const say = (format: string): string => words("take.save", { name, format });
    const save = (form: Form): void => void this.#save(form);
    const put = (file: File): void => {
      this.close();
      entry.put(file);
    };
    return html`<div
      popover="auto"
      role="dialog"
      aria-label=${words("take.menu", { name })}
      @toggle=${this.#closed}
    >
      <h2>${words("take.menu", { name })} <span>${entry.shape}</span></h2>
      <h3>${words("take.numbers")}</h3>
      ${buttonRow(tableForms, say, save)}
      ${
        entry.isDrawn
          ? html`<h3>${words("take.picture")}</h3>
              ${buttonRow(pictureForms, say, save)}`
          : nothing
      }
      <p role="status">${this.saved ? words("take.saved", { file: this.saved }) : ""}</p>
      ${
        takes === null
          ? nothing
          : html`<h3>${words("take.put")}</h3>
              <div class="forms">${fileButton(words("take.put_file"), ".npy,.csv,.txt,.tsv", put)}</div>
              <p>${words("take.put_hint", { shape: takes })}</p>`
      }
    </div>`;
  }
}
customElements.define("ap-take-menu", ApTakeMenu);

declare global {
  interface HTMLElementTagNameMap {
    "ap-take-menu": ApTakeMenu;
  }
}
