/**
 * The reader's own words for a lab: a text split at its spaces, into characters, or into byte pairs that the
 * core learns from it.
 */
import { html, nothing, type TemplateResult } from "lit";
import { bounds } from "../../config/bounds.js";
import { characters, joinedPieces, plainText, tokenize } from "../../config/tokens.js";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";

const cuts = ["spaces", "characters", "pairs"] as const;
type Cut = (typeof cuts)[number];

export interface LearnedPieces {
  /** The text in pieces. */
  pieces: string[];
  /** The number of merges that were made; fewer than requested when no pair occurs twice any more. */
  merges: number;
}

/** Learns a number of merges from a text and splits it by them. */
export type LearnPieces = (text: string, merges: number) => Promise<LearnedPieces>;

/** The longest text that byte pairs are learned from. */
export const MOST_CHARACTERS = 20_000;
const MERGES = { min: 0, max: 512, first: 20 };

/** A text, and how it was split. */
interface Source {
  text: string;
  cut: Cut;
  merges: number;
  /** The value of the control that was made from it; null while it is being made. */
  value: string | null;
  /** Values that the control may still have until that one is set. */
  valuesBefore: string[];
  /** The number of pieces, and the number of merges they were made with. */
  result: { count: number; merges: number | null } | null;
}

/** The texts by the id of their control, because a link holds only the pieces. */
const sources = new Map<string, Source>();

/** The control that the text belongs to. */
export interface OwnTextHost {
  readonly words: Words;
  readonly control: Control;
  requestUpdate(): void;
  send(value: string): void;
}

export class OwnText {
  readonly #host: OwnTextHost;
  /** Counts the requests to the core, so that only the last answer is used. */
  #requests = 0;
  #hasFailed = false;

  constructor(host: OwnTextHost) {
    this.#host = host;
  }

  /** The text that the control's words were made from; null when the words were typed as they are. */
  get source(): Source | null {
    const { id, value } = this.#host.control;
    const source = sources.get(id);
    if (!source) return null;
    if (source.value === value) source.valuesBefore = [];
    return source.value === value || source.valuesBefore.includes(value) ? source : null;
  }

  /** The text in the field: words as they were read; a text that is split otherwise, as it was typed. */
  get text(): string {
    const { source } = this;
    return source && source.cut !== "spaces" ? source.text : this.#host.control.value;
  }

  /** Handles a typed text. */
  onTyped(text: string, learn: LearnPieces | null): void {
    const { cut, merges } = this.#choice;
    void this.#split(text, cut, merges, learn);
  }

  /** The text as it was typed or pasted. */
  get #fullText(): string {
    return this.source?.text ?? this.#host.control.value;
  }

  get #choice(): Pick<Source, "cut" | "merges" | "result" | "value"> {
    return this.source ?? { cut: "spaces", merges: MERGES.first, result: null, value: null };
  }

  async #split(text: string, cut: Cut, merges: number, learn: LearnPieces | null): Promise<void> {
    const request = ++this.#requests;
    const host = this.#host;
    const { id, value } = host.control;
    // An earlier answer may not have reached the page yet.
    const last = this.source?.value;
    const valuesBefore = typeof last === "string" ? [value, last] : [value];
    this.#hasFailed = false;
    if (cut === "spaces") {
      sources.set(id, { text, cut, merges, value: tokenize(text).join(" "), valuesBefore, result: null });
      host.send(text.trim());
      return host.requestUpdate();
    }
    const plain = plainText(text);
    const source: Source = { text, cut, merges, value: null, valuesBefore, result: null };
    sources.set(id, source);
    host.requestUpdate();
    let cutUp: { pieces: string[]; merges: number | null };
    if (cut === "characters" || !learn) cutUp = { pieces: characters(plain), merges: null };
    else {
      try {
        cutUp = await learn(plain, merges);
      } catch {
        if (request !== this.#requests) return;
        this.#hasFailed = true;
        return host.requestUpdate();
      }
    }
    if (request !== this.#requests) return;
    const { pieces } = cutUp;
    source.result = { count: pieces.length, merges: cutUp.merges };
    const taken = pieces.slice(0, bounds.words.max);
    source.value = taken.join(" ");
    host.send(joinedPieces(taken));
    host.requestUpdate();
  }

  /** The choice under the text; byte pairs are offered only where `learn` is given. */
  template(learn: LearnPieces | null): TemplateResult {
    const { words } = this.#host;
    const { cut, merges } = this.#choice;
    const offered = cuts.filter((one) => one !== "pairs" || learn);
    const choose = (next: Cut): void => void this.#split(this.#fullText, next, merges, learn);
    return html`<fieldset class="cut">
        <legend>${words("sentence.cut")}</legend>
        ${offered.map(
          (one) =>
            html`<label class="option"
              ><input type="radio" name="cut" .checked=${one === cut} @change=${() => choose(one)} />
              <span>${words(`sentence.cut_${one}`)}</span></label
            >`,
        )}
      </fieldset>
      ${cut === "pairs" ? this.#merges(merges, learn) : nothing}`;
  }

  #merges(merges: number, learn: LearnPieces | null): TemplateResult {
    const { words } = this.#host;
    const { min, max } = MERGES;
    const set = (event: Event): void => {
      const field = event.target as HTMLInputElement;
      const next = Number(field.value);
      if (Number.isInteger(next) && field.value !== "" && next >= min && next <= max)
        void this.#split(this.#fullText, "pairs", next, learn);
    };
    return html`<label class="merges"
      >${words("sentence.merges")}
      <input type="number" min=${min} max=${max} step="1" .value=${String(merges)} @input=${set}
    /></label>`;
  }

  /** What a row of the lab is, and what the text was split into. */
  hint(): { text: string; wrong: boolean } {
    const { words, control } = this.#host;
    if (this.#hasFailed) return { text: words("sentence.pairs_failed"), wrong: true };
    const { cut, merges, result, value } = this.#choice;
    if (cut === "spaces") return { text: control.help ?? words("sentence.words_hint"), wrong: false };
    const sentences = [words(cut === "characters" ? "sentence.characters_hint" : "sentence.pairs_hint")];
    const byte = cut === "pairs" && /\p{sc=Han}/u.test(this.text) && value?.match(/<[0-9A-F]{2}>/)?.[0];
    if (byte) sentences.push(words("sentence.pairs_bytes", { byte }));
    const { count = 0, merges: learned = null } = result ?? {};
    if (learned !== null)
      sentences.push(
        words(learned < merges ? "sentence.pairs_end" : "sentence.pairs_made", { merges: learned, count }),
      );
    const { max } = bounds.words;
    if (count > max) sentences.push(words("sentence.first_pieces", { most: max, count }));
    const text = sentences.reduce((first, second) => words("sentence.two", { first, second }));
    return { text, wrong: false };
  }
}
