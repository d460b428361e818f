// Common mistakes get messages that name the mistake; attention can leave out its weights; forged objects are refused.
import { describe, expect, test } from "vitest";
import { masks, type Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

type Loose = Record<string, (...given: unknown[]) => unknown>;
const loose = (): Loose => core as unknown as Loose;

const x = { shape: [2, 2], data: Float64Array.of(1, 0, 0, 1) };

describe("messages", () => {
  test("a nested list is not accepted as a mask", () => {
    const nested = [
      [1, 0],
      [1, 1],
    ];
    const expected = "mask is […, …], expected a tensor { shape, data }";
    expect(() => loose()["scaledDotProductAttention"]!(x, x, x, { mask: nested })).toThrow(
      `scaledDotProductAttention: ${expected}`,
    );
    expect(() => loose()["mask"]!(x, nested)).toThrow(`mask: ${expected}`);
    const parameters = { wQ: x, wK: x, wV: { shape: [2], data: Float64Array.of(1, 1) } };
    expect(() => loose()["additiveAttention"]!(x, x, x, parameters, { mask: nested })).toThrow(
      `additiveAttention: ${expected}`,
    );
  });

  test("only a boolean mask has a fill", () => {
    const mask = { ...x, fill: -1e9 };
    expect(() => core.scaledDotProductAttention(x, x, x, { mask })).toThrow(
      "scaledDotProductAttention: mask.fill is -1000000000, expected none, for only a boolean mask has one",
    );
  });

  test("the error for data of another type names both precisions", () => {
    for (const [data, shown] of [
      [[1, 0, 0, 1], "[1, 0, 0, 1]"],
      [new Int8Array(4), "an Int8Array"],
    ] as const)
      expect(() => core.softmax({ shape: [2, 2], data } as unknown as Tensor<Float64Array>)).toThrow(
        `softmax: x.data is ${shown}, expected a Float64Array or a Float32Array`,
      );
  });

  test("a shape alone is not accepted as options", () => {
    expect(() => loose()["reshape"]!(x, [4])).toThrow(
      "reshape: options is [4], expected an object { shape }",
    );
  });

  test("a state_dict is refused under its method's name", () => {
    const parameters = core.parameters();
    parameters.add("w", x);
    expect(() => parameters.loadStateDict({})).toThrow(
      'loadStateDict: "w" is missing, expected every parameter',
    );
    expect(() => parameters.loadStateDict({ v: x })).toThrow('loadStateDict: name is "v"');
    parameters.delete();
  });

  test("a forged object is not accepted as a node or parameters", () => {
    const graph = core.graph();
    const node = graph.leaf("x", x);
    const forged = Object.create(Object.getPrototypeOf(node) as object) as typeof node;
    expect(() => graph.value(forged)).toThrow(
      "value: node is an Object, expected a node of this graph or its name",
    );
    expect(() => graph.softmax(forged)).toThrow("softmax: x is an Object, expected a tensor { shape, data }");
    const random = core.randomState(1);
    const parameters = core.parameters();
    const sgd = core.sgd();
    const like = <Thing extends object>(thing: Thing): Thing =>
      Object.create(Object.getPrototypeOf(thing) as object) as Thing;
    expect(() => graph.draw("y", like(random), "randn", { shape: [2] })).toThrow("draw: random is an Object");
    expect(() => graph.stateDict(like(parameters))).toThrow("stateDict: parameters is an Object");
    expect(() => sgd.step(like(graph))).toThrow("step: parameters is an Object");
    for (const owned of [graph, random, parameters, sgd]) owned.delete();
  });

  test("absent properties of a node do not exist", () => {
    const graph = core.graph();
    expect(Object.keys(graph.leaf("x", x))).toEqual(["id", "name", "shape", "op", "dataType"]);
    expect(graph.leaf("m", masks.fromFill(core.tensor([[true]]), -1e9)).fill).toBe(-1e9);
    graph.delete();
  });
});

describe("attention without its weights", () => {
  test("has the same output, and returns no weights", () => {
    const mask = core.tensor([
      [true, false],
      [true, true],
    ]);
    for (const options of [{}, { mask }, { isCausal: true, temperature: 2 }, { scale: "none" as const }]) {
      const whole = core.scaledDotProductAttention(x, x, x, options);
      const alone = core.scaledDotProductAttention(x, x, x, { ...options, needWeights: false });
      expect(Object.keys(alone)).toEqual(["output"]);
      whole.output.data.forEach((value, place) => expect(alone.output.data[place]).toBeCloseTo(value, 14));
      expect(core.scaledDotProductAttention(x, x, x, { ...options, needWeights: true })).toEqual(whole);
    }
    const projections = { wQ: x, wK: x, wV: x, wO: x };
    const heads = core.multiHeadAttention(x, x, x, projections, { numHeads: 2, needWeights: false });
    expect(Object.keys(heads)).toEqual(["output"]);
    const { output } = core.multiHeadAttention(x, x, x, projections, { numHeads: 2 });
    heads.output.data.forEach((value, place) => expect(value).toBeCloseTo(output.data[place]!, 14));
    expect(() => loose()["scaledDotProductAttention"]!(x, x, x, { needWeights: 1 })).toThrow(
      "scaledDotProductAttention: needWeights is 1, expected true or false",
    );
  });

  test("allocates no L x S matrix: with 16384 queries and keys the weights alone would take 1 GB", () => {
    const rows = core.zeros([16384, 1], "float32");
    expect(() => core.scaledDotProductAttention(rows, rows, rows)).toThrow(/: needs .* the limit is 512/);
    const before = core.memoryBytes;
    const { output } = core.scaledDotProductAttention(rows, rows, rows, { needWeights: false });
    expect(output.shape).toEqual([16384, 1]);
    expect(core.memoryBytes - before).toBeLessThan(32 * 2 ** 20);
  });
});

describe("a Vision Transformer", () => {
  const sizes = { dModel: 4, dFf: 8, numLayers: 1, imageSize: [4, 4], patchSize: 2, numClasses: 3 } as const;

  test.each([{ batch: [] as number[] }, { batch: [2] }])(
    "reads class token and positions in torchvision's shapes, $batch",
    ({ batch }) => {
      const parameters = core.parameters();
      parameters.draw("visionTransformer", sizes, 5);
      const tensors = parameters.stateDict();
      const image = {
        shape: [...batch, 3, 4, 4],
        data: new Float64Array(48 * (batch[0] ?? 1)).map((_, i) => i % 7),
      };
      const logits = (given: typeof tensors) => {
        const graph = core.graph();
        try {
          return graph.value(graph.visionTransformer(image, given, { numHeads: 2, numLayers: 1 }).logits);
        } finally {
          graph.delete();
        }
      };
      const theirs = {
        ...tensors,
        class_token: { ...tensors["class_token"]!, shape: [1, 1, 4] },
        pos_embedding: { ...tensors["pos_embedding"]!, shape: [1, 5, 4] },
      };
      expect(logits(theirs)).toEqual(logits(tensors));
      expect(() => logits({ ...theirs, class_token: { ...tensors["class_token"]!, shape: [4, 1] } })).toThrow(
        "patch_embedding: cls has shape (4, 1), expected (4,)",
      );
      parameters.delete();
    },
  );
});
