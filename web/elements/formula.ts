/** The live formula: MathML whose symbols are buttons, in the colour of the tensors they stand for. */
import { LitElement, css, html } from "lit";
import type { PropertyValues } from "lit";
import type { Words } from "../i18n/words.js";
import type { FormulaElement, FormulaNode } from "../marks/formula.js";
import type { FormulaPart } from "../marks/wording.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** The nodes of the symbol pointed at; none when the pointer left. */
export type SymbolPointEvent = CustomEvent<{ nodes: readonly string[] }>;
/** A symbol was chosen. */
export type SymbolGoEvent = CustomEvent<{ nodes: readonly string[] }>;

export class ApFormula extends LitElement {
  static override properties = {
    formulas: { attribute: false },
    formula: { type: String },
    parts: { attribute: false },
    lit: { attribute: false },
    words: { attribute: false },
  };

  static override styles = css`
    :host {
      display: inline-block;
      color: var(--ink);
      font-family: var(--math);
      font-size: var(--t-formula);
    }
    math {
      font-family: inherit;
      display: inline-block math;
      math-style: normal;
    }
    mtd.tml-right {
      text-align: right;
      padding-inline: 0;
    }
    mtd.tml-left {
      text-align: left;
      padding-inline: 0;
    }
    [data-symbol] {
      padding-bottom: 2px;
    }
    [role="button"] {
      cursor: pointer;
    }
    [role="button"]:focus {
      outline: none;
    }
    [role="button"]:focus-visible {
      outline: 2px solid var(--ink);
      outline-offset: 2px;
      border-radius: var(--radius-s);
    }
    [data-lit] {
      box-shadow: 0 2px 0 currentColor;
    }
    [data-role="query"] {
      color: var(--query);
    }
    [data-role="key"] {
      color: var(--key);
    }
    [data-role="value"] {
      color: var(--value);
    }
    [data-role="attention"] {
      color: var(--attention);
    }
    [data-role="output"] {
      color: var(--output);
    }
    [data-role="weight"] {
      color: var(--weight);
    }
    [data-role="activation"] {
      color: var(--activation);
    }
    @media (max-width: 767px) {
      :host {
        font-size: 18px;
      }
    }
    @media (forced-colors: active) {
      [data-lit] {
        border-bottom: 2px solid Highlight;
      }
    }
  `;

  /** All formulas the page has, by id. */
  declare formulas: Readonly<Record<string, FormulaElement>>;
  /** Which one is shown; nothing is shown for an id that is not there. */
  declare formula: string;
  declare parts: readonly FormulaPart[];
  /** Symbols drawn underlined. */
  declare lit: readonly string[];
  declare words: Words | null;

  constructor() {
    super();
    this.formulas = {};
    this.formula = "";
    this.parts = [];
    this.lit = [];
    this.words = null;
  }

  protected override render() {
    return html`<span
      id="place"
      @pointerover=${this.#point}
      @pointerleave=${this.#leave}
      @focusin=${this.#point}
      @focusout=${this.#leave}
      @click=${this.#go}
      @keydown=${this.#key}
    ></span>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const place = this.renderRoot.querySelector("#place");
    if (!place) return;
    if (changed.has("formula") || changed.has("formulas")) {
      const tree = Object.hasOwn(this.formulas, this.formula) ? this.formulas[this.formula] : undefined;
      place.replaceChildren(...(tree ? [drawn(tree)] : []));
    }
    for (const symbol of place.querySelectorAll("[data-symbol]")) this.#dress(symbol);
  }

  /** Name, colour and underline of one symbol. A symbol without a part is plain ink and no button. */
  #dress(symbol: Element): void {
    const name = symbol.getAttribute("data-symbol") ?? "";
    const part = this.parts.find((one) => one.symbol === name);
    const attributes: Record<string, string | null> = {
      role: part && part.nodes.length > 0 ? "button" : null,
      tabindex: part && part.nodes.length > 0 ? "0" : null,
      "aria-label": part ? part.label : null,
      "data-role": part?.role ?? null,
      "data-lit": this.lit.includes(name) ? "" : null,
    };
    for (const [attribute, value] of Object.entries(attributes)) {
      if (value === null) symbol.removeAttribute(attribute);
      else symbol.setAttribute(attribute, value);
    }
  }

  #nodesUnder(event: Event): readonly string[] {
    const symbol = event.target instanceof Element ? event.target.closest("[data-symbol]") : null;
    const name = symbol?.getAttribute("data-symbol");
    return this.parts.find((part) => part.symbol === name)?.nodes ?? [];
  }

  #fire(type: "symbol-point" | "symbol-go", nodes: readonly string[]): void {
    this.dispatchEvent(new CustomEvent(type, { detail: { nodes }, bubbles: true, composed: true }));
  }

  #point = (event: Event): void => this.#fire("symbol-point", this.#nodesUnder(event));
  #leave = (): void => this.#fire("symbol-point", []);
  #go = (event: Event): void => {
    const nodes = this.#nodesUnder(event);
    if (nodes.length > 0) this.#fire("symbol-go", nodes);
  };
  #key = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.#go(event);
  };
}

/** MathML elements for a tree; made one by one, so that no text is ever parsed as markup. */
function drawn(node: FormulaNode): Node {
  if (typeof node === "string") return document.createTextNode(node);
  const element = document.createElementNS(MATHML, node.tag);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  if (node.symbol) element.setAttribute("data-symbol", node.symbol);
  element.append(...node.children.map(drawn));
  return element;
}

customElements.define("ap-formula", ApFormula);

declare global {
  interface HTMLElementTagNameMap {
    "ap-formula": ApFormula;
  }
}
