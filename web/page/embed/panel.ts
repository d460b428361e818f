/** ap-embed: in the Share dialog, the code that puts the lab into another page: its kind, its options, a preview, a picture. */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { embedParts, partsOf } from "../../config/frame-fields.js";
import "../../elements/copy-box.js";
import { codeParts, look, selectLook } from "../../elements/look.js";
import type { Words } from "../../i18n/words.js";
import {
  codeOf,
  frameAddress,
  heightScript,
  kinds,
  pictureCode,
  type EmbedOptions,
  type EmbedSource,
  type Kind,
} from "./code.js";
import { embedLook } from "./look.js";
import "./preview.js";
import type { ApEmbedPreview } from "./preview.js";
import { embedWords, type EmbedWords } from "./words.js";

export interface EmbedEntry extends EmbedSource {
  /** The tensors that may be shown alone, and what they are called. */
  readonly tensors: readonly { node: string; label: string }[];
  /** The stage as SVG; null where there is nothing to draw. */
  drawPicture(): Promise<Uint8Array | null>;
  /** The name of the saved file; null where it could not be saved. */
  savePicture(): Promise<string | null>;
}

const themes = [null, "light", "dark"] as const;
const languages = [null, "en", "zh-CN"] as const;

export class ApEmbed extends LitElement {
  static override properties = {
    words: { attribute: false },
    entry: { attribute: false },
    kind: { state: true },
    options: { state: true },
    saved: { state: true },
  };
  declare words: Words;
  declare entry: EmbedEntry | null;
  declare private kind: Kind;
  declare private options: EmbedOptions;
  /** The name of the picture that was saved. */
  declare private saved: string;

  static override styles = [look, selectLook, embedLook];

  constructor() {
    super();
    this.entry = null;
    this.kind = "frame";
    this.options = { parts: partsOf(null), theme: null, lang: null, focus: [], within: false };
    this.saved = "";
  }

  /** Shows what there is to put into a page now. */
  show(entry: EmbedEntry): void {
    this.entry = entry;
    this.saved = "";
    const focus = this.options.focus.filter((node) => entry.tensors.some((tensor) => tensor.node === node));
    this.#set({ focus });
  }

  /** The dialog is closed. */
  rest(): void {
    this.renderRoot.querySelector<ApEmbedPreview>("ap-embed-preview")?.rest();
  }

  #set(options: Partial<EmbedOptions>): void {
    this.options = { ...this.options, ...options };
  }

  #tick(label: string, checked: boolean, set: (checked: boolean) => void): TemplateResult {
    return html`<label
      ><input
        type="checkbox"
        .checked=${checked}
        @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
      />${label}</label
    >`;
  }

  #choice<Value extends string | null>(
    label: string,
    values: readonly Value[],
    chosen: Value,
    say: (value: Value) => string,
    set: (value: Value) => void,
  ): TemplateResult {
    return html`<label
      ><span>${label}</span
      ><select @change=${(event: Event) => set(values[(event.target as HTMLSelectElement).selectedIndex]!)}>
        ${values.map((value) => html`<option ?selected=${value === chosen}>${say(value)}</option>`)}
      </select></label
    >`;
  }

  #kinds(words: EmbedWords): TemplateResult {
    return html`<fieldset>
      <legend>${words("embed.kind")}</legend>
      ${kinds.map(
        (kind) =>
          html`<label
            ><input
              type="radio"
              name="kind"
              .checked=${kind === this.kind}
              @change=${() => (this.kind = kind)}
            />${words(`embed.kind_${kind}`)}</label
          >`,
      )}
    </fieldset>`;
  }

  #parts(words: EmbedWords): TemplateResult {
    const { parts } = this.options;
    return html`<fieldset>
      <legend>${words("embed.parts")}</legend>
      ${embedParts.map((part) =>
        this.#tick(words(`embed.part_${part}`), parts.has(part), (on) =>
          this.#set({ parts: new Set(embedParts.filter((one) => (one === part ? on : parts.has(one)))) }),
        ),
      )}
    </fieldset>`;
  }

  #view(words: EmbedWords): TemplateResult {
    const { theme, lang } = this.options;
    return html`<div class="choices">
      ${this.#choice(
        words("embed.theme"),
        themes,
        theme,
        (theme) => words(`embed.theme_${theme ?? "auto"}`),
        (theme) => this.#set({ theme }),
      )}
      ${this.#choice(
        words("embed.lang"),
        languages,
        lang,
        (lang) => words(`embed.lang_${lang ?? "auto"}`),
        (lang) => this.#set({ lang }),
      )}
    </div>`;
  }

  #tensors({ tensors }: EmbedEntry, words: EmbedWords): TemplateResult {
    const { focus } = this.options;
    const turned = (node: string, on: boolean): string[] =>
      tensors.map((tensor) => tensor.node).filter((one) => (one === node ? on : focus.includes(one)));
    const some = { count: focus.length, total: tensors.length };
    return html`<details>
      <summary id="focus">${words("embed.focus")}</summary>
      <div class="choices" role="group" aria-labelledby="focus">
        ${tensors.map(({ node, label }) =>
          this.#tick(label, focus.includes(node), (on) => this.#set({ focus: turned(node, on) })),
        )}
      </div>
      <p>${focus.length ? words("embed.focus_some", some) : words("embed.focus_all")}</p>
    </details>`;
  }

  #pictureOf(entry: EmbedEntry, words: EmbedWords): TemplateResult {
    const save = async () => (this.saved = (await entry.savePicture()) ?? "");
    return html`<h4>${words("embed.picture")}</h4>
      <div class="save">
        <button class="button" @click=${() => void save()}>${words("embed.picture_save")}</button>
        ${
          this.kind === "element"
            ? this.#tick(words("embed.picture_within"), this.options.within, (within) =>
                this.#set({ within }),
              )
            : nothing
        }
      </div>
      <p role="status">${this.saved ? words("embed.picture_saved", { file: this.saved }) : ""}</p>
      ${
        this.kind === "frame"
          ? html`<p>${words("embed.picture_frame")}</p>
              <ap-copy-box
                .words=${this.words}
                .name=${words("embed.picture_code")}
                .action=${words("embed.picture_copy")}
                .text=${pictureCode(entry, this.options)}
              ></ap-copy-box>`
          : nothing
      }`;
  }

  #script(words: EmbedWords): TemplateResult {
    return html`<details>
      <summary>${words("embed.script")}</summary>
      <p>${words("embed.script_about")}</p>
      <ap-copy-box
        .words=${this.words}
        .name=${words("embed.script_code")}
        .action=${words("embed.script_copy")}
        .text=${heightScript}
      ></ap-copy-box>
    </details>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry, kind, options } = this;
    if (!this.words || !entry) return nothing;
    const words = embedWords(this.words);
    // What a picture has not.
    const framed = kind !== "markdown";
    const about = words(`embed.about_${kind}`, { file: entry.picture });
    return html`<h3>${words("embed.title")}</h3>
      ${this.#kinds(words)} ${framed ? this.#parts(words) : nothing} ${this.#view(words)}
      ${framed && entry.tensors.length ? this.#tensors(entry, words) : nothing}
      <ap-copy-box
        .words=${this.words}
        .name=${words("embed.code")}
        .action=${words("embed.copy")}
        .text=${codeOf(kind, entry, options)}
      ></ap-copy-box>
      <p>${codeParts(about).map(({ text, code }) => (code ? html`<code>${text}</code>` : text))}</p>
      <ap-embed-preview
        .words=${this.words}
        .address=${frameAddress(entry, options)}
        .heading=${entry.title}
        .height=${entry.height(options.parts, options.focus)}
        .draw=${framed ? null : entry.drawPicture}
      ></ap-embed-preview>
      ${kind === "frame" ? this.#script(words) : nothing} ${this.#pictureOf(entry, words)}`;
  }
}
customElements.define("ap-embed", ApEmbed);

declare global {
  interface HTMLElementTagNameMap {
    "ap-embed": ApEmbed;
  }
}
