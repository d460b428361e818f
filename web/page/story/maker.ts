/**
 * ap-story-maker: editing of a story. Its steps are cards whose texts and order are edited in place. The
 * story is part of the page's state, so the address holds it.
 */
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { bounds } from "../../config/bounds.js";
import { decode } from "../../config/codec.js";
import type { LabId, StoryStep } from "../../config/config.js";
import { asLine } from "../../config/forms.js";
import { icon, type IconName } from "../../elements/icons.js";
import { look } from "../../elements/look.js";
import type { Words } from "../../i18n/words.js";
import { Memo } from "../memo.js";
import { linkOf } from "./steps.js";
import { storyWords, type StoryWords } from "./words.js";

/** A change that the page should apply to the story. `at`: the step that is shown afterwards. */
export interface StoryChange {
  readonly steps: StoryStep[];
  readonly at: number;
}

/** Events: story-change {steps, at}; story-go {place}; story-share; story-done. */
export class ApStoryMaker extends LitElement {
  static override properties = {
    words: { attribute: false },
    steps: { attribute: false },
    at: { attribute: false },
    shown: { attribute: false },
    undoable: { state: true },
  };
  declare words: Words;
  declare steps: readonly StoryStep[];
  /** The step that was gone to last. */
  declare at: number;
  /** The link of the state that the page shows. */
  declare shown: string;
  /** The story before the last change, while that can be undone; null when there is nothing to undo. */
  declare private undoable: (StoryChange & { readonly said: string }) | null;

  /**
   * The lab of each step, and its link as this page writes it: a link written by hand may express the same
   * state differently.
   */
  readonly #states = new Memo<readonly { lab: LabId; link: string }[]>();
  /** The steps of the last requested change. */
  #requestedSteps: readonly StoryStep[] | null = null;
  /** Moves the focus once the changed steps are drawn. */
  #refocus: (() => void) | null = null;

  static override styles = [
    look,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      section {
        padding: 10px 14px 12px;
        border: 1px solid var(--rule);
        border-radius: var(--radius-m);
        background: var(--surface);
      }
      .top {
        display: flex;
        flex-wrap: wrap;
        gap: 6px 14px;
        align-items: center;
      }
      h2 {
        margin: 0;
        font-size: 15px;
      }
      .top p {
        flex: 1 1 300px;
        margin: 0;
        color: var(--ink-2);
        font-size: 13.5px;
      }
      ol {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(192px, 1fr));
        gap: 10px;
        margin: 10px 0 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        flex-direction: column;
        gap: 6px;
        min-width: 0;
        padding: 8px 10px;
        border: 1px solid var(--rule-2);
        border-radius: var(--radius-m);
        background: var(--paper);
      }
      li[aria-current] {
        border-color: var(--ink);
        box-shadow: inset 0 0 0 1px var(--ink);
      }
      li.add {
        align-items: stretch;
        justify-content: center;
        border-style: dashed;
      }
      h3 {
        overflow: hidden;
        margin: 0;
        font-size: 13px;
        font-weight: 600;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      textarea {
        width: 100%;
        min-height: 62px;
        padding: 6px 8px;
        border: 1px solid var(--control);
        border-radius: var(--radius-s);
        background: var(--surface);
        color: var(--ink);
        font: inherit;
        font-size: 14px;
        resize: vertical;
      }
      .acts {
        display: flex;
        gap: 2px;
        align-items: center;
        margin: 0 -6px -4px;
      }
      .acts .quiet {
        padding: 6px;
      }
      .acts .go {
        margin-inline-end: auto;
        font-size: 13px;
        white-space: normal;
        text-align: start;
      }
      .said {
        margin: 0;
        font-size: 13.5px;
      }
      .said p {
        margin: 8px 0 0;
      }
      @media (max-width: 767px) {
        ol {
          display: flex;
          overflow-x: auto;
          margin-inline: -14px;
          padding: 0 14px 4px;
          scroll-snap-type: x proximity;
        }
        li {
          flex: 0 0 250px;
          scroll-snap-align: center;
        }
      }
      @media print {
        :host {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.steps = [];
    this.at = 0;
    this.shown = "";
    this.undoable = null;
  }

  get #strings(): StoryWords {
    return storyWords(this.words);
  }

  #send(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** `said`: the message about a change that can be undone. */
  #change(steps: StoryStep[], at: number, said?: string): void {
    this.undoable = said === undefined ? null : { steps: [...this.steps], at: this.at, said };
    this.#requestedSteps = steps;
    this.#send("story-change", { steps, at } satisfies StoryChange);
  }

  #setText(place: number, text: string): void {
    const words = asLine(text);
    this.#change(
      this.steps.map((step, other) => (other === place ? { ...step, words } : step)),
      this.at,
    );
  }

  /** Exchanges the step at `place` with a neighbour; the shown step stays the same. */
  #move(place: number, by: -1 | 1, button: string): void {
    const to = place + by;
    const steps = [...this.steps];
    [steps[place], steps[to]] = [steps[to]!, steps[place]!];
    this.#refocus = () => this.#focusOn(button, to);
    this.#change(steps, this.at === place ? to : this.at === to ? place : this.at);
  }

  #remove(place: number): void {
    const at = this.at > place ? this.at - 1 : Math.min(this.at, this.steps.length - 2);
    this.#refocus = () => this.#focusUndo();
    this.#change(
      this.steps.filter((_step, other) => other !== place),
      at,
      this.#strings("maker.removed", { number: place + 1 }),
    );
  }

  #undo({ steps, at }: StoryChange): void {
    this.#refocus = () => this.#text(at)?.focus();
    this.#change(steps, at);
  }

  #add(): void {
    this.#refocus = () => this.#text(this.steps.length - 1)?.focus();
    this.#change([...this.steps, { words: "", link: this.shown }], this.steps.length);
  }

  #update(place: number): void {
    this.#refocus = () => this.#focusUndo();
    this.#change(
      this.steps.map((step, other) => (other === place ? { ...step, link: this.shown } : step)),
      place,
      this.#strings("maker.updated", { number: place + 1 }),
    );
  }

  /** Moves the focus to the text of the step that is shown. */
  async focusText(): Promise<void> {
    await this.updateComplete;
    this.#text(this.at)?.focus();
  }

  #text(place: number): HTMLTextAreaElement | undefined {
    return this.renderRoot.querySelectorAll("textarea")[place];
  }

  #button(name: string, place: number): HTMLElement | undefined {
    return this.renderRoot.querySelectorAll<HTMLElement>(`button[name="${name}"]`)[place];
  }

  #focusUndo(): void {
    this.renderRoot.querySelector<HTMLElement>(".said button")?.focus();
  }

  /** A disabled button, as at an end of the story, cannot have the focus: the step's text gets it. */
  #focusOn(button: string, place: number): void {
    const wanted = this.#button(button, place);
    (wanted?.matches(":disabled") ? this.#text(place) : wanted)?.focus();
  }

  /** A change from elsewhere, such as Back of the browser, cannot be undone here. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("steps") && this.steps !== this.#requestedSteps) this.undoable = null;
  }

  /** The typed text, including blanks at its ends, stays in the field as long as it means the same. */
  protected override updated(changed: PropertyValues<this>): void {
    this.steps.forEach(({ words }, place) => {
      const field = this.#text(place);
      if (field && asLine(field.value) !== words) field.value = words;
    });
    if (!changed.has("steps")) return;
    this.#refocus?.();
    this.#refocus = null;
  }

  #act(name: string, drawn: IconName, word: string, act: () => void, disabled = false): TemplateResult {
    return html`<button
      class="quiet"
      name=${name}
      aria-label=${word}
      title=${word}
      ?disabled=${disabled}
      @click=${act}
    >
      ${icon(drawn, 16)}
    </button>`;
  }

  /** A button that shows the state of a step or, on the shown step, stores the present state in it. */
  #go(place: number, link: string): TemplateResult {
    const strings = this.#strings;
    const here = place === this.at;
    if (here && this.shown !== link && this.shown.length <= bounds.storyLink.max)
      return html`<button class="quiet go" @click=${() => this.#update(place)}>
        ${strings("maker.update")}
      </button>`;
    return html`<button class="quiet go" ?disabled=${here} @click=${() => this.#send("story-go", { place })}>
      ${strings(here ? "maker.shown" : "maker.show")}
    </button>`;
  }

  #card(place: number, lab: LabId, link: string): TemplateResult {
    const strings = this.#strings;
    const number = place + 1;
    const title = this.words(`contents.lab.${lab}`);
    const last = this.steps.length - 1;
    return html`<li aria-current=${place === this.at ? "step" : nothing}>
      <h3>${strings("maker.step", { number, title })}</h3>
      <textarea
        aria-label=${strings("maker.text", { number })}
        placeholder=${strings("maker.hint")}
        maxlength=${bounds.storyWords.max}
        @keydown=${(event: KeyboardEvent) => {
          // A text is one line.
          if (event.key === "Enter" && !event.isComposing) event.preventDefault();
        }}
        @input=${(event: Event) => this.#setText(place, (event.target as HTMLTextAreaElement).value)}
      ></textarea>
      <div class="acts">
        ${this.#go(place, link)}
        ${this.#act("earlier", "left", strings("maker.earlier", { number }), () => this.#move(place, -1, "earlier"), place === 0)}
        ${this.#act("later", "right", strings("maker.later", { number }), () => this.#move(place, 1, "later"), place === last)}
        ${this.#act("remove", "close", strings("maker.remove", { number }), () => this.#remove(place), last === 0)}
      </div>
    </li>`;
  }

  /** Why the present state cannot be added; empty when it can. */
  get #refusal(): string {
    const { storySteps, storyLink } = bounds;
    if (this.steps.length >= storySteps.max) return this.#strings("maker.full", { count: storySteps.max });
    const { length } = this.shown;
    return length > storyLink.max ? this.#strings("maker.too_long", { length, most: storyLink.max }) : "";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, steps, undoable } = this;
    if (!words) return nothing;
    const strings = this.#strings;
    const links = steps.map(({ link }) => link);
    const states = this.#states.of(links, () =>
      links.map((link) => {
        const { config } = decode(link);
        return { lab: config.view.lab, link: linkOf(config) };
      }),
    );
    const refusal = this.#refusal;
    return html`<section aria-labelledby="title">
      <div class="top">
        <h2 id="title">${strings("maker.title")}</h2>
        <p>${strings("maker.about")}</p>
        <button class="button" @click=${() => this.#send("story-share")}>${strings("maker.share")}</button>
        <button class="button" @click=${() => this.#send("story-done")}>${strings("maker.done")}</button>
      </div>
      <ol>
        ${states.map(({ lab, link }, place) => this.#card(place, lab, link))}
        <li class="add">
          <button class="button" ?disabled=${refusal !== ""} @click=${() => this.#add()}>
            ${icon("more", 16)}${strings("maker.add")}
          </button>
        </li>
      </ol>
      <div class="said" role="status">
        ${refusal ? html`<p>${refusal}</p>` : nothing}
        ${
          undoable
            ? html`<p>
                ${undoable.said}
                <button class="link" @click=${() => this.#undo(undoable)}>${strings("maker.undo")}</button>
              </p>`
            : nothing
        }
      </div>
    </section>`;
  }
}
customElements.define("ap-story-maker", ApStoryMaker);
