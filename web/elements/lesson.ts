/** A lesson below the first screen: prose in one column, what to try, and beside it the concepts with their ticks. Visual design section 3. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Words } from "../i18n/words.js";
import { icon } from "./icons.js";
import { look, roleColours } from "./look.js";
import { prose } from "./prose.js";

/** A lesson in the reader's language. */
export interface LessonText {
  parts: {
    id: string;
    heading: string;
    paragraphs: string[];
    table: TableText | null;
    tries: string[];
  }[];
  concepts: ConceptText[];
}

export interface TableText {
  caption: string;
  head: string[];
  rows: string[][];
}

export interface ConceptText {
  id: string;
  title: string;
  /** What to do. */
  sentence: string;
  /** Said once it is done. */
  done: string;
  ticked: boolean;
}

/** Events: lesson-try {part, place}, lesson-restart {}. */
export class ApLesson extends LitElement {
  static override properties = { words: { attribute: false }, lesson: { attribute: false } };
  declare words: Words;
  declare lesson: LessonText | null;

  static override styles = [
    look,
    roleColours,
    css`
      :host {
        display: block;
        width: 100%;
        max-width: 1360px;
        margin: 0 auto;
        padding: 0 var(--s5);
      }
      .lesson {
        display: grid;
        grid-template-columns: minmax(0, 62ch) minmax(0, 340px);
        justify-content: center;
        gap: 0 88px;
        padding: var(--s7) 0 var(--s8);
      }
      h2,
      h3 {
        text-wrap: balance;
      }
      h2:focus {
        outline: none;
      }
      .text {
        font: 17px / var(--lh-prose) var(--serif);
      }
      .text section + section {
        margin-top: 44px;
      }
      .text h2 {
        display: flex;
        margin: 0 0 10px;
        font: 600 20px/1.3 var(--serif);
      }
      .text p {
        margin: 0 0 12px;
        text-wrap: pretty;
      }
      .symbol {
        font-family: var(--serif);
        font-style: italic;
        font-weight: 600;
        white-space: nowrap;
      }
      sub,
      sup {
        font-size: 0.72em;
        line-height: 0;
      }
      table {
        width: 100%;
        margin: 18px 0 4px;
        border-collapse: collapse;
        font: var(--t-ui) / 1.45 var(--sans);
        font-variant-numeric: tabular-nums lining-nums;
      }
      caption {
        margin-bottom: 6px;
        color: var(--ink-3);
        font-size: 12.5px;
        text-align: start;
        caption-side: top;
      }
      th,
      td {
        padding: 6px 14px 6px 0;
        border-top: 1px solid var(--rule);
        text-align: start;
        vertical-align: top;
        overflow-wrap: anywhere;
      }
      th {
        font-weight: 600;
      }
      thead th,
      thead td {
        border-top: 0;
        vertical-align: bottom;
      }
      tbody tr:last-child > * {
        border-bottom: 1px solid var(--rule);
      }
      .tries {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 10px;
        margin: 16px 0 0;
        padding: 0;
        list-style: none;
        font: var(--t-ui) / var(--lh-ui) var(--sans);
      }
      .tries .button {
        min-height: 35px;
        padding-inline-start: 10px;
        white-space: normal;
        text-align: start;
      }
      .side {
        font: var(--t-ui) / 1.5 var(--sans);
      }
      .concepts {
        position: sticky;
        top: 24px;
      }
      .concepts h2 {
        display: flex;
        align-items: baseline;
        justify-content: space-between;
        gap: 12px;
        margin: 0 0 14px;
        font: 600 20px/1.3 var(--serif);
      }
      .count {
        color: var(--ink-3);
        font: 12.5px/1.3 var(--sans);
        white-space: nowrap;
      }
      .count.all {
        color: var(--match);
      }
      ol {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .concept {
        display: grid;
        grid-template-columns: 22px minmax(0, 1fr);
        gap: 0 8px;
        padding: 11px 0 12px;
        border-top: 1px solid var(--rule);
      }
      .concept:last-child {
        border-bottom: 1px solid var(--rule);
      }
      .mark {
        width: 17px;
        height: 17px;
        margin: 2px 0 0 1px;
        border: 1.5px solid var(--control);
        border-radius: 50%;
      }
      .ticked .mark {
        display: grid;
        place-items: center;
        border-color: var(--match);
        background: var(--match);
        color: var(--paper);
      }
      .mark .icon {
        stroke-width: 2.25;
      }
      h3 {
        margin: 0;
        font: 600 15px/1.4 var(--sans);
      }
      .concept p {
        margin: 1px 0 0;
        color: var(--ink-2);
        text-wrap: pretty;
      }
      .foot {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 2px 16px;
        margin-top: 8px;
        color: var(--ink-3);
        font-size: 12.5px;
      }
      .foot .link {
        color: var(--ink-2);
      }
      h2:lang(zh),
      .text:lang(zh) {
        font-family: var(--sans);
      }
      .text:lang(zh) {
        font-size: 16px;
      }
      @media (max-width: 1099px) {
        .lesson {
          grid-template-columns: minmax(0, 62ch);
          padding-top: var(--s6);
          border-top: 1px solid var(--rule);
        }
        .side {
          margin-top: var(--s7);
        }
        .concepts {
          position: static;
        }
      }
      @media (max-width: 767px) {
        :host {
          padding: 0 var(--s4);
        }
        .text {
          font-size: 16px;
        }
        table {
          font-size: 13px;
        }
        th,
        td {
          padding-inline-end: 8px;
        }
        .tries .button {
          min-height: var(--touch);
        }
      }
      @media (forced-colors: active) {
        .ticked .mark {
          forced-color-adjust: none;
          border-color: CanvasText;
          background: CanvasText;
          color: Canvas;
        }
      }
      @media print {
        .tries,
        .foot {
          display: none;
        }
        .lesson {
          display: block;
          padding-top: var(--s5);
        }
        .text section {
          break-inside: avoid;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.lesson = null;
  }

  /** Brings the concepts, or the part that a try stands in, into sight, and the focus with it. */
  goTo(what: { part: string; place: number } | "concepts" | "start"): void {
    const goal =
      what === "start"
        ? this.renderRoot.querySelector<HTMLElement>("h2")
        : what === "concepts"
          ? this.renderRoot.querySelector<HTMLElement>("#concepts")
          : this.renderRoot.querySelector<HTMLElement>(`[data-try="${what.part} ${what.place}"]`);
    const whole = typeof what === "object" ? goal?.closest("section") : goal;
    whole?.scrollIntoView({ block: typeof what === "object" ? "center" : "start" });
    goal?.focus({ preventScroll: true });
  }

  #send(name: string, detail: Record<string, unknown> = {}): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #table({ caption, head, rows }: TableText): TemplateResult {
    return html`<table>
      <caption>
        ${prose(caption)}
      </caption>
      <thead>
        <tr>
          ${head.map((text) => (text ? html`<th scope="col">${prose(text)}</th>` : html`<td></td>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name = "", ...cells]) =>
            html`<tr>
              <th scope="row">${prose(name)}</th>
              ${cells.map((text) => html`<td>${prose(text)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #part({ id, heading, paragraphs, table, tries }: LessonText["parts"][number]): TemplateResult {
    return html`<section aria-labelledby="part-${id}">
      <h2 id="part-${id}" tabindex="-1"><span>${prose(heading)}</span></h2>
      ${paragraphs.map((text) => html`<p>${prose(text)}</p>`)} ${table ? this.#table(table) : nothing}
      ${
        tries.length
          ? html`<ul class="tries">
              ${tries.map(
                (sentence, place) =>
                  html`<li>
                    <button
                      class="button"
                      data-try="${id} ${place}"
                      @click=${() => this.#send("lesson-try", { part: id, place })}
                    >
                      ${icon("up", 16)}<span>${prose(sentence)}</span>
                    </button>
                  </li>`,
              )}
            </ul>`
          : nothing
      }
    </section>`;
  }

  #concept({ id, title, sentence, done, ticked }: ConceptText): TemplateResult {
    const { words } = this;
    return html`<li class="concept ${ticked ? "ticked" : ""}" data-concept=${id}>
      <span class="mark" role="img" aria-label=${words(ticked ? "lesson.done" : "lesson.open")}
        >${ticked ? icon("check", 13) : nothing}</span
      >
      <div>
        <h3>${prose(title)}</h3>
        <p>${prose(ticked ? done : sentence)}</p>
      </div>
    </li>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, lesson } = this;
    if (!words || !lesson) return nothing;
    const done = lesson.concepts.filter(({ ticked }) => ticked).length;
    const count = lesson.concepts.length;
    return html`<div class="lesson">
      <div class="text">${lesson.parts.map((part) => this.#part(part))}</div>
      <div class="side">
        <section class="concepts" aria-labelledby="concepts">
          <h2 id="concepts" tabindex="-1">
            ${words("lesson.concepts")}
            <span class="count ${done === count ? "all" : ""}"
              >${words("lesson.count", { done, count })}</span
            >
          </h2>
          <ol>
            ${lesson.concepts.map((concept) => this.#concept(concept))}
          </ol>
          <div class="foot">
            <span>${words("lesson.kept")}</span>
            ${
              done
                ? html`<button class="link" @click=${() => this.#send("lesson-restart")}>
                    ${words("lesson.restart")}
                  </button>`
                : nothing
            }
          </div>
        </section>
      </div>
    </div>`;
  }
}
customElements.define("ap-lesson", ApLesson);
