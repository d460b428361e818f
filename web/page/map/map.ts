/** ap-map: the model as two staves or two towers. Each block and each name of a lab is a link to a lab. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { LabId } from "../../config/config.js";
import type { LabEntry } from "../../elements/header.js";
import { icon } from "../../elements/icons.js";
import { look } from "../../elements/look.js";
import { openInPage } from "../../elements/page-link.js";
import { styleMap } from "../../elements/style-map.js";
import type { Words } from "../../i18n/words.js";
import { boardAt, boardsOf, type Cell, type Rectangle } from "../../marks/board.js";
import { Memo } from "../memo.js";
import type { LabPlace } from "../openings.js";
import { blocks } from "./blocks.js";
import "./figure.js";
import {
  lightingOfCell,
  openingOfBlock,
  scalesOf,
  symbolOf,
  tellingCell,
  wordsOf,
  type Model,
} from "./model.js";
import type { LabName, MapPicture } from "./picture.js";
import { places, staveOf, type BlockId, type Place } from "./places.js";
import { stavesPicture } from "./staves.js";
import { towersPicture } from "./towers.js";
import { mapWords } from "./words.js";

/** What the reader points at. */
export interface Shown {
  block: BlockId;
  cell: Cell;
}

/** Maps that are at least this wide have staves. */
const staveWidth = 1040;

/** How far a pointer may be from the cells of its block. */
const reach = 200;

/** Events: block-show {block, cell}; open-lab {lab, view, tokens}. */
export class ApMap extends LitElement {
  static override properties = {
    words: { attribute: false },
    theme: { attribute: false },
    model: { attribute: false },
    labs: { attribute: false },
    shown: { attribute: false },
    tapShows: { attribute: false },
    addressOf: { attribute: false },
    width: { state: true },
  };
  declare words: Words;
  declare theme: "light" | "dark";
  declare model: Model;
  declare labs: readonly LabEntry[];
  declare shown: Shown;
  /** Whether a tap on a block shows it, instead of opening its lab. */
  declare tapShows: boolean;
  declare addressOf: (place: LabPlace) => string;
  declare private width: number;

  static override styles = [
    look,
    css`
      :host {
        display: block;
        position: relative;
        min-width: 0;
      }
      .paper {
        position: relative;
      }
      ap-figure {
        pointer-events: none;
      }
      a {
        position: absolute;
        border-radius: var(--radius-s);
        text-decoration: none;
      }
      .blocks {
        position: absolute;
        inset: 0;
      }
      .lab {
        display: flex;
        gap: 6px;
        color: var(--ink);
        font: 600 14px/20px var(--serif);
        white-space: nowrap;
      }
      .lab:lang(zh) {
        font-family: var(--sans);
      }
      .towers .lab {
        font-size: 13px;
      }
      .number {
        color: var(--ink-3);
        font-weight: 400;
      }
      .lab:hover .title,
      .lab:focus-visible .title {
        text-decoration: underline;
        text-underline-offset: 3px;
      }
      .lab .icon {
        color: var(--match);
        margin: 2px 0 0 -2px;
      }
    `,
  ];

  readonly #picture = new Memo<MapPicture>();
  readonly #observer = new ResizeObserver(() => this.#measure());

  constructor() {
    super();
    this.width = 0;
    this.tapShows = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  #measure(): void {
    this.width = Math.floor(this.clientWidth);
  }

  get #hasStaves(): boolean {
    return this.width >= staveWidth;
  }

  #pictureNow(): MapPicture {
    const { words, model, labs, width } = this;
    return this.#picture.of([words, model.config, model.snapshots, labs, width], () => {
      const room = {
        width,
        ...model,
        ...wordsOf(model),
        labs: labs.map(({ id, chapter, title, done }) => ({
          id,
          chapter,
          title,
          isDone: done !== null && done !== undefined && done.done === done.count,
        })),
        strings: mapWords(words),
      };
      return this.#hasStaves ? stavesPicture(room) : towersPicture(room);
    });
  }

  #show(block: BlockId, cell: Cell): void {
    const { shown } = this;
    if (
      shown.block === block &&
      shown.cell.node === cell.node &&
      shown.cell.index.join() === cell.index.join()
    )
      return;
    this.dispatchEvent(
      new CustomEvent<Shown>("block-show", { detail: { block, cell }, bubbles: true, composed: true }),
    );
  }

  /** The cell of a block under the pointer. */
  #cellUnder(event: PointerEvent | MouseEvent, block: BlockId, box: Rectangle): Cell {
    const { scene } = this.#pictureNow();
    const boards = boardsOf(scene, this.model.snapshots).filter(({ id }) => id.startsWith(`${block}-`));
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    const hit = boardAt(boards, box.x + event.clientX - left, box.y + event.clientY - top, reach);
    return hit ? hit.board.cellAt(...hit.place) : tellingCell(block, this.model);
  }

  #block({ id, ...box }: MapPicture["blocks"][number]): TemplateResult {
    const { words, labs, model } = this;
    const strings = mapWords(words);
    const { lab, kind } = blocks[id];
    const { chapter, title } = labs.find((one) => one.id === lab)!;
    const name = strings("open.block", {
      symbol: symbolOf(id),
      name: strings(`name.${kind}`),
      part: strings(`part.${staveOf(id)}`),
      chapter,
      title,
    });
    const at = { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` };
    const point = (event: PointerEvent): void => {
      if (event.pointerType !== "touch") this.#show(id, this.#cellUnder(event, id, box));
    };
    const { shown } = this;
    const opens = openingOfBlock(id, shown.block === id ? shown.cell : tellingCell(id, model), model);
    return html`<a
      class="block"
      data-block=${id}
      href=${this.addressOf(opens)}
      aria-label=${name}
      style=${styleMap(at)}
      @pointermove=${point}
      @focus=${(event: FocusEvent) => {
        if ((event.currentTarget as Element).matches(":focus-visible"))
          this.#show(id, tellingCell(id, model));
      }}
      @keydown=${this.#key}
      @click=${(event: MouseEvent) => {
        // A press of Enter has no detail.
        if (!this.tapShows || event.detail === 0) return openInPage(event, "open-lab", { ...opens });
        event.preventDefault();
        this.#show(id, this.#cellUnder(event, id, box));
      }}
    ></a>`;
  }

  #name({ lab, lines, x, y, width, height }: LabName): TemplateResult {
    const { chapter, address, done } = this.labs.find(({ id }) => id === lab)!;
    const at = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
    const isDone = done !== null && done !== undefined && done.done === done.count;
    return html`<a
      class="lab"
      href=${address}
      data-lab=${lab}
      style=${styleMap(at)}
      @click=${(event: MouseEvent) => openInPage(event, "open-lab", { lab })}
      ><span class="number">${chapter} </span
      ><span class="title">${lines.map((line, at) => html`${at ? html`<br />` : nothing}${line}`)}</span
      >${isDone ? html`${icon("check", 16)}<span class="unseen">${this.words("lesson.done")}</span>` : nothing}</a
    >`;
  }

  /** An arrow key moves to the nearest block in its direction. */
  readonly #key = (event: KeyboardEvent): void => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const middle = (element: Element): [number, number] => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const from = event.currentTarget as HTMLElement;
    const [x, y] = middle(from);
    const [across, down] = way as [number, number];
    let nearest: HTMLElement | null = null;
    let least = Infinity;
    for (const other of this.renderRoot.querySelectorAll<HTMLElement>("a.block")) {
      const [otherX, otherY] = middle(other);
      const along = (otherX - x) * across + (otherY - y) * down;
      const beside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * across);
      if (along < 8 || along + 3 * beside >= least) continue;
      [nearest, least] = [other, along + 3 * beside];
    }
    nearest?.focus();
  };

  protected override render(): TemplateResult | typeof nothing {
    const { words, model, theme, shown } = this;
    if (!words || !model || !this.width) return nothing;
    const { scene, blocks: areas, names } = this.#pictureNow();
    const size = { width: `${scene.width}px`, height: `${scene.height}px` };
    // The names of labs come before the block that they stand at; those that stand at none come last.
    const firstAt = (lab: LabId): number => {
      const { at } = places[lab] as Place;
      const place = areas.findIndex(({ id }) => id === at);
      return place < 0 ? areas.length : place;
    };
    const flow = [
      ...areas.map((area, at) => ({
        key: area.id as string,
        at,
        named: false,
        draw: () => this.#block(area),
      })),
      ...names.map((name) => ({
        key: `lab ${name.lab}`,
        at: firstAt(name.lab),
        named: true,
        draw: () => this.#name(name),
      })),
    ].sort((one, other) => one.at - other.at || Number(other.named) - Number(one.named));
    return html`<nav
      class="paper ${this.#hasStaves ? "staves" : "towers"}"
      aria-label=${mapWords(words)("label")}
      style=${styleMap(size)}
    >
      <ap-figure
        aria-hidden="true"
        .scene=${scene}
        .snapshots=${model.snapshots}
        .domains=${scalesOf(model, mapWords(words))}
        .lighting=${lightingOfCell(shown.cell, shown.block, scene, model)}
        .words=${words}
        .theme=${theme}
      ></ap-figure>
      <div class="blocks">
        ${repeat(
          flow,
          ({ key }) => key,
          ({ draw }) => draw(),
        )}
      </div>
    </nav>`;
  }
}
customElements.define("ap-map", ApMap);
