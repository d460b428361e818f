/** The table of times that well-known models would take at a measured speed. */
import { html, nothing, type TemplateResult } from "lit";
import { projections } from "../projection.js";
import { publishedRuns } from "../published/index.js";
import { works } from "../works.js";
import { speedText, timeText, type BenchWords } from "./wording.js";

/** GFLOP/s of the first published run, by the names of the works. */
const publishedSpeeds = (): Map<string, number> =>
  new Map(
    publishedRuns[0]!.works.flatMap(({ id, relaxed }) => {
      const work = works.find((one) => one.id === id);
      return work ? [[id, work.flops / relaxed / 1e6] as const] : [];
    }),
  );

/** `measured` are GFLOP/s measured in this browser; if none is of a wide enough encoder layer, those of a published run are used. */
export function projectedTable(
  words: BenchWords,
  measured: ReadonlyMap<string, number>,
  work: (id: string) => string,
): TemplateResult | typeof nothing {
  const here = projections(measured);
  const speeds = here.length ? measured : publishedSpeeds();
  const rows = here.length ? here : projections(speeds);
  if (!rows.length) return nothing;
  return html`<section aria-labelledby="projected">
    <h2 id="projected">${words("projected.title")}</h2>
    <p>${words("projected.note")} ${words(here.length ? "projected.here" : "projected.published")}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${words("projected.title")}>
      <table class="projected">
        <thead>
          <tr>
            <th scope="col">${words("projected.model")}</th>
            <th scope="col">${words("projected.flops")}</th>
            <th scope="col">${words("projected.speed")}</th>
            <th scope="col">${words("table.time")}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ model, flops, milliseconds, from }) =>
              html`<tr>
                <th scope="row">${words(`projected.${model}`)}</th>
                <td>${(flops / 1e9).toFixed(1)}</td>
                <td>${words("projected.from", { speed: speedText(speeds.get(from)!), work: work(from) })}</td>
                <td>${timeText(Number(milliseconds.toPrecision(2)))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
