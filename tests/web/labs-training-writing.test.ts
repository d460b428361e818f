// How the training lab shows an answer that is written token by token: its candidates, the temperature, and the key-value cache.
import { describe, expect, test } from "vitest";
import type { Config, ConfigOf } from "../../web/config/config.js";
import { decode } from "../../web/config/decode.js";
import { wordsIn } from "../../web/i18n/words.js";
import { selectorsOf } from "../../web/labs/training/selection.js";
import { textsOf, tokensOf } from "../../web/labs/training/tokens.js";
import { cachedRows, DIFFERENCE } from "../../web/labs/training/writing.js";
import { boardsOf } from "../../web/marks/board.js";
import { textWidth } from "../../web/marks/measure.js";
import type { Scene, Snapshots } from "../../web/marks/scene.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { computed, labOf } from "./labs-sessions.js";

const words = wordsIn("en");
const configOf = (fields: string): ConfigOf<"training"> =>
  decode(`v=1&lab=training&beside=none&${fields}`).config as ConfigOf<"training">;

interface Target {
  node: string;
  index: number[];
}

function sceneOf(
  config: ConfigOf<"training">,
  snapshots: Snapshots,
  cell: Target,
  { width, layout }: { width: number; layout: "wide" | "two" | "narrow" } = { width: 1232, layout: "wide" },
): Scene {
  const room = { width, layout, height: 542, step: 0, cell, words };
  return sceneFor(config as unknown as Config, snapshots, room);
}

const textsIn = ({ labels }: Scene): string[] => labels.map(({ text }) => text);
const TEXT = "task=text&steps=2&step=2&samples=the_,at";

describe("with the cache, the logits are those of the whole answer", () => {
  test.each([
    [`${TEXT}&window=12`, 8],
    [`${TEXT}&window=12&temperature=0.8&layers=3&norm=post`, 8],
    ["task=translation&steps=30&step=30", 1],
    ["task=translation&model=decoder&steps=30&step=30&residual=off", 1],
    ["task=reverse&model=decoder&length=5&steps=60&step=60", 1],
    ["task=sort&model=encoder-decoder&length=5&steps=60&step=60", 1],
  ])("%s", (fields, least) => {
    const { snapshots } = computed(configOf(fields));
    const difference = snapshots.get(DIFFERENCE)!;
    expect(difference.shape).toEqual([
      snapshots.get("asked_0.answer")!.data.length,
      textsOf(snapshots, "vocabulary").length,
    ]);
    expect(difference.shape[0]).toBeGreaterThanOrEqual(least);
    expect(Math.max(...difference.data.map(Math.abs))).toBeLessThan(1e-13);
  });
});

test("the first call reads what is given, every later one reads one token and all rows before it", () => {
  const { snapshots } = computed(configOf(`${TEXT}&window=12`));
  // It has begun with "<begin>" and four characters.
  expect([0, 1, 2, 7].map((token) => cachedRows(snapshots, token))).toEqual([
    { computed: 5, kept: 0 },
    { computed: 1, kept: 5 },
    { computed: 1, kept: 6 },
    { computed: 1, kept: 11 },
  ]);
  const keys = snapshots.get("cached.step_7.h.0.attn.K")!;
  expect(keys.shape).toEqual([1, 32]);
});

test.each(["task=reverse&steps=1&step=1", "task=masked-token&steps=1&step=1", "task=shapes&steps=1&step=1"])(
  "%s writes nothing token by token",
  (fields) => {
    const config = configOf(fields);
    const { snapshots } = computed(config);
    expect([...snapshots.keys()].filter((name) => name.startsWith("cached."))).toEqual([]);
    const cell = { node: "asked_0.certainty", index: [0] };
    expect(labOf(config).arrange(config, { ...room(config), cell })).toBe("");
    expect(textsIn(sceneOf(config, snapshots, cell)).filter((text) => /Candidates/.test(text))).toEqual([]);
  },
);

const room = (config: ConfigOf<"training">) => ({
  width: 1232,
  height: 542,
  layout: "wide" as const,
  step: 0,
  words,
  config,
});

test("pointing at a token of an answer lists what may stand there, the likeliest first", () => {
  const config = configOf(`${TEXT}&window=12`);
  const { snapshots } = computed(config);
  const { shape, data } = snapshots.get("asked_1.probabilities")!;
  const cell = { node: "asked_1.certainty", index: [3] };
  const scene = sceneOf(config, snapshots, cell);
  expect(textsIn(scene)).toContain("Candidates for token 4");
  const own = data.slice(3 * shape[1]!, 4 * shape[1]!);
  const listed = boardsOf(scene, snapshots)
    .filter(({ node }) => node === "asked_1.probabilities")
    .map((board) => board.valueAt(0, 0));
  expect(listed).toEqual([...own].sort((a, b) => b - a).slice(0, 5));
  // At temperature 0 the likeliest is chosen, and stands out.
  const chosen = textsOf(snapshots, "vocabulary")[own.indexOf(Math.max(...own))]!;
  const row = scene.labels.find(({ x, kind, text }) => x > 450 && kind === "heading" && text.length === 1);
  expect(row!.text).toBe(chosen.replace(" ", "␣"));
  // The cache is that of the first sample.
  expect(textsIn(scene)).not.toContain("Key-value cache");
});

test("a candidate that is pointed at stays in the list where others have become likelier, with its logit", () => {
  const config = configOf(`${TEXT}&window=12`);
  const { snapshots } = computed(config);
  const { data, shape } = snapshots.get("asked_0.probabilities")!;
  const own = data.slice(2 * shape[1]!, 3 * shape[1]!);
  const unlikely = own.indexOf(Math.min(...own));
  for (const node of ["asked_0.probabilities", DIFFERENCE]) {
    const scene = sceneOf(config, snapshots, { node, index: [2, unlikely] });
    const idsOf = (wanted: string) =>
      scene.tensors.filter((tensor) => tensor.node === wanted).map((tensor) => tensor.window?.first);
    const listed = idsOf("asked_0.probabilities");
    expect(listed).toHaveLength(5);
    expect(listed.at(-1)).toBe(unlikely);
    expect(listed[0]).toBe(own.indexOf(Math.max(...own)));
    expect(idsOf(DIFFERENCE)).toEqual([unlikely]);
  }
});

test("a target elsewhere keeps the place that was opened, and none opens the last token", () => {
  const config = configOf(`${TEXT}&window=12`);
  const { snapshots } = computed(config);
  const lab = labOf(config);
  const opened = lab.arrange(config, { ...room(config), cell: { node: "asked_0.certainty", index: [2] } });
  const elsewhere = { node: "h.0.attn.weights", index: [0, 0, 0, 0] };
  expect(lab.arrange(config, { ...room(config), arrangement: opened, cell: elsewhere })).toBe(opened);
  expect(textsIn(sceneOf(config, snapshots, elsewhere))).toContain("Candidates for token 8");
  const past = { node: "asked_0.certainty", index: [99] };
  expect(textsIn(sceneOf(config, snapshots, past))).toContain("Candidates for token 8");
});

test("at a temperature the probabilities that a token is drawn with stand beside the model's", () => {
  const config = configOf(`${TEXT}&window=12&temperature=0.5`);
  const { snapshots } = computed(config);
  const [own, drawn] = ["probabilities", "drawn"].map((part) => snapshots.get(`asked_0.${part}`)!.data);
  const { shape } = snapshots.get("asked_0.drawn")!;
  const squares = own!.slice(0, shape[1]).map((p) => p * p);
  const sum = squares.reduce((a, b) => a + b);
  for (const [id, p] of squares.entries()) expect(drawn![id]).toBeCloseTo(p / sum, 12);
  const texts = textsIn(sceneOf(config, snapshots, { node: "asked_0.certainty", index: [1] }));
  expect(texts).toEqual(expect.arrayContaining(["T = 1", "T = 0.5", "Key-value cache"]));
  expect(computed(configOf(`${TEXT}&temperature=1`)).snapshots.has("asked_0.drawn")).toBe(false);
});

test("every tensor of the cache has a name, and no selector, whose tensors are those of the loss", () => {
  const config = configOf(`${TEXT}&window=8`);
  const { snapshots } = computed(config);
  expect(selectorsOf(snapshots).filter((text) => text.startsWith("cached."))).toEqual([]);
  const say = (node: string): string => labOf(config).nodeWords(config, node, words, snapshots).name;
  expect(say(DIFFERENCE)).toBe("logit with the cache − without");
  expect(say("cached.step_1.h.1.attn.scores")).toBe("scores, layer 1");
});

test.each([1152, 1180, 1232, 1312])(
  "on a wide stage of %i pixels the numbers of the candidates end before the note",
  (width) => {
    for (const fields of [
      "task=translation&steps=1&step=1&temperature=0.123456",
      `${TEXT}&temperature=0.5`,
      "task=parentheses&model=decoder&steps=1&step=1",
      "task=modular-addition&model=encoder-decoder&steps=1&step=1&temperature=2",
    ]) {
      const config = configOf(fields);
      const { snapshots } = computed(config);
      const cell = { node: "asked_0.certainty", index: [0] };
      const scene = sceneOf(config, snapshots, cell, { width, layout: "wide" });
      const boards = boardsOf(scene, snapshots).filter(({ node }) =>
        /probabilities$|drawn$|^cached/.test(node),
      );
      expect(boards.length, fields).toBeGreaterThan(4);
      for (const { x, columns, cellWidth } of boards)
        expect(x + columns * cellWidth, fields).toBeLessThan(scene.note!.x);
      const heads = scene.labels.filter(({ text }) => /^T = /.test(text));
      expect(heads, fields).toHaveLength(fields.includes("temperature") ? 2 : 0);
      const [own, drawn] = heads;
      if (own && drawn)
        expect(own.x + textWidth(own.text) / 2).toBeLessThan(drawn.x - textWidth(drawn.text) / 2);
    }
  },
);

test("a token that was drawn although others were likelier is one of the candidates", () => {
  const config = configOf(`${TEXT}&window=12&temperature=5`);
  const { snapshots } = computed(config);
  const { data: answer } = snapshots.get("asked_0.answer")!;
  const { shape, data } = snapshots.get("asked_0.probabilities")!;
  const likelierThan = (at: number): number => {
    const own = data.slice(at * shape[1]!, (at + 1) * shape[1]!);
    return own.filter((p) => p > own[answer[at]!]!).length;
  };
  expect([...answer.keys()].some((at) => likelierThan(at) >= 5)).toBe(true);
  for (const at of answer.keys()) {
    const scene = sceneOf(config, snapshots, { node: "asked_0.certainty", index: [at] });
    const chosen = scene.tensors
      .filter(({ node }) => node === "asked_0.drawn")
      .filter(({ window: shown }) => shown?.first === answer[at]);
    expect(chosen).toHaveLength(1);
  }
});

test.each([
  ["task=translation&model=decoder&steps=1&step=1", "narrow", 358],
  ["task=text&steps=1&step=1", "narrow", 358],
  ["task=text&window=64&batch=8&steps=1&step=1", "narrow", 358],
  ["task=copy&length=16&samples=3141592653589793&steps=1&step=1", "narrow", 358],
  ["task=copy&length=16&samples=3141592653589793&steps=1&step=1", "narrow", 288],
  ["task=text&window=64&batch=8&steps=1&step=1", "wide", 1232],
] as const)("every token of a long answer is named: %s, %s", (fields, layout, width) => {
  const config = configOf(fields);
  const { snapshots } = computed(config);
  const scene = sceneOf(config, snapshots, { node: "asked_0.certainty", index: [0] }, { width, layout });
  const lines = scene.tensors.filter(({ node }) => node === "asked_0.certainty");
  const tokens = tokensOf(snapshots, "asked_0.answer");
  expect(lines.flatMap((line) => line.cellNames ?? line.columnNames!)).toEqual(tokens);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  const next = scene.labels.find(({ text }) => text.startsWith("Candidates"));
  // No line ends after a few tokens.
  expect(lines.length).toBeLessThanOrEqual(Math.ceil((12 * tokens.length) / (width / 3)));
  let shown = 0;
  for (const { x, cellWidth, window: at } of lines) {
    expect(at!.first).toBe(shown);
    shown += at!.count;
    expect(cellWidth).toBeGreaterThanOrEqual(12);
    // The answer ends before the candidates beside it.
    expect(x + at!.count * cellWidth).toBeLessThan(layout === "wide" ? next!.x : width);
  }
  for (const { points } of scene.curves.filter(({ id }) => id.startsWith("wrong-")))
    expect(points[1]![0] - points[0]![0]).toBeGreaterThanOrEqual(4);
});

test.each(["next,-1", "next,0,-5", "next,0,1e99", "next,7,7", "next,0,1,9999", "next,0,1,-4", "order,3"])(
  "the arrangement %s of a link opens a place that there is",
  (arrangement) => {
    const config = configOf(`${TEXT}&window=12`);
    const { snapshots } = computed(config);
    const scene = labOf(config).scene(config, snapshots, { ...room(config), arrangement });
    expect(textsIn(scene).filter((text) => /^Candidates for token [1-9]$/.test(text))).toHaveLength(1);
  },
);

test("a deep model with long answers is shown without the cache, whose nodes all go to the page", () => {
  const config = configOf(`${TEXT}&layers=12&batch=8`);
  const { snapshots } = computed(config);
  expect([...snapshots.keys()].filter((name) => name.startsWith("cached."))).toEqual([]);
  const texts = textsIn(sceneOf(config, snapshots, { node: "asked_0.certainty", index: [0] }));
  expect(texts).toContain("Candidates for token 1");
  expect(texts).not.toContain("Key-value cache");
});

test.each([
  ["two", 772],
  ["narrow", 644],
  ["narrow", 358],
] as const)("the candidates and the cache stand on a %s stage of %i pixels", (layout, width) => {
  const config = configOf(`${TEXT}&window=12&temperature=0.5`);
  const { snapshots } = computed(config);
  const scene = sceneOf(config, snapshots, { node: "asked_0.certainty", index: [4] }, { width, layout });
  expect(textsIn(scene)).toEqual(expect.arrayContaining(["Candidates for token 5", "Key-value cache"]));
  const boards = boardsOf(scene, snapshots).filter(({ node }) => /drawn$|^cached/.test(node));
  expect(boards).toHaveLength(6);
  for (const { x, columns, cellWidth } of boards) expect(x + columns * cellWidth).toBeLessThanOrEqual(width);
});
