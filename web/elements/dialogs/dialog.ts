/** The common parts of the page's dialogs: style, heading, and closing. */
import { css, html, type TemplateResult } from "lit";
import type { Words } from "../../i18n/words.js";
import { icon } from "../icons.js";

const close = (event: Event): void => {
  if (event.currentTarget instanceof Element) event.currentTarget.closest("dialog")?.close();
};

/** Closes the dialog when the backdrop is clicked. */
export const closeOutside = (event: Event): void => {
  if (event.target === event.currentTarget) close(event);
};

export const dialogHeading = (title: string, words: Words): TemplateResult =>
  html`<div class="heading">
    <h2 id="title">${title}</h2>
    <button class="quiet" aria-label=${words("page.close")} title=${words("page.close")} @click=${close}>
      ${icon("close")}
    </button>
  </div>`;

export const dialogLook = css`
  dialog {
    width: min(720px, calc(100vw - 24px));
    --above: clamp(12px, 8vh, 64px);
    max-height: calc(100dvh - var(--above) - 12px);
    margin: var(--above) auto auto;
    padding: 22px 24px 24px;
    overflow: auto;
    border: 0;
    border-radius: var(--radius-l);
    background: var(--surface);
    color: var(--ink);
    box-shadow: var(--shadow);
  }
  dialog::backdrop {
    background: color-mix(in srgb, var(--paper) 72%, transparent);
  }
  .heading {
    display: flex;
    align-items: flex-start;
    justify-content: space-between;
    gap: 16px;
  }
  .heading .quiet {
    min-width: 32px;
    margin: -6px -8px 0 0;
    justify-content: center;
  }
  h2 {
    margin: 0;
    font: 600 20px/1.3 var(--serif);
  }
  h2:lang(zh) {
    font-family: var(--sans);
  }
  h3 {
    margin: 20px 0 0;
    font: 600 14px/1.3 var(--sans);
  }
  p {
    margin: 3px 0 0;
    color: var(--ink-2);
    font-size: 13.5px;
  }
  @media (max-width: 767px) {
    dialog {
      padding: 16px;
    }
  }
  @media (forced-colors: active) {
    dialog {
      border: 1px solid CanvasText;
    }
  }
`;
