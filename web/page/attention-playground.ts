/**
 * attention-playground: one lab as an element of another page or of a frame. It writes no address, stores
 * nothing, and shares no style with the page around it.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { encode } from "../config/codec.js";
import type { Config } from "../config/config.js";
import { icon } from "../elements/icons.js";
import { preferredLanguage, wordsIn, type Words } from "../i18n/words.js";
import type { StartClient } from "./client.js";
import { RequestedState, type Opening } from "./element/requested-state.js";
import { ElementEvents } from "./element/events.js";
import { ShownTensors } from "./element/shown-tensors.js";
import { ElementNotices } from "./element/notices.js";
import { PageTheme } from "./element/page-theme.js";
import { ElementSession } from "./element/session.js";
import { elementStyle } from "./element/style.js";
import { framedScene } from "./frame.js";
import { readImage } from "./image.js";
import { Memo } from "./memo.js";
import type { ApLab } from "./lab-view.js";
import "./lab-view.js";
import { noticeElement } from "./notices.js";
import { labOf } from "./open-lab.js";
import { linkedPage } from "./page-address.js";
import type { Cell } from "../marks/board.js";
import type { Playground } from "./playground.js";
import { chosenTheme, onSystemTheme, systemTheme, type Theme } from "./theme.js";

/** Width of the border around the lab, in pixels. */
const border = 1;

/** A tensor as `tensors()` returns it: row-major numbers, and its sizes. */
export interface ElementTensor {
  shape: number[];
  data: Float64Array;
}

/**
 * Attributes, each with a property that may be set at any time: `src` (a link, or the part of one after its
 * #), `ui` (none, minimal, full, or a list of settings, play, sum, formula), `theme` (auto, page, light,
 * dark), `lang`, `only` (names of the tensors to show), `page` (the address of the full page), `loading`
 * (lazy, eager). The attribute `focus`, with the property `focusTensors`, is the older name of `only`.
 * Events: change {src}, after other numbers were computed; cell-focus {tensor, index, value}, when another
 * cell is explained.
 */
export class AttentionPlayground extends LitElement {
  static override properties = {
    src: {},
    ui: {},
    theme: {},
    lang: {},
    only: {},
    focusTensors: { attribute: "focus" },
    page: {},
    loading: {},
  };
  /** Starts the core; set by the script that contains it. */
  static startClient: StartClient;
  /**
   * The address of the full page unless the attribute `page` gives one; when empty, no link to it is shown.
   */
  static pageAddress = "";
  /** How links are opened. The frame that trains opens them in another way. */
  static opening: Opening = { first: "four-words", stateOf: (config) => config };

  declare src: string;
  declare ui: string | null;
  declare theme: string | null;
  declare lang: string;
  declare only: string | null;
  declare focusTensors: string | null;
  declare page: string | null;
  declare loading: string | null;

  static override styles = elementStyle;

  readonly #requested = new RequestedState(this, () => AttentionPlayground.opening);
  readonly #shownTensors = new ShownTensors(this.#requested, () => this.#words);
  readonly #notices = new ElementNotices(this.#shownTensors, () => this.requestUpdate());
  readonly #events = new ElementEvents(this);
  readonly #session = new ElementSession(this, {
    requested: this.#requested,
    shownTensors: this.#shownTensors,
    notices: this.#notices,
    startClient: (...told) => AttentionPlayground.startClient(...told),
    onChange: (playground, kind) => this.#events.report(playground, kind),
  });
  readonly #link = new Memo<string>();
  readonly #pageTheme = new PageTheme(this);
  #stopThemeListener: () => void = () => undefined;

  constructor() {
    super();
    this.src = "";
    this.ui = null;
    this.lang = "";
    this.theme = null;
    this.only = null;
    this.focusTensors = null;
    this.page = null;
    this.loading = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopThemeListener = onSystemTheme((now) => {
      this.requestUpdate();
      if (now) this.performUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopThemeListener();
  }

  protected override firstUpdated(): void {
    this.#events.keepInside(this.renderRoot);
  }

  /**
   * Copies of all tensors of the state that is shown, by name, once they are computed. Rejects with Error
   * when they cannot be computed.
   */
  async tensors(): Promise<Record<string, ElementTensor>> {
    const { trouble, isStale, computedConfig, snapshots } = await this.#session.whenComputed();
    if (trouble && (isStale || !computedConfig)) throw new Error(trouble.reason);
    return Object.fromEntries(
      [...snapshots.values()].map(({ name, shape, data }) => [
        name,
        { shape: [...shape], data: Float64Array.from(data) },
      ]),
    );
  }

  /** The Config with the view the reader has now. */
  get #config(): Config {
    return this.#session.playground?.state ?? this.#requested.state.config;
  }

  /** The theme of the page around the element, used for the theme "page". */
  get pageTheme(): Theme {
    return this.#pageTheme.now;
  }

  /** Returns to the state that `src` asks for; the reader's changes are lost. */
  restore(): void {
    this.#session.reopen();
  }

  /** The text of the state's link after its #, a valid value of `src`. */
  get state(): string {
    return encode(this.#config);
  }

  /** The elements that make up the lab, from top to bottom. */
  get content(): HTMLElement[] {
    return [...(this.renderRoot.querySelector<ApLab>("ap-lab")?.content ?? [])];
  }

  /** The height of the lab when nothing in it is stretched. */
  get contentHeight(): number {
    const { content } = this;
    return content.length ? content.reduce((sum, part) => sum + part.offsetHeight, 2 * border) : 0;
  }

  /** The title and the language that are shown, for a page that holds only this element. */
  get shownTitle(): { language: string; title: string } | null {
    const { playground } = this.#session;
    if (!playground?.isReady) return null;
    const words = this.#words;
    const title = labOf(playground.displayedConfig).title(playground.displayedConfig, words);
    return { language: words.language, title: words("embed.title", { title }) };
  }

  get #words(): Words {
    return wordsIn(preferredLanguage(this.#config.view.lang, navigator.languages));
  }

  async #useImage(file: File): Promise<void> {
    const { playground } = this.#session;
    if (!playground) return;
    const { numbers } = playground.config;
    if (!("image" in numbers)) return;
    const answer = await readImage(numbers, file, this.#words);
    if (playground.config.numbers !== numbers) return;
    this.#notices.image = "refused" in answer ? answer.refused : "";
    if (!("refused" in answer)) playground.setNumbers(answer);
  }

  /**
   * The address of the full page with this state, encoded again only when the state changed; empty when there
   * is no page.
   */
  #pageOf(config: Config): string {
    const page = linkedPage(this.page, AttentionPlayground.pageAddress);
    return page === "" ? "" : `${page}#${this.#link.of([config], () => encode(config))}`;
  }

  /** The link to the full page with the reader's present state. */
  #linkTo(config: Config): TemplateResult | typeof nothing {
    const address = this.#pageOf(config);
    if (address === "") return nothing;
    const words = this.#words;
    return html`<a
      slot="foot"
      class="quiet"
      target="_blank"
      rel="noopener"
      aria-label=${words("embed.open_name")}
      href=${address}
      >${words("embed.open")} ${icon("open", 16)}</a
    >`;
  }

  /** The text that is printed before there are numbers, unless the host page put content into the element. */
  #placeholder(config: Config): TemplateResult {
    const words = this.#words;
    const title = words("embed.title", { title: words(`contents.lab.${config.view.lab}`) });
    const address = this.#pageOf(config);
    return address === "" ? html`${title}` : html`<a href=${address}>${title}</a>`;
  }

  #lab(playground: Playground, theme: Theme | null): TemplateResult {
    const words = this.#words;
    const { focus, parts } = this.#requested;
    const notices = this.#notices.of(playground, words);
    return html`<ap-lab
      framed
      .drawFramed=${framedScene}
      .parts=${parts}
      .focusTensors=${focus}
      .playground=${playground}
      .revision=${this.#session.revision}
      .words=${words}
      .theme=${theme ?? systemTheme()}
      .reading=${this.#session.readings?.current ?? null}
      @reading-stop=${() => this.#session.readings?.stop()}
      @reading-gradient=${(event: CustomEvent<Cell>) => this.#session.readings?.gradient(event.detail)}
      @story-go=${(event: CustomEvent<{ place: number }>) => this.#session.openStep(event.detail.place)}
      @story-leave=${() => playground.setView({ story: undefined, reached: undefined })}
      @lab-restart=${() => this.#session.reopen()}
      @control-image=${(event: CustomEvent<{ file: File }>) => void this.#useImage(event.detail.file)}
    >
      <div class="notices" slot="notices">${notices.map(noticeElement)}</div>
      ${this.#linkTo(this.#config)}
    </ap-lab>`;
  }

  protected override render(): TemplateResult {
    const { playground } = this.#session;
    const config = this.#config;
    const theme = chosenTheme(config.view.theme);
    const empty = !playground?.computedConfig;
    // A lab that frames do not contain leaves the link to the page.
    const isUnavailable = playground?.isReady === false && playground.unavailableConfig !== null;
    return html`<div
        class="root"
        ?data-empty=${empty}
        ?data-unavailable=${isUnavailable}
        lang=${this.#words.language}
        data-theme=${theme ?? nothing}
      >
        ${playground?.isReady ? this.#lab(playground, theme) : nothing}
      </div>
      ${empty ? html`<slot ?data-shown=${isUnavailable}>${this.#placeholder(config)}</slot>` : nothing}`;
  }
}
