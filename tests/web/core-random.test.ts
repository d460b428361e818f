// Random numbers and the vectors of words: NumPy's streams, positions in them, and one vector for each word.
import { describe, expect, test } from "vitest";
import { type Origin, type RandomState, type Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

function withRandom<Result>(seed: number | number[], work: (random: RandomState) => Result): Result {
  const random = core.randomState(seed);
  try {
    return work(random);
  } finally {
    random.delete();
  }
}

/** Draws what NumPy draws by calls such as "randn(9); randint(0, 3, 4)". */
function replay(random: RandomState, calls: string): void {
  for (const call of calls.split("; ").filter((text) => text !== "")) {
    const [, method, given] = /^(\w+)\((.*)\)$/.exec(call)!;
    const numbers = given!.split(", ").map(Number);
    if (method === "randn") random.randn(numbers[0]!);
    else if (method === "random_sample") random.randomSample(numbers[0]!);
    else if (method === "permutation") random.permutation(numbers[0]!);
    else if (method === "randint") random.randint(numbers[0]!, numbers[1]!, numbers[2]!);
    else if (method === "uniform") random.uniform(numbers[0]!, numbers[1]!, numbers[2]!);
    else if (method === "normal") random.normal(numbers[0]!, numbers[1]!, numbers[2]!);
    else throw new Error(`unknown call ${call}`);
  }
}

describe("streams", () => {
  test("a list as seed gives another stream than a number", () => {
    const first = (seed: number | number[]) => withRandom(seed, (random) => random.uint32(1).data[0]);
    expect(first(42)).toBe(1608637542);
    expect(first([42])).not.toBe(first(42));
    expect(first([1, 2])).not.toBe(first([2, 1]));
  });

  test("draws fill a shape in row-major order, and a number is a shape", () => {
    const flat = withRandom(7, (random) => random.randn(6));
    const matrix = withRandom(7, (random) => random.randn([2, 3]));
    expect(matrix).toEqual({ shape: [2, 3], data: flat.data });
    expect(withRandom(7, (random) => random.randn([]))).toEqual({ shape: [], data: flat.data.slice(0, 1) });
    expect(withRandom(7, (random) => random.randn(0)).data.length).toBe(0);
  });

  test("a permutation holds every number once", () => {
    const { data } = withRandom(3, (random) => random.permutation(50));
    expect([...data].sort((a, b) => a - b)).toEqual([...Array(50).keys()]);
  });

  test("the place gives the draws to skip, whatever was drawn before", () => {
    const [place, next] = withRandom(42, (random) => {
      random.randn([2, 3]);
      random.randn(3);
      random.randint(0, 3, [3, 3]);
      random.uint32(5);
      random.permutation(4);
      random.permutation(4);
      random.uniform(-1, 2, 3);
      random.normal(1.5, 0.25, 1);
      random.randomSample(2);
      return [random.place, random.randn(4)] as const;
    });
    expect(place).toEqual({
      seed: 42,
      skip:
        "randn(9); randint(0, 3, 9); randint(0, 4294967296, 5); permutation(4); permutation(4); " +
        "uniform(-1, 2, 3); normal(1.5, 0.25, 1); random_sample(2)",
    });
    const again = withRandom(42, (random) => {
      replay(random, place.skip);
      return random.randn(4);
    });
    expect(again).toEqual(next);
  });

  test("a refused draw leaves the stream unchanged", () => {
    withRandom(1, (random) => {
      expect(() => random.randint(3, 3, 2)).toThrow("randint: high is 3, expected an integer of at least 4");
      expect(() => random.randn(-1)).toThrow("randn: shape[0] is -1, expected an integer of at least 0");
      expect(() => random.randn([1.5])).toThrow("randn: shape[0] is 1.5");
      expect(() => random.randn(1e12)).toThrow(/random: needs .* MB; the limit is/);
      expect(() => random.normal(0, -1, 2)).toThrow("normal: scale is -1, expected a number of at least 0");
      expect(() => random.uniform(NaN, 1, 2)).toThrow("uniform: low is NaN, expected a finite number");
      expect(() => random.permutation(2.5)).toThrow("permutation: n is 2.5");
      expect(random.place.skip).toBe("");
      expect(random.randn(2)).toEqual(withRandom(1, (fresh) => fresh.randn(2)));
    });
    expect(() => core.randomState(-1)).toThrow(
      "randomState: seed is -1, expected an integer from 0 to 4294967295",
    );
    expect(() => core.randomState(2 ** 32)).toThrow("randomState: seed is 4294967296");
    expect(() => core.randomState([])).toThrow("randomState: seed is [], expected at least one number");
    const random = core.randomState(1);
    random.delete();
    expect(() => random.randn(1)).toThrow("randn: the random state was deleted");
  });
});

describe("drawn leaves", () => {
  const shape = [3, 4];
  test.each(["float64", "float32"] as const)("have their origin, in %s", (precision) => {
    const graph = core.graph({ precision });
    withRandom([7, 8], (random) => {
      random.randomSample(3);
      graph.draw("W_Q", random, "randn", { shape, divisor: 2 });
      graph.draw("W_K", random, "randint", { shape, low: -2, high: 5 });
      graph.draw("W_V", random, "uniform", { shape });
    });
    for (const { name, origin } of graph.describe()) {
      const drawn = origin as Extract<Origin, { kind: "draw" }>;
      const again = withRandom(drawn.seed, (random): Tensor<Float64Array> => {
        replay(random, drawn.skip);
        if (drawn.method === "randn") return random.randn(shape);
        if (drawn.method === "randint") return random.randint(drawn.low!, drawn.high!, shape);
        return random.uniform(drawn.low!, drawn.high!, shape);
      });
      const round = precision === "float32" ? Math.fround : (value: number) => value;
      const expected = [...again.data].map((value) => round(value / (drawn.divisor ?? 1)));
      expect([...graph.value(name).data]).toEqual(expected);
    }
    expect(graph.describe().map(({ origin }) => origin)).toEqual([
      { kind: "draw", method: "randn", divisor: 2, seed: [7, 8], skip: "random_sample(3)" },
      {
        kind: "draw",
        method: "randint",
        low: -2,
        high: 5,
        seed: [7, 8],
        skip: "random_sample(3); randn(12)",
      },
      {
        kind: "draw",
        method: "uniform",
        low: 0,
        high: 1,
        seed: [7, 8],
        skip: "random_sample(3); randn(12); randint(-2, 5, 12)",
      },
    ]);
    graph.delete();
  });

  test("with a square root as divisor are divided by the core, and record the number", () => {
    const graph = core.graph();
    withRandom(3, (random) => graph.draw("W", random, "randn", { shape, sqrtDivisor: 7 }));
    const plain = withRandom(3, (random) => random.randn(shape));
    expect([...graph.value("W").data]).toEqual([...plain.data].map((value) => value / Math.sqrt(7)));
    expect(graph.describe()[0]!.origin).toEqual({
      kind: "draw",
      method: "randn",
      sqrtDivisor: 7,
      seed: 3,
      skip: "",
    });
    withRandom(3, (random) => {
      expect(() => graph.draw("y", random, "randn", { shape, divisor: 2, sqrtDivisor: 4 })).toThrow(
        "draw: expected either divisor or sqrtDivisor, got both",
      );
      expect(() => graph.draw("y", random, "randn", { shape, sqrtDivisor: 0 })).toThrow(
        "draw: sqrtDivisor is 0, expected a finite number above 0",
      );
      expect(random.place.skip).toBe("");
    });
    graph.delete();
  });

  test("use no more memory than their generator allows", () => {
    const random = core.randomState(1, { maxBytes: 2 ** 20 });
    expect(() => random.randn([2 ** 17 + 1])).toThrow("random: needs 1.00001 MB; the limit is 1 MB");
    expect(random.randn([2 ** 17]).shape).toEqual([2 ** 17]);
    expect(() => random.permutation(2 ** 18)).toThrow("random: needs 2 MB; the limit is 1 MB");
    random.delete();
  });

  test("that are refused draw nothing", () => {
    const graph = core.graph({ maxBytes: 1000 });
    withRandom(1, (random) => {
      graph.draw("x", random, "randn", { shape: [1] });
      expect(() => graph.draw("#a", random, "randn", { shape: [3] })).toThrow(
        'name is "#a", expected one that does not start with #',
      );
      expect(() => graph.draw("x", random, "randn", { shape: [1] })).toThrow('name is "x"');
      expect(() => graph.draw("y", random, "randn", { shape: [1000] })).toThrow("the limit is 1000 bytes");
      expect(() => graph.draw("y", random, "randn", { shape: [1], low: 1 })).toThrow(
        "draw: low is 1, expected nothing",
      );
      expect(() => graph.draw("y", random, "randint", { shape: [1] })).toThrow(
        "draw: high is undefined, expected an integer",
      );
      expect(() => graph.draw("y", random, "randn", { shape: [1], divisor: 0 })).toThrow(
        "draw: divisor is 0",
      );
      expect(() => graph.draw("y", {} as RandomState, "randn", { shape: [1] })).toThrow(
        "draw: random is an Object",
      );
      expect(random.place.skip).toBe("randn(1)");
    });
    graph.delete();
  });
});

describe("the vector of a word", () => {
  const seed = 42;
  const dim = 5;
  function rows(tokens: string[]): number[][] {
    const graph = core.graph();
    const { data } = graph.value(graph.tokenVectors("x", tokens, seed, dim));
    graph.delete();
    return tokens.map((_, row) => [...data.slice(row * dim, (row + 1) * dim)]);
  }

  test("can be drawn by NumPy", () => {
    // zlib.crc32("cat".encode()) and zlib.crc32("猫".encode())
    expect(core.tokenSeed("cat", 0)).toBe(0x9e5e43a8);
    expect(core.tokenSeed("猫", 0)).toBe(0x85deb210);
    expect(core.tokenSeed("cat", seed)).toBe((0x9e5e43a8 ^ seed) >>> 0);
    const vector = withRandom(core.tokenSeed("cat", seed), (random) => random.randn(dim));
    expect(rows(["cat"])[0]).toEqual([...vector.data]);
  });

  test("is the same at every place, however often the word occurs", () => {
    const [the, cat, saw, again, dog] = rows(["the", "cat", "saw", "the", "dog"]);
    expect(again).toEqual(the);
    expect(rows(["cat", "the"])).toEqual([cat, the]);
    expect(rows(["the", "bird", "saw", "the", "dog"])[1]).not.toEqual(cat);
    expect(rows(["the", "bird", "saw", "the", "dog"])[2]).toEqual(saw);
    expect(new Set([the, cat, saw, dog].map(String)).size).toBe(4);
    expect(rows(["Cat"])[0]).not.toEqual(cat);
  });

  test("exists in any script, is the same for each normal form, and differs with the seed", () => {
    expect(rows(["e\u0301"])).toEqual(rows(["\u00e9"]));
    expect(new Set(rows(["猫", "喵", "😀", "😁", "", " ", "ﬁ", "fi"]).map(String)).size).toBe(8);
    expect(core.tokenSeed("猫", 1)).not.toBe(core.tokenSeed("猫", 2));
    expect(() => core.tokenSeed("\ud83d", 1)).toThrow("expected a string of whole characters");
  });

  test("is the origin of its leaf", () => {
    const graph = core.graph();
    graph.tokenVectors("x", ["e\u0301", "b"], seed, dim);
    expect(graph.describe()[0]!.origin).toEqual({
      kind: "token_vectors",
      tokens: ["\u00e9", "b"],
      seed,
      dim,
    });
    expect(() => graph.tokenVectors("y", [], seed, dim)).toThrow(
      "tokenVectors: tokens is [], expected a list of at least one word",
    );
    expect(() => graph.tokenVectors("y", ["a", 3 as unknown as string], seed, dim)).toThrow(
      "tokenVectors: tokens[1] is 3, expected a string",
    );
    expect(() => graph.tokenVectors("y", ["a"], seed, 0)).toThrow(
      "tokenVectors: dim is 0, expected an integer of at least 1",
    );
    expect(() => graph.tokenVectors("y", ["a"], -1, 1)).toThrow("tokenVectors: seed is -1");
    expect(() => graph.tokenVectors("y", ["a"], 1, 1e9)).toThrow("the limit is 512.0 MB");
    graph.delete();
  });
});
