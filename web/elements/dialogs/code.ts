/**
 * ap-code: the dialog with the program of the present state, in NumPy and in PyTorch, to read, copy or save.
 * DESIGN.md, section 3.
 */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../i18n/words.js";
import { closeOutside, dialogHeading, dialogLook } from "./dialog.js";
import { icon } from "../icons.js";
import { showInFront } from "../in-front.js";
import { look } from "../look.js";
import { putOnClipboard } from "../note/copy.js";

const languages = ["numpy", "pytorch"] as const;
export type ProgramLanguage = (typeof languages)[number];

/** Milliseconds that a button shows the result of copying. */
const shownFor = 1500;

type Text = { state: "waiting" } | { state: "there"; text: string } | { state: "failed"; reason: string };

/** The lines of a program; its comments and its docstring are set in a lighter colour. */
function lines(text: string): (string | TemplateResult)[] {
  let inText = false;
  return text.split("\n").flatMap((line) => {
    const marks = line.split('"""').length - 1;
    const quiet = inText || marks > 0 || line.trimStart().startsWith("#");
    if (marks % 2 === 1) inText = !inText;
    return [quiet ? html`<span class="said">${line}</span>` : line, "\n"];
  });
}

export class ApCode extends LitElement {
  static override properties = {
    words: { attribute: false },
    write: { attribute: false },
    name: {},
    language: { state: true },
    texts: { state: true },
    copyResult: { state: true },
  };
  declare words: Words;
  /** Writes the program of the present state. */
  declare write: (language: ProgramLanguage) => Promise<string>;
  /** The base name of a saved file. */
  declare name: string;
  declare private language: ProgramLanguage;
  declare private texts: Partial<Record<ProgramLanguage, Text>>;
  declare private copyResult: "copied" | "refused" | null;

  #openings = 0;

  static override styles = [
    look,
    dialogLook,
    css`
      dialog {
        width: min(860px, calc(100vw - 24px));
        max-height: calc(100dvh - clamp(12px, 8vh, 64px) - 20px);
        overflow: hidden;
      }
      dialog[open] {
        display: flex;
        flex-direction: column;
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 12px;
        align-items: flex-end;
        justify-content: space-between;
        margin-top: 14px;
      }
      [role="tablist"] {
        display: flex;
      }
      [role="tab"] {
        min-height: 36px;
        padding: 6px 12px;
        border: 0;
        border-bottom: 2px solid transparent;
        background: none;
        color: var(--ink-2);
        cursor: pointer;
      }
      [role="tab"]:hover {
        color: var(--ink);
      }
      [role="tab"][aria-selected="true"] {
        border-color: var(--ink);
        color: var(--ink);
        font-weight: 600;
      }
      .acts {
        display: flex;
        gap: 8px;
        padding-bottom: 4px;
      }
      pre {
        flex: 1;
        min-height: 160px;
        margin: 0;
        padding: 12px 14px;
        overflow: auto;
        border-top: 1px solid var(--rule);
        border-radius: 0 0 var(--radius-s) var(--radius-s);
        background: var(--sunk);
        color: var(--ink);
        font: 13px/1.5 var(--mono);
        font-variant-ligatures: none;
        tab-size: 4;
      }
      .said {
        color: var(--ink-3);
      }
      @media (pointer: coarse) {
        [role="tab"] {
          min-height: var(--touch);
        }
      }
      @media (max-width: 767px) {
        pre {
          font-size: 12px;
        }
      }
      @media (forced-colors: active) {
        [role="tab"][aria-selected="true"] {
          border-color: Highlight;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.name = "";
    this.language = "numpy";
    this.texts = {};
    this.copyResult = null;
  }

  /** Opens the dialog with the programs of the present state. */
  show(): void {
    this.texts = {};
    this.copyResult = null;
    this.#openings++;
    void this.#write();
    showInFront(this.renderRoot.querySelector("dialog"));
  }

  async #write(): Promise<void> {
    const { language } = this;
    const opening = this.#openings;
    if (this.texts[language]?.state === "there") return;
    const set = (text: Text): void => {
      if (opening === this.#openings) this.texts = { ...this.texts, [language]: text };
    };
    set({ state: "waiting" });
    try {
      set({ state: "there", text: await this.write(language) });
    } catch (error) {
      set({ state: "failed", reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #choose(language: ProgramLanguage): void {
    this.language = language;
    this.copyResult = null;
    void this.#write();
  }

  async #key(event: KeyboardEvent): Promise<void> {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const place = languages.indexOf(this.language) + step + languages.length;
    this.#choose(languages[place % languages.length] ?? "numpy");
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }

  get #text(): string | null {
    const text = this.texts[this.language];
    return text?.state === "there" ? text.text : null;
  }

  async #copy(): Promise<void> {
    const text = this.#text;
    const dialog = this.renderRoot.querySelector("dialog");
    if (text === null || !dialog) return;
    const result = (await putOnClipboard(text, dialog)) ? "copied" : "refused";
    this.copyResult = result;
    setTimeout(() => (this.copyResult = null), shownFor);
  }

  #save(): void {
    const text = this.#text;
    if (text === null) return;
    const address = URL.createObjectURL(new Blob([text], { type: "text/x-python" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${this.name}-${this.language}.py`;
    link.click();
    // The browser must have begun to read the bytes.
    setTimeout(() => URL.revokeObjectURL(address), shownFor);
  }

  #body(): unknown {
    const { words } = this;
    const text = this.texts[this.language];
    if (!text || text.state === "waiting") return html`<span class="said">${words("code.waiting")}</span>`;
    if (text.state === "there") return lines(text.text);
    return html`${words("code.failed", { reason: text.reason })}
      <button class="link" @click=${() => void this.#write()}>${words("notice.retry")}</button>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, language, copyResult } = this;
    if (!words) return nothing;
    const none = this.#text === null;
    const copy = copyResult
      ? words(copyResult === "copied" ? "share.copied" : "share.copy_failed")
      : words("share.copy");
    return html`<dialog aria-labelledby="title" @click=${closeOutside}>
      ${dialogHeading(words("code.title"), words)}
      <p>${words("code.about")}</p>
      <div class="bar">
        <div role="tablist" aria-label=${words("code.title")} @keydown=${this.#key}>
          ${languages.map(
            (one) =>
              html`<button
                role="tab"
                id=${one}
                aria-selected=${one === language ? "true" : "false"}
                aria-controls="program"
                tabindex=${one === language ? 0 : -1}
                @click=${() => this.#choose(one)}
              >
                ${words(`code.${one}`)}
              </button>`,
          )}
        </div>
        <div class="acts">
          <button class="button" ?disabled=${none} @click=${() => void this.#copy()}>
            ${icon(copyResult === "copied" ? "check" : "copy", 18)}<span>${copy}</span>
          </button>
          <button class="button" ?disabled=${none} @click=${() => this.#save()}>
            ${icon("save", 18)}<span>${words("code.save")}</span>
          </button>
        </div>
      </div>
      <pre id="program" role="tabpanel" tabindex="0" aria-labelledby=${language}>${this.#body()}</pre>
      <span class="unseen" role="status">${copyResult ? copy : ""}</span>
    </dialog>`;
  }
}
customElements.define("ap-code", ApCode);
