/**
 * ap-take-files: the part of the Share dialog that saves a picture of the stage and the numbers of any tensor
 * as files, and opens such files.
 */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { look, selectLook } from "../../elements/look.js";
import type { Words } from "../../i18n/words.js";
import type { Making } from "../film/film.js";
import {
  buttonRow,
  fileButton,
  formName,
  formsLook,
  pictureForms,
  tableForms,
  type Form,
} from "./buttons.js";
import { takeWords } from "./words.js";

export interface TensorEntry {
  node: string;
  /** The label of a tensor in a list: "Q, queries, 4×3". */
  label: string;
  name: string;
}

export interface FilesEntry {
  tensors: readonly TensorEntry[];
  /** The tensor chosen at first. */
  node: string;
  /** Resolves to the name of the saved file; null when it could not be saved. */
  saveStage(form: Form, coded: boolean): Promise<string | null>;
  /** Whether the link fits into a QR code. */
  codeFits: boolean;
  /** Saves Play as an animated file; resolves to null when it was cancelled or could not be made. */
  saveFilm(making: Making): Promise<string | null>;
  /** Why there is no film, or what of a story it shows. */
  filmRemark: "reading" | "covered" | "story" | null;
  save(node: string, form: Form): Promise<string | null>;
  /** Saves the run of the training lab; null in other labs. */
  saveRun: (() => Promise<string | null>) | null;
  open(file: File): void;
}

export class ApTakeFiles extends LitElement {
  static override properties = {
    words: { attribute: false },
    entry: { attribute: false },
    node: { state: true },
    coded: { state: true },
    saved: { state: true },
    filmed: { state: true },
    making: { state: true },
  };
  declare words: Words;
  declare entry: FilesEntry | null;
  declare private node: string;
  declare private saved: string;
  /** How much of the film is made, in tenths. */
  declare private filmed: number;
  /** Cancels the film that is being made; null when none is. */
  declare private making: AbortController | null;
  /** Whether pictures of the stage have a QR code. */
  declare private coded: boolean;

  static override styles = [
    look,
    selectLook,
    formsLook,
    css`
      h3 {
        margin: 20px 0 0;
        font: 600 14px/1.3 var(--sans);
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 12px;
        align-items: center;
        margin-top: 8px;
      }
      .what {
        min-width: 9em;
      }
      label {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        align-items: center;
      }
      p {
        margin: 8px 0 0;
        color: var(--ink-2);
        font-size: 13.5px;
        line-height: 1.5;
      }
      p:empty {
        display: none;
      }
      @media (pointer: coarse) {
        select {
          min-height: var(--touch);
        }
      }
    `,
  ];

  constructor() {
    super();
    this.entry = null;
    this.node = "";
    this.saved = "";
    this.coded = false;
    this.filmed = 0;
    this.making = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Whoever closes the dialog does not wait for the film.
    this.parentElement!.addEventListener("close", this.#cancelFilm);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancelFilm();
  }

  readonly #cancelFilm = (): void => this.making?.abort();

  /** Shows what can be saved now. */
  show(entry: FilesEntry): void {
    this.entry = entry;
    this.node = entry.node;
    this.saved = "";
  }

  async #keep(saving: Promise<string | null>): Promise<void> {
    this.saved = (await saving) ?? "";
  }

  async #film({ saveFilm }: FilesEntry): Promise<void> {
    this.making = new AbortController();
    const { signal } = this.making;
    this.filmed = 0;
    this.saved = "";
    const progress = (share: number): void => void (this.filmed = Math.floor(10 * share));
    const saved = await saveFilm({ progress, signal });
    this.making = null;
    this.saved = saved ?? "";
  }

  /** The row of the film: one button that makes it, and cancels it meanwhile. */
  #filmRow(entry: FilesEntry): TemplateResult {
    const words = takeWords(this.words);
    const { making } = this;
    const { filmRemark } = entry;
    const label = making ? words("take.film_cancel_long") : words("take.save_film", { format: formName.gif });
    return html`<div class="line">
        <span class="what">${words("take.film")}</span>
        <button
          class="button"
          aria-label=${label}
          ?disabled=${filmRemark !== null && filmRemark !== "story" && !making}
          @click=${() => (making ? this.#cancelFilm() : void this.#film(entry))}
        >
          ${making ? words("take.film_cancel") : formName.gif}
        </button>
      </div>
      ${filmRemark ? html`<p>${words(`take.film_${filmRemark}`)}</p>` : nothing}`;
  }

  #status(): string {
    const words = takeWords(this.words);
    if (this.making) return words("take.filming", { percent: 10 * this.filmed });
    return this.saved ? words("take.saved", { file: this.saved }) : "";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry, node } = this;
    if (!this.words || !entry) return nothing;
    const words = takeWords(this.words);
    const name = entry.tensors.find((tensor) => tensor.node === node)?.name ?? node;
    const stage = (format: string): string => words("take.save_stage", { format });
    const numbers = (format: string): string => words("take.save", { name, format });
    return html`<h3>${words("take.title")}</h3>
      <div class="line">
        <span class="what">${words("take.stage")}</span>
        ${buttonRow(pictureForms, stage, (form) => void this.#keep(entry.saveStage(form, this.coded && entry.codeFits)))}
        <label
          ><input
            type="checkbox"
            .checked=${this.coded && entry.codeFits}
            ?disabled=${!entry.codeFits}
            @change=${(event: Event) => (this.coded = (event.target as HTMLInputElement).checked)}
          /><span>${words(entry.codeFits ? "take.code" : "take.code_long")}</span></label
        >
      </div>
      ${this.#filmRow(entry)}
      <div class="line">
        <label
          ><span>${words("take.numbers_of")}</span
          ><select @change=${(event: Event) => (this.node = (event.target as HTMLSelectElement).value)}>
            ${entry.tensors.map(
              (tensor) =>
                html`<option value=${tensor.node} ?selected=${tensor.node === node}>${tensor.label}</option>`,
            )}
          </select></label
        >
        ${buttonRow(tableForms, numbers, (form) => void this.#keep(entry.save(node, form)))}
      </div>
      ${
        entry.saveRun &&
        html`<div class="line">
          <span class="what">${words("take.run")}</span>
          <button
            class="button"
            aria-label=${words("take.save_run", { format: formName.safetensors })}
            @click=${() => void this.#keep(entry.saveRun!())}
          >
            ${formName.safetensors}
          </button>
        </div>`
      }
      <p role="status">${this.#status()}</p>
      <p>${words("take.carries")}</p>
      <div class="line">
        ${fileButton(words("take.open_file"), ".png,.svg,.gif,.json,.csv,.safetensors", (file) => entry.open(file))}
      </div>`;
  }
}
customElements.define("ap-take-files", ApTakeFiles);

declare global {
  interface HTMLElementTagNameMap {
    "ap-take-files": ApTakeFiles;
  }
}
