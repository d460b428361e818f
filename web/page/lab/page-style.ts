/**
 * The style of a lab on the page only, in addition to style.ts: on large screens, beside its lesson, on a
 * phone on its side, on paper.
 */
import { css } from "lit";

export const pageStyle = css`
  /* When another line follows the sentence, the line about edits does not overlap it. */
  .screen:has(ap-notice, ap-reading, .painting) ap-sentence {
    --hand-position: static;
  }
  /* While the lesson is read: page/lab/lesson-stage.ts. A stage above the lesson has a background that hides the
     text scrolling under it. */
  :host([reading]) .stage {
    position: fixed;
    z-index: 2;
    transform-origin: 0 0;
  }
  :host([reading]) .place::before {
    content: "";
    position: fixed;
    z-index: 2;
    inset: 0 0 auto;
    height: var(--in-sight, 0);
    background: var(--paper);
    box-shadow: 0 1px var(--rule);
  }
  @media (max-width: 767px) {
    /* The link to the lesson: at the end of the first line, however long the text. */
    .lede > .lesson-link:first-child {
      float: inline-end;
      margin-inline-start: 8px;
    }
  }
  @media (min-width: 1200px) {
    .lesson {
      margin-inline-start: calc(100% - clamp(400px, 32%, 640px));
    }
    :host([reading]) .place::before {
      content: none;
    }
    :host(:not([framed])) .head ap-formula {
      font-size: calc(var(--t-formula) * var(--larger));
    }
  }
  @media (min-width: 640px) and (max-width: 1199px) and (max-height: 499px) {
    /* Numbers on the left, note on the right; the track replaces the strip of a phone held upright. */
    :host(:not([framed])) .screen {
      padding: 4px calc(46% + var(--s3)) 12px var(--s4);
    }
    :host(:not([framed])) .head {
      flex-flow: row wrap;
      align-items: center;
      gap: 0 20px;
    }
    .head ap-formula {
      font-size: 15px;
    }
    .strip {
      margin-block: 0;
      padding-block: 0;
      border: 0;
    }
    .strip ap-stage,
    :host(:not([framed])) .screen > .stop {
      display: none;
    }
    ap-note.as-sheet {
      position: fixed;
      inset: 48px 0 var(--bar, 48px) 54%;
      max-width: none;
      max-height: none;
    }
    .lesson {
      margin-inline-start: 46%;
    }
    :host([reading]) .place::before {
      content: none;
    }
  }
  /* Measured but not visible, between "beforeprint" and the printing. */
  .sheets {
    height: 0;
    overflow: hidden;
  }
  @media print {
    .sheets {
      height: auto;
      overflow: visible;
    }
    .screen {
      max-width: none !important;
      min-height: 0 !important;
      padding: 0 !important;
    }
    h1 {
      position: static;
      clip-path: none;
    }
    .head {
      display: block !important;
    }
    .lede {
      display: block;
    }
    .lesson-link {
      display: none;
    }
    .head ap-formula {
      margin: 8px 0 !important;
      font-size: 20px !important;
    }
    .lesson {
      margin: 0 !important;
    }
    .strip,
    .screen > .stop,
    .sheets ~ .place ap-stage {
      display: none;
    }
    .sheets .stop {
      margin-block: 20px 8px;
      break-after: avoid;
      break-inside: avoid;
    }
    .sheets .stop h2 {
      display: inline-block;
      margin-inline-end: 20px;
    }
    .sheets ap-stage {
      margin: 0;
      break-inside: avoid;
    }
    .stage {
      min-height: 0 !important;
    }
    .lane {
      position: static;
      width: auto !important;
    }
    ap-note {
      position: static !important;
      width: auto !important;
      max-width: 460px !important;
      max-height: none !important;
      margin: 12px 0 0 !important;
      transform: none !important;
      visibility: visible !important;
    }
  }
`;
