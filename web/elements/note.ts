/** The arithmetic note: how one number was made, set as columns with a rule and a result. */
import { LitElement, css, html, nothing } from "lit";
import type { Explanation } from "../core/index.js";
import type { Words } from "../i18n/words.js";
import type { NodeWords } from "../marks/wording.js";

export interface CellAddress {
  node: string;
  index: number[];
}
/** A link at the foot: what the cell becomes. */
export interface Becomes extends CellAddress {
  value: number;
}
export type OperandPointEvent = CustomEvent<CellAddress | { node: null }>;
export type CellGoEvent = CustomEvent<CellAddress>;
export type CellPinEvent = CustomEvent<Record<string, never>>;
/** The reader opens the terms that a long sum leaves out, or closes them. */
export type NoteFullEvent = CustomEvent<{ open: boolean }>;

export class ApNote extends LitElement {
  static override properties = {
    explanation: { attribute: false },
    nodeWords: { attribute: false },
    becomes: { attribute: false },
    pinned: { type: Boolean },
    operand: { attribute: false },
    full: { type: Boolean },
    words: { attribute: false },
    variant: { type: String, reflect: true },
  };

  static override styles = css`
    :host { display: block; }
  `;

  declare explanation: Explanation | null;
  declare nodeWords: (node: string) => NodeWords;
  declare becomes: readonly Becomes[];
  declare pinned: boolean;
  /** The source cell pointed at on the stage; its number is underlined here. */
  declare operand: CellAddress | null;
  /** Whether `explanation` holds every term. */
  declare full: boolean;
  declare words: Words | null;
  declare variant: "card" | "sheet" | "strip";

  constructor() {
    super();
    this.explanation = null;
    this.becomes = [];
    this.pinned = false;
    this.operand = null;
    this.full = false;
    this.words = null;
    this.variant = "card";
  }

  protected override render() {
    const explanation = this.explanation;
    return explanation ? html`<p>${explanation.node}[${explanation.index.join(", ")}]</p>` : nothing;
  }
}

customElements.define("ap-note", ApNote);

declare global {
  interface HTMLElementTagNameMap {
    "ap-note": ApNote;
  }
}
