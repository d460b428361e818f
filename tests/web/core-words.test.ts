// Words: word2vec, similarity, projections, pairs and negatives, byte pairs, and test surfaces.
import { describe, expect, test } from "vitest";
import { type Graph, type Ids, type Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const doubles = (shape: number[], ...data: number[]): Tensor => ({ shape, data: Float64Array.from(data) });
const ids = (shape: number[], ...data: number[]): Ids => ({ shape, data: Int32Array.from(data) });

function inGraph<Result>(work: (graph: Graph) => Result): Result {
  const graph = core.graph({ observe: true });
  try {
    return work(graph);
  } finally {
    graph.delete();
  }
}

const tables = {
  w_in: doubles([3, 2], 1, 0, 0, 1, 1, 1),
  w_out: doubles([3, 2], 0, 0, 1, 0, 0, 2),
};
const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

describe("word2vec", () => {
  test("CBOW predicts a word from the mean of its neighbours", () => {
    inGraph((graph) => {
      const { hidden, scores, probs, loss } = graph.cbow(ids([], 1), ids([2], 0, 2), tables, { name: "m" });
      expect(graph.value(hidden)).toEqual(doubles([2], 1, 0.5));
      expect(graph.value(scores)).toEqual(doubles([3], 0, 1, 1));
      const p = Math.E / (1 + 2 * Math.E);
      expect(graph.value(probs!).data[1]).toBeCloseTo(p, 12);
      expect(graph.value(loss).data[0]).toBeCloseTo(-Math.log(p), 12);
      expect([hidden, scores, probs!, loss].map(({ name }) => name)).toEqual([
        "m.hidden",
        "m.scores",
        "m.probs",
        "m.loss",
      ]);
    });
  });

  test("skip-gram predicts every neighbour; its gradients reach both tables", () => {
    inGraph((graph) => {
      const w_in = graph.leaf("w_in", tables.w_in);
      const { loss } = graph.skipGram(ids([], 2), ids([2], 0, 1), { w_in, w_out: tables.w_out });
      const sum = 1 + Math.E + Math.E ** 2;
      expect(graph.value(loss).data[0]).toBeCloseTo(2 * Math.log(sum) - 1, 12);
      graph.backward(loss);
      expect(graph.gradient(w_in).data[4]).toBeCloseTo((2 * Math.E) / sum - 1, 12);
      expect([...graph.gradient(w_in).data.slice(0, 4)]).toEqual([0, 0, 0, 0]);
    });
  });

  test("negative sampling decides between one positive and the negatives", () => {
    inGraph((graph) => {
      const { scores, probs, loss } = graph.skipGramNegativeSampling(
        ids([1], 2),
        ids([1], 1),
        ids([1, 2], 2, 0),
        tables,
      );
      expect(probs).toBeUndefined();
      expect(graph.value(scores)).toEqual(doubles([1, 3], 1, 2, 0));
      const expected = -Math.log(logistic(1)) - Math.log(logistic(-2)) - Math.log(logistic(0));
      expect(graph.value(loss).data[0]).toBeCloseTo(expected, 12);
      const mean = graph.cbowNegativeSampling(ids([], 1), ids([1], 2), ids([2], 2, 0), tables, { name: "c" });
      expect(graph.value(mean.loss).data[0]).toBeCloseTo(expected, 12);
    });
  });

  test("refuses ids, tables and names that do not fit", () => {
    inGraph((graph) => {
      expect(() => graph.cbow(ids([], 3), ids([1], 0), tables)).toThrow(/^cross_entropy: /);
      expect(() => graph.cbow(ids([], 1), ids([1], 9), tables)).toThrow(/^embedding: /);
      expect(() => graph.skipGram(ids([2], 0, 1), ids([2], 0, 1), tables)).toThrow(
        "skip_gram: context has shape (2,), expected several for each word of (2,)",
      );
      expect(() => graph.skipGram(ids([], 0), ids([1], 1), { w_in: tables.w_in } as never)).toThrow(
        'state_dict: "w_out" is missing, expected a parameter of this name',
      );
      expect(() => graph.skipGram(ids([], 0), ids([1], 1), null as never)).toThrow(
        "skipGram: parameters is null, expected parameters, or tensors by their state_dict names",
      );
      expect(() => graph.skipGram(doubles([], 0) as never, ids([1], 1), tables)).toThrow(
        "skipGram: word.data is a Float64Array, expected an Int32Array",
      );
      expect(graph.describe()).toEqual([]);
    });
  });

  test("learns from pairs inside a window and from drawn negatives", () => {
    const pairs = core.skipGramPairs([7, 8, 9], 1);
    expect(pairs).toEqual({ word: ids([4], 7, 8, 8, 9), context: ids([4], 8, 7, 9, 8) });
    expect(core.skipGramPairs(ids([1], 7), 5).word).toEqual(ids([0]));
    expect(() => core.skipGramPairs([1, -1], 1)).toThrow("skipGramPairs: ids[1] is -1");

    // negativeSamples draws like numpy.random.RandomState(3).choice(3, 6, p=[8/9, 0, 1/9]): one uniform number per draw, looked up in
    // the cumulative sums of p.
    const random = core.randomState(3);
    const twin = core.randomState(3);
    try {
      const drawn = core.negativeSamples([16, 0, 1], 6, random);
      const uniform = twin.randomSample(6).data;
      expect(drawn).toEqual(ids([6], ...Array.from(uniform, (u) => (u < 8 / 9 ? 0 : 2))));
      expect(random.place).toEqual(twin.place);
      expect(random.randn(1)).toEqual(twin.randn(1));
      expect(() => core.negativeSamples([0, 0], 1, random)).toThrow(
        "negative_samples: counts is all 0, expected a count above 0",
      );
      expect(() => core.negativeSamples([1], 1e15, random)).toThrow(/^random: needs .* the limit is 512 MB$/);
      expect(random.place).toEqual({ seed: 3, skip: "random_sample(6); randn(1)" });
      expect(() => core.negativeSamples([1], 1, {} as never)).toThrow("negativeSamples: random is");
    } finally {
      random.delete();
      twin.delete();
    }
    expect(() => core.negativeSamples([1], 1, random)).toThrow(
      "negativeSamples: the random state was deleted",
    );
  });
});

describe("sentences with masked tokens", () => {
  test("are those of the documented draws", () => {
    const given = Array.from({ length: 400 }, (_, place) => place % 50);
    const masked = core.maskTokens(given, { vocabulary: 51, maskId: 50, seed: 7 });
    // The same stream, read by the rule: one random_sample per token, a second for a chosen one, a randint for a replaced one.
    const random = core.randomState(7);
    const expected = given.map((id) => {
      if (random.randomSample(1).data[0]! >= 0.15) return [id, -100];
      const kind = random.randomSample(1).data[0]!;
      return [kind < 0.8 ? 50 : kind < 0.9 ? random.randint(0, 51, 1).data[0]! : id, id];
    });
    random.delete();
    expect([...masked.ids.data]).toEqual(expected.map(([id]) => id));
    expect([...masked.targets.data]).toEqual(expected.map(([, target]) => target));
    const chosen = expected.filter(([, target]) => target !== -100);
    expect(chosen.length).toBeGreaterThan(30);
    expect(chosen.some(([id]) => id === 50) && chosen.some(([id, target]) => id === target)).toBe(true);
  });

  test("refuse ids that no word has", () => {
    const mask = (ids: number[], maskId: number, seed = 0) =>
      core.maskTokens(ids, { vocabulary: 5, maskId, seed });
    expect(() => mask([5], 0)).toThrow("mask_tokens: ids is 5, expected an id below 5");
    expect(() => mask([1], 5)).toThrow("mask_tokens: mask_id is 5, expected an id below 5");
    expect(() => mask([1], 0, -1)).toThrow("maskTokens: seed is -1");
  });
});

describe("similarity", () => {
  const vectors = doubles([4, 2], 1, 0, 0, 2, 3, 3, 0, 0);

  test("by dot product, cosine and distance", () => {
    inGraph((graph) => {
      const { dot, cosine, distance } = graph.similarity(vectors);
      expect([...graph.value(dot).data.slice(0, 4)]).toEqual([1, 0, 3, 0]);
      expect(graph.value(cosine).data[2]).toBeCloseTo(Math.SQRT1_2, 12);
      expect(graph.value(cosine).data[15]).toBe(0);
      expect(graph.value(distance).data[1]).toBeCloseTo(Math.sqrt(5), 12);
      expect(dot.name).toBe("dot");
      expect(() => graph.similarity(doubles([2], 1, 2), { name: "again" })).toThrow(
        "similarity: vectors has shape (2,), expected (N, D)",
      );
    });
  });

  test("neighbours and analogies", () => {
    expect(core.nearest(vectors, 0)).toEqual([2, 1, 3]);
    expect(core.nearest({ shape: [2, 1], data: Float32Array.of(1, 2) }, 1)).toEqual([0]);
    expect(core.analogy(doubles([5, 2], 1, 0, 1, 1, 2, 0, 2, 1, 0, 5), { a: 0, b: 1, c: 2 })).toBe(3);
    expect(() => core.nearest(vectors, 4)).toThrow("nearest: query is 4, expected a row below 4");
    expect(() => core.nearest(vectors, -1)).toThrow("nearest: query is -1, expected an integer");
    expect(() => core.analogy(vectors, { a: 0, b: 1 } as never)).toThrow("analogy: c is undefined");
    expect(() => core.nearest(ids([1], 1) as never, 0)).toThrow("nearest: vectors.data is an Int32Array");
  });

  test("bags of words ignore the order", () => {
    inGraph((graph) => {
      const counts = graph.bagOfWords(ids([4], 2, 0, 2, 2), { vocabulary: 4, name: "bag" });
      expect(graph.value(counts)).toEqual(doubles([4], 1, 0, 3, 0));
      expect(counts.name).toBe("bag.counts");
      expect(() => graph.bagOfWords(ids([1], 4), { vocabulary: 4 })).toThrow(/^one_hot: /);
    });
  });

  test("principal components rotate points into the directions of largest variance", () => {
    inGraph((graph) => {
      const points = graph.principalComponents(doubles([3, 2], 0, 0, 3, 4, 6, 8), { count: 1 });
      expect(graph.value(points.mean)).toEqual(doubles([1, 2], 3, 4));
      const [x, y] = graph.value(points.components).data;
      expect(x).toBeCloseTo(0.6, 12);
      expect(y).toBeCloseTo(0.8, 12);
      expect(graph.value(points.explainedVariance).data[0]).toBeCloseTo(25, 12);
      expect([...graph.value(points.output).data].map((value) => Math.round(value))).toEqual([-5, 0, 5]);
      expect(() => graph.principalComponents(doubles([1, 2], 0, 0), { count: 1 })).toThrow(
        /^principal_components: /,
      );
    });
  });
});

describe("byte pairs", () => {
  test("are learned, restore every text, and can be stored", () => {
    const text = "low lower lowest, slow — 注意力 🙂";
    const learned = core.bytePairVocabulary({ text: "low low low lower lower", size: 259 });
    expect(learned.size).toBe(259);
    expect(learned.merges[0]).toEqual([108, 111]);
    const kept = core.bytePairVocabulary({ merges: learned.merges });
    try {
      const encoded = learned.encode(text);
      expect(encoded.data.length).toBeLessThan(new TextEncoder().encode(text).length);
      expect(kept.encode(text)).toEqual(encoded);
      expect(kept.decode(encoded)).toBe(text);
      expect(kept.decode([...encoded.data])).toBe(text);
      expect(new TextDecoder().decode(learned.bytes(257))).toBe("low");
      expect(kept.decode([0xe6])).toBe("\ufffd");
      expect(kept.decode(kept.encode("\ufeffa\0b"))).toBe("\ufeffa\0b");
      expect(kept.encode("")).toEqual(ids([0]));
      expect(() => kept.decode([259])).toThrow(/^byte_pair_vocabulary: /);
      expect(() => kept.bytes(259)).toThrow(/^byte_pair_vocabulary: /);
      expect(() => kept.decode([-1])).toThrow("bytePairVocabulary: ids[0] is -1");
      expect(() => kept.encode(7 as never)).toThrow("bytePairVocabulary: text is 7, expected a string");
    } finally {
      learned.delete();
      kept.delete();
    }
    expect(() => kept.encode("a")).toThrow("encode: the vocabulary was deleted");
  });

  test("refuse impossible sizes and merges", () => {
    const made = (given: unknown) => () => core.bytePairVocabulary(given as never);
    expect(made({ text: "a", size: 255 })).toThrow("bytePairVocabulary: size is 255");
    expect(made({ text: "a" })).toThrow("bytePairVocabulary: size is undefined");
    expect(made({})).toThrow("expected either text and size, or merges, got neither");
    expect(made({ text: "a", size: 256, merges: [] })).toThrow("got both");
    expect(made({ merges: [[1, 2, 3]] })).toThrow(
      "bytePairVocabulary: merges[0] is [1, 2, 3], expected two ids",
    );
    expect(made({ merges: [[1, 300]] })).toThrow(/^byte_pair_vocabulary: merges\[0\]/);
  });
});

describe("test functions for optimizers", () => {
  const gradientOf = (graph: Graph, loss: { name: string }, name: string): number[] => {
    graph.backward(loss.name);
    return [...graph.gradient(name).data];
  };

  test("a line through points", () => {
    inGraph((graph) => {
      const [w, b] = [graph.leaf("w", doubles([], 0)), graph.leaf("b", doubles([], 0))];
      const loss = graph.lineFitLoss(w, b, doubles([5], 0, 1, 2, 3, 4), doubles([5], 1, 3, 5, 7, 9));
      expect(graph.value(loss)).toEqual(doubles([], 33));
      expect(gradientOf(graph, loss, "w")).toEqual([-28]);
      expect(gradientOf(graph, loss, "b")).toEqual([-10]);
      expect(() => graph.lineFitLoss(w, b, doubles([1], 1), doubles([2], 1, 2), { name: "again" })).toThrow(
        /^line_fit_loss: y has shape/,
      );
    });
  });

  test("surfaces and quadratics", () => {
    inGraph((graph) => {
      const point = graph.leaf("point", doubles([2], -1.25, 1));
      const loss = graph.testSurface(point, { surface: "rosenbrock", name: "valley" });
      expect(graph.value(loss)).toEqual(doubles([], 36.703125));
      expect(gradientOf(graph, loss, "point")).toEqual([-285.75, -112.5]);
      const heights = (surface: "bowl" | "saddle" | "himmelblau", ...places: number[]) => [
        ...graph.value(
          graph.testSurface(doubles([places.length / 2, 2], ...places), { surface, name: surface }),
        ).data,
      ];
      expect(heights("bowl", 2, 1, 0, 0)).toEqual([7, 0]);
      expect(heights("saddle", 2, 1)).toEqual([3]);
      expect(heights("himmelblau", 3, 2)).toEqual([0]);
      expect(() => graph.testSurface(point, { surface: "moon" as never })).toThrow(
        'testSurface: surface is "moon", expected "rosenbrock" or',
      );
      expect(
        graph.value(graph.quadraticLoss(doubles([2], 1, -2), doubles([2], 1, 10), { name: "q" })),
      ).toEqual(doubles([], 20.5));
    });
  });
});
