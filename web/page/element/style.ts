/**
 * The style of an element in its host page: a box of its own, isolated from the host's styles in both
 * directions.
 */
import { css, unsafeCSS } from "lit";
import { look } from "../../elements/look.js";
import tokens from "../../tokens.css?inline";

export const elementStyle = [
  // The design tokens are set on .root, so that custom properties of the host page do not reach the element.
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
    /* About as high as most labs, so that the page around moves little when the lab appears. The code of
       the Share dialog reserves the exact height. */
    .root[data-empty] {
      min-height: 480px;
    }
    .root[data-unavailable] {
      display: none;
    }
    /* The element's own content is printed as long as there are no numbers. */
    slot {
      display: none;
    }
    slot[data-shown] {
      display: block;
    }
    /* The link that stands there where the page around has put nothing. */
    slot > a {
      display: inline-block;
      padding: 12px 16px;
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
