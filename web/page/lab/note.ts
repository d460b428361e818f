/** The note of a lab: on the stage beside what it explains, or below 1200 pixels a sheet at the foot of the window, which gives way to what it explains. */
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
import type { LabSight } from "./sight.js";
import type { LabTransport } from "./transport.js";
import type { LabWording } from "./wording.js";
import type { Cell } from "../../marks/board.js";
import type { Playground } from "../playground.js";

export interface NoteHost extends LitElement {
  readonly playground: Playground;
  readonly framed: boolean;
  /** The stage with the numbers. */
  readonly stage: Stage | null;
  readonly wording: LabWording;
  readonly room: LabRoom;
  readonly sight: LabSight | null;
}

/** Air above and below a target that was brought into sight. */
const revealEdge = 8;

export class LabNote implements ReactiveController {
  /** The reader asked for a target or a stop of what was opened: until then it stands at its top. */
  moved = false;
  /** The stage is out of sight: a sheet makes room for the lesson. */
  atLesson = false;
  readonly #host: NoteHost;
  #unfolded = false;
  /** What was opened last, as the playground counts. */
  #opening = 0;
  /** Where a note that stands on the stage begins, and its height; read from neither, for that would lay the page out. */
  #top: number | null = null;
  #height = 0;
  /** How much larger than in their own pixels scene and note are drawn. */
  #zoom = 1;
  #observed: Element | null = null;
  /** The explanation whose target was last brought into sight, and whether its note was unfolded. */
  #revealed: { explanation: Explanation | null; unfolded: boolean } = { explanation: null, unfolded: false };
  readonly #heights = new ResizeObserver(([entry]) => {
    this.#height = Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0);
    this.#makeRoom();
  });
  readonly #sight = new IntersectionObserver(
    (entries) => {
      // Of several since the last frame the last one counts.
      this.atLesson = !(entries.at(-1)?.isIntersecting ?? true);
      this.#host.toggleAttribute("at-lesson", this.atLesson);
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

  /** A sheet shows more than a line; what is no sheet remembers it for when it is one. */
  get unfolded(): boolean {
    return this.#unfolded;
  }

  copy(): void {
    void this.#element?.copy();
  }

  /** Says why the target has no gradient. */
  refuseGradient(): void {
    this.#element?.refuseGradient();
  }

  unfold(open: boolean): void {
    this.moved = true;
    if (open === this.#unfolded) return;
    this.#unfolded = open;
    this.#host.playground.looked();
  }

  /** What was opened last is looked at in full. */
  open(): void {
    this.#begin();
    this.unfold(true);
  }

  /** What is opened begins at its top, a sheet with one line unless its link unfolds it. */
  #begin(): void {
    const { openings } = this.#host.playground;
    if (openings === this.#opening) return;
    this.#opening = openings;
    this.moved = false;
    this.#unfolded = this.#host.playground.config.view.unfolded?.includes("note") ?? false;
  }

  hostConnected(): void {
    if (!this.#host.hasUpdated) return;
    this.observe();
    this.#watchHeight();
  }

  /** To be called once the lab is drawn; one that was moved does so itself. */
  observe(): void {
    const place = this.#host.renderRoot.querySelector(".place");
    if (place) this.#sight.observe(place);
  }

  hostDisconnected(): void {
    this.#heights.disconnect();
    this.#observed = null;
    this.#sight.disconnect();
  }

  hostUpdate(): void {
    this.#begin();
  }

  #watchHeight(): void {
    const note = this.#element;
    if (note === this.#observed) return;
    this.#heights.disconnect();
    if (note) this.#heights.observe(note);
    this.#observed = note;
  }

  /** To be called whenever the lab was drawn. */
  settle(): void {
    this.#watchHeight();
    this.#makeRoom();
    const { wording, room, sight } = this.#host;
    const { explained: explanation } = wording;
    const { explanation: last, unfolded } = this.#revealed;
    if (explanation === last && this.#unfolded === unfolded) return;
    this.#revealed = { explanation, unfolded: this.#unfolded };
    // What was opened stands at its top: the page scrolls when the reader moves the target.
    if (explanation && this.moved && room.sheet && !sight?.reading) void this.#reveal();
  }

  /** A note that stands on the stage may reach further down than the scene. */
  #makeRoom(): void {
    const stage = this.#stageBox;
    if (stage)
      stage.style.minHeight = this.#top === null ? "" : `${this.#zoom * (this.#top + this.#height) + 8}px`;
    // Only where a sheet is: a property of the host styles all that is in it again.
    if (this.#host.room.sheet) this.#host.style.setProperty("--sheet", `${this.#height}px`);
  }

  /** Where the note is a sheet: scrolls until the sheet covers neither the target nor, where there is room, what it was made from. */
  async #reveal(): Promise<void> {
    const { renderRoot, stage } = this.#host;
    const note = this.#element;
    // A note that does not fit at first draws itself again.
    while (note && !(await note.updateComplete));
    // The strip too, for it stands above.
    await Promise.all([...renderRoot.querySelectorAll("ap-stage")].map((one) => one.updateComplete));
    const lit = stage?.litBox();
    // A number that Play has not come to yet is brought into sight once it stands.
    if (!lit) this.#revealed = { explanation: null, unfolded: this.#unfolded };
    if (!lit || !note || getComputedStyle(note).position !== "fixed") return;
    this.#height = note.offsetHeight;
    this.#makeRoom();
    const strip = renderRoot.querySelector(".strip");
    const sticks = strip !== null && getComputedStyle(strip).position === "sticky";
    const top = Math.max(0, sticks ? strip.getBoundingClientRect().bottom : 0) + revealEdge;
    const below = this.#host.room.side ? renderRoot.querySelector("ap-transport") : note;
    const bottom = (below ?? note).getBoundingClientRect().top - revealEdge;
    const { target, all } = lit;
    // Where much is in sight, what stands away from the target need not be: a page that is pointed at stays where it is.
    const box = this.#host.room.narrow && all.height <= bottom - top ? all : target;
    const by = box.bottom > bottom ? box.bottom - bottom : box.top < top ? box.top - top : 0;
    if (by) scrollBy({ top: by });
  }

  /** Where it stands on the stage, which makes room for it; null: under the scene, or on a sheet. */
  placeIn(scene: Scene | null): Scene["note"] {
    const place = !this.#host.framed && !this.#host.room.sheet ? (scene?.note ?? null) : null;
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
  readonly wording: LabWording;
  readonly room: LabRoom;
  readonly note: LabNote;
  readonly acts: LabActs;
  readonly transport: LabTransport;
}

export function labNote(lab: NoteView, scene: Scene | null): TemplateResult | typeof nothing {
  const { playground, words, framed, wording, room, note, acts } = lab;
  const shown = lab.parts.has("sum") ? scene : null;
  const place = note.placeIn(shown);
  if (!shown) return nothing;
  const variant = framed ? "strip" : room.sheet ? "sheet" : "card";
  const { explanation } = wording;
  const explained = explanation && playground.snapshots.get(explanation.node);
  const index = explanation?.index.join();
  const zoom = variant === "card" ? room.zoomOf(shown) : 1;
  const element = html`<ap-note
    class="as-${variant}"
    style=${styleMap(zoom === 1 ? {} : { transform: `scale(${zoom})` })}
    .explanation=${explanation}
    .nodeWords=${wording.nodeWords}
    .becomes=${wording.becomes}
    .pinned=${playground.config.view.pinned}
    .gradient=${acts.gradient}
    .operand=${playground.operand}
    .full=${playground.full}
    .editable=${shown.tensors.some(({ node, editable }) => editable && node === explanation?.node)}
    .edited=${(explained?.edited ?? []).some((edited) => edited.join() === index)}
    ?beside=${room.side}
    .folded=${!note.unfolded && !room.side}
    .shape=${explained?.shape ?? null}
    .stop=${wording.steps[lab.transport.current]?.sentence ?? ""}
    .words=${words}
    .variant=${variant}
    @operand-point=${(event: CustomEvent<Cell | { node: null }>) =>
      playground.pointOperand(event.detail.node === null ? null : (event.detail as Cell))}
    @cell-go=${(event: CustomEvent<Cell>) => acts.goAlong({ node: event.detail.node, index: event.detail.index })}
    @cell-pin=${() => playground.cell && acts.pin(playground.cell)}
    @cell-change=${() => lab.stage?.editTarget()}
    @cell-gradient=${() => acts.takeGradient()}
    @note-fold=${(event: CustomEvent<{ open: boolean }>) => note.unfold(event.detail.open)}
    @note-full=${(event: CustomEvent<{ open: boolean }>) => playground.setFull(event.detail.open)}
  ></ap-note>`;
  if (!place) return element;
  // A stage wider than its room is scrolled, and the note is not.
  const x = Math.max(0, Math.min(place.x, room.size.width - place.width));
  const lane = { left: `${zoom * x}px`, top: `${zoom * place.y}px`, width: `${place.width}px` };
  return html`<div class="lane ${place.follows ? "follows" : ""}" style=${styleMap(lane)}>${element}</div>`;
}
