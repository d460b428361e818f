/** ap-block-note: what the reader points at on the map: its address, what it is, its numbers, and the lab that shows it. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Config } from "../../config/config.js";
import type { LabEntry } from "../../elements/header.js";
import { look } from "../../elements/look.js";
import { openInPage } from "../../elements/page-link.js";
import type { Words } from "../../i18n/words.js";
import { labOf } from "../open-lab.js";
import type { LabPlace } from "../openings.js";
import { attentions, blocks } from "./blocks.js";
import "./figure.js";
import type { Shown } from "./map.js";
import {
  addressOf,
  largeScene,
  lightingOfCell,
  namesIn,
  numberAt,
  openingOfBlock,
  scalesOf,
  type Model,
} from "./model.js";
import { mapWords } from "./words.js";

/** Event: open-lab {lab, view, tokens}. */
export class ApBlockNote extends LitElement {
  static override properties = {
    words: { attribute: false },
    theme: { attribute: false },
    model: { attribute: false },
    labs: { attribute: false },
    shown: { attribute: false },
    isSheet: { type: Boolean, attribute: "sheet", reflect: true },
    addressOf: { attribute: false },
    room: { state: true },
  };
  declare words: Words;
  declare theme: "light" | "dark";
  declare model: Model;
  declare labs: readonly LabEntry[];
  declare shown: Shown;
  /** Whether it is a sheet at the foot of a phone: then it has no matrix. */
  declare isSheet: boolean;
  declare addressOf: (place: LabPlace) => string;

  /** The width inside it. */
  declare private room: number;

  static override styles = [
    look,
    css`
      :host {
        display: block;
        padding: 10px 14px 11px;
        border: 1px solid var(--rule);
        border-radius: var(--radius-m);
        background: var(--surface);
        font-size: 13px;
      }
      h2 {
        margin: 0;
        font: 600 13px/1.4 var(--sans);
        overflow-wrap: anywhere;
      }
      p {
        margin: 1px 0 0;
        color: var(--ink-2);
        font-size: 12.5px;
      }
      .figure {
        --paper: var(--surface);
        min-height: 20px;
        margin-top: 6px;
        overflow: hidden;
      }
      .cell {
        display: flex;
        gap: 12px;
        align-items: baseline;
        justify-content: space-between;
        margin-top: 6px;
      }
      .cell output {
        font-size: 17px;
        font-weight: 650;
      }
      footer {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 12px;
        justify-content: space-between;
        align-items: baseline;
        margin-top: 8px;
        padding-top: 7px;
        border-top: 1px solid var(--rule);
        color: var(--ink-2);
        font-size: 12.5px;
      }
      footer b {
        color: var(--ink);
        font: 600 14px/1.3 var(--serif);
      }
      footer b:lang(zh) {
        font: 600 13px/1.5 var(--sans);
      }
      a {
        text-underline-offset: 3px;
      }
      :host([sheet]) {
        padding: 10px 16px calc(12px + env(safe-area-inset-bottom));
        border-width: 1px 0 0;
        border-radius: var(--radius-l) var(--radius-l) 0 0;
      }
      :host([sheet]) footer {
        align-items: center;
      }
      :host([sheet]) .open {
        display: inline-flex;
        align-items: center;
        min-height: 38px;
        padding: 0 14px;
        border-radius: var(--radius-m);
        background: var(--ink);
        color: var(--paper);
        text-decoration: none;
      }
    `,
  ];

  constructor() {
    super();
    this.isSheet = false;
    this.room = 0;
  }

  readonly #observer = new ResizeObserver(([entry]) => {
    this.room = Math.floor(entry!.contentRect.width);
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** What a cell means, in the words of the lab that computes it; of other numbers their row and column. */
  #meaning(): string {
    const { model, words, shown } = this;
    const { node, index } = shown.cell;
    const meant = labOf(model.config as Config).nodeWords(
      model.config as Config,
      node,
      words,
      model.snapshots,
    );
    const { kind } = blocks[shown.block];
    if (attentions.includes(kind) || kind === "next") return meant.meaning(index);
    const row = namesIn(shown.block, model).rows[index[0]!] ?? "";
    return mapWords(words)("cell.row", { row, column: index[1]! });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, model, shown, labs } = this;
    if (!words || !model) return nothing;
    const strings = mapWords(words);
    const { kind, lab } = blocks[shown.block];
    const { chapter, title } = labs.find(({ id }) => id === lab)!;
    const isComputed = model.snapshots.size > 0;
    const head = attentions.includes(kind) ? shown.cell.index[0]! : 0;
    const scene = this.isSheet ? null : largeScene(shown.block, head, this.room, model, strings);
    const opens = openingOfBlock(shown.block, shown.cell, model);
    return html`<h2>${addressOf(shown.cell)}</h2>
      <p>${strings(`about.${kind}`)}</p>
      ${
        scene
          ? html`<div class="figure">
              <ap-figure
                aria-hidden="true"
                numbers
                .scene=${scene}
                .snapshots=${model.snapshots}
                .domains=${scalesOf(model, strings)}
                .lighting=${lightingOfCell(shown.cell, shown.block, scene, model)}
                .words=${words}
                .theme=${this.theme}
              ></ap-figure>
            </div>`
          : nothing
      }
      <div class="cell">
        <span>${isComputed ? this.#meaning() : strings("waiting")}</span>
        <output>${numberAt(shown.cell, model.snapshots)}</output>
      </div>
      <footer>
        <span>${strings("note.part")} ${chapter} <b>${title}</b></span>
        <a
          class="open"
          href=${this.addressOf(opens)}
          aria-label=${`${strings("note.open")} ${title}`}
          @click=${(event: MouseEvent) => openInPage(event, "open-lab", { ...opens })}
          >${strings("note.open")}</a
        >
      </footer>`;
  }
}
customElements.define("ap-block-note", ApBlockNote);
