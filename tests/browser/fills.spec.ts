/**
 * The colour of cells, from the pixels of the screen, compared with the bar of their legend: at every stop of every lab, in both themes, with a
 * target, as every lab opens with one.
 */
/* eslint-disable no-restricted-syntax -- only the scene knows the legend of a matrix */
import type { Page } from "@playwright/test";
import type { Stage } from "../../web/elements/stage/stage.js";
import { expect, openPage, waitUntilIdle, still, test } from "./open.js";

const examples = [
  ["four-words&cell=weights,0,2", "attention"],
  ["cat-on-the-mat&mask=causal", "attention"],
  ["old-black-cat", "encoder-decoder"],
  ["masked-mat", "bert"],
  ["two-heads", "multi-head"],
  ["one-word-two-looks", "multi-head"],
  ["seven-widths", "scaling"],
  ["harbour", "vit"],
  ["one-block", "block"],
  ["label-smoothing", "losses"],
  ["kingdom-on-a-map", "words"],
  ["dog-bites-man", "words"],
  ["fifty-positions&cell=similarity,4,20", "positions"],
  ["two-orders", "positions"],
] as const;

/** The number of cells of the stage that were compared with their legends, and the mistakes. */
async function comparedFills(page: Page): Promise<{ compared: number; wrong: string[] }> {
  const picture = (await page.screenshot({ scale: "css", animations: "allow" })).toString("base64");
  return page
    .locator("ap-stage")
    .last()
    .evaluate(async (element, picture) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const screen = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(screen.width, screen.height).getContext("2d")!;
      canvas.drawImage(screen, 0, 0);
      const { data } = canvas.getImageData(0, 0, screen.width, screen.height);
      const stage = element as Stage;
      const root = stage.renderRoot;
      const loupe = root.querySelector("canvas.loupe")?.getBoundingClientRect();
      const bars = [...root.querySelectorAll(".legend")].map((bar) => {
        const [least, largest] = [...bar.querySelectorAll("text")].map((text) =>
          Number(text.textContent!.replaceAll("\u2212", "-")),
        );
        const stops = [...bar.querySelectorAll("stop")].map((stop) =>
          stop.getAttribute("stop-color")!.match(/\d+/g)!.map(Number),
        );
        // Not every legend of a scene is drawn at every stop: a legend is found by the position of its line.
        const line = bar.querySelector("path")!.getAttribute("d")!;
        const legend = stage.scene!.legends.find(({ x, y }) => line.startsWith(`M${x} ${y}H`));
        return { family: legend?.family, least: least!, largest: largest!, stops };
      });
      const wrong: string[] = [];
      let compared = 0;
      for (const board of stage.boards) {
        const placed = board.tensor?.placed;
        const bar = bars.find(({ family }) => family === placed?.family);
        const drawn = root.querySelector(`canvas[data-tensor="${board.id}"]`)?.getBoundingClientRect();
        // An outline may cover a small cell completely.
        if (!placed || !bar || !drawn || Math.min(board.cellWidth, board.cellHeight) < 8) continue;
        const cells = board.rows * board.columns;
        // A stride that shares no factor with most widths, so that all columns are sampled.
        for (let at = 0; at < cells; at += cells > 200 ? 7 : 1) {
          const [row, column] = [Math.floor(at / board.columns), at % board.columns];
          const value = board.valueAt(row, column) ?? NaN;
          if (!Number.isFinite(value) || placed.masked?.[row]?.[column]) continue;
          const part = ((value - bar.least) / (bar.largest - bar.least)) * (bar.stops.length - 1);
          const before = Math.max(0, Math.min(bar.stops.length - 2, Math.floor(part)));
          const said = bar.stops[before]!.map(
            (from, channel) => from + (bar.stops[before + 1]![channel]! - from) * Math.min(1, part - before),
          );
          // The cells of a row may have their own widths.
          const [top, bottom] = board.inset ?? [0, 0];
          const start = board.ends?.[row]?.[column] ?? column * board.cellWidth;
          const width = (board.ends?.[row]?.[column + 1] ?? start + board.cellWidth) - start;
          const height = board.cellHeight - top - bottom;
          if (width < 8) continue;
          // The pixels beside the number, if there is one; a wire may cross one of the points, but not all.
          const points = (
            height >= 18
              ? [[0.5, 0.17], [0.17, 0.83], [0.83, 0.17], [0.83, 0.83], [0.5, 0.5]]
              : [[0.5, 0.5], [0.3, 0.3], [0.7, 0.7]]
          ).map(([across, down]) => [
            Math.floor(drawn.left + ((start + across! * width) * drawn.width) / (board.columns * board.cellWidth)),
            Math.floor(drawn.top + ((row * board.cellHeight + top + down! * height) * drawn.height) / (board.rows * board.cellHeight)),
          ]); // prettier-ignore
          const [x, y] = points[0] as [number, number];
          const under =
            loupe && x > loupe.left - 8 && x < loupe.right + 8 && y > loupe.top - 8 && y < loupe.bottom + 8;
          if (under || y < 60 || y > innerHeight - 70 || x < 0 || x >= innerWidth) continue;
          const painted = points.map(([x, y]) => {
            const pixel = 4 * (y! * screen.width + x!);
            return [...data.slice(pixel, pixel + 3)];
          });
          compared += 1;
          // The ends of a legend have three digits, its colours are interpolated between its stops, and only 0 has the colour of 0.
          if (!painted.some((rgb) => rgb.every((channel, of) => Math.abs(channel - said[of]!) <= 9)))
            wrong.push(
              `${board.id}[${row}, ${column}] = ${value} is ${painted.join(" or ")}, not ${said.map(Math.round).join()}`,
            );
        }
      }
      return { compared, wrong: wrong.slice(0, 5) };
    }, picture);
}

test.use({ viewport: { width: 1280, height: 1400 } });

for (const [link, lab] of examples) {
  test(`cells have the colours of their legends at every stop: ${link}`, async ({ page }) => {
    await openPage(page, `#v=1&ex=${link}`);
    await still(page, lab);
    const stops = page.getByRole("button", { name: /^Stop \d+ of \d+/ });
    let states = 0;
    for (let stop = -1; stop < (await stops.count()); stop++) {
      // Without the mouse, because the driver scrolls to the bar although it is visible.
      if (stop >= 0) await stops.nth(stop).dispatchEvent("click");
      await waitUntilIdle(page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await still(page, lab);
        const { compared, wrong } = await comparedFills(page);
        expect(wrong, `${colorScheme}, stop ${stop + 1}`).toEqual([]);
        if (compared > 5) states += 1;
      }
    }
    // Images have no legend, and cells may be too small to be told apart.
    expect(states).toBeGreaterThanOrEqual(await stops.count());
  });
}
