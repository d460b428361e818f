/** ap-keys: the dialog that lists the keyboard shortcuts. DESIGN.md, section 8. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Key, Words } from "../../i18n/words.js";
import { closeOutside, dialogHeading, dialogLook } from "./dialog.js";
import { showInFront } from "../in-front.js";
import { look } from "../look.js";

const keys: { keys: string[]; text: Key }[] = [
  { keys: ["←", "→", "↑", "↓"], text: "keys.arrows" },
  { keys: ["Home", "End"], text: "keys.home" },
  { keys: ["Ctrl Home", "Ctrl End"], text: "keys.ends" },
  { keys: ["PgUp", "PgDn"], text: "keys.pages" },
  { keys: ["Enter"], text: "keys.enter" },
  { keys: ["F2", "0 … 9"], text: "keys.edit" },
  { keys: ["⇧ ↑", "⇧ ↓"], text: "keys.pull" },
  { keys: ["⇧ ←", "⇧ →", "⇧ PgUp", "⇧ PgDn"], text: "keys.pull_units" },
  { keys: ["Esc"], text: "keys.escape" },
  { keys: ["c"], text: "keys.copy" },
  { keys: ["t"], text: "keys.take" },
  { keys: ["Ctrl V"], text: "keys.paste" },
  { keys: ["g"], text: "keys.gradient" },
  { keys: ["u", "d"], text: "keys.follow" },
  { keys: ["Ctrl Z", "Ctrl ⇧ Z"], text: "keys.undo" },
  { keys: ["[", "␣", "]"], text: "keys.play" },
  { keys: ["/"], text: "keys.search" },
  { keys: ["?"], text: "keys.help" },
];

export class ApKeys extends LitElement {
  static override properties = { words: { attribute: false } };
  declare words: Words;

  static override styles = [
    look,
    dialogLook,
    css`
      dialog {
        width: min(520px, calc(100vw - 24px));
      }
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 7px 20px;
        align-items: baseline;
        margin: 14px 0 14px;
      }
      dt,
      dd {
        margin: 0;
      }
      kbd {
        display: inline-block;
        min-width: 24px;
        margin-inline-end: 4px;
        padding: 1px 6px;
        border: 1px solid var(--rule-2);
        border-radius: var(--radius-s);
        font: 12.5px/1.4 var(--sans);
        text-align: center;
        white-space: nowrap;
      }
    `,
  ];

  show(): void {
    showInFront(this.renderRoot.querySelector("dialog"));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words } = this;
    if (!words) return nothing;
    return html`<dialog aria-labelledby="title" @click=${closeOutside}>
      ${dialogHeading(words("keys.title"), words)}
      <dl>
        ${keys.map(
          (line) =>
            html`<dt>${line.keys.map((key) => html`<kbd>${key}</kbd>`)}</dt>
              <dd>${words(line.text)}</dd>`,
        )}
      </dl>
      <p>${words("keys.counting")}</p>
    </dialog>`;
  }
}
customElements.define("ap-keys", ApKeys);
