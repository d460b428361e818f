/** The style of a lab on the page, on a phone and in a frame. DESIGN.md, section 3. */
import { css } from "lit";

export const labStyle = css`
  :host {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-width: 0;
    /* Beside an enlarged stage, text grows half as much. */
    --larger: calc(0.5 + var(--zoom, 1) / 2);
  }
  .screen {
    width: 100%;
    max-width: calc(1360px * var(--zoom, 1));
    margin: 0 auto;
    padding: 18px var(--s5) 0;
  }
  .head {
    display: grid;
    grid-template:
      "titles formula" auto "sentence sentence" auto "reading reading" auto "painting painting" auto / minmax(
        0,
        1fr
      )
      auto;
    gap: 4px 40px;
    align-items: center;
  }
  .titles {
    grid-area: titles;
  }
  .head ap-formula {
    grid-area: formula;
  }
  .head ap-sentence {
    grid-area: sentence;
  }
  .head ap-reading {
    grid-area: reading;
  }
  .painting {
    grid-area: painting;
    margin: 0;
    color: var(--ink-2);
    font-size: 13.5px;
  }
  .painting i {
    font-family: var(--serif);
    font-weight: 600;
  }
  h1 {
    margin: 0;
    font: 600 calc(var(--t-title) * var(--larger)) / 1.2 var(--serif);
    letter-spacing: -0.008em;
    text-wrap: balance;
  }
  h1:focus {
    outline: none;
  }
  h1:lang(zh),
  h2:lang(zh) {
    font-family: var(--sans);
    letter-spacing: 0;
  }
  .lede {
    max-width: 84ch;
    margin: 6px 0 0;
    color: var(--ink-2);
    font-size: calc(15px * var(--larger));
  }
  .place {
    min-width: 0;
    margin-top: 10px;
  }
  .stage {
    position: relative;
  }
  .stage:focus {
    outline: none;
  }
  .lane {
    position: absolute;
    pointer-events: none;
  }
  .lane > ap-note {
    pointer-events: auto;
  }
  ap-note.as-card {
    transform-origin: 0 0;
  }
  .lane.follows {
    bottom: 0;
  }
  .lane.follows > ap-note {
    position: sticky;
    top: 8px;
  }
  .stage > ap-note.as-card {
    max-width: 460px;
    margin-top: 12px;
  }
  ap-story {
    margin: 10px 0 0;
  }
  .remarks {
    display: grid;
    gap: 8px;
  }
  .remarks:not(:empty) {
    margin: 8px 0 12px;
  }
  .title {
    display: flex;
    align-items: baseline;
    gap: 20px;
  }
  .lesson-link {
    flex: none;
    color: var(--ink-2);
    white-space: nowrap;
  }
  .lesson-link:hover {
    color: var(--ink);
  }
  .lesson-link .icon {
    margin-inline-start: 2px;
    vertical-align: -3px;
  }
  .line {
    margin: 5px 0 2px;
    color: var(--ink-2);
    font-size: 13.5px;
    line-height: 1.35;
  }
  .line.tick {
    color: var(--match);
  }
  .line .icon {
    margin-inline-end: 4px;
    vertical-align: -3px;
  }
  .line .link {
    min-height: 0;
    margin-inline-start: 4px;
    color: var(--ink);
  }
  :host(:not([framed])) ap-transport {
    order: 1;
    position: sticky;
    bottom: 0;
    z-index: 2;
    margin-top: auto;
  }
  .strip {
    position: sticky;
    top: 0;
    z-index: 2;
    margin: 6px calc(-1 * var(--s4)) 0;
    padding: 8px var(--s4) 4px;
    overflow: hidden;
    border: solid var(--rule);
    border-width: 1px 0;
    background: var(--paper);
  }
  .stop h2 {
    margin: 10px 0 0;
    font: 600 15px/1.3 var(--sans);
  }
  .stop p {
    margin: 1px 0 6px;
    color: var(--ink-2);
  }
  @media (min-width: 1200px) {
    /* The first screen holds the lab alone: header and bar take 105 pixels. */
    :host(:not([framed])) .screen {
      min-height: calc(100vh - 105px);
    }
  }
  @media (max-width: 1199px) {
    .head {
      gap: 4px 24px;
    }
    :host(:not([framed])) .screen {
      /* Room for the sheet, so that it never covers the last row. */
      padding-bottom: calc(var(--sheet, 45px) + 12px);
    }
    ap-note.as-sheet {
      position: fixed;
      right: 0;
      bottom: var(--bar, 48px);
      left: 0;
      z-index: 3;
      max-height: 46vh;
    }
    :host(:is([at-lesson], [reading])) ap-note.as-sheet {
      visibility: hidden;
    }
  }
  @media (min-width: 768px) and (max-width: 1199px) {
    ap-note.as-sheet {
      max-width: 720px;
      margin-inline: auto;
    }
  }
  @media (max-width: 767px), (max-width: 1199px) and (max-height: 499px) {
    .screen {
      padding: 6px var(--s4) 0;
    }
    .place {
      margin-top: 0;
    }
    .strip {
      margin-top: 4px;
      padding: 5px var(--s4) 0;
    }
    .stop h2 {
      margin-top: 5px;
    }
    .stop p {
      margin-bottom: 0;
      line-height: 1.3;
    }
    .head ap-formula {
      margin-block: -2px;
    }
    :host(:not([framed])) .head {
      display: flex;
      flex-direction: column;
      align-items: flex-start;
      gap: 0;
    }
    .head ap-sentence {
      order: 2;
      max-width: 100%;
    }
    .head ap-reading {
      order: 3;
    }
    .painting {
      order: 3;
      line-height: 1.3;
    }
    h1 {
      position: absolute;
      clip-path: inset(50%);
    }
    .lede {
      margin: 0;
      font-size: 14px;
    }
    .lede .lesson-link {
      /* High enough for a finger, without making the line higher. */
      min-height: 0;
      margin-block: -12px;
      padding-block: 12px;
    }
  }
  @media (max-width: 767px) and (max-height: 559px), (max-width: 1199px) and (max-height: 499px) {
    /* A phone on its side, or a zoomed page: text that is also found elsewhere gives its room to the
       numbers. */
    .lede,
    .stop p {
      display: none;
    }
    .strip {
      position: static;
    }
    ap-note.as-sheet {
      max-height: 42vh;
    }
  }
  @media (max-width: 767px) and (max-height: 339px) {
    /* Too low for a sheet. */
    :host(:not([framed])) .screen {
      padding-bottom: 16px;
    }
    ap-note.as-sheet {
      position: static;
      max-height: none;
    }
  }
  :host([framed]) .screen {
    max-width: none;
    padding: 0;
  }
  :host([framed]) .head {
    grid-template:
      "sentence restart" auto "reading reading" auto "formula formula" auto / minmax(0, 1fr)
      auto;
    gap: 0 8px;
    min-height: 44px;
    padding: 8px 12px 0 16px;
  }
  :host([framed]) .head button {
    grid-area: restart;
  }
  :host([framed]) .place {
    margin: 0;
  }
  /* High enough for most rows, so that the bar below stays in place. */
  :host([framed]) ap-note {
    min-height: 148px;
  }
  :host([framed]) ap-stage {
    margin: 2px 16px 8px;
  }
  :host([framed]) ap-story {
    margin: 0 16px 4px;
  }
  :host([framed]) .remarks:not(:empty) {
    margin: 4px 16px 12px;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    margin-top: auto;
    align-items: center;
    justify-content: space-between;
    min-height: 38px;
    padding: 2px 8px 2px 6px;
    border-top: 1px solid var(--rule);
    color: var(--ink-2);
    font-size: 13px;
  }
`;
