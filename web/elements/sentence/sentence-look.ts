/** The style of the settings sentence, its popovers and the phone’s sheet. DESIGN.md, section 3. */
import { css } from "lit";

export const sentenceLook = css`
  :host {
    display: block;
  }
  p {
    margin: 0;
    color: var(--ink-2);
    font: calc(16px * var(--larger, 1)) / 2.1 var(--serif);
  }
  p:lang(zh) {
    font: calc(15px * var(--larger, 1)) / 2.1 var(--sans);
  }
  .word {
    margin: 0 1px;
    padding: 1px 2px 2px;
    border: 0;
    border-bottom: 1.5px solid var(--control);
    border-radius: 0;
    background: none;
    color: var(--ink);
    font: calc(14.5px * var(--larger, 1)) / 1.25 var(--sans);
    white-space: nowrap;
    cursor: pointer;
  }
  .word:lang(zh) {
    font-size: calc(15px * var(--larger, 1));
  }
  .word:hover,
  .word[aria-expanded="true"] {
    border-color: var(--ink);
    background: var(--sunk);
  }
  /* The focus ring stays within the margin and covers no comma beside the word. */
  .word:focus-visible {
    outline-offset: -1px;
  }
  .word .icon {
    margin-inline-start: 1px;
    color: var(--ink-3);
    vertical-align: -3px;
  }
  .kept {
    white-space: nowrap;
  }
  sub {
    font-size: 0.78em;
    line-height: 0;
  }
  .edited {
    white-space: nowrap;
  }
  /* The line about edits takes no room: it follows the sentence, or hangs below it, where the stage is
     still empty. */
  .sentence {
    position: relative;
  }
  .sentence .edited {
    position: var(--hand-position, absolute);
    padding-inline-start: 0.3em;
  }
  .sentence .edited.hangs {
    inset: calc(100% - 5px) auto auto 0;
    padding-inline-start: 0;
    line-height: 24px;
  }
  .edited .link {
    margin-inline-start: 10px;
    color: var(--ink);
    font: 14px/1.25 var(--sans);
    text-decoration-color: var(--control);
  }
  [popover] {
    position: fixed;
    inset: auto;
    margin: 0;
    width: max-content;
    min-width: 168px;
    max-width: min(348px, calc(100vw - 16px));
    max-height: calc(100vh - 16px);
    overflow: auto;
    padding: 10px 12px 12px;
    border: 1px solid var(--rule);
    border-radius: var(--radius-m);
    background: var(--surface);
    color: var(--ink);
    box-shadow: var(--shadow);
  }
  .line {
    position: relative;
    display: flex;
    align-items: center;
    max-width: 100%;
    min-height: 32px;
    padding: 2px 2px 0;
    border: 0;
    border-bottom: 1.5px solid var(--control);
    background: none;
    color: var(--ink);
    font-size: 15px;
    text-align: start;
    cursor: pointer;
  }
  /* 44 px high for fingers, without taking that room. */
  .line::after {
    content: "";
    position: absolute;
    inset: -6px 0;
  }
  /* Words that do not fit are left out whole: the sheet has all of them. */
  .line > span {
    max-height: 1.5em;
    overflow: hidden;
    line-height: 1.5;
  }
  .line span span {
    display: inline-block;
    max-width: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    vertical-align: top;
    white-space: pre;
  }
  .line .icon {
    margin-inline-start: 4px;
    color: var(--ink-3);
  }
  /* The line about edits is beside the settings, which give it the room, so that nothing moves. */
  .row {
    display: flex;
    gap: 10px;
    align-items: center;
  }
  .row .line {
    min-width: 0;
  }
  .row .edited {
    flex: none;
    height: 32px;
    color: var(--ink-2);
    font-size: 14px;
    line-height: 32px;
  }
  dialog {
    width: 100%;
    max-width: 100%;
    max-height: 82vh;
    margin: auto 0 0;
    padding: 0 16px calc(16px + env(safe-area-inset-bottom));
    overflow: auto;
    border: 0;
    border-radius: var(--radius-l) var(--radius-l) 0 0;
    background: var(--surface);
    color: var(--ink);
    box-shadow: var(--shadow);
  }
  dialog::backdrop {
    background: color-mix(in srgb, var(--paper) 55%, transparent);
  }
  .heading {
    position: sticky;
    z-index: 1;
    top: 0;
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding: 14px 0 8px;
    background: var(--surface);
  }
  h2 {
    margin: 0;
    font: 600 17px/1.3 var(--serif);
  }
  h2:lang(zh) {
    font-family: var(--sans);
  }
  .sheet {
    display: grid;
    gap: 18px;
  }
  @media (pointer: coarse) {
    p {
      line-height: 2.35;
    }
    .word {
      padding-block: 8px 6px;
    }
  }
  @media print {
    .word .icon,
    .edited .link {
      display: none;
    }
  }
`;
