/** The style of the editor of a control. */
import { css } from "lit";

export const controlLook = css`
  :host {
    display: block;
    min-width: 0;
  }
  .title {
    display: block;
    margin: 0 0 6px;
    padding: 0;
    font-weight: 600;
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .stepper {
    display: flex;
    gap: 6px;
  }
  .stepper .button {
    width: 36px;
    padding: 0;
  }
  input[type="text"],
  textarea {
    width: 100%;
    min-width: 0;
    padding: 6px 9px;
    border: 1px solid var(--control);
    border-radius: var(--radius-m);
    background: var(--surface);
    line-height: 1.45;
  }
  input[type="text"] {
    width: 9.5em;
    flex: 1;
  }
  input[aria-invalid="true"],
  textarea[aria-invalid="true"] {
    border-color: var(--notice);
  }
  textarea {
    display: block;
    resize: vertical;
    min-height: 4.6em;
  }
  .cut {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    margin-top: 8px;
  }
  .cut legend {
    float: left;
    padding: 5px 6px 5px 0;
    color: var(--ink-2);
  }
  .cut .option {
    gap: 0 6px;
    padding: 5px 4px 5px 3px;
  }
  .merges {
    display: flex;
    gap: 8px;
    align-items: center;
    margin-top: 4px;
    color: var(--ink-2);
  }
  .merges input {
    width: 5.5em;
    padding: 4px 8px;
    border: 1px solid var(--control);
    border-radius: var(--radius-m);
    background: var(--surface);
    color: var(--ink);
  }
  .hint {
    margin: 6px 0 0;
    max-width: 38ch;
    color: var(--ink-2);
    font-size: var(--t-note);
  }
  .hint.wrong {
    color: var(--notice);
  }
  .options {
    display: grid;
    gap: 1px;
  }
  .option {
    display: grid;
    grid-template-columns: auto 1fr;
    align-items: baseline;
    gap: 0 8px;
    padding: 5px 8px 5px 4px;
    border-radius: var(--radius-m);
    cursor: pointer;
  }
  .option:hover {
    background: var(--sunk);
  }
  .option input {
    width: 15px;
    height: 15px;
    margin: 0;
    align-self: center;
    accent-color: var(--ink);
  }
  .option.off {
    color: var(--ink-3);
    cursor: default;
  }
  .option small {
    grid-column: 2;
    font-size: var(--t-note);
  }
  .drop {
    display: grid;
    justify-items: center;
    gap: 8px;
    margin-top: 8px;
    padding: 14px 16px;
    border: 1.5px dashed var(--control);
    border-radius: var(--radius-l);
    color: var(--ink-2);
    text-align: center;
  }
  .drop.over {
    border-color: var(--ink);
    background: var(--sunk);
  }
  @media (pointer: coarse) {
    .option,
    input[type="text"] {
      min-height: var(--touch);
    }
    .option {
      align-items: center;
    }
    .stepper .button {
      width: 48px;
    }
    input,
    textarea {
      font-size: 16px;
    }
  }
`;
