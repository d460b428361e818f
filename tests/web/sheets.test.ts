// Print: all scenes of a lab's stops are on its sheets, uncut, in readable letters.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { labIds } from "../../web/config/labs.js";
import { decode } from "../../web/config/codec.js";
import { wordsIn } from "../../web/i18n/words.js";
import "../../web/labs/fetched.js";
import { loadLab } from "../../web/labs/index.js";
import { boardsOf, showsCell } from "../../web/marks/board.js";
import { boardRectangle } from "../../web/marks/matrix-lines.js";
import type { TargetRoom, Snapshots } from "../../web/marks/scene.js";
import { sheetsOf, zoomOnPaper } from "../../web/page/lab/sheets.js";
import { labOf } from "../../web/page/open-lab.js";
import { wholeCore } from "../links/computing.js";

const compute = await wholeCore("simd");
const examples = readdirSync(new URL("../../web/examples/", import.meta.url))
  .filter((name) => name.endsWith(".json"))
  .map((name) => `ex=${name.slice(0, -5)}`);

/** The smallest letters of a stage, in CSS pixels, and the smallest on paper, in points. */
const smallest = 9;
const readable = 5.4;
const point = 96 / 72;

describe.each([...labIds.map((id) => `lab=${id}`), ...examples])("%s", async (link) => {
  const { config } = decode(link);
  await loadLab(config.view.lab);
  const snapshots: Snapshots = new Map(compute(config).snapshots.map((one) => [one.name, one]));
  const words = wordsIn("en");
  const stops = labOf(config).steps(config, words, snapshots);
  const here: TargetRoom = { width: 700, height: 900, layout: "two", words, step: 0, cell: stops[0]!.cell };
  const sheets = sheetsOf(config, snapshots, here);

  test("every stop has its sheet, and no sheet is empty", () => {
    const printedStops = sheets.flatMap((sheet) => sheet.stops).sort((a, b) => a - b);
    expect(printedStops).toEqual(stops.map((_, stop) => stop));
    for (const { bands, stops: own } of sheets) expect(bands.length, own.join()).toBeGreaterThan(0);
  });

  test("all tensors and images are printed, none across the end of its band", () => {
    const bands = sheets.flatMap((sheet) => sheet.bands);
    const printed = new Set(bands.flatMap((band) => [...band.tensors, ...band.images].map(({ id }) => id)));
    for (const { whole } of sheets)
      for (const { id } of [...whole.tensors, ...whole.images]) expect(printed).toContain(id);
    for (const band of bands)
      for (const board of boardsOf(band, snapshots)) {
        const { y, height } = boardRectangle(board);
        expect(y, board.id).toBeGreaterThanOrEqual(0);
        expect(y + height, board.id).toBeLessThanOrEqual(band.height);
      }
  });

  test("the path of a curve moves with its points", () => {
    for (const { whole, bands } of sheets)
      for (const { id, path, pathUp = 0, points } of bands.flatMap((band) => band.curves)) {
        if (path === undefined) continue;
        const drawn = whole.curves.filter((curve) => curve.id === id && curve.path === path);
        const heights = points.map(([, y]) => (y + pathUp).toFixed(6));
        expect(drawn.map((curve) => curve.points.map(([, y]) => y.toFixed(6)))).toContainEqual(heights);
      }
  });

  test("no band has only tensors and images that were printed before", () => {
    const printed = new Set<string>();
    for (const band of sheets.flatMap((sheet) => sheet.bands)) {
      const ids = [...band.tensors, ...band.images].map(({ id }) => id);
      if (ids.length > 0) expect(ids.some((id) => !printed.has(id))).toBe(true);
      for (const id of ids) printed.add(id);
    }
  });

  test("lines and wires are whole, and every legend is printed", () => {
    for (const { whole, bands, stops: own } of sheets) {
      if (own.includes(0))
        for (const part of ["labels", "operators", "curves", "wires"] as const)
          expect(bands.flatMap((band) => band[part] as unknown[]).length, part).toBe(whole[part].length);
      expect(bands.flatMap(({ legends }) => legends).length, own.join()).toBe(whole.legends.length);
    }
  });

  test("the smallest letters are readable", () => {
    for (const [sheet, { bands }] of sheets.entries())
      for (const [at, band] of bands.entries())
        expect(
          (zoomOnPaper(band, sheet + at === 0) * smallest) / point,
          `${sheet}, ${at}`,
        ).toBeGreaterThanOrEqual(readable);
  });
});

test("the reader's target is on the sheet of its stop", async () => {
  const { config } = decode("lab=vit");
  await loadLab("vit");
  const snapshots: Snapshots = new Map(compute(config).snapshots.map((one) => [one.name, one]));
  const cell = { node: "weights", index: [3, 5] };
  const words = wordsIn("en");
  const steps = labOf(config).steps(config, words, snapshots);
  const step = steps.findIndex(({ nodes }) => nodes.includes("weights"));
  expect(step).toBeGreaterThan(0);
  const here: TargetRoom = { width: 700, height: 900, layout: "two", words, step, cell };
  const sheet = sheetsOf(config, snapshots, here).find(({ stops }) => stops.includes(step))!;
  expect(sheet.stops[0]).toBe(0);
  expect(sheet.bands.some((band) => showsCell(band, snapshots, cell))).toBe(true);
});
