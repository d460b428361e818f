/**
 * ap-contents: the way into the page: the map of the model, the five documents, the labs as chapters, and the
 * examples with computed thumbnails. DESIGN.md, section 11.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { labGlyph } from "../../elements/glyph.js";
import type { LabEntry } from "../../elements/header.js";
import { icon } from "../../elements/icons.js";
import { look } from "../../elements/look.js";
import { openInPage } from "../../elements/page-link.js";
import "../../elements/thumbnail.js";
import type { Thumbnail } from "../../elements/thumbnail.js";
import type { DocumentId } from "../../examples/index.js";
import type { Words } from "../../i18n/words.js";
import type { ClaimLink } from "../../labs/training/claim-links.js";
import { Memo } from "../memo.js";
import type { LabPlace } from "../openings.js";
import { contentsLook } from "./contents-look.js";
import { documentIds, matchesOf } from "./documents.js";
import "./map.js";
import type { Shown } from "./map.js";
import { tellingCell, wordsOf, type Model } from "./model.js";
import "./note.js";
import "./search.js";
import type { ApSearch } from "./search.js";
import { mapWords, type MapWords } from "./words.js";

/** An example in the contents. `result` is null until it is computed. */
export interface ExampleEntry {
  id: string;
  title: string;
  subtitle: string;
  /** The document that the example comes from, in words. */
  source: string;
  /** The documents of the five that it comes from. */
  documents: readonly DocumentId[];
  /** The number of printed numbers of its source. */
  printed: number;
  address: string;
  result: { thumbnails: Thumbnail[]; matched: number; total: number; error: string } | null;
}

/** The parts of the contents; on a phone one at a time is shown. */
const parts = ["map", "labs", "documents", "examples"] as const;
export type ContentsPart = (typeof parts)[number];

const phone = "(max-width: 767px)";

/** Events: open-lab {lab, view, tokens}, open-example {example}, open-state {hash}; on a phone compare-open {} and code-open {}. */
export class ApContents extends LitElement {
  static override properties = {
    words: { attribute: false },
    labs: { attribute: false },
    examples: { attribute: false },
    theme: { attribute: false },
    here: { attribute: false },
    comparing: { attribute: false },
    model: { attribute: false },
    addressOf: { attribute: false },
    openPart: { state: true },
    shown: { state: true },
    isPhone: { state: true },
    claimLinks: { state: true },
    claimsFailed: { state: true },
  };
  declare words: Words;
  declare labs: LabEntry[];
  declare examples: ExampleEntry[];
  declare theme: "light" | "dark";
  /**
   * The title of the lab the reader came from, or null. On a phone its section holds the buttons that do not
   * fit in the header.
   */
  declare here: string | null;
  declare comparing: boolean;
  declare model: Model;
  /** The address of a lab, at a place of its own if one is given. */
  declare addressOf: (place: LabPlace) => string;
  declare private openPart: ContentsPart;
  /** What the reader pointed at last; null until then. */
  declare private shown: Shown | null;
  declare private isPhone: boolean;
  /** The claims about training in a language; null until they are fetched. */
  declare private claimLinks: ((words: Words) => ClaimLink[]) | null;
  declare private claimsFailed: boolean;

  static override styles = [look, contentsLook];

  readonly #phone = matchMedia(phone);
  readonly #claimsShown = new Memo<ClaimLink[]>();

  constructor() {
    super();
    this.labs = [];
    this.examples = [];
    this.theme = "light";
    this.here = null;
    this.comparing = false;
    this.openPart = "map";
    this.shown = null;
    this.isPhone = this.#phone.matches;
    this.claimLinks = null;
    this.claimsFailed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#phone.addEventListener("change", this.#resize);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#phone.removeEventListener("change", this.#resize);
  }

  readonly #resize = (): void => {
    this.isPhone = this.#phone.matches;
  };

  /** Shows a part and moves the focus to it. */
  async goTo(part: ContentsPart | "search"): Promise<void> {
    this.openPart = part === "search" ? "map" : part;
    await this.updateComplete;
    if (part === "search") {
      window.scrollTo(0, 0);
      return this.renderRoot.querySelector<ApSearch>("ap-search")?.begin();
    }
    const heading = this.renderRoot.querySelector<HTMLElement>(`#${part}`);
    heading?.focus({ preventScroll: true });
    if (part === "map" || this.isPhone) window.scrollTo(0, 0);
    else heading?.scrollIntoView({ block: "nearest" });
  }

  /** What the note is about: at first a weight of the cross attention. */
  get #shownNow(): Shown {
    const block = "decoder.cross";
    return this.shown ?? { block, cell: tellingCell(block, this.model) };
  }

  private done({ done, count }: NonNullable<LabEntry["done"]>): TemplateResult {
    const all = done === count;
    return html`<span class="done ${all ? "all" : ""}"
      >${all ? icon("check", 16) : nothing}${this.words("lesson.count", { done, count })}</span
    >`;
  }

  private match(result: NonNullable<ExampleEntry["result"]>): TemplateResult | typeof nothing {
    const { words } = this;
    if (result.error)
      return html`<div class="match not">${words("contents.unread", { reason: result.error })}</div>`;
    if (result.total === 0) return nothing;
    const { matched, total } = result;
    return matched === total
      ? html`<div class="match">${icon("check", 16)}${words("contents.matched", { total })}</div>`
      : html`<div class="match not">${words("contents.unmatched", { matched, total })}</div>`;
  }

  /** What the model is, as one sentence; its numbers are those of the tensors. */
  #sentence(strings: MapWords): string {
    const { config, snapshots } = this.model;
    const source = config.numbers.tokens.join(" ");
    const weights = snapshots.get("encoder.self_attn.weights");
    if (!weights) return strings("reads", { source });
    const target = wordsOf(this.model).predicted.filter((word) => word !== "<end>");
    const layers = new Set([...snapshots.keys()].flatMap((name) => /^encoder\.layers\.\d+/.exec(name) ?? []));
    return strings("sentence", {
      source,
      target: target.join(" "),
      layers: layers.size,
      heads: weights.shape[0]!,
      width: snapshots.get("source.embedded")!.shape[1]!,
      steps: config.numbers.trained,
    });
  }

  #tabs(strings: MapWords): TemplateResult {
    const choose = (part: ContentsPart) => () => {
      this.openPart = part;
    };
    const move = (event: KeyboardEvent): void => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const place = (parts.indexOf(this.openPart) + step + parts.length) % parts.length;
      this.openPart = parts[place]!;
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus(),
      );
    };
    return html`<div class="tabs" role="tablist" aria-label=${strings("tabs")} @keydown=${move}>
      ${parts.map(
        (part) =>
          html`<button
            role="tab"
            aria-selected=${part === this.openPart ? "true" : "false"}
            aria-controls="part-${part}"
            tabindex=${part === this.openPart ? 0 : -1}
            @click=${choose(part)}
          >
            ${strings(`tab.${part}`)}
          </button>`,
      )}
    </div>`;
  }

  #search(): TemplateResult {
    return html`<ap-search
      .words=${this.words}
      .isPhone=${this.isPhone}
      @open-document=${(event: CustomEvent<{ document: DocumentId }>) => void this.#openDocument(event.detail.document)}
    ></ap-search>`;
  }

  /** Goes to a document and opens the list of its examples. */
  async #openDocument(id: DocumentId): Promise<void> {
    this.openPart = "documents";
    await this.updateComplete;
    const details = this.renderRoot.querySelector<HTMLDetailsElement>(`#document-${id}`)!;
    details.open = true;
    details.querySelector("summary")!.focus();
  }

  #note(): TemplateResult {
    return html`<ap-block-note
      ?sheet=${this.isPhone}
      .words=${this.words}
      .theme=${this.theme}
      .model=${this.model}
      .labs=${this.labs}
      .shown=${this.#shownNow}
      .addressOf=${this.addressOf}
    ></ap-block-note>`;
  }

  #map(strings: MapWords): TemplateResult {
    return html`<section
      class="part map"
      id="part-map"
      ?data-on=${this.openPart === "map"}
      aria-labelledby="map"
    >
      <div class="head">
        ${this.isPhone ? nothing : html`<h1 id="map" tabindex="-1">${strings("title")}</h1>`}
        <p class="lede">${strings(this.isPhone ? "lede.narrow" : "lede")}</p>
        <p class="sentence">${this.#sentence(strings)}</p>
      </div>
      ${this.isPhone ? nothing : this.#search()}
      <ap-map
        .words=${this.words}
        .theme=${this.theme}
        .model=${this.model}
        .labs=${this.labs}
        .shown=${this.#shownNow}
        .tapShows=${this.isPhone}
        .addressOf=${this.addressOf}
        @block-show=${(event: CustomEvent<Shown>) => {
          this.shown = event.detail;
        }}
      ></ap-map>
      <aside class="side" aria-label=${strings("note.about")}>${this.#note()}</aside>
    </section>`;
  }

  #labs(): TemplateResult {
    return html`<section
      class="part"
      id="part-labs"
      ?data-on=${this.openPart === "labs"}
      aria-labelledby="labs"
    >
      <h2 id="labs" tabindex="-1">${this.words("contents.labs")}</h2>
      <ol class="labs">
        ${this.labs.map(
          (lab) =>
            html`<li>
              <a
                href=${lab.address}
                @click=${(event: MouseEvent) => openInPage(event, "open-lab", { lab: lab.id })}
              >
                <span class="number">${lab.chapter}</span>
                <span><strong>${lab.title}</strong><span class="says">${lab.subtitle}</span></span>
                ${lab.done ? this.done(lab.done) : nothing} ${labGlyph(lab.glyph)}
              </a>
            </li>`,
        )}
      </ol>
    </section>`;
  }

  #documents(strings: MapWords): TemplateResult {
    return html`<section
      class="part"
      id="part-documents"
      ?data-on=${this.openPart === "documents"}
      aria-labelledby="documents"
    >
      <h2 id="documents" tabindex="-1">${strings("documents")}</h2>
      <p class="column">${strings("documents.head")}</p>
      <ul class="documents">
        ${documentIds.map((id) => {
          const examples = this.examples.filter(({ documents }) => documents.includes(id));
          return html`<li>
            <details id="document-${id}">
              <summary>
                <span class="number">${id}</span>
                <span
                  >${strings(`document.${id}`)}
                  <span class="says">${strings(`document.kind.${id}`)}</span></span
                >
                ${this.#matches(examples, strings)}
              </summary>
              <ul>
                ${examples.map(
                  (example) =>
                    html`<li>
                      ${this.#exampleLink(
                        example,
                        html`<strong>${example.title}</strong> <span class="says">${example.subtitle}</span>`,
                      )}
                      ${example.result ? this.match(example.result) : nothing}
                    </li>`,
                )}
              </ul>
            </details>
          </li>`;
        })}
        <li>${this.#claims(strings)}</li>
      </ul>
    </section>`;
  }

  /** The claims about training, which are fetched when their list is opened. */
  #claims(strings: MapWords): TemplateResult {
    const { words, claimLinks } = this;
    const open = async ({ currentTarget }: Event): Promise<void> => {
      if (!(currentTarget as HTMLDetailsElement).open || this.claimLinks) return;
      try {
        this.claimLinks = (await import("../../labs/training/claim-links.js")).claimLinks;
        this.claimsFailed = false;
      } catch {
        this.claimsFailed = true;
      }
    };
    return html`<details id="claims" @toggle=${open}>
      <summary>
        <span class="number">${this.labs.find(({ id }) => id === "training")?.chapter}</span>
        <span>${strings("search.claims")} <span class="says">${strings("claims.about")}</span></span>
      </summary>
      ${this.claimsFailed ? html`<p role="status">${strings("claims.failed")}</p>` : nothing}
      <ul>
        ${this.#claimsShown
          .of([words, claimLinks], () => claimLinks?.(words) ?? [])
          .map(
            ({ sentence, verdict, holds, link }) =>
              html`<li>
                <a
                  href="#${link}"
                  @click=${(event: MouseEvent) => openInPage(event, "open-state", { hash: link })}
                  ><strong>${sentence}</strong></a
                >
                <div class="match ${holds ? "" : "mixed"}">
                  ${holds ? icon("check", 16) : nothing}${verdict}
                </div>
              </li>`,
          )}
      </ul>
    </details>`;
  }

  /** How many of the printed numbers of a document match, once all are computed. */
  #matches(examples: readonly ExampleEntry[], strings: MapWords): TemplateResult | typeof nothing {
    const { total, matched, isComplete } = matchesOf(examples);
    if (total === 0) return html`<span class="matches says">${strings("documents.none")}</span>`;
    if (!isComplete) return html`<span class="matches says">${total}</span>`;
    const all = matched === total;
    return html`<span
      class="matches ${all ? "all" : "not"}"
      title=${strings("documents.matched_long", { matched, total })}
      >${all ? icon("check", 16) : nothing}${strings("documents.matched", { matched, total })}</span
    >`;
  }

  #exampleLink(example: ExampleEntry, content: TemplateResult): TemplateResult {
    return html`<a
      href=${example.address}
      @click=${(event: MouseEvent) => openInPage(event, "open-example", { example: example.id })}
      >${content}</a
    >`;
  }

  #examples(): TemplateResult {
    return html`<section
      class="part wide"
      id="part-examples"
      ?data-on=${this.openPart === "examples"}
      aria-labelledby="examples"
    >
      <h2 id="examples" tabindex="-1">${this.words("contents.examples")}</h2>
      <ul class="examples">
        ${this.examples.map(
          (example) =>
            html`<li>
              ${this.#exampleLink(
                example,
                html`<div class="picture" aria-hidden="true">
                    ${(example.result?.thumbnails ?? []).map(
                      (thumbnail) =>
                        html`<ap-thumbnail .thumbnail=${thumbnail} .theme=${this.theme}></ap-thumbnail>`,
                    )}
                  </div>
                  <strong>${example.title}</strong>
                  <span class="says">${example.subtitle}</span>
                  <span class="source">${example.source}</span>
                  ${example.result ? this.match(example.result) : nothing}`,
              )}
            </li>`,
        )}
      </ul>
    </section>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words } = this;
    if (!words) return nothing;
    const strings = mapWords(words);
    const send = (name: string) => () =>
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }));
    return html`${
        this.here === null
          ? nothing
          : html`<section class="here" aria-labelledby="here">
              <h2 id="here">${this.here}</h2>
              <button class="button" @click=${send("compare-open")}>
                ${words(this.comparing ? "compare.stop" : "page.compare")}
              </button>
              <button class="button" aria-haspopup="dialog" @click=${send("code-open")}>
                ${words("page.code")}
              </button>
            </section>`
      }
      ${
        // On a phone every part is under the title, which is said and not shown.
        this.isPhone
          ? html`<h1 id="map" class="unseen" tabindex="-1">${strings("title")}</h1>
              ${this.#search()} ${this.#tabs(strings)}`
          : nothing
      }
      ${this.#map(strings)}
      <div class="below">
        <div class="narrow">${this.#documents(strings)} ${this.#labs()}</div>
        ${this.#examples()}
      </div>
      <p class="bench">
        <a href="bench.html#lang=${words.language}&theme=${this.theme}">${words("contents.bench")}</a>
        <a href="licenses.txt">${words("contents.licenses")}</a>
      </p>`;
  }
}
customElements.define("ap-contents", ApContents);
