/**
 * ap-embed: the part of the Share dialog that writes the code for another page: its kind, its options, a
 * preview, a picture.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { embedParts, partsOf } from "../../config/frame-fields.js";
import "../../elements/dialogs/copy-box.js";
import { codeParts, look, selectLook } from "../../elements/look.js";
import type { Words } from "../../i18n/words.js";
import {
  codeOf,
  frameAddress,
  heightScript,
  isImported,
  kinds,
  pictureFile,
  tools,
  type EmbedOptions,
  type EmbedSource,
  type Kind,
} from "./code.js";
import { embedLook } from "./look.js";
import "./preview.js";
import type { ApEmbedPreview } from "./preview.js";
import { embedWords, type EmbedWords } from "./words.js";

export interface EmbedEntry extends EmbedSource {
  /** Whether the lab trains a model, which elements do not. */
  readonly trains: boolean;
  /** The tensors that may be shown alone, with their labels. */
  readonly tensors: readonly { node: string; label: string }[];
  /** The stage as SVG; null when there is nothing to draw. */
  drawPicture(): Promise<Uint8Array | null>;
  /** Resolves to the name of the saved file; null when it could not be saved. */
  savePicture(form: "png" | "svg"): Promise<string | null>;
}

/** A sentence with its code parts marked up. */
const withCode = (sentence: string) =>
  codeParts(sentence).map(({ text, code }) => (code ? html`<code>${text}</code>` : text));

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
  /** The name of the picture that was saved last. */
  declare private saved: string;

  static override styles = [look, selectLook, embedLook];

  constructor() {
    super();
    this.entry = null;
    this.kind = "frame";
    this.options = { tool: "html", parts: partsOf(null), theme: null, lang: null, only: [], within: false };
    this.saved = "";
  }

  /** Shows the code for the present state. */
  show(entry: EmbedEntry): void {
    this.entry = entry;
    this.saved = "";
    const only = this.options.only.filter((node) => entry.tensors.some((tensor) => tensor.node === node));
    this.#set({ only });
  }

  /** Stops the preview; called when the dialog is closed. */
  closePreview(): void {
    this.renderRoot.querySelector<ApEmbedPreview>("ap-embed-preview")?.close();
  }

  /** What the code is for: a lab that elements do not contain has a frame. */
  get #shownKind(): Kind {
    return this.entry?.trains && this.kind === "element" ? "frame" : this.kind;
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
    labelOf: (value: Value) => string,
    set: (value: Value) => void,
  ): TemplateResult {
    return html`<label
      ><span>${label}</span
      ><select @change=${(event: Event) => set(values[(event.target as HTMLSelectElement).selectedIndex]!)}>
        ${values.map((value) => html`<option ?selected=${value === chosen}>${labelOf(value)}</option>`)}
      </select></label
    >`;
  }

  #kinds({ trains }: EmbedEntry, words: EmbedWords): TemplateResult {
    const offered = kinds.filter((kind) => !(trains && kind === "element"));
    return html`<fieldset>
      <legend>${words("embed.kind")}</legend>
      ${offered.map(
        (kind) =>
          html`<label
            ><input
              type="radio"
              name="kind"
              .checked=${kind === this.#shownKind}
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
    const { only } = this.options;
    const turned = (node: string, on: boolean): string[] =>
      tensors.map((tensor) => tensor.node).filter((one) => (one === node ? on : only.includes(one)));
    const some = { count: only.length, total: tensors.length };
    return html`<details>
      <summary id="only">${words("embed.focus")}</summary>
      <div class="choices" role="group" aria-labelledby="only">
        ${tensors.map(({ node, label }) =>
          this.#tick(label, only.includes(node), (on) => this.#set({ only: turned(node, on) })),
        )}
      </div>
      <p>${only.length ? words("embed.focus_some", some) : words("embed.focus_all")}</p>
    </details>`;
  }

  #tool(words: EmbedWords): TemplateResult {
    return html`<div class="choices">
      ${this.#choice(
        words("embed.tool"),
        tools,
        this.options.tool,
        (tool) => words(`embed.tool_${tool}`),
        (tool) => this.#set({ tool }),
      )}
    </div>`;
  }

  /** What the code of this kind is, and what it needs from the tool. */
  #about(entry: EmbedEntry, words: EmbedWords): string[] {
    const kind = this.#shownKind;
    const { tool } = this.options;
    const needs =
      kind === "picture" && tool === "jupyter"
        ? words("embed.needs_jupyter_picture")
        : words(`embed.needs_${tool}`, { name: entry.name });
    if (kind === "picture") return [needs, words("embed.about_picture", { file: pictureFile(entry) })];
    if (kind === "frame")
      return [needs, ...(entry.trains ? [words("embed.about_training")] : []), words("embed.about_frame")];
    const about = words(isImported(tool) ? "embed.about_package" : "embed.about_element");
    return tool === "vue" || tool === "vitepress"
      ? [needs, about, words("embed.needs_custom")]
      : [needs, about];
  }

  #pictureOf(entry: EmbedEntry, words: EmbedWords): TemplateResult {
    const save = async (form: "png" | "svg") => (this.saved = (await entry.savePicture(form)) ?? "");
    return html`<h4>${words("embed.picture")}</h4>
      <div class="save">
        ${(["png", "svg"] as const).map(
          (form) =>
            html`<button class="button" @click=${() => void save(form)}>
              ${words("embed.picture_save", { format: form.toUpperCase() })}
            </button>`,
        )}
        ${
          this.#shownKind === "element"
            ? this.#tick(words("embed.picture_within"), this.options.within, (within) =>
                this.#set({ within }),
              )
            : nothing
        }
      </div>
      <p role="status">${this.saved ? words("embed.picture_saved", { file: this.saved }) : ""}</p>`;
  }

  #frame(entry: EmbedEntry, words: EmbedWords): TemplateResult {
    const { tool } = this.options;
    const about = words(tool === "vitepress" ? "embed.script_config" : "embed.script_about");
    return html`<details>
        <summary>${words("embed.address")}</summary>
        <ap-copy-box
          .words=${this.words}
          .name=${words("embed.address_name")}
          .action=${words("embed.address_copy")}
          .text=${frameAddress(entry, this.options)}
        ></ap-copy-box>
      </details>
      <details>
        <summary>${words("embed.script")}</summary>
        <p>${withCode(about)}</p>
        <ap-copy-box
          .words=${this.words}
          .name=${words("embed.script_code")}
          .action=${words("embed.script_copy")}
          .text=${heightScript(entry, tool)}
        ></ap-copy-box>
      </details>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry, options } = this;
    const kind = this.#shownKind;
    if (!this.words || !entry) return nothing;
    const words = embedWords(this.words);
    // A picture has no parts and no choice of tensors.
    const framed = kind !== "picture";
    return html`<h3>${words("embed.title")}</h3>
      ${this.#kinds(entry, words)} ${this.#tool(words)} ${framed ? this.#parts(words) : nothing}
      ${this.#view(words)} ${framed && entry.tensors.length ? this.#tensors(entry, words) : nothing}
      <ap-copy-box
        .words=${this.words}
        .name=${words("embed.code")}
        .action=${words("embed.copy")}
        .text=${codeOf(kind, entry, options)}
      ></ap-copy-box>
      ${this.#about(entry, words).map((sentence) => html`<p>${withCode(sentence)}</p>`)}
      <ap-embed-preview
        .words=${this.words}
        .address=${frameAddress(entry, options)}
        .heading=${entry.title}
        .height=${entry.height(options.parts, options.only)}
        .draw=${framed ? null : entry.drawPicture}
      ></ap-embed-preview>
      ${kind === "frame" ? this.#frame(entry, words) : nothing} ${this.#pictureOf(entry, words)}`;
  }
}
customElements.define("ap-embed", ApEmbed);

declare global {
  interface HTMLElementTagNameMap {
    "ap-embed": ApEmbed;
  }
}
