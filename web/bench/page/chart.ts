/** A bar chart of each task, one bar per build, on one scale, with lines at the speed of the registers. The table has the same numbers. */
import { css, html, nothing, svg, type TemplateResult } from "lit";
import type { Build } from "../../core/attention.js";
import type { Measured, Result } from "../messages.js";
import { speedText } from "./wording.js";

export const BUILDS: readonly Build[] = ["relaxed", "simd"];

/** GFLOP/s of the registers; without relaxed SIMD there is no number. */
export interface Peaks {
  simd: number;
  relaxed: number | null;
}

export interface ChartInput {
  results: readonly Result[];
  peaks: Peaks;
  /** The names of a task and of a build. */
  work(id: string): string;
  build(build: Build): string;
}

const BAR = 9;
const GAP = 2;

/** A little more than the highest peak, so that its line is not at the edge. */
const ROOM = 1.04;

function bars(builds: [Build, Measured][], peaks: Peaks, most: number): TemplateResult {
  const height = builds.length * (BAR + GAP) - GAP;
  const at = (gflops: number) => `${((100 * gflops) / most).toFixed(2)}%`;
  return html`<svg class="bars" width="100%" height=${height} aria-hidden="true">
    ${builds.map(
      ([build, { gflops }], place) =>
        svg`<rect class=${build} y=${place * (BAR + GAP)} width=${at(gflops)} height=${BAR}></rect>`,
    )}
    ${BUILDS.map((build) => {
      const peak = peaks[build];
      return peak === null
        ? nothing
        : svg`<line class=${build} x1=${at(peak)} x2=${at(peak)} y1="0" y2=${height}></line>`;
    })}
  </svg>`;
}

export function chart({ results, peaks, work, build }: ChartInput): TemplateResult {
  const all = results.flatMap(({ builds }) => Object.values(builds).map(({ gflops }) => gflops));
  const most = ROOM * [...all, peaks.simd, peaks.relaxed ?? 0].reduce((a, b) => (a > b ? a : b));
  const shown = BUILDS.filter((one) => peaks[one] !== null);
  return html`<div class="legend" aria-hidden="true">
      ${shown.map((one) => html`<span><i class=${one}></i>${build(one)}</span>`)}
    </div>
    <div class="chart" aria-hidden="true">
      ${results.map(({ id, builds }) => {
        const measured = shown.flatMap((one): [Build, Measured][] =>
          builds[one] ? [[one, builds[one]]] : [],
        );
        return html`<span class="of">${work(id)}</span>${bars(measured, peaks, most)}<span class="speeds"
            >${measured.map(([one, { gflops }]) => html`<b class=${one}>${speedText(gflops)}</b>`)}</span
          >`;
      })}
    </div>`;
}

export const chartStyle = css`
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s4);
    margin: var(--s3) 0;
    font-size: var(--t-note);
    color: var(--ink-2);
  }
  .legend span {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .legend i {
    width: 18px;
    height: 9px;
  }
  i.relaxed {
    background: var(--query);
  }
  i.simd {
    background: var(--weight);
  }
  .chart {
    display: grid;
    grid-template-columns: max-content minmax(120px, 1fr) max-content;
    gap: 8px var(--s3);
    align-items: center;
  }
  .chart .of {
    font-size: var(--t-note);
    text-align: end;
  }
  .bars {
    display: block;
    background: var(--sunk);
  }
  rect.relaxed {
    fill: var(--query);
  }
  rect.simd {
    fill: var(--weight);
  }
  line {
    stroke-width: 1.5;
  }
  line.relaxed {
    stroke: var(--query);
  }
  line.simd {
    stroke: var(--weight);
  }
  .speeds {
    display: grid;
    font-size: var(--t-axis);
    line-height: 11px;
    text-align: end;
  }
  .speeds b {
    font-weight: 400;
  }
  b.relaxed {
    color: var(--query);
  }
  b.simd {
    color: var(--weight);
  }
  @media (max-width: 767px) {
    .chart {
      grid-template-columns: minmax(0, 1fr) max-content;
      row-gap: 4px;
    }
    .chart .of {
      grid-column: 1 / -1;
      margin-top: 6px;
      text-align: start;
    }
  }
`;
