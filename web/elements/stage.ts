/** ap-stage: a scene and its numbers as a score: matrices, wires, legends, curves and images that can be pointed at. */
import {
  LitElement,
  html,
  nothing,
  svg,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "./style-map.js";
import type { Explanation } from "../core/index.js";
import type { Words } from "../i18n/words.js";
import { boardsOf, rectangleOf, sameCell, type Board, type Cell, type Place } from "../marks/board.js";
import { readPalette, type Palette } from "../marks/colour.js";
import { domainsOf } from "../marks/domains.js";
import { lightingOf, type Lighting } from "../marks/lighting.js";
import { formatFull } from "../marks/numbers.js";
import type { Curve, Scene, Snapshots } from "../marks/scene.js";
import type { NodeWords } from "../marks/wording.js";
import { needsLoupe, StageCanvases, type Picture } from "./stage-canvases.js";
import { editor, parseNumber, startEditing, type Editing } from "./stage-editor.js";
import { StageGestures, type GestureHost } from "./stage-gestures.js";
import { grid } from "./stage-grid.js";
import { imageFrames } from "./stage-image.js";
import { keyAction } from "./stage-keys.js";
import { stageLook } from "./stage-look.js";
import {
  brackets,
  caption,
  columnNamesOf,
  frames,
  namesOn,
  rowNames,
  thumbnailCaption,
} from "./stage-matrix.js";
import { curve, guides, label, leaders, legend, operator, wires } from "./stage-score.js";

export type { Cell } from "../marks/board.js";

/** How far Play has come: cells of later steps are not drawn; of `node`, the tensor that the step sweeps, `sweep` cells are. */
export interface Progress {
  step: number;
  sweep: number | null;
  /** Absent: the first tensor of the step that is no parameter. */
  node?: string;
}

/** What ap-stage says, by the name of its event; all bubble and cross shadow roots. */
export interface StageEvents {
  /** The target moved. While a cell is pinned only the keyboard moves it. */
  "cell-focus": Cell & { by: "pointer" | "keyboard" };
  /** The pointer or the focus left; the last target stays. */
  "cell-leave": Record<string, never>;
  /** Pins the cell; of the pinned cell itself: unpins it. */
  "cell-pin": Cell;
  "cell-edit": Cell & { value: number };
  /** One cell of a stroke; `done` ends the stroke and repeats its last cell. */
  "mask-paint": { row: number; column: number; allowed: boolean; done: boolean };
  /** A symbol, a caption or an operator is pointed at. */
  "node-point": { node: string | null };
  /** A thumbnail is chosen. */
  "node-go": { node: string };
  "cell-follow": { direction: "source" | "result" };
  "cell-copy": Record<string, never>;
}

/** Colour scales settle this long after a stroke. */
const SETTLE = 180;
/** Air between a cell and the loupe on it. */
const LOUPE_AIR = 16;

export class Stage extends LitElement implements GestureHost {
  static override styles = stageLook;
  static override properties: PropertyDeclarations = {
    scene: { attribute: false },
    snapshots: { attribute: false },
    cell: { attribute: false },
    pinned: { type: Boolean, reflect: true },
    explanation: { attribute: false },
    lit: { attribute: false },
    operand: { attribute: false },
    scales: {},
    words: { attribute: false },
    nodeWords: { attribute: false },
    theme: {},
    stale: { type: Boolean },
    play: { attribute: false },
    thumbnails: { type: Boolean },
  };

  declare scene: Scene | null;
  declare snapshots: Snapshots;
  declare cell: Cell | null;
  declare pinned: boolean;
  declare explanation: Explanation | null;
  declare lit: string[];
  declare operand: Cell | null;
  declare scales: "shared" | "own";
  declare words: Words | null;
  /** The places of a node in words, for the names of its cells. */
  declare nodeWords: ((node: string) => NodeWords) | null;
  declare theme: "light" | "dark";
  declare stale: boolean;
  declare play: Progress | null;
  /** A strip: small tensors without brackets, each a button that says `node-go`. */
  declare thumbnails: boolean;

  boards: Board[] = [];
  #lighting: Lighting = { target: null, twins: [], sources: new Map(), leaders: [] };
  #domains = new Map<string, number>();
  #palette: Palette | null = null;
  #paletteOf = "";
  #canvases = new StageCanvases();
  #gestures = new StageGestures(this);
  /** The board that was pointed at last: a cell may stand on several. */
  #anchor: string | null = null;
  /** Where the Tab key lands on each board. */
  #places = new Map<string, Place>();
  #goal: { board: string; place: Place } | null = null;
  #loupe: { board: Board; place: Place } | null = null;
  #editing: Editing | null = null;
  #opening = false;
  /** The cell that was pinned before the one pinned now. */
  #earlier: Cell | null = null;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #resolution: MediaQueryList | null = null;
  #resize: ResizeObserver | null = null;

  constructor() {
    super();
    this.scene = null;
    this.snapshots = new Map();
    this.cell = null;
    this.pinned = false;
    this.explanation = null;
    this.lit = [];
    this.operand = null;
    this.scales = "shared";
    this.words = null;
    this.nodeWords = null;
    this.theme = "light";
    this.stale = false;
    this.play = null;
    this.thumbnails = false;
    this.addController(this.#gestures);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("beforeprint", this.#beforePrint);
    this.#watchResolution();
    this.#resize = new ResizeObserver(() => this.requestUpdate());
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("beforeprint", this.#beforePrint);
    this.#resolution?.removeEventListener("change", this.#watchResolution);
    this.#resize?.disconnect();
    clearTimeout(this.#settling);
  }

  /** One picture per frame, however many properties change in it. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!document.hidden) await new Promise(requestAnimationFrame);
    super.scheduleUpdate();
  }

  #beforePrint = (): void => {
    if (this.isUpdatePending) this.performUpdate();
  };

  #watchResolution = (): void => {
    this.#resolution?.removeEventListener("change", this.#watchResolution);
    this.#resolution = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.#resolution.addEventListener("change", this.#watchResolution);
    this.requestUpdate();
  };

  get paper(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".paper");
  }

  get curves(): readonly Curve[] {
    return this.scene?.curves ?? [];
  }

  #emit<Name extends keyof StageEvents>(name: Name, detail: StageEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #point = (node: string | null): void => this.#emit("node-point", { node });

  protected override willUpdate(changed: PropertyValues<this>): void {
    const style = getComputedStyle(this);
    const key = `${style.getPropertyValue("--paper")}${style.getPropertyValue("--ink")}`;
    if (key !== this.#paletteOf && style.getPropertyValue("--paper")) {
      this.#palette = readPalette((name) => style.getPropertyValue(name));
      this.#paletteOf = key;
    }
    if (changed.has("scene") || changed.has("snapshots")) {
      this.boards = this.scene ? boardsOf(this.scene, this.snapshots) : [];
      if (this.#loupe) this.#loupe = null;
    }
    if (!this.pinned) this.#earlier = null;
    else if (
      changed.has("cell") &&
      !changed.has("pinned") &&
      !sameCell(changed.get("cell") ?? null, this.cell)
    ) {
      this.#earlier = changed.get("cell") ?? null;
    }
    const { explanation } = this;
    const regions = explanation && sameCell(explanation, this.cell) ? explanation.sources : [];
    this.#lighting = lightingOf(this.boards, this.cell, regions, this.#anchor);
    const { target } = this.#lighting;
    if (target) this.#places.set(target.board.id, [target.run.top, target.run.left]);
    const frozen = this.play !== null || this.#gestures.painting || this.#settling !== undefined;
    this.#domains = domainsOf(this.boards, this.scales, frozen ? this.#domains : null);
    this.#followFocus();
  }

  /** Where the keyboard is on this stage. */
  #focused(): HTMLElement | null {
    const active = (this.renderRoot as ShadowRoot).activeElement;
    return active instanceof HTMLElement && active.role === "gridcell" ? active : null;
  }

  /** Focus inside the grids goes where the target goes. */
  #followFocus(): void {
    const { target } = this.#lighting;
    if (this.#goal || !target || this.#editing || !this.#focused() || this.pinned) return;
    this.#goal = { board: target.board.id, place: [target.run.top, target.run.left] };
  }

  #placeOn(board: Board): Place {
    const [row, column] = this.#places.get(board.id) ?? [0, 0];
    return [Math.min(row, board.rows - 1), Math.min(column, board.columns - 1)];
  }

  /** How many cells of a board are computed at this point of Play. */
  #shown = (board: Board): number => {
    if (!this.play || board.step < this.play.step) return Infinity;
    if (board.step > this.play.step) return 0;
    const { step, sweep, node } = this.play;
    if (sweep === null) return Infinity;
    if (node !== undefined) return board.node === node ? sweep : Infinity;
    const first = this.boards.find(
      (other) => other.step === step && other.tensor?.placed.fill !== "parameter",
    );
    return first === board ? sweep : Infinity;
  };

  protected override render(): TemplateResult | typeof nothing {
    const { scene, words } = this;
    const palette = this.#palette;
    if (!scene || !words || !palette) return nothing;
    const fits = this.clientWidth === 0 || scene.width <= this.clientWidth;
    const gestures = this.#gestures;
    const size = { width: `${scene.width}px`, height: `${scene.height}px` };
    return html`<div class="box ${fits ? "fits" : ""}">
      <div
        class="paper"
        style=${styleMap(size)}
        @pointerdown=${gestures.down}
        @pointermove=${gestures.move}
        @pointerup=${gestures.up}
        @pointercancel=${gestures.cancel}
        @pointerleave=${gestures.leave}
        @dblclick=${gestures.double}
        @contextmenu=${gestures.menu}
        @mousedown=${this.#mouseDown}
        @keydown=${this.#keyDown}
        @focusin=${this.#focusIn}
        @focusout=${this.#focusOut}
      >
        ${this.#names(scene)} ${this.#behind(scene, words, palette)}
        ${repeat(
          scene.images,
          (image) => image.id,
          (image) =>
            html`<canvas
              data-image=${image.id}
              aria-hidden="true"
              style=${styleMap(box(image.x, image.y, image.size, image.size))}
            ></canvas>`,
        )}
        ${repeat(
          this.boards.filter((board) => board.tensor),
          (board) => board.id,
          (board) =>
            html`<canvas
              data-tensor=${board.id}
              aria-hidden="true"
              style=${styleMap(box(board.x, board.y, board.columns * board.cellWidth, board.rows * board.cellHeight))}
            ></canvas>`,
        )}
        ${this.#front(scene, words)} ${this.thumbnails ? this.#buttons() : this.#grids(words)}
        ${
          scene.note
            ? html`<div
                class="note"
                style=${styleMap({ left: `${scene.note.x}px`, top: `${scene.note.y}px`, width: `${scene.note.width}px` })}
              >
                <slot name="note"></slot>
              </div>`
            : nothing
        }
        ${
          this.#loupe
            ? html`<canvas class="loupe" aria-hidden="true"></canvas
                ><svg class="loupe-frame" aria-hidden="true" width="1" height="1">
                  <rect class="halo" rx="3" />
                  <rect class="frame ink" rx="3" />
                </svg>`
            : nothing
        }
        ${this.#editing ? this.#editor(this.#editing, scene.width, words) : nothing}
      </div>
    </div>`;
  }

  #behind(scene: Scene, words: Words, palette: Palette): TemplateResult {
    const domain = (family: string): number | null =>
      this.scales === "own" ? null : (this.#domains.get(family) ?? 1);
    return html`<svg class="layer behind" width=${scene.width} height=${scene.height}>
      ${this.thumbnails ? nothing : guides(this.boards)} ${wires(scene, this.#lighting)}
      ${leaders(this.#lighting.leaders)}
      ${scene.operators.map((item) => operator(item, this.lit.includes(item.node), this.#point))}
      ${scene.legends.map((item, at) => legend(item, domain(item.family), palette, words, `ramp-${at}`))}
      ${scene.labels.map(label)}
      ${scene.curves.map((item) => (this.#isShown(item.step) ? curve(item, this.cell) : nothing))}
    </svg>`;
  }

  #isShown(step: number): boolean {
    return !this.play || step <= this.play.step;
  }

  /** Boards whose row names stand at the left edge: they stay in sight when the stage scrolls sideways. */
  #isLeftmost = (board: Board): boolean =>
    board.tensor?.placed.rowNames !== undefined &&
    !this.boards.some(
      (other) =>
        other.x < board.x &&
        other.y < board.y + board.rows * board.cellHeight &&
        board.y < other.y + other.rows * other.cellHeight,
    );

  #names(scene: Scene): TemplateResult | typeof nothing {
    const leftmost = this.boards.filter(this.#isLeftmost);
    if (leftmost.length === 0) return nothing;
    const width = Math.max(0, Math.min(...leftmost.map((board) => board.x)) - 9);
    return html`<div class="names" aria-hidden="true" style=${styleMap({ width: `${width}px` })}>
      <svg width=${width} height=${scene.height}>
        ${leftmost.map((board) => rowNames(board, namesOn(board, this.#lighting).row, board.x))}
      </svg>
    </div>`;
  }

  #front(scene: Scene, words: Words): TemplateResult {
    const { operand } = this;
    return html`<svg class="layer front" aria-hidden="true" width=${scene.width} height=${scene.height}>
      ${this.boards.map((board) => {
        const lit = this.lit.includes(board.node);
        if (this.thumbnails) return thumbnailCaption(board, lit);
        const on = namesOn(board, this.#lighting);
        return svg`${brackets(board)}${caption(board, lit, words, this.#point)}
          ${this.#isLeftmost(board) ? nothing : rowNames(board, on.row, Infinity)}${columnNamesOf(board, on.column)}`;
      })}
      ${scene.images.map((image) => imageFrames(image, this.snapshots))}
      ${this.boards.map((board) =>
        frames(board, this.#lighting, {
          lit: !this.thumbnails && this.lit.includes(board.node),
          operand: operand && board.run(operand.node, operand.index, operand.index),
          earlier: this.#earlier && board.run(this.#earlier.node, this.#earlier.index, this.#earlier.index),
          pinned: this.pinned,
        }),
      )}
    </svg>`;
  }

  #grids(words: Words): TemplateResult {
    const stops = this.boards.filter((board) => board.stop);
    return html`${repeat(
      stops,
      (board) => board.id,
      (board) => {
        const place = this.#placeOn(board);
        const view = { board, place, shown: this.#shown(board), words, nodeWords: this.nodeWords };
        return guard([board, place.join(), view.shown, words, this.nodeWords], () => grid(view));
      },
    )}`;
  }

  #buttons(): TemplateResult[] {
    return this.boards.map(
      (board) =>
        html`<button
          class="thumbnail"
          aria-label=${this.nodeWords?.(board.node).name || board.tensor?.placed.name || board.node}
          style=${styleMap(box(board.x, board.y, board.columns * board.cellWidth, board.rows * board.cellHeight + 28))}
          @click=${() => this.#emit("node-go", { node: board.node })}
        ></button>`,
    );
  }

  protected override updated(): void {
    const palette = this.#palette;
    if (!this.scene || !this.words || !palette) return;
    const { scales, lit, stale } = this;
    const picture: Picture = {
      lighting: this.#lighting,
      domains: this.#domains,
      scales,
      palette,
      lit,
      stale,
      shown: this.#shown,
    };
    const boards = new Map(this.boards.map((board) => [board.id, board]));
    const images = new Map(this.scene.images.map((image) => [image.id, image]));
    for (const canvas of this.renderRoot.querySelectorAll("canvas")) {
      const board = boards.get(canvas.dataset["tensor"] ?? "");
      const image = images.get(canvas.dataset["image"] ?? "");
      if (board) this.#canvases.matrix(canvas, board, picture);
      else if (image) {
        canvas.hidden = !this.#isShown(image.step);
        this.#canvases.image(canvas, image, this.snapshots, palette);
      }
    }
    this.#drawLoupe(picture);
    this.#moveFocus();
    const input = this.#opening ? this.renderRoot.querySelector<HTMLInputElement>(".editor input") : null;
    if (input && this.#editing) startEditing(input, this.#editing.typed);
    this.#opening = false;
  }

  /** The loupe stands beside its cell: where there is room, never over it. */
  #drawLoupe(picture: Picture): void {
    const canvas = this.renderRoot.querySelector<HTMLCanvasElement>("canvas.loupe");
    if (!canvas || !this.#loupe || !this.scene) return;
    const { board, place } = this.#loupe;
    const [row, column] = place;
    const { width, height, cell } = this.#canvases.loupe(canvas, board, place, picture);
    const at = rectangleOf(board, { top: row, bottom: row, left: column, right: column });
    const right = at.x + at.width + LOUPE_AIR;
    const left = right + width <= this.scene.width ? right : Math.max(0, at.x - LOUPE_AIR - width);
    const top = Math.max(0, Math.min(this.scene.height - height, at.y - height / 2));
    Object.assign(canvas.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    const mark = this.renderRoot.querySelector<SVGElement>(".loupe-frame");
    if (!mark) return;
    Object.assign(mark.style, { left: `${left + cell.x + 1}px`, top: `${top + cell.y + 1}px` });
    for (const rect of mark.querySelectorAll("rect")) {
      rect.setAttribute("width", String(cell.width));
      rect.setAttribute("height", String(cell.height));
    }
  }

  // Pointers

  hover(board: Board, place: Place): void {
    if (place[0] * board.columns + place[1] >= this.#shown(board)) return;
    this.#look(needsLoupe(board) ? { board, place } : null);
    if (!this.pinned) this.#target(board, place, "pointer");
  }

  hoverCell(cell: Cell): void {
    this.#look(null);
    if (!this.pinned && !sameCell(cell, this.cell)) this.#emit("cell-focus", { ...cell, by: "pointer" });
  }

  leave(): void {
    this.#look(null);
    this.#emit("cell-leave", {});
  }

  pin(board: Board, place: Place): void {
    if (place[0] * board.columns + place[1] >= this.#shown(board)) return;
    this.#anchor = board.id;
    this.#emit("cell-pin", board.cellAt(...place));
  }

  focusOn(board: Board, place: Place): void {
    if (!board.stop) return;
    this.#places.set(board.id, place);
    this.#goal = { board: board.id, place };
    this.requestUpdate();
  }

  paint([row, column]: Place, allowed: boolean, done: boolean): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#settling = undefined;
      this.requestUpdate();
    }, SETTLE);
    this.#emit("mask-paint", { row, column, allowed, done });
  }

  #target(board: Board, place: Place, by: "pointer" | "keyboard"): void {
    const cell = board.cellAt(...place);
    if (this.#anchor !== board.id) {
      this.#anchor = board.id;
      this.requestUpdate();
    }
    if (!sameCell(cell, this.cell)) this.#emit("cell-focus", { ...cell, by });
  }

  #look(at: { board: Board; place: Place } | null): void {
    if (!at && !this.#loupe) return;
    this.#loupe = at;
    this.requestUpdate();
  }

  /** Focus is given when a press ends, not when it starts: a scroll starts with a press too. */
  #mouseDown = (event: Event): void => {
    if (event.composedPath().some((node) => node instanceof HTMLElement && node.role === "gridcell"))
      event.preventDefault();
  };

  // Keys

  #at(event: Event): { board: Board; place: Place } | null {
    const cell = event.composedPath()[0];
    if (!(cell instanceof HTMLElement) || cell.role !== "gridcell") return null;
    const id = cell.closest<HTMLElement>("[data-board]")?.dataset["board"];
    const board = this.boards.find((other) => other.id === id);
    return board ? { board, place: [Number(cell.dataset["row"]), Number(cell.dataset["column"])] } : null;
  }

  #keyDown = (event: KeyboardEvent): void => {
    const at = this.#at(event);
    const action = at && keyAction(event, this.boards, at.board, at.place);
    if (!at || !action) return;
    event.preventDefault();
    switch (action.kind) {
      case "move":
        this.focusOn(action.board, action.place);
        this.#look(needsLoupe(action.board) ? action : null);
        this.#target(action.board, action.place, "keyboard");
        break;
      case "pin":
        this.pin(at.board, at.place);
        break;
      case "escape":
        if (this.pinned && this.cell) this.#emit("cell-pin", this.cell);
        else {
          this.#focused()?.blur();
          this.leave();
        }
        break;
      case "copy":
        this.#emit("cell-copy", {});
        break;
      case "paint":
        this.paint(at.place, at.board.tensor?.placed.masked?.(...at.place) ?? false, true);
        break;
      case "follow":
        this.#emit("cell-follow", { direction: action.direction });
        break;
      case "edit":
        this.openEditor(at.board, at.place, action.typed);
        break;
    }
  };

  #focusIn = (event: Event): void => {
    const at = this.#at(event);
    if (!at) return;
    this.#look(needsLoupe(at.board) ? at : null);
    if (!this.pinned) this.#target(at.board, at.place, "keyboard");
  };

  #focusOut = (event: Event): void => {
    if (this.#at(event)) this.#look(null);
  };

  #moveFocus(): void {
    const goal = this.#goal;
    this.#goal = null;
    if (!goal) return;
    const grids = this.renderRoot.querySelectorAll<HTMLElement>("[data-board]");
    const mine = [...grids].find((element) => element.dataset["board"] === goal.board);
    const [row, column] = goal.place;
    const cell = mine?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);
    if (!cell || cell === this.#focused()) return;
    const scrolls = this.renderRoot.querySelector(".box:not(.fits)") !== null;
    cell.focus({ preventScroll: !scrolls });
  }

  // The editor

  openEditor(board: Board, place: Place, typed: string | null = null): void {
    if (!board.tensor?.placed.editable) return;
    const text = typed ?? formatFull(board.valueAt(...place) ?? NaN);
    this.#editing = { board, place, cell: board.cellAt(...place), text, typed: typed !== null, problem: "" };
    this.#opening = true;
    this.requestUpdate();
  }

  #editor(editing: Editing, width: number, words: Words): TemplateResult {
    return editor(editing, width, words, {
      type: (text) => {
        this.#editing = { ...editing, text, problem: "" };
        this.requestUpdate();
      },
      commit: () => this.#commit(true),
      cancel: () => this.#close(true),
      away: () => this.#commit(false),
    });
  }

  /** Says the new number and closes; a text that is none is named and kept. */
  #commit(stay: boolean): void {
    const editing = this.#editing;
    if (!editing) return;
    const value = parseNumber(editing.text);
    const before = editing.board.valueAt(...editing.place);
    if (editing.text === formatFull(before ?? NaN) || (value !== null && Object.is(value, before)))
      return this.#close(stay);
    if (value === null) {
      const text = editing.text.trim();
      const problem = text ? this.words?.("stage.notNumber", { text }) : this.words?.("stage.emptyEdit");
      this.#editing = { ...editing, problem: problem ?? "" };
      this.requestUpdate();
      return;
    }
    this.#close(stay);
    this.#emit("cell-edit", { ...editing.cell, value });
  }

  #close(stay: boolean): void {
    const editing = this.#editing;
    this.#editing = null;
    if (editing && stay) this.focusOn(editing.board, editing.place);
    this.requestUpdate();
  }
}

function box(x: number, y: number, width: number, height: number): Record<string, string> {
  return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
}

customElements.define("ap-stage", Stage);

declare global {
  interface HTMLElementTagNameMap {
    "ap-stage": Stage;
  }
}
