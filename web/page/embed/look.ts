/** The style of the part of the Share dialog that writes code for other pages. */
import { css } from "lit";

export const embedLook = css`
  h3,
  h4 {
    margin: 20px 0 0;
    font: 600 14px/1.3 var(--sans);
  }
  h4 {
    margin-top: 16px;
  }
  p {
    margin: 6px 0 0;
    color: var(--ink-2);
    font-size: 13.5px;
    line-height: 1.5;
  }
  p:empty {
    display: none;
  }
  code {
    overflow-wrap: anywhere;
  }
  fieldset,
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 18px;
    min-width: 0;
    margin: 8px 0 0;
    padding: 0;
    border: 0;
  }
  legend {
    float: left;
    min-width: 10.5em;
    padding: 0;
    line-height: 28px;
  }
  label {
    display: flex;
    align-items: center;
    gap: 7px;
    min-height: 28px;
  }
  input {
    flex: none;
    width: 16px;
    height: 16px;
    margin: 0;
    accent-color: var(--ink);
  }
  details {
    margin-top: 8px;
  }
  summary {
    display: list-item;
    width: fit-content;
    padding: 5px 4px 5px 0;
    cursor: pointer;
  }
  .save {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 18px;
    align-items: center;
    margin-top: 8px;
  }
  @media (pointer: coarse) {
    label,
    select,
    summary {
      min-height: var(--touch);
    }
    summary {
      padding-block: 12px;
    }
    legend {
      line-height: var(--touch);
    }
  }
  @media (max-width: 479px) {
    legend {
      width: 100%;
      line-height: inherit;
    }
  }
`;
