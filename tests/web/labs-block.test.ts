// The block lab's numbers against the same layer written out in plain arithmetic, from the leaves that the lab shows.
import { describe, expect, test } from "vitest";
import { parameterCount, parameterShapes, type BlockNumbers } from "../../web/config/labs/block.js";
import { repairNumbers } from "../../web/config/rules.js";
import { problems } from "../../web/config/validate.js";
import { wordsIn } from "../../web/i18n/words.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { layerNodes, pathPlaces } from "../../web/labs/block/path.js";
import type { TransformerSession } from "../../web/session/worker/transformer-session.js";
import { isRefused } from "../../web/telling/typed-values.js";
import { computed, configOf, golden, labs, sessionOf } from "./labs-sessions.js";

const lab = labs.block;
const en = wordsIn("en");

type Rows = number[][];

const rowsOf = (snapshots: Snapshots, node: string): Rows => {
  const { shape, data } = snapshots.get(node)!;
  const width = shape.at(-1)!;
  return Array.from({ length: data.length / width }, (_, row) => [
    ...data.slice(row * width, (row + 1) * width),
  ]);
};
/** x W^T + b, as torch.nn.Linear. */
const linear = (x: Rows, weight: Rows, bias: number[]): Rows =>
  x.map((row) => weight.map((out, at) => out.reduce((sum, w, i) => sum + w * row[i]!, bias[at]!)));
const add = (a: Rows, b: Rows): Rows => a.map((row, i) => row.map((value, j) => value + b[i]![j]!));

/** The error function to 1e-15, by its series. */
function erf(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** torch.nn.TransformerEncoderLayer on the words of the lab, in plain arithmetic; layer norm by n or n - 1. */
function reference(snapshots: Snapshots, numbers: BlockNumbers): Record<string, Rows> {
  const { tokens, dim, heads, activation, norm, unbiased, causal = false, positions = -1 } = numbers;
  const leaf = (node: string): Rows => rowsOf(snapshots, node);
  const vocabulary = [...new Set(tokens)];
  const table = leaf("E");
  const x = tokens.map((token, position) =>
    table[vocabulary.indexOf(token)]!.map((value, column) => {
      const angle = position / 10000 ** ((column - (column % 2)) / dim);
      const sines = column % 2 ? Math.cos(angle) : Math.sin(angle);
      const learned = positions > 0 ? leaf("P")[position]![column]! : 0;
      return value * Math.sqrt(dim) + (positions < 0 ? sines : learned);
    }),
  );
  const layerNorm = (rows: Rows, which: number): Rows =>
    rows.map((row) => {
      const mean = row.reduce((sum, value) => sum + value, 0) / dim;
      const squares = row.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      const deviation = Math.sqrt(squares / (unbiased ? dim - 1 : dim) + 1e-5);
      return row.map(
        (value, at) =>
          ((value - mean) / deviation) * leaf(`norm${which}.weight`)[0]![at]! +
          leaf(`norm${which}.bias`)[0]![at]!,
      );
    });
  const attention = (rows: Rows): Rows => {
    const weight = leaf("self_attn.in_proj_weight");
    const bias = leaf("self_attn.in_proj_bias")[0]!;
    const [q, k, v] = [0, 1, 2].map((part) =>
      linear(rows, weight.slice(part * dim, (part + 1) * dim), bias.slice(part * dim, (part + 1) * dim)),
    ) as [Rows, Rows, Rows];
    const width = dim / heads;
    const joined = q.map((query, word) =>
      query.map((_, column) => {
        const from = column - (column % width);
        const scores = k
          .slice(0, causal ? word + 1 : k.length)
          .map(
            (key) =>
              key.slice(from, from + width).reduce((sum, value, at) => sum + value * query[from + at]!, 0) /
              Math.sqrt(width),
          );
        const all = scores.reduce((sum, score) => sum + Math.exp(score), 0);
        return scores.reduce((sum, score, j) => sum + (Math.exp(score) / all) * v[j]![column]!, 0);
      }),
    );
    return linear(joined, leaf("self_attn.out_proj.weight"), leaf("self_attn.out_proj.bias")[0]!);
  };
  const bend = (value: number): number =>
    activation === "relu" ? Math.max(0, value) : (value * (1 + erf(value / Math.SQRT2))) / 2;
  const network = (rows: Rows): Rows =>
    linear(
      linear(rows, leaf("linear1.weight"), leaf("linear1.bias")[0]!).map((row) => row.map(bend)),
      leaf("linear2.weight"),
      leaf("linear2.bias")[0]!,
    );
  if (norm === "post") {
    const residual1 = add(x, attention(x));
    const norm1 = layerNorm(residual1, 1);
    const residual2 = add(norm1, network(norm1));
    return { x, residual1, norm1, residual2, norm2: layerNorm(residual2, 2) };
  }
  const norm1 = layerNorm(x, 1);
  const residual1 = add(x, attention(norm1));
  const norm2 = layerNorm(residual1, 2);
  return { x, norm1, residual1, norm2, residual2: add(residual1, network(norm2)) };
}

const expectClose = (got: ArrayLike<number>, wanted: readonly number[], off = 1e-12): void => {
  expect(got.length).toBe(wanted.length);
  wanted.forEach((value, at) => expect(Math.abs(got[at]! - value)).toBeLessThanOrEqual(off));
};

describe("the whole block", () => {
  for (const norm of ["post", "pre"] as const)
    for (const activation of ["relu", "gelu"] as const)
      for (const unbiased of [false, true])
        test(`${norm}-norm with ${activation}, by ${unbiased ? "n - 1" : "n"}`, () => {
          const config = configOf<"block">("one-block", { norm, activation, unbiased, dim: 6, heads: 3 });
          const { snapshots } = computed(config);
          const wanted = reference(snapshots, config.numbers);
          for (const [node, rows] of Object.entries(wanted))
            expectClose(snapshots.get(node)!.data, rows.flat());
          const path = Object.values(wanted);
          const deviations = snapshots.get("deviations")!;
          expect(deviations.shape).toEqual([6, 5]);
          path.forEach((rows, place) =>
            rows.forEach((row, at) => {
              const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
              const squares = row.reduce((sum, value) => sum + (value - mean) ** 2, 0);
              expectClose([deviations.data[at * 5 + place]!], [Math.sqrt(squares / row.length)]);
              expectClose([snapshots.get("means")!.data[at * 5 + place]!], [mean]);
            }),
          );
        });

  const words = [...new Set(configOf<"block">("one-block").numbers.tokens)];
  test.each([
    ["words that look back", { causal: true }],
    ["words without positions", { positions: 0 }],
    ["learned positions, and words that look back", { causal: true, positions: 7, vocabulary: words }],
  ] as const)("%s", (_name, other) => {
    const given = configOf<"block">("one-block", { ...other, norm: "pre" } as Partial<BlockNumbers>);
    const { numbers } = given;
    const drawn = Array.from({ length: parameterCount(numbers) }, (_, at) => Math.sin(at * at));
    const config = numbers.vocabulary ? { ...given, numbers: { ...numbers, parameters: [drawn] } } : given;
    const { snapshots } = computed(config);
    for (const [node, rows] of Object.entries(reference(snapshots, config.numbers)))
      expectClose(snapshots.get(node)!.data, rows.flat());
  });

  test("the gradient of words that look back is that of the last one, which depends on all", () => {
    const { snapshots } = computed(configOf<"block">("one-block", { causal: true, layers: 2 }));
    const gradients = rowsOf(snapshots, "gradients").slice(0, 6);
    expect(gradients.map((row) => row.some((number) => number !== 0))).toEqual(Array(6).fill(true));
  });

  test("dropout sets numbers to 0 and divides the others by 1 - p; another seed drops others", () => {
    const at = (seed: number) => computed(configOf<"block">("one-block", { dropout: 0.5, seed })).snapshots;
    const one = at(7);
    for (const [dropped, whole] of [
      ["dropped", "x"],
      ["self_attn.dropped", "self_attn.weights"],
      ["dropout1", "self_attn.output"],
      ["dropout", "activation"],
      ["dropout2", "linear2"],
    ] as const) {
      const before = one.get(whole)!.data;
      const after = one.get(dropped)!.data;
      const zeros = after.filter((value) => value === 0).length;
      expect(zeros).toBeGreaterThan(0);
      expect(zeros).toBeLessThan(after.length);
      after.forEach((value, i) => expect(value === 0 || value === 2 * before[i]!).toBe(true));
    }
    expect(at(8).get("dropout1")!.data).not.toEqual(one.get("dropout1")!.data);
    expect(at(7).get("norm2")!.data).toEqual(one.get("norm2")!.data);
  });
});

// Row 1 of the output, and the norms of the gradient of its first number with respect to what each layer reads. PyTorch in float64 computed
// them from the leaves of the lab, with the layers composed by hand of linear, softmax, relu, gelu and layer_norm: its own layers always
// have the residual connection and the norm. The gradients are those of torch.autograd.grad.
const references: readonly [numbers: Partial<BlockNumbers>, row: number[], gradients: number[]][] = [
  [
    { layers: 3 },
    [-0.054485404763444184, 1.2913502489078068, 0.2660147268054643, -1.5028795709498268],
    [1.7250256957119574, 0.7729927183023593, 0.861420767683894],
  ],
  [
    { layers: 3, norm: "pre", activation: "gelu", seed: 4294967295 },
    [1.1665302234602115, 1.0722615430410645, 0.8865576678282749, 2.5654330610337723],
    [1.6724197057255445, 1.6399134890498168, 1.101765181741901],
  ],
  [
    { layers: 3, residual: false },
    [-0.09084046723439913, 1.6494618449194387, -0.9428134659281583, -0.6158079117568817],
    [0.40052887026106687, 0.08246735633906518, 0.16975816547016465],
  ],
  [
    { layers: 3, residual: false, norm: "pre" },
    [-0.04823540097860737, 0.17444618062494002, -0.14978186122709955, -0.09726180713383169],
    [0.028827080236529957, 0.053981814451829986, 0.08142138504642608],
  ],
  [
    { layers: 3, layerNorm: false },
    [-0.3654189916463648, 0.5844574272469167, 0.2565254750417244, -0.05993378537980307],
    [0.938037801495474, 0.9664250189220114, 0.9625867199691887],
  ],
  [
    { layers: 6, residual: false, layerNorm: false },
    [-0.2134063361045838, 0.6843138019072251, 0.17104322613152, 0.3971464143147609],
    [
      5.457659312851362e-9, 1.4187664896237293e-7, 2.1971984656694255e-6, 6.483820083010559e-5,
      0.004769465350009843, 0.04077263536798141,
    ],
  ],
  [
    { scaleEmbedding: false },
    [1.3470408994224699, 0.5225490615830212, -0.6478328629632817, -1.2217570980422092],
    [],
  ],
];

describe("a stack of layers", () => {
  test.each(references)("%o has PyTorch's output and gradients", (numbers, row, gradients) => {
    const config = configOf<"block">("one-block", numbers);
    const { snapshots } = computed(config);
    const { output } = layerNodes(config.numbers, (numbers.layers ?? 1) - 1);
    expectClose(snapshots.get(output)!.data.slice(4, 8), row);
    const norms = snapshots.get("gradient_norms")?.data ?? [];
    expectClose(norms, gradients, 1e-14 * Math.max(1, ...gradients));
    gradients.forEach((wanted, at) => expect(Math.abs(norms[at]! / wanted - 1)).toBeLessThan(1e-12));
    // The path runs from the words through every layer.
    const places = pathPlaces(config.numbers);
    expect(snapshots.get("deviations")!.shape).toEqual([6, places.length]);
    places.forEach(({ node }, place) =>
      rowsOf(snapshots, node).forEach((one, at) => {
        const mean = one.reduce((sum, value) => sum + value, 0) / one.length;
        expectClose([snapshots.get("means")!.data[at * places.length + place]!], [mean]);
      }),
    );
  });

  test("its first layer has the names and numbers of the one layer", () => {
    const one = computed(configOf<"block">("one-block")).snapshots;
    const six = computed(configOf<"block">("one-block", { layers: 6, layer: 4 })).snapshots;
    const measured = /^(path|path_squares|means|variances|deviations)$/;
    for (const [name, { data }] of one)
      if (!measured.test(name)) expect(six.get(name)?.data, name).toEqual(data);
    expect(six.get("layers.1.linear1.weight")!.data).not.toEqual(one.get("linear1.weight")!.data);
    // The second layer has what one layer of the next seed has.
    const next = computed(configOf<"block">("one-block", { seed: 8 })).snapshots;
    expect(six.get("layers.1.linear1.weight")!.data).toEqual(next.get("linear1.weight")!.data);
  });

  test("its gradients follow an edit, and the same Config is computed once", () => {
    const edits = [{ node: "layers.1.linear1.weight", index: [0, 0], value: 3 }];
    const config = configOf<"block">("one-block", { layers: 2 });
    const edited = configOf<"block">("one-block", { layers: 2, edits });
    const session = sessionOf(config) as TransformerSession;
    try {
      session.compute(config);
      const norms = (): number[] => {
        const { snapshots, error } = session.compute(edited);
        expect(error).toBeUndefined();
        return [...(snapshots.find(({ name }) => name === "gradient_norms")?.data ?? [])];
      };
      const after = norms();
      expect(after).toEqual([...computed(edited).snapshots.get("gradient_norms")!.data]);
      expect(after).not.toEqual([...computed(config).snapshots.get("gradient_norms")!.data]);
      expect(norms()).toEqual([]);
      // What the stage shows as the gradient of that number is the same.
      const gradients = session.gradients(edited, { node: "layers.1.norm2", index: [1, 0] });
      const { data } = gradients.find(({ name }) => name === "x")!;
      expect([...data]).toEqual([...computed(edited).snapshots.get("gradients")!.data.slice(0, data.length)]);
    } finally {
      session.delete();
    }
  });

  test("dropout in each layer has draws of its own", () => {
    const { snapshots } = computed(configOf<"block">("one-block", { layers: 2, dropout: 0.5 }));
    const zeros = (node: string): boolean[] => [...snapshots.get(node)!.data].map((value) => value === 0);
    expect(zeros("layers.1.dropout1")).not.toEqual(zeros("dropout1"));
  });
});

// torch.nn.functional.gelu of -1, -0.5, 0.5, 1 and torch.softmax of [x, 1, 0], x = -4, 0, 4, in float64.
test("the curves are PyTorch's", () => {
  const { snapshots } = computed(configOf<"block">("curves"));
  const at = (node: string, places: number[]) => places.map((place) => snapshots.get(node)!.data[place]!);
  expectClose(
    at("gelu", [6, 7, 9, 10]),
    [-0.15865525393145702, -0.15426876936299344, 0.34573123063700656, 0.841344746068543],
  );
  expect(at("relu", [0, 7, 8, 9, 16])).toEqual([0, 0, 0, 0.5, 4]);
  expectClose(at("shares", [0, 8, 16]), [0.004901689049672921, 0.21194155761708544, 0.9362395518765058]);
});

describe("layer norm alone", () => {
  test("gives the reference numbers of the heights by both rules, and not those of the text", () => {
    const { snapshots } = computed(configOf<"block">("heights"));
    expectClose(snapshots.get("biased")!.data, golden("layer_norm", "heights_biased")["y"]!.data);
    expectClose(snapshots.get("unbiased")!.data, golden("layer_norm", "heights_unbiased")["y"]!.data);
    expectClose(snapshots.get("variance")!.data, [200, 250]);
    // By its own rule each has deviation 1, but for the epsilon under the root; the text's has neither.
    const found = [...snapshots.get("row_deviations")!.data].map((value) => value.toFixed(3));
    expect(found).toEqual(["1.000", "1.118", "0.894", "1.000", "1.131", "1.265"]);
  });

  test("of one number is 0 by n, and no number by n - 1", () => {
    const { snapshots } = computed(configOf<"block">("heights", { x: [[7]], claim: null }));
    expect([...snapshots.get("biased")!.data]).toEqual([0]);
    expect([...snapshots.get("unbiased")!.data]).toEqual([NaN]);
  });
});

describe("given parameters", () => {
  const start = configOf<"block">("one-block");
  const words = { vocabulary: ["1", "2", "3"], tokens: ["3", "1"] };
  const count = parameterCount({ ...start.numbers, ...words });
  const parameters = [Array.from({ length: count }, (_, at) => at / 100)];
  const given: BlockNumbers = { ...start.numbers, ...words, parameters };

  test("are those of the leaves, one after the other", () => {
    const { snapshots } = computed({ ...start, numbers: given });
    const leaves = Object.keys(parameterShapes(given)).map((node) => [...snapshots.get(node)!.data]);
    expect(leaves.flat()).toEqual(parameters[0]);
    expect(rowsOf(snapshots, "embedded")[0]).toEqual(rowsOf(snapshots, "E")[2]!.map((x) => x * 2));
  });

  test("have learned positions between E and the layers, for so many words", () => {
    const size = { ...given, positions: 3 };
    const more = parameterCount(size);
    expect(more).toBe(count + 3 * given.dim);
    const all = Array.from({ length: more }, (_, at) => at / 100);
    const learned: BlockNumbers = { ...size, parameters: [all] };
    const { snapshots } = computed({ ...start, numbers: learned });
    expect(Object.keys(parameterShapes(learned)).slice(0, 2)).toEqual(["E", "P"]);
    expect([...snapshots.get("P")!.data]).toEqual(all.slice(3 * given.dim, 6 * given.dim));
    expect(rowsOf(snapshots, "PE")).toEqual(rowsOf(snapshots, "P").slice(0, 2));
    const [word, position, sum] = ["embedded", "PE", "x"].map((node) => rowsOf(snapshots, node)[1]!);
    expect(sum).toEqual(word!.map((number, at) => number + position![at]!));
    // A link with more words than learned positions, or without their parameters, is repaired.
    const known = learned.vocabulary!;
    const wrongs: [string, BlockNumbers][] = [
      ["tokens", { ...learned, tokens: [...known, known[0]!] }],
      ["positions", { ...start.numbers, positions: 3 }],
    ];
    for (const [field, wrong] of wrongs) {
      expect(problems("block", wrong).map((problem) => problem.field)).toContain(field);
      expect(problems("block", repairNumbers("block", wrong, start.numbers))).toEqual([]);
    }
    const long = lab.change(learned, "tokens", [...known, known[0]!].join(" "), en);
    expect(long).toEqual({ refused: expect.stringMatching(/expected 1 to 3 words, got 4/) });
    expect(lab.change(learned, "parameters", "drawn", en)).not.toHaveProperty("positions");
    expect(lab.change(learned, "positions", "none", en)).toHaveProperty("refused");
    expect(lab.change(start.numbers, "positions", "none", en)).toMatchObject({ positions: 0 });
    expect(lab.change({ ...start.numbers, positions: 0 }, "positions", "sines", en)).not.toHaveProperty(
      "positions",
    );
  });

  test("stay while the words change, and refuse layers of another size", () => {
    const set = (control: string, value: string): BlockNumbers | string => {
      const answer = lab.change(given, control, value, en);
      return isRefused(answer) ? answer.refused : answer;
    };
    expect(set("tokens", "2 3 3")).toEqual({ ...given, tokens: ["2", "3", "3"] });
    expect(set("tokens", "2133")).toEqual({ ...given, tokens: ["2", "1", "3", "3"] });
    expect(set("tokens", "4")).toBe("Words: expected one of 1, 2, 3, got 4.");
    expect(set("tokens", "12 45")).toBe("Words: expected one of 1, 2, 3, got 45.");
    expect(set("tokens", "1".repeat(65))).toMatch(/expected 1 to 64 words, got 65/);
    expect(set("tokens", "")).toMatch(/got 0/);
    // A model that reads letter by letter has spaces among its tokens.
    const letters: BlockNumbers = {
      ...given,
      vocabulary: ["a", "␣", "<begin>"],
      tokens: ["<begin>", "a", "␣", "a"],
    };
    const { controls } = lab.sentence({ ...start, numbers: letters }, en);
    const control = controls.find(({ id }) => id === "tokens");
    expect(control).toMatchObject({ value: "<begin>a␣a" });
    expect(lab.change(letters, "tokens", "<begin>a aa", en)).toEqual({
      ...letters,
      tokens: ["<begin>", "a", "␣", "a", "a"],
    });
    expect(set("norm", "pre")).toEqual({ ...given, norm: "pre" });
    for (const [control, value] of [
      ["dim", "8"],
      ["hidden", "9"],
      ["layers", "2"],
    ] as const)
      expect(set(control, value)).toMatch(
        /^Parameters: expected \d+ numbers for such layers, got \d+ trained/,
      );
  });

  test("of a layer like the paper's show the settings of a stack, so that each can be chosen back", () => {
    expect(lab.sentence({ ...start, numbers: given }, en).text).toContain("{scaleEmbedding}");
    const plainEmbedding = lab.change(given, "scaleEmbedding", "off", en) as BlockNumbers;
    expect(plainEmbedding).toEqual({ ...given, scaleEmbedding: false });
    expect(lab.change(plainEmbedding, "scaleEmbedding", "on", en)).toEqual(given);
  });

  test("give way to drawn ones, and take edits of them with them", () => {
    const edited = { ...given, edits: [{ node: "E", index: [2, 0], value: 1 }] };
    const answer = lab.change(edited, "parameters", "drawn", en) as BlockNumbers;
    expect(answer).toEqual({ ...start.numbers, tokens: given.tokens });
    expect(lab.change(edited, "parameters", "given", en)).toBe(edited);
  });

  test("stay in the link while layer norm alone is shown", () => {
    const norm: BlockNumbers = { ...given, part: "norm", x: [[1, 2]] };
    expect(problems("block", norm)).toEqual([]);
    expect(computed({ ...start, numbers: norm }).snapshots.has("E")).toBe(false);
  });

  test.each([
    [{ parameters: [[1, 2, 3]] }, "parameters"],
    [{ tokens: ["3", "4"] }, "tokens"],
    [{ vocabulary: ["3", "1", "3"] }, "vocabulary"],
    [{ vocabulary: undefined }, "parameters"],
    [{ positions: 3 }, "parameters"],
    [{ parameters: undefined }, "vocabulary"],
  ] as [Partial<BlockNumbers>, string][])(
    "of another size, for other words or without words are refused: %j",
    (other, field) => {
      const numbers = { ...given, ...other };
      expect(problems("block", numbers).map((problem) => problem.field)).toContain(field);
      expect(problems("block", repairNumbers("block", numbers, start.numbers))).toEqual([]);
    },
  );
});
