// The numbers of the labs: the documents' numbers, one vector for each word, masks, and edits that recompute only what depends on them.
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Config, ConfigOf, Edit, NumbersOf } from "../../web/config/config.js";
import { decode } from "../../web/config/decode.js";
import { masks } from "../../web/core/attention.js";
import { countMatches, examples } from "../../web/examples/index.js";
import { builds } from "../../web/labs/builds.js";
import { bytesNeeded } from "../../web/labs/multi-head/build.js";
import { Session } from "../../web/session/worker/session.js";
import type { Snapshot } from "../../web/marks/scene.js";
import { valueAt } from "../../web/page/cells.js";
import { expectExactMemory } from "./exact-memory.js";
import { computed, configOf, core, golden, sessionOf } from "./labs-sessions.js";

const rowsOf = ({ shape, data }: Pick<Snapshot, "shape" | "data">): number[][] => {
  const columns = shape.at(-1)!;
  return Array.from({ length: data.length / columns }, (_, row) => [
    ...data.subarray(row * columns, (row + 1) * columns),
  ]);
};
const expectClose = (got: ArrayLike<number>, expected: ArrayLike<number>, relative = 1e-12) => {
  expect(got.length).toBe(expected.length);
  for (let place = 0; place < got.length; place += 1) {
    expect(Math.abs(got[place]! - expected[place]!)).toBeLessThanOrEqual(
      1e-13 + relative * Math.abs(expected[place]!),
    );
  }
};

describe("the documents", () => {
  test("the four words of document 002", () => {
    const { snapshots } = computed(configOf("four-words"));
    const reference = golden("seed_examples", "four_words");
    for (const [node, name] of Object.entries({
      W_Q: "w_q",
      W_K: "w_k",
      W_V: "w_v",
      Q: "q",
      K: "k",
      V: "v",
      scores: "scores",
      weights: "weights",
      output: "attention",
    })) {
      expectClose(snapshots.get(node)!.data, reference[name]!.data);
    }
    expect(rowsOf(snapshots.get("output")!)[0]!.map((value) => value.toFixed(8))).toEqual([
      "0.98522025",
      "1.74174051",
      "0.75652026",
    ]);
  });

  test("runs 1 to 3 of the 10 by 20 by 128 draws", () => {
    for (const run of [1, 2, 3]) {
      const { snapshots } = computed(configOf(`ten-by-twenty-run-${run}`));
      const reference = golden("seed_examples", `numpy_mha_run${run}`);
      expectClose(snapshots.get("output")!.data.subarray(0, 10), reference["output_0_0_first10"]!.data, 1e-9);
      expectClose(
        snapshots.get("weights")!.data.subarray(0, 10),
        reference["weights_0_0_0_first10"]!.data,
        1e-9,
      );
      if (run === 1) expect(snapshots.get("output")!.data[0]!.toFixed(8)).toBe("-91.96555916");
    }
  });

  test("every example computes, and gives every number that its source prints or a reference gives", () => {
    for (const example of examples) {
      const { snapshots } = computed(example.config);
      for (const expected of [example.printed, example.references ?? []]) {
        const matched = countMatches(expected, (node, index) => valueAt(snapshots.get(node), index));
        expect([example.id, matched]).toEqual([example.id, expected.length]);
      }
      for (const snapshot of snapshots.values())
        expect(snapshot.data.length).toBe(snapshot.shape.reduce((product, size) => product * size, 1));
    }
  });

  test("a wrong printed number is counted as not matched", () => {
    const example = examples.find(({ id }) => id === "four-words")!;
    const changed = { ...example.config, numbers: { ...example.config.numbers, seed: 43 } } as Config;
    const { snapshots } = computed(changed);
    expect(example.printed).toHaveLength(12);
    const matched = countMatches(example.printed, (node, index) => valueAt(snapshots.get(node), index));
    expect(matched).toBeLessThan(12);
    // A number of a missing tensor does not match either.
    expect(countMatches(example.printed, () => valueAt(undefined, [0, 0]))).toBe(0);
  });
});

describe("the steps are the core's attention", () => {
  test("scaled dot-product attention with a mask", () => {
    const paint = [
      [true, false, true, true],
      [false, false, false, false],
      [true, true, true, false],
      [false, false, false, true],
    ];
    const { snapshots } = computed(configOf<"attention">("four-words", { mask: "painted", paint }));
    const [query, key, value] = ["Q", "K", "V"].map((node) => snapshots.get(node)!) as [
      Snapshot,
      Snapshot,
      Snapshot,
    ];
    const mask = masks.fromFill({ shape: [4, 4], data: Uint8Array.from(paint.flat(), Number) }, -Infinity);
    const whole = core.scaledDotProductAttention(query, key, value, { mask });
    expectClose(snapshots.get("weights")!.data, whole.weights.data);
    expectClose(snapshots.get("output")!.data, whole.output.data);
    expect([...rowsOf(snapshots.get("weights")!)[1]!, ...rowsOf(snapshots.get("output")!)[1]!]).toEqual([
      0, 0, 0, 0, 0, 0, 0,
    ]);
  });

  test("multi-head attention, causal, with its own widths", () => {
    const config = configOf<"multi-head">("two-heads", { keyDim: 3, valueDim: 5, mask: "causal" });
    const { snapshots } = computed(config);
    const at = (node: string) => snapshots.get(node)!;
    const parameters = { wQ: at("W_Q"), wK: at("W_K"), wV: at("W_V"), wO: at("W_O") };
    const whole = core.multiHeadAttention(at("x_batch"), at("x_batch"), at("x_batch"), parameters, {
      numHeads: 2,
      isCausal: true,
    });
    expectClose(at("weights").data, whole.weights.data);
    expectClose(at("output").data, whole.output.data);
  });

  test("without scaling, the weights are computed from the scores themselves", () => {
    const { snapshots } = computed(configOf<"attention">("four-words", { scale: false }));
    expect(snapshots.has("scaled")).toBe(false);
    expect(snapshots.get("weights")!.inputs).toEqual(["scores"]);
    const whole = core.softmax(snapshots.get("scores")!);
    expectClose(snapshots.get("weights")!.data, whole.data);
  });
});

/** An example with four numbers per word, and per query, key and value. */
const four = { dim: 4, keyDim: 4, valueDim: 4 };

describe("the vector of a word", () => {
  const vectors = (tokens: string[], more: Partial<ConfigOf<"attention">["numbers"]> = {}) => {
    const { snapshots } = computed(configOf<"attention">("cat-on-the-mat", { tokens, ...more }));
    return rowsOf(snapshots.get("X")!);
  };

  test("moves with its word, is the same for equal words, and stays when another word is replaced", () => {
    const [cat, sat, mat] = vectors(["cat", "sat", "mat"]);
    expect(vectors(["mat", "sat", "cat"])).toEqual([mat, sat, cat]);
    expect(vectors(["cat", "cat", "mat", "cat"])).toEqual([cat, cat, mat, cat]);
    const replaced = vectors(["cat", "dog", "mat"]);
    expect([replaced[0], replaced[2]]).toEqual([cat, mat]);
    expect(replaced[1]).not.toEqual(sat);
  });

  test("exists for any script; composed and decomposed spellings are the same word", () => {
    const [decomposed, composed, chinese, emoji] = vectors([
      "e\u0301t\u00e9",
      "\u00e9t\u00e9",
      "\u6ce8\u610f",
      "\u{1f431}",
    ]);
    expect(decomposed).toEqual(composed);
    expect(new Set([composed, chinese, emoji].map(String)).size).toBe(3);
  });

  test("is RandomState(crc32(word) XOR seed).randn(dim), also in the memory and in the multi-head lab", () => {
    const random = core.randomState(core.tokenSeed("cat", 7));
    const expected = [...random.randn(4).data];
    random.delete();
    expect(vectors(["cat"], { ...four, seed: 7 })[0]).toEqual(expected);
    const cross = computed(
      configOf<"attention">("cat-on-the-mat", { ...four, memory: ["a", "cat"], seed: 7 }),
    ).snapshots;
    expect(rowsOf(cross.get("M")!)[1]).toEqual(expected);
    const heads = computed(
      configOf<"multi-head">("two-heads", { tokens: ["cat"], dim: 4, keyDim: 2, valueDim: 2, seed: 7 }),
    ).snapshots;
    expect(rowsOf(heads.get("x")!)[0]).toEqual(expected);
  });

  test("gives equal words equal outputs, because nothing distinguishes their positions", () => {
    const { snapshots } = computed(configOf("cat-on-the-mat"));
    const rows = rowsOf(snapshots.get("output")!);
    expectClose(rows[0]!, rows[4]!);
  });

  test("a typed matrix keeps its place in the random stream, so that the others do not change", () => {
    const typed = Array.from({ length: 4 }, () => [1, 2, 3, 4]);
    for (const draw of ["scaled", "randint"] as const) {
      const drawn = computed(configOf<"attention">("cat-on-the-mat", { ...four, draw })).snapshots;
      const mixed = computed(configOf<"attention">("cat-on-the-mat", { ...four, draw, wq: typed })).snapshots;
      expect(rowsOf(mixed.get("W_Q")!)).toEqual(typed);
      for (const node of ["W_K", "W_V"]) expect(mixed.get(node)!.data).toEqual(drawn.get(node)!.data);
    }
  });

  test("weights are randn / sqrt(D) in the order W_Q, W_K, W_V from the seed", () => {
    const { snapshots } = computed(configOf<"attention">("cat-on-the-mat", { ...four, seed: 9 }));
    const random = core.randomState(9);
    for (const node of ["W_Q", "W_K", "W_V"])
      expectClose(
        snapshots.get(node)!.data,
        random.randn([4, 4]).data.map((value) => value / 2),
      );
    random.delete();
  });
});

describe("edits", () => {
  const edited = (config: ConfigOf<"attention">, edits: Edit[]): Config => ({
    ...config,
    example: null,
    numbers: { ...config.numbers, edits },
  });
  const names = (snapshots: Snapshot[]) => snapshots.map(({ name }) => name).sort();

  test("recompute and send only what depends on them", () => {
    const config = configOf<"attention">("four-words");
    const session = new Session(core, builds);
    const first = session.compute(config);
    expect(first.all).toBe(true);
    const one = session.compute(edited(config, [{ node: "W_V", index: [0, 1], value: 9 }]));
    expect([one.all, names(one.snapshots)]).toEqual([false, ["V", "W_V", "output"]]);
    expect(one.snapshots.find(({ name }) => name === "W_V")!.edited).toEqual([[0, 1]]);
    const two = session.compute(
      edited(config, [
        { node: "W_V", index: [0, 1], value: 9 },
        { node: "X", index: [3, 0], value: -2 },
      ]),
    );
    expect(names(two.snapshots)).toEqual([
      "K",
      "K_T",
      "Q",
      "V",
      "X",
      "output",
      "scaled",
      "scores",
      "weights",
    ]);
    session.delete();
  });

  test("give the same numbers in place as a new graph, also when some are undone", () => {
    const config = configOf<"attention">("cat-on-the-mat", four);
    const session = new Session(core, builds);
    const now = new Map<string, Snapshot>();
    const stops: Edit[][] = [
      [],
      [{ node: "W_Q", index: [0, 0], value: 5 }],
      [
        { node: "W_Q", index: [0, 0], value: 5 },
        { node: "W_Q", index: [1, 1], value: 0.1 },
        { node: "X", index: [2, 3], value: 1e3 },
      ],
      [
        { node: "W_Q", index: [1, 1], value: 0.1 },
        { node: "X", index: [2, 3], value: 4 },
      ],
      [
        { node: "X", index: [2, 3], value: 4 },
        { node: "X", index: [2, 3], value: 7 },
      ],
      [],
    ];
    for (const edits of stops) {
      for (const snapshot of session.compute(edited(config, edits)).snapshots)
        now.set(snapshot.name, snapshot);
      const { snapshots } = computed(edited(config, edits));
      for (const [name, snapshot] of snapshots) {
        expect([name, ...now.get(name)!.data]).toEqual([name, ...snapshot.data]);
        expect([name, now.get(name)!.edited]).toEqual([name, snapshot.edited]);
      }
    }
    session.delete();
  });

  test("of one leaf, however many, evaluate its dependents once", () => {
    const config = configOf<"multi-head">("two-heads", {
      source: "draw",
      length: 64,
      dim: 512,
      heads: 8,
      keyDim: 64,
      valueDim: 64,
    });
    const edits = Array.from({ length: 4096 }, (_, place) => ({
      node: place % 2 ? "W_Q" : "x",
      index: place % 2 ? [place >> 9, place & 511] : [0, place >> 9, place & 511],
      value: place,
    }));
    const sets: string[] = [];
    const counting = Object.create(core) as typeof core;
    counting.graph = (options) => {
      const graph = core.graph(options);
      const set = graph.set.bind(graph);
      graph.set = (node, tensor) => (sets.push(String(node)), set(node, tensor));
      graph.setCell = () => expect.unreachable("cells are set together");
      return graph;
    };
    const session = new Session(counting, builds);
    const all = session.compute({ ...config, numbers: { ...config.numbers, edits } } as Config);
    expect([all.error, sets]).toEqual([undefined, ["x", "W_Q"]]);
    const counts = Object.fromEntries(all.snapshots.map(({ name, edited }) => [name, edited.length]));
    expect([counts["x"], counts["W_Q"], counts["Q"]]).toEqual([2048, 2048, 0]);
    const fewer = edits.slice(0, -2).map((edit) => ({ ...edit, value: -edit.value }));
    session.compute({ ...config, numbers: { ...config.numbers, edits: fewer } } as Config);
    expect(sets).toEqual(["x", "W_Q", "x", "W_Q"]);
    session.delete();
  });

  test("a refused Config leaves the graph unchanged, also if part of it was already applied", () => {
    const config = configOf<"attention">("four-words");
    const session = new Session(core, builds);
    session.compute(config);
    const before = session.explain("output", [0, 0]);
    const bad = session.compute(
      edited(config, [
        { node: "X", index: [0, 0], value: 5 },
        { node: "X", index: [9, 9], value: 1 },
      ]),
    );
    expect(bad.error).toMatch(/9/);
    expect(bad.snapshots).toEqual([]);
    expect(session.explain("output", [0, 0])).toEqual(before);
    const huge = session.compute(
      configOf<"multi-head">("two-heads", {
        source: "draw",
        batch: 16,
        length: 64,
        dim: 512,
        heads: 16,
        keyDim: 128,
        valueDim: 128,
      }),
    );
    expect(huge.error).toMatch(/134217728|128/);
    expect(session.explain("output", [0, 0])).toEqual(before);
    session.delete();
  });

  test("a thousand computations leave no handle behind", () => {
    const handles = core.liveHandles;
    const session = new Session(core, builds);
    for (let seed = 0; seed < 300; seed += 1)
      session.compute(configOf<"attention">("cat-on-the-mat", { seed }));
    for (let seed = 0; seed < 5; seed += 1)
      session.compute(configOf<"multi-head">("two-heads", { dim: 7, seed }));
    session.delete();
    expect(core.liveHandles).toBe(handles);
  });
});

describe("positions", () => {
  test("the shift matrix moves every row by k positions", () => {
    const { snapshots } = computed(
      configOf<"positions">("fifty-positions", { encoding: "shift", dim: 16, length: 20, offset: 3 }),
    );
    const [product, later] = [snapshots.get("M_PE_p")!, snapshots.get("PE_pk")!];
    product.data.forEach((value, place) => expect(value).toBeCloseTo(later.data[place]!, 12));
  });

  test("the similarity of two rows of sinusoids is the sum of cosines of their distance", () => {
    const { snapshots } = computed(configOf<"positions">("fifty-positions", { dim: 16, length: 20 }));
    const rows = rowsOf(snapshots.get("similarity")!);
    for (const [p, row] of rows.entries()) {
      for (const [q, value] of row.entries()) {
        const sum = Array.from({ length: 8 }, (_, i) => Math.cos((p - q) / 10000 ** ((2 * i) / 16)));
        expect(value).toBeCloseTo(
          sum.reduce((total, one) => total + one),
          12,
        );
      }
    }
  });

  test("PE_0, PE_4 and the inputs of document 004", () => {
    const { snapshots } = computed(configOf("pe-0-and-4"));
    expect(rowsOf(snapshots.get("input")!)[1]!.map((value) => value.toFixed(4))).toEqual([
      "0.2432",
      "-0.1536",
      "0.8400",
      "1.2992",
    ]);
  });

  test("one typed vector is rotated at every position, without changing its length", () => {
    const { snapshots } = computed(
      configOf<"positions">("fifty-positions", { encoding: "rotary", dim: 4, length: 6, x: [[3, 4, 0, 2]] }),
    );
    expect(rowsOf(snapshots.get("rows")!)).toEqual(Array.from({ length: 6 }, () => [3, 4, 0, 2]));
    for (const [a, b] of rowsOf(snapshots.get("rotated")!)) expect(Math.hypot(a!, b!)).toBeCloseTo(5, 12);
  });

  test("every encoding computes at every width that it allows", () => {
    for (const encoding of ["sinusoidal", "absolute", "learned", "rotary", "alibi", "shift"] as const) {
      for (const dim of [2, 8, 512]) {
        const { snapshots } = computed(
          configOf<"positions">("fifty-positions", { encoding, dim, length: 5, positions: null }),
        );
        expect(snapshots.size).toBeGreaterThan(0);
      }
    }
  });
});

describe("vit", () => {
  test("pixels become -1 to 1, and a patch is its pixels by channel, row, column", () => {
    const { snapshots } = computed(configOf("face"));
    const image = snapshots.get("image")!;
    const normalised = snapshots.get("normalised")!;
    image.data.forEach((value, place) => expect(normalised.data[place]).toBe((2 * value) / 255 - 1));
    const [, size] = image.shape as [number, number, number];
    const patches = rowsOf(snapshots.get("patches")!);
    const side = 4;
    for (const [patch, channel, y, x] of [
      [0, 0, 0, 0],
      [9, 2, 3, 1],
      [63, 1, 3, 3],
    ] as const) {
      const perLine = size / side;
      const row = Math.floor(patch / perLine) * side + y;
      const column = (patch % perLine) * side + x;
      expect(patches[patch]![channel * side * side + y * side + x]).toBe(
        normalised.data[(channel * size + row) * size + column],
      );
    }
  });

  test("a column of the projection is the kernel of a convolution whose stride is the patch size", () => {
    const config = configOf<"vit">("harbour", { compare: "projection", size: 32, patch: 8, dim: 4 });
    const { snapshots } = computed(config);
    const at = (node: string, ...index: number[]): number => {
      const { shape, data } = snapshots.get(node)!;
      return data[index.reduce((place, one, axis) => place * shape[axis]! + one, 0)]!;
    };
    for (const [patch, kernel] of [
      [0, 0],
      [6, 3],
      [15, 1],
    ] as const) {
      let sum = 0;
      for (let c = 0; c < 3; c += 1)
        for (let y = 0; y < 8; y += 1)
          for (let x = 0; x < 8; x += 1)
            sum +=
              at("normalised", c, Math.floor(patch / 4) * 8 + y, (patch % 4) * 8 + x) *
              at("kernels", kernel, c, y, x);
      expect(at("projected", patch, kernel)).toBeCloseTo(sum, 10);
    }
    const wide = computed(
      configOf<"vit">("harbour", { compare: "projection", patch: 32, dim: 512 }),
    ).snapshots;
    expect([wide.has("kernels"), wide.has("projected")]).toEqual([false, true]);
  });

  test("a projected image has CLS first and its positions added", () => {
    const { snapshots } = computed(configOf("letter"));
    const at = (node: string) => rowsOf(snapshots.get(node)!);
    expect(at("joined")[0]).toEqual(at("CLS")[0]);
    expect(at("joined").slice(1)).toEqual(at("tokens"));
    at("sequence").forEach((row, place) =>
      row.forEach((value, column) =>
        expect(value).toBe(at("joined")[place]![column]! + at("position")[place]![column]!),
      ),
    );
    expectClose(
      snapshots.get("tokens")!.data,
      core.matmul(snapshots.get("patches")!, snapshots.get("W_E")!).data,
    );
  });

  test("an edited pixel changes the output, and so does an edited bias", () => {
    const plain = computed(configOf("letter")).snapshots.get("output")!.data;
    for (const edit of [
      { node: "image", index: [0, 3, 3], value: 7 },
      { node: "b_E", index: [2], value: 3 },
      { node: "position", index: [0, 0], value: 3 },
    ]) {
      expect(
        computed(configOf<"vit">("letter", { edits: [edit] })).snapshots.get("output")!.data,
      ).not.toEqual(plain);
    }
  });
});

describe("positions made for another size", () => {
  // Positions drawn by numpy.random.RandomState(0) after W_E and CLS, as the lab draws them; all but the first row through
  // torch.nn.functional.interpolate(grid, size=(G, G), mode=mode, align_corners=False) in float64.
  const cases = [
    {
      size: 64,
      positionSize: 32,
      interpolation: "bicubic",
      rows: [
        [0, [0.0219370085955, 0.989608077477, -0.443375326163]],
        [1, [0.541947045944, -0.687556205101, -0.468632867098]],
        [6, [0.249401880397, -0.399612206373, 0.0536258802648]],
        [11, [-0.10774888227, -0.000301345043713, 0.162051720415]],
        [16, [-0.248886785675, 0.1966321307, -0.228547078193]],
      ],
    },
    {
      size: 64,
      positionSize: 32,
      interpolation: "bilinear",
      rows: [
        [0, [0.0219370085955, 0.989608077477, -0.443375326163]],
        [6, [0.230912897865, -0.380585878242, 0.0774606096185]],
        [15, [-0.164918959539, -0.0184132724604, 0.0434996844666]],
      ],
    },
    {
      size: 32,
      positionSize: 64,
      interpolation: "bicubic",
      rows: [
        [0, [0.0219370085955, 0.989608077477, -0.443375326163]],
        [1, [0.00472807286263, 0.411174221386, 0.0568418544004]],
        [4, [0.597851808987, -0.309280820967, -0.351279856283]],
      ],
    },
  ] as const;

  test.each(cases)(
    "are interpolated as PyTorch does: $positionSize to $size, $interpolation",
    ({ rows, ...given }) => {
      const numbers = { ...given, compare: "projection", cls: true, patch: 16, dim: 3, seed: 0 } as const;
      const { snapshots } = computed(configOf<"vit">("harbour", numbers));
      const [positions, joined, sequence] = ["positions", "joined", "sequence"].map((node) =>
        rowsOf(snapshots.get(node)!),
      ) as [number[][], number[][], number[][]];
      expect(positions).toHaveLength((given.size / 16) ** 2 + 1);
      for (const [row, expected] of rows)
        expected.forEach((value, column) => expect(positions[row]![column]).toBeCloseTo(value, 11));
      sequence.forEach((row, at) =>
        row.forEach((value, column) => expect(value).toBe(joined[at]![column]! + positions[at]![column]!)),
      );
    },
  );

  test("do not change for an image of their own size", () => {
    const numbers = { compare: "projection", cls: true, dim: 4 } as const;
    const of = (more: Partial<NumbersOf["vit"]>) =>
      computed(configOf<"vit">("harbour", { ...numbers, ...more })).snapshots;
    const same = of({ positionSize: 64, interpolation: "bilinear" });
    expect(same.get("output")!.data).toEqual(of({}).get("output")!.data);
    expect(same.has("stretched")).toBe(false);
  });

  test("are a product of interpolation weights, and each weight one of a row and a column", () => {
    const config = configOf<"vit">("harbour-resized");
    const session = sessionOf(config);
    try {
      session.compute(config as Config);
      const seen = (node: string, index: number[]) => session.explain(node, index);
      expect(seen("stretched", [4, 4, 1])).toMatchObject({ op: "matmul" });
      expect(seen("interpolation", [4, 4, 1, 2])).toMatchObject({ op: "interpolation_matrix" });
      expect(seen("positions", [0, 1]).rows[0]!.operands[0]).toMatchObject({
        node: "position",
        index: [0, 1],
      });
    } finally {
      session.delete();
    }
  });
});

describe("the memory of the multi-head lab", () => {
  const sizes = fc.record({
    source: fc.constantFrom("draw" as const, "words" as const),
    mask: fc.constantFrom("none" as const, "causal" as const),
    length: fc.integer({ min: 1, max: 4 }),
    batch: fc.integer({ min: 1, max: 3 }),
    dim: fc.integer({ min: 1, max: 6 }),
    heads: fc.integer({ min: 1, max: 3 }),
    keyDim: fc.integer({ min: 1, max: 4 }),
    valueDim: fc.integer({ min: 1, max: 4 }),
  });
  const numbersOf = (change: Partial<NumbersOf["multi-head"]>): NumbersOf["multi-head"] => ({
    ...configOf<"multi-head">("two-heads").numbers,
    ...change,
  });

  test("is known before anything is drawn: the core accepts that limit, and no smaller one", () => {
    fc.assert(
      fc.property(sizes, (change) => {
        expectExactMemory(numbersOf(change));
      }),
      { numRuns: 60 },
    );
  });

  test("above the limit is refused before any draw, with a message that names the setting to lower", () => {
    const random = vi.spyOn(core, "randomState");
    const numbers = numbersOf({
      source: "draw",
      length: 64,
      batch: 16,
      dim: 512,
      heads: 16,
      keyDim: 128,
      valueDim: 128,
      run: 16,
    });
    const config = { ...configOf<"multi-head">("two-heads"), example: null, numbers };
    const session = new Session(core, builds);
    const { error } = session.compute(config as Config);
    expect(error).toMatch(
      /^multi-head: batch is 16, expected at most \d+ with the other sizes as they are: its tensors need \d+\.\d MB, the limit is 128\.0 MB\.$/,
    );
    expect(random).not.toHaveBeenCalled();
    random.mockRestore();
    // This many fit, and one more does not.
    const most = Number(/at most (\d+)/.exec(error!)![1]);
    const { shared, each } = bytesNeeded(numbers);
    expect(shared + most * each).toBeLessThanOrEqual(2 ** 27);
    expect(shared + (most + 1) * each).toBeGreaterThan(2 ** 27);
    session.delete();
  });
});

const rows = (name: string): string => Array.from({ length: 64 }, (_, at) => `${name}${at}`).join(",");

// The number of heads alone can be too large, and is refused before any draw.
test.each([
  `lab=attention&tokens=${rows("a")}&memory=${rows("b")}&dim=512&dk=128&dv=128&score=additive`,
  "lab=positions&encoding=alibi&length=512&heads=16",
  "lab=positions&encoding=rotary&length=512&dim=512",
  "lab=positions&encoding=learned&length=512&dim=512",
  "lab=vit&size=64&patch=2&dim=512&heads=8",
  `lab=block&tokens=${rows("a")}&dim=512&heads=16&ff=1024`,
])("the largest numbers of a lab are within what it may hold: %.60s", (link) => {
  const { config, notices } = decode(link);
  expect(notices).toEqual([]);
  expect(() => computed(config)).not.toThrow();
});
