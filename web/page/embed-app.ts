/** ap-embed: one lab in a small frame of another page. Reads its address once and never writes it; touches no storage. */
import { LitElement, css, html, type TemplateResult } from "lit";
import { decode, encode } from "../config/codec.js";
import type { Config, ConfigNotice } from "../config/config.js";
import { unescaped } from "../config/forms.js";
import { icon } from "../elements/icons.js";
import { look } from "../elements/look.js";
import "../elements/notice.js";
import { embedParts, type EmbedPart } from "../elements/share.js";
import { exampleById } from "../examples/index.js";
import { partOf } from "../labs/part.js";
import { preferredLanguage, wordsIn } from "../i18n/words.js";
import type { Client, StartClient } from "./client.js";
import { readImage } from "./image.js";
import type { ApLab } from "./lab-view.js";
import "./lab-view.js";
import { noticeWords } from "./notice-words.js";
import { labOf } from "./open-lab.js";
import { Playground } from "./playground.js";
import { applyTheme, onSystemTheme } from "./theme.js";

const troubleTitles = {
  refused: "notice.refused",
  died: "notice.died",
  restarted: "notice.died",
  start: "notice.start_failed",
} as const;
const troubleBodies = {
  refused: "notice.refused_body",
  died: "notice.died_body",
  restarted: "notice.restarted_body",
} as const;

/** Of the line round the frame. */
const border = 1;

/** Fields of the frame's own, beside those of the Config. */
interface FrameFields {
  parts: ReadonlySet<EmbedPart>;
  /** The Config's hash without them. */
  hash: string;
}

function readFields(hash: string): FrameFields {
  const fields = hash.split("&");
  const listed = fields.find((field) => field.startsWith("ui="))?.slice("ui=".length);
  const named = listed === undefined ? ["settings", "play", "sum"] : unescaped(listed).split(",");
  const rest = fields.filter((field) => !field.startsWith("ui=") && field !== "theme=auto");
  return { parts: new Set(embedParts.filter((part) => named.includes(part))), hash: rest.join("&") };
}

export class ApEmbed extends LitElement {
  static override properties = {
    startClient: { attribute: false },
    pageAddress: { attribute: false },
    revision: { state: true },
    notices: { state: true },
    trouble: { state: true },
  };
  declare startClient: StartClient;
  /** Where the full page is. */
  declare pageAddress: string;
  declare private revision: number;
  declare private notices: ConfigNotice[];
  declare private trouble: string;

  static override styles = [
    look,
    css`
      :host {
        display: block;
        min-width: 320px;
      }
      main {
        display: flex;
        flex-direction: column;
        box-sizing: border-box;
        min-height: 100vh;
        min-height: 100dvh;
        overflow: hidden;
        border: 1px solid var(--rule);
        border-radius: 6px;
        background: var(--paper);
      }
      .notices {
        display: grid;
        gap: 8px;
      }
      .notices ap-notice {
        margin: 8px 16px 4px;
      }
      .elsewhere {
        display: grid;
        gap: 12px;
        padding: 20px 24px 24px;
      }
      .elsewhere h1 {
        margin: 0;
        font: 600 20px/1.3 var(--serif);
      }
      .elsewhere h1:lang(zh) {
        font-family: var(--sans);
      }
      .elsewhere p {
        max-width: 62ch;
        margin: 0;
        color: var(--ink-2);
      }
      .elsewhere a {
        justify-self: start;
        margin-inline-start: -9px;
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

  #playground!: Playground;
  #start!: Config;
  #fields!: FrameFields;
  #client!: Client;
  #height = 0;
  #observed: Element | null = null;
  #link: { config: Config; href: string } | null = null;
  #silence: () => void = () => undefined;
  readonly #observer = new ResizeObserver(() => this.#report());

  constructor() {
    super();
    this.revision = 0;
    this.notices = [];
    this.trouble = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { href } = location;
    const at = href.indexOf("#");
    this.#fields = readFields(at < 0 ? "" : href.slice(at + 1));
    const { hash } = this.#fields;
    const { config, notices } =
      hash === ""
        ? { config: exampleById("four-words")?.config ?? decode("").config, notices: [] }
        : decode(hash, ["ui"]);
    this.notices = notices;
    this.#start = config;
    this.#client = this.startClient((reason) => this.#playground.restarted(reason));
    this.#playground = new Playground(this.#client, config, () => this.revision++);
    if (!this.#elsewhere) void this.#playground.open(config);
    this.#silence = onSystemTheme(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
    this.#silence();
    this.#client.close();
  }

  /** Whether the numbers need the whole core, which would make a frame twice as large: it is shown by the page alone. */
  get #elsewhere(): boolean {
    return partOf(this.#start) === "transformer";
  }

  protected override async updated(): Promise<void> {
    const lab = this.renderRoot.querySelector<ApLab>("ap-lab");
    const observed = lab ?? this.renderRoot.querySelector(".elsewhere");
    if (observed === this.#observed) return;
    this.#observed = observed;
    await lab?.updateComplete;
    for (const part of this.#content) this.#observer.observe(part);
  }

  /** What the frame is to be as high as. */
  get #content(): HTMLElement[] {
    const lab = this.renderRoot.querySelector<ApLab>("ap-lab");
    return lab ? [...lab.content] : [...this.renderRoot.querySelectorAll<HTMLElement>(".elsewhere")];
  }

  /** Tells the page around how high the frame wants to be: as its content, however high it is now. */
  #report(): void {
    const content = this.#content;
    const height = Math.ceil(content.reduce((sum, part) => sum + part.offsetHeight, 2 * border));
    if (height === this.#height || content.length === 0) return;
    this.#height = height;
    if (parent !== window) parent.postMessage({ type: "attention-playground:height", height }, "*");
  }

  #restart(): void {
    this.trouble = "";
    this.notices = [];
    void this.#playground.open(this.#start);
  }

  async #image(file: File): Promise<void> {
    const { numbers } = this.#playground.config;
    if (!("image" in numbers)) return;
    const answer = await readImage(numbers, file, this.#words);
    if (this.#playground.config.numbers !== numbers) return;
    this.trouble = "refused" in answer ? answer.refused : "";
    if (!("refused" in answer)) this.#playground.setNumbers(answer);
  }

  /** The link to the full page with the reader's present state, encoded anew only when that changed. */
  #linkTo(config: Config): string {
    if (this.#link?.config !== config) this.#link = { config, href: `${this.pageAddress}#${encode(config)}` };
    return this.#link.href;
  }

  get #words() {
    return wordsIn(preferredLanguage(this.#playground.config.view.lang, navigator.languages));
  }

  protected override render(): TemplateResult {
    const words = this.#words;
    const playground = this.#playground;
    const { spoken, config } = playground;
    const theme = applyTheme(config.view.theme);
    const root = document.documentElement;
    if (root.lang !== words.language) root.lang = words.language;
    if (playground.ready)
      document.title = words("embed.title", { title: labOf(spoken).title(spoken, words) });
    const said = this.notices.map((notice) => noticeWords(notice, words));
    const { trouble } = playground;
    // All labs are in this file: what is missed is the whole core, and the link leads to the page that has it.
    if (trouble?.kind === "lab")
      said.push({
        title: words(`contents.lab.${config.view.lab}`),
        body: words("embed.elsewhere"),
      });
    else if (trouble) {
      const { kind, reason } = trouble;
      const body = kind === "start" || !playground.shown ? "notice.start_failed_body" : troubleBodies[kind];
      said.push({ title: words(troubleTitles[kind]), body: words(body, { reason }) });
    }
    if (this.trouble)
      said.push({ title: words("notice.image"), body: words("notice.image_body", { reason: this.trouble }) });
    const link = html`<a
      slot="foot"
      class="quiet"
      target="_blank"
      rel="noopener"
      aria-label=${words("embed.open_name")}
      href=${this.#linkTo(playground.missed ?? config)}
      >${words(this.#elsewhere ? "embed.open_page" : "embed.open")} ${icon("open", 16)}</a
    >`;
    if (this.#elsewhere) {
      const title = words(`contents.lab.${config.view.lab}`);
      document.title = words("embed.title", { title });
      return html`<main>
        <div class="elsewhere">
          <h1>${title}</h1>
          <p>${words("embed.elsewhere")}</p>
          ${link}
        </div>
      </main>`;
    }
    if (!playground.ready) return html`<main></main>`;
    return html`<main>
      <ap-lab
        framed
        .parts=${this.#fields.parts}
        .playground=${playground}
        .revision=${this.revision}
        .words=${words}
        .theme=${theme}
        @lab-restart=${() => this.#restart()}
        @control-image=${(event: CustomEvent<{ file: File }>) => void this.#image(event.detail.file)}
      >
        <div class="notices" slot="notices">
          ${said.map(({ title, body }) => html`<ap-notice .heading=${title} .body=${body}></ap-notice>`)}
        </div>
        ${link}
      </ap-lab>
    </main>`;
  }
}
customElements.define("ap-embed", ApEmbed);
