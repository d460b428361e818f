// The dialects of the mask, padding, and softmax with and without the maximum subtracted. Their numbers equal those of NumPy 1.24 and
// PyTorch 1.13 in float64, for the way in which each document or function hides pairs. Also tests their stages, sentences and remarks.
//
// The reference numbers come from the four words of document 002 (seed 42, three randint(3, size=(3, 3))), s = Q K^T / sqrt(3), and
//   infinity  torch.softmax(s.masked_fill(mask == 0, -inf), -1)             as document 003 does
//   put       torch.softmax(s.masked_fill(~keep, -1e9), -1)                  as document 000 and the PyTorch half of 001 do
//   added     e = exp(a - a.max(-1)); e / e.sum(-1), a = s + (1 - keep) * -1e9   as the NumPy half of document 001 does
//   padding   torch.nn.MultiheadAttention(key_padding_mask=, attn_mask=) with the weights of the four words and W_O = I
import { expect, test } from "vitest";
import { decode, encode } from "../../web/config/codec.js";
import type { AttentionNumbers, ConfigOf } from "../../web/config/config.js";
import { hasConversion, isSmall } from "../../web/config/labs/attention.js";
import { wordsIn } from "../../web/i18n/words.js";
import { exampleById } from "../../web/examples/index.js";
import { builds } from "../../web/labs/builds.js";
import { transformerBuilds } from "../../web/labs/transformer-builds.js";
import { boardsOf } from "../../web/marks/board.js";
import { formatsOf } from "../../web/marks/board-drawing.js";
import { domainsOf } from "../../web/marks/domains.js";
import { formatCell } from "../../web/marks/numbers.js";
import type { TargetRoom, Scene, Snapshots } from "../../web/marks/scene.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { boxesOf, outside, overlaps } from "./labs-geometry.js";
import { computed, configOf, core, labs, wholeCore } from "./labs-sessions.js";

type Settings = Partial<AttentionNumbers>;
const lab = labs.attention;
const fourWords = (numbers: Settings = {}): ConfigOf<"attention"> =>
  configOf<"attention">("four-words", numbers);
const valuesOf = (numbers: Settings, node: string): number[] => [
  ...computed(fourWords(numbers)).snapshots.get(node)!.data,
];
const expectClose = (got: readonly number[], expected: readonly number[], digits = 12): void => {
  expect(got).toHaveLength(expected.length);
  got.forEach((value, at) => expect(value, String(at)).toBeCloseTo(expected[at]!, digits));
};

const emptyRow: Settings = {
  mask: "painted",
  paint: ["1000", "1100", "0000", "1111"].map((row) => [...row].map((one) => one === "1")),
};
const maskedRows = {
  first: [1, 0, 0, 0],
  second: [0.9096526450391504, 0.09034735496084961, 0, 0],
  last: [0.0899501753541974, 0.0028155406251633023, 0.9056536848050253, 0.0015805992156140561],
};
const rows = (third: number[]): number[] => [
  ...maskedRows.first,
  ...maskedRows.second,
  ...third,
  ...maskedRows.last,
];
const unmasked = [0.2392750524510116, 0.000743870015180711, 0.759237207518627, 0.000743870015180711];

const polarities = [undefined, "masked", "zero"] as const;

test.each(polarities)(
  "a row without an allowed key has different weights with each fill, polarity %s",
  (polarity) => {
    const settings: Settings = { ...emptyRow, ...(polarity && { polarity }) };
    // The core's softmax gives 0 for a row of −∞; exp(s) / sum(exp(s)) gives NaN, as PyTorch does.
    expectClose(valuesOf(settings, "weights"), rows([0, 0, 0, 0]));
    expect(valuesOf({ ...settings, stable: false }, "weights")).toEqual(
      rows([NaN, NaN, NaN, NaN]).map((value) =>
        Number.isNaN(value) ? value : (expect.closeTo(value, 12) as number),
      ),
    );
    expectClose(valuesOf({ ...settings, fill: "put" }, "weights"), rows([0.25, 0.25, 0.25, 0.25]));
    expectClose(valuesOf({ ...settings, fill: "put" }, "output"), [
    1, 1, 0, 0.9096526450391504, 1, 0.09034735496084961, 0.5, 1, 0.5, 0.9956038601592226, 1.9040730855894112,
    0.9084692254301886,
  ]); // prettier-ignore
    expectClose(valuesOf({ ...settings, fill: "added" }, "weights"), rows(unmasked));
  },
);

test("a mask is written as its dialect writes it, and the nodes of its conversion are computed from it", () => {
  const steps = (numbers: Settings): Record<string, number[]> => {
    const { snapshots } = computed(fourWords({ mask: "causal", ...numbers }));
    const names = ["mask", "inverted", "key_padding_mask", "real_keys", "combined", "term"];
    return Object.fromEntries(
      names.flatMap((name) => {
        const snapshot = snapshots.get(name);
        return snapshot ? [[name, Array.from(snapshot.data.slice(0, 4), (value) => value + 0)]] : [];
      }),
    );
  };
  expect(steps({ polarity: "masked" })).toEqual({ mask: [0, 1, 1, 1], inverted: [1, 0, 0, 0] });
  expect(steps({ polarity: "zero" })).toEqual({ mask: [1, 0, 0, 0] });
  expect(steps({ fill: "put" })).toEqual({ mask: [1, 0, 0, 0] });
  expect(steps({ fill: "added" })).toEqual({
    mask: [1, 0, 0, 0],
    inverted: [0, 1, 1, 1],
    term: [0, -1e9, -1e9, -1e9],
  });
  expect(steps({ polarity: "masked", fill: "added" })).toEqual({
    mask: [0, 1, 1, 1],
    term: [0, -1e9, -1e9, -1e9],
  });
  expect(steps({ padding: 2 })).toEqual({
    mask: [1, 0, 0, 0],
    key_padding_mask: [0, 0, 1, 1],
    real_keys: [1, 1, 0, 0],
    combined: [1, 0, 0, 0],
  });
  expect(steps({ padding: 2, fill: "added" })).toMatchObject({
    key_padding_mask: [0, 0, 1, 1],
    combined: [0, 1, 1, 1],
  });
});

test.each(polarities)(
  "key_padding_mask hides keys, with a causal mask and without, polarity %s",
  (polarity) => {
    const settings: Settings = { padding: 2, ...(polarity && { polarity }) };
    const third = [0.9969007859084825, 0.003099214091517581, 0, 0];
    const fourth = [0.9696489096705757, 0.03035109032942438, 0, 0];
    for (const fill of ["infinity", "put", "added"] as const) {
      const both = [...maskedRows.first, ...maskedRows.second, ...third, ...fourth];
      // A float64 score plus −1e9 keeps only 7 decimals, but the hidden exponentials are 0 nevertheless.
      expectClose(valuesOf({ ...settings, fill, mask: "causal" }, "weights"), both);
      expectClose(valuesOf({ ...settings, fill }, "weights"), [
        ...fourth,
        ...maskedRows.second,
        ...third,
        ...fourth,
      ]);
    }
    expectClose(valuesOf({ ...settings, mask: "causal" }, "output"), [
    1, 1, 0, 0.9096526450391504, 1, 0.09034735496084961, 0.9969007859084825, 1, 0.003099214091517581,
    0.9696489096705757, 1, 0.03035109032942438,
  ]); // prettier-ignore
  },
);

test("softmax without the maximum subtracted gives the same weights, except for a score of 800", () => {
  expectClose(valuesOf({ stable: false }, "weights"), [
    0.23608986335744747, 0.007389875548932191, 0.7491303855446881, 0.007389875548932191, 0.4548263225195752,
    0.0451736774804248, 0.4548263225195752, 0.0451736774804248, 0.23927504868045538, 0.000743870015051929,
    0.7592372112894408, 0.000743870015051929, 0.0899501753541974, 0.0028155406251633036, 0.9056536848050253,
    0.0015805992156140561,
  ]); // prettier-ignore
  const large: Settings = {
    tokens: ["a", "b"],
    dim: 2,
    keyDim: 2,
    valueDim: 2,
    x: [[1, 0], [0, 1]],
    wq: [[800, 0], [1, 0]],
    wk: [[1, 0], [0, 1]],
    wv: [[1, 2], [3, 4]],
    scale: false,
  }; // prettier-ignore
  const { snapshots } = computed(fourWords({ ...large, stable: false }));
  // e = exp(s); e / e.sum(-1) in PyTorch.
  expect([...snapshots.get("exp")!.data]).toEqual([Infinity, 1, expect.closeTo(Math.E, 14), 1]);
  expect([...snapshots.get("weights")!.data]).toEqual([NaN, 0, 0.7310585786300049, 0.2689414213699951]);
  const words = wordsIn("en");
  const [overflow, nan] = lab.remarks(fourWords({ ...large, stable: false }), snapshots, words).slice(1);
  expect(overflow!.title).toContain("∞ ÷ ∞ is NaN");
  expect(overflow!.actions.map(({ change, cell }) => change ?? cell)).toEqual([
    { control: "stable", value: "on" },
    { node: "weights", index: [0, 0] },
  ]);
  expect(nan!.body).toContain("exp[0, 0]");
  // F.softmax subtracts the maximum.
  expectClose(valuesOf(large, "weights"), [1, 0, 0.7310585786300049, 0.26894142136999516]);
});

test("with every default both parts of the core build the same graph; settings without effect leave the graph unchanged", () => {
  for (const numbers of [fourWords().numbers, fourWords({ mask: "causal" }).numbers]) {
    expect([isSmall(numbers), hasConversion(numbers)]).toEqual([true, false]);
    const small = core.graph({ observe: true });
    builds.attention(core, small, numbers);
    const whole = wholeCore.graph({ observe: true });
    transformerBuilds.attention(wholeCore, whole, numbers);
    expect(whole.snapshot()).toEqual(small.snapshot());
    small.delete();
    whole.delete();
  }
  // Without a mask its dialect has no effect; additive attention has only one dialect.
  expect(isSmall(fourWords({ polarity: "masked", fill: "put" }).numbers)).toBe(true);
  expect([...computed(fourWords({ score: "additive", mask: "causal", fill: "put", padding: 2, stable: false })).snapshots.keys()])
    .toEqual([...computed(fourWords({ score: "additive", mask: "causal" })).snapshots.keys()]); // prettier-ignore
});

/** Settings that give graphs with different nodes. */
const kinds: Settings[] = [
  { mask: "causal", polarity: "masked" },
  { mask: "causal", polarity: "zero", fill: "put" },
  { mask: "causal", fill: "added", padding: 1 },
  { padding: 2 },
  { padding: 1, fill: "added" },
  { mask: "causal", padding: 1, stable: false },
  { stable: false, scale: false },
  { ...emptyRow, fill: "put" },
  { mask: "causal", padding: 1, memory: ["le", "chat", "noir"] },
];
const rooms = [
  { width: 1232, height: 542, layout: "wide" },
  { width: 1392, height: 640, layout: "wide" },
  { width: 772, height: 700, layout: "two" },
  { width: 358, height: 700, layout: "narrow" },
] as const;

function* scenesOf(config: ConfigOf<"attention">, snapshots: Snapshots): Generator<[string, Scene]> {
  for (const language of ["en", "zh-CN"] as const) {
    const words = wordsIn(language);
    for (const room of rooms)
      for (const [step, { id, cell }] of lab.steps(config, words, snapshots).entries()) {
        const at: TargetRoom = { ...room, step, cell, words };
        yield [`${language} ${room.width} ${id}`, sceneFor(config, snapshots, at)];
      }
  }
}

test.each(kinds)("nothing overlaps on the stage, and every node has a name: %o", (numbers) => {
  const config = fourWords(numbers);
  const { snapshots } = computed(config);
  for (const [where, scene] of scenesOf(config, snapshots)) {
    const boxes = boxesOf(scene, snapshots);
    expect(overlaps(boxes), where).toEqual([]);
    expect(outside(boxes, scene.width, scene.height), where).toEqual([]);
  }
  const words = wordsIn("en");
  const steps = lab.steps(config, words, snapshots);
  for (const { cell, sentence } of steps) {
    expect(snapshots.get(cell.node)!.shape).toHaveLength(cell.index.length);
    expect(sentence).not.toBe("");
  }
  // The wide stage has every tensor of a stop, and every node has a name.
  const wide = sceneFor(config, snapshots, { ...rooms[1], step: 0, cell: null, words });
  const drawn = wide.tensors.map(({ node }) => node);
  for (const { nodes } of steps)
    for (const node of nodes) if (snapshots.has(node)) expect(drawn).toContain(node);
  for (const node of snapshots.keys())
    expect(lab.nodeWords(config, node, words, snapshots).name, node).not.toMatch(/_[a-z]*_keys$|^$/);
  expect(decode(encode(config)).config.numbers).toEqual(config.numbers);
});

test("the cells of a boolean mask read True and False; −1e9 in hidden cells does not widen the colour scale", () => {
  const config = fourWords({ mask: "causal", polarity: "masked", fill: "put" });
  const { snapshots } = computed(config);
  const scene = sceneFor(config, snapshots, {
    ...rooms[3],
    step: 5,
    cell: null,
    words: wordsIn("en"),
    arrangement: null,
  });
  const words = wordsIn("en");
  const convert = sceneFor(config, snapshots, {
    ...rooms[3],
    step: lab.steps(config, words, snapshots).findIndex(({ id }) => id === "convert"),
    cell: null,
    words,
  });
  const boards = boardsOf(convert, snapshots);
  const mask = boards.find(({ node }) => node === "mask")!;
  const format = formatsOf(boards).get(mask)!;
  expect([0, 1].map((value) => formatCell(value, format, mask.cellWidth))).toEqual(["False", "True"]);
  expect([0, 1].map((value) => formatCell(value, format, 24))).toEqual(["F", "T"]);
  const wide = boardsOf(sceneFor(config, snapshots, { ...rooms[1], step: 9, cell: null, words }), snapshots);
  expect(domainsOf(wide, "shared", null).get("scores")).toBeLessThan(100);
  expect(scene.tensors.length).toBeGreaterThan(0);
});

test("the settings sentence has a dialect only with a mask, and softmax only if scores may be large", () => {
  const words = wordsIn("en");
  const ids = (numbers: Settings): string[] =>
    lab.sentence(fourWords(numbers), words).controls.map(({ id }) => id);
  const later = ["polarity", "fill", "padding", "stable"];
  const shownControls = (numbers: Settings): string[] => later.filter((id) => ids(numbers).includes(id));
  expect(shownControls({})).toEqual([]);
  expect(shownControls({ mask: "causal" })).toEqual(["polarity", "fill", "padding"]);
  expect(shownControls({ padding: 1 })).toEqual(["fill", "padding"]);
  expect(shownControls({ scale: false })).toEqual(["stable"]);
  expect(shownControls({ score: "additive", mask: "causal", padding: 1 })).toEqual([]);
  const set = (numbers: Settings, control: string, value: string): AttentionNumbers =>
    lab.change(fourWords(numbers).numbers, control, value, words) as AttentionNumbers;
  // A setting with its default value is absent from the numbers.
  const chosen = fourWords({
    mask: "causal",
    polarity: "zero",
    fill: "put",
    padding: 1,
    stable: false,
  }).numbers;
  const defaults = { polarity: "keep", fill: "infinity", padding: "0", stable: "on" };
  const back = Object.entries(defaults).reduce(
    (numbers, [control, value]) => lab.change(numbers, control, value, words) as AttentionNumbers,
    chosen,
  );
  expect(back).toEqual(fourWords({ mask: "causal" }).numbers);
  expect(set({}, "mask", "padding")).toMatchObject({ mask: "none", padding: 1 });
  // Additive attention has no padding: it is neither an option of the mask nor accepted.
  const additive = fourWords({ score: "additive" });
  const mask = lab.sentence(additive, words).controls.find(({ id }) => id === "mask")!;
  expect(mask.options!.map(({ value }) => value)).toEqual(["none", "causal", "painted"]);
  expect(set({ score: "additive" }, "mask", "padding")).toHaveProperty("refused");
  expect(set({ mask: "causal", padding: 2 }, "mask", "padding")).toMatchObject({ mask: "none", padding: 2 });
  expect(set({ padding: 2 }, "mask", "causal")).toMatchObject({ mask: "causal", padding: 2 });
  expect(set({ padding: 2 }, "mask", "none")).not.toHaveProperty("padding");
  // The padding is at most the number of keys.
  expect(set({ padding: 4 }, "words", "a b")).toMatchObject({ padding: 2 });
  expect(lab.change(fourWords({ mask: "causal" }).numbers, "padding", "5", words)).toEqual({
    refused: "Keys that are padding: expected a whole number from 0 to 4, got 5.",
  });
});

test("the remark on a row without an allowed key explains its weights and offers the other fills", () => {
  const words = wordsIn("en");
  const remark = (numbers: Settings) => {
    const config = fourWords({ ...emptyRow, ...numbers });
    return lab.remarks(config, computed(config).snapshots, words)[0]!;
  };
  const offeredValues = (numbers: Settings) =>
    remark(numbers).actions.flatMap(({ change }) => (change ? [change.value] : []));
  expect(offeredValues({})).toEqual(["2,2,1", "put", "added"]);
  expect(offeredValues({ fill: "put" })).toEqual(["2,2,1", "infinity", "added"]);
  expect(remark({ fill: "put" }).body).toContain("1 ÷ 4");
  expect(remark({ fill: "added" }).body).toContain("a row without a mask");
  expect(remark({ stable: false }).body).toContain("0 ÷ 0");
  for (const fill of [undefined, "put", "added"] as const)
    expect(remark(fill ? { fill } : {}).body).toMatch(/questions and answers.*Chinese notebook.*blog post/);
  // If all keys are padding, painting cannot show a key, so it is not offered.
  expect(
    lab.remarks(fourWords({ padding: 4 }), new Map(), words)[0]!.actions.map(({ change }) => change?.control),
  ).not.toContain("paint");
});

test("the example of a 2 x 2 product offers a matrix that does not fit, and the refusal names both shapes", () => {
  const words = wordsIn("en");
  const config = configOf<"attention">("two-by-two");
  const [remark] = lab.remarks(config, computed(config).snapshots, words);
  const { control, value } = remark!.actions[0]!.change!;
  expect(lab.change(config.numbers, control, value, words)).toEqual({
    refused:
      "X: expected 2×2, a row for each word and as many columns as W_Q has rows (2), got 2×3. Nothing was changed.",
  });
  expect(lab.change(config.numbers, control, "1 2; 3 x", words)).toHaveProperty("refused");
  expect(lab.change(config.numbers, control, "5,6;7,8", words)).toMatchObject({ x: [[5, 6], [7, 8]] }); // prettier-ignore
});

test("an example compares one mask that is read in two ways", () => {
  const config = exampleById("one-mask-two-readings")!.config as unknown as ConfigOf<"attention">;
  const before = config.view.before!;
  // Both masks have the same True and False, but different pairs are hidden.
  const maskValues = (numbers: AttentionNumbers): number[] => [
    ...computed({ ...config, numbers }).snapshots.get("mask")!.data,
  ];
  expect(maskValues(config.numbers)).toEqual(maskValues(before));
  // PyTorch: softmax(s.masked_fill(~mask, -1e9)) V beside softmax(s.masked_fill(mask, -1e9)) V.
  const output = (numbers: AttentionNumbers): number[] => [
    ...computed({ ...config, numbers }).snapshots.get("output")!.data,
  ];
  expectClose(output(before), [
    1, 1, 0, 0.9096526450391504, 1, 0.09034735496084961, 0.9992555762304273, 1.7598024055162684,
    0.7605468292858412, 0.9956038601592226, 1.9040730855894112, 0.9084692254301886,
  ]); // prettier-ignore
  expectClose(output(config.numbers), [
    0.9806525003545278, 1.9709787505317917, 0.9903262501772638, 0.9096526450391504, 1.8193052900783009,
    0.9096526450391504, 0, 0, 0, 0.5, 1, 0.5,
  ]); // prettier-ignore
  expect(decode(encode(config as never)).config.view.before).toEqual(before);
});
