/** The published runs of the benchmark beside other libraries: one at a time, sorted from the lowest ratio. */
import { css, html, svg, type TemplateResult } from "lit";
import { slowerCount, lowestOf, middleOf, publishedRuns, type PublishedRun } from "../published/index.js";
import { percentText, ratioText, timeText, type BenchWords } from "./wording.js";

export interface PublishedInput {
  /** The index of the run that is shown. */
  run: number;
  choose(run: number): void;
  /** The name of a task. */
  work(id: string): string;
}

/** The position of a ratio on the scale of the bars: 0 at the left edge, four times as fast and more at the right. */
const place = (ratio: number): number => 25 * Math.min(ratio, 4);

function bar(ratio: number): TemplateResult {
  const [one, end] = [place(1), place(ratio)];
  return html`<svg class="lead" width="100%" height="9" aria-hidden="true">
    ${svg`<rect class=${ratio < 1 ? "behind" : "ahead"} x="${Math.min(one, end)}%" width="${Math.abs(end - one)}%" height="9"></rect>
      <line x1="${one}%" x2="${one}%" y1="0" y2="9"></line>`}
  </svg>`;
}

function runTable(words: BenchWords, { works }: PublishedRun, work: (id: string) => string): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${words("published.title")}>
    <table class="published">
      <thead>
        <tr>
          <th scope="col">${words("table.work")}</th>
          <th scope="col" colspan="2">${words("published.ratio")}</th>
          <th scope="col">${words("published.ours")}</th>
          <th scope="col">${words("table.peak")}</th>
          <th scope="col" colspan="2">${words("published.other")}</th>
          <th scope="col">${words("published.plain")}</th>
        </tr>
      </thead>
      <tbody>
        ${works.map(
          (one) =>
            html`<tr>
              <th scope="row">${work(one.id)}</th>
              <td>${ratioText(one.ratio)}</td>
              <td class="lead">${bar(one.ratio)}</td>
              <td>${timeText(one.relaxed)}</td>
              <td>${percentText(one.ofPeak)}</td>
              <td>${timeText(one.otherTime)}</td>
              <td class="name">${one.other}</td>
              <td>${ratioText(one.plainRatio)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function publishedSection(words: BenchWords, { run, choose, work }: PublishedInput): TemplateResult {
  const shown = publishedRuns[run]!;
  const lowest = lowestOf(shown);
  const versions = Object.entries(shown.versions).map(([name, version]) => `${name} ${version}`);
  return html`<section aria-labelledby="published">
    <h2 id="published">${words("published.title")}</h2>
    <p>${words("published.note")}</p>
    <div class="runs" role="radiogroup" aria-label=${words("published.runs")}>
      ${publishedRuns.map(
        (one, index) =>
          html`<label
            ><input
              type="radio"
              name="run"
              .checked=${index === run}
              @change=${() => choose(index)}
            />${words(one.beside ? "published.busy" : "published.calm", { processor: one.processor })}</label
          >`,
      )}
    </div>
    <p class="lowest">
      ${words("published.lowest", { ratio: ratioText(lowest.ratio), work: work(lowest.id), other: lowest.other })}
      ${words("published.middle", { ratio: ratioText(middleOf(shown)), n: slowerCount(shown), count: shown.works.length })}
    </p>
    <p>
      ${words("published.machine", {
        processor: shown.processor,
        cores: shown.cores,
        browser: shown.browser,
        date: shown.date,
        stolen: (100 * shown.stolen).toFixed(1),
        simd: shown.peak.simd,
        relaxed: shown.peak.relaxed,
      })}
      ${words("published.versions", { versions: versions.join(", ") })}
    </p>
    ${runTable(words, shown, work)}
  </section>`;
}

export const publishedStyle = css`
  .runs {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s2) var(--s5);
    margin: 0 0 var(--s3);
  }
  .runs label {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-height: 32px;
  }
  .lowest {
    color: var(--ink);
  }
  td.name {
    text-align: start;
  }
  td.lead {
    min-width: 80px;
    padding-inline: 0;
  }
  svg.lead {
    display: block;
    background: var(--sunk);
  }
  svg.lead rect.ahead {
    fill: var(--query);
  }
  svg.lead rect.behind {
    fill: var(--notice);
  }
  svg.lead line {
    stroke: var(--ink-2);
  }
  .on {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .on input {
    flex: 1 1 240px;
    max-width: 420px;
    min-height: 36px;
    padding: 0 10px;
    border: 1px solid var(--rule-2);
    border-radius: var(--radius-s);
    background: var(--paper);
    color: var(--ink);
    font: inherit;
  }
  .wrong {
    margin-top: var(--s5);
    color: var(--ink);
  }
  .tried {
    max-width: 68ch;
    margin: 0;
    padding-inline-start: 20px;
    line-height: var(--lh-prose);
    color: var(--ink-2);
  }
  .tried li {
    margin-bottom: var(--s2);
  }
`;
