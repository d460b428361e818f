// Compares the numbers of the BERT lab with BERT in plain arithmetic on the lab's own leaves, and checks its training and its settings.
import { sceneFor } from "../../web/page/open-lab.js";
import { describe, expect, test } from "vitest";
import { repairNumbers } from "../../web/config/rules.js";
import {
  bertVocabulary,
  parameterShapes,
  segmentAt,
  sequenceOf,
  wordPlaces,
  type BertNumbers,
} from "../../web/config/labs/bert.js";
import { wordsIn } from "../../web/i18n/words.js";
import { px } from "../../web/marks/line-path.js";
import { isRefused } from "../../web/telling/typed-values.js";
import type { ConfigOf } from "../../web/config/config.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { computed, configOf, givenBert, labOf, wholeCore } from "./labs-sessions.js";

type Rows = number[][];

const rowsOf = (snapshots: Snapshots, node: string): Rows => {
  const { shape, data } = snapshots.get(node)!;
  const width = shape.at(-1)!;
  return Array.from({ length: data.length / width }, (_, row) => [
    ...data.slice(row * width, (row + 1) * width),
  ]);
};
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const add = (a: Rows, b: Rows): Rows => a.map((row, i) => row.map((value, j) => value + b[i]![j]!));
const softmax = (row: readonly number[]): number[] => {
  const all = sum(row.map(Math.exp));
  return row.map((value) => Math.exp(value) / all);
};

/** The error function to 1e-15, from its power series. */
function erf(x: number): number {
  let term = x;
  let total = x;
  for (let n = 1; n < 200; n += 1) {
    term *= (-x * x) / n;
    total += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * total;
}
const gelu = (rows: Rows): Rows =>
  rows.map((row) => row.map((value) => (value * (1 + erf(value / Math.SQRT2))) / 2));

/** One layer of BERT and its head: post-norm, GELU, epsilon 1e-12, logits from the table of word embeddings. */
function reference(
  snapshots: Snapshots,
  numbers: BertNumbers,
  read: readonly number[],
): Record<string, Rows> {
  const { dim, heads } = numbers;
  const leaf = (node: string): Rows => rowsOf(snapshots, node);
  const linear = (x: Rows, module: string): Rows =>
    x.map((row) =>
      leaf(`${module}.weight`).map(
        (out, at) => sum(out.map((w, i) => w * row[i]!)) + leaf(`${module}.bias`)[0]![at]!,
      ),
    );
  const norm = (x: Rows, module: string): Rows =>
    x.map((row) => {
      const mean = sum(row) / dim;
      const deviation = Math.sqrt(sum(row.map((value) => (value - mean) ** 2)) / dim + 1e-12);
      return row.map(
        (value, at) =>
          ((value - mean) / deviation) * leaf(`${module}.weight`)[0]![at]! + leaf(`${module}.bias`)[0]![at]!,
      );
    });
  const table = leaf("embeddings.word_embeddings.weight");
  const positions = leaf("embeddings.position_embeddings.weight");
  const segments = leaf("embeddings.token_type_embeddings.weight");
  const x = norm(
    read.map((id, place) =>
      table[id]!.map(
        (value, at) => value + positions[place]![at]! + segments[segmentAt(numbers, place)]![at]!,
      ),
    ),
    "embeddings.norm",
  );
  const weight = leaf("layers.0.self_attn.in_proj_weight");
  const bias = leaf("layers.0.self_attn.in_proj_bias")[0]!;
  const [q, k, v] = [0, 1, 2].map((part) =>
    x.map((row) =>
      Array.from({ length: dim }, (_, at) => {
        const out = part * dim + at;
        return sum(weight[out]!.map((w, i) => w * row[i]!)) + bias[out]!;
      }),
    ),
  ) as [Rows, Rows, Rows];
  const width = dim / heads;
  const joined = q.map((query) =>
    query.map((_, column) => {
      const from = column - (column % width);
      const part = (row: readonly number[]) => row.slice(from, from + width);
      const scores = k.map(
        (key) => sum(part(key).map((value, at) => value * part(query)[at]!)) / Math.sqrt(width),
      );
      return sum(softmax(scores).map((share, j) => share * v[j]![column]!));
    }),
  );
  const attended = norm(add(x, linear(joined, "layers.0.self_attn.out_proj")), "layers.0.norm1");
  const widened = gelu(linear(attended, "layers.0.linear1"));
  const out = norm(add(attended, linear(widened, "layers.0.linear2")), "layers.0.norm2");
  const head = norm(gelu(linear(out, "head.dense")), "head.norm");
  const logits = head.map((row) =>
    table.map((word, id) => sum(word.map((value, at) => value * row[at]!)) + leaf("head.bias")[0]![id]!),
  );
  return { "embeddings.norm": x, "layers.0.norm2": out, "head.norm": head, logits };
}

const expectClose = (got: ArrayLike<number>, wanted: readonly number[]): void => {
  expect(got.length).toBe(wanted.length);
  wanted.forEach((value, at) => expect(Math.abs(got[at]! - value)).toBeLessThan(1e-10));
};

describe("BERT's predictions", () => {
  for (const [name, numbers] of [
    ["without training", { trained: 0 }],
    ["after 20 steps, two words hidden", { hidden: [2, 9] }],
    ["with one sentence", { second: [], hidden: [3], dim: 6, heads: 3, trained: 5 }],
  ] as const)
    test(`${name}: every row and probability equals plain arithmetic`, () => {
      const config = configOf<"bert">("masked-mat", numbers as Partial<BertNumbers>);
      const { snapshots } = computed(config);
      const vocabulary = bertVocabulary(config.numbers);
      const originalIds = sequenceOf(config.numbers).map((word) => vocabulary.indexOf(word));
      const read = originalIds.map((id, place) => (config.numbers.hidden.includes(place) ? 2 : id));
      expect([...snapshots.get("ids")!.data]).toEqual(read);
      const wanted = reference(snapshots, config.numbers, read);
      for (const [node, rows] of Object.entries(wanted)) expectClose(snapshots.get(node)!.data, rows.flat());
      const hiddenProbabilities = config.numbers.hidden.map((place) => softmax(wanted["logits"]![place]!));
      expectClose(snapshots.get("probabilities")!.data, hiddenProbabilities.flat());
      const losses = hiddenProbabilities.map(
        (row, at) => -Math.log(row[originalIds[config.numbers.hidden[at]!]!]!),
      );
      expectClose(snapshots.get("loss")!.data, [sum(losses) / losses.length]);
    });

  test("the most probable word is wrong before training and right after 20 steps, and each step lowers the loss", () => {
    const likeliest = (trained: number): number => {
      const { data } = computed(configOf<"bert">("masked-mat", { trained })).snapshots.get("probabilities")!;
      return [...data].indexOf(Math.max(...data));
    };
    const mat = bertVocabulary(configOf<"bert">("masked-mat").numbers).indexOf("mat");
    expect(likeliest(0)).not.toBe(mat);
    expect(likeliest(20)).toBe(mat);
    const losses = [...computed(configOf<"bert">("masked-mat")).snapshots.get("losses")!.data];
    expect(losses).toHaveLength(21);
    losses.slice(1).forEach((loss, at) => expect(loss).toBeLessThan(losses[at]!));
  });

  test("training again gives the same numbers, also after another training", () => {
    const once = computed(configOf<"bert">("masked-mat")).snapshots.get("logits")!.data;
    computed(configOf<"bert">("masked-mat", { seed: 5 }));
    expect(computed(configOf<"bert">("masked-mat")).snapshots.get("logits")!.data).toEqual(once);
  });
});

describe("words hidden by BERT's rule", () => {
  test("are the words that the core hides, in the same places, and never [CLS] or [SEP]", () => {
    const config = configOf<"bert">("masked-drawn");
    const { snapshots } = computed(config);
    const vocabulary = bertVocabulary(config.numbers);
    const originalIds = sequenceOf(config.numbers).map((word) => vocabulary.indexOf(word));
    const places = wordPlaces(config.numbers);
    const { ids, targets } = wholeCore.maskTokens(
      places.map((place) => originalIds[place]!),
      { vocabulary: vocabulary.length, maskId: 2, seed: config.numbers.seed },
    );
    const chosen = places.filter((_, at) => targets.data[at] !== -100);
    expect([...snapshots.get("hidden_places")!.data]).toEqual(chosen);
    expect([...snapshots.get("targets")!.data]).toEqual(chosen.map((place) => originalIds[place]));
    const read = [...snapshots.get("ids")!.data];
    places.forEach((place, at) => expect(read[place]).toBe(ids.data[at]));
    // One word was replaced, two were masked.
    expect(chosen.map((place) => read[place] === 2)).toEqual([false, true, true]);
  });

  test("are drawn again until at least one is hidden", () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const config = configOf<"bert">("masked-drawn", {
        tokens: ["a"],
        second: [],
        hidden: [1],
        seed,
        trained: 0,
      });
      expect([...computed(config).snapshots.get("hidden_places")!.data]).toEqual([1]);
    }
  });
});

test.each(["masked-mat", "both-sides", "masked-drawn"])(
  "%s opens at the likeliest word of the first gap",
  (id) => {
    const config = configOf<"bert">(id);
    const { snapshots } = computed(config);
    const [first] = snapshots.get("hidden_places")!.data;
    const cell = labOf(config).opening(config, snapshots);
    const { data } = snapshots.get("probabilities")!;
    const vocabulary = bertVocabulary(config.numbers);
    const largest = [...data.slice(0, vocabulary.length).keys()].reduce((best, at) =>
      data[at]! > data[best]! ? at : best,
    );
    expect(cell).toEqual({ node: "probabilities", index: [0, largest] });
    for (const [width, layout] of [
      [1232, "wide"],
      [358, "narrow"],
    ] as const) {
      const room = { width, height: 600, layout, step: 6, cell, words: wordsIn("en") };
      const { curves } = sceneFor(config, snapshots, room);
      expect(
        curves.filter(({ id, strong }) => id.startsWith("bert-gap-") && strong).map(({ id }) => id),
      ).toEqual([`bert-gap-${first}`]);
      // The arcs start at the gap: other words have one, and the gap itself has none.
      const arcs = curves.flatMap(({ id }) => (id.startsWith("bert-arc-") ? [id] : []));
      expect(arcs.length).toBeGreaterThan(5);
      expect(arcs).not.toContain(`bert-arc-${first}`);
    }
  },
);

describe("hidden words as they are typed", () => {
  const words = wordsIn("en");
  const config = configOf<"bert">("masked-mat");
  const hidden = (typed: string) => {
    const answer = labOf(config).change(config.numbers, "hidden", typed, words);
    return isRefused(answer) ? answer.refused : answer.hidden;
  };
  test("are words, which hide every occurrence, or place numbers", () => {
    expect(hidden("cat")).toEqual([2]);
    expect(hidden("the warm")).toEqual([1, 5, 10]);
    expect(hidden("3, 2")).toEqual([2, 3]);
    expect(hidden("dog")).toBe("Hidden words: expected words of the sentences or their places, got dog.");
    expect(hidden("0")).toContain("expected");
    expect(hidden("")).toContain("expected");
  });
  test("follow the sentences when these change", () => {
    const answer = labOf(config).change(config.numbers, "tokens", "a b", words);
    expect(isRefused(answer) || answer.hidden).toEqual([6]);
    const short = labOf(config).change({ ...config.numbers, second: [] }, "tokens", "a b", words);
    expect(isRefused(short) || short.hidden).toEqual([1]);
  });
});

test("a hidden word is shown by its name even if it occurs twice; each loss says which words it covers", () => {
  const config = configOf<"bert">("masked-mat", {
    tokens: ["the", "cat", "saw", "the", "dog"],
    hidden: [1, 4],
  });
  const { controls } = labOf(config).sentence(config, wordsIn("en"));
  const hidden = controls.find(({ id }) => id === "hidden")!;
  expect([hidden.label, hidden.value]).toEqual(["the the (2)", "1 4"]);
  const { snapshots } = computed(config);
  const room = { width: 1232, height: 542, layout: "wide", step: 1, cell: null } as const;
  const words = wordsIn("en");
  const texts = sceneFor(config, snapshots, { ...room, words }).labels.map(({ text }) => text);
  expect(texts).toContain("Training loss, every word hidden in turn");
  const meaningOf = (language: "en" | "zh-CN") =>
    labOf(config).nodeWords(config, "loss", wordsIn(language), snapshots).meaning([]);
  expect(meaningOf("en")).toBe("of the words hidden here alone");
  expect(meaningOf("zh-CN")).toBe("只算这里被遮住的词");
});

test("the parameters of a step are those of any training that reaches it", () => {
  const trained = (steps: number) => computed(configOf<"bert">("both-sides", { trained: steps })).snapshots;
  const [five, six, forty] = [5, 6, 40].map(trained);
  const losses = [...forty!.get("losses")!.data];
  expect([...five!.get("losses")!.data]).toEqual(losses.slice(0, 6));
  expect([...five!.get("curve")!.data]).toEqual(losses);
  expect([...six!.get("logits")!.data]).not.toEqual([...five!.get("logits")!.data]);
});

test("a head that there is not is refused, and left out when the heads get fewer", () => {
  const config = configOf<"bert">("both-sides");
  const words = wordsIn("en");
  const change = (id: string, typed: string) => labOf(config).change(config.numbers, id, typed, words);
  expect(change("head", "0")).not.toHaveProperty("head");
  expect(change("heads", "1")).not.toHaveProperty("head");
  expect(change("heads", "4")).toHaveProperty("head", 1);
  const { controls } = labOf(config).sentence(config, words);
  expect(controls.find(({ id }) => id === "head")!.options).toHaveLength(2);
});

describe("given parameters", () => {
  const config = configOf<"bert">("masked-mat", givenBert(20, { layer: 1 }));
  const { snapshots } = computed(config);
  const words = wordsIn("en");
  const change = (id: string, typed: string, numbers = config.numbers) => {
    const answer = labOf(config).change(numbers, id, typed, words);
    return isRefused(answer) ? answer.refused : answer;
  };

  test("are the parameters, in the order of their shapes, and nothing is trained", () => {
    const [all] = config.numbers.parameters!;
    let start = 0;
    for (const [name, shape] of Object.entries(parameterShapes(config.numbers))) {
      const { shape: own, data } = snapshots.get(name)!;
      expect([name, ...own]).toEqual([name, ...shape]);
      expect([...data]).toEqual(all!.slice(start, (start += data.length)));
    }
    expect(start).toBe(all!.length);
    expect([snapshots.has("curve"), snapshots.has("losses")]).toEqual([false, false]);
    const { text, controls } = labOf(config).sentence(config, words);
    expect(controls.map(({ id }) => id)).toEqual([
      "tokens",
      "second",
      "rule",
      "hidden",
      "parameters",
      "layer",
      "head",
    ]);
    expect(text).not.toContain("trained}");
    expect(controls.find(({ id }) => id === "tokens")!.help).toBe(
      `These parameters know: ${config.numbers.vocabulary!.join(" ")}.`,
    );
    expect(controls.find(({ id }) => id === "second")!.help).toContain("sentence B was not trained");
  });

  test("give one layer the numbers of plain arithmetic", () => {
    const one = configOf<"bert">("masked-mat", givenBert(20, { layers: 1 }));
    const { snapshots: own } = computed(one);
    const read = [...own.get("ids")!.data];
    expect(read).toEqual([0, 3, 2, 5, 6, 7, 8, 9, 2, 11, 12, 13, 1]);
    const wanted = reference(own, one.numbers, read);
    for (const [node, rows] of Object.entries(wanted)) expectClose(own.get(node)!.data, rows.flat());
  });

  test("know the words of their vocabulary only, and as many places as have positions", () => {
    expect(change("tokens", "word3 cat")).toBe(
      `Words: these parameters know ${config.numbers.vocabulary!.join(", ")}; got cat.`,
    );
    const twelve = config.numbers.vocabulary!.slice(0, 12).join(" ");
    expect(change("tokens", twelve)).toBe(
      "Places: expected at most 13, as many as have position embeddings, got 14.",
    );
    expect(change("second", "word1")).toContain("expected at most 13");
    const short = change("tokens", "word19 word3") as BertNumbers;
    expect([short.tokens, short.hidden]).toEqual([["word19", "word3"], [2]]);
    const both = change("second", "word1 word2", short) as BertNumbers;
    expect(both.second).toEqual(["word1", "word2"]);
    // A row of the table of positions that no place reads stays, and may be edited.
    const edit = { node: "embeddings.position_embeddings.weight", index: [12, 0], value: 1 };
    const edited = computed({ ...config, numbers: { ...both, edits: [edit] } }).snapshots;
    expect(edited.get(edit.node)!.data[12 * 32]).toBe(1);
  });

  test("of a link that breaks a rule are left out, or its words are", () => {
    const read = (numbers: Partial<BertNumbers>) =>
      repairNumbers("bert", { ...config.numbers, ...numbers }, configOf<"bert">("masked-mat").numbers);
    expect(read({ tokens: ["cat", "word2"] })).toMatchObject({ tokens: ["word2"], hidden: [1] });
    expect(read({ tokens: ["cat"] }).tokens).toEqual(["word19"]);
    expect(read({ tokens: [...config.numbers.tokens, "word3", "word4"] }).tokens).toHaveLength(11);
    expect(read({ layer: 3 }).layer).toBe(1);
    for (const broken of [{ dim: 16 }, { layers: 3 }, { vocabulary: undefined }, { parameters: undefined }]) {
      const drawn = read(broken);
      expect(drawn).not.toHaveProperty("parameters");
      expect(computed({ ...config, numbers: drawn }).snapshots.has("curve")).toBe(true);
    }
  });

  test("can be left for those that are drawn and trained", () => {
    const drawn = change("parameters", "drawn") as BertNumbers;
    const { tokens, second, hidden } = config.numbers;
    const { numbers } = configOf<"bert">("masked-mat", { tokens, second, hidden, dim: 32, heads: 4 });
    expect(drawn).toEqual(numbers);
    expect(change("parameters", "given")).toBe(config.numbers);
  });

  test("have the layer that is chosen in full, with what enters it", () => {
    const boards = (layer: number) => {
      const own = { ...config, numbers: { ...config.numbers, layer } };
      const cell = { node: `layers.${layer}.norm2`, index: [2, 0] };
      const room = { width: 1232, height: 542, layout: "wide", step: 4, cell, words } as const;
      return sceneFor(own, computed(own).snapshots, room).tensors.map(({ node }) => node);
    };
    expect(boards(0)).toContain("embeddings.norm");
    expect(boards(1)).toContain("layers.0.norm2");
    for (const layer of [0, 1])
      for (const node of ["self_attn.weights", "self_attn.output", "norm1", "linear2", "norm2"])
        expect(boards(layer)).toContain(`layers.${layer}.${node}`);
    const name = (layer: number, node: string) => {
      const own = { ...config, numbers: { ...config.numbers, layer } };
      return labOf(own).nodeWords(own, node, words, snapshots).name;
    };
    expect([name(1, "layers.1.norm2"), name(1, "layers.0.norm2"), name(0, "layers.0.norm2")]).toEqual([
      "encoder output",
      "input of the layer",
      "output of the layer",
    ]);
  });
});

describe("the picture", () => {
  const config = configOf<"bert">("both-sides");
  const { snapshots } = computed(config);
  const words = wordsIn("en");
  const rooms = {
    wide: { width: 1232, height: 542, layout: "wide" },
    two: { width: 772, height: 700, layout: "two" },
    narrow: { width: 358, height: 600, layout: "narrow" },
  } as const;
  const at = (
    layout: keyof typeof rooms,
    cell: { node: string; index: number[] },
    shown: { config: ConfigOf<"bert">; snapshots: Snapshots } = { config, snapshots },
  ) => sceneFor(shown.config, shown.snapshots, { ...rooms[layout], step: 1, cell, words });
  const opening = { node: "embeddings.with_segments", index: [6, 4] };
  const weightsOf = (head: number, query: number): number[] =>
    rowsOf(snapshots, "layers.0.self_attn.weights")[head * 12 + query]!;

  for (const layout of ["wide", "two", "narrow"] as const) {
    test(`${layout}: an arc is as wide as its weight, and ends at the word of its key`, () => {
      const { curves } = at(layout, opening);
      const arcs = curves.filter(({ id }) => id.startsWith("bert-arc-"));
      expect(arcs).toHaveLength(layout === "narrow" ? 8 : 11);
      const weights = weightsOf(1, 6);
      const scale = Math.max(...arcs.map(({ width }) => width!)) / Math.max(...weights);
      for (const { cells, width, path } of arcs) {
        const [cell] = cells!;
        const [head, query, key] = cell!.index;
        expect([head, query]).toEqual([1, 6]);
        expect(width).toBeCloseTo(Math.max(0.8, scale * weights[key!]!), 9);
        const word = curves.find(({ id }) => id === `bert-from-${key}`)!;
        const [x, y] = word.points[0]!;
        const ends = [path!.slice(1).split("A")[0]!, path!.split(" 0 0 1 ")[1]!];
        // Paths are written to a tenth of a pixel.
        expect(ends).toContain(`${px(x)} ${px(y)}`);
      }
    });

    test(`${layout}: a bar is as long as its probability on a track of length 1; the word that was there has the tick`, () => {
      const { curves, labels } = at(layout, opening);
      const bars = curves.filter(({ id }) => id.startsWith("bert-bar-"));
      const ranked = [...snapshots.get("probabilities")!.data].sort((a, b) => b - a);
      bars.forEach(({ points, cells }, row) => {
        const track = curves.find(({ id }) => id === `bert-track-${row}`)!.points;
        const [left, right] = [track[0]![0], track[2]![0]];
        expect(points[0]![0]).toBe(left);
        expect((points[1]![0] - left) / (right - left)).toBeCloseTo(ranked[row]!, 12);
        expect(snapshots.get("probabilities")!.data[cells![0]!.index[1]!]).toBe(ranked[row]);
      });
      expect(labels.filter(({ kind }) => kind === "match").map(({ text }) => text)).toEqual(["0.874"]);
    });

    test(`${layout}: the handle stands at the steps of training, under the last loss`, () => {
      const { rails, curves } = at(layout, opening);
      const [rail] = rails!;
      expect([rail!.changes, rail!.value, rail!.ends]).toEqual([{ control: "trained" }, 20, [0, 40]]);
      const { from, to } = rail!;
      const x = (from[0] + to[0]) / 2;
      const [dot] = curves.find(({ id }) => id === "training-dot")!.points;
      expect(dot![0]).toBeCloseTo(x, 9);
      const losses = curves.find(({ id }) => id === "training-losses")!.points;
      expect(losses.at(-1)).toEqual(dot);
      // The plot is clipped by no loss: heights are proportional to losses.
      const values = [...snapshots.get("losses")!.data];
      const height = (at: number): number => from[1] - losses[at]![1];
      values.forEach((value, step) => expect(height(step) / height(0)).toBeCloseTo(value / values[0]!, 9));
    });
  }

  test("a pointed word has its own arcs and its own three rows; the candidates stay those of the gap", () => {
    const scene = at("wide", { node: "embeddings.with_segments", index: [2, 0] });
    const rows = scene.tensors.filter(({ node }) => /^embeddings\.(tokens|norm)$/.test(node));
    expect(rows.map((tensor) => tensor.at)).toEqual([
      [2, null],
      [2, null],
    ]);
    expect(scene.tensors.find(({ id }) => id === "row")!.at).toEqual([1, 2, null]);
    const [bar] = scene.curves.filter(({ id }) => id === "bert-bar-0");
    expect(bar!.cells![0]!.index).toEqual([0, 7]);
    // A weight of another head shows that head.
    const other = at("wide", { node: "layers.0.self_attn.weights", index: [0, 3, 1] });
    expect(other.tensors.find(({ id }) => id === "row")!.at).toEqual([0, 3, null]);
  });

  test("of two gaps, the one of the target has the candidates; an unlikely word is among them", () => {
    const two = configOf<"bert">("both-sides", { hidden: [2, 9], trained: 0 });
    const shown = { config: two, snapshots: computed(two).snapshots };
    for (const [row, id] of [
      [0, 4],
      [1, 9],
    ] as const) {
      const { curves } = at("wide", { node: "probabilities", index: [row, id] }, shown);
      const cells = curves
        .filter(({ id }) => id.startsWith("bert-bar-"))
        .map(({ cells }) => cells![0]!.index);
      expect(cells).toHaveLength(5);
      expect(cells).toContainEqual([row, id]);
      expect(cells.every(([gap]) => gap === row)).toBe(true);
    }
  });

  test("the gate has the mean and the deviation of the row", () => {
    const [row] = [rowsOf(snapshots, "embeddings.with_segments")[6]!];
    const mean = sum(row) / 8;
    const deviation = Math.sqrt(sum(row.map((value) => (value - mean) ** 2)) / 8);
    expect(snapshots.get("input_means")!.data[6]).toBeCloseTo(mean, 12);
    expect(snapshots.get("input_deviations")!.data[6]).toBeCloseTo(deviation, 12);
    const nodes = at("wide", opening).tensors.map(({ node }) => node);
    expect(nodes).toContain("input_means");
    expect(nodes).toContain("input_deviations");
  });
});
