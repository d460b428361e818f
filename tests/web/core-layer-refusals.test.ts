// Bad calls of layers, models, optimizers, files and words, in both builds: a missing or misshapen parameter, an input of a wrong
// rank, invalid options. Each throws a plain Error, and nothing is kept.
import { describe, expect, test } from "vitest";
import { load, type Core, type Tensor } from "../../web/core/index.js";

// Values that JavaScript can pass whatever the types say.
type Loose = Record<string, (...given: unknown[]) => unknown>;

const cells = (shape: number[]) => shape.reduce((product, size) => product * size, 1);
const zeros = (...shape: number[]): Tensor => ({ shape, data: new Float64Array(cells(shape)) });
const ids = (...data: number[]) => ({ shape: [data.length], data: Int32Array.from(data) });

interface Layer {
  /** The name of the layer for `parameters.draw`, and its sizes. */
  drawn: [string, Record<string, unknown>];
  inputs: unknown[];
  options?: Record<string, unknown>;
  /** Values that replace the inputs, one after the other. */
  wrongInputs: unknown[][];
  wrongOptions: Record<string, unknown>[];
}

const widths = { dModel: 4, dFf: 6 };
const heads = [{}, { numHeads: 0 }, { numHeads: 3 }, { numHeads: -2 }, { numHeads: NaN }, { numHeads: "2" }];
const layerOptions = [
  ...heads,
  { numHeads: 2, eps: -1 },
  { numHeads: 2, eps: NaN },
  { numHeads: 2, activation: "swish" },
  { numHeads: 2, dropout: { p: 1 } },
  { numHeads: 2, dropout: { p: -0.1 } },
  { numHeads: 2, normFirst: "yes" },
  { numHeads: 2, residual: "no" },
  { numHeads: 2, norm: 0 },
  { numHeads: 2, heads: 2 },
];
const x = zeros(3, 4);
const wrongX = [[zeros(3, 5)], [zeros(4)], [zeros()], [zeros(1, 1, 3, 4)], [undefined], [ids(1, 2)]];
const numLayers = 1;
const both = { numEncoderLayers: 1, numDecoderLayers: 1 };

const layers: Record<string, Layer> = {
  feedForward: {
    drawn: ["feedForward", widths],
    inputs: [x],
    wrongInputs: [[zeros(3, 5)], [zeros()], [null]],
    wrongOptions: [{ activation: "swish" }, { activation: 1 }, { p: 0.5 }],
  },
  encoderLayer: {
    drawn: ["encoderLayer", widths],
    inputs: [x],
    options: { numHeads: 2 },
    wrongInputs: wrongX,
    wrongOptions: [...layerOptions, { numHeads: 2, causal: "left" }, { numHeads: 2, mask: zeros(2, 2) }],
  },
  decoderLayer: {
    drawn: ["decoderLayer", widths],
    inputs: [x, zeros(2, 4)],
    options: { numHeads: 2 },
    wrongInputs: [
      [x, zeros(2, 5)],
      [zeros(3, 5), zeros(2, 4)],
      [x, zeros(4)],
      [x, undefined],
    ],
    wrongOptions: layerOptions,
  },
  encoder: {
    drawn: ["encoder", { ...widths, numLayers }],
    inputs: [x],
    options: { numHeads: 2, numLayers },
    wrongInputs: wrongX,
    wrongOptions: [
      { numHeads: 2, numLayers: 0 },
      { numHeads: 2, numLayers: 2 },
      { numHeads: 2, numLayers: 1.5 },
      ...heads.map((option) => ({ numLayers, ...option })),
    ],
  },
  decoder: {
    drawn: ["decoder", { ...widths, numLayers }],
    inputs: [x, zeros(2, 4)],
    options: { numHeads: 2, numLayers },
    wrongInputs: [[x, zeros(2, 5)], [zeros(3, 5), zeros(2, 4)], [x]],
    wrongOptions: [
      { numHeads: 2, numLayers: 0 },
      { numHeads: 2, numLayers: 2 },
      { numHeads: 3, numLayers },
    ],
  },
  transformer: {
    drawn: ["transformer", { ...widths, ...both }],
    inputs: [x, zeros(2, 4)],
    options: { numHeads: 2, ...both },
    wrongInputs: [
      [x, zeros(2, 5)],
      [zeros(3, 5), zeros(2, 4)],
      [x, zeros(2)],
    ],
    wrongOptions: [
      { numHeads: 2, numEncoderLayers: 2, numDecoderLayers: 1 },
      { numHeads: 2, numEncoderLayers: 1, numDecoderLayers: 0 },
      { numHeads: 3, ...both },
    ],
  },
  seq2seq: {
    drawn: ["seq2seq", { ...widths, ...both, vocabulary: 5 }],
    inputs: [ids(1, 2), ids(0, 3, 4)],
    options: { numHeads: 2, ...both },
    wrongInputs: [
      [ids(1, 5), ids(0)],
      [ids(1), ids(-1)],
      [ids(), ids(0)],
      [x, ids(0)],
    ],
    wrongOptions: [
      { numHeads: 2, ...both, base: 0 },
      { numHeads: 2, ...both, base: NaN },
      { numHeads: 3, ...both },
    ],
  },
  greedyDecoding: {
    drawn: ["seq2seq", { ...widths, ...both, vocabulary: 5 }],
    inputs: [ids(1, 2)],
    options: { numHeads: 2, ...both, begin: 0, steps: 2 },
    wrongInputs: [[ids(1, 5)], [ids()], [x]],
    wrongOptions: [
      { numHeads: 2, ...both, begin: 5, steps: 2 },
      { numHeads: 2, ...both, begin: 0, steps: 0 },
      { numHeads: 2, ...both, begin: 0, steps: 2, end: 7 },
      { numHeads: 2, ...both, begin: -1, steps: 2 },
      { numHeads: 2, ...both, steps: 2 },
      { numHeads: 2, ...both, begin: 0, steps: 2, cache: 1 },
    ],
  },
  visionTransformer: {
    drawn: [
      "visionTransformer",
      { ...widths, numLayers, imageSize: [4, 4], patchSize: 2, numClasses: 2, channels: 1 },
    ],
    inputs: [zeros(1, 4, 4)],
    options: { numHeads: 2, numLayers },
    wrongInputs: [[zeros(1, 5, 4)], [zeros(2, 4, 4)], [zeros(1, 8, 4)], [zeros(4, 4)], [undefined]],
    wrongOptions: [{ numLayers }, { numHeads: 3, numLayers }, { numHeads: 2, numLayers: 0 }],
  },
  bert: {
    drawn: ["bert", { ...widths, numLayers, vocabulary: 5, positions: 4 }],
    inputs: [ids(1, 2)],
    options: { numHeads: 2, numLayers },
    wrongInputs: [[ids(5)], [ids(0, 0, 0, 0, 0)], [zeros(2)], [ids(-1)]],
    wrongOptions: [
      { numHeads: 2, numLayers, segmentIds: ids(0) },
      { numHeads: 2, numLayers, segmentIds: ids(0, 2) },
      { numHeads: 2, numLayers, keyMask: zeros(2) },
      { numHeads: 3, numLayers },
    ],
  },
  gpt2: {
    drawn: ["gpt2", { ...widths, numLayers, vocabulary: 5, positions: 4 }],
    inputs: [ids(1, 2)],
    options: { numHeads: 2, numLayers },
    wrongInputs: [[ids(5)], [ids()], [ids(0, 0, 0, 0, 0)], [zeros(2)], [ids(-1)]],
    wrongOptions: [
      { numHeads: 2, numLayers, positionIds: ids(0) },
      { numHeads: 2, numLayers, positionIds: ids(0, 4) },
      { numHeads: 2, numLayers, keyMask: zeros(2) },
      { numHeads: 2, numLayers, isCausal: false },
      { numHeads: 2, numLayers: 0 },
      { numHeads: 3, numLayers },
    ],
  },
  gpt2Continuation: {
    drawn: ["gpt2", { ...widths, numLayers, vocabulary: 5, positions: 4 }],
    inputs: [ids(1, 2)],
    options: { numHeads: 2, numLayers, steps: 3 },
    wrongInputs: [[ids(1, 5)], [ids()], [ids(1, 2, 3)], [x]],
    wrongOptions: [
      { numHeads: 2, numLayers },
      { numHeads: 2, numLayers, steps: 0 },
      { numHeads: 2, numLayers, steps: 4 },
      { numHeads: 2, numLayers, steps: 2, end: 5 },
      { numHeads: 2, numLayers, steps: 2, end: -1 },
      { numHeads: 2, numLayers, steps: 2, temperature: -1 },
      { numHeads: 2, numLayers, steps: 2, temperature: Infinity },
      { numHeads: 2, numLayers, steps: 2, topK: 0 },
      { numHeads: 2, numLayers, steps: 2, topK: 1.5 },
      { numHeads: 2, numLayers, steps: 2, topP: 0 },
      { numHeads: 2, numLayers, steps: 2, topP: 1.1 },
      { numHeads: 2, numLayers, steps: 2, seed: -1 },
      { numHeads: 2, numLayers, steps: 2, seed: 2 ** 32 },
      { numHeads: 2, numLayers, steps: 2, cache: 1 },
      { numHeads: 2, numLayers, steps: 2, dropout: { p: 0.5, seed: 1 } },
      { numHeads: 2, numLayers, steps: 2, begin: 1 },
    ],
  },
  recurrent: {
    drawn: ["recurrent", { inputSize: 4, hiddenSize: 3 }],
    inputs: [x],
    wrongInputs: [[zeros(3, 5)], [zeros(4)], [zeros()]],
    wrongOptions: [{ hidden: 3 }],
  },
  convolution: {
    drawn: ["convolution", { inChannels: 4, outChannels: 2, kernelSize: 3 }],
    inputs: [x],
    wrongInputs: [[zeros(3, 5)], [zeros(2, 4)], [zeros(4)]],
    wrongOptions: [{ stride: 0 }, { stride: 1.5 }, { padding: -1 }, { dilation: 2 }],
  },
  skipGram: {
    drawn: ["word2vec", { vocabulary: 5, dim: 3 }],
    inputs: [ids(0, 1), { shape: [2, 2], data: Int32Array.of(1, 2, 3, 4) }],
    wrongInputs: [
      [ids(0, 5), { shape: [2, 2], data: Int32Array.of(1, 2, 3, 4) }],
      [ids(0, 1), { shape: [2, 2], data: Int32Array.of(1, 2, 3, 5) }],
      [ids(0, 1, 2), { shape: [2, 2], data: Int32Array.of(1, 2, 3, 4) }],
      [x, ids(0)],
    ],
    wrongOptions: [{ window: 2 }],
  },
};

const settings: [string, unknown[]][] = [
  ["sgd", [{ lr: -1 }]],
  ["sgd", [{ lr: NaN }]],
  ["sgd", [{ momentum: -1 }]],
  ["sgd", [{ nesterov: true }]],
  ["sgd", [{ beta: 1 }]],
  ["adagrad", [{ lr: -1 }]],
  ["adagrad", [{ eps: NaN }]],
  ["rmsprop", [{ alpha: -1 }]],
  ["rmsprop", [{ centered: 1 }]],
  ["adam", [{ betas: [1, 0.9] }]],
  ["adam", [{ betas: [0.9] }]],
  ["adamw", [{ eps: -1 }]],
  ["adamw", [{ weightDecay: Infinity }]],
  ["noamLr", [0]],
  ["noamLr", [1, { warmup: 0 }]],
  ["noamLr", [1.5]],
  ["cosineLr", [0, {}]],
  ["cosineLr", [0, { steps: 0 }]],
  ["cosineLr", [-1, { steps: 3 }]],
  ["readNpy", [new Uint8Array(0)]],
  ["readNpy", [new Uint8Array(128)]],
  ["readNpy", ["text"]],
  ["readNpz", [new Uint8Array([80, 75, 3, 4])]],
  ["readSafetensors", [new Uint8Array(8).fill(255)]],
  ["readSafetensors", [new Uint8Array(4)]],
  ["writeNpy", [null]],
  ["writeNpz", [{ a: 3 }]],
  ["writeSafetensors", [{ a: { shape: [2], data: new Float64Array(3) } }]],
  ["nearest", [zeros(2, 2), 2]],
  ["analogy", [zeros(2, 2), { a: 0, b: 1, c: 5 }]],
  ["skipGramPairs", [[0, 1, 2], -1]],
  ["skipGramPairs", [[0, -1], 1]],
  ["maskTokens", [[7], { vocabulary: 5, maskId: 0, seed: 1 }]],
  ["maskTokens", [[1], { vocabulary: 5, maskId: 9, seed: 1 }]],
  ["bytePairVocabulary", [{ text: 3 }]],
  ["bytePairVocabulary", [{ text: "aa", merges: [[0, 1]] }]],
  ["parameters", [{ precision: "half" }]],
  ["parameters", [{ maxBytes: -1 }]],
];

const isBias = (name: string) => /bias\w*$/.test(name);

/** The fault of a refusal; undefined if it is a plain Error that says what was expected. */
function faultOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    const plain = error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
    if (plain && /^[\w.]+: .*(expected|unknown|lies outside)/s.test(error.message)) return undefined;
    return String(error);
  }
  return "was answered";
}

describe.each(["simd", "relaxed"] as const)("%s", (build) => {
  test("refuses invalid arguments of layers, names a missing parameter, and keeps nothing", async () => {
    const core: Core = await load({ build });
    const faults: string[] = [];
    let calls = 0;
    for (const [layer, { drawn, inputs, options, wrongInputs, wrongOptions }] of Object.entries(layers)) {
      const parameters = core.parameters();
      (parameters as unknown as Loose)["draw"]!(...drawn, 1);
      const record = Object.fromEntries(parameters.names.map((name) => [name, parameters.get(name)]));
      const graph = core.graph();
      graph.leaf("x", x);
      const call = (...given: unknown[]) => (graph as unknown as Loose)[layer]!(...given);
      let held = { bytes: graph.bytes, nodes: graph.snapshot().length, handles: core.liveHandles };
      const attempt = (what: string, given: unknown[]) => {
        calls += 1;
        const said = faultOf(() => call(...given));
        if (said) faults.push(`${layer}, ${what}: ${said}`);
        const now = { bytes: graph.bytes, nodes: graph.snapshot().length, handles: core.liveHandles };
        if (JSON.stringify(now) !== JSON.stringify(held))
          faults.push(`${layer}, ${what}: left ${JSON.stringify(now)}`);
        held = now;
      };
      for (const name of Object.keys(record)) {
        const { [name]: missing, ...rest } = record;
        const onlyBias = isBias(name) && !Object.keys(rest).some(isBias); // bias=False
        if (!onlyBias) attempt(`${name} missing`, [...inputs, rest, options]);
        attempt(`${name} misspelt`, [...inputs, { ...rest, [`${name}x`]: missing }, options]);
        attempt(`${name} of another shape`, [...inputs, { ...record, [name]: zeros(2, 9) }, options]);
        attempt(`${name} no tensor`, [...inputs, { ...record, [name]: 3 }, options]);
      }
      wrongInputs.forEach((given, place) => attempt(`inputs ${place}`, [...given, record, options]));
      wrongOptions.forEach((given, place) => attempt(`options ${place}`, [...inputs, record, given]));
      attempt("no parameters", [...inputs, undefined, options]);
      const memory = core.memoryBytes;
      call(...inputs, record, options);
      expect(core.memoryBytes).toBe(memory);
      graph.delete();
      parameters.delete();
    }
    expect(faults).toEqual([]);
    expect(calls).toBeGreaterThan(400);
    expect([core.liveHandles, core.liveValues]).toEqual([0, 0]);
  });

  test("takes a model without any bias, as PyTorch's bias=False", async () => {
    const core = await load({ build });
    const parameters = core.parameters();
    parameters.draw("encoderLayer", widths, 1);
    const weights = parameters.names.filter((name) => !isBias(name));
    const graph = core.graph();
    const record = Object.fromEntries(weights.map((name) => [name, parameters.get(name)]));
    expect(graph.encoderLayer(x, record, { numHeads: 2 }).output.shape).toEqual([3, 4]);
    graph.delete();
    parameters.delete();
  });

  test("refuses invalid settings of optimizers, schedules, files and words", async () => {
    const core = await load({ build });
    const handles = core.liveHandles;
    const faults: string[] = [];
    for (const [name, given] of settings) {
      const said = faultOf(() => (core as unknown as Loose)[name]!(...given));
      if (said) faults.push(`${name}(${JSON.stringify(given).slice(0, 60)}): ${said}`);
    }
    expect(faults).toEqual([]);
    expect(core.liveHandles).toBe(handles);
  });
});
