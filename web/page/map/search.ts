/** ap-search: finds labs, terms, claims, parts of lessons, examples and documents. */
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { icon } from "../../elements/icons.js";
import { look } from "../../elements/look.js";
import type { Words } from "../../i18n/words.js";
import { Memo } from "../memo.js";
import {
  allEntries,
  firstEntries,
  nearest,
  search,
  type Entry,
  type Found,
  type Group,
} from "./search-index.js";
import { mapWords, type MapWords } from "./words.js";

/** The icon of a search. It is not among those of frames and elements, which have no search. */
const lens = html`<svg
  class="icon"
  width="18"
  height="18"
  viewBox="0 0 20 20"
  aria-hidden="true"
  focusable="false"
>
  <circle cx="9" cy="9" r="5.2" />
  <path d="m13 13 4 4" />
</svg>`;

/** The most that is listed of each group. */
const most = 5;

/** The groups of what was found, in the order of their first entries. */
const groupsIn = (found: readonly Found[]): Group[] => [...new Set(found.map(({ entry }) => entry.group))];

/** Events: open-lab {lab, view}, open-example {example}, open-document {document}, open-state {hash}. */
export class ApSearch extends LitElement {
  static override properties = {
    words: { attribute: false },
    isPhone: { attribute: false },
    text: { state: true },
    isOpen: { state: true },
    at: { state: true },
    entries: { state: true },
    hasFailed: { state: true },
  };
  declare words: Words;
  declare isPhone: boolean;
  declare private text: string;
  declare private isOpen: boolean;
  /** The place of the lit result. */
  declare private at: number;
  declare private entries: readonly Entry[];
  /** Whether the lessons and terms could not be fetched. */
  declare private hasFailed: boolean;

  static override styles = [
    look,
    css`
      :host {
        display: block;
        position: relative;
      }
      .box {
        display: flex;
        align-items: center;
        gap: 8px;
        height: 38px;
        padding: 0 10px;
        border: 1px solid var(--control);
        border-radius: var(--radius-m);
        background: var(--surface);
        color: var(--ink-3);
      }
      .box:focus-within {
        outline: var(--frame) solid var(--ink);
        outline-offset: 2px;
      }
      input {
        flex: 1;
        min-width: 0;
        height: 100%;
        padding: 0;
        border: 0;
        background: none;
        color: var(--ink);
        text-overflow: ellipsis;
      }
      /* The ring is around the whole box. */
      input:focus-visible {
        outline: none;
      }
      input::placeholder {
        color: var(--ink-3);
        opacity: 1;
      }
      input::-webkit-search-cancel-button {
        display: none;
      }
      kbd {
        padding: 1px 6px;
        border: 1px solid var(--rule-2);
        border-radius: var(--radius-s);
        color: var(--ink-2);
        font: 12px var(--sans);
      }
      .clear {
        min-height: 28px;
        min-width: 28px;
        margin-inline-end: -6px;
        padding: 4px;
      }
      .found {
        position: absolute;
        z-index: 6;
        inset: calc(100% + 8px) 0 auto;
        padding: 10px 14px 9px;
        border: 1px solid var(--rule);
        border-radius: var(--radius-m);
        background: var(--surface);
        box-shadow: var(--shadow);
        font-size: 14px;
      }
      .list {
        max-height: min(460px, 62vh);
        margin: 0 -8px;
        overflow-y: auto;
      }
      .group {
        padding: 7px 8px 2px;
        color: var(--ink-3);
        font: 600 12px/1.3 var(--sans);
      }
      .option {
        display: grid;
        grid-template-columns: 22px minmax(0, 1fr) auto;
        gap: 0 10px;
        align-items: baseline;
        padding: 4px 8px;
        border-radius: var(--radius-s);
        cursor: pointer;
      }
      .option .number,
      .option .other {
        color: var(--ink-3);
        font-size: 12.5px;
      }
      .option .other {
        max-width: 150px;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .option[aria-selected="true"] {
        background: var(--ink);
        color: var(--paper);
        forced-color-adjust: none;
      }
      .option[aria-selected="true"] :is(.number, .other) {
        color: inherit;
      }
      mark {
        background: none;
        color: inherit;
        font-weight: 600;
        text-decoration: underline;
        text-decoration-thickness: 2px;
        text-underline-offset: 3px;
      }
      p {
        margin: 2px 0;
      }
      footer {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 14px;
        margin-top: 6px;
        padding-top: 7px;
        border-top: 1px solid var(--rule);
        color: var(--ink-2);
        font-size: 12.5px;
      }
      footer .count {
        margin-inline-start: auto;
      }
      @media (max-width: 767px) {
        .box {
          height: 44px;
        }
        input {
          font-size: 16px;
        }
        kbd,
        .keys {
          display: none;
        }
        .option {
          padding-block: 9px;
        }
      }
    `,
  ];

  readonly #found = new Memo<Found[]>();
  /** The language whose lessons and terms are fetched, or being fetched. */
  #fetched: string | null = null;

  constructor() {
    super();
    this.isPhone = false;
    this.text = "";
    this.isOpen = false;
    this.at = 0;
    this.entries = [];
    this.hasFailed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#slash);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#slash);
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector("input");
  }

  /** "/" begins a search, wherever the focus is, except where it may be typed. */
  readonly #slash = (event: KeyboardEvent): void => {
    if (event.key !== "/" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.composedPath()[0];
    if (at instanceof Element && at.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    void this.begin();
  };

  /** The reader may type what to search for. */
  async begin(): Promise<void> {
    await this.updateComplete;
    this.#input?.focus();
    this.#input?.select();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("words") || !this.words) return;
    this.entries = firstEntries(this.words, null);
    this.#fetched = null;
    if (this.text) void this.#fetch();
  }

  /** Fetches the lessons and terms when a search begins. */
  async #fetch(): Promise<void> {
    const { words } = this;
    const { language } = words;
    if (this.#fetched === language) return;
    this.#fetched = language;
    try {
      const entries = await allEntries(words);
      if (this.#fetched !== language) return;
      this.entries = entries;
      this.hasFailed = false;
    } catch {
      if (this.#fetched !== language) return;
      this.#fetched = null;
      this.hasFailed = true;
    }
  }

  /** What was found: of each group as many as are listed. */
  #foundNow(): { listed: Found[]; count: number } {
    const all = this.#found.of([this.entries, this.text], () => search(this.entries, this.text));
    const listed = groupsIn(all).flatMap((group) =>
      all.filter(({ entry }) => entry.group === group).slice(0, most),
    );
    return { listed, count: all.length };
  }

  #open(entry: Entry): void {
    const { opens } = entry;
    this.#close();
    const send = (name: string, detail: unknown): void => {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    };
    if ("example" in opens) send("open-example", opens);
    else if ("hash" in opens) send("open-state", opens);
    else if ("document" in opens) send("open-document", opens);
    else {
      const { lab, lesson } = opens;
      send("open-lab", { lab, ...(lesson ? { view: { lesson } } : {}) });
    }
  }

  #close(): void {
    this.isOpen = false;
    this.at = 0;
  }

  #clear(): void {
    this.text = "";
    this.#close();
  }

  readonly #key = (event: KeyboardEvent): void => {
    const { listed } = this.#foundNow();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.text.trim()) {
      event.preventDefault();
      if (this.isOpen && listed.length) this.at = (this.at + step + listed.length) % listed.length;
      this.isOpen = true;
    } else if (event.key === "Enter" && this.isOpen) {
      event.preventDefault();
      const entry = listed[this.at]?.entry ?? nearest(this.entries, this.text);
      if (entry) this.#open(entry);
    } else if (event.key === "Escape" && (this.isOpen || this.text)) {
      event.preventDefault();
      if (this.isOpen) this.#close();
      else this.#clear();
    }
  };

  protected override updated(changed: PropertyValues): void {
    if (changed.has("at"))
      this.renderRoot.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  #option({ entry, match }: Found, at: number): TemplateResult {
    const marked = (text: string, place: "text" | "other"): TemplateResult =>
      match?.in === place
        ? html`${text.slice(0, match.from)}<mark>${text.slice(match.from, match.to)}</mark>${text.slice(match.to)}`
        : html`${text}`;
    // Before it is pressed, so that the search keeps the focus.
    return html`<div
      class="option"
      id="found-${at}"
      role="option"
      aria-selected=${at === this.at ? "true" : "false"}
      @pointermove=${() => {
        this.at = at;
      }}
      @mousedown=${(event: MouseEvent) => event.preventDefault()}
      @click=${() => this.#open(entry)}
    >
      <span class="number">${entry.number}</span><span>${marked(entry.text, "text")}</span
      ><span class="other" lang=${this.words.language === "en" ? "zh-CN" : "en"}
        >${marked(entry.other, "other")}</span
      >
    </div>`;
  }

  #nothing(strings: MapWords): TemplateResult {
    const entry = nearest(this.entries, this.text);
    const text = this.text.trim();
    if (!entry) return html`<p role="status">${strings("search.nothing", { text })}</p>`;
    const [before, after = ""] = strings("search.none", { text, nearest: "\n" }).split("\n");
    return html`<p role="status">
      ${before}<button
        class="link"
        @mousedown=${(event: MouseEvent) => event.preventDefault()}
        @click=${() => this.#open(entry)}
      >
        ${entry.text}</button
      >${after}
    </p>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, text } = this;
    if (!words) return nothing;
    const strings = mapWords(words);
    const { listed, count } = this.#foundNow();
    const isShown = this.isOpen && text.trim() !== "";
    const hasList = isShown && listed.length > 0;
    const placeholder = strings(this.isPhone ? "search.narrow" : "search");
    return html`<div class="box">
        ${lens}<input
          type="search"
          role="combobox"
          aria-label=${strings("search")}
          aria-expanded=${hasList ? "true" : "false"}
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant=${hasList ? `found-${this.at}` : nothing}
          autocomplete="off"
          spellcheck="false"
          placeholder=${placeholder}
          .value=${text}
          @focus=${() => {
            void this.#fetch();
            this.isOpen = true;
          }}
          @blur=${() => this.#close()}
          @input=${(event: InputEvent) => {
            this.text = (event.currentTarget as HTMLInputElement).value;
            this.at = 0;
            this.isOpen = true;
            void this.#fetch();
          }}
          @keydown=${this.#key}
        />${
          text
            ? html`<button
                class="quiet clear"
                aria-label=${strings("search.clear")}
                @mousedown=${(event: MouseEvent) => event.preventDefault()}
                @click=${() => {
                  this.#clear();
                  this.#input?.focus();
                }}
              >
                ${icon("close", 16)}
              </button>`
            : html`<kbd aria-hidden="true">/</kbd>`
        }
      </div>
      <div class="found" ?hidden=${!isShown}>
        <div
          class="list"
          id="found"
          role="listbox"
          aria-label=${strings("search.results")}
          ?hidden=${!hasList}
        >
          ${hasList ? this.#groups(listed, strings) : nothing}
        </div>
        ${isShown && !hasList ? this.#nothing(strings) : nothing}
        ${this.hasFailed ? html`<p role="status">${strings("search.failed")}</p>` : nothing}
        ${
          hasList
            ? html`<footer>
                <span class="keys">↑↓ ${strings("search.move")}</span>
                <span class="keys">⏎ ${strings("search.open")}</span>
                <span class="keys">esc ${strings("search.close")}</span>
                <span class="count" role="status"
                  >${
                    listed.length < count
                      ? strings("search.some", { n: listed.length, all: count })
                      : strings("search.found", { n: count })
                  }</span
                >
              </footer>`
            : nothing
        }
      </div>`;
  }

  #groups(listed: readonly Found[], strings: MapWords): TemplateResult[] {
    return groupsIn(listed).map(
      (group) =>
        html`<div role="group" aria-labelledby="group-${group}">
          <div class="group" id="group-${group}" role="presentation">${strings(`search.${group}`)}</div>
          ${listed.map((found, at) => (found.entry.group === group ? this.#option(found, at) : nothing))}
        </div>`,
    );
  }
}
customElements.define("ap-search", ApSearch);
