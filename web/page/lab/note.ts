/**
 * The note of a lab: on the stage beside the cell it explains or, below 1200 pixels, a sheet at the foot of
 * the window, which scrolls the page so that it does not cover that cell.
 */
import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from "lit";
import type { EmbedPart } from "../../config/frame-fields.js";
import type { Explanation } from "../../core/attention.js";
import "../../elements/note/note.js";
import type { Note } from "../../elements/note/note.js";
import type { Stage } from "../../elements/stage/stage.js";
import { styleMap } from "../../elements/style-map.js";
import type { Words } from "../../i18n/words.js";
import type { Scene } from "../../marks/scene.js";
import type { LabActs } from "./acts.js";
import type { LabRoom } from "./room.js";
import type { LessonStage } from "./lesson-stage.js";
import type { LabTransport } from "./transport.js";
import type { LabWording } from "./wording.js";
import type { Cell } from "../../marks/board.js";
import type { StageReading } from "../stage-reading.js";
import { hasCell, valueAt } from "../cells.js";
import type { Playground } from "../playground.js";

export interface NoteHost extends LitElement {
  readonly playground: Playground;
  readonly framed: boolean;
  /** The stage with the numbers. */
  readonly stage: Stage | null;
  readonly wording: LabWording;
  readonly room: LabRoom;
  readonly lessonStage: LessonStage | null;
}

/** Room above and below a target that was scrolled into view. */
const revealEdge = 8;

export class LabNote implements ReactiveController {
  /**
   * Whether the reader has moved the target or the stop since a state was opened. Until then the page stays
   * at its top.
   */
  hasMoved = false;
  /** Whether the stage is scrolled out of view, so that a sheet gives its room to the lesson. */
  isAtLesson = false;
  readonly #host: NoteHost;
  #isUnfolded = false;
  /** Whether the field for a guess is to have the focus once it is there. */
  #seeksGuess = false;
  /** The value of `playground.openingCount` at the last opening. */
  #opening = 0;
  /**
   * The top of a note on the stage, and its height. They are stored because reading them would force a
   * layout.
   */
  #top: number | null = null;
  #height = 0;
  /** The factor by which scene and note are enlarged. */
  #zoom = 1;
  #observedNote: Element | null = null;
  /** The explanation whose target was last scrolled into view, and whether the note was unfolded then. */
  #lastRevealed: { explanation: Explanation | null; unfolded: boolean } = {
    explanation: null,
    unfolded: false,
  };
  readonly #heights = new ResizeObserver(([entry]) => {
    this.#height = Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0);
    this.#makeRoom();
  });
  readonly #visibility = new IntersectionObserver(
    (entries) => {
      // Of several entries since the last frame only the last one counts.
      this.isAtLesson = !(entries.at(-1)?.isIntersecting ?? true);
      this.#host.toggleAttribute("at-lesson", this.isAtLesson);
    },
    { rootMargin: "-25% 0px 0px 0px" },
  );

  constructor(host: NoteHost) {
    this.#host = host;
    host.addController(this);
  }

  get #element(): Note | null {
    return this.#host.renderRoot.querySelector("ap-note");
  }

  get #stageBox(): HTMLElement | null {
    return this.#host.renderRoot.querySelector(".stage");
  }

  /** Whether a sheet is unfolded. The value is kept while the note is not a sheet. */
  get isUnfolded(): boolean {
    return this.#isUnfolded;
  }

  copy(): void {
    void this.#element?.copy();
  }

  /** Moves the focus to the field for a guess, as soon as the note has it. */
  focusGuess(): void {
    this.#seeksGuess = true;
  }

  async #focusGuess(): Promise<void> {
    const note = this.#element;
    while (note && !(await note.updateComplete));
    if (this.#seeksGuess && note?.focusGuess()) this.#seeksGuess = false;
  }

  /** Shows why the target has no gradient. */
  refuseGradient(): void {
    this.#element?.refuseGradient();
  }

  unfold(open: boolean): void {
    this.hasMoved = true;
    if (open === this.#isUnfolded) return;
    this.#isUnfolded = open;
    this.#host.playground.reportLooks();
  }

  /** Unfolds the note of the state that was opened last. */
  open(): void {
    this.#begin();
    this.unfold(true);
  }

  /** A state that is opened begins at the top of the page, with a folded sheet unless its link unfolds it or covers a number. */
  #begin(): void {
    const { openingCount } = this.#host.playground;
    if (openingCount === this.#opening) return;
    this.#opening = openingCount;
    this.#seeksGuess = false;
    this.hasMoved = false;
    const { unfolded, guess } = this.#host.playground.config.view;
    this.#isUnfolded = unfolded?.includes("note") || guess !== undefined;
  }

  hostConnected(): void {
    if (!this.#host.hasUpdated) return;
    this.observe();
    this.#watchHeight();
  }

  /** Call once the lab is drawn; a lab that is reconnected calls it itself. */
  observe(): void {
    const place = this.#host.renderRoot.querySelector(".place");
    if (place) this.#visibility.observe(place);
  }

  hostDisconnected(): void {
    this.#heights.disconnect();
    this.#observedNote = null;
    this.#visibility.disconnect();
  }

  hostUpdate(): void {
    this.#begin();
  }

  #watchHeight(): void {
    const note = this.#element;
    if (note === this.#observedNote) return;
    this.#heights.disconnect();
    if (note) this.#heights.observe(note);
    this.#observedNote = note;
  }

  /** Call whenever the lab was drawn. */
  settle(): void {
    this.#watchHeight();
    this.#makeRoom();
    if (this.#seeksGuess) void this.#focusGuess();
    const { wording, room, lessonStage } = this.#host;
    const { targetExplanation: explanation } = wording;
    const { explanation: last, unfolded } = this.#lastRevealed;
    if (explanation === last && this.#isUnfolded === unfolded) return;
    this.#lastRevealed = { explanation, unfolded: this.#isUnfolded };
    // A state that was opened stays at its top: the page scrolls only after the reader moved the target.
    if (explanation && this.hasMoved && room.hasSheet && !lessonStage?.isReduced) void this.#reveal();
  }

  /** Makes room for a note on the stage that reaches further down than the scene. */
  #makeRoom(): void {
    const stage = this.#stageBox;
    if (stage)
      stage.style.minHeight = this.#top === null ? "" : `${this.#zoom * (this.#top + this.#height) + 8}px`;
    // Only where there is a sheet, because setting a property of the host restyles everything in it.
    if (this.#host.room.hasSheet) this.#host.style.setProperty("--sheet", `${this.#height}px`);
  }

  /**
   * When the note is a sheet: scrolls until the sheet covers neither the target nor, if there is room, the
   * cells it was computed from.
   */
  async #reveal(): Promise<void> {
    const { renderRoot, stage } = this.#host;
    const note = this.#element;
    // A note that does not fit at first renders once more.
    while (note && !(await note.updateComplete));
    // Also wait for the strip, which is above the stage.
    await Promise.all([...renderRoot.querySelectorAll("ap-stage")].map((one) => one.updateComplete));
    const lit = stage?.litBox();
    // A number that Play has not reached yet is scrolled into view once it is drawn.
    if (!lit) this.#lastRevealed = { explanation: null, unfolded: this.#isUnfolded };
    if (!lit || !note || getComputedStyle(note).position !== "fixed") return;
    this.#height = note.offsetHeight;
    this.#makeRoom();
    const strip = renderRoot.querySelector(".strip");
    const sticks = strip !== null && getComputedStyle(strip).position === "sticky";
    const top = Math.max(0, sticks ? strip.getBoundingClientRect().bottom : 0) + revealEdge;
    const below = this.#host.room.isNoteBeside ? renderRoot.querySelector("ap-transport") : note;
    const bottom = (below ?? note).getBoundingClientRect().top - revealEdge;
    const { target, all } = lit;
    // On larger screens the target alone is enough: the page moves less under the pointer.
    const box = this.#host.room.isNarrow && all.height <= bottom - top ? all : target;
    const by = box.bottom > bottom ? box.bottom - bottom : box.top < top ? box.top - top : 0;
    if (by) scrollBy({ top: by });
  }

  /**
   * The note's place on the stage, which makes room for it; null when the note is under the scene or on a
   * sheet.
   */
  placeIn(scene: Scene | null): Scene["note"] {
    const place = !this.#host.framed && !this.#host.room.hasSheet ? (scene?.note ?? null) : null;
    this.#top = place?.y ?? null;
    this.#zoom = this.#host.room.zoomOf(scene);
    return place;
  }
}

export interface NoteView {
  readonly playground: Playground;
  readonly words: Words;
  readonly framed: boolean;
  /** The stage with the numbers. */
  readonly stage: Stage | null;
  readonly parts: ReadonlySet<EmbedPart>;
  readonly reading: StageReading | null;
  readonly covered: Cell | null;
  readonly wording: LabWording;
  readonly room: LabRoom;
  readonly note: LabNote;
  readonly acts: LabActs;
  readonly transport: LabTransport;
}

/** The number of the explained cell before the last drag; null when there is none. */
function numberBefore({ beforeDrag }: Playground, cell: Cell | null): number | null {
  return beforeDrag && hasCell(beforeDrag, cell) ? valueAt(beforeDrag.get(cell.node), cell.index) : null;
}

export function labNote(lab: NoteView, scene: Scene | null): TemplateResult | typeof nothing {
  const { playground, words, framed, wording, room, note, acts } = lab;
  const shown = lab.parts.has("sum") ? scene : null;
  const place = note.placeIn(shown);
  if (!shown) return nothing;
  const variant = framed ? "strip" : room.hasSheet ? "sheet" : "card";
  const { explanation } = wording;
  const explained = explanation && playground.snapshots.get(explanation.node);
  const index = explanation?.index.join();
  const zoom = variant === "card" ? room.zoomOf(shown) : 1;
  const element = html`<ap-note
    class="as-${variant}"
    style=${styleMap(zoom === 1 ? {} : { transform: `scale(${zoom})` })}
    .explanation=${explanation}
    .counterpart=${variant === "card" && !lab.reading ? playground.counterpart : null}
    .nodeWords=${wording.nodeWords}
    .resultCells=${wording.resultCells}
    .pinned=${playground.config.view.pinned}
    .gradient=${acts.gradient}
    .gradientLayout=${lab.reading?.gradientLayout ?? null}
    .operand=${playground.operand}
    .full=${playground.hasAllTerms}
    .editable=${shown.tensors.some(({ node, editable }) => editable && node === explanation?.node)}
    .was=${numberBefore(playground, explanation)}
    .covered=${lab.covered}
    .mayCover=${!lab.reading && (explained?.op ?? "leaf") !== "leaf" && !Number.isNaN(explanation?.value)}
    .edited=${(explained?.edited ?? []).some((edited) => edited.join() === index)}
    ?beside=${room.isNoteBeside}
    ?dense=${place?.isDense}
    .folded=${!note.isUnfolded && !room.isNoteBeside}
    .shape=${explained?.shape ?? null}
    .stop=${wording.steps[lab.transport.current]?.sentence ?? ""}
    .words=${words}
    .variant=${variant}
    @operand-point=${(event: CustomEvent<Cell | { node: null }>) =>
      playground.pointOperand(event.detail.node === null ? null : (event.detail as Cell))}
    @cell-go=${(event: CustomEvent<Cell>) => acts.goAlong({ node: event.detail.node, index: event.detail.index })}
    @cell-pin=${() => playground.cell && acts.pin(playground.cell)}
    @cell-change=${() => lab.stage?.editTarget()}
    @guess-cover=${() => playground.cell && acts.cover(playground.cell)}
    @guess-end=${(event: CustomEvent<{ isRight: boolean }>) => acts.uncover(event.detail.isRight)}
    @cell-gradient=${() => acts.toggleGradient()}
    @note-fold=${(event: CustomEvent<{ open: boolean }>) => note.unfold(event.detail.open)}
    @note-full=${(event: CustomEvent<{ open: boolean }>) => playground.setFull(event.detail.open)}
  ></ap-note>`;
  if (!place) return element;
  // A stage wider than its room is scrolled, and the note is not.
  const x = Math.max(0, Math.min(place.x, room.size.width - place.width));
  const lane = { left: `${zoom * x}px`, top: `${zoom * place.y}px`, width: `${place.width}px` };
  return html`<div class="lane ${place.follows ? "follows" : ""}" style=${styleMap(lane)}>${element}</div>`;
}
