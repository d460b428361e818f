/** How an element stands in the page around it: a box of its own, which no style crosses either way. */
import { css, unsafeCSS } from "lit";
import { look } from "../../elements/look.js";
import tokens from "../../tokens.css?inline";

export const elementStyle = [
  // What the page around sets for its elements ends at .root: its tokens are its own.
  unsafeCSS(tokens.replaceAll(":root", ".root")),
  look,
  css`
    :host {
      display: block;
      min-width: 0;
    }
    :host([hidden]) {
      display: none;
    }
    .root {
      all: initial;
      display: flex;
      flex: 1;
      flex-direction: column;
      box-sizing: border-box;
      container: frame / inline-size;
      direction: ltr;
      width: 100%;
      min-height: 120px;
      overflow: hidden;
      border: 1px solid var(--rule);
      border-radius: 6px;
      background: var(--paper);
      color: var(--ink);
      font: var(--t-ui) / var(--lh-ui) var(--sans);
      -webkit-font-smoothing: antialiased;
    }
    /* About as high as most labs: what comes does not push the page around far. The code of Share reserves the very height. */
    .root[data-empty] {
      min-height: 480px;
    }
    /* What stands in the element is printed as long as there are no numbers. */
    slot {
      display: none;
    }
    @media print {
      slot {
        display: contents;
      }
      .root[data-empty] {
        display: none;
      }
    }
    .notices {
      display: grid;
      gap: 8px;
    }
    .notices ap-notice {
      margin: 8px 16px 4px;
    }
    a .icon {
      margin-inline-start: 2px;
    }
    a.quiet {
      text-decoration: underline;
      text-decoration-color: var(--rule-2);
      text-underline-offset: 3px;
    }
  `,
];
