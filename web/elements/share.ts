/** The Share dialog: the link, and the code of a frame for another page. Visual design section 11. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Words } from "../i18n/words.js";
import { closeOutside, dialogHeading, dialogLook } from "./dialog.js";
import { icon } from "./icons.js";
import { look } from "./look.js";

/** Parts of an embed that can be left out. */
export const embedParts = ["settings", "play", "sum", "formula"] as const;
export type EmbedPart = (typeof embedParts)[number];

/** Some programs cut links above this many characters. */
const longLink = 2000;

export class ApShare extends LitElement {
  static override properties = {
    words: { attribute: false },
    base: { attribute: false },
    hash: { attribute: false },
    frameHash: { attribute: false },
    heading: { attribute: false },
    heights: { attribute: false },
    picture: { attribute: false },
    parts: { state: true },
    followTheme: { state: true },
    copied: { state: true },
  };
  declare words: Words;
  /** The page's folder, ending in "/". */
  declare base: string;
  /** The state, without "#". */
  declare hash: string;
  /** The state of a frame that follows the theme of the system, and of one that keeps the page's. */
  declare frameHash: { auto: string; fixed: string };
  /** The lab's title: the title of the frame. */
  declare heading: string;
  /** The height of a frame without and with the formula. */
  declare heights: { plain: number; formula: number };
  /** The link holds the reader's own picture. */
  declare picture: boolean;
  declare private parts: ReadonlySet<EmbedPart>;
  declare private followTheme: boolean;
  declare private copied: { what: "link" | "frame"; done: boolean } | null;

  static override styles = [
    look,
    dialogLook,
    css`
      .row {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 8px;
        margin-top: 8px;
      }
      .row .button {
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
      .box mark {
        background: none;
        color: var(--ink);
      }
      .count {
        color: var(--ink-3);
        font-weight: 400;
      }
      fieldset {
        display: flex;
        flex-wrap: wrap;
        gap: 6px 18px;
        margin: 10px 0 0;
        padding: 0;
        border: 0;
      }
      label {
        display: flex;
        align-items: center;
        gap: 7px;
        min-height: 28px;
      }
      input {
        width: 16px;
        height: 16px;
        margin: 0;
        accent-color: var(--ink);
      }
      @media (pointer: coarse) {
        label {
          min-height: var(--touch);
        }
      }
      @media (max-width: 479px) {
        .row {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  constructor() {
    super();
    this.base = "";
    this.hash = "";
    this.frameHash = { auto: "", fixed: "" };
    this.heading = "";
    this.heights = { plain: 460, formula: 500 };
    this.picture = false;
    this.parts = new Set<EmbedPart>(["settings", "play", "sum"]);
    this.followTheme = true;
    this.copied = null;
  }

  show(): void {
    this.copied = null;
    this.renderRoot.querySelector("dialog")?.showModal();
  }

  close(): void {
    this.renderRoot.querySelector("dialog")?.close();
  }

  private get link(): string {
    return `${this.base}#${this.hash}`;
  }

  private get frame(): string {
    const shown = embedParts.filter((part) => this.parts.has(part)).join(",");
    // The frame's own field comes first: the checksum that tells a cut link stands last.
    const source = `${this.base}embed.html#ui=${shown}&${this.followTheme ? this.frameHash.auto : this.frameHash.fixed}`;
    const quoted = (text: string) =>
      text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
    return (
      `<iframe src="${quoted(source)}" width="680" height="${this.parts.has("formula") ? this.heights.formula : this.heights.plain}" loading="lazy" ` +
      `title="${quoted(this.heading)}"></iframe>`
    );
  }

  private async copy(what: "link" | "frame"): Promise<void> {
    let done = true;
    try {
      await navigator.clipboard.writeText(what === "link" ? this.link : this.frame);
    } catch {
      done = false;
      const box = this.renderRoot.querySelector(`#${what}`);
      if (box) getSelection()?.selectAllChildren(box);
    }
    const copied = { what, done };
    this.copied = copied;
    setTimeout(() => {
      if (this.copied === copied) this.copied = null;
    }, 1500);
  }

  private copyButton(what: "link" | "frame"): TemplateResult {
    const { words, copied } = this;
    const mine = copied?.what === what ? copied : null;
    const word = mine ? words(mine.done ? "share.copied" : "share.copy_failed") : words("share.copy");
    const name = mine ? word : words(what === "link" ? "share.copy_link" : "share.copy_frame");
    return html`<button
      class="button ${what === "link" ? "main" : ""}"
      aria-label=${name}
      @click=${() => this.copy(what)}
    >
      ${icon(mine?.done ? "check" : "copy", 18)}${word}
    </button>`;
  }

  private tick(part: EmbedPart): TemplateResult {
    const toggle = () => {
      const parts = new Set(this.parts);
      if (!parts.delete(part)) parts.add(part);
      this.parts = parts;
    };
    return html`<label
      ><input
        type="checkbox"
        .checked=${this.parts.has(part)}
        @change=${toggle}
      />${this.words(`share.ui_${part}`)}</label
    >`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, link } = this;
    if (!words) return nothing;
    return html`<dialog aria-labelledby="title" @click=${closeOutside}>
      ${dialogHeading(words("share.title"), words)}
      <p>${words("share.holds")} ${this.picture ? words("share.holds_picture") : nothing}</p>
      <h3>
        ${words("share.link")} <span class="count">${words("share.characters", { count: link.length })}</span>
      </h3>
      <div class="row">
        <div
          class="box"
          id="link"
          tabindex="0"
          role="textbox"
          aria-readonly="true"
          aria-label=${words("share.link")}
        >
          ${this.base}#<mark>${this.hash}</mark>
        </div>
        ${this.copyButton("link")}
      </div>
      ${link.length > longLink ? html`<p>${words("share.long")}</p>` : nothing}
      <h3 id="frame-title">${words("share.frame")}</h3>
      <fieldset aria-labelledby="frame-title">
        ${embedParts.map((part) => this.tick(part))}
        <label
          ><input
            type="checkbox"
            .checked=${this.followTheme}
            @change=${() => (this.followTheme = !this.followTheme)}
          />${words("share.ui_theme")}</label
        >
      </fieldset>
      <div class="row">
        <div
          class="box"
          id="frame"
          tabindex="0"
          role="textbox"
          aria-readonly="true"
          aria-label=${words("share.frame")}
        >
          ${this.frame}
        </div>
        ${this.copyButton("frame")}
      </div>
      <p>${words("share.frame_promise")}</p>
      <slot></slot>
      <span class="unseen" role="status"
        >${this.copied ? words(this.copied.done ? "share.copied" : "share.copy_failed") : ""}</span
      >
    </dialog>`;
  }
}
customElements.define("ap-share", ApShare);
