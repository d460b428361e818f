/**
 * ap-embed-preview: how the code will look: the frame itself, or the picture. It is computed only once it is
 * opened.
 */
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { look } from "../../elements/look.js";
import type { Words } from "../../i18n/words.js";
import { embedLook } from "./look.js";
import { embedWords } from "./words.js";

export class ApEmbedPreview extends LitElement {
  static override properties = {
    words: { attribute: false },
    address: {},
    heading: {},
    height: { type: Number },
    draw: { attribute: false },
    isOpen: { state: true },
    reportedHeight: { state: true },
    picture: { state: true },
  };
  declare words: Words;
  /** The address of the frame. */
  declare address: string;
  declare heading: string;
  /** The height of the frame until the frame reports its own. */
  declare height: number;
  /** Draws the picture that is shown instead of the frame; null when the frame is shown. */
  declare draw: (() => Promise<Uint8Array | null>) | null;
  declare private isOpen: boolean;
  /** The height that the frame reported. */
  declare private reportedHeight: number;
  /** The object URL of the drawn picture. */
  declare private picture: string;

  static override styles = [
    look,
    embedLook,
    css`
      iframe,
      img {
        display: block;
        width: 100%;
        margin-top: 8px;
        border: 0;
      }
      img {
        height: auto;
      }
    `,
  ];

  constructor() {
    super();
    this.address = "";
    this.heading = "";
    this.height = 0;
    this.draw = null;
    this.isOpen = false;
    this.reportedHeight = 0;
    this.picture = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("message", this.#onMessage);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("message", this.#onMessage);
    this.#revokePicture();
  }

  /** Closes the preview, so that it computes nothing more. */
  close(): void {
    this.isOpen = false;
  }

  readonly #onMessage = (event: MessageEvent): void => {
    const { type, height } = (event.data ?? {}) as { type?: unknown; height?: unknown };
    const frame = this.renderRoot.querySelector("iframe");
    if (!frame || event.source !== frame.contentWindow) return;
    if (type === "attention-playground:height" && typeof height === "number") this.reportedHeight = height;
  };

  #revokePicture(): void {
    if (this.picture) URL.revokeObjectURL(this.picture);
    this.picture = "";
  }

  async #picture(draw: () => Promise<Uint8Array | null>): Promise<void> {
    const bytes = await draw();
    if (!bytes || this.draw !== draw || !this.isOpen) return;
    this.#revokePicture();
    this.picture = URL.createObjectURL(
      new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/svg+xml" }),
    );
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("draw") && !(changed as Map<PropertyKey, unknown>).has("isOpen")) return;
    this.#revokePicture();
    if (this.isOpen && this.draw) void this.#picture(this.draw);
  }

  #content(): TemplateResult | typeof nothing {
    if (this.draw) return this.picture ? html`<img src=${this.picture} alt=${this.heading} />` : nothing;
    const words = embedWords(this.words);
    const height = this.reportedHeight;
    const measured = height ? words("embed.preview_height", { height }) : nothing;
    // A frame reads its address only once, so another address needs another frame.
    return html`${keyed(
        this.address,
        html`<iframe
          src=${this.address}
          sandbox="allow-scripts"
          height=${this.reportedHeight || this.height}
          title=${words("embed.preview_name", { title: this.heading })}
        ></iframe>`,
      )}
      <p>${measured}</p>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.words) return nothing;
    return html`<details
      .open=${this.isOpen}
      @toggle=${(event: Event) => (this.isOpen = (event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>${embedWords(this.words)("embed.preview")}</summary>
      ${this.isOpen ? this.#content() : nothing}
    </details>`;
  }
}
customElements.define("ap-embed-preview", ApEmbedPreview);
