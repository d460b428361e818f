/** attention-playground: one lab as an element of another page, or of a frame. It writes no address, keeps nothing, and shares no style with the page around it. */
import { LitElement, css, html, nothing, unsafeCSS, type TemplateResult } from "lit";
import { decode, encode } from "../config/codec.js";
import type { Config, ConfigNotice, View } from "../config/config.js";
import { expecting } from "../config/expected.js";
import { frameFields, partsOf, tensorsOf, type FrameFields } from "../config/frame-fields.js";
import type { Snapshot } from "../core/attention.js";
import { icon } from "../elements/icons.js";
import { look } from "../elements/look.js";
import { exampleById } from "../examples/index.js";
import { preferredLanguage, wordsIn, type Words } from "../i18n/words.js";
import tokens from "../tokens.css?inline";
import type { Client, StartClient } from "./client.js";
import { framedTensors } from "./frame.js";
import { readImage } from "./image.js";
import type { ApLab } from "./lab-view.js";
import "./lab-view.js";
import { noticeWords } from "./notice-words.js";
import { Kept } from "./kept.js";
import { lostCell } from "./lost-cell.js";
import { imageNotices, noticeElement, troubleNotices, type Notice } from "./notices.js";
import { labOf, withView } from "./open-lab.js";
import { Playground, sameCell, valueAt, type Cell, type Change } from "./playground.js";
import { chosenTheme, onSystemTheme, systemTheme } from "./theme.js";

/** Of the line round the lab. */
const border = 1;

/** How far below the window an element starts to compute. */
const near = "600px";

/** A tensor as `tensors()` gives it: row-major numbers, and its sizes. */
export interface ElementTensor {
  shape: number[];
  data: Float64Array;
}

/**
 * Attributes, each with a property that may be set at any time: `src` (a link, or what stands after its #), `ui` (none, minimal, full, or a
 * list of settings, play, sum, formula), `theme` (auto, light, dark), `lang`, `focus` (names of the tensors shown; as a property
 * `focusTensors`, for `focus()` is every element's), `page` (where the full page is), `loading` (lazy, eager).
 * Events: change {src}, after other numbers were computed; cell-focus {tensor, index, value}, when another cell is explained.
 */
export class AttentionPlayground extends LitElement {
  static override properties = {
    src: {},
    ui: {},
    theme: {},
    lang: {},
    focusTensors: { attribute: "focus" },
    page: {},
    loading: {},
    revision: { state: true },
    notices: { state: true },
    imageTrouble: { state: true },
  };
  /** Starts the core; set by the script that carries it. */
  static startClient: StartClient;
  /** Where the full page is, unless `page` says so; empty: no link to it is shown. */
  static pageAddress = "";

  declare src: string;
  declare ui: string | null;
  declare theme: string | null;
  declare lang: string;
  declare focusTensors: string | null;
  declare page: string | null;
  declare loading: string | null;
  declare private revision: number;
  declare private notices: ConfigNotice[];
  declare private imageTrouble: string;

  static override styles = [
    // What the page around sets for its elements ends at .root: its tokens are its own.
    unsafeCSS(tokens.replaceAll(":root", ".root")),
    look,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      :host([hidden]) {
        display: none;
      }
      .root {
        all: initial;
        display: flex;
        flex: 1;
        flex-direction: column;
        box-sizing: border-box;
        container: frame / inline-size;
        direction: ltr;
        width: 100%;
        min-height: 120px;
        overflow: hidden;
        border: 1px solid var(--rule);
        border-radius: 6px;
        background: var(--paper);
        color: var(--ink);
        font: var(--t-ui) / var(--lh-ui) var(--sans);
        -webkit-font-smoothing: antialiased;
      }
      .notices {
        display: grid;
        gap: 8px;
      }
      .notices ap-notice {
        margin: 8px 16px 4px;
      }
      a .icon {
        margin-inline-start: 2px;
      }
      a.quiet {
        text-decoration: underline;
        text-decoration-color: var(--rule-2);
        text-underline-offset: 3px;
      }
    `,
  ];

  #playground: Playground | null = null;
  #client: Client | null = null;
  #start: () => void = () => undefined;
  readonly #started = new Promise<void>((resolve) => (this.#start = resolve));
  /** What was asked for last is opened, or not to be had. */
  #opening: Promise<unknown> = Promise.resolve();
  /** What the link held that was opened last. */
  #sent: Config | null = null;
  /** The attributes that were obeyed last. */
  #obeyed: readonly unknown[] = [];
  /** What was opened, and with which tensors alone, when the first cell was chosen among them. */
  #focused = "";
  /** Tells what a reader pointed at and computed from. */
  #told: { shown: Config | null; cell: Cell | null } = { shown: null, cell: null };
  /** Read once, for a link may be long and a pointer is quick. */
  readonly #kept = {
    fields: new Kept<FrameFields>(),
    focus: new Kept<readonly string[]>(),
    drawn: new Kept<readonly string[]>(),
    link: new Kept<string>(),
  };
  #silence: () => void = () => undefined;
  readonly #nearness = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.#begin(),
    { rootMargin: near },
  );

  constructor() {
    super();
    this.src = "";
    this.ui = null;
    this.lang = "";
    this.theme = null;
    this.focusTensors = null;
    this.page = null;
    this.loading = null;
    this.revision = 0;
    this.notices = [];
    this.imageTrouble = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#silence = onSystemTheme(() => this.requestUpdate());
    if (this.loading === "eager" || this.#playground) this.#begin();
    else this.#nearness.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#nearness.disconnect();
    this.#silence();
    // One that is only moved goes on.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#client?.close();
      this.#client = null;
    });
  }

  /** All tensors of the state that is shown, by name, once it is computed: copies. Rejects with Error when it cannot be computed. */
  async tensors(): Promise<Record<string, ElementTensor>> {
    if (!this.#playground && this.isConnected) this.#begin();
    await this.#started;
    const playground = await this.#settled();
    const { trouble } = playground;
    if (trouble && (playground.standsBack || !playground.shown)) throw new Error(trouble.reason);
    return Object.fromEntries(
      [...playground.snapshots.values()].map(({ name, shape, data }: Snapshot) => [
        name,
        { shape: [...shape], data: Float64Array.from(data) },
      ]),
    );
  }

  /** Resolves when nothing that was asked for is computed any more. */
  async #settled(): Promise<Playground> {
    for (;;) {
      await this.updateComplete;
      const opening = this.#opening;
      await opening;
      const playground = this.#playground!;
      const { computing } = playground;
      await computing;
      if (playground === this.#playground && opening === this.#opening && computing === playground.computing)
        return playground;
    }
  }

  /** The text of a state's link, after the #: what `src` may be set to. */
  get state(): string {
    return encode(this.#playground?.config ?? this.#opened().config);
  }

  /** What stands in the lab, from top to bottom. */
  get content(): HTMLElement[] {
    return [...(this.renderRoot.querySelector<ApLab>("ap-lab")?.content ?? [])];
  }

  /** How high it is when nothing is stretched. */
  get contentHeight(): number {
    const { content } = this;
    return content.length ? content.reduce((sum, part) => sum + part.offsetHeight, 2 * border) : 0;
  }

  /** The words and the title that are shown, for a page that has nothing else. */
  get shownTitle(): { language: string; title: string } | null {
    const playground = this.#playground;
    if (!playground?.ready) return null;
    const words = this.#words;
    const title = labOf(playground.spoken).title(playground.spoken, words);
    return { language: words.language, title: words("embed.title", { title }) };
  }

  /** Starts to compute, or again after it was taken out of the page. */
  #begin(): void {
    if (this.#client) return;
    this.#nearness.disconnect();
    this.#client = AttentionPlayground.startClient(
      (reason) => playground.restarted(reason),
      (silent) => playground.silent(silent),
    );
    const { config: asked, notices } = this.#opened();
    // What the reader made of it stays, unless something else is asked for meanwhile.
    const before = this.#obeyed[0] === this.src ? this.#playground?.config : undefined;
    const config = before ? withView(before, this.#asked(asked.view)) : asked;
    this.notices = notices;
    this.#sent = asked;
    this.#obey();
    const playground = new Playground(this.#client, config, (kind) => this.#changed(kind));
    this.#playground = playground;
    this.#opening = playground.open(config);
    this.#start();
  }

  /** The state that the attributes ask for. */
  #opened(): { config: Config; notices: ConfigNotice[] } {
    const { link } = this.#fields;
    const { config, notices } =
      link === ""
        ? { config: exampleById("four-words")?.config ?? decode("").config, notices: [] }
        : decode(link);
    return { config: withView(config, this.#asked(config.view)), notices };
  }

  /** Of `src`, which may be the address of a frame. An attribute that is taken away is null. */
  get #fields(): FrameFields {
    const src = (this.src as string | null) ?? "";
    return this.#kept.fields.of([src], () => frameFields(src.slice(src.indexOf("#") + 1)));
  }

  /** Theme and language: of the attributes, else of the link. */
  #asked(view: View): Pick<View, "theme" | "lang"> {
    const theme = this.theme === "light" || this.theme === "dark" ? this.theme : null;
    const language = /^zh\b/i.test(this.lang ?? "") ? "zh-CN" : /^en\b/i.test(this.lang ?? "") ? "en" : null;
    return { theme: this.theme === "auto" ? null : (theme ?? view.theme), lang: language ?? view.lang };
  }

  #changed(kind: Change): void {
    this.revision++;
    const playground = this.#playground;
    if (!playground) return;
    this.#keepFocus(playground);
    const { shown, cell, snapshots } = playground;
    if (kind === "state" && shown !== this.#told.shown) {
      this.#told.shown = shown;
      const config = playground.drawn ?? playground.config;
      this.#tell("change", {
        get src() {
          return `#${encode(config)}`;
        },
      });
    }
    if (cell && !sameCell(cell, this.#told.cell) && snapshots.has(cell.node)) {
      this.#told.cell = cell;
      const { node: tensor, index } = cell;
      this.#tell("cell-focus", { tensor, index: [...index], value: valueAt(snapshots.get(tensor), index) });
    }
  }

  /** Of tensors shown alone, one has the cell that is explained first; the note may lead to others. */
  #keepFocus(playground: Playground): void {
    const focus = this.#focus;
    const asked = `${playground.openings} ${focus.join()}`;
    const { shown, config } = playground;
    if (asked === this.#focused || shown?.numbers !== config.numbers) return;
    const { cell, snapshots } = playground;
    const first = snapshots.get(focus.find((name) => this.#drawn(playground).includes(name)) ?? "");
    if (!first || !cell) return;
    this.#focused = asked;
    if (!focus.includes(cell.node)) playground.target({ node: first.name, index: first.shape.map(() => 0) });
  }

  #tell(name: "change" | "cell-focus", detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  protected override firstUpdated(): void {
    for (const name of inner) this.renderRoot.addEventListener(name, keepInside);
  }

  protected override willUpdate(): void {
    if (!this.#playground && this.loading === "eager" && this.isConnected) this.#begin();
    // Out of the page nothing is computed: what is asked for there is opened when it comes back.
    if (!this.#playground || !this.#client) return;
    const [src, theme, lang] = this.#obeyed;
    if (this.src !== src) this.#reopen();
    else if (this.theme !== theme || this.lang !== lang)
      this.#playground.setView(this.#asked(this.#opened().config.view));
    this.#obey();
    this.#keepFocus(this.#playground);
  }

  #obey(): void {
    this.#obeyed = [this.src, this.theme, this.lang];
  }

  /** Back to what the attributes ask for. */
  #reopen(): void {
    const { config, notices } = this.#opened();
    this.imageTrouble = "";
    this.notices = notices;
    this.#sent = config;
    if (this.#playground) this.#opening = this.#playground.open(config);
  }

  async #image(file: File): Promise<void> {
    const playground = this.#playground;
    if (!playground) return;
    const { numbers } = playground.config;
    if (!("image" in numbers)) return;
    const answer = await readImage(numbers, file, this.#words);
    if (playground.config.numbers !== numbers) return;
    this.imageTrouble = "refused" in answer ? answer.refused : "";
    if (!("refused" in answer)) playground.setNumbers(answer);
  }

  /** The link to the full page with the reader's present state, encoded anew only when that changed. */
  #linkTo(config: Config): TemplateResult | typeof nothing {
    const page = this.page ?? AttentionPlayground.pageAddress;
    if (page === "") return nothing;
    const state = this.#kept.link.of([config], () => encode(config));
    const words = this.#words;
    return html`<a
      slot="foot"
      class="quiet"
      target="_blank"
      rel="noopener"
      aria-label=${words("embed.open_name")}
      href="${page}#${state}"
      >${words("embed.open")} ${icon("open", 16)}</a
    >`;
  }

  /** The tensors that are shown alone; none: all are shown. */
  get #focus(): readonly string[] {
    const focus = this.focusTensors ?? this.#fields.focus;
    return this.#kept.focus.of([focus], () => tensorsOf(focus));
  }

  /** The tensors that may be shown alone. */
  #drawn({ drawn, snapshots }: Playground): readonly string[] {
    const words = this.#words;
    return this.#kept.drawn.of([drawn?.numbers, snapshots, words.language], () =>
      drawn ? framedTensors(drawn, snapshots, words) : [],
    );
  }

  /** What is to say of tensors that were to be shown alone and are not drawn. */
  #lostFocus(playground: Playground): ConfigNotice[] {
    const focus = this.#focus;
    if (!focus.length || !playground.drawn) return [];
    const drawn = this.#drawn(playground);
    const lost = focus.filter((name) => !drawn.includes(name));
    if (!lost.length) return [];
    const used = focus.filter((name) => drawn.includes(name)).join();
    return [
      {
        kind: "field",
        field: "focus",
        given: focus.join(),
        expected: expecting("choice", { options: drawn.join(", ") }),
        ...(used && { actual: lost.join(", "), used }),
      },
    ];
  }

  get #words(): Words {
    return wordsIn(preferredLanguage(this.#playground?.config.view.lang ?? null, navigator.languages));
  }

  /** Of the link, of the attributes, of the numbers, of an image. */
  #said(playground: Playground, words: Words): Notice[] {
    const notices = [...this.notices, ...lostCell(this.#sent, playground), ...this.#lostFocus(playground)];
    const linked = notices.map((notice) => noticeWords(notice, words));
    return [
      ...linked.map(({ title, body }) => ({ heading: title, body, actions: [] })),
      ...troubleNotices(playground, words),
      ...imageNotices(this.imageTrouble, () => (this.imageTrouble = ""), words),
    ];
  }

  protected override render(): TemplateResult {
    const playground = this.#playground;
    if (!playground?.ready)
      return html`<div
        class="root"
        data-theme=${chosenTheme(this.#asked(this.#opened().config.view).theme) ?? nothing}
      ></div>`;
    const words = this.#words;
    const theme = chosenTheme(playground.config.view.theme);
    return html`<div class="root" lang=${words.language} data-theme=${theme ?? nothing}>
      <ap-lab
        framed
        .parts=${partsOf(this.ui ?? this.#fields.ui)}
        .focusTensors=${this.#focus}
        .playground=${playground}
        .revision=${this.revision}
        .words=${words}
        .theme=${theme ?? systemTheme()}
        @lab-restart=${() => this.#reopen()}
        @control-image=${(event: CustomEvent<{ file: File }>) => void this.#image(event.detail.file)}
      >
        <div class="notices" slot="notices">${this.#said(playground, words).map(noticeElement)}</div>
        ${this.#linkTo(playground.config)}
      </ap-lab>
    </div>`;
  }
}

/** Events of the elements inside are no author's. */
const inner = ["cell-focus", "play", "pause", "step", "back", "go", "time"];
const keepInside = (event: Event): void => event.stopPropagation();
