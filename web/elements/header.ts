/** ap-header: the page's header: name, ‹ lab ›, search, examples, share, language, theme. DESIGN.md, section 3. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { LabId } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { labGlyph, type GlyphPlace } from "./glyph.js";
import { icon } from "./icons.js";
import { look } from "./look.js";
import { openInPage } from "./page-link.js";

/** A lab in the header and the contents, with the address that opens it. */
export interface LabEntry {
  id: LabId;
  chapter: number;
  title: string;
  subtitle: string;
  address: string;
  /** Its place on the map of the model. */
  glyph: GlyphPlace;
  /** The number of concepts that are done, and of all; null when none is done. */
  done?: { done: number; count: number } | null;
}

/** Events: open-lab {lab}, open-contents {part: "map" | "search" | "examples"}, compare-open, code-open, share-open, keys-open, language-change, theme-change. */
export class ApHeader extends LitElement {
  static override properties = {
    words: { attribute: false },
    labs: { attribute: false },
    lab: { attribute: false },
    theme: { attribute: false },
    comparing: { attribute: false },
    contentsAddress: { attribute: false },
  };
  declare words: Words;
  declare labs: LabEntry[];
  /** The lab that is open; null on the contents page. */
  declare lab: LabId | null;
  /** The theme that is shown. */
  declare theme: "light" | "dark";
  /** Whether a comparison is shown. */
  declare comparing: boolean;
  declare contentsAddress: string;

  static override styles = [
    look,
    css`
      :host {
        display: block;
      }
      header {
        display: grid;
        grid-template-columns: 1fr auto 1fr;
        align-items: center;
        min-height: 48px;
        padding: 0 var(--s5);
        border-bottom: 1px solid var(--rule);
      }
      .mark {
        justify-self: start;
        font: 600 16px/1 var(--serif);
        letter-spacing: 0.005em;
        text-decoration: none;
        white-space: nowrap;
        padding: 6px 0;
      }
      nav {
        display: flex;
        align-items: center;
      }
      .lab {
        color: var(--ink);
        font-weight: 500;
      }
      /* On a phone the page's name is shown small above that of the lab. */
      .name {
        display: none;
      }
      .chapter {
        margin-inline-end: 2px;
        color: var(--ink-3);
        font-weight: 400;
      }
      .quiet[aria-pressed="true"] {
        background: var(--sunk);
        color: var(--ink);
        box-shadow: inset 0 -2px var(--ink);
      }
      .acts {
        display: flex;
        justify-content: flex-end;
        margin-inline-end: -9px;
      }
      @media (max-width: 767px) {
        header {
          grid-template-columns: minmax(0, 1fr) auto;
          min-height: 52px;
          padding: 0 var(--s3) 0 var(--s4);
        }
        .mark,
        .turn,
        .search,
        .examples,
        .compare,
        .code,
        .keys,
        .glyph,
        .share span {
          display: none;
        }
        nav {
          margin-inline-start: -10px;
          min-width: 0;
        }
        .lab {
          min-width: 0;
        }
        .name::before {
          content: attr(data-name);
        }
        .name {
          display: block;
          position: absolute;
          top: 7px;
          color: var(--ink-2);
          font: 600 11.5px/1 var(--serif);
          white-space: nowrap;
        }
        .lab .title {
          overflow: hidden;
          text-overflow: ellipsis;
        }
        .quiet {
          min-height: 44px;
          min-width: 44px;
          justify-content: center;
          padding: 6px;
        }
        .quiet.lab {
          justify-content: flex-start;
          position: relative;
          min-height: 52px;
          padding: 17px 10px 0;
        }
        .acts {
          margin-inline-end: 0;
        }
      }
      @media (max-width: 1023px) and (min-width: 768px) {
        .turn,
        .search,
        .keys,
        .share span {
          display: none;
        }
      }
      @media print {
        nav,
        .acts {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.labs = [];
    this.lab = null;
    this.theme = "light";
    this.comparing = false;
    this.contentsAddress = "#contents";
  }

  private send(name: string, detail: Record<string, unknown> = {}): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private turn(entry: LabEntry | undefined, side: "left" | "right"): TemplateResult | typeof nothing {
    if (!entry) return nothing;
    const name = this.words(side === "left" ? "page.previous_lab" : "page.next_lab", { title: entry.title });
    return html`<a
      class="quiet turn"
      href=${entry.address}
      aria-label=${name}
      title=${name}
      @click=${(event: MouseEvent) => openInPage(event, "open-lab", { lab: entry.id })}
      >${icon(side)}</a
    >`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, labs } = this;
    if (!words || labs.length === 0) return nothing;
    const place = labs.findIndex((entry) => entry.id === this.lab);
    const current = labs[place];
    const round = (step: number) =>
      current ? labs[(place + step + labs.length) % labs.length] : step > 0 ? labs[0] : labs.at(-1);
    const title = current ? current.title : words("page.contents");
    // The accessible name begins with the visible text.
    const visibleName = current ? `${current.chapter} ${title}` : title;
    const themeName = words(this.theme === "dark" ? "page.theme_to_light" : "page.theme_to_dark");
    const toContents = (part: "map" | "search" | "examples") => (event: MouseEvent) =>
      openInPage(event, "open-contents", { part });
    return html`<header>
      <a class="mark" href=${this.contentsAddress} @click=${toContents("map")}>${words("page.name")}</a>
      <nav aria-label=${words("page.labs")}>
        ${this.turn(round(-1), "left")}
        <a
          class="quiet lab"
          href=${this.contentsAddress}
          aria-label=${current ? words("page.choose_lab", { title: visibleName }) : title}
          aria-current=${current ? nothing : "page"}
          @click=${toContents("map")}
        >
          <span class="name" data-name=${words("page.name")} aria-hidden="true"></span>
          ${current ? labGlyph(current.glyph) : nothing}
          ${current ? html`<span class="chapter">${current.chapter}</span> ` : nothing}<span class="title"
            >${title}</span
          >${icon("down", 16)}
        </a>
        ${this.turn(round(1), "right")}
      </nav>
      <div class="acts">
        <a
          class="quiet search"
          href=${this.contentsAddress}
          aria-keyshortcuts="/"
          @click=${toContents("search")}
          >${words("page.search")}</a
        >
        <a class="quiet examples" href=${this.contentsAddress} @click=${toContents("examples")}
          >${words("page.examples")}</a
        >
        ${
          current
            ? html`<button
                class="quiet compare"
                aria-pressed=${this.comparing ? "true" : "false"}
                @click=${() => this.send("compare-open")}
              >
                ${words("page.compare")}
              </button>`
            : nothing
        }
        ${
          current
            ? html`<button class="quiet code" aria-haspopup="dialog" @click=${() => this.send("code-open")}>
                ${words("page.code")}
              </button>`
            : nothing
        }
        ${
          current
            ? html`<button
                class="quiet share"
                aria-label=${words("page.share")}
                @click=${() => this.send("share-open")}
              >
                ${icon("share")}<span>${words("page.share")}</span>
              </button>`
            : nothing
        }
        ${
          current
            ? html`<button
                class="quiet keys"
                aria-label=${words("page.keys")}
                title=${words("page.keys")}
                @click=${() => this.send("keys-open")}
              >
                ?
              </button>`
            : nothing
        }
        <button
          class="quiet language"
          lang=${words.language === "en" ? "zh-CN" : "en"}
          aria-label=${`${words("page.other_language")}, ${words("page.other_language_name")}`}
          @click=${() => this.send("language-change")}
        >
          ${words("page.other_language")}
        </button>
        <button
          class="quiet theme"
          aria-label=${themeName}
          title=${themeName}
          @click=${() => this.send("theme-change")}
        >
          ${icon(this.theme === "dark" ? "sun" : "moon")}
        </button>
      </div>
    </header>`;
  }
}
customElements.define("ap-header", ApHeader);
