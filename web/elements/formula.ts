/** ap-formula: a formula in MathML whose symbols can be pointed at and have the colours of their tensors. */
import { LitElement, css, html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import { roleColours } from "./look.js";
import { narrower } from "./narrower.js";
import type { Words } from "../i18n/words.js";
import type { FormulaElement, FormulaNode } from "../marks/formula.js";
import type { FormulaPart } from "../marks/wording.js";

const NONE: readonly string[] = [];
const MATHML = "http://www.w3.org/1998/Math/MathML";

export class ApFormula extends LitElement {
  static override properties = {
    formulas: { attribute: false },
    formula: { type: String },
    parts: { attribute: false },
    lit: { attribute: false },
    words: { attribute: false },
  };

  static override styles = [
    roleColours,
    css`
      :host {
        position: relative;
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
      button {
        position: absolute;
        padding: 0;
        border: 0;
        border-radius: var(--radius-s);
        background: none;
        cursor: pointer;
      }
      button:focus {
        outline: none;
      }
      button:focus-visible {
        outline: 2px solid var(--ink);
        outline-offset: 2px;
      }
      /* For fingers a symbol is at least 24 px wide and high, and takes that room beside its neighbours. */
      @media (pointer: coarse) {
        :host {
          --beside: 5.5px;
        }
        [data-symbol] {
          padding-inline: var(--beside);
        }
      }
      /* An underline as wide as the letter; as a shadow it moves with the letter. */
      [data-lit] {
        box-shadow: 0 calc(2px + var(--beside, 0px)) 0 calc(-1 * var(--beside, 0px)) currentColor;
      }
      @media (forced-colors: active) {
        [data-lit] {
          padding-bottom: 0;
          border-bottom: 2px solid Highlight;
        }
      }
    `,
    narrower(
      767,
      css`
        /* On a narrow page a long formula is scrolled sideways, not the page. */
        :host {
          max-width: 100%;
          overflow: auto hidden;
          font-size: 18px;
        }
        /* It fades out where it goes on. */
        :host([data-more]) {
          mask-image: linear-gradient(to right, #000 calc(100% - 56px), transparent);
        }
        /* Fractions in text size, so that the line is only half a line higher. */
        math {
          math-style: compact;
        }
      `,
    ),
  ];

  /** All formulas of the page, by id. */
  declare formulas: Readonly<Record<string, FormulaElement>>;
  /** The id of the formula that is shown; nothing is shown for an unknown id. */
  declare formula: string;
  declare parts: readonly FormulaPart[];
  /** The names of the underlined symbols. */
  declare lit: readonly string[];
  declare words: Words | null;

  #pointedNodes = NONE;
  #placedSymbols = "";
  readonly #resize = new ResizeObserver(() => this.#place());

  constructor() {
    super();
    this.formulas = {};
    this.formula = "";
    this.parts = [];
    this.lit = [];
    this.words = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("scroll", this.#markMore);
    this.#resize.observe(this);
    const math = this.renderRoot?.querySelector("math");
    if (math) this.#resize.observe(math);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize.disconnect();
  }

  /** The symbols of the formula that stand for tensors. */
  get #buttons(): readonly FormulaPart[] {
    const tree = this.#tree;
    const there = tree ? symbolsIn(tree) : [];
    return this.parts.filter((part) => part.nodes.length > 0 && there.includes(part.symbol));
  }

  get #tree(): FormulaElement | undefined {
    return Object.hasOwn(this.formulas, this.formula) ? this.formulas[this.formula] : undefined;
  }

  protected override render(): TemplateResult {
    return html`<span id="math" aria-hidden="true"></span>${this.#buttons.map(
        (part) =>
          html`<button
            data-for=${part.symbol}
            data-role=${part.role ?? nothing}
            title=${part.label}
            @pointerenter=${() => this.#pointAt(part.nodes)}
            @pointerleave=${() => this.#pointAt(NONE)}
            @focus=${() => this.#pointAt(part.nodes)}
            @blur=${() => this.#pointAt(NONE)}
            @click=${() => this.#fire("symbol-go", part.nodes)}
          ></button>`,
      )}`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const math = this.renderRoot.querySelector("#math");
    if (!math) return;
    if (changed.has("formula") || changed.has("formulas")) {
      const tree = this.#tree;
      const [before] = math.children;
      if (before) this.#resize.unobserve(before);
      math.replaceChildren(...(tree ? [toDom(tree)] : []));
      const [now] = math.children;
      // The letters change their size with the window, and when their font has loaded.
      if (now) this.#resize.observe(now);
    }
    for (const symbol of math.querySelectorAll("[data-symbol]")) {
      const name = symbol.getAttribute("data-symbol") ?? "";
      const role = this.parts.find((part) => part.symbol === name)?.role;
      if (role) symbol.setAttribute("data-role", role);
      else symbol.removeAttribute("data-role");
      symbol.toggleAttribute("data-lit", this.lit.includes(name));
    }
    // Other numbers and underlining move no symbol, and measuring the symbols would force a layout.
    const symbols = this.#buttons.map(({ symbol }) => symbol).join(" ");
    if (changed.has("formula") || changed.has("formulas") || symbols !== this.#placedSymbols) this.#place();
    this.#placedSymbols = symbols;
  }

  /** Marks a formula that goes on at the right. */
  readonly #markMore = (): void => {
    this.toggleAttribute("data-more", this.scrollWidth - this.clientWidth - this.scrollLeft > 2);
  };

  /** Places each button over its symbol, because MathML may not contain buttons. */
  #place(): void {
    const own = this.getBoundingClientRect();
    const least = matchMedia("(pointer: coarse)").matches ? 24 : 0;
    for (const button of this.renderRoot.querySelectorAll("button")) {
      const symbol = this.renderRoot.querySelector(`[data-symbol="${button.dataset["for"]}"]`);
      if (!symbol) continue;
      const at = symbol.getBoundingClientRect();
      const width = Math.max(at.width, least);
      const height = Math.max(at.height, least);
      const left = at.left - own.left + this.scrollLeft - (width - at.width) / 2;
      const top = at.top - own.top - (height - at.height) / 2;
      const box = { left, top, width, height };
      for (const [side, length] of Object.entries(box)) button.style.setProperty(side, `${length}px`);
    }
    // Only now: buttons at their former places could make it longer.
    this.#markMore();
  }

  #pointAt(nodes: readonly string[]): void {
    if (nodes === this.#pointedNodes) return;
    this.#pointedNodes = nodes;
    this.#fire("symbol-point", nodes);
  }

  #fire(type: "symbol-point" | "symbol-go", nodes: readonly string[]): void {
    this.dispatchEvent(new CustomEvent(type, { detail: { nodes }, bubbles: true, composed: true }));
  }
}

/** The names of the symbols in a tree, in order. */
function symbolsIn(node: FormulaNode): string[] {
  if (typeof node === "string") return [];
  return [...(node.symbol ? [node.symbol] : []), ...node.children.flatMap(symbolsIn)];
}

/** The DOM of a tree. Elements are created one by one, so that no text is parsed as markup. */
function toDom(node: FormulaNode): Node {
  if (typeof node === "string") return document.createTextNode(node);
  const element = document.createElementNS(MATHML, node.tag);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  if (node.symbol) element.setAttribute("data-symbol", node.symbol);
  element.append(...node.children.map(toDom));
  return element;
}

customElements.define("ap-formula", ApFormula);

declare global {
  interface HTMLElementTagNameMap {
    "ap-formula": ApFormula;
  }
}
