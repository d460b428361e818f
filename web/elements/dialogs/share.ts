/**
 * ap-share: the Share dialog with the link; its slot holds the code for other pages and the files. DESIGN.md,
 * section 11.
 */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../i18n/words.js";
import "./copy-box.js";
import type { ApCopyBox } from "./copy-box.js";
import { closeOutside, dialogHeading, dialogLook } from "./dialog.js";
import { showInFront } from "../in-front.js";
import { look } from "../look.js";

/** Some programs cut links above this many characters. */
const longLink = 2000;

/**
 * Events: close; share-picture, when the reader asks for a picture of the stage; share-story, when the reader
 * makes the state a step of a story.
 */
export class ApShare extends LitElement {
  static override properties = {
    words: { attribute: false },
    base: { attribute: false },
    hash: { attribute: false },
    picture: { attribute: false },
    story: { attribute: false },
    page: { attribute: false },
  };
  declare words: Words;
  /** The page's folder, ending in "/". */
  declare base: string;
  /** The state, without "#". */
  declare hash: string;
  /** Whether the link holds the reader's own image. */
  declare picture: boolean;
  /** Whether the state has a story. */
  declare story: boolean;
  /** The address of a page with a link preview that opens the state; null when the site has none. */
  declare page: string | null;

  static override styles = [
    look,
    dialogLook,
    css`
      .count {
        color: var(--ink-3);
        font-weight: 400;
      }
      .story {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 16px;
        align-items: center;
      }
      .story p {
        flex: 1 1 300px;
        margin: 0;
      }
      /* The first choices on a phone. */
      .hand {
        display: none;
        flex-wrap: wrap;
        gap: 8px;
        margin-top: 12px;
      }
      @media (pointer: coarse), (max-width: 599px) {
        .hand {
          display: flex;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.base = "";
    this.hash = "";
    this.picture = false;
    this.story = false;
    this.page = null;
  }

  #makeStory(): void {
    this.close();
    this.dispatchEvent(new Event("share-story"));
  }

  show(): void {
    this.renderRoot.querySelector<ApCopyBox>("ap-copy-box")?.reset();
    showInFront(this.renderRoot.querySelector("dialog"));
  }

  /** Opens the system's share dialog with the link; does nothing if the reader cancels. */
  async #send(url: string): Promise<void> {
    await navigator.share({ title: document.title, url }).catch(() => undefined);
  }

  close(): void {
    this.renderRoot.querySelector("dialog")?.close();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words } = this;
    if (!words) return nothing;
    const lead = `${this.base}#`;
    const link = `${lead}${this.hash}`;
    return html`<dialog
      aria-labelledby="title"
      @click=${closeOutside}
      @close=${() => this.dispatchEvent(new Event("close"))}
    >
      ${dialogHeading(words("share.title"), words)}
      <div class="hand">
        <button class="button" @click=${() => this.dispatchEvent(new Event("share-picture"))}>
          ${words("share.save_picture")}
        </button>
        ${
          "share" in navigator
            ? html`<button class="button" @click=${() => void this.#send(this.page ?? link)}>
                ${words("share.send")}
              </button>`
            : nothing
        }
      </div>
      <p>${words("share.holds")} ${this.picture ? words("share.holds_picture") : nothing}</p>
      <h3>
        ${words("share.link")} <span class="count">${words("share.characters", { count: link.length })}</span>
      </h3>
      <ap-copy-box
        main
        .words=${words}
        .name=${words("share.link")}
        .action=${words("share.copy_link")}
        .lead=${lead}
        .text=${link}
      ></ap-copy-box>
      ${link.length > longLink ? html`<p>${words("share.long")}</p>` : nothing}
      ${
        this.page === null
          ? nothing
          : html`<h3>${words("share.page")}</h3>
              <p>${words("share.page_about")}</p>
              <ap-copy-box
                .words=${words}
                .name=${words("share.page")}
                .action=${words("share.copy_page")}
                .lead=${this.page.slice(0, this.page.indexOf("#") + 1)}
                .text=${this.page}
              ></ap-copy-box>`
      }
      <h3>${words("share.story")}</h3>
      <div class="story">
        <p>${words("share.story_about")}</p>
        <button class="button" @click=${() => this.#makeStory()}>
          ${words(this.story ? "share.story_edit" : "share.story_begin")}
        </button>
      </div>
      <slot></slot>
    </dialog>`;
  }
}
customElements.define("ap-share", ApShare);
