/**
 * ap-app: the whole page. It holds one Config, its address and history, and draws the header, the contents or
 * one lab, the dialogs and the notices.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { bounds } from "../config/bounds.js";
import { decodeSent, encode, longestLink, unseenNotices } from "../config/codec.js";
import type { Config, ConfigNotice, LabId, View } from "../config/config.js";
import type { ApCode, ProgramLanguage } from "../elements/dialogs/code.js";
import "../elements/header.js";
import type { ApKeys } from "../elements/dialogs/keys.js";
import { look } from "../elements/look.js";
import type { LabEvents } from "./lab/events.js";
import type { StageEvents } from "../elements/stage/events.js";
import { appStyle } from "./app-style.js";
import "../elements/notice.js";
import type { ApShare } from "../elements/dialogs/share.js";
import { fetchWords } from "../i18n/fetched.js";
import {
  anyWords,
  hasStrings,
  preferredLanguage,
  wordsIn,
  type Language,
  type Words,
} from "../i18n/words.js";
import { Address } from "./address.js";
import type { Client, StartClient } from "./client.js";
import { contentsHash, readContentsHash } from "./contents-address.js";
import type { Gallery } from "./gallery.js";
import type { ApContents, ContentsPart } from "./map/contents.js";
import type { Model } from "./map/model.js";
import { Memo } from "./memo.js";
import { LessonDesk } from "./lesson-desk.js";
import type { ApLesson, NextLab } from "../elements/lesson.js";
import type { ReportedAct } from "./act-reporter.js";
import type { ApLab } from "./lab-view.js";
import "./lab-view.js";
import { unknownName, UnknownViewFields } from "./unknown-view-fields.js";
import { Entries, withResults, withProgress, type EntryLists } from "./entries.js";
import {
  imageNotices,
  linkNotices,
  noticeElement,
  storeNotices,
  troubleNotices,
  type Notice,
} from "./notices.js";
import { onPage } from "./lab/on-page.js";
import { asNow, labOf, withView } from "./open-lab.js";
import { exampleIn } from "./in-language.js";
import { openingAt, openingOf, type LabPlace } from "./openings.js";
import type { VersionNotice } from "./offline/keep-site.js";
import { reloadNewest } from "./offline/reload.js";
import type { Cell } from "../marks/board.js";
import type { Snapshots } from "../marks/scene.js";
import { Playground, type Change } from "./playground.js";
import { Readings } from "./readings.js";
import { PullHint } from "./pull-hint.js";
import { pageFor } from "./share-pages-list.js";
import type { ApStoryMaker, StoryChange } from "./story/maker.js";
import { linkOf, stateOfStep, withoutStory } from "./story/steps.js";
import { DropsAndPastes } from "./take/drops-and-pastes.js";
import type { FileNotice, TransferHost, FileTransfer } from "./take/file-transfer.js";
import { ownStore } from "./ticks.js";
import { applyTheme, onSystemTheme, otherTheme, type Theme } from "./theme.js";

/** The key of the heading of the notice about a part of the page that could not be fetched. */
type FetchFailure =
  "story.failed" | "take.failed" | "dialog.failed" | "contents.failed" | "reading.failed" | "language.failed";

const noNumbers: Snapshots = new Map();

/** The Config that the page opens with when its address has no hash. It is the same in every language. */
const first = (): Config => openingOf("attention", "en");

/** Event: first-numbers, dispatched once, when the page first shows numbers. */
export class ApApp extends LitElement {
  static override properties = {
    startClient: { attribute: false },
    version: { attribute: false },
    place: { state: true },
    revision: { state: true },
    notices: { state: true },
    linkShown: { state: true },
    imageTrouble: { state: true },
    fileNotice: { state: true },
    shareFailed: { state: true },
    failedPart: { state: true },
    noticesHeight: { state: true },
    making: { state: true },
  };
  /** Starts a session in a worker of its own. */
  declare startClient: StartClient;
  /** Makes the notice about a newer version of the page; null when there is none. */
  declare version: VersionNotice | null;
  declare private place: "lab" | "contents";
  declare private revision: number;
  declare private notices: ConfigNotice[];
  declare private linkShown: boolean;
  declare private imageTrouble: string;
  /** The notice about a file that the reader dropped, pasted or opened. */
  declare private fileNotice: FileNotice | null;
  /** Whether a part of the Share dialog could not be fetched. */
  declare private shareFailed: boolean;
  /** The part of the page that the reader opened and that could not be fetched. */
  declare private failedPart: FetchFailure | null;
  /** Whether the reader is editing a story. */
  declare private making: boolean;
  /** Height of the notices under the header. */
  declare private noticesHeight: number;

  static override styles = [look, appStyle];

  #client!: Client;
  #playground!: Playground;
  #readings!: Readings;
  #address = new Address((hash) => this.#read(hash));
  #gallery: Gallery | null = null;
  readonly #hint = new PullHint(ownStore());
  readonly #desk = new LessonDesk(() => this.requestUpdate());
  /** The Config that the last link held; null once the reader has acted. */
  #linkConfig: Config | null = null;
  readonly #unknownFields = new UnknownViewFields();
  /**
   * The value of `playground.openingCount` for which the page has scrolled to the paragraph named by the link.
   */
  #scrolledOpening = 0;
  /** Whether the page has scrolled to that paragraph, and the reader has not scrolled on yet. */
  #isAtLinkedParagraph = false;
  /** The state in which the reader left each lab. */
  readonly #leftStates = new Map<LabId, Config>();
  #theme: Theme = "light";
  /** The strings of the last language that was loaded, used until those of another have been fetched. */
  #words: Words = anyWords();
  readonly #entries = new Entries();
  readonly #model = new Memo<Model>();
  #stopThemeListener: () => void = () => undefined;
  #fileTransfer: Promise<FileTransfer> | null = null;
  /** The number of edited cells at the last change. */
  #edits = 0;
  #numbersSeen = false;
  /** The words with invisible characters that the reader was last told about. */
  #unseen: string | undefined;
  readonly #dropsAndPastes = new DropsAndPastes((use) => void this.#withFileTransfer(use));
  readonly #observer = new ResizeObserver(([entry]) => {
    this.noticesHeight = entry?.borderBoxSize[0]?.blockSize ?? 0;
  });

  constructor() {
    super();
    this.version = null;
    this.place = "lab";
    this.revision = 0;
    this.notices = [];
    this.linkShown = false;
    this.imageTrouble = "";
    this.fileNotice = null;
    this.shareFailed = false;
    this.failedPart = null;
    this.noticesHeight = 0;
    this.making = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#client = this.startClient(
      (reason) => this.#playground.onRestart(reason),
      (silent) => this.#playground.onSilence(silent),
    );
    this.#playground = new Playground(this.#client, first(), (kind) => this.#onChange(kind));
    this.#readings = new Readings(
      this.#client,
      this.#playground,
      () => this.revision++,
      () => import("./stage-readings.js").catch(() => this.#readingMissed()),
    );
    this.#address.listen();
    this.#desk.listen();
    this.#stopThemeListener = onSystemTheme((now) => {
      this.requestUpdate();
      if (now) this.performUpdate();
    });
    addEventListener("keydown", this.#key);
    this.#dropsAndPastes.listen();
    this.#read(this.#address.hash);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#address.close();
    this.#desk.close();
    this.#stopThemeListener();
    this.#observer.disconnect();
    this.#gallery?.close();
    this.#client.close();
    removeEventListener("keydown", this.#key);
    this.#dropsAndPastes.close();
  }

  get #config(): Config {
    return this.#playground.config;
  }

  /** Opens the state that an address holds: on load, on back or forward, or when a hash is typed. */
  #read(hash: string): void {
    this.linkShown = false;
    this.imageTrouble = "";
    const contents = readContentsHash(hash);
    if (contents) {
      this.notices = [];
      this.#linkConfig = null;
      this.#playground.stay();
      this.#playground.setView(contents);
      this.#showContents();
      return;
    }
    const { config, notices } = hash === "" ? { config: first(), notices: [] } : decodeSent(hash);
    this.making &&= config.view.story !== undefined;
    this.#showNotices(config, notices);
    this.#desk.clearLine();
    void this.#playground.open(config);
  }

  /** Shows the notices about a state that came in a link or a file. */
  #showNotices(config: Config, notices: ConfigNotice[]): void {
    this.notices = notices;
    this.#unseen = notices.find(({ kind }) => kind === "unseen")?.given;
    this.#linkConfig = config;
    this.#address.isHeld = notices.length > 0;
  }

  #hash(): string {
    const { pendingConfig } = this.#playground;
    if (pendingConfig) return encode(pendingConfig);
    return this.place === "contents" ? contentsHash(this.#config.view) : encode(this.#playground.state);
  }

  /** The notices about what the last link asks for and its lab does not have. */
  get #unknownFieldNotices(): ConfigNotice[] {
    const sent = this.#linkConfig;
    const { lab, lesson = "" } = sent?.view ?? {};
    const anchors = (lab && lesson && this.#desk.anchors(lab)) || [lesson];
    const part = anchors.filter((anchor) => anchor.startsWith(`${lesson.split(",", 1)[0]},`));
    const options = part.length > 0 ? part : anchors.filter((anchor) => !anchor.includes(","));
    return [
      ...this.#unknownFields.notices(sent, this.#playground, this.#words),
      ...(anchors.includes(lesson) ? [] : [unknownName("lesson", lesson, options)]),
    ];
  }

  #onChange(kind: Change): void {
    this.revision++;
    this.#readings.follow();
    this.#hint.follow(this.#playground);
    // The page stays where it is until the lab that was asked for has loaded.
    if (kind === "opened") this.place = "lab";
    if (kind === "numbers") {
      this.#clearNotices();
      this.#warnOfInvisible();
    }
    // The lesson's line about an edit ends when the edit is undone.
    const { edits } = this.#playground;
    if (kind === "numbers" && edits !== this.#edits) this.#desk.clearLine();
    this.#edits = edits;
    if (this.#unknownFieldNotices.length) this.#address.isHeld = true;
    if (kind === "numbers" || kind === "view") this.#address.replace(() => this.#hash());
  }

  /** The reader did something, so the notices about the link and about earlier failures go. */
  #clearNotices(): void {
    this.#address.isHeld = false;
    this.notices = [];
    this.#linkConfig = null;
    this.imageTrouble = "";
    this.failedPart = null;
    this.fileNotice = null;
  }

  /**
   * Warns about typed words with invisible characters, as for the words of a link; once for the same words.
   */
  #warnOfInvisible(): void {
    const notices = unseenNotices(this.#config);
    const [notice] = notices;
    if (notice?.given === this.#unseen) return;
    this.#unseen = notice?.given;
    this.notices = notices;
  }

  /** Opens a Config with a history entry of its own. */
  async #go(config: Config): Promise<void> {
    this.#leave();
    const next = this.#withDraft(asNow(config, this.#config));
    this.#desk.clearLine();
    this.#clearNotices();
    this.#address.push(encode(next));
    if (!(await this.#playground.open(next))) return;
    scrollTo(0, 0);
    await this.updateComplete;
    await this.renderRoot.querySelector<ApLab>("ap-lab")?.focusTitle();
  }

  /**
   * Stores the state in which the open lab is left, without its story: the story may have been edited by the
   * time the reader comes back.
   */
  #leave(): void {
    const { state } = this.#playground;
    if (this.place !== "lab") return;
    this.#leftStates.set(state.view.lab, withoutStory(withView(state, { lesson: undefined })));
  }

  /**
   * Opens another step of the story, with a history entry of its own. Resolves to false when it could not be
   * opened, or when something else was opened meanwhile.
   */
  async #openStep(place: number): Promise<boolean> {
    const { story } = this.#config.view;
    const step = story && stateOfStep(this.#config, story, place);
    if (!step) return false;
    const { config, notices } = step;
    this.#desk.clearLine();
    this.#clearNotices();
    this.#address.push(encode(config));
    this.#showNotices(config, notices);
    return this.#playground.open(config);
  }

  /** The Config with the story that is being edited, so that steps from other labs can be added to it. */
  #withDraft(config: Config): Config {
    const { story, reached } = this.#config.view;
    return this.#isMaking ? withView(config, { story, reached }) : config;
  }

  get #isMaking(): boolean {
    return this.making && this.#config.view.story !== undefined;
  }

  /** Begins a story with the present state, or edits the story that is shown. */
  async #makeStory(): Promise<void> {
    const hasLoaded = await import("./story/maker.js").then(
      () => true,
      () => false,
    );
    this.failedPart = hasLoaded ? null : "story.failed";
    if (!hasLoaded) return;
    this.#clearNotices();
    const { state } = this.#playground;
    const link = linkOf(state);
    if (!state.view.story && !this.#fitsOrNotice(link.length, bounds.storyLink.max)) return;
    if (!state.view.story) this.#playground.setView({ story: [{ words: "", link }] });
    this.making = true;
    await this.updateComplete;
    scrollTo(0, 0);
    await this.renderRoot.querySelector<ApStoryMaker>("ap-story-maker")?.focusText();
  }

  /** Opens the first step of the story and shares it from there. */
  async #shareStory(): Promise<void> {
    if (!(await this.#openStep(0))) return;
    await this.#playground.computing;
    await this.updateComplete;
    await this.#share();
  }

  /** Whether a length is within a limit; shows a notice when it is not. */
  #fitsOrNotice(length: number, most: number): boolean {
    if (length <= most) return true;
    const heading = this.#words("story.too_large");
    const body = this.#words("story.too_large_body", { length, most });
    this.fileNotice = { heading, body, actions: [] };
    return false;
  }

  #changeStory({ steps, at }: StoryChange): void {
    this.#clearNotices();
    const view = { story: steps, reached: at || undefined };
    const { length } = encode(withView(this.#playground.state, view));
    if (this.#fitsOrNotice(length, longestLink)) this.#playground.setView(view);
    else this.renderRoot.querySelector<ApStoryMaker>("ap-story-maker")?.requestUpdate();
  }

  #maker(): TemplateResult | typeof nothing {
    const { story, reached = 0 } = this.#config.view;
    if (!story || !this.#isMaking) return nothing;
    return html`<ap-story-maker
      .words=${this.#words}
      .steps=${story}
      .at=${reached}
      .shown=${linkOf(this.#playground.state)}
      @story-change=${({ detail }: CustomEvent<StoryChange>) => this.#changeStory(detail)}
      @story-go=${(event: CustomEvent<{ place: number }>) => void this.#openStep(event.detail.place)}
      @story-share=${() => void this.#shareStory()}
      @story-done=${() => void this.#readStory()}
    ></ap-story-maker>`;
  }

  /** Ends editing and opens the story at its first step. */
  async #readStory(): Promise<void> {
    this.making = false;
    if (!(await this.#openStep(0))) return;
    await this.updateComplete;
    await this.#lab?.focusTitle();
  }

  #leaveStory(): void {
    this.#clearNotices();
    this.#address.push(encode(withoutStory(this.#playground.state)));
    this.#playground.setView({ story: undefined, reached: undefined });
  }

  async #openContents(part: ContentsPart | "search"): Promise<void> {
    const { pendingConfig } = this.#playground;
    this.#playground.stay();
    if (pendingConfig && this.place === "contents") this.#address.push(contentsHash(this.#config.view));
    if (this.place === "lab") {
      this.#leave();
      this.#address.push(contentsHash(this.#config.view));
      this.#clearNotices();
      this.#showContents();
    }
    await this.updateComplete;
    await customElements.whenDefined("ap-contents");
    await this.renderRoot.querySelector<ApContents>("ap-contents")?.goTo(part);
  }

  #showContents(): void {
    this.place = "contents";
    void this.#fillContents();
  }

  /** Fetches the code of the contents, and computes the map and the examples. */
  async #fillContents(): Promise<void> {
    try {
      const { Gallery } = await import("./map/index.js");
      if (this.failedPart === "contents.failed") this.failedPart = null;
      this.#gallery ??= new Gallery(this.startClient, () => this.requestUpdate());
      void this.#gallery.compute(this.#words);
    } catch {
      this.failedPart = "contents.failed";
    }
  }

  #openingOf(lab: LabId): Config {
    return this.#leftStates.get(lab) ?? openingOf(lab, this.#words.language);
  }

  #readingMissed(): null {
    this.failedPart = "reading.failed";
    // The link keeps the reading that could not be shown.
    this.#address.isHeld = true;
    return null;
  }

  /**
   * Starts a comparison with the present numbers, or ends it. From the contents, it goes back to the lab that
   * is compared.
   */
  readonly #compare = (): void => {
    this.#readings.compare();
    if (this.place === "contents") void this.#go(this.#playground.state);
  };

  /**
   * Opens a dialog. All dialogs are fetched together when the first one is opened; resolves to null, with a
   * notice, when that fails.
   */
  async #dialog<Dialog extends LitElement>(name: "ap-code" | "ap-keys" | "ap-share"): Promise<Dialog | null> {
    const hasLoaded = await import("../elements/dialogs/dialogs.js").then(
      () => true,
      () => false,
    );
    this.failedPart = hasLoaded ? null : "dialog.failed";
    const dialog = hasLoaded ? this.renderRoot.querySelector<Dialog>(name) : null;
    await dialog?.updateComplete;
    return dialog;
  }

  /** On a phone this can also be opened from the contents. */
  readonly #code = async (): Promise<void> => {
    const { place } = this;
    const dialog = await this.#dialog<ApCode>("ap-code");
    if (this.#playground.isReady && this.place === place) dialog?.show();
  };

  readonly #keys = async (): Promise<void> => (await this.#dialog<ApKeys>("ap-keys"))?.show();

  #setView(view: Partial<Pick<View, "lang" | "theme">>): void {
    this.#clearNotices();
    this.#playground.setView(view);
  }

  /** The code that saves and opens files, fetched when first needed. */
  #loadFileTransfer(): Promise<FileTransfer> {
    this.#fileTransfer ??= import("./take/file-transfer.js").then(
      ({ FileTransfer }) => new FileTransfer(this.#transferHost()),
    );
    this.#fileTransfer.catch(() => (this.#fileTransfer = null));
    return this.#fileTransfer;
  }

  /** Calls `use` with the code that saves and opens files, or shows a notice that it could not be fetched. */
  async #withFileTransfer(use: (transfer: FileTransfer) => void): Promise<void> {
    const transfer = await this.#loadFileTransfer().catch(() => null);
    this.failedPart = transfer ? null : "take.failed";
    if (transfer) use(transfer);
  }

  #transferHost(): TransferHost {
    return {
      playground: this.#playground,
      base: this.#address.base,
      words: () => this.#words,
      stage: () => this.renderRoot.querySelector<ApLab>("ap-lab")?.stage ?? null,
      root: this.renderRoot,
      isReading: () => this.#readings.current !== null,
      explain: (node, index) => this.#client.explain(node, index, false),
      computeSeparately: (config) => this.#client.computeSeparately(config),
      file: (node) => this.#client.about("file", node, "npy"),
      checkpoint: (link) => this.#client.about("checkpoint", link),
      openCheckpoint: (config, bytes) => this.#client.ask("openCheckpoint", config, bytes),
      readNpy: (bytes) => this.#client.ask("readNpy", bytes),
      openState: (hash) => void this.#openState(hash),
      edit: (edits) => this.#lab?.acts.editAll(edits),
      useImage: (file) => void this.#useImage(file),
      showNotice: (notice) => {
        this.fileNotice = notice;
        this.imageTrouble = "";
      },
    };
  }

  /** Opens the state that a saved file holds, or that a lab leads to, in the reader's own language and theme. */
  async #openState(hash: string): Promise<void> {
    const { config, notices } = decodeSent(hash);
    await this.#go(config);
    this.#showNotices(config, notices);
  }

  async #useImage(file: File): Promise<void> {
    this.fileNotice = null;
    if (this.place !== "lab" || this.#config.view.lab !== "vit") await this.#go(this.#openingOf("vit"));
    await this.#image(file);
  }

  async #image(file: File): Promise<void> {
    const { numbers } = this.#config;
    if (!("image" in numbers)) return;
    const was = this.#config;
    const reader = await import("./image.js").catch(() => null);
    this.failedPart = reader ? null : "take.failed";
    if (!reader) return;
    const answer = await reader.readImage(numbers, file, this.#words);
    if (this.#config.numbers !== numbers) return;
    this.fileNotice = null;
    this.imageTrouble = "refused" in answer ? answer.refused : "";
    if ("refused" in answer) return;
    this.#playground.setNumbers(answer);
    this.#lab?.reportChange("image", "own", was);
  }

  get #lab(): ApLab | null {
    return this.renderRoot.querySelector<ApLab>("ap-lab");
  }

  get #lesson(): ApLesson | null {
    return this.renderRoot.querySelector<ApLesson>("ap-lesson");
  }

  /** Sets up an exercise of the lesson. */
  async #try(part: string, place: number): Promise<void> {
    const set = this.#desk.try(part, place, this.#config, this.#words);
    if (!set) return;
    if (await this.#openFromLesson(set.config)) await this.#lab?.show(set.play);
  }

  /** Opens a state that the lesson sets up, outside any story. Back leads to the state before it. Resolves to whether it was opened. */
  #openFromLesson(state: Config): Promise<boolean> {
    const config = this.#withDraft(withoutStory(state));
    this.#clearNotices();
    this.#address.push(encode(config));
    return this.#playground.open(config);
  }

  /** Asks a question of the lesson. */
  async #ask(part: string, place: number): Promise<void> {
    const { config: now } = this.#playground;
    const asked = this.#desk.ask(part, place, now, this.#playground.snapshotsOf(now), this.#words);
    if (!asked) return;
    if (!(await this.#openFromLesson(asked))) return;
    await this.#lab?.show(false);
    this.#lab?.note.focusGuess();
  }

  /** The reader reads a paragraph, and the stage goes to its stop; after a link to a paragraph, only once the reader scrolls on. */
  #onRead(anchor: string | null): void {
    if (anchor === null) return this.#lab?.transport.unfollow();
    this.#desk.onRead();
    const isLinked = this.#isAtLinkedParagraph;
    this.#isAtLinkedParagraph = false;
    const [part = "", paragraph] = anchor.split(",");
    const stop = this.#desk.stopOf(part, Number(paragraph));
    if (stop && !isLinked) this.#lab?.transport.follow(stop);
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    const at = event.composedPath()[0];
    if (at instanceof Element && at.closest("input, textarea, select, [contenteditable]")) return;
    void this.#keys();
  };

  get #entriesNow(): EntryLists {
    return this.#entries.of(this.#words, this.#config.view);
  }

  /** The lesson below the lab once it has been fetched, or a notice that it could not be. */
  #lessonBelow(): TemplateResult | typeof nothing {
    const words = this.#words;
    const { lab } = this.#playground.displayedConfig.view;
    if (this.#desk.hasFailed)
      return html`<ap-notice
        slot="lesson"
        .heading=${words("lesson.failed")}
        .body=${""}
        .actions=${[words("notice.retry")]}
        @notice-action=${() => void this.#desk.open(lab, true)}
      ></ap-notice>`;
    const text = this.#desk.text(lab, words);
    if (!text) return nothing;
    return html`<ap-lesson
      slot="lesson"
      .words=${words}
      .lesson=${text}
      .next=${this.#labAfter(lab)}
      .linkTo=${this.#linkTo}
      @lesson-try=${(event: CustomEvent<{ part: string; place: number }>) =>
        void this.#try(event.detail.part, event.detail.place)}
      @lesson-ask=${(event: CustomEvent<{ part: string; place: number }>) =>
        void this.#ask(event.detail.part, event.detail.place)}
      @lesson-restart=${() => this.#desk.restart()}
      @open-lab=${this.#openLab}
    ></ap-lesson>`;
  }

  /** The lab that the end of a lesson leads to; after the last one the first. */
  #labAfter(lab: LabId): NextLab {
    const { labs } = this.#entriesNow;
    return labs[(labs.findIndex(({ id }) => id === lab) + 1) % labs.length]!;
  }

  /** Opens a lab as the reader left it or, if words or a view are given, with these. */
  readonly #openLab = ({ detail }: CustomEvent<LabPlace>): void => {
    const isPlain = detail.view === undefined && detail.tokens === undefined;
    void this.#go(isPlain ? this.#openingOf(detail.lab) : openingAt(detail, this.#words.language));
  };

  readonly #addressOf = (place: LabPlace): string => {
    const { lang, theme } = this.#config.view;
    return `#${encode(withView(openingAt(place, this.#words.language), { lang, theme }))}`;
  };

  /** A link to a place in the lesson. The place is part of the state from then on. */
  readonly #linkTo = (lesson: string): string => {
    this.#playground.setView({ lesson });
    return `${this.#address.base}#${encode(this.#playground.state)}`;
  };

  /** Scrolls, once for each state that is opened, to the place in the lesson that its link names. */
  async #scrollToAnchor(): Promise<void> {
    const lesson = this.#lesson;
    const { openingCount, config, computedConfig } = this.#playground;
    if (!lesson || this.#scrolledOpening === openingCount || computedConfig?.numbers !== config.numbers)
      return;
    this.#scrolledOpening = openingCount;
    if (!config.view.lesson) return;
    await this.#lab?.updateComplete;
    await lesson.updateComplete;
    this.#lab?.uncoverLesson();
    this.#isAtLinkedParagraph = true;
    lesson.scrollToAnchor(config.view.lesson);
  }

  #goInLesson(what: Parameters<ApLesson["goTo"]>[0]): void {
    this.#desk.onRead();
    this.#lab?.uncoverLesson();
    this.#lesson?.goTo(what);
  }

  /** Scrolls to the lesson, once it has been fetched. */
  async #openLesson(): Promise<void> {
    await this.#desk.open(this.#playground.displayedConfig.view.lab);
    await this.updateComplete;
    await this.#lesson?.updateComplete;
    this.#goInLesson("start");
  }

  protected override updated(): void {
    // The lesson is fetched after the numbers, which matter more.
    const { computedConfig } = this.#playground;
    if (this.place === "lab" && computedConfig) void this.#desk.open(computedConfig.view.lab);
    void this.#scrollToAnchor();
    if (this.#numbersSeen || (!computedConfig && !this.#gallery?.results.size)) return;
    this.#numbersSeen = true;
    this.dispatchEvent(new Event("first-numbers"));
  }

  /** Switches to `language`, once its strings have been fetched. */
  #switchLanguage(language: Language): void {
    if (hasStrings(language)) {
      this.#words = wordsIn(language);
      // Some examples have words of their own in each language.
      if (this.place === "contents") void this.#fillContents();
    } else
      void fetchWords(language).then(
        () => this.requestUpdate(),
        () => (this.failedPart = "language.failed"),
      );
  }

  protected override firstUpdated(): void {
    const notices = this.renderRoot.querySelector(".notices");
    if (notices) this.#observer.observe(notices);
  }

  protected override willUpdate(): void {
    const { lang, theme } = this.#config.view;
    const language: Language = preferredLanguage(lang, navigator.languages);
    // When strings could not be fetched, the next fetch waits until the reader does something.
    if (this.#words.language !== language && this.failedPart !== "language.failed")
      this.#switchLanguage(language);
    this.#theme = applyTheme(theme);
    const root = document.documentElement;
    // Setting an attribute to the value it has would restyle the whole page.
    const words = this.#words;
    if (root.lang !== words.language) root.lang = words.language;
    const { displayedConfig, isReady } = this.#playground;
    if (this.place === "lab" && !isReady) return;
    const title =
      this.place === "contents"
        ? words("page.contents")
        : labOf(displayedConfig).title(displayedConfig, words);
    const documentTitle = words("page.title", { title });
    if (document.title !== documentTitle) document.title = documentTitle;
  }

  /**
   * The notices under the header: about the link, the numbers, an image, a part that could not be fetched,
   * and a newer version.
   */
  #noticesNow(): Notice[] {
    const words = this.#words;
    const playground = this.#playground;
    return [
      ...linkNotices(
        [...this.notices, ...this.#unknownFieldNotices],
        {
          link: `${this.#address.base}#${this.#address.hash}`,
          isShown: this.linkShown,
          show: () => (this.linkShown = !this.linkShown),
          reload: reloadNewest,
          dismiss: () => {
            this.#clearNotices();
            this.#address.replace(() => this.#hash());
          },
        },
        words,
      ),
      ...troubleNotices(playground, words, () => void this.#openContents("map")),
      ...storeNotices(this.#desk.ticks.isFull, () => this.#desk.dismissStoreNotice(), words),
      ...imageNotices(this.imageTrouble, () => (this.imageTrouble = ""), words),
      ...(this.failedPart ? [this.#failureNotice(this.failedPart)] : []),
      ...(this.version ? [this.#versionNotice(this.version(words))] : []),
    ];
  }

  /** Heading and body for a part of the page that could not be fetched. */
  #fetchFailure(heading: FetchFailure | "share.failed"): { heading: string; body: string } {
    return { heading: this.#words(heading), body: this.#words("notice.lab_body") };
  }

  /** The contents are opened by their address too, so only they can be fetched from their notice. */
  #failureNotice(failed: FetchFailure): Notice {
    const retry = { label: this.#words("notice.retry"), act: () => void this.#fillContents() };
    return { ...this.#fetchFailure(failed), actions: failed === "contents.failed" ? [retry] : [] };
  }

  #shareNotice(): Notice {
    const retry = { label: this.#words("notice.retry"), act: () => void this.#fillShare() };
    return { ...this.#fetchFailure("share.failed"), actions: [retry] };
  }

  /** Writes the present state to the address before an action, since the action may reload the page. */
  #versionNotice(notice: Notice): Notice {
    const after = (act: () => void) => () => {
      this.#address.flush();
      act();
    };
    return { ...notice, actions: notice.actions.map(({ label, act }) => ({ label, act: after(act) })) };
  }

  async #share(): Promise<void> {
    const dialog = await this.#dialog<ApShare>("ap-share");
    // The reader may have gone elsewhere while the dialog was fetched.
    if (!dialog || !this.#playground.isReady || this.place !== "lab") return;
    this.#address.replace(() => this.#hash());
    this.#address.flush();
    const { state } = this.#playground;
    const { before } = state.view;
    dialog.base = this.#address.base;
    dialog.hash = encode(state);
    dialog.story = state.view.story !== undefined;
    dialog.picture = [state.numbers, before].some((all) => all && "image" in all && "pixels" in all.image);
    dialog.page = null;
    dialog.show();
    void this.#fillShare();
    const { base, hash, words } = dialog;
    const page = await pageFor(state, base, words.language, hash);
    // The dialog may have been opened again for another state.
    if (dialog.hash === hash) dialog.page = page;
  }

  async #savePicture(): Promise<void> {
    const transfer = await this.#loadFileTransfer().catch(() => null);
    await transfer?.saveStage("png");
  }

  /**
   * Fetches the parts of the Share dialog that are loaded separately: the files, and the code for other
   * pages.
   */
  async #fillShare(): Promise<void> {
    const embed = this.renderRoot.querySelector("ap-embed");
    const files = this.renderRoot.querySelector("ap-take-files");
    this.shareFailed = false;
    const missed = (): null => {
      this.shareFailed = true;
      return null;
    };
    const showing = import("./embed/show-embed.js").catch(missed);
    const transfer = await this.#loadFileTransfer().catch(missed);
    if (transfer && files) transfer.showFiles(files);
    const code = await showing;
    if (transfer && code && embed) code.showEmbed(embed, this.#transferHost(), transfer);
  }

  /** The example that the map is drawn from, and its numbers; the same object while they are the same. */
  #modelOfMap(): Model {
    const config = openingOf("encoder-decoder", this.#words.language) as Model["config"];
    const snapshots = this.#gallery?.model ?? noNumbers;
    return this.#model.of([config, snapshots], () => ({ config, snapshots }));
  }

  protected override render(): TemplateResult {
    const words = this.#words;
    const playground = this.#playground;
    const { config } = playground;
    const { lang, theme } = config.view;
    const inLab = this.place === "lab";
    const displayedLab = playground.displayedConfig.view.lab;
    const skip = (event: Event) => {
      event.preventDefault();
      if (inLab) this.renderRoot.querySelector<ApLab>("ap-lab")?.focusTarget();
      else void this.renderRoot.querySelector<ApContents>("ap-contents")?.goTo("map");
    };
    return html`<nav aria-label=${words("page.skip")}>
        <a class="skip" href="#${this.#address.hash}" @click=${skip}>${words("page.skip")}</a>
      </nav>
      <ap-header
        .words=${words}
        .labs=${this.#entriesNow.labs}
        .lab=${inLab ? config.view.lab : null}
        .theme=${this.#theme}
        .comparing=${this.#readings.isComparing}
        .contentsAddress=${`#${contentsHash({ lang, theme })}`}
        @open-lab=${this.#openLab}
        @open-contents=${(event: CustomEvent<LabEvents["open-contents"]>) => void this.#openContents(event.detail.part)}
        @compare-open=${this.#compare}
        @code-open=${this.#code}
        @share-open=${() => void (this.#isMaking ? this.#shareStory() : this.#share())}
        @keys-open=${this.#keys}
        @language-change=${() => this.#setView({ lang: words.language === "en" ? "zh-CN" : "en" })}
        @theme-change=${() => this.#setView({ theme: otherTheme(this.#theme) })}
      ></ap-header>
      <div class="waiting" ?data-on=${playground.isWaiting} role="status">
        ${playground.isWaiting ? html`<span class="unseen">${words("page.computing")}</span>` : nothing}
      </div>
      <div class="notices">${this.#noticesNow().map(noticeElement)}${inLab ? this.#maker() : nothing}</div>
      <div class="told">${this.fileNotice ? noticeElement(this.fileNotice) : nothing}</div>
      <main>
        ${
          inLab && !playground.isReady
            ? nothing
            : inLab
              ? html`<ap-lab
                  .playground=${playground}
                  .revision=${this.revision}
                  .words=${words}
                  .theme=${this.#theme}
                  .onPage=${onPage}
                  .making=${this.#isMaking}
                  .hint=${this.#hint.cell}
                  .reading=${this.#readings.current}
                  .notices=${this.noticesHeight}
                  @reading-stop=${() => this.#readings.stop()}
                  @reading-gradient=${(event: CustomEvent<Cell>) => this.#readings.gradient(event.detail)}
                  .line=${this.#desk.line(words)}
                  .lessonDone=${this.#desk.count(displayedLab)}
                  @lab-act=${(event: CustomEvent<ReportedAct>) => this.#desk.onAct(event.detail)}
                  @lesson-read=${(event: CustomEvent<{ anchor: string | null }>) => this.#onRead(event.detail.anchor)}
                  @lesson-open=${() => void this.#openLesson()}
                  @open-state=${({ detail }: CustomEvent<LabEvents["open-state"]>) => void this.#openState(detail.hash)}
                  @open-lab=${this.#openLab}
                  @open-contents=${(event: CustomEvent<LabEvents["open-contents"]>) => void this.#openContents(event.detail.part)}
                  @line-back=${() => this.#goInLesson(this.#desk.place)}
                  @control-image=${(event: CustomEvent<{ control: string; file: File }>) => void this.#image(event.detail.file)}
                  @story-go=${(event: CustomEvent<{ place: number }>) => void this.#openStep(event.detail.place)}
                  @story-edit=${() => void this.#makeStory()}
                  @story-leave=${() => this.#leaveStory()}
                  @take-open=${(event: CustomEvent<StageEvents["take-open"]>) => void this.#withFileTransfer((transfer) => void transfer.openMenu(event.detail))}
                  ><p slot="shows" class="unseen">${this.#desk.shows(displayedLab, words)}</p>
                  ${this.#lessonBelow()}</ap-lab
                >`
              : html`<ap-contents
                  .words=${words}
                  .labs=${withProgress(this.#entriesNow.labs, (lab) => this.#desk.count(lab))}
                  .examples=${withResults(this.#entriesNow.examples, this.#gallery, words)}
                  .here=${playground.computedConfig ? labOf(playground.computedConfig).title(playground.computedConfig, words) : null}
                  .comparing=${this.#readings.isComparing}
                  .model=${this.#modelOfMap()}
                  .addressOf=${this.#addressOf}
                  @compare-open=${this.#compare}
                  @code-open=${this.#code}
                  .theme=${this.#theme}
                  @open-lab=${this.#openLab}
                  @open-state=${({ detail }: CustomEvent<LabEvents["open-state"]>) => void this.#openState(detail.hash)}
                  @open-example=${(event: CustomEvent<{ example: string }>) => {
                    const example = exampleIn(event.detail.example, words.language);
                    if (example) void this.#go(example);
                  }}
                ></ap-contents>`
        }
      </main>
      <div class="unseen" role="status">${this.#desk.line(words)?.text ?? ""}</div>
      <ap-code
        .words=${words}
        .name=${displayedLab}
        .write=${async (language: ProgramLanguage) => {
          await playground.computing;
          return this.#client.about("program", language);
        }}
      ></ap-code>
      <ap-share
        .words=${words}
        @share-picture=${() => void this.#savePicture()}
        @share-story=${() => void this.#makeStory()}
        ><ap-embed></ap-embed
        ><ap-take-files></ap-take-files
        >${this.shareFailed ? noticeElement(this.#shareNotice()) : nothing}</ap-share
      >
      <ap-keys .words=${words}></ap-keys>`;
  }
}
customElements.define("ap-app", ApApp);
