/**
 * ap-contents: the contents page: labs as chapters, and examples with computed thumbnails. DESIGN.md, section
 * 11.
 */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Words } from "../i18n/words.js";
import type { LabEntry } from "./header.js";
import "./thumbnail.js";
import type { Thumbnail } from "./thumbnail.js";
import { icon } from "./icons.js";
import { look } from "./look.js";
import { openInPage } from "./page-link.js";

/** An example in the contents. `result` is null until it is computed. */
export interface ExampleEntry {
  id: string;
  title: string;
  subtitle: string;
  /** The document that the example comes from. */
  source: string;
  address: string;
  result: { thumbnails: Thumbnail[]; matched: number; total: number; error: string } | null;
}

/** Events: open-lab {lab}, open-example {example}; on a phone compare-open {} and code-open {}. */
export class ApContents extends LitElement {
  static override properties = {
    words: { attribute: false },
    labs: { attribute: false },
    examples: { attribute: false },
    theme: { attribute: false },
    here: { attribute: false },
    comparing: { attribute: false },
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

  static override styles = [
    look,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 460px) minmax(0, 1fr);
        gap: 0 72px;
        max-width: 1180px;
        margin: 0 auto;
        padding: 36px 24px 60px;
      }
      h2 {
        margin: 0 0 14px;
        font: 600 22px/1.3 var(--serif);
      }
      h2:lang(zh) {
        font-family: var(--sans);
      }
      h2:focus-visible {
        outline-offset: 4px;
      }
      ol,
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        border-top: 1px solid var(--rule);
      }
      a {
        display: block;
        text-decoration: none;
      }
      .labs a {
        display: grid;
        grid-template-columns: 30px 1fr auto;
        align-items: baseline;
        padding: 9px 0;
      }
      .done {
        display: flex;
        gap: 4px;
        color: var(--ink-3);
        font-size: 12.5px;
        white-space: nowrap;
      }
      .done.all {
        color: var(--match);
      }
      .number {
        color: var(--ink-3);
        font: 15px/1.3 var(--serif);
      }
      strong {
        display: block;
        font-weight: 600;
      }
      .labs strong {
        font: 600 16.5px/1.3 var(--serif);
      }
      .labs strong:lang(zh) {
        font: 600 15.5px/1.5 var(--sans);
      }
      a:hover strong {
        text-decoration: underline;
        text-underline-offset: 3px;
      }
      .says {
        color: var(--ink-2);
        font-size: 13.5px;
      }
      .source {
        display: block;
        color: var(--ink-3);
        font-size: 12.5px;
        line-height: 1.4;
      }
      .bench {
        grid-column: 1 / -1;
        margin: 40px 0 0;
        padding-top: 12px;
        border-top: 1px solid var(--rule);
        font-size: 13.5px;
      }
      .bench a {
        display: inline;
        text-decoration: underline;
        text-underline-offset: 3px;
      }
      .examples {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 26px 32px;
      }
      .examples li {
        padding-top: 12px;
      }
      .picture {
        display: flex;
        align-items: center;
        gap: 12px;
        height: 96px;
        margin-bottom: 8px;
        overflow: hidden;
      }
      .examples strong {
        font-size: 15px;
      }
      .match {
        display: flex;
        align-items: center;
        gap: 4px;
        margin-top: 4px;
        color: var(--match);
        font-size: 12.5px;
        overflow-wrap: anywhere;
      }
      .match.not {
        color: var(--notice);
      }
      .here {
        display: none;
      }
      @media (max-width: 1023px) {
        :host {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr);
          gap: 0 40px;
        }
        .examples {
          grid-template-columns: minmax(0, 1fr);
        }
      }
      @media (max-width: 767px) {
        :host {
          display: block;
          padding: 20px 16px 40px;
        }
        h2 {
          margin-top: 28px;
        }
        .here {
          display: flex;
          flex-wrap: wrap;
          gap: 8px;
          align-items: center;
        }
        .here h2 {
          flex-basis: 100%;
          margin: 0 0 2px;
          font-size: 17px;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.labs = [];
    this.examples = [];
    this.theme = "light";
    this.here = null;
    this.comparing = false;
  }

  /** Scrolls to a part and moves the focus to it. */
  async goTo(part: "labs" | "examples"): Promise<void> {
    await this.updateComplete;
    const heading = this.renderRoot.querySelector<HTMLElement>(`#${part}`);
    heading?.focus({ preventScroll: true });
    if (part === "examples") heading?.scrollIntoView({ block: "nearest" });
    else window.scrollTo(0, 0);
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

  protected override render(): TemplateResult | typeof nothing {
    const { words } = this;
    if (!words) return nothing;
    const send = (name: string) => () =>
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }));
    return html`<h1 class="unseen">${words("page.contents")}</h1>
      ${
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
      <section aria-labelledby="labs">
        <h2 id="labs" tabindex="-1">${words("contents.labs")}</h2>
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
                  ${lab.done ? this.done(lab.done) : nothing}
                </a>
              </li>`,
          )}
        </ol>
      </section>
      <section aria-labelledby="examples">
        <h2 id="examples" tabindex="-1">${words("contents.examples")}</h2>
        <ul class="examples">
          ${this.examples.map(
            (example) =>
              html`<li>
                <a
                  href=${example.address}
                  @click=${(event: MouseEvent) => openInPage(event, "open-example", { example: example.id })}
                >
                  <div class="picture" aria-hidden="true">
                    ${(example.result?.thumbnails ?? []).map(
                      (thumbnail) =>
                        html`<ap-thumbnail .thumbnail=${thumbnail} .theme=${this.theme}></ap-thumbnail>`,
                    )}
                  </div>
                  <strong>${example.title}</strong>
                  <span class="says">${example.subtitle}</span>
                  <span class="source">${example.source}</span>
                  ${example.result ? this.match(example.result) : nothing}
                </a>
              </li>`,
          )}
        </ul>
      </section>
      <p class="bench">
        <a href="bench.html#lang=${words.language}&theme=${this.theme}">${words("contents.bench")}</a>
        <a href="licenses.txt">${words("contents.licenses")}</a>
      </p>`;
  }
}
customElements.define("ap-contents", ApContents);
