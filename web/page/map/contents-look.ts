/** The style of the contents. */
import { css } from "lit";

export const contentsLook = css`
  :host {
    display: block;
    width: 100%;
    max-width: 1888px;
    margin: 0 auto;
    padding: 16px 24px 60px;
  }
  h1 {
    margin: 0;
    font: 600 var(--t-title) / 1.25 var(--serif);
    letter-spacing: -0.008em;
  }
  h1:lang(zh) {
    font-family: var(--sans);
    letter-spacing: 0;
  }
  h2 {
    margin: 0 0 10px;
    font: 600 20px/1.3 var(--serif);
  }
  h2:lang(zh) {
    font-family: var(--sans);
  }
  h1:focus-visible,
  h2:focus-visible {
    outline-offset: 4px;
  }
  .lede,
  .sentence {
    margin: 3px 0 0;
    color: var(--ink-2);
    font-size: 15px;
  }
  .sentence {
    font: 16px/1.6 var(--serif);
  }
  .sentence:lang(zh) {
    font: 15px/1.7 var(--sans);
  }
  .map {
    display: grid;
    grid-template-columns: minmax(0, 1fr) min(392px, 31%);
    gap: 0 24px;
    align-items: start;
  }
  .map ap-map {
    grid-column: 1 / -1;
    grid-row: 2;
    margin-top: 10px;
  }
  /* The note begins beside the title and stands over the right of the map, where the encoder has ended. */
  .map ap-search {
    grid-column: 2;
    grid-row: 1;
    z-index: 2;
  }
  .side {
    grid-column: 2;
    grid-row: 1 / span 2;
    z-index: 1;
    margin-top: 48px;
  }
  ol,
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .below {
    display: grid;
    grid-template-columns: minmax(0, 430px) minmax(0, 1fr);
    gap: 0 56px;
    margin-top: 26px;
  }
  .narrow .part + .part {
    margin-top: 36px;
  }
  li {
    border-top: 1px solid var(--rule);
  }
  a {
    text-decoration: none;
  }
  .labs a,
  .examples a {
    display: block;
  }
  .labs a {
    display: grid;
    grid-template-columns: 30px 1fr auto auto;
    gap: 0 10px;
    align-items: baseline;
    padding: 8px 0;
  }
  .labs .number {
    margin-inline-end: -10px;
  }
  .labs .glyph {
    align-self: center;
  }
  .done {
    display: flex;
    gap: 4px;
    color: var(--ink-3);
    font-size: 12.5px;
    white-space: nowrap;
  }
  .done.all {
    color: var(--match);
  }
  .number {
    color: var(--ink-3);
    font: 15px/1.3 var(--serif);
  }
  strong {
    font-weight: 600;
  }
  .labs strong,
  .examples strong {
    display: block;
  }
  .labs strong {
    font: 600 16px/1.3 var(--serif);
  }
  .labs strong:lang(zh) {
    font: 600 15px/1.5 var(--sans);
  }
  a:hover strong {
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .says {
    color: var(--ink-2);
    font-size: 13px;
  }
  #part-documents {
    position: relative;
  }
  .column {
    position: absolute;
    top: 7px;
    right: 0;
    margin: 0;
    color: var(--ink-2);
    font-size: 12.5px;
  }
  summary {
    display: grid;
    grid-template-columns: 40px 1fr auto;
    gap: 0 8px;
    align-items: baseline;
    padding: 6px 0;
    cursor: pointer;
    list-style: none;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary:hover {
    background: var(--sunk);
  }
  details li {
    padding: 5px 0 6px 48px;
  }
  .matches {
    display: flex;
    gap: 4px;
    align-items: center;
    color: var(--ink-2);
    font-size: 12.5px;
    white-space: nowrap;
  }
  .matches.all {
    color: var(--match);
  }
  .matches.not {
    color: var(--notice);
  }
  .source {
    display: block;
    color: var(--ink-3);
    font-size: 12.5px;
    line-height: 1.4;
  }
  .bench {
    margin: 40px 0 0;
    padding-top: 12px;
    border-top: 1px solid var(--rule);
    font-size: 13.5px;
  }
  .bench a {
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .examples {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(240px, 1fr));
    gap: 24px 28px;
  }
  .examples li {
    padding-top: 12px;
  }
  .picture {
    display: flex;
    align-items: center;
    gap: 12px;
    height: 96px;
    margin-bottom: 8px;
    overflow: hidden;
  }
  .examples strong {
    font-size: 15px;
  }
  .match {
    display: flex;
    align-items: center;
    gap: 4px;
    margin-top: 4px;
    color: var(--match);
    font-size: 12.5px;
    overflow-wrap: anywhere;
  }
  .match.not {
    color: var(--notice);
  }
  .match.mixed {
    color: var(--ink-2);
  }
  .here {
    display: none;
  }
  @media (max-width: 1087px) {
    .map {
      grid-template-columns: minmax(0, 500px) minmax(240px, 1fr);
    }
    .map .head,
    .map ap-map {
      grid-column: 1;
    }
    .side {
      position: sticky;
      top: 16px;
    }
    .below {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr);
      gap: 0 40px;
    }
  }
  @media (max-width: 767px) {
    :host {
      padding: 12px 16px 190px;
    }
    h2 {
      margin-top: 14px;
    }
    .part:not([data-on]) {
      display: none;
    }
    .narrow .part + .part {
      margin-top: 0;
    }
    .map,
    .below {
      display: block;
      margin-top: 10px;
    }
    .lede {
      font-size: 14px;
    }
    .map .sentence {
      display: none;
    }
    .side {
      margin: 0;
      position: fixed;
      inset: auto 0 0;
      z-index: 3;
      box-shadow: var(--shadow);
    }
    .column {
      top: 20px;
    }
    .tabs {
      display: flex;
      margin-top: 8px;
      border-bottom: 1px solid var(--rule);
    }
    .tabs button {
      min-height: var(--touch);
      padding: 9px 10px 8px;
      border: 0;
      background: none;
      color: var(--ink-2);
    }
    .tabs button:first-child {
      padding-inline-start: 0;
    }
    .tabs [aria-selected="true"] {
      color: var(--ink);
      font-weight: 600;
      box-shadow: inset 0 -2px var(--ink);
    }
    .here {
      display: flex;
      flex-wrap: wrap;
      gap: 8px;
      align-items: center;
      margin-bottom: 8px;
    }
    .here h2 {
      flex-basis: 100%;
      margin: 0 0 2px;
      font-size: 17px;
    }
  }
`;
