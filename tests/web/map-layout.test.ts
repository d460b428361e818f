// The map of the model: nothing overlaps or leaves the map, in both languages and at every width, and each lab has its place.
import { describe, expect, test } from "vitest";
import type { ConfigOf, LabId } from "../../web/config/config.js";
import { wordsIn, type Language } from "../../web/i18n/words.js";
import { list } from "../../web/labs/list.js";
import { textWidth } from "../../web/marks/measure.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { attentions, blocks } from "../../web/page/map/blocks.js";
import { numberAt, scalesOf, tellingCell, wordsOf } from "../../web/page/map/model.js";
import type { MapPicture, NamedLab } from "../../web/page/map/picture.js";
import { blockIds, glyphOf } from "../../web/page/map/places.js";
import { stavesPicture } from "../../web/page/map/staves.js";
import { towersPicture } from "../../web/page/map/towers.js";
import { mapWords } from "../../web/page/map/words.js";
import { boxesOf, outside, overlaps, type Box } from "./labs-geometry.js";
import { computed, configOf } from "./labs-sessions.js";

const config: ConfigOf<"encoder-decoder"> = configOf("old-black-cat");
const { snapshots } = computed(config);
const languages: Language[] = ["en", "zh-CN"];
const labIds = Object.keys(list) as LabId[];

function pictureOf(
  width: number,
  language: Language,
  { numbers = snapshots as Snapshots, isDone = false, more = [] as NamedLab[] } = {},
): MapPicture {
  const words = wordsIn(language);
  const model = { config, snapshots: numbers };
  const labs = labIds
    .map((id) => ({ id, chapter: list[id].chapter, title: words(`contents.lab.${id}`), isDone }))
    .sort((one, other) => one.chapter - other.chapter);
  const room = { width, ...model, ...wordsOf(model), labs: [...labs, ...more], strings: mapWords(words) };
  return width >= 1040 ? stavesPicture(room) : towersPicture(room);
}

/** The boxes of tensors with their captions, of texts, and of the names of labs. */
function boxesIn({ scene, names }: MapPicture): Box[] {
  const captions = scene.tensors.flatMap(({ id, name, x, y, cellHeight, node, caption }): Box[] => {
    const rows = snapshots.get(node)!.shape.at(-2)!;
    const baseline = y + rows * cellHeight + 40;
    if (caption === "none" || !name) return [];
    const right = x - 5 + textWidth(name, 12.5);
    return [{ name: `name of ${id}`, left: x - 5, right, top: baseline - 9, bottom: baseline + 3 }];
  });
  const rowNames = scene.tensors.flatMap(({ id, rowNames: words = [], x, y, cellHeight }): Box[] =>
    words.map((word, row) => {
      const middle = y + (row + 0.5) * cellHeight;
      const [left, right] = [x - 14 - textWidth(word), x - 14];
      return { name: `${word} at ${id}`, left, right, top: middle - 5, bottom: middle + 5 };
    }),
  );
  // The names of a tensor and of its rows reach further than its cells.
  const bare = scene.tensors.map(({ rowNames: _, ...tensor }) => ({ ...tensor, name: "" }));
  const tensors = boxesOf({ ...scene, tensors: bare }, snapshots);
  const labels = scene.labels.map(({ x, y, text, anchor, kind, size = 12.5 }): Box => {
    const width = kind === "symbol" ? 14 : textWidth(text, size);
    const left = x - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
    return { name: text, left, right: left + width, top: y - 10, bottom: y + 3 };
  });
  const labs = names.map(({ lab, x, y, width, height }) => ({
    name: lab,
    left: x,
    top: y + 2,
    right: x + width,
    bottom: y + height - 2,
  }));
  return [...tensors, ...captions, ...rowNames, ...labels, ...labs];
}

// The widths of the map in windows of 2560, 1440, 1280 and 1100 pixels, on a tablet, and on phones of 390 and 360.
for (const width of [1840, 1392, 1232, 1052, 500, 358, 328])
  for (const language of languages)
    test(`nothing overlaps at ${width}, ${language}`, () => {
      for (const isDone of [false, true]) {
        const picture = pictureOf(width, language, { isDone });
        const boxes = boxesIn(picture);
        expect(overlaps(boxes)).toEqual([]);
        expect(outside(boxes, width, picture.scene.height)).toEqual([]);
        expect(boxes.length).toBeGreaterThan(30);
      }
    });

describe("the map", () => {
  test("names every lab once, and every block of the staves is a tensor of the model", () => {
    for (const width of [1392, 358]) {
      const { names, scene } = pictureOf(width, "en");
      expect(names.map(({ lab }) => lab).sort()).toEqual([...labIds].sort());
      expect(scene.tensors.every(({ node }) => snapshots.has(node))).toBe(true);
    }
    const { blocks: areas, scene } = pictureOf(1392, "en");
    expect(areas.map(({ id }) => id)).toEqual(blockIds);
    expect(scene.tensors).toHaveLength(blockIds.length + 3);
  });

  test("is laid out before the numbers are computed, in the same places", () => {
    const before = pictureOf(1392, "en", { numbers: new Map() });
    const after = pictureOf(1392, "en");
    expect(before.scene.tensors).toEqual([]);
    expect(before.names).toEqual(after.names);
    expect(before.blocks).toEqual(after.blocks);
  });

  test("has one scale for all activations, and 1 for weights", () => {
    const scales = scalesOf({ config, snapshots }, mapWords(wordsIn("en")));
    const activations = blockIds
      .map((id) => blocks[id])
      .filter(({ kind }) => !attentions.includes(kind) && kind !== "next");
    const largest = Math.max(
      ...activations.flatMap(({ node }) => [...snapshots.get(node)!.data].map(Math.abs)),
    );
    expect(scales.get("weights")).toBe(1);
    expect(scales.get("activations")).toBeGreaterThanOrEqual(largest);
    expect(scales.get("activations")).toBeLessThanOrEqual(1.15 * largest);
  });

  test("shows a block at a number of it", () => {
    for (const id of blockIds)
      expect([id, numberAt(tellingCell(id, { config, snapshots }), snapshots)]).not.toEqual([id, ""]);
  });

  test("hides what the mask of the model hides", () => {
    const { scene } = pictureOf(1392, "en");
    const masked = scene.tensors.find(({ id }) => id === "decoder.self-0")!.masked!;
    expect(masked.map((row) => row.filter(Boolean).length)).toEqual([5, 4, 3, 2, 1, 0]);
    expect(masked[0]).toEqual([false, true, true, true, true, true]);
  });

  test("each lab fills a part of its glyph", () => {
    for (const lab of labIds) {
      const { x, y, width, height } = glyphOf(lab);
      expect([lab, Math.min(width, height) > 1]).toEqual([lab, true]);
      expect([lab, x >= 0 && y >= 0 && x + width <= 20 && y + height <= 20]).toEqual([lab, true]);
    }
    const parts = new Set(labIds.map((lab) => JSON.stringify(glyphOf(lab))));
    expect(parts.size).toBeGreaterThan(6);
  });
});
