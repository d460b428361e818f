/** The style sheet of the page that times the core. */
import { css } from "lit";

export const benchStyle = css`
  :host {
    display: block;
    min-height: 100vh;
    background: var(--paper);
  }
  header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    min-height: 48px;
    padding: 0 var(--s5);
    border-bottom: 1px solid var(--rule);
  }
  .mark {
    padding: 6px 0;
    font: 600 16px/1 var(--serif);
    letter-spacing: 0.005em;
    text-decoration: none;
    white-space: nowrap;
  }
  .acts {
    display: flex;
    margin-inline-end: -9px;
  }
  main {
    max-width: 1040px;
    margin: 0 auto;
    padding: var(--s6) var(--s5) var(--s8);
  }
  h1 {
    margin: 0 0 var(--s3);
    font: 500 var(--t-title) / 1.2 var(--serif);
    text-wrap: balance;
  }
  h2 {
    margin: 0 0 var(--s2);
    font: 500 20px/1.3 var(--serif);
  }
  section {
    margin-top: var(--s7);
  }
  p {
    max-width: 68ch;
    margin: 0 0 var(--s3);
    line-height: var(--lh-prose);
    color: var(--ink-2);
  }
  .lede {
    font-size: var(--t-body);
    color: var(--ink);
  }
  .control {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s3);
    margin-top: var(--s5);
  }
  .control .status {
    margin: 0;
  }
  progress {
    width: 160px;
    height: 4px;
    border: 0;
    border-radius: 2px;
    background: var(--rule-2);
    appearance: none;
  }
  progress::-webkit-progress-bar {
    border-radius: 2px;
    background: var(--rule-2);
  }
  progress::-webkit-progress-value {
    border-radius: 2px;
    background: var(--ink);
  }
  progress::-moz-progress-bar {
    border-radius: 2px;
    background: var(--ink);
  }
  @media (max-width: 767px) {
    header {
      min-height: 52px;
      padding: 0 var(--s3) 0 var(--s4);
    }
    .quiet {
      min-width: 44px;
      min-height: 44px;
      justify-content: center;
    }
    .acts {
      margin-inline-end: 0;
    }
    main {
      padding: var(--s5) var(--s4) var(--s7);
    }
  }
  @media print {
    .acts,
    .control {
      display: none;
    }
  }
`;
