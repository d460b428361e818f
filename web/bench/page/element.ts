/** ap-bench: the page that times the core, with its header, progress, chart and tables. A worker does the measuring. */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { Build } from "../../core/attention.js";
import { icon } from "../../elements/icons.js";
import { look } from "../../elements/look.js";
import { putOnClipboard } from "../../elements/note/copy.js";
import { preferredLanguage, wordsIn, type Words } from "../../i18n/words.js";
import { contentsHash } from "../../page/contents-address.js";
import { noticeElement } from "../../page/notices.js";
import type { VersionNotice } from "../../page/offline/keep-site.js";
import { applyTheme, onSystemTheme, otherTheme, type Theme } from "../../page/theme.js";
import type { Edited } from "../editing.js";
import type { Result, Start, WorkerMessage } from "../messages.js";
import type { Unreadable } from "../results-link.js";
import { works } from "../works.js";
import {
  addressOf,
  LONGEST_NAME,
  readAddress,
  readLinkedResults,
  resultsHash,
  type AddressOptions,
  type LinkedResults,
} from "./address.js";
import { chart, chartStyle, type Peaks } from "./chart.js";
import { projectedTable } from "./projected.js";
import { publishedSection, publishedStyle } from "./published.js";
import { benchStyle } from "./style.js";
import { editsTable, tablesStyle, worksTable } from "./tables.js";
import { triedList } from "./tried.js";
import { benchWords, speedText, workName, type BenchWords } from "./wording.js";

type State = "ready" | "running" | "stopped" | "done" | "failed";

export class ApBench extends LitElement {
  static override properties = {
    version: { attribute: false },
    state: { state: true },
    messageCount: { state: true },
    addressOptions: { state: true },
    linkedResults: { state: true },
    on: { state: true },
    copied: { state: true },
    run: { state: true },
  };
  static override styles = [look, benchStyle, chartStyle, tablesStyle, publishedStyle];

  createWorker!: () => Worker;
  wasm!: () => Promise<Partial<Record<Build, ArrayBuffer>>>;
  /** The notice about a newer version of the page. */
  declare version: VersionNotice | null;

  declare private state: State;
  /** Counts the messages of the worker. */
  declare private messageCount: number;
  declare private addressOptions: AddressOptions;
  /** The results in the address. */
  declare private linkedResults: LinkedResults | Unreadable | null;
  /** The reader's name for this machine, for a link to its results. */
  declare private on: string;
  /** The link that was copied last. */
  declare private copied: string;
  /** The index of the published run that is shown. */
  declare private run: number;

  #worker: Worker | null = null;
  #results: Result[] = [];
  #edits: Edited[] = [];
  #peaks: Peaks | null = null;
  #next: { id: string; place: number; count: number } | null = null;
  #reason = "";
  #silence: () => void = () => undefined;

  constructor() {
    super();
    this.version = null;
    this.state = "ready";
    this.messageCount = 0;
    this.addressOptions = readAddress(location.hash);
    this.linkedResults = readLinkedResults(location.hash);
    this.on = "";
    this.copied = "";
    this.run = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#silence = onSystemTheme(() => this.requestUpdate());
    addEventListener("hashchange", this.#read);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#silence();
    removeEventListener("hashchange", this.#read);
    this.#end("stopped");
  }

  readonly #read = (): void => {
    this.addressOptions = readAddress(location.hash);
    this.linkedResults = readLinkedResults(location.hash);
  };

  #ask(more: Partial<AddressOptions>): void {
    this.addressOptions = { ...this.addressOptions, ...more };
    const fields = addressOf(this.addressOptions);
    const results =
      this.linkedResults && !("field" in this.linkedResults) ? resultsHash(this.linkedResults) : "";
    const hash = results && fields ? `${results}&${fields.slice(1)}` : results || fields;
    history.replaceState(null, "", hash || location.pathname + location.search);
  }

  #end(state: State): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.state = state;
  }

  #fail(reason: unknown): void {
    this.#reason = reason instanceof Error ? reason.message : String(reason);
    this.#end("failed");
  }

  async #measure(): Promise<void> {
    // Results measured here replace those of the address.
    this.linkedResults = null;
    this.#ask({});
    this.#results = [];
    this.#edits = [];
    this.#peaks = null;
    this.#next = null;
    const worker = this.createWorker();
    this.#worker = worker;
    this.state = "running";
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) =>
      this.#onWorkerMessage(worker, data),
    );
    worker.addEventListener("error", ({ message }) => this.#worker === worker && this.#fail(message));
    try {
      const wasm = await this.wasm();
      const { only, quick } = this.addressOptions;
      const start: Start = { type: "start", wasm, only, quick };
      if (this.#worker === worker) worker.postMessage(start, Object.values(wasm));
    } catch (error) {
      if (this.#worker === worker) this.#fail(error);
    }
  }

  #onWorkerMessage(worker: Worker, told: WorkerMessage): void {
    if (worker !== this.#worker) return;
    this.messageCount += 1;
    if (told.type === "peaks") this.#peaks = told;
    else if (told.type === "next") this.#next = told;
    else if (told.type === "result") this.#results = [...this.#results, told.result];
    else if (told.type === "edits") this.#edits = told.edits;
    else if (told.type === "done") this.#end("done");
    else this.#fail(told.message);
  }

  /** The progress, in a sentence. */
  #status(words: BenchWords): string {
    const n = this.#results.length;
    if (this.state === "failed") return words("failed", { reason: this.#reason });
    if (this.state === "stopped") return words("stopped", { n });
    if (this.state === "done") return words("done", { n });
    if (!this.#next) return words("progress.start");
    const { id, place, count } = this.#next;
    const numbers = { place: place + 1, count };
    return id
      ? words("progress.work", { ...numbers, work: this.#nameOf(words, id) })
      : words("progress.edits", numbers);
  }

  /** GFLOP/s of the faster build, as measured here. */
  #measuredSpeeds(): ReadonlyMap<string, number> {
    return new Map(this.#results.map(({ id, builds: { relaxed, simd } }) => [id, (relaxed ?? simd)!.gflops]));
  }

  #nameOf(words: BenchWords, id: string): string {
    const work = works.find((one) => one.id === id);
    return work ? workName(words, work) : id;
  }

  #header(words: Words, theme: Theme): TemplateResult {
    const home = contentsHash({ lang: this.addressOptions.language, theme: this.addressOptions.theme });
    const themeName = words(theme === "dark" ? "page.theme_to_light" : "page.theme_to_dark");
    return html`<header>
      <a class="mark" href=${`./index.html#${home}`}>${words("page.name")}</a>
      <div class="acts">
        <button
          class="quiet"
          lang=${words.language === "en" ? "zh-CN" : "en"}
          aria-label=${`${words("page.other_language")}, ${words("page.other_language_name")}`}
          @click=${() => this.#ask({ language: words.language === "en" ? "zh-CN" : "en" })}
        >
          ${words("page.other_language")}
        </button>
        <button
          class="quiet"
          aria-label=${themeName}
          title=${themeName}
          @click=${() => this.#ask({ theme: otherTheme(theme) })}
        >
          ${icon(theme === "dark" ? "sun" : "moon")}
        </button>
      </div>
    </header>`;
  }

  #control(words: BenchWords): TemplateResult {
    const running = this.state === "running";
    const act = running ? () => this.#end("stopped") : () => void this.#measure();
    const label = running ? "stop" : this.state === "ready" ? "run" : "again";
    return html`<div class="control">
      <button class="button main" @click=${act}>${words(label)}</button>
      ${
        running
          ? html`<progress
              max=${this.#next?.count ?? 1}
              value=${this.#next?.place ?? 0}
              aria-label=${words("progress.label")}
            ></progress>`
          : nothing
      }
      <p class="status" role="status">${this.state === "ready" ? "" : this.#status(words)}</p>
    </div>`;
  }

  /** The results that were measured here or came with the address. */
  #measured(words: BenchWords, all: Words): TemplateResult {
    const { linkedResults: sent } = this;
    const work = (id: string) => this.#nameOf(words, id);
    if (sent && "field" in sent)
      return html`<p class="wrong" role="alert">${words("sent.wrong", { ...sent })}</p>`;
    if (sent)
      return html`<section aria-labelledby="sent">
          <h2 id="sent">${words(sent.on ? "sent.title" : "sent.title.unnamed", { on: sent.on })}</h2>
          <p>${words("sent.note", { date: sent.date })}</p>
        </section>
        ${this.#charted(words, sent.peaks, sent.results, work)}`;
    const peaks = this.#peaks;
    const edited = this.#edits.filter(({ node }) => node !== null).length;
    return html`${
      peaks && this.#results.length
        ? html`${this.#charted(words, peaks, this.#results, work)}
          ${this.state === "running" ? nothing : this.#linked(words, peaks)}`
        : nothing
    }
    ${
      this.#edits.length
        ? html`<section aria-labelledby="edits">
            <h2 id="edits">${words("edits.title")}</h2>
            <p>${words("edits.note", { n: edited })}</p>
            ${editsTable(words, this.#edits, all.language)}
          </section>`
        : nothing
    }`;
  }

  async #copy(link: string): Promise<void> {
    if (await putOnClipboard(link, this.renderRoot)) this.copied = link;
  }

  /** A link to the results measured here. */
  #linked(words: BenchWords, peaks: Peaks): TemplateResult {
    const date = new Date().toISOString().slice(0, 10);
    const hash = resultsHash({ date, peaks, results: this.#results, on: this.on });
    const link = `${location.origin}${location.pathname}${hash}`;
    return html`<section aria-labelledby="link">
      <h2 id="link">${words("link.title")}</h2>
      <p>${words("link.note")}</p>
      <label class="on"
        >${words("link.on")}
        <input
          maxlength=${LONGEST_NAME}
          .value=${this.on}
          @input=${(event: InputEvent) => (this.on = (event.target as HTMLInputElement).value)}
      /></label>
      <div class="control">
        <button class="button" @click=${() => void this.#copy(link)}>${words("link.copy")}</button>
        <a href=${hash}>${words("link.open")}</a>
        <p class="status" aria-live="polite">${this.copied === link ? words("link.copied") : ""}</p>
      </div>
    </section>`;
  }

  #charted(
    words: BenchWords,
    peaks: Peaks,
    results: readonly Result[],
    work: (id: string) => string,
  ): TemplateResult {
    const simd = speedText(peaks.simd);
    const note =
      peaks.relaxed === null
        ? words("chart.note.one", { simd })
        : words("chart.note", { simd, relaxed: speedText(peaks.relaxed) });
    return html`<section aria-labelledby="chart">
        <h2 id="chart">${words("chart.title")}</h2>
        <p>${note}</p>
        ${peaks.relaxed === null ? html`<p>${words("builds.one")}</p>` : nothing}
        ${chart({ results, peaks, work, build: (one) => words(`build.${one}`) })}
      </section>
      <section aria-labelledby="table">
        <h2 id="table">${words("table.title")}</h2>
        <p>${words("table.note")}</p>
        ${worksTable(words, results, work)}
      </section>`;
  }

  protected override render(): TemplateResult {
    const language = preferredLanguage(this.addressOptions.language, navigator.languages);
    const theme = applyTheme(this.addressOptions.theme);
    const words = wordsIn(language);
    const mine = benchWords(words);
    document.documentElement.lang = language;
    document.title = `${mine("title")} · ${words("page.name")}`;
    return html`${this.#header(words, theme)} ${this.version ? noticeElement(this.version(words)) : nothing}
      <main>
        <h1>${mine("title")}</h1>
        <p class="lede">${mine("lede")}</p>
        <p class="lede">${mine("builds")}</p>
        ${this.#control(mine)} ${this.#measured(mine, words)}
        ${publishedSection(mine, {
          run: this.run,
          choose: (run) => (this.run = run),
          work: (id) => this.#nameOf(mine, id),
        })}
        ${projectedTable(mine, this.#measuredSpeeds(), (id) => this.#nameOf(mine, id))} ${triedList(mine)}
      </main>`;
  }
}
customElements.define("ap-bench", ApBench);
