// The picture of the training lab with few and with many layers.
import { describe, expect, test } from "vitest";
import type { Config, ConfigOf } from "../../web/config/config.js";
import { decode } from "../../web/config/decode.js";
import { wordsIn } from "../../web/i18n/words.js";
import { boardsOf, type Board } from "../../web/marks/board.js";
import { textWidth } from "../../web/marks/measure.js";
import type { Room, Scene, Snapshots } from "../../web/marks/scene.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { textsOf, tokensOf, vocabularyOf } from "../../web/labs/training/tokens.js";
import { boxesOf, overlaps } from "./labs-geometry.js";
import { computed, configOf, labOf } from "./labs-sessions.js";

const words = wordsIn("en");
const width = 1232;

function sceneOf(
  config: ConfigOf<"training">,
  snapshots: Snapshots,
  room: Pick<Room, "width" | "layout">,
): Scene {
  const { cell } = labOf(config).steps(config, words, snapshots)[0]!;
  return sceneFor(config as unknown as Config, snapshots, { ...room, height: 542, step: 0, cell, words });
}

/** The maps of the attention, by what is drawn on a wide screen. */
function mapsOf(layers: number, heads: number): Board[] {
  const config = configOf<"training">("learn-to-reverse", { layers, heads, step: 0, beside: [] });
  const { snapshots } = computed(config);
  const scene = sceneOf(config, snapshots, { width, layout: "wide" });
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

const trained = (fields: string): ConfigOf<"training"> =>
  decode(`v=1&${fields}`).config as ConfigOf<"training">;

describe.each([
  ["wide", 1232],
  ["two", 772],
  ["narrow", 644],
  ["narrow", 358],
] as const)("on a %s stage of %i pixels", (layout, across) => {
  test.each([
    ["ex=learn-french&step=0"],
    ["lab=training&task=translation&beside=none&step=1"],
    ["lab=training&task=masked-token&beside=none&step=1"],
    ["lab=training&task=sort&length=16&beside=none&step=1"],
    ["lab=training&task=text&samples=the_cat&beside=none&step=0"],
    ["lab=training&task=text&language=zh&beside=none&step=0"],
    ["lab=training&task=modular-addition&beside=none&step=0"],
  ])("the words of the questions of %s do not touch", (fields) => {
    const config = trained(fields);
    const { labels } = sceneOf(config, computed(config).snapshots, { width: across, layout });
    const asked = labels.filter(({ kind, anchor }) => kind === "heading" && anchor === "middle");
    expect(asked.length).toBeGreaterThan(0);
    for (const [at, { x, y, text }] of asked.entries()) {
      const next = asked[at + 1];
      if (next?.y !== y) continue;
      // The measured widths of letters are estimates.
      const apart = next.x - x - (textWidth(text, 14.5) + textWidth(next.text, 14.5)) / 2;
      expect(apart, `${text} ${next.text}`).toBeGreaterThan(0);
    }
  });
});

test.each([
  ["wide", 1232],
  ["two", 772],
  ["narrow", 358],
] as const)("four runs have four kinds of lines and all their names, %s", (layout, across) => {
  const config = trained("lab=training&beside=no-positions,no-residual,post-norm&steps=20&step=10");
  const { curves, labels } = sceneOf(config, computed(config).snapshots, { width: across, layout });
  const kinds = (start: string, end: string): string[] =>
    curves.filter(({ id }) => id.startsWith(start) && id.endsWith(end)).map(({ kind }) => kind);
  const all = ["line", "dashed", "dotted", "dash-dotted"];
  expect(kinds("losses-", "-before").reverse()).toEqual(all);
  expect(kinds("result-line-", "")).toEqual(all);
  const names = new Set(labels.map(({ text }) => text));
  for (const name of ["this run", "no positions", "no residuals", "post-norm"]) expect(names).toContain(name);
  if (layout === "narrow") expect(kinds("mark-", "")).toEqual(all);
});

test("of masked words only the hidden ones are marked and counted, and a row is a place of the sentence", () => {
  const config = trained("lab=training&task=masked-token&beside=none&step=1&samples=1");
  const { snapshots } = computed(config);
  const { curves, labels } = sceneOf(config, snapshots, { width, layout: "wide" });
  const hidden = Array.from(snapshots.get("asked_0.expected")!.data).filter((id) => id >= 0).length;
  const wrong = curves.filter(({ id }) => id.startsWith("wrong-0-")).length;
  expect(wrong).toBeLessThanOrEqual(hidden);
  expect(labels.map(({ text }) => text)).toContain(`${hidden - wrong}/${hidden}`);
  const node = "encoder.layers.0.self_attn.weights";
  const [, , rows, columns] = labOf(config).nodeWords(config, node, words, snapshots).axes;
  expect(rows).toEqual(columns);
  expect(rows).toContain("<mask>");
});

test("a BERT reads signs around the sentence, and its answers are those of the words between them", () => {
  const config = trained("lab=training&task=masked-token&model=bert&norm=post&beside=none&step=1&samples=1");
  const { snapshots } = computed(config);
  const { labels } = sceneOf(config, snapshots, { width, layout: "wide" });
  const node = "layers.0.self_attn.weights";
  const [, , rows, columns] = labOf(config).nodeWords(config, node, words, snapshots).axes;
  const sentence = tokensOf(snapshots, "asked_0.source");
  expect(rows).toEqual(["[CLS]", ...sentence, "[SEP]"]);
  expect(columns).toEqual(rows);
  expect(labels.filter(({ text }) => text === "<mask>").length).toBeGreaterThan(0);
  // The logits of an answer are those of the place after [CLS].
  const [all, own] = [snapshots.get("logits")!, snapshots.get("asked_0.logits")!];
  expect(own.shape).toEqual([sentence.length, vocabularyOf(snapshots).length]);
  expect([...own.data]).toEqual([...all.data.subarray(own.shape[1]!, own.data.length + own.shape[1]!)]);
  const answer = Array.from(snapshots.get("asked_0.answer")!.data);
  for (const [place, id] of answer.entries()) {
    const row = own.data.subarray(place * own.shape[1]!, (place + 1) * own.shape[1]!);
    expect(row[id]).toBeCloseTo(Math.max(...row), 4);
  }
  const activation = labOf(config).nodeWords(config, "layers.0.activation", words, snapshots);
  expect(activation.name).toBe("network, after GELU, layer 0");
  expect(labOf(config).nodeWords(config, "head.activation", words, snapshots).name).toBe("after GELU");
});

test("a BERT has the layer norm of its paper and at most 32 numbers for a word", () => {
  const config = trained("lab=training&task=masked-token&dim=64&beside=none");
  const change = (numbers: ConfigOf<"training">["numbers"], model: string) =>
    labOf(config).change(numbers, "model", model, words) as ConfigOf<"training">["numbers"];
  const bert = change(config.numbers, "bert");
  expect([bert.model, bert.norm, bert.dim]).toEqual(["bert", "post", 32]);
  const narrow = change({ ...config.numbers, dim: 16 }, "bert");
  expect([narrow.norm, narrow.dim]).toEqual(["post", 16]);
  const again = change(narrow, "encoder");
  expect([again.model, again.norm, again.dim]).toEqual(["encoder", "post", 16]);
});

test.each([
  ["wide", 1232, 4],
  ["two", 772, 4],
  ["narrow", 358, 2],
] as const)(
  "each image of a %s stage stands beside its answer, with the right one where it is wrong",
  (layout, across, most) => {
    const config = trained("lab=training&task=shapes&beside=none&step=0&samples=0,1,7,9");
    const { snapshots } = computed(config);
    const scene = sceneOf(config, snapshots, { width: across, layout });
    const images = scene.tensors.filter(({ node }) => node === "source");
    expect(images.map(({ at }) => at)).toEqual(
      [0, 1, 2, 3].slice(0, most).map((sample) => [sample, 0, null, null]),
    );
    const named = textsOf(snapshots, "vocabulary");
    const classOf = (node: string): string => named[snapshots.get(node)!.data[0]!]!;
    const texts = scene.labels.map(({ text }) => text);
    for (let at = 0; at < most; at++) {
      const [answer, right] = [classOf(`asked_${at}.answer`), classOf(`asked_${at}.expected`)];
      expect(texts).toContain(answer);
      expect(texts.includes(`right: ${right}`)).toBe(answer !== right);
    }
    expect(overlaps(boxesOf(scene, snapshots))).toEqual([]);
  },
);

test("the places of a vision transformer are the class token and the patches", () => {
  const config = trained("lab=training&task=shapes&beside=none&step=1");
  const { snapshots } = computed(config);
  const node = "layers.0.self_attn.weights";
  const rowsIn = (language: "en" | "zh-CN") =>
    labOf(config).nodeWords(config, node, wordsIn(language), snapshots).axes[2]!.slice(0, 3);
  expect(rowsIn("en")).toEqual(["‹class›", "patch 0", "patch 1"]);
  expect(rowsIn("zh-CN")).toEqual(["‹类别›", "图块 0", "图块 1"]);
});

test.each([
  ["two", 772, 4, 32],
  ["two", 772, 8, 32],
  ["wide", 1152, 4, 32],
  ["wide", 1232, 8, 32],
  ["wide", 1152, 8, 40],
  ["wide", 1152, 8, 64],
] as const)(
  "a %s stage of %i pixels has room for the maps of %i heads over %i places, and for the charts",
  (layout, across, heads, places) => {
    const fields = `task=text&heads=${heads}&window=${places}&layers=1&batch=8&beside=none&steps=3&step=3`;
    const config = trained(`lab=training&${fields}`);
    const { snapshots } = computed(config);
    const scene = sceneOf(config, snapshots, { width: across, layout });
    const { curves, legends } = scene;
    const answers = boardsOf(scene, snapshots).filter(({ node }) => node.startsWith("asked_"));
    for (const board of boardsOf(scene, snapshots))
      if (!answers.includes(board)) expect(rightOf(board), board.node).toBeLessThanOrEqual(across);
    for (const { x, width: wide } of legends) expect(x + wide).toBeLessThanOrEqual(across);
    const points = curves.flatMap((curve) => curve.points.map(([x]) => x));
    expect(Math.max(...points)).toBeLessThanOrEqual(across);
    const cursors = curves.filter(({ id }) => /-cursor$/.test(id)).map(({ points: all }) => all[0]![0]);
    expect(cursors).toHaveLength(2);
    expect(cursors[1]! - cursors[0]!).toBeGreaterThan(130);
    for (const { points: all } of curves.filter(({ id }) => /^norm-/.test(id)))
      expect(all[1]![0] - all[0]![0]).toBeGreaterThanOrEqual(40);
  },
);

test("beside the norms stand how far a step moved each part, and under them the learning rate of that step", () => {
  const config = trained("lab=training&beside=none&steps=40&step=4&warmup=8&rate=0.004");
  const { snapshots } = computed(config);
  const numbers = (node: string): number[] => Array.from(snapshots.get(node)!.data);
  // The rate rises over the steps of the warm-up.
  expect(numbers("learning_rates")).toEqual([1, 2, 3, 4].map((step) => (0.004 * step) / 8));
  const groups = snapshots.get("update_ratios")!.shape[1]!;
  const [moves, weights] = [numbers("move_norms"), numbers("weight_norms")];
  expect(numbers("update_ratios")).toEqual(moves.map((move, at) => move / weights[at]!));
  for (const [layout, across] of [
    ["wide", 1232],
    ["two", 772],
    ["narrow", 358],
  ] as const) {
    const scene = sceneOf(config, snapshots, { width: across, layout });
    const boards = boardsOf(scene, snapshots);
    const [ratios, rate] = ["update_ratios", "learning_rates"].map((wanted) =>
      boards.find(({ node }) => node === wanted)!,
    );
    expect(ratios!.valueAt(groups - 1, 0)).toBe(numbers("update_ratios").at(-1));
    expect(rate!.valueAt(0, 0)).toBe(0.002);
    expect(rightOf(ratios!)).toBeLessThanOrEqual(across);
    expect(scene.labels.map(({ text }) => text)).toContain("learning rate");
  }
  // With the long names of a decoder too.
  const both = trained("lab=training&task=translation&layers=1&beside=none&steps=2&step=2");
  const wide = sceneOf(both, computed(both).snapshots, { width, layout: "wide" });
  expect(wide.tensors.some(({ node }) => node === "update_ratios")).toBe(true);
  const say = (node: string, index: number[]) =>
    labOf(config).nodeWords(config, node, words, snapshots).meaning?.(index);
  expect(say("learning_rates", [3])).toBe("learning rate of step 4");
  expect(say("update_ratios", [3, 0])).toBe("move ÷ weights, embedding");
});
