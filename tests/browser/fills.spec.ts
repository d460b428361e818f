/** The colour of cells on the page, by their pixels, against the bar of their legend: with a target, as every lab opens with one. */
/* eslint-disable no-restricted-syntax -- which legend is that of a matrix, only the scene says */
import type { Stage } from "../../web/elements/stage.js";
import { expect, openPage, still, test } from "./open.js";

const states = [
  ["light", "ex=four-words&cell=weights,0,2", "attention"],
  ["dark", "ex=cat-on-the-mat&mask=causal", "attention"],
  ["dark", "ex=old-black-cat", "encoder-decoder"],
  ["light", "ex=old-black-cat", "encoder-decoder"],
  ["dark", "ex=masked-mat", "bert"],
  ["light", "ex=ten-by-twenty-run-1", "multi-head"],
  ["dark", "ex=two-heads", "multi-head"],
  ["light", "ex=seven-widths", "scaling"],
  ["dark", "ex=harbour", "vit"],
  ["dark", "ex=one-block", "block"],
  ["light", "ex=label-smoothing", "losses"],
  ["dark", "ex=small-kingdom", "words"],
  ["light", "ex=fifty-positions&cell=similarity,4,20", "positions"],
] as const;

for (const [theme, link, lab] of states) {
  test(`cells have the colours of their legends: ${theme}, ${link}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await openPage(page, `#v=1&${link}`);
    await still(page, lab);
    const { compared, wrong } = await page
      .locator("ap-stage")
      .last()
      .evaluate((element) => {
        const stage = element as Stage;
        const root = stage.renderRoot;
        const bars = [...root.querySelectorAll(".legend")].map((bar) => {
          const [least, largest] = [...bar.querySelectorAll("text")].map((text) =>
            Number(text.textContent!.replaceAll("\u2212", "-")),
          );
          const stops = [...bar.querySelectorAll("stop")].map((stop) =>
            stop.getAttribute("stop-color")!.match(/\d+/g)!.map(Number),
          );
          return { least: least!, largest: largest!, stops };
        });
        const wrong: string[] = [];
        let compared = 0;
        for (const board of stage.boards) {
          const placed = board.tensor?.placed;
          const bar = bars[stage.scene!.legends.findIndex(({ family }) => family === placed?.family)];
          const canvas = root.querySelector<HTMLCanvasElement>(`canvas[data-tensor="${board.id}"]`);
          if (!placed || !bar || !canvas || Math.min(board.cellWidth, board.cellHeight) < 4) continue;
          const { width, height } = canvas;
          const { data } = canvas.getContext("2d")!.getImageData(0, 0, width, height);
          for (let at = 0; at < Math.min(200, board.rows * board.columns); at++) {
            const [row, column] = [Math.floor(at / board.columns), at % board.columns];
            const value = board.valueAt(row, column) ?? NaN;
            if (!Number.isFinite(value) || placed.masked?.(row, column)) continue;
            // Over the number, where there is one.
            const over = board.cellHeight >= 18 ? 0.15 : 0.5;
            const x = Math.floor(((column + 0.5) * width) / board.columns);
            const y = Math.floor(((row + over) * height) / board.rows);
            const painted = [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)];
            const part = ((value - bar.least) / (bar.largest - bar.least)) * (bar.stops.length - 1);
            const before = Math.max(0, Math.min(bar.stops.length - 2, Math.floor(part)));
            const said = bar.stops[before]!.map(
              (from, channel) =>
                from + (bar.stops[before + 1]![channel]! - from) * Math.min(1, part - before),
            );
            compared += 1;
            // The ends of a legend have three figures, its bar is straight between its stops, and only 0 has the colour of 0.
            if (painted.some((channel, of) => Math.abs(channel - said[of]!) > 9))
              wrong.push(
                `${board.id}[${row}, ${column}] = ${value} is ${painted.join()}, not ${said.map(Math.round).join()}`,
              );
          }
        }
        return { compared, wrong: wrong.slice(0, 5) };
      });
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(10);
  });
}
