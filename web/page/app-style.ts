/** The style of the page: header, waiting line, notices, contents or lab. */
import { css } from "lit";

export const appStyle = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100vh;
    min-height: 100dvh;
    background: var(--paper);
  }
  main {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-width: 0;
  }
  .skip {
    position: absolute;
    top: 6px;
    left: 6px;
    z-index: 10;
    padding: 8px 12px;
    border-radius: var(--radius-m);
    background: var(--ink);
    color: var(--paper);
  }
  .skip:not(:focus) {
    clip-path: inset(50%);
    pointer-events: none;
  }
  .waiting {
    position: relative;
    height: 0;
  }
  .waiting[data-on]::after {
    content: "";
    position: absolute;
    top: -1px;
    left: 0;
    width: 100%;
    height: 2px;
    background: var(--ink);
    transform-origin: left;
    animation: grow 4s var(--ease) both;
  }
  @keyframes grow {
    from {
      transform: scaleX(0);
    }
    to {
      transform: scaleX(0.92);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .waiting[data-on]::after {
      animation: none;
    }
  }
  .notices {
    display: grid;
    gap: 8px;
    width: 100%;
    max-width: 1360px;
    margin: 0 auto;
    padding: 0 var(--s5);
  }
  .notices:not(:empty) {
    padding-top: 12px;
  }
  /* The notice about a file is fixed over the head, beside the title, so that the stage stays under the
     pointer. */
  .told {
    position: sticky;
    top: 0;
    z-index: 5;
    width: 100%;
    max-width: 1360px;
    height: 0;
    margin: 0 auto;
  }
  .told ap-notice {
    position: absolute;
    inset: 12px var(--s5) auto auto;
    max-width: 46%;
    box-shadow: var(--shadow);
  }
  ap-share ap-notice {
    margin-top: 16px;
  }
  .notices ap-notice {
    max-width: 720px;
  }
  @media (min-width: 640px) and (max-width: 1199px) and (max-height: 499px) {
    /* Beside the note of a phone on its side. */
    .notices ap-notice {
      max-width: calc(54vw - 32px);
    }
  }
  @media (max-width: 639px) {
    .told ap-notice {
      left: var(--s5);
      max-width: none;
    }
  }
  @media (max-width: 767px) {
    .notices {
      padding-inline: var(--s4);
    }
  }
`;
