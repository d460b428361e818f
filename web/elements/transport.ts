/**
 * ap-transport: the bar of Play: Back, Play, Step, the track of stops, one sentence. DESIGN.md, section 7.
 */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";
import type { Words } from "../i18n/words.js";
import type { Step } from "../marks/wording.js";
import { icon } from "./icons.js";
import { look } from "./look.js";
import { narrower } from "./narrower.js";

/** The steps per second that a reader may choose; null: as many as can be made. */
const RATES = [null, 10, 2] as const;

/** A place on the track. `name` is its accessible name when it is not a stop. */
type Place = Pick<Step, "title" | "sentence"> & { readonly name?: string };

/** Events: play, pause, step, back, go {step}, time {at}, rate {rate}, result {action}, line-back {}. */
export class ApTransport extends LitElement {
  static override properties = {
    words: { attribute: false },
    steps: { attribute: false },
    current: { attribute: false },
    playing: { attribute: false },
    compact: { type: Boolean, reflect: true },
    line: { attribute: false },
    result: { attribute: false },
    time: { attribute: false },
  };
  declare words: Words;
  declare steps: readonly Place[];
  declare current: number;
  declare playing: boolean;
  /** Whether only Play and Step are shown, with the slider of a run that trains, as in the foot of an embed. */
  declare compact: boolean;
  /**
   * A line that replaces the stop's sentence: what to look at in an exercise, a question, or the concept that was ticked.
   */
  declare line: { kind: "try" | "question" | "tick"; text: string } | null;
  /** What Play came to, and what can be done then; it replaces the sentence. */
  declare result: { title: string; actions: readonly string[] } | null;
  /** The steps of a lab that learns: a slider replaces the stops. */
  declare time: {
    at: number;
    last: number;
    label: string;
    kept?: readonly number[];
    sentence?: string;
    /** How fast the steps go, and how long the rest takes. */
    pace?: string;
    /** The most steps per second, where the reader may choose them; null: as many as can be made. */
    rate?: number | null;
  } | null;

  static override styles = [
    look,
    css`
      :host {
        display: block;
      }
      .bar {
        display: flex;
        align-items: center;
        gap: var(--s4);
        min-height: 56px;
        padding: 0 var(--s5);
        border-top: 1px solid var(--rule);
        background: var(--paper);
      }
      .buttons {
        display: flex;
        gap: 2px;
        margin-inline-start: -9px;
      }
      .button.main {
        padding: 7px 14px 7px 10px;
      }
      ol {
        display: flex;
        min-width: 0;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        position: relative;
        min-width: 84px;
      }
      li::before {
        content: "";
        position: absolute;
        top: 7px;
        right: 0;
        left: 0;
        border-top: 1px solid var(--rule-2);
      }
      li:last-child::before {
        display: none;
      }
      .stop {
        position: relative;
        width: 100%;
        min-height: 32px;
        padding: 15px 14px 0 0;
        border: 0;
        background: none;
        color: var(--ink-2);
        font-size: 12.5px;
        text-align: start;
        white-space: nowrap;
        cursor: pointer;
      }
      .stop:hover {
        color: var(--ink);
      }
      .stop::before {
        content: "";
        position: absolute;
        top: 4px;
        left: 0;
        width: 7px;
        height: 7px;
        border: 1.5px solid var(--control);
        border-radius: 50%;
        background: var(--paper);
      }
      .time {
        display: flex;
        flex: 0 1 420px;
        align-items: center;
        gap: var(--s2);
        color: var(--ink-2);
        font-size: 12.5px;
        font-variant-numeric: tabular-nums;
      }
      .time input {
        flex: 1;
        min-width: 80px;
        height: 32px;
        margin: 0;
        accent-color: var(--ink);
      }
      .time output {
        min-width: 68px;
      }
      .time b {
        color: var(--ink);
        font-weight: 650;
      }
      .pace {
        white-space: nowrap;
      }
      select {
        min-height: 24px;
        border: 0;
        border-bottom: 1px solid var(--control);
        background: none;
        color: var(--ink-2);
        font-size: 12.5px;
        cursor: pointer;
      }
      select:hover {
        color: var(--ink);
      }
      .past .stop::before {
        border-color: var(--ink-2);
        background: var(--ink-2);
      }
      .now .stop {
        color: var(--ink);
        font-weight: 600;
      }
      .now .stop::before {
        top: 2px;
        width: 11px;
        height: 11px;
        border-color: var(--ink);
        background: var(--ink);
      }
      p {
        flex: 1;
        margin: 0;
        color: var(--ink-2);
        text-align: end;
        text-wrap: balance;
      }
      p .link {
        margin-inline-start: 6px;
        color: var(--ink);
        white-space: nowrap;
      }
      p .icon {
        margin-inline-end: 5px;
        vertical-align: -3px;
      }
      .result {
        font-size: 12.5px;
        line-height: 1.5;
      }
      .result b {
        color: var(--ink);
      }
      .tick {
        color: var(--match);
      }
      :host([compact]) .bar {
        min-height: 0;
        padding: 0;
        border: 0;
        background: none;
      }
      :host([compact]) .buttons {
        margin: 0;
      }
      @media (forced-colors: active) {
        .past .stop::before,
        .now .stop::before {
          forced-color-adjust: none;
          background: CanvasText;
          border-color: CanvasText;
        }
      }
      @media print {
        :host {
          display: none;
        }
      }
    `,
    narrower(
      1199,
      css`
        .bar {
          flex-wrap: wrap;
          gap: 0 var(--s4);
          padding-bottom: 4px;
        }
        p {
          flex: 1 0 100%;
          order: -1;
          padding-top: 8px;
          text-align: start;
        }
        ol,
        .time {
          flex: 1;
        }
        /* Where names do not fit, dots still link to their stops. */
        li {
          flex: 1 1 0;
          min-width: 28px;
        }
        .stop {
          overflow: hidden;
          text-overflow: ellipsis;
        }
        .now {
          flex-shrink: 0;
        }
      `,
    ),
    narrower(
      767,
      css`
        .bar {
          flex-wrap: nowrap;
          min-height: 48px;
          gap: var(--s4);
          padding: 0 var(--s3);
          padding-bottom: env(safe-area-inset-bottom);
        }
        ol {
          display: none;
        }
        .buttons {
          flex: 1;
          justify-content: space-between;
          margin: 0;
        }
        .buttons > * {
          min-width: 44px;
          min-height: 44px;
        }
        .buttons > .button.main {
          min-height: 40px;
          padding-block: 4px;
        }
        .timed {
          gap: var(--s2);
        }
        .timed .buttons {
          flex: none;
        }
        .timed .step span,
        .time span {
          display: none;
        }
        .time {
          flex: 1;
          min-width: 0;
        }
        .time input {
          min-width: 60px;
          height: 44px;
        }
        .time output {
          min-width: 0;
        }
        p,
        select {
          display: none;
        }
      `,
    ),
    css`
      /* A phone on its side: the bar is one row. */
      @media (max-width: 1199px) and (max-height: 499px) {
        .bar {
          flex-wrap: nowrap;
          min-height: 48px;
          padding-block: 0;
        }
        ol {
          display: flex;
        }
        .buttons {
          flex: none;
        }
        p {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.steps = [];
    this.current = 0;
    this.playing = false;
    this.compact = false;
    this.line = null;
    this.result = null;
    this.time = null;
  }

  private send(name: string, detail: Record<string, unknown> = {}): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private playButton(kind: string): TemplateResult {
    const word = this.words(this.playing ? "transport.pause" : "transport.play");
    return html`<button class=${kind} @click=${() => this.send(this.playing ? "pause" : "play")}>
      ${icon(this.playing ? "pause" : "play")}<span>${word}</span>
    </button>`;
  }

  private stepButton(): TemplateResult {
    const word = this.words("transport.step");
    return html`<button class="quiet step" aria-label=${word} @click=${() => this.send("step")}>
      ${icon("step")}<span>${word}</span>
    </button>`;
  }

  #lineTemplate(line: NonNullable<ApTransport["line"]>): TemplateResult {
    return html`<p class=${line.kind}>
      ${line.kind === "tick" ? icon("check", 16) : nothing}${line.text}
      <button class="link" @click=${() => this.send("line-back")}>${this.words("lesson.back")}</button>
    </p>`;
  }

  #sentence(): TemplateResult {
    const { line, result, time, steps, current } = this;
    if (line) return this.#lineTemplate(line);
    if (!result) return html`<p>${time?.sentence ?? steps[current]?.sentence ?? ""}</p>`;
    return html`<p class="result" role="status">
      <b>${result.title}</b>
      ${result.actions.map(
        (action, at) =>
          html`<button class="link" @click=${() => this.send("result", { action: at })}>${action}</button>`,
      )}
    </p>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words } = this;
    if (!words) return nothing;
    if (this.compact)
      return html`<div class=${classMap({ bar: true, timed: this.time?.kept !== undefined })}>
        <div class="buttons">${this.playButton("quiet")}${this.stepButton()}</div>
        ${this.time?.kept ? this.slider(this.time) : nothing}
      </div>`;
    const back = words(this.time?.kept ? "transport.start" : "transport.back");
    return html`<div
      class=${classMap({ bar: true, timed: this.time !== null })}
      role="group"
      aria-label=${words("transport.label")}
    >
      <div class="buttons">
        <button class="quiet" aria-label=${back} title=${back} @click=${() => this.send("back")}>
          ${icon("back")}
        </button>
        ${this.playButton("button main")} ${this.stepButton()}
      </div>
      ${this.time ? this.slider(this.time) : this.stops()}
      ${this.time?.rate === undefined ? nothing : this.rates(this.time.rate)} ${this.#sentence()}
    </div>`;
  }

  private slider({ at, last, label, kept, pace }: NonNullable<ApTransport["time"]>): TemplateResult {
    return html`<label class="time">
      <span>${label}</span>
      <input
        type="range"
        aria-label=${label}
        min="0"
        max=${last}
        step="1"
        list=${kept ? "kept" : nothing}
        .value=${String(at)}
        @input=${(event: Event) => this.send("time", { at: Number((event.target as HTMLInputElement).value) })}
      />
      ${
        kept
          ? html`<datalist id="kept">${kept.map((step) => html`<option value=${step}></option>`)}</datalist>`
          : nothing
      }
      <output><b>${at}</b> (0–${last})</output>
      ${pace ? html`<span class="pace">${pace}</span>` : nothing}
    </label>`;
  }

  private rates(chosen: number | null): TemplateResult {
    const { words } = this;
    return html`<select
      aria-label=${words("transport.rate")}
      @change=${(event: Event) => this.send("rate", { rate: Number((event.target as HTMLSelectElement).value) || null })}
    >
      ${RATES.map(
        (rate) =>
          html`<option value=${rate ?? ""} ?selected=${rate === chosen}>
            ${rate === null ? words("transport.rate.full") : words("transport.rate.slow", { rate })}
          </option>`,
      )}
    </select>`;
  }

  private stops(): TemplateResult {
    const { words, steps, current } = this;
    return html`<ol>
      ${steps.map(
        (step, place) =>
          html`<li class=${classMap({ past: place < current, now: place === current })}>
            <button
              class="stop"
              aria-current=${place === current ? "step" : nothing}
              aria-label=${step.name ?? words("transport.stop_of", { number: place + 1, count: steps.length, title: step.title })}
              @click=${() => this.send("go", { step: place })}
            >
              ${step.title}
            </button>
          </li>`,
      )}
    </ol>`;
  }
}
customElements.define("ap-transport", ApTransport);
