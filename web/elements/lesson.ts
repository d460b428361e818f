/**
 * ap-lesson: a lesson below the first screen: prose in one column, exercises, and beside it the concepts with
 * their ticks. DESIGN.md, section 3.
 */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { ownStrings, type OwnWords, type Words } from "../i18n/words.js";
import { icon } from "./icons.js";
import { look, roleColours } from "./look.js";
import { openInPage } from "./page-link.js";
import { prose } from "./prose.js";

/** Milliseconds that the result of copying a link is shown. */
const shownFor = 1500;

const en = {
  part: "Copy a link to this part",
  paragraph: "Copy a link to this paragraph",
  copied: "The link is copied",
  failed: "The link could not be copied: it is in the address bar",
  next: "Next: {title}",
  guess: "Guess first",
  answered: "guessed",
};
const zhCN: typeof en = {
  part: "复制这一节的链接",
  paragraph: "复制这一段的链接",
  copied: "链接已复制",
  failed: "没能复制链接：它在地址栏里",
  next: "接着看：{title}",
  guess: "先猜一猜",
  answered: "已猜对",
};

/** A lesson in the reader's language. */
export interface LessonText {
  parts: {
    id: string;
    heading: string;
    paragraphs: string[];
    table: TableText | null;
    tries: string[];
    questions: { sentence: string; isAnswered: boolean }[];
  }[];
  concepts: ConceptText[];
}

/** A place in the lesson that a line of the transport bar leads back to. */
export type LessonPlace = { kind: "try" | "question"; part: string; place: number } | "concepts" | "start";

export interface TableText {
  caption: string;
  head: string[];
  rows: string[][];
}

/** The lab to which the end of a lesson leads. */
export interface NextLab {
  id: string;
  title: string;
  subtitle: string;
  address: string;
}

export interface ConceptText {
  id: string;
  title: string;
  /** The instruction that leads to the tick. */
  sentence: string;
  /** The text that replaces the instruction when the concept is done. */
  done: string;
  ticked: boolean;
}

/** Events: lesson-try {part, place}, lesson-ask {part, place}, lesson-restart {}, open-lab {lab}. */
export class ApLesson extends LitElement {
  static override properties = {
    words: { attribute: false },
    lesson: { attribute: false },
    next: { attribute: false },
    linkTo: { attribute: false },
    copied: { state: true },
  };
  declare words: Words;
  declare lesson: LessonText | null;
  declare next: NextLab | null;
  /** The address of a part of the lesson, or of one of its paragraphs. */
  declare linkTo: (anchor: string) => string;
  /** The anchor whose link was copied a moment ago, and whether that succeeded. */
  declare private copied: { anchor: string; done: boolean } | null;

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
        container: lesson / inline-size;
      }
      /* Scrolling to a place in the lesson stops below a stage above the lesson. */
      :is(h2, p, section, button) {
        scroll-margin-top: var(--in-sight, 0);
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
      h2:focus,
      p:focus {
        outline: none;
      }
      .text p:focus {
        border-radius: 1px;
        box-shadow:
          -14px 0 0 var(--paper),
          -16px 0 0 var(--ink);
      }
      .said {
        position: relative;
      }
      .anchor {
        position: absolute;
        top: -2px;
        left: 100%;
        padding: 6px;
        opacity: 0;
      }
      .said:hover .anchor,
      .anchor:focus-visible,
      .anchor.told {
        opacity: 1;
      }
      @media (hover: none) {
        .anchor {
          opacity: 0.6;
        }
      }
      .text {
        font: calc(17px * var(--larger, 1)) / var(--lh-prose) var(--serif);
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
      .questions {
        margin: 18px 0 0;
        padding: 0;
        list-style: none;
        font: var(--t-ui) / 1.5 var(--sans);
      }
      .questions button {
        display: grid;
        grid-template-columns: 24px minmax(0, 1fr);
        gap: 0 10px;
        width: 100%;
        min-height: var(--touch);
        padding: 9px 12px 10px 10px;
        border: 1px dashed var(--control);
        border-radius: var(--radius-m);
        background: none;
        color: inherit;
        font: inherit;
        text-align: start;
        cursor: pointer;
      }
      .questions button:hover {
        border-color: var(--ink);
      }
      .questions li + li {
        margin-top: 8px;
      }
      .questions b {
        display: block;
        font-weight: 600;
      }
      .cover {
        display: grid;
        place-items: center;
        width: 24px;
        height: 24px;
        border: 1px dashed var(--ink-2);
        font-weight: 600;
      }
      .answered .cover {
        border: 0;
        color: var(--match);
      }
      .text .next {
        margin: 44px 0 0;
        padding-top: 14px;
        border-top: 1px solid var(--rule);
        color: var(--ink-2);
        font: var(--t-ui) / 1.5 var(--sans);
      }
      .next a {
        display: flex;
        align-items: center;
        gap: 6px;
        width: fit-content;
        min-height: var(--touch);
        color: var(--ink);
        font: 600 17px/1.3 var(--serif);
      }
      .next a:lang(zh) {
        font-family: var(--sans);
      }
      .side {
        font: var(--t-ui) / 1.5 var(--sans);
      }
      .concepts {
        position: sticky;
        top: calc(var(--in-sight, 0px) + 24px);
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
      @media (max-width: 1199px) {
        /* Below the stage. Beside the stage, the rule of the transport bar is enough. */
        @container lesson (max-width: 1099px) {
          .lesson {
            border-top: 1px solid var(--rule);
          }
        }
      }
      @container lesson (max-width: 1099px) {
        .lesson {
          grid-template-columns: minmax(0, 62ch);
          padding-top: var(--s6);
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
        .tries .button {
          min-height: var(--touch);
        }
      }
      /* On a phone, and in a column beside the stage. */
      @container lesson (max-width: 735px) {
        .said {
          margin-bottom: 12px;
        }
        .said > * {
          display: inline !important;
        }
        .said .anchor,
        .said .anchor:hover {
          background: none;
        }
        .said .anchor {
          position: static;
          min-height: 0;
          margin: -14px -14px -14px -8px;
          padding: 14px;
          vertical-align: -3px;
        }
        table {
          font-size: 13px;
        }
        th,
        td {
          padding-inline-end: 8px;
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
        .questions,
        .anchor,
        .next,
        .foot {
          display: none !important;
        }
        .lesson {
          display: block;
          padding-top: var(--s5);
        }
        section {
          break-inside: avoid;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.lesson = null;
    this.next = null;
    this.copied = null;
  }

  /** Scrolls to an anchor and moves the focus to it. */
  scrollToAnchor(anchor: string): void {
    const goal = this.renderRoot.querySelector<HTMLElement>(`[data-anchor="${anchor}"]`);
    goal?.scrollIntoView();
    goal?.focus({ preventScroll: true });
  }

  async #copy(anchor: string): Promise<void> {
    let done = true;
    try {
      await navigator.clipboard.writeText(this.linkTo(anchor));
    } catch {
      done = false;
    }
    const copied = { anchor, done };
    this.copied = copied;
    setTimeout(() => {
      if (this.copied === copied) this.copied = null;
    }, shownFor);
  }

  /** A heading or a paragraph with the button that copies a link to it. */
  #anchored(anchor: string, name: string, text: TemplateResult): TemplateResult {
    const copied = this.copied?.anchor === anchor ? this.copied : null;
    return html`<div class="said">
      ${text}
      <button
        class="quiet anchor ${copied ? "told" : ""}"
        aria-label=${name}
        aria-describedby="part-${anchor.split(",", 1)[0]}"
        title=${name}
        @click=${() => void this.#copy(anchor)}
      >
        ${icon(copied?.done ? "check" : "link", 16)}
      </button>
    </div>`;
  }

  /** Scrolls to the concepts, to the beginning, or to an exercise, and moves the focus there. */
  goTo(what: LessonPlace): void {
    const goal =
      what === "start"
        ? this.renderRoot.querySelector<HTMLElement>("h2")
        : what === "concepts"
          ? this.renderRoot.querySelector<HTMLElement>("#concepts")
          : this.renderRoot.querySelector<HTMLElement>(`[data-${what.kind}="${what.part} ${what.place}"]`);
    goal?.scrollIntoView({ block: typeof what === "object" ? "center" : "start" });
    goal?.focus({ preventScroll: true });
  }

  /** The anchor of the paragraph at a height of the window: the last one that begins above it; null above the first. */
  paragraphAt(height: number): string | null {
    const paragraphs = [...this.renderRoot.querySelectorAll<HTMLElement>("p[data-anchor]")];
    const at = paragraphs.findLast((one) => one.getBoundingClientRect().top <= height);
    return at?.dataset["anchor"] ?? null;
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

  #question(
    { sentence, isAnswered }: LessonText["parts"][number]["questions"][number],
    part: string,
    place: number,
  ): TemplateResult {
    const strings = this.#strings;
    return html`<li class=${isAnswered ? "answered" : ""}>
      <button data-question="${part} ${place}" @click=${() => this.#send("lesson-ask", { part, place })}>
        <span
          class="cover"
          role=${isAnswered ? "img" : nothing}
          aria-label=${isAnswered ? strings("answered") : nothing}
          >${isAnswered ? icon("check", 18) : "?"}</span
        >
        <span><b>${strings("guess")}</b>${prose(sentence)}</span>
      </button>
    </li>`;
  }

  #part({ id, heading, paragraphs, table, tries, questions }: LessonText["parts"][number]): TemplateResult {
    const strings = this.#strings;
    return html`<section aria-labelledby="part-${id}">
      ${this.#anchored(
        id,
        strings("part"),
        html`<h2 id="part-${id}" data-anchor=${id} tabindex="-1"><span>${prose(heading)}</span></h2>`,
      )}
      ${paragraphs.map((text, place) => {
        const anchor = `${id},${place}`;
        const name = strings("paragraph");
        return this.#anchored(anchor, name, html`<p data-anchor=${anchor} tabindex="-1">${prose(text)}</p>`);
      })}
      ${table ? this.#table(table) : nothing}
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
      ${
        questions.length
          ? html`<ul class="questions">
              ${questions.map((question, place) => this.#question(question, id, place))}
            </ul>`
          : nothing
      }
    </section>`;
  }

  get #strings(): OwnWords<typeof en> {
    return ownStrings(this.words, { en, "zh-CN": zhCN });
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

  #nextLab({ id, title, subtitle, address }: NextLab): TemplateResult {
    return html`<p class="next">
      <a href=${address} @click=${(event: MouseEvent) => openInPage(event, "open-lab", { lab: id })}
        >${this.#strings("next", { title })}${icon("right", 16)}</a
      >
      ${subtitle}
    </p>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, lesson, next } = this;
    if (!words || !lesson) return nothing;
    const done = lesson.concepts.filter(({ ticked }) => ticked).length;
    const count = lesson.concepts.length;
    return html`<div class="lesson">
      <div class="text">
        ${lesson.parts.map((part) => this.#part(part))} ${next ? this.#nextLab(next) : nothing}
      </div>
      <span class="unseen" role="status"
        >${this.copied ? this.#strings(this.copied.done ? "copied" : "failed") : ""}</span
      >
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
