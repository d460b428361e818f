// Compares the numbers of the BERT lab with BERT in plain arithmetic on the lab's own leaves, and checks its training and its settings.
import { sceneFor } from "../../web/page/open-lab.js";
import { describe, expect, test } from "vitest";
import {
  bertVocabulary,
  segmentAt,
  sequenceOf,
  wordPlaces,
  type BertNumbers,
} from "../../web/config/labs/bert.js";
import { wordsIn } from "../../web/i18n/words.js";
import { isRefused } from "../../web/telling/typed-values.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { computed, configOf, labOf, wholeCore } from "./labs-sessions.js";

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
  const room = { width: 1232, height: 542, layout: "wide", step: 4, cell: null } as const;
  const texts = (language: "en" | "zh-CN") =>
    sceneFor(config, snapshots, { ...room, words: wordsIn(language) }).labels.map(({ text }) => text);
  expect(texts("en")).toContain("Loss while training, every word hidden in turn");
  expect(texts("en")).toContain("of the words hidden here alone");
  expect(texts("zh-CN")).toContain("只算这里被遮住的词");
});
