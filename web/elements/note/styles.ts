/** The style of the note: DESIGN.md, section 5. */
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
  /* Words that do not fit beside the address get a line of their own. */
  .title {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 0 8px;
    min-width: 0;
  }
  h2 {
    max-width: 100%;
    margin: 0;
    font: inherit;
    font-weight: 600;
    overflow-wrap: break-word;
  }
  .meaning {
    max-width: 100%;
    color: var(--ink-2);
    overflow-wrap: break-word;
    text-wrap: balance;
  }
  .tools {
    display: flex;
    align-self: start;
    margin: -6px -8px -6px 0;
  }
  .tools button {
    min-height: 0;
    padding: 5px 4px;
    color: var(--ink-3);
  }
  .tools button:hover,
  .tools [aria-pressed="true"] {
    color: var(--ink);
  }
  [aria-pressed="true"] .icon {
    fill: currentColor;
  }
  .tools .gradient i {
    font: italic 600 17px/1 var(--serif);
  }
  .tools .gradient[aria-pressed="true"] {
    background: var(--sunk);
    box-shadow: inset 0 -2px var(--ink);
  }
  .gradient[aria-disabled="true"] {
    color: var(--ink-3);
    text-decoration: none;
    cursor: default;
  }
  footer .gradient {
    margin-inline-start: auto;
  }
  footer .gradient[aria-pressed="true"] {
    margin-inline-end: -7px;
    padding: 1px 7px 2px;
    border-radius: var(--radius-m);
    background: var(--ink);
    color: var(--paper);
    text-decoration: none;
  }
  td.use .link {
    text-decoration-color: var(--rule-2);
  }
  .body {
    margin-top: 5px;
  }
  .pair {
    display: contents;
  }
  .pair:has(.counterpart) {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 24px;
  }
  /* Its title stands on the line of the note's own. */
  .counterpart {
    margin-top: -17px;
  }
  .counterpart .title {
    margin: 0 72px 5px 0;
  }
  .counterpart b {
    font-weight: 600;
  }
  /* Room for the background of an operand, which is wider than its number. */
  .body,
  .terms {
    margin-right: -3px;
    padding-right: 3px;
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
    vertical-align: baseline;
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
  /* At least 8 px between two numbers. */
  td.gap {
    padding: 0 5px;
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
    overflow-wrap: anywhere;
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
  tr[data-waits] td,
  section[data-waits] :is(td.result, .said, .title .value) {
    visibility: hidden;
  }
  .operand:hover,
  .operand[data-lit] {
    text-decoration: underline 2px;
    text-underline-offset: 3px;
  }
  .operand:focus-visible {
    outline-offset: -1px;
  }

  section[data-fit^="close"] table {
    font-size: 12px;
  }
  section[data-fit^="close"] :is(td.name, td.rest) {
    font-size: 11.5px;
  }
  section[data-fit^="close"] th {
    padding-right: 6px;
    font-size: 11.5px;
  }
  section[data-fit^="close"] td {
    min-width: 18px;
  }
  section[data-fit^="close"] td.after {
    min-width: 8px;
    padding-inline: 1px;
  }
  section[data-fit^="close"] td.gap {
    min-width: 0;
    padding: 0 4px;
  }

  /* Lines closer to each other, where the note stands above numbers. */
  :host([dense]) section {
    padding: 7px 9px;
  }
  :host([dense]) section[data-fit^="close"] td.gap {
    padding: 0 3px;
  }
  :host([dense]) .body {
    margin-top: 2px;
  }
  :host([dense]) :is(table, .terms table) {
    font-size: 12px;
    line-height: 1.3;
  }
  :host([dense]) th {
    padding-right: 8px;
    font-size: 11.5px;
  }
  :host([dense]) :is(th, td) {
    padding-block: 0.5px;
  }
  :host([dense]) td.result {
    font-size: 14px;
  }
  :host([dense]) .terms {
    max-height: 150px;
  }
  :host([dense]) footer {
    gap: 0 12px;
    margin-top: 5px;
    padding-top: 4px;
    font-size: 11.5px;
  }

  .tools .cover {
    min-width: 25px;
    font: 600 15px/1 var(--sans);
  }
  .guessing {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
    margin-top: 9px;
  }
  .guessing label {
    color: var(--ink-2);
  }
  .guess {
    min-height: 30px;
    margin-inline-start: 6px;
    padding: 3px 8px;
    border: 1px solid var(--control);
    border-radius: var(--radius-s);
    background: var(--paper);
    color: var(--ink);
    font: inherit;
    font-variant-numeric: tabular-nums;
  }
  .guessing .button {
    min-height: 30px;
    padding-block: 3px;
  }
  .verdict {
    margin: 0;
    color: var(--ink);
  }
  .guessing .verdict {
    flex-basis: 100%;
  }
  .guessing .verdict:empty {
    display: none;
  }
  .verdict.right {
    display: flex;
    align-items: center;
    gap: 6px;
    margin-top: 7px;
    color: var(--match);
  }

  /* Where the room is short, names break, never a number. */
  section[data-fit$="broken"] :is(th, td.name, td.rest) {
    white-space: normal;
    overflow-wrap: anywhere;
  }
  section[data-fit$="broken"] th {
    padding-right: 6px;
  }

  .terms {
    max-height: 168px;
    overflow-y: auto;
    scrollbar-width: thin;
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
    box-shadow: inset 1px 0 var(--ink-2);
  }
  .terms td:has(+ .ruled) {
    padding-right: 8px;
  }
  section[data-fit="close"] .terms table {
    font-size: 11.5px;
  }
  section:is([data-fit="close"], [data-fit^="tight"]) .terms :is(thead th, tbody th:first-child) {
    padding-right: 0;
    font-size: 11.5px;
  }
  section:is([data-fit="close"], [data-fit^="tight"]) .terms :is(td, thead th:not(:first-child)) {
    min-width: 0;
    padding-left: 8px;
  }
  section:is([data-fit="close"], [data-fit^="tight"]) .terms td:has(+ .ruled) {
    padding-right: 6px;
  }
  section:is([data-fit="close"], [data-fit^="tight"]) .terms td.result {
    font-size: 14px;
  }
  section[data-fit^="tight"] {
    padding-inline: 10px;
  }
  section[data-fit^="tight"] .terms :is(table, thead th, tbody th:first-child) {
    padding-right: 0;
    font-size: 10.5px;
  }
  section[data-fit^="tight"] .terms td.result {
    font-size: 12px;
  }
  /* Names of places break before numbers do. */
  section[data-fit^="tight"] .terms th:first-child {
    white-space: normal;
    word-break: normal;
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
  footer .how {
    color: var(--ink-3);
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

  /* On a phone as low as possible: a head, rows, and the links beside the arrow buttons. */
  :host([variant="sheet"]) section {
    padding: 7px 16px 0;
    border-width: 1px 0 0;
    border-radius: var(--radius-l) var(--radius-l) 0 0;
  }
  :host([variant="sheet"]) .tools button {
    min-width: var(--touch);
    min-height: 36px;
    justify-content: center;
  }
  /* A long address is under the tools. */
  :host([variant="sheet"]:not([folded])) header {
    flex-wrap: wrap-reverse;
  }
  :host([variant="sheet"]) .title {
    flex: 1 1 auto;
    line-height: 1.24;
  }
  :host([variant="sheet"]) .meaning {
    order: -1;
  }
  :host([variant="sheet"]) .tools {
    margin: -7px -8px -12px auto;
  }
  :host([variant="sheet"]) .body {
    margin-top: 2px;
  }
  :host([variant="sheet"]) table.lines tr {
    height: 25px;
  }
  :host([variant="sheet"]) table.lines :is(th, td) {
    padding-block: 0;
  }
  :host([variant="sheet"]) .arrows button {
    min-width: 40px;
    min-height: 30px;
    justify-content: center;
    padding: 0;
  }
  :host([variant="sheet"]) .arrows {
    margin-right: -8px;
  }
  :host([variant="sheet"]) .said {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 0 12px;
    min-width: 0;
  }
  :host([variant="sheet"]) .said > * {
    flex: none;
    max-width: 100%;
    line-height: 30px;
    white-space: nowrap;
  }
  :host([variant="sheet"]) .said > .kept {
    white-space: normal;
  }
  :host([variant="sheet"]) footer {
    flex-wrap: nowrap;
    gap: 8px;
    margin-top: 1px;
    padding: 0;
  }

  /* Head and foot stay; rows that do not fit scroll between them. */
  :host([variant="sheet"]) section {
    display: flex;
    flex-direction: column;
    max-height: inherit;
  }
  :host([variant="sheet"]) :is(header, footer) {
    flex: none;
  }
  :host([variant="sheet"]) .body {
    min-height: 0;
    overflow: auto;
    /* A shade at an edge shows that there is more to scroll to; a background that scrolls with the rows
       covers it at the ends. */
    background:
      linear-gradient(var(--surface) 50%, transparent) top / 100% 28px no-repeat local,
      linear-gradient(transparent, var(--surface) 50%) bottom / 100% 28px no-repeat local,
      linear-gradient(var(--rule-2), transparent) top / 100% 7px no-repeat scroll,
      linear-gradient(transparent, var(--rule-2)) bottom / 100% 7px no-repeat scroll;
  }
  :host([variant="sheet"]) .fold {
    align-self: start;
    min-width: var(--touch);
    min-height: 36px;
    justify-content: center;
    margin: -7px -12px -12px 0;
    padding: 5px 4px;
  }
  :host([variant="sheet"][folded]) section {
    padding-block: 0;
  }
  :host([variant="sheet"][folded]) header {
    align-items: center;
    min-height: 44px;
  }
  /* The meaning, then the number; the address gets a line of its own when it needs one. Nothing is cut. */
  :host([variant="sheet"][folded]) .title {
    display: block;
    flex-basis: 0;
  }
  :host([variant="sheet"][folded]) h2 {
    display: inline-block;
    color: var(--ink-2);
    font-size: 12px;
    font-weight: 400;
  }
  .value {
    margin-inline-end: 8px;
    font-size: 15px;
    font-weight: 650;
  }
  .value::before {
    content: "= ";
    color: var(--ink-3);
    font-weight: 400;
  }
  :host([variant="sheet"][folded]) .fold {
    align-self: stretch;
    min-height: 44px;
    margin-block: 0;
  }
  /* The whole line can be tapped. */
  :host([variant="sheet"][folded]) .fold::after {
    content: "";
    position: absolute;
    inset: 0;
  }
  :host([variant="sheet"][folded]) .fold .icon {
    transform: rotate(180deg);
  }

  /* Beside the numbers, as high as the window: it needs no folding. */
  :host([variant="sheet"][beside]) section {
    height: 100%;
    border-width: 0 0 0 1px;
    border-radius: 0;
  }
  :host([variant="sheet"][beside]) footer {
    margin-block: auto 4px;
  }
  :host([variant="sheet"][beside]) .fold {
    display: none;
  }

  :host([variant="strip"]) section {
    display: grid;
    grid-template-columns: minmax(120px, auto) minmax(0, 1fr);
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
  @container frame (max-width: 519px) {
    :host([variant="strip"]) section {
      grid-template-columns: minmax(0, 1fr);
    }
  }

  @media (pointer: coarse) {
    .operand {
      min-height: 26px;
      min-width: 26px;
    }
    /* The arrow buttons move the target as well, so these may be smaller than a finger. */
    footer .link,
    .rest .link,
    .use .link,
    .terms .link {
      min-width: 0;
      min-height: 26px;
    }
    :host([variant="sheet"]) footer .link {
      min-height: 30px;
    }
  }
  @media print {
    :host {
      break-inside: avoid;
    }
    .tools,
    footer .gradient {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .operand:hover,
    .operand[data-lit] {
      outline: 2px solid Highlight;
    }
  }
`;
