/** ap-story: the text of a story's present step, and buttons for the others. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Words } from "../i18n/words.js";
import { icon } from "./icons.js";
import { look } from "./look.js";

/** Events: story-go {place}; story-leave; story-edit, when the story can be edited. */
export class ApStory extends LitElement {
  static override properties = {
    words: { attribute: false },
    steps: { attribute: false },
    at: { attribute: false },
    going: { attribute: false },
    editable: { type: Boolean },
  };
  declare words: Words;
  /** The texts of the steps. */
  declare steps: readonly { words: string }[];
  /** The index of the step that is shown. */
  declare at: number;
  /** The index of the step that is being opened, else that of the step that is shown. */
  declare going: number;
  declare editable: boolean;

  static override styles = [
    look,
    css`
      :host {
        display: block;
        container-type: inline-size;
      }
      section {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr) auto;
        gap: 4px 16px;
        align-items: center;
        padding: 6px 0 6px 12px;
        border-inline-start: 3px solid var(--ink);
      }
      .way {
        display: flex;
        gap: 4px;
        align-items: center;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      /* All texts have the room of the longest, so that what is below does not move. */
      .texts {
        display: grid;
      }
      p {
        grid-area: 1 / 1;
        max-width: 84ch;
        margin: 0;
        font-size: 16px;
        line-height: 1.45;
        overflow-wrap: anywhere;
        unicode-bidi: plaintext;
      }
      .room {
        visibility: hidden;
      }
      .others {
        display: flex;
      }
      @container (max-width: 640px) {
        section {
          grid-template-columns: 1fr auto;
        }
        .texts {
          grid-area: 2 / 1 / auto / -1;
        }
      }
      @media print {
        button {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.steps = [];
    this.at = 0;
    this.going = 0;
    this.editable = false;
  }

  #send(name: string, detail?: { place: number }): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #go(place: number, name: "story.back" | "story.next", drawn: "left" | "right"): TemplateResult {
    const word = this.words(name);
    return html`<button
      class="quiet"
      aria-label=${word}
      title=${word}
      ?disabled=${place < 0 || place >= this.steps.length}
      @click=${() => this.#send("story-go", { place })}
    >
      ${icon(drawn)}
    </button>`;
  }

  #button(event: "story-edit" | "story-leave", drawn: "edit" | "close"): TemplateResult {
    const word = this.words(event === "story-edit" ? "story.edit" : "story.leave");
    return html`<button class="quiet" aria-label=${word} title=${word} @click=${() => this.#send(event)}>
      ${icon(drawn, 16)}
    </button>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, steps, at, going } = this;
    if (!words) return nothing;
    const count = steps.length;
    return html`<section aria-label=${words("story.label")}>
      <div class="way">
        ${this.#go(going - 1, "story.back", "left")}
        <span aria-hidden="true">${at + 1} / ${count}</span>
        <span class="unseen">${words("story.step_of", { number: at + 1, count })}</span>
        ${this.#go(going + 1, "story.next", "right")}
      </div>
      <div class="texts">
        ${steps.map((step) => html`<p class="room" aria-hidden="true">${step.words}</p>`)}
        <p role="status">${steps[at]?.words ?? ""}</p>
      </div>
      <div class="others">
        ${this.editable ? this.#button("story-edit", "edit") : nothing}${this.#button("story-leave", "close")}
      </div>
    </section>`;
  }
}
customElements.define("ap-story", ApStory);
