/** One lab on the page or in a frame: title, sentence, formula, stage, note, transport, wired to a Playground. */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Config } from "../config/config.js";
import type { EmbedPart } from "../config/frame-fields.js";
import type { Explanation } from "../core/attention.js";
import { styleMap } from "../elements/style-map.js";
import "../elements/formula.js";
import "../elements/note.js";
import type { Note } from "../elements/note.js";
import type { Becomes } from "../elements/note-foot.js";
import "../elements/notice.js";
import "../elements/reading.js";
import "../elements/sentence.js";
import "../elements/stage.js";
import type { Stage } from "../elements/stage.js";
import "../elements/transport.js";
import { icon } from "../elements/icons.js";
import { look } from "../elements/look.js";
import type { Words } from "../i18n/words.js";
import type { Time } from "../labs/lab.js";
import { holds } from "../marks/board.js";
import type { Room, Scene, Snapshots } from "../marks/scene.js";
import { shared } from "../marks/sharing.js";
import type { NodeWords, Remark, Step } from "../marks/wording.js";
import { Clock } from "./clock.js";
import { framedScene, framePadding, frameRoom } from "./frame.js";
import { Kept } from "./kept.js";
import { labStyle } from "./lab-style.js";
import { leadsOf, onStage } from "./leads.js";
import { labOf, type OpenLab } from "./open-lab.js";
import { Player } from "./player.js";
import type { StageReading } from "./stage-reading.js";
import type { LineText } from "./lesson-desk.js";
import { Witness } from "./witness.js";
import { sameCell, type Cell, type Playground } from "./playground.js";

/** Widths at which the stage folds. */
const wideFrom = 1200;
const twoFrom = 768;

/** Air above and below a target that was brought into sight. */
const revealEdge = 8;

/** A lower screen shows no number at the top of a lab. */
const LOW_SCREEN = 500;

/** Controls that change how one looks, not what is computed. */
const viewControls = ["scales", "item"];

/** All of a Config that a lab's words and scenes are made from, but for the target. */
function settingsOf({ view, numbers, example }: Config): unknown[] {
  return [view.lab, view.scales, view.item, numbers, example];
}

/** A scene, and what it was made from. */
interface Staged {
  lab: OpenLab;
  numbers: Config["numbers"];
  snapshots: Snapshots;
  settings: readonly unknown[];
  asked: number;
  scene: Scene;
  strip: Scene | null;
}

const none: string[] = [];

/**
 * Events: lab-restart {}, lab-act (Witnessed), lesson-open {}, line-back {} of its bar, reading-gradient {node, index} of its note,
 * reading-stop {} of its line, and control-image {control, file} of its sentence. Slots: notices, foot, and lesson, below the first screen.
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
    focusTensors: { attribute: false },
    line: { attribute: false },
    lessonDone: { attribute: false },
    atLesson: { type: Boolean, reflect: true, attribute: "at-lesson" },
    unfolded: { state: true },
    room: { state: true },
  };
  declare playground: Playground;
  /** Counts the playground's changes, so that each is drawn. */
  declare revision: number;
  declare words: Words;
  declare theme: "light" | "dark";
  /** What the numbers are read as; null: as they are. */
  declare reading: StageReading | null;
  /** What an embed shows; all on the page. */
  declare parts: ReadonlySet<EmbedPart>;
  /** Height of the notices that stand above the lab: the page scrolls for them, and the stage stays as it was. */
  declare notices: number;
  /** In a frame: the names of the tensors that are shown; none: all. */
  declare focusTensors: readonly string[];
  /** In a small frame. */
  declare framed: boolean;
  /** Said in the bar of Play, instead of the stop's sentence. */
  declare line: LineText | null;
  /** How much of the lesson is done; null where there is none. */
  declare lessonDone: { done: number; count: number } | null;
  /** The stage is out of sight: on a phone the sheet makes room for the lesson. */
  declare private atLesson: boolean;
  /** On a phone the note shows more than a line. */
  declare private unfolded: boolean;
  declare private room: { width: number; height: number; layout: Room["layout"] };

  static override styles = [look, labStyle];

  readonly #player = new Player(
    () => this.playground,
    () => this.#steps(),
    () => this.requestUpdate(),
    () => {
      this.#asked++;
      this.#moved = true;
    },
  );
  /** Play of a lab that learns. */
  readonly #clock = new Clock({
    time: () => this.#time(),
    opening: () => this.playground.openings,
    settled: () => {
      const { shown, config } = this.playground;
      return shown?.numbers === config.numbers;
    },
    set: (control, value) => this.playground.change(control, value, this.words),
    changed: () => this.requestUpdate(),
  });
  /** Where a note that stands on the stage begins, and its height; read from neither, for that would lay the page out. */
  #noteTop: number | null = null;
  #noteHeight = 0;
  #noteObserved: Element | null = null;
  /** The explanation whose target was last brought into sight. */
  #revealed: Explanation | null = null;
  /** The reader asked for a target or a stop of what was opened: until then it stands at its top. */
  #moved = false;
  /** What was opened last, as the playground counts. */
  #opening = 0;
  /** Made again only when what they are made from is new, so that a moved target changes nothing but what it must. */
  readonly #kept = {
    steps: new Kept<Step[]>(),
    sentence: new Kept<ReturnType<OpenLab["sentence"]>>(),
    formula: new Kept<ReturnType<OpenLab["formula"]>>(),
    nodeWords: new Kept<(node: string) => NodeWords>(),
    becomes: new Kept<Becomes[]>(),
    remarks: new Kept<Remark[]>(),
    stage: new Kept<Staged>(),
    readScene: new Kept<Scene>(),
    readStrip: new Kept<Scene>(),
    tallest: new Kept<number>(),
    lit: new Kept<string[]>(),
  };
  /** What the stage showed last. */
  #staged: Staged | null = null;
  /** Counts the stops asked for: a scene keeps its arrangement until the next. */
  #asked = 0;
  readonly #noteObserver = new ResizeObserver(([entry]) => {
    this.#noteHeight = Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0);
    this.#makeRoom();
  });
  readonly #observer = new ResizeObserver(() => this.#measure());
  readonly #stageObserver = new IntersectionObserver(
    ([entry]) => (this.atLesson = !(entry?.isIntersecting ?? true)),
    { rootMargin: "-25% 0px 0px 0px" },
  );
  readonly #witness = new Witness(
    () => this.playground,
    (detail) => this.dispatchEvent(new CustomEvent("lab-act", { detail, bubbles: true, composed: true })),
  );

  constructor() {
    super();
    this.revision = 0;
    this.theme = "light";
    this.reading = null;
    this.parts = new Set<EmbedPart>(["settings", "play", "sum", "formula"]);
    this.notices = 0;
    this.framed = false;
    this.focusTensors = none;
    this.line = null;
    this.lessonDone = null;
    this.atLesson = false;
    this.unfolded = false;
    this.room = { width: 0, height: 0, layout: "wide" };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("resize", this.#measure);
    this.#keys.addEventListener("keydown", this.#key);
    addEventListener("pointerdown", this.#interrupt, { capture: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
    this.#noteObserver.disconnect();
    this.#stageObserver.disconnect();
    this.#witness.forget();
    this.#player.stop();
    this.#clock.pause();
    removeEventListener("resize", this.#measure);
    this.#keys.removeEventListener("keydown", this.#key);
    removeEventListener("pointerdown", this.#interrupt, { capture: true });
  }

  protected override firstUpdated(): void {
    // Whatever moves the stage changes one of these: the head, the stage, the lab under a notice, the page.
    for (const part of this.renderRoot.querySelectorAll(".head, .stage")) this.#observer.observe(part);
    this.#observer.observe(this);
    if (!this.framed) this.#observer.observe(document.documentElement);
    const stage = this.renderRoot.querySelector(".stage");
    if (stage) this.#stageObserver.observe(stage);
    this.#measure();
  }

  protected override willUpdate(): void {
    this.#begin();
    if (this.playground.shown) this.#keepTarget();
  }

  /** What is opened begins at its top, with a note of one line on a phone. */
  #begin(): void {
    const { openings } = this.playground;
    if (openings === this.#opening) return;
    this.#opening = openings;
    this.#moved = false;
    this.unfolded = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("notices")) this.#measure();
    this.#witness.settle();
    const note = this.renderRoot.querySelector("ap-note");
    if (note !== this.#noteObserved) {
      this.#noteObserver.disconnect();
      if (note) this.#noteObserver.observe(note);
      this.#noteObserved = note;
    }
    this.#makeRoom();
    const { cell } = this.playground;
    const explanation = this.#explanationNow();
    const explained = explanation && cell && sameCell(explanation, cell) ? explanation : null;
    if (explained === this.#revealed && !(changed as Map<PropertyKey, unknown>).has("unfolded")) return;
    this.#revealed = explained;
    // A low screen that begins at the top shows no number.
    const begins = !this.#moved && innerHeight >= LOW_SCREEN;
    if (explained && !begins && this.room.layout === "narrow" && !this.framed) void this.#reveal();
  }

  /** On a phone: scrolls until the sheet covers neither the target nor, where there is room, what it was made from. */
  async #reveal(): Promise<void> {
    const stage = this.renderRoot.querySelector<Stage>(".stage ap-stage");
    const note = this.renderRoot.querySelector("ap-note");
    // A note that does not fit at first draws itself again.
    while (note && !(await note.updateComplete));
    // The strip too, for it stands above.
    await Promise.all([...this.renderRoot.querySelectorAll("ap-stage")].map((one) => one.updateComplete));
    const lit = stage?.litBox();
    if (!lit || !note || getComputedStyle(note).position !== "fixed") return;
    this.#noteHeight = note.offsetHeight;
    this.#makeRoom();
    const strip = this.renderRoot.querySelector(".strip");
    const sticks = strip !== null && getComputedStyle(strip).position === "sticky";
    const top = Math.max(0, sticks ? strip.getBoundingClientRect().bottom : 0) + revealEdge;
    const bottom = note.getBoundingClientRect().top - revealEdge;
    const { target, all } = lit;
    const box = all.height <= bottom - top ? all : target;
    const by = box.bottom > bottom ? box.bottom - bottom : box.top < top ? box.top - top : 0;
    if (by) scrollBy({ top: by });
  }

  /** Puts the focus on the title, after another lab was opened. */
  async focusTitle(): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }

  /** The stage with the numbers. */
  get stage(): Stage | null {
    return this.renderRoot.querySelector<Stage>(".stage ap-stage");
  }

  /** What stands in a frame, from top to bottom. */
  get content(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".screen, .foot")];
  }

  /** Puts the focus on the numbers. */
  focusNumbers(): void {
    const stage = this.renderRoot.querySelector<HTMLElement>(".stage");
    stage?.scrollIntoView({ block: "nearest" });
    stage?.focus({ preventScroll: true });
  }

  /** The same by keys: arrows move from the target at once. */
  focusTarget(): void {
    this.focusNumbers();
    this.renderRoot.querySelector<Stage>(".stage ap-stage")?.focusTarget();
  }

  readonly #measure = (): void => {
    const box = this.renderRoot.querySelector<HTMLElement>(".stage");
    if (!box) return;
    const width = box.clientWidth - (this.framed ? 2 * framePadding : 0);
    const viewport = this.framed ? this.offsetWidth : document.documentElement.clientWidth;
    const layout = viewport >= wideFrom ? "wide" : viewport >= twoFrom ? "two" : "narrow";
    const top = Math.round(box.getBoundingClientRect().top + scrollY);
    const foot = this.renderRoot.querySelector("ap-transport")?.getBoundingClientRect().height ?? 0;
    const height = this.framed
      ? frameRoom
      : Math.max(0, Math.floor(innerHeight - (top - this.notices) - foot));
    const { room } = this;
    if (width && (room.width !== width || room.height !== height || room.layout !== layout))
      this.room = { width, height, layout };
  };

  /** A note that stands on the stage may reach further down than the scene. */
  #makeRoom(): void {
    const stage = this.renderRoot.querySelector<HTMLElement>(".stage");
    if (stage)
      stage.style.minHeight = this.#noteTop === null ? "" : `${this.#noteTop + this.#noteHeight + 8}px`;
    // Only where a sheet is: a property of the host styles all that is in it again.
    if (this.room.layout === "narrow") this.style.setProperty("--sheet", `${this.#noteHeight}px`);
  }

  #steps(): Step[] {
    const { playground, words } = this;
    if (!playground || !words) return [];
    const { spoken } = playground;
    return this.#kept.steps.of([...settingsOf(spoken), words], () => labOf(spoken).steps(spoken, words));
  }

  #formulaNow(): ReturnType<OpenLab["formula"]> {
    const { spoken } = this.playground;
    const { words } = this;
    return this.#kept.formula.of([...settingsOf(spoken), words], () => labOf(spoken).formula(spoken, words));
  }

  /** The words of nodes, as one function for stage and note. */
  #nodeWordsNow(): (node: string) => NodeWords {
    const config = this.playground.drawn ?? this.playground.spoken;
    const { words } = this;
    return this.#kept.nodeWords.of(
      [...settingsOf(config), words],
      () => (node) => labOf(config).nodeWords(config, node, words),
    );
  }

  readonly #interrupt = (event: Event): void => {
    if (!this.#player.playing && !this.#clock.playing) return;
    const transport = this.renderRoot.querySelector("ap-transport");
    if (!transport || !event.composedPath().includes(transport)) this.#pause();
  };

  /** The steps of a lab that learns; null for the others, whose Play walks through its stops. */
  #time(): Time | null {
    const { playground, words } = this;
    if (!playground || !words) return null;
    const { spoken } = playground;
    return labOf(spoken).time?.(spoken, words) ?? null;
  }

  #pause(): void {
    if (this.#player.playing) this.#player.pause();
    this.#clock.pause();
  }

  /** Whose keys are the lab's: around a frame the page has its own. */
  get #keys(): GlobalEventHandlers {
    return this.framed ? this : window;
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey) return;
    const at = event.composedPath()[0];
    if (!(at instanceof Element)) return;
    if (at.closest("textarea, select, [contenteditable], dialog, [popover]")) return;
    const input = at.closest("input");
    if (input && !(input.type === "radio" && event.key === "Escape")) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      if (event.shiftKey) this.playground.redoEdit();
      else this.playground.undoEdit();
      return;
    }
    const press = at.closest("button, a, summary, [role=button], [role=radio]") !== null;
    if (event.key === "[") this.#back();
    else if (event.key === "]") void this.#step();
    else if (event.key === " " && !press) this.#toggle();
    else if (event.key === "c") this.#copy();
    else if (event.key === "g") this.#takeGradient();
    else if (event.key !== "Escape" || !(this.#end() || this.#leaveLesson(event))) {
      if (event.key.length > 1) this.#pause();
      return;
    }
    event.preventDefault();
  };

  /** Esc ends one thing: Play, the pin, the gradient. False where there is none. */
  #end(): boolean {
    const { playground, reading } = this;
    if (playground.progress) this.#player.stop();
    else if (playground.config.view.pinned && playground.cell) this.#pin(playground.cell);
    else if (reading?.of)
      this.dispatchEvent(new CustomEvent("reading-stop", { bubbles: true, composed: true }));
    else return false;
    return true;
  }

  /** Esc in the lesson goes back up to the numbers. */
  #leaveLesson(event: KeyboardEvent): boolean {
    const inside = event
      .composedPath()
      .some((at) => at instanceof HTMLElement && at.localName === "ap-lesson");
    if (!inside && !this.atLesson) return false;
    scrollTo(0, 0);
    this.focusTarget();
    return true;
  }

  #toggle(): void {
    if (this.#player.playing || this.#clock.playing) this.#pause();
    else void this.play();
  }

  /** Plays the steps of learning, or the stops from where the reader is. */
  async play(): Promise<void> {
    if (await this.#run()) this.#witness.did({ kind: "play-end" });
  }

  #run(): Promise<boolean> {
    return this.#time() ? this.#clock.play() : this.#player.play();
  }

  async #step(): Promise<void> {
    const time = this.#time();
    if (time) this.#moveTo(Math.min(time.last, time.at + 1));
    else if (await this.#player.step()) this.#came();
  }

  #back(): void {
    const time = this.#time();
    if (time) this.#moveTo(Math.max(0, time.at - 1));
    else {
      this.#player.back();
      this.#came();
    }
  }

  /** The reader moves to another step of what is learned. */
  #moveTo(at: number): void {
    this.#pause();
    const time = this.#time();
    if (!time) return;
    const was = this.playground.config;
    this.#clock.go(at);
    this.did(time.control, String(at), was);
  }

  #go(step: number): void {
    this.#player.go(step);
    this.#came();
  }

  /** The reader came to a stop. */
  #came(): void {
    const steps = this.#steps();
    const at = this.#player.current;
    const step = steps[at];
    if (step) this.#witness.did({ kind: "stop", id: step.id });
    if (at === steps.length - 1) this.#witness.did({ kind: "play-end" });
  }

  /** Sets up what the lesson wants to be looked at, with the focus on the numbers. */
  async show(play: boolean): Promise<void> {
    this.#player.stop();
    this.#clock.pause();
    this.#witness.forget();
    this.#asked++;
    this.#begin();
    this.#unfold(true);
    await this.updateComplete;
    scrollTo(0, 0);
    this.focusNumbers();
    if (play) await this.#run();
  }

  #unfold(open: boolean): void {
    this.unfolded = open;
    this.#moved = true;
  }

  /** A cell that the reader points at is explained in full. */
  #pointAt(cell: Cell): void {
    this.unfolded = true;
    this.#target(cell);
  }

  /** Obeys a target of the reader; Play ends where it is. */
  #target(cell: Cell): void {
    this.#moved = true;
    if (this.#player.playing) this.#player.pause();
    this.playground.target(cell);
    this.#witness.reached(cell);
  }

  /** Goes along a link of the note. */
  #goAlong(cell: Cell): void {
    this.#witness.follows(cell);
    this.#target(cell);
  }

  #follow(direction: "source" | "result"): void {
    this.#moved = true;
    const { playground } = this;
    const before = playground.cell;
    const { explanation } = playground;
    const next = this.reading?.next?.(direction, playground);
    if (next) playground.target(next);
    else if (next === undefined) playground.follow(direction);
    const { cell } = playground;
    if (!cell || sameCell(before, cell)) return;
    if (direction === "source") this.#witness.follows(cell, explanation);
    this.#witness.reached(cell);
  }

  #pin(cell: Cell): void {
    this.playground.pin(cell);
    if (this.playground.config.view.pinned) this.#witness.did({ kind: "pin", ...cell });
  }

  /** Something the reader did outside the lab's own controls: a picture of their own. */
  did(control: string, value: string, was: Config): void {
    this.#witness.did({ kind: "change", control, value }, was);
  }

  #change({ control, value }: { control: string; value: string }): void {
    this.#player.stop();
    this.#clock.pause();
    if (viewControls.includes(control)) {
      this.playground.setView(
        control === "item" ? { item: Number(value) } : { scales: value === "own" ? "own" : "shared" },
      );
    } else this.#set(control, value);
  }

  #set(control: string, value: string): void {
    const was = this.playground.config;
    if (this.playground.change(control, value, this.words) && this.playground.config.numbers !== was.numbers)
      this.#witness.did({ kind: "change", control, value }, was);
  }

  #paint({ row, column, allowed }: { row: number; column: number; allowed: boolean }): void {
    this.#set("paint", `${row},${column},${allowed ? 1 : 0}`);
  }

  #goTo(nodes: readonly string[]): void {
    const { snapshots } = this.playground;
    const node = nodes.find((name) => snapshots.has(name));
    const shape = node === undefined ? undefined : snapshots.get(node)?.shape;
    if (node !== undefined && shape) this.#target({ node, index: shape.map(() => 0) });
  }

  #copy(): void {
    void this.renderRoot.querySelector<Note>("ap-note")?.copy();
  }

  /** The symbols of the formula that the target is made from, and its own. */
  #litSymbols(): string[] {
    const { cell, pointed } = this.playground;
    const explanation = this.#explanationNow();
    const { parts } = this.#formulaNow();
    const of = (nodes: readonly string[]) =>
      parts.filter((part) => part.nodes.some((node) => nodes.includes(node))).map((part) => part.symbol);
    if (pointed.length) return of(pointed);
    return of([...(explanation?.sources ?? []).map((source) => source.node), ...(cell ? [cell.node] : [])]);
  }

  #litNow(): string[] {
    const lit = this.#litSymbols();
    return this.#kept.lit.of([lit.join()], () => lit);
  }

  #scene(): Staged | null {
    const { playground, room, words } = this;
    const { drawn, snapshots, cell } = playground;
    if (!drawn || room.width === 0) return null;
    const lab = labOf(drawn);
    const step = this.#player.current;
    const settings = [...settingsOf(drawn), words];
    const from = [
      ...settings,
      snapshots,
      room,
      step,
      cell,
      this.framed,
      this.focusTensors.join(),
      this.#asked,
    ];
    return this.#kept.stage.of(from, (last) => {
      const arrangement =
        last && last.lab === lab && last.asked === this.#asked ? last.scene.arrangement : null;
      const asked: Room = { ...room, step, cell, arrangement, words };
      const scene = this.framed ? this.#inFrame(drawn, asked, settings) : lab.scene(drawn, snapshots, asked);
      const strip = room.layout === "narrow" && !this.framed ? lab.strip(drawn, snapshots, asked) : null;
      // Equal parts of the last scene stay the objects they were, while what they say is the same.
      const same = last !== null && settings.every((thing, at) => Object.is(thing, last.settings[at]));
      return {
        lab,
        numbers: drawn.numbers,
        snapshots,
        settings,
        asked: this.#asked,
        scene: same ? shared(last.scene, scene) : scene,
        strip: same ? shared(last.strip, strip) : strip,
      };
    });
  }

  /** Other settings may show other tensors: a target that stood on the stage and no longer does gives way to the telling cell. */
  #keepTarget(): void {
    const { drawn, cell } = this.playground;
    const last = this.#staged;
    this.#staged = this.#scene();
    const now = this.#staged;
    if (!drawn || !cell || !last || !now || last.numbers === now.numbers || last.lab !== now.lab) return;
    if (holds(last.scene, last.snapshots, cell) && !holds(now.scene, now.snapshots, cell))
      this.playground.retarget();
  }

  /** The scene as a frame shows it. */
  #inFrame(config: Config, asked: Room, settings: readonly unknown[]): Scene {
    const { room } = this;
    const { snapshots } = this.playground;
    return framedScene(config, snapshots, asked, this.focusTensors, (height) =>
      this.#kept.tallest.of([...settings, snapshots, room], height),
    );
  }

  #explanationNow(): Explanation | null {
    const { playground, reading } = this;
    return reading ? reading.explanationOf(playground) : playground.explanation;
  }

  #becomesNow(): readonly Becomes[] {
    const { playground } = this;
    const { drawn, snapshots } = playground;
    if (!drawn) return [];
    const explanation = this.#explanationNow();
    const from = [...settingsOf(drawn), snapshots, explanation, playground.explanation, this.reading];
    return this.#kept.becomes.of(
      from,
      () =>
        this.reading?.becomes?.(playground) ?? (explanation ? leadsOf(drawn, explanation, snapshots) : []),
    );
  }

  #stage(given: Scene | null, strip: boolean): TemplateResult {
    const { playground, words } = this;
    const { cell } = playground;
    const explanation = this.#explanationNow();
    const reader = this.reading?.scenes(playground, words) ?? null;
    const kept = strip ? this.#kept.readStrip : this.#kept.readScene;
    const scene = given && reader ? kept.of([given, reader], () => reader(given)) : given;
    const mine = explanation && cell && sameCell(explanation, cell) ? explanation : null;
    return html`<ap-stage
      .scene=${scene}
      .snapshots=${playground.snapshots}
      .cell=${strip ? null : cell}
      .pinned=${playground.config.view.pinned}
      .explanation=${strip ? null : onStage(mine, this.#becomesNow())}
      .lit=${strip ? none : playground.pointed}
      .operand=${strip ? null : playground.operand}
      .origin=${strip ? null : (this.reading?.of ?? null)}
      .scales=${playground.config.view.scales}
      .words=${words}
      .nodeWords=${this.#nodeWordsNow()}
      .theme=${this.theme}
      .thumbnails=${strip}
      .takes=${!strip && !this.framed}
      .stale=${playground.standsBack}
      .play=${strip ? null : playground.progress}
      @cell-focus=${(event: CustomEvent<Cell>) => this.#pointAt({ node: event.detail.node, index: event.detail.index })}
      @cell-leave=${() => playground.pointOperand(null)}
      @cell-pin=${(event: CustomEvent<Cell>) => this.#pin({ node: event.detail.node, index: event.detail.index })}
      @cell-edit=${(event: CustomEvent<Cell & { value: number }>) => this.#edit(event.detail)}
      @mask-paint=${(event: CustomEvent<{ row: number; column: number; allowed: boolean }>) => this.#paint(event.detail)}
      @node-point=${(event: CustomEvent<{ node: string | null }>) => playground.point(event.detail.node === null ? [] : [event.detail.node])}
      @node-go=${(event: CustomEvent<{ node: string }>) => this.#goTo([event.detail.node])}
      @cell-follow=${(event: CustomEvent<{ direction: "source" | "result" }>) => this.#follow(event.detail.direction)}
      @cell-copy=${() => this.#copy()}
      @cell-escape=${(event: Event) => this.#end() && event.preventDefault()}
    ></ap-stage>`;
  }

  #edit({ node, index, value }: Cell & { value: number }): void {
    this.#player.stop();
    const was = this.playground.config;
    this.playground.edit({ node, index }, value);
    this.#witness.did({ kind: "edit", node, index, value }, was);
  }

  #note(scene: Scene | null): TemplateResult | typeof nothing {
    const { playground, words, room } = this;
    const { drawn } = playground;
    const explanation = this.#explanationNow();
    if (!drawn || !this.parts.has("sum")) return nothing;
    const place = !this.framed && room.layout !== "narrow" ? (scene?.note ?? null) : null;
    this.#noteTop = place?.y ?? null;
    const variant = this.framed ? "strip" : room.layout === "narrow" ? "sheet" : "card";
    const { snapshots } = playground;
    const becomes = this.#becomesNow();
    const editable =
      scene?.tensors.some(({ node, editable }) => editable && node === explanation?.node) ?? false;
    const edited =
      explanation !== null &&
      (snapshots.get(explanation.node)?.edited ?? []).some(
        (index) => index.join() === explanation.index.join(),
      );
    const note = html`<ap-note
      class="as-${variant}"
      .explanation=${explanation}
      .nodeWords=${this.#nodeWordsNow()}
      .becomes=${becomes}
      .pinned=${playground.config.view.pinned}
      .gradient=${this.#gradientTool(explanation)}
      .operand=${playground.operand}
      .full=${playground.full}
      .editable=${editable}
      .edited=${edited}
      .folded=${!this.unfolded}
      .shape=${(explanation && playground.snapshots.get(explanation.node)?.shape) ?? null}
      .words=${words}
      .variant=${variant}
      @operand-point=${(event: CustomEvent<Cell | { node: null }>) =>
        playground.pointOperand(event.detail.node === null ? null : (event.detail as Cell))}
      @cell-go=${(event: CustomEvent<Cell>) => this.#goAlong({ node: event.detail.node, index: event.detail.index })}
      @cell-pin=${() => playground.cell && this.#pin(playground.cell)}
      @cell-gradient=${() => this.#takeGradient()}
      @note-fold=${(event: CustomEvent<{ open: boolean }>) => this.#unfold(event.detail.open)}
      @note-full=${(event: CustomEvent<{ open: boolean }>) => playground.setFull(event.detail.open)}
    ></ap-note>`;
    if (!place) return note;
    // A stage wider than its room is scrolled, and the note is not.
    const x = Math.max(0, Math.min(place.x, room.width - place.width));
    const lane = { left: `${x}px`, top: `${place.y}px`, width: `${place.width}px` };
    return html`<div class="lane ${place.follows ? "follows" : ""}" style=${styleMap(lane)}>${note}</div>`;
  }

  /** The note's switch between the numbers and the gradient of its cell. */
  #gradientTool(explanation: Explanation | null): Note["gradient"] {
    const { framed, playground, reading } = this;
    if (framed || !explanation || labOf(playground.config).gradients === false) return "";
    if (reading?.of && sameCell(reading.of, explanation)) return "on";
    return playground.snapshots.get(explanation.node)?.op === "leaf" ? "none" : "off";
  }

  #takeGradient(): void {
    const { cell } = this.playground;
    const tool = this.#gradientTool(this.#explanationNow());
    if (!cell || tool === "" || tool === "none") return;
    this.dispatchEvent(new CustomEvent("reading-gradient", { detail: cell, bubbles: true, composed: true }));
  }

  /** Remarks are about numbers, so pointing at another cell does not make them again. */
  #remarksNow(): Remark[] {
    const { drawn, snapshots } = this.playground;
    if (!drawn) return [];
    const { words } = this;
    const from = [...settingsOf(drawn), snapshots, words];
    return this.#kept.remarks.of(from, () => labOf(drawn).remarks(drawn, snapshots, words));
  }

  #remark(remark: Remark): TemplateResult {
    const act = ({ detail }: CustomEvent<{ action: number }>) => {
      const action = remark.actions[detail.action];
      if (action?.change) this.#change(action.change);
      if (action?.cell) this.#target(action.cell);
    };
    return html`<ap-notice
      .heading=${remark.title}
      .body=${remark.body}
      .actions=${remark.actions.map((action) => action.label)}
      @notice-action=${act}
    ></ap-notice>`;
  }

  #sentence(): TemplateResult {
    const { playground, words } = this;
    const { spoken: config } = playground;
    const spoken = this.#kept.sentence.of([...settingsOf(config), words], () =>
      labOf(config).sentence(config, words),
    );
    return html`<ap-sentence
      .words=${words}
      .text=${spoken.text}
      .controls=${spoken.controls}
      .refusal=${playground.refusal}
      .edits=${playground.edits}
      .undoable=${playground.undoable}
      .learn=${this.framed ? null : playground.learn}
      .form=${this.framed ? "essential" : this.room.layout === "narrow" ? "line" : "sentence"}
      @control-change=${(event: CustomEvent<{ control: string; value: string }>) => this.#change(event.detail)}
      @edit-undo=${() => playground.undoEdit()}
      @edit-reset=${() => playground.resetEdits()}
    ></ap-sentence>`;
  }

  #transport(steps: Step[]): TemplateResult {
    return html`<ap-transport
      .words=${this.words}
      .steps=${steps}
      .current=${this.#player.current}
      .playing=${this.#player.playing || this.#clock.playing}
      .compact=${this.framed}
      .line=${this.line}
      .time=${this.#time()}
      @play=${() => void this.play()}
      @pause=${() => this.#pause()}
      @step=${() => void this.#step()}
      @back=${() => this.#back()}
      @go=${(event: CustomEvent<{ step: number }>) => this.#go(event.detail.step)}
      @time=${(event: CustomEvent<{ at: number }>) => this.#moveTo(event.detail.at)}
    ></ap-transport>`;
  }

  #point(nodes: readonly string[]): void {
    this.playground.point(nodes);
    if (nodes.length) this.#witness.did({ kind: "symbol", nodes });
  }

  #formula(): TemplateResult | typeof nothing {
    if (!this.parts.has("formula")) return nothing;
    const { words } = this;
    const { id, parts } = this.#formulaNow();
    return html`<ap-formula
      role="group"
      aria-label=${words("page.formula")}
      .formulas=${labOf(this.playground.spoken).formulas}
      .formula=${id}
      .parts=${parts}
      .lit=${this.#litNow()}
      .words=${words}
      @symbol-point=${(event: CustomEvent<{ nodes: readonly string[] }>) => this.#point(event.detail.nodes)}
      @symbol-go=${(event: CustomEvent<{ nodes: readonly string[] }>) => this.#goTo(event.detail.nodes)}
    ></ap-formula>`;
  }

  #head(narrow: boolean): TemplateResult {
    const { playground, words, framed } = this;
    const lab = labOf(playground.spoken);
    const title = lab.title(playground.spoken, words);
    if (framed) {
      const restart = words("embed.restart");
      return html`<div class="head">
        <h1 class="unseen">${title}</h1>
        ${this.parts.has("settings") ? this.#sentence() : html`<span></span>`}
        <button class="quiet" aria-label=${restart} title=${restart} @click=${this.#restart}>
          ${icon("restart")}
        </button>
        ${this.#formula()}
      </div>`;
    }
    return html`<div class="head">
      <div class="titles">
        <div class="title">
          <h1 tabindex="-1">${title}</h1>
          ${narrow ? nothing : this.#lessonLink()}
        </div>
        <p class="lede">
          ${lab.lede(playground.spoken, words, narrow)} ${narrow ? this.#lessonLink() : nothing}
        </p>
      </div>
      ${this.#sentence()} ${this.#readingLine()} ${this.#painting()} ${this.#formula()}
    </div>`;
  }

  #readingLine(): TemplateResult | typeof nothing {
    const { reading, playground, words } = this;
    if (!reading) return nothing;
    const { name, text, options, value, stop } = reading.line(playground, words);
    return html`<ap-reading
      .words=${words}
      .name=${name}
      .text=${text}
      .options=${options}
      .value=${value}
      .stop=${stop}
      @reading-show=${(event: CustomEvent<{ value: string }>) => reading.show(event.detail.value)}
    ></ap-reading>`;
  }

  /** How a mask is painted, with a way to where. */
  #painting(): TemplateResult | typeof nothing {
    const { playground, words } = this;
    const { numbers } = playground.spoken;
    const node = "masked";
    if (!("mask" in numbers) || numbers.mask !== "painted" || !playground.snapshots.has(node)) return nothing;
    const [before, after] = words("sentence.paint").split("{tensor}");
    const { symbol, name } = this.#nodeWordsNow()(node);
    return html`<p class="painting">
      ${before}<button class="link" aria-label=${name} @click=${() => this.#goTo([node])}>
        <i>${symbol.text}</i></button
      >${after}
    </p>`;
  }

  #lessonLink(): TemplateResult | typeof nothing {
    const { lessonDone: done, words } = this;
    if (!done) return nothing;
    return html`<button class="link lesson-link" @click=${this.#openLesson}>
      ${done.done ? words("lesson.link_count", done) : words("lesson.link")}${icon("down", 16)}
    </button>`;
  }

  readonly #openLesson = (): void => {
    this.dispatchEvent(new CustomEvent("lesson-open", { bubbles: true, composed: true }));
  };

  readonly #restart = (): void => {
    this.#player.stop();
    this.dispatchEvent(new CustomEvent("lab-restart", { bubbles: true, composed: true }));
  };

  #stop(step: Step | undefined, place: number): TemplateResult | typeof nothing {
    if (!step) return nothing;
    return html`<div class="stop">
      <h2>${place + 1} · ${step.title.charAt(0).toUpperCase()}${step.title.slice(1)}</h2>
      <p>${step.sentence}</p>
    </div>`;
  }

  /** On a phone the line stands under the strip, which stays in sight. */
  #lineHere(): TemplateResult | typeof nothing {
    const { line, words } = this;
    if (!line) return nothing;
    const back = () => this.dispatchEvent(new CustomEvent("line-back", { bubbles: true, composed: true }));
    return html`<p class="line ${line.kind}">
      ${line.kind === "tick" ? icon("check", 16) : nothing}${line.text}
      <button class="link" @click=${back}>${words("lesson.back")}</button>
    </p>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { playground, words, framed } = this;
    if (!playground || !words) return nothing;
    const narrow = this.room.layout === "narrow";
    const steps = this.#steps();
    const made = this.#scene();
    const stop = made?.scene.stop ?? this.#player.current;
    this.#noteTop = null;
    const remarks = this.#remarksNow();
    return html`<div class="screen">
        ${this.#head(narrow)}
        <slot name="notices"></slot>
        ${made?.strip ? html`<div class="strip">${this.#stage(made.strip, true)} ${this.#lineHere()}</div>` : nothing}
        ${narrow && !framed ? this.#stop(steps[stop], stop) : nothing}
        <div class="stage" role="region" tabindex="-1" aria-label=${words("page.stage")}>
          ${this.#stage(made?.scene ?? null, false)} ${made ? this.#note(made.scene) : nothing}
        </div>
        <div class="remarks">${remarks.map((remark) => this.#remark(remark))}</div>
      </div>
      ${
        framed
          ? nothing
          : html`<section class="lesson" aria-label=${words("page.lesson")}>
              <slot name="lesson"></slot>
            </section>`
      }
      ${
        framed
          ? html`<div class="foot">
              ${this.parts.has("play") ? this.#transport(steps) : html`<span></span>`}<slot
                name="foot"
              ></slot>
            </div>`
          : this.#transport(steps)
      }`;
  }
}
customElements.define("ap-lab", ApLab);
