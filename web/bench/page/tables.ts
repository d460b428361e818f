/** The tables under the chart: every task in numbers, and the slowest edits. */
import { css, html, type TemplateResult } from "lit";
import { exampleById } from "../../examples/index.js";
import type { Language } from "../../i18n/words.js";
import type { Edited } from "../editing.js";
import type { Measured, Result } from "../messages.js";
import { BUILDS } from "./chart.js";
import { percentText, ratioText, speedText, timeText, type BenchWords } from "./wording.js";

const cells = (measured: Measured): TemplateResult =>
  html`<td>${timeText(measured.median)}</td>
    <td>${speedText(measured.gflops)}</td>
    <td>${percentText(measured.ofPeak)}</td>`;

export function worksTable(
  words: BenchWords,
  results: readonly Result[],
  work: (id: string) => string,
): TemplateResult {
  const builds = BUILDS.filter((build) => results.some((result) => result.builds[build]));
  const both = builds.length > 1;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${words("table.title")}>
    <table>
      <thead>
        <tr>
          <th scope="col" rowspan="2">${words("table.work")}</th>
          ${builds.map((build) => html`<th scope="colgroup" colspan="3">${words(`build.${build}`)}</th>`)}
          ${both ? html`<th scope="col" rowspan="2">${words("table.faster")}</th>` : ""}
          ${both ? html`<th scope="col" rowspan="2">${words("table.agrees")}</th>` : ""}
        </tr>
        <tr>
          ${builds.map(
            () =>
              html`<th scope="col">${words("table.time")}</th>
                <th scope="col">${words("table.speed")}</th>
                <th scope="col">${words("table.peak")}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${results.map(
          (result) =>
            html`<tr data-work=${result.id}>
              <th scope="row">${work(result.id)}</th>
              ${builds.map((build) => cells(result.builds[build]!))}
              ${both ? html`<td>${ratioText(result.faster!)}</td>` : ""}
              ${both ? html`<td>${words(result.agrees ? "agrees.yes" : "agrees.no")}</td>` : ""}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The number of slowest edits that are listed. */
const SLOWEST = 6;

export function editsTable(words: BenchWords, edits: readonly Edited[], language: Language): TemplateResult {
  const slowest = edits
    .filter(({ node }) => node !== null)
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, SLOWEST);
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${words("edits.title")}>
    <table class="edits">
      <thead>
        <tr>
          <th scope="col">${words("edits.example")}</th>
          <th scope="col">${words("edits.nodes")}</th>
          <th scope="col">${words("table.time")}</th>
        </tr>
      </thead>
      <tbody>
        ${slowest.map(
          ({ id, nodes, milliseconds }) =>
            html`<tr>
              <th scope="row">${exampleById(id)?.title[language] ?? id}</th>
              <td>${nodes}</td>
              <td>${timeText(milliseconds)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export const tablesStyle = css`
  .scroll {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    font-size: var(--t-note);
  }
  th,
  td {
    padding: 5px var(--s3);
    border-bottom: 1px solid var(--rule);
    text-align: end;
    white-space: nowrap;
  }
  th {
    font-weight: 500;
  }
  thead th {
    color: var(--ink-2);
    vertical-align: bottom;
  }
  thead th[colspan] {
    border-bottom: 0;
    text-align: start;
    padding-inline-start: var(--s5);
  }
  tr > :first-child:not(td),
  tbody th {
    padding-inline-start: 0;
    text-align: start;
    font-weight: 400;
  }
  thead tr + tr > :first-child:not(td) {
    padding-inline-start: var(--s5);
    text-align: end;
    font-weight: 500;
  }
`;
