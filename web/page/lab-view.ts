/**
 * ap-lab: one lab on the page or in an embedded frame. It combines head, stage with note, remarks and transport, each
 * in a file of its own, around one Playground.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Config } from "../config/config.js";
import type { EmbedPart } from "../config/frame-fields.js";
import { icon } from "../elements/icons.js";
import { look } from "../elements/look.js";
import "../elements/notice.js";
import type { ApSentence } from "../elements/sentence/sentence.js";
import type { StageEvents } from "../elements/stage/events.js";
import type { Stage } from "../elements/stage/stage.js";
import "../elements/story.js";
import type { Words } from "../i18n/words.js";
import type { Cell } from "../marks/board.js";
import type { Remark, Step } from "../marks/wording.js";
import type { framedScene } from "./frame.js";
import { LabActs } from "./lab/acts.js";
import { dispatch } from "./lab/events.js";
import { LabFlights } from "./lab/flights.js";
import { labHead } from "./lab/head.js";
import { LabKeys } from "./lab/keys.js";
import { LabNote, labNote } from "./lab/note.js";
import { LabRoom } from "./lab/room.js";
import { LabScenes } from "./lab/scenes.js";
import type { LessonStage } from "./lab/lesson-stage.js";
import { labStage } from "./lab/stage.js";
import { labStyle } from "./lab/style.js";
import { LabTransport } from "./lab/transport.js";
import { LabWording } from "./lab/wording.js";
import type { LineText } from "./lesson-desk.js";
import type { Looks, Playground } from "./playground.js";
import type { StageReading } from "./stage-reading.js";
import { stopHeading } from "./stops.js";
import { ActReporter } from "./act-reporter.js";

/**
 * Events: those of lab/events.ts, and control-image {control, file} from its sentence. Slots: notices, foot,
 * shows (before the stage), and lesson (below the first screen).
 */
export class ApLab extends LitElement {
  static override properties = {
    playground: { attribute: false },
    revision: { attribute: false },
    words: { attribute: false },
    theme: {},
    reading: { attribute: false },
    parts: { attribute: false },
    notices: { attribute: false },
    framed: { type: Boolean, reflect: true },
    drawFramed: { attribute: false },
    onPage: { attribute: false },
    focusTensors: { attribute: false },
    line: { attribute: false },
    lessonDone: { attribute: false },
    sheets: { attribute: false },
    making: { attribute: false },
    hint: { attribute: false },
  };
  declare playground: Playground;
  /** Counts the playground's changes, so that each is drawn. */
  declare revision: number;
  declare words: Words;
  declare theme: "light" | "dark";
  /** The comparison or gradient that is shown; null when the numbers are shown as they are. */
  declare reading: StageReading | null;
  /** The parts that an embed shows; the page shows all. */
  declare parts: ReadonlySet<EmbedPart>;
  /** Height of the notices above the lab: the page scrolls for them, and the stage keeps its size. */
  declare notices: number;
  /** Draws scenes in a frame; null on the page, which does not load that code. */
  declare drawFramed: typeof framedScene | null;
  /** Adds the behaviour that only the page has; null elsewhere, where that code is not loaded. */
  declare onPage: ((lab: ApLab) => LessonStage) | null;
  /** The names of the tensors that a frame shows; empty for all. */
  declare focusTensors: readonly string[];
  /** Whether the lab is in a small frame. */
  declare framed: boolean;
  /** A line that the transport bar shows instead of the stop's sentence. */
  declare line: LineText | null;
  /** How much of the lesson is done; null when there is no lesson. */
  declare lessonDone: { done: number; count: number } | null;
  /** The content that is printed in place of the stage. */
  declare sheets: TemplateResult | typeof nothing;
  /** Whether the reader is editing the story, which is not shown meanwhile. */
  declare making: boolean;
  /** The cell with a hint that its number can be dragged; null for none. */
  declare hint: Cell | null;

  static override styles = [look, labStyle];

  /**
   * The parts of the lab. Each declares in its own interface what it needs from the lab and the other parts.
   */
  readonly wording = new LabWording(this);
  readonly actReporter = new ActReporter(
    () => this.playground,
    (seen) => dispatch(this, "lab-act", seen),
  );
  readonly room = new LabRoom(this);
  /** Null when there is no lesson. */
  lessonStage: LessonStage | null = null;
  readonly flights = new LabFlights(this);
  readonly transport = new LabTransport(this);
  readonly scenes = new LabScenes(this);
  readonly note = new LabNote(this);
  readonly acts = new LabActs(this);

  constructor() {
    super();
    new LabKeys(this);
    this.revision = 0;
    this.theme = "light";
    this.reading = null;
    this.parts = new Set<EmbedPart>(["settings", "play", "sum", "formula"]);
    this.notices = 0;
    this.framed = false;
    this.drawFramed = null;
    this.onPage = null;
    this.focusTensors = [];
    this.line = null;
    this.lessonDone = null;
    this.sheets = nothing;
    this.making = false;
    this.hint = null;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.actReporter.clear();
  }

  /** The cell whose number is covered; null where there is no note to guess it in, and while a comparison or a gradient is shown. */
  get covered(): Cell | null {
    return this.parts.has("sum") && !this.reading ? this.playground.covered : null;
  }

  readonly #looks = (): Looks => ({
    picture: this.scenes.picture,
    note: this.room.hasSheet && this.note.isUnfolded,
  });

  protected override firstUpdated(): void {
    this.lessonStage = this.onPage?.(this) ?? null;
    this.room.observe();
    this.note.observe();
  }

  protected override willUpdate(): void {
    this.playground.looks = this.#looks;
    if (this.playground.computedConfig) this.scenes.keepTarget();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("notices")) this.room.measure();
    this.actReporter.flush();
    this.note.settle();
  }

  drawNow(): void {
    this.lessonStage?.restore();
    this.requestUpdate();
    this.performUpdate();
    // A stage that was printed before it had this scene must draw once more.
    for (const stage of this.renderRoot.querySelectorAll<Stage>("ap-stage")) stage.drawNow();
  }

  /** Moves the focus to the title, after another lab was opened. */
  async focusTitle(): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }

  /** The stage with the numbers. */
  get stage(): Stage | null {
    return this.renderRoot.querySelector<Stage>(".stage ap-stage");
  }

  /** Opens the editor of a control of the sentence beside an element of the stage. */
  async openControl({ control, beside }: StageEvents["control-open"]): Promise<void> {
    await this.renderRoot.querySelector<ApSentence>("ap-sentence")?.openBeside(control, beside);
  }

  /** The elements of the lab in a frame, from top to bottom. */
  get content(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".screen, .foot")];
  }

  /** Moves the focus to the numbers. */
  focusNumbers(): void {
    const stage = this.renderRoot.querySelector<HTMLElement>(".stage");
    stage?.scrollIntoView({ block: "nearest" });
    stage?.focus({ preventScroll: true });
  }

  /** Moves the focus to the target, so that the arrow keys move from there at once. */
  focusTarget(): void {
    this.focusNumbers();
    this.stage?.focusTarget();
  }

  /** Another stop was chosen. */
  onStopChange(): void {
    this.scenes.rearrange();
    this.note.hasMoved = true;
  }

  /** Shows an exercise of the lesson, with the focus on the numbers. */
  async show(play: boolean): Promise<void> {
    this.transport.stop();
    this.actReporter.clear();
    this.scenes.rearrange();
    this.note.open();
    await this.updateComplete;
    scrollTo(0, 0);
    this.focusNumbers();
    if (!play) return;
    const { openingCount } = this.playground;
    // Whether a lab has stops or learns is known once its numbers are.
    await this.playground.computing;
    await this.updateComplete;
    if (openingCount === this.playground.openingCount) await this.transport.run();
  }

  /** Call before scrolling to the lesson: the place scrolled to is not covered by the stage. */
  uncoverLesson(): void {
    this.lessonStage?.place();
  }

  /** Reports something the reader did outside the lab's own controls: an image of their own was set. */
  reportChange(control: string, value: string, was: Config): void {
    this.acts.reportChange(control, value, was);
  }

  /** The result that the bar of Play shows, where it has the room, and neither a line of the lesson nor a story stands there. */
  get result(): Remark | null {
    const { room, framed, line, transport } = this;
    const isInBar = room.size.layout === "wide" && !framed && !line && !transport.story;
    return (isInBar && this.wording.remarks.find(({ isResult }) => isResult)) || null;
  }

  take({ link, change, cell }: Remark["actions"][number]): void {
    if (link) dispatch(this, "open-state", { hash: link() });
    if (change) this.acts.change(change);
    if (cell) this.acts.target(cell);
  }

  #remark(remark: Remark): TemplateResult {
    const actions = remark.actions.filter(({ link }) => !link || !this.framed);
    const act = ({ detail }: CustomEvent<{ action: number }>) => {
      const action = actions[detail.action];
      if (action) this.take(action);
    };
    return html`<ap-notice
      inline
      .heading=${remark.title}
      .body=${remark.isResult && this.framed ? "" : remark.body}
      .actions=${actions.map((action) => action.label)}
      @notice-action=${act}
    ></ap-notice>`;
  }

  /** The lab's remarks; above them why a value was refused, where no control of the sentence can say it. */
  #remarks(): TemplateResult[] {
    const { playground, wording } = this;
    const { refusal } = playground;
    const isSaid = !refusal || wording.sentence.controls.some(({ id }) => id === refusal.control);
    const why = isSaid ? [] : [html`<ap-notice inline .heading=${refusal.message}></ap-notice>`];
    const { result } = this;
    const remarks = wording.remarks.filter(
      (remark) => remark !== result && !(remark.isOnward && this.framed),
    );
    return [...why, ...remarks.map((remark) => this.#remark(remark))];
  }

  /** The text of the story step that is shown. */
  #story(): TemplateResult | typeof nothing {
    const { transport, words } = this;
    const { story: steps, reached: at = 0 } = this.playground.displayedConfig.view;
    if (!steps || this.making) return nothing;
    return html`<ap-story
      .words=${words}
      .steps=${steps}
      .at=${at}
      .going=${transport.story?.at ?? at}
      ?editable=${!this.framed}
      @story-go=${(event: CustomEvent<{ place: number }>) => {
        event.stopPropagation();
        transport.goInStory(event.detail.place);
      }}
      @story-leave=${() => void this.focusTitle()}
    ></ap-story>`;
  }

  #stop(step: Step | undefined, place: number): TemplateResult | typeof nothing {
    if (!step) return nothing;
    return html`<div class="stop">
      <h2>${stopHeading(place, step.title)}</h2>
      <p>${step.sentence}</p>
    </div>`;
  }

  /** On a phone the line is under the strip, which stays visible. */
  #lineHere(): TemplateResult | typeof nothing {
    const { line, words } = this;
    if (!line) return nothing;
    return html`<p class="line ${line.kind}">
      ${line.kind === "tick" ? icon("check", 16) : nothing}${line.text}
      <button class="link" @click=${() => dispatch(this, "line-back", null)}>${words("lesson.back")}</button>
    </p>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { playground, words, framed, transport, room } = this;
    if (!playground || !words) return nothing;
    const staged = this.scenes.now;
    const stop = staged?.scene.stop ?? transport.current;
    return html`<ap-flight></ap-flight>
      <div class="screen">
        ${labHead(this)}
        <slot name="notices"></slot>
        ${this.#story()}
        <div class="remarks">${this.#remarks()}</div>
        ${staged?.strip ? html`<div class="strip">${labStage(this, staged.strip, true)} ${this.#lineHere()}</div>` : nothing}
        ${room.isNarrow && !framed && !transport.story ? this.#stop(this.wording.steps[stop], stop) : nothing}
        <slot name="shows"></slot>
        ${this.sheets}
        <div class="place">
          <div
            class="stage"
            role="region"
            tabindex="-1"
            ?inert=${playground.isLeaving}
            aria-label=${words("page.stage")}
            aria-busy=${playground.isBusy ? "true" : "false"}
          >
            ${labStage(this, staged?.scene ?? null, false)} ${labNote(this, staged?.scene ?? null)}
          </div>
        </div>
      </div>
      ${
        framed
          ? html`<div class="foot">
              ${this.parts.has("play") ? transport.template() : html`<span></span>`}<slot name="foot"></slot>
            </div>`
          : // In keyboard order the transport follows the note, although it is drawn below the lesson.
            html`${transport.template()}
              <section class="lesson" aria-label=${words("page.lesson")}>
                <slot name="lesson"></slot>
              </section>`
      }`;
  }
}
customElements.define("ap-lab", ApLab);
