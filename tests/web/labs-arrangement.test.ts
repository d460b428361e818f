// An arrangement may come from a link: each lab that stores an arrangement draws a scene for any string.
import { expect, test } from "vitest";
import type { Config } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { sceneFor, stopsOf } from "../../web/page/open-lab.js";
import { computed, configOf } from "./labs-sessions.js";

const words = wordsIn("en");
const unknownArrangements = [
  "constructor",
  "toString,1",
  "foo/bar/baz",
  "rotary/constructor/",
  "rotary/attend/",
  "9",
  "map,99999,99999",
];
const configs = {
  attention: configOf("four-words"),
  "multi-head": configOf("two-heads"),
  "one encoding": configOf("pe-0-and-4"),
  "no encoding": configOf<"positions">("two-orders"),
  "every encoding": configOf<"positions">("six-encodings"),
  image: configOf("letter"),
} as Record<string, Config>;

test.each(Object.entries(configs))("%s", (_name, config) => {
  const { snapshots } = computed(config);
  const stops = stopsOf(config, words, snapshots);
  for (const arrangement of unknownArrangements) {
    for (const [width, layout] of [
      [1224, "wide"],
      [374, "narrow"],
    ] as const) {
      for (const [step, { cell }] of stops.entries()) {
        const room = { width, height: 520, layout, step, words, arrangement, cell };
        const { tensors, images } = sceneFor(config, snapshots, room);
        expect(tensors.length + images.length, `${layout} ${arrangement}`).toBeGreaterThan(0);
      }
    }
  }
});
