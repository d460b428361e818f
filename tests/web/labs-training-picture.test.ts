// The picture of the training lab with few and with many layers.
import { expect, test } from "vitest";
import type { Config } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { boardsOf, type Board } from "../../web/marks/board.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { computed, configOf, labOf } from "./labs-sessions.js";

const words = wordsIn("en");
const width = 1232;

/** The maps of the attention, by what is drawn on a wide screen. */
function mapsOf(layers: number, heads: number): Board[] {
  const config = configOf<"training">("learn-to-reverse", { layers, heads, step: 0, beside: [] });
  const { snapshots } = computed(config);
  const { cell } = labOf(config).steps(config, words, snapshots)[0]!;
  const room = { width, height: 542, layout: "wide", step: 0, cell, words } as const;
  const scene = sceneFor(config as unknown as Config, snapshots, room);
  return boardsOf(scene, snapshots).filter(({ node }) => node.endsWith("self_attn.weights"));
}

const rightOf = ({ x, columns, cellWidth }: Board): number => x + columns * cellWidth;
const bottomOf = ({ y, rows, cellHeight }: Board): number => y + rows * cellHeight;

test.each([
  [1, 1],
  [2, 4],
  [6, 4],
  [7, 2],
  [12, 4],
  [12, 8],
])("%i layers of %i heads stand beside and under each other, left of the charts", (layers, heads) => {
  const maps = mapsOf(layers, heads);
  expect(maps).toHaveLength(layers * heads);
  expect(Math.max(...maps.map(rightOf))).toBeLessThan(width / 2 + 8);
  const overlaps = maps.flatMap((one, at) =>
    maps
      .slice(at + 1)
      .filter(
        (other) =>
          one.x < rightOf(other) &&
          other.x < rightOf(one) &&
          one.y < bottomOf(other) &&
          other.y < bottomOf(one),
      ),
  );
  expect(overlaps).toEqual([]);
  // Twelve layers are on the screen at once.
  if (heads <= 4) expect(Math.max(...maps.map(bottomOf))).toBeLessThan(600);
});
