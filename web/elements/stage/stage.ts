/**
 * ap-stage: draws a scene and its numbers: matrices, wires, legends, curves and images that can be pointed
 * at.
 */
import {
  LitElement,
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";
import type { Explanation } from "../../core/attention.js";
import type { Words } from "../../i18n/words.js";
import { boardsOf, rectangleOf, sameCell, type Board, type Cell, type Place } from "../../marks/board.js";
import { copyOfCell, type CellCopy } from "../../marks/cell-copy.js";
import { formatsOf } from "../../marks/board-drawing.js";
import { withoutCovered } from "../../marks/cover.js";
import { readPalette, type Palette } from "../../marks/colour.js";
import { domainsOf } from "../../marks/domains.js";
import { lightingOf, ofShownTarget, type Lighting } from "../../marks/lighting.js";
import type { Curve, Rail, Scene, Snapshots } from "../../marks/scene.js";
import { holdsPlace, sceneUntil, shownCells, type Progress } from "../../marks/stops.js";
import type { NodeWords } from "../../marks/wording.js";
import { StageCanvases, type Picture } from "./canvases.js";
import { StageEditor, type EditorHost } from "./editor.js";
import { dispatchStageEvent } from "./events.js";
import { StageGestures, type GestureHost } from "./gestures.js";
import { StageKeyboard, type KeyboardHost } from "./keyboard.js";
import type { KeyAction } from "./keys.js";
import {
  box,
  canvases,
  framesOver,
  bracketsAndNames,
  grids,
  nameColumn,
  score,
  thumbnailButtons,
  type StageView,
} from "./layers.js";
import { stageLook } from "./look.js";
import { StageLoupe } from "./loupe.js";
import { StagePull, type PullHost } from "./pull.js";
import { openers } from "./openers.js";
import { StageRails, type RailsHost } from "./rails.js";
import { styleMap } from "../style-map.js";

export type { Cell } from "../../marks/board.js";
export type { StageEvents } from "./events.js";

/** Margin between a target and the edge of its box. */
const EDGE = 16;
/** Pixels of a canvas per pixel of the scene, on paper. */
const PAPER = 3;
/** Milliseconds after a stroke at which the colour scales are updated. */
const SETTLE = 180;

export class Stage extends LitElement implements GestureHost, KeyboardHost, EditorHost, RailsHost, PullHost {
  static override styles = stageLook;
  static override properties: PropertyDeclarations = {
    scene: { attribute: false },
    whole: { attribute: false },
    onPaper: { attribute: false },
    snapshots: { attribute: false },
    cell: { attribute: false },
    pinned: { type: Boolean, reflect: true },
    explanation: { attribute: false },
    lit: { attribute: false },
    operand: { attribute: false },
    origin: { attribute: false },
    covered: { attribute: false },
    scales: {},
    words: { attribute: false },
    nodeWords: { attribute: false },
    theme: {},
    zoom: { attribute: false },
    stale: { type: Boolean, reflect: true },
    isBehind: { attribute: false },
    isMoving: { attribute: false },
    play: { attribute: false },
    thumbnails: { type: Boolean, reflect: true },
    takes: { type: Boolean },
    opens: { type: Boolean },
    hint: { attribute: false },
  };

  declare scene: Scene | null;
  /**
   * The scene that this one is cut from, so that colours mean the same in all parts of it; null when it is
   * not cut.
   */
  declare whole: Scene | null;
  /** Whether it is drawn for print. */
  declare onPaper: boolean;
  declare snapshots: Snapshots;
  /** The target. */
  declare cell: Cell | null;
  declare pinned: boolean;
  /** The explanation of the target; its sources are framed. */
  declare explanation: Explanation | null;
  /** The nodes that are underlined, because the formula or an operand points at them. */
  declare lit: string[];
  declare operand: Cell | null;
  /** The number whose gradient is drawn, marked by a thin frame. */
  declare origin: Cell | null;
  /** The cell whose number is covered; null for none. */
  declare covered: Cell | null;
  declare scales: "shared" | "own";
  declare words: Words | null;
  /** The words of a node, for the names of its cells. */
  declare nodeWords: ((node: string) => NodeWords) | null;
  declare theme: "light" | "dark";
  /** The factor by which the scene is enlarged. */
  declare zoom: number;
  /**
   * Whether a later input was refused or is being computed: the names and lines around the last result fade.
   */
  declare stale: boolean;
  /** Whether values that were chosen on the stage are not in its numbers yet. */
  declare isBehind: boolean;
  /** Whether the numbers change many times a second, as while a run trains. */
  declare isMoving: boolean;
  declare play: Progress | null;
  /** Whether it is a strip: small tensors without brackets, each with a button that dispatches `node-go`. */
  declare thumbnails: boolean;
  /** Whether captions open the menu of their tensor. */
  declare takes: boolean;
  /** Whether parts of the scene open controls. */
  declare opens: boolean;
  /** The cell with a hint that its number can be dragged; null for none. */
  declare hint: Cell | null;

  /** The boards that Play has reached. */
  boards: Board[] = [];
  /** The part of `scene` that is drawn. */
  #drawn: Scene | null = null;
  #lighting: Lighting = { target: null, twins: [], sources: new Map(), leaders: [] };
  #domains = new Map<string, number>();
  #palette: Palette | null = null;
  #canvases = new StageCanvases();
  readonly pulling = new StagePull(this);
  #gestures = new StageGestures(this);
  #keyboard = new StageKeyboard(this);
  #editor = new StageEditor(this);
  #loupe = new StageLoupe();
  #rails = new StageRails(this);
  /** The target that goes with a dragged value since its numbers are there. */
  #movedCell: Cell | null = null;
  /** The id of the board pointed at last: if several boards have the target cell, this one is highlighted. */
  #anchor: string | null = null;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #resolution: MediaQueryList | null = null;
  #resize: ResizeObserver | null = null;
  #width = Infinity;

  constructor() {
    super();
    this.scene = null;
    this.whole = null;
    this.onPaper = false;
    this.snapshots = new Map();
    this.cell = null;
    this.pinned = false;
    this.explanation = null;
    this.lit = [];
    this.operand = null;
    this.origin = null;
    this.covered = null;
    this.scales = "shared";
    this.words = null;
    this.nodeWords = null;
    this.theme = "light";
    this.zoom = 1;
    this.stale = false;
    this.isBehind = false;
    this.isMoving = false;
    this.play = null;
    this.thumbnails = false;
    this.takes = false;
    this.opens = false;
    this.hint = null;
    this.addController(this.#gestures);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("beforeprint", this.#beforePrint);
    addEventListener("afterprint", this.#afterPrint);
    this.#watchResolution();
    this.#resize = new ResizeObserver(() => {
      this.#width = this.clientWidth;
      this.requestUpdate();
    });
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("beforeprint", this.#beforePrint);
    removeEventListener("afterprint", this.#afterPrint);
    this.#resolution?.removeEventListener("change", this.#watchResolution);
    this.#resize?.disconnect();
    clearTimeout(this.#settling);
    this.#settling = undefined;
  }

  /**
   * Draws once per frame, however many properties change, and waits up to one more frame for the explanation
   * of a new target.
   */
  protected override async scheduleUpdate(): Promise<void> {
    if (!document.hidden) await new Promise(requestAnimationFrame);
    if (!document.hidden && this.hasUpdated && this.#awaitsExplanation())
      await new Promise(requestAnimationFrame);
    if (this.isUpdatePending) void super.scheduleUpdate();
  }

  #awaitsExplanation(): boolean {
    return this.cell !== null && this.explanation === null && !this.stale && this.play === null;
  }

  /** Draws at once, without waiting for a frame. */
  drawNow(): void {
    if (this.isUpdatePending) this.performUpdate();
  }

  #beforePrint = (): void => {
    this.onPaper = true;
    this.drawNow();
  };

  #afterPrint = (): void => {
    this.onPaper = false;
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

  get pointable(): readonly Board[] {
    return this.thumbnails ? [] : this.boards;
  }

  get curves(): readonly Curve[] {
    return this.thumbnails ? [] : (this.#drawn?.curves ?? []);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("theme") || changed.has("onPaper") || !this.#palette) this.#readPalette();
    const come = changed.get("play")?.step !== this.play?.step;
    const hasNewNumbers = changed.has("scene") || changed.has("snapshots") || (changed.has("play") && come);
    if (hasNewNumbers) {
      // A strip has buttons for every stop, so only its cells wait for Play.
      const whole = this.thumbnails || !this.play;
      this.#drawn = this.scene && !whole ? sceneUntil(this.scene, this.play?.step ?? 0) : this.scene;
      this.boards = this.#drawn ? boardsOf(this.#drawn, this.snapshots) : [];
      this.#loupe.renew(this.boards);
      this.#editor.renew(this.boards);
    }
    if (hasNewNumbers || changed.has("isBehind")) {
      this.pulling.renew();
      this.#movedCell = this.#rails.renew(this.#drawn?.rails ?? [], this.cell);
    }
    if (changed.has("cell")) this.#editor.closeMessageElsewhere(this.cell);
    const { explanation } = this;
    const regions = explanation && sameCell(explanation, this.cell) ? explanation.sources : [];
    const lighting = lightingOf(this.boards, this.cell, regions, this.#anchor);
    const { target } = lighting;
    this.#lighting = ofShownTarget(lighting, this.#shown);
    const moves = !this.#editor.isOpen && !this.pinned;
    if (target) this.#keyboard.follow(target.board, [target.run.top, target.run.left], moves);
    const isChanging = this.#gestures.painting || this.pulling.isHolding || this.#settling !== undefined;
    // Colours mean the same at every stop of a scene.
    const whole = this.whole ?? this.scene;
    const all = whole ? boardsOf(whole, this.snapshots) : [];
    this.#domains = domainsOf(all, this.scales, isChanging ? this.#domains : null);
  }

  /** Reads the colours of the theme. This forces a style calculation of the whole page, so it is done once for each theme. */
  #readPalette(): void {
    const style = getComputedStyle(this);
    if (style.getPropertyValue("--paper"))
      this.#palette = readPalette((name) => style.getPropertyValue(name));
  }

  /** The number of cells of a board that are computed at this point of Play. */
  #shown = (board: Board): number => shownCells(board, this.play, this.boards, this.snapshots);

  #isShown(board: Board, place: Place): boolean {
    return holdsPlace(board, place, this.#shown(board));
  }

  #point = (node: string | null): void => void dispatchStageEvent(this, "node-point", { node });

  #take = (board: Board, at: DOMRect): void =>
    void dispatchStageEvent(this, "take-open", { node: board.node, board: board.id, at });

  /** Shows at a cell why a value was refused, until the reader goes on. */
  refuse(board: Board, place: Place, text: string): void {
    this.#editor.refuse(board, place, text);
  }

  /** Removes the message of `refuse`. */
  clear(): void {
    this.#editor.clear();
  }

  /** The scale at which the scene is shown in the window. */
  get #scale(): number {
    const { paper } = this;
    return paper && paper.offsetWidth > 0 ? paper.getBoundingClientRect().width / paper.offsetWidth : 1;
  }

  /** Converts window coordinates to those of the scene. */
  inScene(x: number, y: number): [number, number] {
    const paper = this.paper?.getBoundingClientRect();
    const scale = this.#scale;
    return [(x - (paper?.left ?? 0)) / scale, (y - (paper?.top ?? 0)) / scale];
  }

  /** The window rectangle of a part of the scene. */
  inWindow({ x, y, width, height }: { x: number; y: number; width: number; height: number }): DOMRect {
    const paper = this.paper?.getBoundingClientRect();
    const scale = this.#scale;
    const [left, top] = [(paper?.left ?? 0) + scale * x, (paper?.top ?? 0) + scale * y];
    return new DOMRect(left, top, scale * width, scale * height);
  }

  /** The window rectangle of a cell. */
  #windowBox(board: Board, [row, column]: Place): DOMRect {
    const { x, y, width, height } = rectangleOf(board, {
      top: row,
      bottom: row,
      left: column,
      right: column,
    });
    return this.inWindow({ x, y, width, height });
  }

  #view(): StageView | null {
    const { words } = this;
    if (!this.#drawn || !words || !this.#palette) return null;
    return {
      scene: withoutCovered(this.#drawn, this.snapshots, this.covered),
      words,
      snapshots: this.snapshots,
      boards: this.boards,
      lighting: this.#lighting,
      palette: this.#palette,
      nodeWords: this.nodeWords,
      domains: this.scales === "own" ? null : this.#domains,
      lit: this.lit,
      cell: this.cell,
      operand: this.operand,
      origin: this.origin,
      covered: this.covered,
      pinned: this.pinned,
      isMoving: this.isMoving,
      thumbnails: this.thumbnails,
      shown: this.#shown,
      place: this.#keyboard.place,
      point: this.#point,
      take: this.takes ? this.#take : null,
    };
  }

  protected override render(): TemplateResult | typeof nothing {
    const view = this.#view();
    if (!view) return nothing;
    const { width, height, note } = view.scene;
    const { zoom } = this;
    const larger =
      zoom === 1 ? {} : { transform: `scale(${zoom})`, "margin-bottom": `${(zoom - 1) * height}px` };
    const gestures = this.#gestures;
    const keyboard = this.#keyboard;
    const paged = this.onPaper ? { height: `${zoom * height}px`, contain: "size" } : {};
    return html`<div class="box ${width * zoom <= this.#width ? "fits" : ""}" style=${styleMap(paged)}>
      <div
        class="paper ${this.pulling.isHolding ? "holds" : ""}"
        style=${styleMap({ width: `${width}px`, height: `${height}px`, ...larger })}
        @pointerdown=${gestures.down}
        @pointermove=${gestures.move}
        @pointerup=${gestures.up}
        @pointercancel=${gestures.cancel}
        @pointerleave=${gestures.leave}
        @touchmove=${gestures.touchMove}
        @dblclick=${gestures.double}
        @contextmenu=${gestures.menu}
        @mousedown=${keyboard.mouseDown}
        @keydown=${keyboard.down}
        @focusin=${keyboard.focusIn}
        @focusout=${keyboard.focusOut}
      >
        ${nameColumn(view)} ${score(view)} ${canvases(view)} ${bracketsAndNames(view)} ${framesOver(view)}
        ${this.thumbnails ? thumbnailButtons(view, (node) => dispatchStageEvent(this, "node-go", { node })) : grids(view)}
        ${note ? html`<div class="note" style=${styleMap({ ...box(note.x, note.y, note.width, 0), height: "auto" })}><slot name="note"></slot></div>` : nothing}
        ${this.#rails.template(view.scene.rails ?? [])}
        ${this.opens ? openers(this, view.scene.openers ?? []) : nothing} ${this.#loupe.template()}
        ${this.pulling.template(this.boards, width)} ${this.pulling.hint(this.boards, this.hint, view.words)}
        ${this.#editor.template(width, view.words)}
      </div>
    </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const palette = this.#palette;
    if (!this.#drawn || !this.words || !palette) return;
    const picture: Picture = {
      domains: this.#domains,
      formats: formatsOf(this.boards),
      scales: this.scales,
      palette,
      ratio: this.onPaper ? PAPER : devicePixelRatio * this.zoom,
      shown: this.#shown,
    };
    const boards = new Map(this.boards.map((board) => [board.id, board]));
    const images = new Map(this.#drawn.images.map((image) => [image.id, image]));
    for (const canvas of this.renderRoot.querySelectorAll("canvas")) {
      const board = boards.get(canvas.dataset["tensor"] ?? "");
      const image = images.get(canvas.dataset["image"] ?? "");
      if (board) this.#canvases.matrix(canvas, board, picture);
      if (image) this.#canvases.image(canvas, image, this.snapshots, picture);
    }
    this.#loupe.draw(this.renderRoot, this.#canvases, picture, this.#drawn);
    this.#keyboard.settle();
    this.#editor.settle(this.renderRoot);
    if (changed.has("cell")) this.#showColumn();
    const moved = this.#movedCell;
    this.#movedCell = null;
    if (moved) dispatchStageEvent(this, "rail-settle", moved);
  }

  /**
   * The window rectangle of the target, and one with its sources as well; null when the target is not drawn.
   */
  litBox(): { target: DOMRect; all: DOMRect } | null {
    const { target, sources } = this.#lighting;
    if (!target || !this.paper) return null;
    const own = rectangleOf(target.board, target.run);
    const runs = this.boards.flatMap((board) =>
      (sources.get(board.id) ?? []).map((run) => rectangleOf(board, run)),
    );
    const all = [own, ...runs];
    const left = Math.min(...all.map(({ x }) => x));
    const top = Math.min(...all.map(({ y }) => y));
    const right = Math.max(...all.map(({ x, width }) => x + width));
    const bottom = Math.max(...all.map(({ y, height }) => y + height));
    return {
      target: this.inWindow(own),
      all: this.inWindow({ x: left, y: top, width: right - left, height: bottom - top }),
    };
  }

  /**
   * The cell of a number in the window, and the look of a copy of it; null when no matrix of the stage shows it, or it is covered.
   * `value`: the number of a cell that Play has not reached.
   */
  copyOf(cell: Cell, value?: number): CellCopy | null {
    if (sameCell(this.covered, cell)) return null;
    const palette = this.#palette;
    const found =
      palette &&
      copyOfCell(cell, value, {
        boards: this.boards,
        lighting: this.#lighting,
        shown: this.#shown,
        domains: this.#domains,
        scales: this.scales,
        palette,
      });
    return found && { ...found, cell: this.inWindow(found.cell) };
  }

  /**
   * Scrolls a stage that is wider than its box sideways until the target's column is visible, right of the
   * names.
   */
  #showColumn(): void {
    const scroller = this.renderRoot.querySelector<HTMLElement>(".box:not(.fits)");
    const { target } = this.#lighting;
    if (!scroller || !target) return;
    const { x, width } = rectangleOf(target.board, target.run);
    const names = scroller.querySelector<HTMLElement>(".names")?.offsetWidth ?? 0;
    const left = x - names - EDGE;
    const right = x + width + EDGE - scroller.clientWidth;
    if (scroller.scrollLeft > left) scroller.scrollLeft = left;
    else if (scroller.scrollLeft < right) scroller.scrollLeft = right;
  }

  #look(at: { board: Board; place: Place } | null): void {
    const { covered } = this;
    // A loupe would show the covered number beside its neighbours.
    const isCovering = covered && at?.board.run(covered.node, covered.index, covered.index);
    if (this.#loupe.look(isCovering ? null : at)) this.requestUpdate();
  }

  #target(board: Board, place: Place, by: "pointer" | "keyboard"): void {
    const cell = board.cellAt(...place);
    if (this.#anchor !== board.id) {
      this.#anchor = board.id;
      this.requestUpdate();
    }
    if (!sameCell(cell, this.cell)) dispatchStageEvent(this, "cell-focus", { ...cell, by });
  }

  // GestureHost

  hover(board: Board, place: Place): void {
    if (!this.#isShown(board, place)) return;
    this.#look({ board, place });
    if (!this.pinned) this.#target(board, place, "pointer");
  }

  /** A tap also moves the target: the reader may want to see how the number was computed. */
  tap(board: Board, place: Place): void {
    const cell = board.cellAt(...place);
    if (!this.pinned && sameCell(cell, this.cell))
      dispatchStageEvent(this, "cell-focus", { ...cell, by: "pointer" });
    this.hover(board, place);
  }

  hoverCell(cell: Cell): void {
    this.#look(null);
    if (!this.pinned && !sameCell(cell, this.cell))
      dispatchStageEvent(this, "cell-focus", { ...cell, by: "pointer" });
  }

  leave(): void {
    this.#look(null);
    dispatchStageEvent(this, "cell-leave", {});
  }

  pulled(): void {
    this.#settleLater();
  }

  pin(board: Board, place: Place): void {
    if (!this.#isShown(board, place)) return;
    this.#anchor = board.id;
    dispatchStageEvent(this, "cell-pin", board.cellAt(...place));
  }

  focusOn(board: Board, place: Place): void {
    this.#keyboard.focus(board, place);
  }

  focusTarget(): void {
    const { target } = this.#lighting;
    if (target) this.focusOn(target.board, [target.run.top, target.run.left]);
  }

  /** Opens the editor over the target, if it is on this stage. */
  editTarget(): void {
    const { target } = this.#lighting;
    if (target) this.openEditor(target.board, [target.run.top, target.run.left]);
  }

  openEditor(board: Board, place: Place, typed: string | null = null): void {
    if (!this.#isShown(board, place)) return;
    this.#editor.open(board, place, typed);
    // Renders at once, because the next key, which may come before the next frame, belongs to the editor.
    if (this.isUpdatePending) this.performUpdate();
  }

  /** Numbers are being changed: the colour scales are updated a moment later. */
  #settleLater(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#settling = undefined;
      this.requestUpdate();
    }, SETTLE);
  }

  paint([row, column]: Place, allowed: boolean, done: boolean): void {
    this.#settleLater();
    dispatchStageEvent(this, "mask-paint", { row, column, allowed, done });
  }

  // RailsHost

  drag({ changes }: Rail, value: number, cell: Cell | null, isFirst: boolean): void {
    dispatchStageEvent(this, "number-drag", { changes, value, cell, isFirst });
  }

  // PullHost

  editableAt(board: Board, place: Place): { cell: Cell; value: number } | null {
    const placed = board.tensor?.placed;
    const value = board.ownAt(...place);
    if (!placed?.editable || value === null || !Number.isFinite(value) || !this.#isShown(board, place))
      return null;
    const { node, index } = board.cellAt(...place);
    return { cell: { node: placed.leaf ?? node, index }, value };
  }

  pull(cell: Cell, value: number, isFirst: boolean): void {
    dispatchStageEvent(this, "number-drag", { changes: cell, value, cell: null, isFirst });
  }

  // KeyboardHost

  reach(board: Board, place: Place): void {
    this.#look({ board, place });
    if (!this.pinned) this.#target(board, place, "keyboard");
  }

  leaveGrid(): void {
    this.#look(null);
  }

  act(action: KeyAction, board: Board, place: Place): void {
    switch (action.kind) {
      case "move":
        this.#keyboard.focus(action.board, action.place);
        this.#look(action);
        this.#target(action.board, action.place, "keyboard");
        break;
      case "pin":
        this.pin(board, place);
        break;
      case "escape":
        if (this.pinned && this.cell)
          dispatchStageEvent(this, "cell-pin", { node: this.cell.node, index: this.cell.index });
        else if (dispatchStageEvent(this, "cell-escape", {})) {
          this.#keyboard.focused?.blur();
          this.leave();
        }
        break;
      case "copy":
        dispatchStageEvent(this, "cell-copy", {});
        break;
      case "take":
        this.#take(board, this.#windowBox(board, place));
        break;
      case "paint":
        this.paint(place, board.tensor?.placed.masked?.[place[0]]?.[place[1]] ?? false, true);
        break;
      case "follow":
        dispatchStageEvent(this, "cell-follow", { direction: action.direction });
        break;
      case "pull":
        this.#settleLater();
        this.pulling.step(board, place, action.by);
        break;
      case "edit":
        this.openEditor(board, place, action.typed);
        break;
    }
  }

  // EditorHost

  edit({ node, index }: Cell, value: number): void {
    dispatchStageEvent(this, "cell-edit", { node, index, value });
  }
}

customElements.define("ap-stage", Stage);

declare global {
  interface HTMLElementTagNameMap {
    "ap-stage": Stage;
  }
}
