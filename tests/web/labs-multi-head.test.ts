// The switches of the multi-head lab, compared with numbers of NumPy: W_O, biases, other words, typed numbers, dropout, padding.
// multi-head-switches.json was computed by plain formulas in float64: x W + b by heads, softmax, where(u > p) / (1 - p) with u from
// RandomState(seed).uniform, concatenated, times W_O. The draws are those of RandomState(seed) in the order x, W_Q, W_K, W_V, W_O,
// b_Q, b_K, b_V, b_O, divided by the root of dim; a word's vector is RandomState(crc32(word) ^ seed).randn(dim).
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decode, encode } from "../../web/config/codec.js";
import type { ConfigOf, NumbersOf } from "../../web/config/config.js";
import type { Snapshot, TargetRoom } from "../../web/marks/scene.js";
import { hasProjection } from "../../web/config/labs/multi-head.js";
import { wordsIn } from "../../web/i18n/words.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { withOwnLeafMatrix } from "../../web/page/take/own-matrix.js";
import type { OwnLeaf } from "../../web/labs/multi-head/own.js";
import { expectExactMemory } from "./exact-memory.js";
import { computed, configOf, labOf } from "./labs-sessions.js";

const words = wordsIn("en");

interface Case {
  name: string;
  link: string;
  expected: Record<string, { shape: number[]; data: number[] }>;
}
const cases = JSON.parse(
  readFileSync(new URL("multi-head-switches.json", import.meta.url), "utf8"),
) as Case[];

const openLink = (link: string): ConfigOf<"multi-head"> => {
  const { config, notices } = decode(link);
  expect(notices).toEqual([]);
  return config as ConfigOf<"multi-head">;
};

describe("each switch gives NumPy's numbers", () => {
  test.each(cases)("$name", ({ link, expected }) => {
    const config = openLink(link);
    const { snapshots } = computed(config);
    for (const [node, { shape, data }] of Object.entries(expected)) {
      const got: Snapshot = snapshots.get(node)!;
      expect(got.shape).toEqual(shape);
      data.forEach((value, at) => expect(Math.abs(got.data[at]! - value)).toBeLessThanOrEqual(1e-12));
    }
    expect(decode(encode(config)).config.numbers).toEqual(config.numbers);
    // Every node has a name, and its cells a meaning.
    for (const [node, { shape }] of snapshots) {
      const named = labOf(config).nodeWords(config, node, words, snapshots);
      expect(named.name).not.toMatch(/[_.]|^u$/);
      expect(named.meaning?.(shape.map(() => 0)) ?? "none").not.toBe("");
    }
  });
});

const numbersOf = (change: Partial<NumbersOf["multi-head"]>): NumbersOf["multi-head"] => ({
  ...configOf<"multi-head">("two-heads").numbers,
  ...change,
});

describe("settings", () => {
  const { change, sentence } = labOf(configOf<"multi-head">("two-heads"));
  const set = (numbers: NumbersOf["multi-head"], id: string, value: string) => {
    const answer = change(numbers, id, value, words);
    if ("refused" in answer) throw new Error(answer.refused);
    return answer;
  };

  test("can be set back to their former values", () => {
    const plain = numbersOf({});
    const bare = set(plain, "projections", "biased_bare");
    expect(bare).toEqual({ ...plain, output: false, biases: true });
    expect(set(bare, "projections", "plain")).toEqual(plain);
    expect(set(set(plain, "dropout", "0.5"), "dropout", "0")).toEqual(plain);
    expect(set(set(plain, "memory", "a b"), "memory", "")).toEqual(plain);
    // Biases and W_O are first options of the draws, and dropout is one of the masks.
    expect(set(plain, "draw", "biased")).toEqual({ ...plain, biases: true });
    expect(set(plain, "draw", "bare")).toEqual({ ...plain, output: false });
    expect(set(plain, "mask", "dropout")).toEqual({ ...plain, dropout: 0.1 });
    expect(set(set(plain, "mask", "dropout"), "mask", "causal")).toMatchObject({
      dropout: 0.1,
      mask: "causal",
    });
    const padded = set(plain, "mask", "padding");
    expect(padded).toEqual({ ...plain, lengths: [5] });
    expect(set(padded, "lengths", "3")).toEqual({ ...plain, lengths: [3] });
    expect(set(padded, "mask", "none")).toEqual(plain);
    expect(change(padded, "lengths", "7", words)).toEqual({
      refused: "Real words of each sample: expected 1 whole numbers from 1 to 6, one for each sample, got 7.",
    });
    const typed = { ...plain, wq: [[1]] };
    expect(set(typed, "seed", "7")).toEqual({ ...plain, seed: 7 });
  });

  test("a rarely used setting is in the sentence only after it is set", () => {
    const slots = (numbers: NumbersOf["multi-head"]) =>
      sentence({ ...configOf<"multi-head">("two-heads"), numbers }, words).controls.map(({ id }) => id);
    const usual = slots(numbersOf({}));
    expect(usual).not.toContain("dropout");
    expect(usual).not.toContain("projections");
    const after = usual.flatMap((id) => (id === "draw" ? [id, "projections"] : [id]));
    expect(slots(numbersOf({ biases: true }))).toEqual(after);
    expect(slots(numbersOf({ dropout: 0.5, lengths: [3] }))).toEqual([...usual, "dropout", "lengths"]);
  });

  test.each([
    ["lab=multi-head&tokens=a,b&dim=2&heads=1&dk=2&dv=2&wq=1,2", "wq", "(2, 2)", "(1, 2)"],
    ["lab=multi-head&tokens=a,b&dim=2&heads=1&dk=2&dv=2&x=1,2", "x", "(2, 2)", "(1, 2)"],
    ["lab=multi-head&tokens=a,b&dim=2&heads=1&dk=2&dv=3&wo=1,2", "wo", "(3, 2)", "(1, 2)"],
  ])("a typed matrix of another shape is refused with both: %s", (link, field, expected, actual) => {
    const [notice] = decode(link).notices;
    expect(notice).toMatchObject({ field, expected: { kind: "shape", shape: expected }, actual });
  });

  test.each([
    ["lab=multi-head&length=3&batch=2&dim=2&heads=1&lengths=3", { kind: "wholes", min: 1, max: 3, count: 2 }],
    ["lab=multi-head&length=3&batch=1&dim=2&heads=1&lengths=4", { kind: "wholes", min: 1, max: 3, count: 1 }],
    ["lab=multi-head&length=3&batch=1&dim=2&heads=1&memory=a", { kind: "just", value: "none" }],
  ])("what does not fit the samples is refused: %s", (link, expected) => {
    expect(decode(link).notices[0]).toMatchObject({ expected });
  });
});

test("the memory of every switch is known before anything is drawn", () => {
  for (const output of [true, false])
    for (const biases of [true, false])
      for (const more of [
        {},
        { dropout: 0.5 },
        { lengths: [2] },
        { lengths: [2], mask: "causal" as const },
        { memory: ["a", "b"] },
      ]) {
        expectExactMemory(numbersOf({ output, biases, ...more }));
      }
});

const rooms = [
  { width: 1232, height: 440, layout: "wide" },
  { width: 772, height: 700, layout: "two" },
  { width: 358, height: 560, layout: "narrow" },
] as const;

test("scenes of every switch, in every room and at every stop, in both languages", () => {
  for (const { link } of cases) {
    const config = openLink(link);
    const { snapshots } = computed(config);
    const lab = labOf(config);
    for (const language of ["en", "zh-CN"] as const)
      for (const room of rooms)
        for (const [node, { shape }] of snapshots) {
          const index = shape.map((size) => size - 1);
          const text = wordsIn(language);
          const within = { ...room, step: 3, arrangement: null, words: text, cell: { node, index } };
          const arrangement = lab.arrange(config, within);
          expect(sceneFor(config, snapshots, { ...within, arrangement }).tensors.length).toBeGreaterThan(0);
          expect(lab.steps(config, text, snapshots).length).toBe(hasProjection(config.numbers) ? 6 : 5);
        }
  }
});

describe("the picture of a few heads", () => {
  const config = configOf<"multi-head">("one-word-two-looks");
  const { snapshots } = computed(config);
  const tall = { ...rooms[0], height: 560 };
  const sceneAt = (
    numbers: Partial<NumbersOf["multi-head"]>,
    room: Pick<TargetRoom, "width" | "height" | "layout">,
  ) => {
    const changed = { ...config, example: null, numbers: { ...config.numbers, ...numbers } };
    const taken = computed(changed).snapshots;
    const cell = { node: "weights", index: [0, 0, Math.min(2, taken.get("weights")!.shape[2]! - 1), 0] };
    return sceneFor(changed, taken, { ...room, step: 2, arrangement: null, words, cell });
  };

  test("an arc is as wide as its weight, and weights under 0.005 have none", () => {
    const { curves } = sceneAt({}, tall);
    const weights = snapshots.get("weights")!.data;
    for (let head = 0; head < 2; head += 1)
      for (let key = 0; key < 6; key += 1) {
        const weight = weights[head * 36 + 12 + key]!;
        const arc = curves.find(({ id }) => id === `arc-${head}-${key}`);
        expect(arc !== undefined).toBe(weight >= 0.005);
        if (weight > 0.1) expect(arc!.width! / weight).toBeCloseTo(curves.find(({ id }) => id === "arc-1-5")!.width! / weights[36 + 17]!, 9); // prettier-ignore
      }
  });

  test("no arc is drawn to other words, and the sentence is then that of the keys", () => {
    const { curves, labels } = sceneAt({ memory: ["a", "dog"] }, tall);
    expect(curves.filter(({ id }) => id.startsWith("arc"))).toEqual([]);
    expect(labels.filter(({ kind }) => kind === "word").map(({ text }) => text)).toEqual([
      "a",
      "dog",
      "a",
      "dog",
    ]);
  });

  test("the sentence stands over both maps at 1280 by 800", () => {
    const { labels } = sceneAt({}, { ...rooms[0], height: 536 });
    const sentence = ["the", "cat", "sat", "on", "the", "mat"];
    const written = labels.filter(({ kind }) => kind === "word").map(({ text }) => text);
    expect(written).toEqual([...sentence, ...sentence]);
  });

  test("pointing at an arc where it is highest points at its weight", () => {
    const { curves } = sceneAt({}, tall);
    const { cells, points, path } = curves.find(({ id }) => id === "arc-1-5")!;
    expect(cells).toEqual([{ node: "weights", index: [0, 1, 2, 5] }]);
    const [, from, foot, high, to] = /^M(\S+) (\S+)A\S+ (\S+) 0 0 1 (\S+) /.exec(path!)!.map(Number);
    expect(points).toHaveLength(1);
    expect(points[0]![0]).toBeCloseTo((from! + to!) / 2, 0);
    expect(points[0]![1]).toBeCloseTo(foot! - high!, 0);
  });

  test.each([
    { heads: 2, keyDim: 4, valueDim: 4 },
    { heads: 8, keyDim: 2, valueDim: 2 },
  ])("an area leads from each output to its part of the joined row, and comes with it: %j", (numbers) => {
    const { curves, tensors } = sceneAt({ ...numbers, dim: 16 }, tall);
    const placed = (id: string) => tensors.find((one) => one.id === id)!;
    const joined = placed("concat");
    for (let head = 0; head < numbers.heads; head += 1) {
      const output = placed(`heads-${head}`);
      const { points, step } = curves.find(({ id }) => id === `joined-${head}`)!;
      const [high, , , low] = points.map(([x]) => x);
      expect(high).toBeCloseTo(output.x, 6);
      expect(low).toBeCloseTo(joined.x + head * numbers.valueDim * joined.cellWidth, 6);
      expect(step).toBe(joined.step);
      expect(output.step).toBeLessThan(step);
    }
  });

  test("no area leads from several lines of heads to the joined row", () => {
    const { curves, tensors } = sceneAt({ heads: 8, keyDim: 2, valueDim: 2 }, rooms[1]);
    expect(tensors.filter(({ id }) => id.startsWith("map-")).length).toBe(8);
    expect(curves.filter(({ id }) => id.startsWith("joined"))).toEqual([]);
  });

  test("few and many heads have symbols with their numbers, and the words over their maps", () => {
    for (const [heads, width] of [
      [2, 4],
      [8, 2],
    ] as const) {
      const { labels, tensors } = sceneAt({ heads, keyDim: width, valueDim: width }, rooms[1]);
      const symbols = labels.filter(({ kind }) => kind === "symbol").map(({ text }) => text);
      for (let head = 0; head < heads; head += 1)
        expect(symbols).toEqual(expect.arrayContaining([`Q_${head}`, `A_${head}`, `head_${head}`]));
      const isNamed = tensors.find(({ id }) => id === "map-0")!.columnNames !== undefined;
      expect([heads, isNamed || labels.some(({ kind }) => kind === "word")]).toEqual([heads, true]);
    }
  });

  test("the boundary is dragged to the divisors of the width that stand side by side", () => {
    const [rail] = sceneAt({}, rooms[0]).rails!;
    expect(rail).toMatchObject({ changes: { control: "heads" }, value: 2, ends: [1, 4] });
    expect(rail!.marks.map(({ text }) => text)).toEqual(["1 head", "2 heads", "4 heads"]);
    const phone = { ...rooms[2] };
    const cell = { node: "Q_heads", index: [0, 0, 2, 3] };
    const room = { ...phone, step: 0, arrangement: null, words, cell };
    expect(sceneFor(config, snapshots, room).rails!.map(({ ends }) => ends)).toEqual([[1, 2]]);
    // Heads with widths of their own do not share the columns.
    expect(sceneAt({ valueDim: 3 }, rooms[0]).rails).toBeUndefined();
  });

  test("two heads with a large W_Q have slices of a query, as many heads have", () => {
    const ids = (dim: number) =>
      sceneAt({ dim, keyDim: dim / 2, valueDim: dim / 2 }, rooms[0]).tensors.map(({ id }) => id);
    expect(ids(32)).toEqual(expect.arrayContaining(["W_Q", "Q_heads-0"]));
    expect(ids(64)).not.toContain("W_Q");
    expect(ids(64)).toContain("Q_heads-0");
  });

  test.each([
    { tokens: Array.from({ length: 64 }, (_, at) => `w${at}`), heads: 4, keyDim: 2, valueDim: 2 },
    { dim: 512, keyDim: 128, valueDim: 128, heads: 4 },
    { tokens: ["a"], dim: 1, heads: 1, keyDim: 1, valueDim: 1 },
    { dim: 3, heads: 3, keyDim: 1, valueDim: 1 },
  ])("other sizes are drawn in every room: %j", (numbers) => {
    for (const room of rooms) {
      const { tensors, height, width } = sceneAt(numbers, room);
      expect(tensors.some(({ id }) => id === "map-0")).toBe(true);
      for (const { x, y, cellWidth, cellHeight } of tensors) {
        expect([x, y].every(Number.isFinite) && cellWidth > 0 && cellHeight > 0).toBe(true);
        expect(x).toBeLessThan(width);
        expect(y).toBeLessThan(height);
      }
    }
  });

  test("its stops are cells of the word that the two heads see most differently", () => {
    const cells = labOf(config)
      .steps(config, words, snapshots)
      .map(({ cell }) => [cell.node, ...cell.index].join());
    expect(cells).toEqual([
      "Q_heads,0,0,2,3",
      "scores,0,0,2,1",
      "weights,0,0,2,1",
      "heads,0,1,2,0",
      "concat,0,2,4",
      "output,0,2,2",
    ]);
  });
});

// PyTorch: {n: p.numel() for n, p in nn.MultiheadAttention(8, 2).named_parameters()} is in_proj_weight 192 (64 for each of W_Q, W_K
// and W_V), in_proj_bias 24 (8 for each), out_proj.weight 64, out_proj.bias 8.
test.each([
  ["ex=two-heads", "Parameters: W_Q 64, W_K 64, W_V 64, W_O 64."],
  ["ex=two-heads&output=0", "Parameters: W_Q 64, W_K 64, W_V 64."],
  ["ex=two-heads&biases=1", "Parameters: W_Q 64, W_K 64, W_V 64, W_O 64, b_Q 8, b_K 8, b_V 8, b_O 8."],
])("the projections have as many parameters as PyTorch counts: %s", (link, text) => {
  const config = openLink(link);
  const { snapshots } = computed(config);
  const room = { ...rooms[0], step: 0, arrangement: null, words, cell: { node: "W_Q", index: [0, 0] } };
  const arrangement = labOf(config).arrange(config, room);
  const { labels } = sceneFor(config, snapshots, { ...room, arrangement });
  expect(labels.map((label) => label.text)).toContain(text);
});

describe("the reader's own matrix of another size", () => {
  const config = configOf<"multi-head">("two-heads");
  const { snapshots } = computed(config);
  const data = (rows: number, columns: number): number[] =>
    Array.from({ length: rows * columns }, (_, at) => Math.sin(at));
  const own = (leaf: OwnLeaf, rows: number, columns: number, numbers = config.numbers) =>
    withOwnLeafMatrix(
      { shape: [rows, columns], data: Float64Array.from(data(rows, columns)) },
      leaf,
      leaf,
      numbers,
      computed({ ...config, numbers }).snapshots,
    );
  const taken = (answer: ReturnType<typeof own>) => {
    if (!("numbers" in answer)) throw new Error(answer.key);
    return answer;
  };
  const after = (numbers: NumbersOf["multi-head"]) =>
    computed({ ...config, example: null, numbers }).snapshots;

  test("sets the widths of a head; matrices that keep their size keep their numbers, and the others are named", () => {
    const { numbers, lost } = taken(own("W_Q", 8, 12));
    expect(numbers).toMatchObject({ dim: 8, keyDim: 6, valueDim: 4 });
    expect(lost).toEqual(["W_K"]);
    const now = after(numbers);
    expect([...now.get("W_Q")!.data]).toEqual(data(8, 12));
    for (const node of ["x", "W_V", "W_O", "V"])
      expect(now.get(node)!.data).toEqual(snapshots.get(node)!.data);
    expect(decode(encode({ ...config, example: null, numbers })).config.numbers).toEqual(numbers);
  });

  test("sets the number of words and their width", () => {
    const { numbers, lost } = taken(own("x", 3, 8));
    expect(numbers).toMatchObject({ tokens: ["the", "cat", "sat"], dim: 8, x: [{}, {}, {}] });
    // The weights get the new sizes, and are still drawn from the seed.
    expect([numbers.wq, lost]).toEqual([undefined, []]);
    expect(after(numbers).get("W_O")!.data).toEqual(snapshots.get("W_O")!.data);
    const wider = taken(own("x", 2, 10));
    expect(wider.lost).toEqual(["W_Q", "W_K", "W_V", "W_O"]);
    expect([...after(wider.numbers).get("x")!.data]).toEqual(data(2, 10));
  });

  test("replaces drawn words, and the weights keep their numbers", () => {
    const drawn = { ...config.numbers, source: "draw" as const, tokens: [], length: 4, batch: 2 };
    const { numbers, lost } = taken(own("x", 3, 8, drawn));
    expect([numbers.source, numbers.tokens.length, lost]).toEqual(["words", 3, []]);
    expect(after(numbers).get("W_V")!.data).toEqual(after(drawn).get("W_V")!.data);
  });

  test("is refused with the allowed sizes", () => {
    expect(own("W_Q", 8, 7)).toEqual({ key: "own.columns", slots: { name: "W_Q", heads: 2, actual: "8×7" } });
    expect(own("W_O", 7, 8)).toMatchObject({ key: "own.rows" });
    expect(own("x", 65, 8)).toMatchObject({ key: "own.matrix", slots: { rows: 64, columns: 512 } });
    expect(own("W_V", 8, 258)).toMatchObject({ key: "own.matrix", slots: { rows: 512, columns: 256 } });
  });
});
