// The pictures of the words lab say the numbers of the core: equal sides, one word in a bin for each count, bars as high as differences, the step.
import { describe, expect, test } from "vitest";
import type { ConfigOf, NumbersOf } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { formatNote } from "../../web/marks/numbers.js";
import type { Scene } from "../../web/marks/scene.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { rowOf } from "../../web/stage/series.js";
import { computed, configOf } from "./labs-sessions.js";

const sizes = [
  { width: 1312, height: 640, layout: "wide" },
  { width: 772, height: 700, layout: "two" },
  { width: 358, height: 560, layout: "narrow" },
] as const;

function sceneOf(config: ConfigOf<"words">, size: (typeof sizes)[number], step: number) {
  const { snapshots } = computed(config);
  return {
    snapshots,
    scene: sceneFor(config, snapshots, { ...size, cell: null, step, words: wordsIn("en") }),
  };
}
const curvesOf = ({ curves }: Scene, prefix: string) => curves.filter(({ id }) => id.startsWith(prefix));

describe.each(sizes)("$layout", (size) => {
  const sentences: Partial<NumbersOf["words"]>[] = [
    {},
    { tokens: ["man", "bites", "man"], other: ["a", "dog"] },
    { tokens: ["no", "no", "no", "no", "no"], other: ["no"] },
  ];

  test.each(sentences)(
    "%j: a bin holds as many words as were counted, and a bar is as high as the difference",
    (numbers) => {
      const config = configOf<"words">("dog-bites-man", numbers);
      const { scene, snapshots } = sceneOf(config, size, 1);
      const bins = curvesOf(scene, "bin-").map(({ points }) => [points[0]![0], points[2]![0]] as const);
      ["counts", "counts_other"].forEach((node, nth) => {
        const tiles = curvesOf(scene, `tile-${nth}-`).map(({ points }) => points[0]![0]);
        const held = bins.map(([left, right]) => tiles.filter((x) => x > left && x < right).length);
        expect(held).toEqual(rowOf(snapshots, node, 0));
      });
      const [zero] = curvesOf(scene, "zero");
      const heights = curvesOf(scene, "end-").map(({ points }) => zero!.points[0]![1] - points[0]![1]);
      const differences = rowOf(snapshots, "difference", 0);
      const most = Math.max(1, ...differences.map(Math.abs));
      differences.forEach((value, at) => expect(heights[at]).toBeCloseTo((20 * value) / most, 9));
    },
  );

  test.each(sentences)(
    "%j: any two of three words are equally far apart on the page, and the distance is written there",
    (numbers) => {
      const config = configOf<"words">("dog-bites-man", numbers);
      const { scene, snapshots } = sceneOf(config, size, 2);
      const sides = curvesOf(scene, "side-");
      const lengths = sides.map(({ points: [a, b] }) => Math.hypot(a![0] - b![0], a![1] - b![1]));
      for (const length of lengths) expect(length).toBeCloseTo(lengths[0]!, 9);
      const written = scene.labels.filter(({ kind }) => kind === "large").map(({ text }) => text);
      expect(written).toEqual(
        sides.map(({ cells }) =>
          formatNote(rowOf(snapshots, "apart.distance", cells![0]!.index[0]!)[cells![0]!.index[1]!]!),
        ),
      );
    },
  );

  test.each([
    ["en", "Every word equally far from every other", "Three of 4 words, all equally far apart"],
    ["zh-CN", "任意两个词都一样远", "4 个词中的三个，两两一样远"],
  ] as const)("%s: a triangle of some of the words says so", (language, ofAll, ofSome) => {
    const headings = (other: string[]): string[] => {
      const config = configOf<"words">("dog-bites-man", { tokens: ["a", "b", "c"], other });
      const room = { ...size, cell: null, step: 2, words: wordsIn(language) };
      return sceneFor(config, computed(config).snapshots, room)
        .labels.filter(({ kind }) => kind === "heading")
        .map(({ text }) => text);
    };
    expect(headings(["a"])).toContain(ofAll);
    expect(headings(["d"])).toContain(ofSome);
    expect(headings(["d"])).not.toContain(ofAll);
  });

  test("the handle under the loss stands at the step", () => {
    const config = configOf<"words">("kingdom-on-a-map", { step: 60 });
    const { scene } = sceneOf(config, size, 0);
    const [rail] = scene.rails!;
    const [now] = curvesOf(scene, "loss-now");
    expect(rail).toMatchObject({ changes: { control: "step" }, ends: [0, 150], value: 60 });
    expect(now!.points[0]![0]).toBeCloseTo(rail!.from[0] + (rail!.to[0] - rail!.from[0]) * 0.4, 9);
  });
});
