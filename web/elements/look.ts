/** The style that all elements of the page share: type, buttons, focus ring. Values come from tokens.css. */
import { css } from "lit";

export const look = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host {
    font: var(--t-ui) / var(--lh-ui) var(--sans);
    color: var(--ink);
    font-variant-numeric: tabular-nums lining-nums;
    text-autospace: normal;
    line-break: strict;
  }
  [hidden] {
    display: none !important;
  }
  button,
  input,
  textarea,
  select {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }
  a {
    color: inherit;
  }
  :focus-visible {
    outline: var(--frame) solid var(--ink);
    outline-offset: 2px;
  }
  .icon {
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
    flex: none;
  }
  .quiet {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 32px;
    padding: 6px 9px;
    border: 0;
    border-radius: var(--radius-m);
    background: none;
    color: var(--ink-2);
    text-decoration: none;
    white-space: nowrap;
    cursor: pointer;
  }
  .quiet:hover {
    background: var(--sunk);
    color: var(--ink);
  }
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-height: 35px;
    padding: 7px 12px;
    border: 1px solid var(--control);
    border-radius: var(--radius-m);
    background: var(--surface);
    white-space: nowrap;
    cursor: pointer;
  }
  .button:hover {
    border-color: var(--ink);
  }
  .button.main {
    border-color: var(--ink);
    background: var(--ink);
    color: var(--paper);
  }
  .button.main:hover {
    border-color: var(--ink-2);
    background: var(--ink-2);
  }
  .button:disabled,
  .quiet:disabled {
    color: var(--ink-3);
    cursor: default;
  }
  .link {
    padding: 0;
    border: 0;
    background: none;
    text-decoration: underline;
    text-underline-offset: 3px;
    cursor: pointer;
  }
  code {
    font: 0.93em / inherit var(--mono);
    font-variant-ligatures: none;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (pointer: coarse) {
    .quiet,
    .button,
    .link {
      min-height: var(--touch);
      min-width: 40px;
    }
  }
  @media (forced-colors: active) {
    .button.main {
      forced-color-adjust: none;
      background: ButtonText;
      color: ButtonFace;
      border-color: ButtonText;
    }
  }
`;

/** The style of select elements in dialogs. */
export const selectLook = css`
  select {
    max-width: 100%;
    min-height: 35px;
    padding: 5px 8px;
    border: 1px solid var(--control);
    border-radius: var(--radius-m);
    background: var(--surface);
  }
`;

/** Elements with a data-role have the colour of that role. */
export const roleColours = css`
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
`;

/** Splits a string at backquotes into text and code. */
export const codeParts = (text: string): { text: string; code: boolean }[] =>
  text
    .split("`")
    .map((part, place) => ({ text: part, code: place % 2 === 1 }))
    .filter((part) => part.text !== "");
