/** The look of the arithmetic note: visual design section 5. */
import { css } from "lit";

export const noteStyles = css`
  :host {
    display: block;
    font-size: 13px;
  }
  section {
    position: relative;
    padding: 10px 14px 11px;
    border: 1px solid var(--rule);
    border-radius: var(--radius-m);
    background: var(--surface);
  }
  header {
    display: flex;
    align-items: baseline;
    gap: 8px;
  }
  h2 {
    margin: 0;
    font: inherit;
    font-weight: 600;
    white-space: nowrap;
  }
  .meaning {
    flex: 1;
    min-width: 0;
    color: var(--ink-2);
    overflow-wrap: anywhere;
  }
  .tools {
    display: flex;
    align-self: start;
    margin: -6px -8px -6px 0;
  }
  .tools button {
    min-height: 0;
    padding: 5px;
    color: var(--ink-3);
  }
  .tools button:hover,
  .tools [aria-pressed="true"] {
    color: var(--ink);
  }
  [aria-pressed="true"] .icon {
    fill: currentColor;
  }
  .body {
    margin-top: 5px;
    overflow-x: auto;
    scrollbar-width: thin;
  }
  table {
    border-collapse: collapse;
    font-size: 14px;
  }
  th,
  td {
    padding: 2px 0;
    font-weight: 400;
    text-align: right;
    white-space: nowrap;
  }
  th {
    padding-right: 14px;
    text-align: left;
    font-size: 12.5px;
  }
  th i {
    font-family: var(--serif);
    font-weight: 600;
  }
  th i sub,
  th i sup {
    font-size: 0.75em;
  }
  td {
    min-width: 30px;
  }
  sub,
  sup {
    line-height: 0;
  }
  td.after {
    min-width: 18px;
    padding: 2px 3px;
    text-align: center;
    color: var(--ink-3);
  }
  td.gap {
    min-width: 10px;
  }
  tr.ruled > * {
    border-top: 1px solid var(--ink-2);
  }
  td.name,
  td.rest {
    font-size: 12.5px;
    color: var(--ink-3);
  }
  td.text {
    text-align: left;
    white-space: normal;
  }
  td.dim {
    color: var(--ink-3);
  }
  td.own {
    font-weight: 600;
    color: var(--ink);
  }
  td.result {
    font-size: 16px;
    font-weight: 650;
  }
  td.result.inline {
    text-align: left;
  }
  .operand {
    margin: -2px -3px;
    padding: 2px 3px;
    border: 0;
    border-radius: var(--radius-s);
    background: none;
    text-align: inherit;
    cursor: pointer;
  }
  .operand:hover,
  .operand[data-lit] {
    text-decoration: underline 2px;
    text-underline-offset: 3px;
  }
  .operand:focus-visible {
    outline-offset: -1px;
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

  section[data-fit="close"] table {
    font-size: 12px;
  }
  section[data-fit="close"] :is(td.name, td.rest) {
    font-size: 11.5px;
  }
  section[data-fit="close"] th {
    padding-right: 6px;
    font-size: 11.5px;
  }
  section[data-fit="close"] td {
    min-width: 18px;
  }
  section[data-fit="close"] td.after {
    min-width: 8px;
    padding-inline: 1px;
  }
  section[data-fit="close"] td.gap {
    min-width: 4px;
  }

  .terms {
    max-height: 168px;
    overflow-y: auto;
  }
  section .terms table {
    font-size: 12.5px;
  }
  .terms :is(th, td) {
    padding-block: 1px;
  }
  .terms thead th {
    position: sticky;
    top: 0;
    padding: 0 0 2px 10px;
    background: var(--surface);
    font-size: 12px;
    text-align: right;
    vertical-align: bottom;
    white-space: normal;
    word-break: keep-all;
  }
  .terms th:first-child {
    padding: 1px 0;
    color: var(--ink-3);
    font-size: 12px;
    text-align: left;
  }
  .terms td {
    padding-left: 10px;
  }
  .terms td.ruled {
    position: sticky;
    right: 0;
    box-shadow: inset 1px 0 var(--ink-2);
    background: var(--surface);
  }
  .terms td:has(+ .ruled) {
    padding-right: 8px;
  }
  .terms tfoot :is(th, td) {
    position: sticky;
    bottom: 0;
    background: var(--surface);
  }
  .terms tfoot .ruled > * {
    border-top: 0;
    box-shadow: inset 0 1px var(--ink-2);
  }
  .terms tr.own th {
    font-weight: 600;
    color: var(--ink);
  }
  .terms tbody th .link {
    color: inherit;
    text-decoration-color: var(--rule-2);
  }

  footer {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 2px 16px;
    margin-top: 8px;
    padding-top: 7px;
    border-top: 1px solid var(--rule);
    color: var(--ink-2);
    font-size: 12.5px;
  }
  footer .link,
  .rest .link {
    color: inherit;
    text-decoration-color: var(--rule-2);
  }
  footer .link:hover,
  .rest .link:hover {
    text-decoration-color: currentColor;
  }
  footer i {
    font: italic 600 14px/1 var(--serif);
  }
  .said {
    display: contents;
  }
  .arrows {
    display: flex;
    flex: none;
  }
  .up .icon,
  .down .icon {
    transform: rotate(90deg);
  }

  :host([variant="sheet"]) section {
    padding: 12px 16px;
    border-width: 1px 0 0;
    border-radius: var(--radius-l) var(--radius-l) 0 0;
  }
  :host([variant="sheet"]) .tools button {
    min-width: var(--touch);
    min-height: var(--touch);
    justify-content: center;
  }
  :host([variant="sheet"]) .tools {
    margin: -10px -8px -12px 0;
  }
  :host([variant="sheet"]) .arrows button {
    min-width: var(--touch);
    min-height: var(--touch);
    justify-content: center;
    padding: 0;
  }
  :host([variant="sheet"]) .said {
    display: block;
    flex: 1;
  }
  :host([variant="sheet"]) .said > span {
    display: block;
  }
  :host([variant="sheet"]) footer {
    flex-wrap: nowrap;
    margin-top: 6px;
    padding-top: 2px;
  }

  :host([variant="strip"]) section {
    display: grid;
    grid-template-columns: minmax(120px, auto) 1fr;
    align-items: center;
    gap: 4px 28px;
    padding: 10px 16px;
    border-width: 1px 0 0;
    border-radius: 0;
    background: none;
  }
  :host([variant="strip"]) header {
    display: block;
    max-width: 180px;
  }
  :host([variant="strip"]) .body {
    margin: 0;
  }
  @media (max-width: 519px) {
    :host([variant="strip"]) section {
      grid-template-columns: minmax(0, 1fr);
    }
  }

  @media (pointer: coarse) {
    .operand {
      min-height: 32px;
      min-width: 32px;
    }
    footer .link {
      min-width: 0;
    }
  }
  @media (forced-colors: active) {
    .operand:hover,
    .operand[data-lit] {
      outline: 2px solid Highlight;
    }
  }
`;
