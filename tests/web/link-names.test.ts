// The ids of stops and paragraphs that a link may contain: published ids remain for ever, so that old links still work.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { validateConfig } from "../../web/config/validate.js";
import type { Config, LabId } from "../../web/config/config.js";
import { defaults } from "../../web/config/defaults.js";
import { examples } from "../../web/examples/index.js";
import { wordsIn } from "../../web/i18n/words.js";
import { list } from "../../web/labs/list.js";
import type { Lesson } from "../../web/telling/lesson.js";
import { loadLesson } from "../../web/labs/lessons.js";
import { setUp } from "../../web/page/lesson-desk.js";
import { stopsOf, sceneFor } from "../../web/page/open-lab.js";
import { computed } from "./labs-sessions.js";

interface Names {
  stops: string[];
  /** The number of paragraphs of each part of the lesson. */
  lesson: Record<string, number>;
}

const file = "../../web/config/link-names.json";
const known = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as Record<LabId, Names>;
const words = wordsIn("en");

/** The ids of the stops of all examples and of all exercises of the lesson, in the order in which they occur. */
function stopsIn(lab: LabId, { parts }: Lesson<LabId>): string[] {
  const start = defaults(lab) as Config;
  const tried = parts.flatMap(({ tries = [] }) => tries.map((one) => setUp(one, start, words)));
  const own = examples.filter(({ config }) => config.view.lab === lab).map(({ config }) => config);
  const stops = [...own, ...tried].flatMap((config) => stopsOf(config, words, computed(config).snapshots));
  return [...new Set(stops.map(({ id }) => id))];
}

const now = Object.fromEntries(
  await Promise.all(
    (Object.keys(list) as LabId[]).map(async (lab) => {
      const lesson = await loadLesson(lab);
      const paragraphs = lesson.parts.map(({ id, paragraphs }) => [id, paragraphs.length] as const);
      return [lab, { stops: stopsIn(lab, lesson), lesson: Object.fromEntries(paragraphs) }] as const;
    }),
  ),
) as Record<LabId, Names>;

test.each(Object.keys(known) as LabId[])("every name of %s that was given out is still there", (lab) => {
  const { stops, lesson } = now[lab];
  expect(stops).toEqual(expect.arrayContaining(known[lab].stops));
  for (const [part, paragraphs] of Object.entries(known[lab].lesson))
    expect(lesson[part], `${part} of the lesson`).toBeGreaterThanOrEqual(paragraphs);
});

test("all ids are published (npx vitest run link-names -u adds new ones)", async () => {
  await expect(`${JSON.stringify(now, null, 1)}\n`).toMatchFileSnapshot(file);
});

test("a link may contain each id", () => {
  for (const lab of Object.keys(now) as LabId[]) {
    const { stops, lesson } = now[lab];
    const config = defaults(lab) as Config;
    const view = (more: object): unknown => ({ ...config, view: { ...config.view, ...more } });
    for (const stop of stops) expect(() => validateConfig(view({ stop }))).not.toThrow();
    for (const part of Object.keys(lesson))
      expect(() => validateConfig(view({ lesson: `${part},9` }))).not.toThrow();
  }
});

test("the arrangement of a scene restores that scene, with its unfolded parts", () => {
  const face = examples.find(({ id }) => id === "face")!.config;
  const { snapshots } = computed(face);
  const at = (cell: { node: string; index: number[] }, arrangement: string | null) =>
    sceneFor(face, snapshots, {
      width: 1200,
      height: 900,
      layout: "wide",
      step: 0,
      cell,
      arrangement,
      words,
    });
  const key = { node: "K_T", index: [0, 5] };
  const first = at({ node: "scores", index: [3, 5] }, null);
  const moved = at(key, first.arrangement!);
  expect(moved.arrangement).toBe("image,3,5");
  expect(JSON.stringify(at(key, moved.arrangement!))).toBe(JSON.stringify(moved));
  expect(at(key, null).arrangement).not.toBe(moved.arrangement);
});
