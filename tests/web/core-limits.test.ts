// Every call that has a memory limit checks it before it computes or allocates anything: sizes far above the limit are refused.
import { describe, expect, test } from "vitest";
import {
  load,
  type Core,
  type Graph,
  type LayerName,
  type LayerSizes,
  type Tensor,
} from "../../web/core/index.js";
import { ArithmeticGraph } from "../../web/core/transformer/arithmetic.js";

const LIMIT = { maxBytes: 2 ** 20 };
/** The size of every call in the table: so large that a module would have to grow for it. */
const LONG = 4096;

const tensor = (...shape: number[]): Tensor => ({
  shape,
  data: new Float64Array(shape.reduce((product, size) => product * size, 1)),
});
const ids = (...shape: number[]) => ({
  shape,
  data: new Int32Array(shape.reduce((product, size) => product * size, 1)),
});
const numbers = new Float64Array(2 ** 23);
/** 64 MB, which is too large for a leaf of any graph in the table. */
const huge = (...shape: number[]): Tensor => ({ shape, data: numbers });
const hugeIds = { shape: [2 ** 23], data: new Int32Array(2 ** 23) };

const column = tensor(LONG, 1);
const row = tensor(1, LONG);
const one = tensor(1, 1);
const tokens = ids(LONG);

type GraphCall = (graph: Graph, core: Core) => unknown;
type Parameters = ReturnType<Core["parameters"]>;

/** A call with the parameters of a layer, which are small except for `sizes`. */
const layer =
  <Name extends LayerName>(
    name: Name,
    sizes: LayerSizes[Name],
    call: (graph: Graph, parameters: Parameters) => unknown,
  ): GraphCall =>
  (graph, core) => {
    using parameters = core.parameters();
    parameters.draw(name, sizes);
    return call(graph, parameters);
  };

const widths = { dModel: 1, dFf: 1 };
const stack = { numLayers: 1, numHeads: 1 };
const stacks = { numEncoderLayers: 1, numDecoderLayers: 1 };
const word2vec = { w_in: one, w_out: column };

/** Methods without an entry of their own: every method of arithmetic that is not in the table takes one tensor or two, and its options. */
function ofTensorsAlone(): Record<string, GraphCall> {
  const { prototype } = ArithmeticGraph;
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  return Object.fromEntries(
    names.map((name): [string, GraphCall] => {
      const method = prototype[name as keyof ArithmeticGraph] as (...tensors: Tensor[]) => unknown;
      const tensors = method.length > 2 ? [column, row] : [huge(2 ** 23)];
      return [name, (graph) => method.call(graph, ...tensors)];
    }),
  );
}

/** The calls by method name. Most of their memory is the output; if the output is not larger than an input, the input is refused. */
const graphCalls: Record<string, GraphCall> = {
  ...ofTensorsAlone(),
  leaf: (graph) => graph.leaf("x", huge(2 ** 23)),
  draw: (graph, core) => {
    using random = core.randomState(1);
    return graph.draw("x", random, "randn", { shape: [LONG, LONG] });
  },
  tokenVectors: (graph) => graph.tokenVectors("x", ["word"], 1, 2 ** 24),
  matmul: (graph) => graph.matmul(column, row),
  add: (graph) => graph.add(column, row),
  scale: (graph) => graph.scale(huge(2 ** 23), { factor: 2 }),
  transpose: (graph) => graph.transpose(huge(2 ** 22, 2)),
  reshape: (graph) => graph.reshape(huge(2 ** 23), { shape: [2, 2 ** 22] }),
  slice: (graph) => graph.slice(huge(2 ** 23), { axis: 0, start: 0, stop: 1 }),
  concat: (graph) => graph.concat([huge(2 ** 23)], { axis: 0 }),
  mask: (graph) => graph.mask(huge(2 ** 23), { shape: [1], data: new Uint8Array(1) }),
  softmax: (graph) => graph.softmax(huge(2 ** 23)),
  logSoftmax: (graph) => graph.logSoftmax(huge(2 ** 23)),
  linear: (graph) => graph.linear(column, column),
  splitHeads: (graph) => graph.splitHeads(huge(2 ** 22, 2), { numHeads: 2 }),
  mergeHeads: (graph) => graph.mergeHeads(huge(2, 2 ** 21, 2)),
  embedding: (graph) => graph.embedding(tokens, row),
  tiedLogits: (graph) => graph.tiedLogits(column, column),
  patchify: (graph) => graph.patchify(huge(1, LONG, 2048), { patch: [2, 2], order: "c p1 p2" }),
  sinusoidal: (graph) => graph.sinusoidal({ length: 1, dim: 30_000_000 }),
  absoluteIndex: (graph) => graph.absoluteIndex({ length: 30_000_000, dim: 1 }),
  shiftMatrix: (graph) => graph.shiftMatrix({ offset: 1, dim: 2 * LONG }),
  rotary: (graph) => graph.rotary(huge(2 ** 22, 2), { layout: "half" }),
  alibi: (graph) => graph.alibi({ numHeads: 1, queryLength: LONG, keyLength: LONG }),
  patchEmbedding: (graph) => graph.patchEmbedding(tensor(1, 256, 256), tensor(256, 1, 1, 1), undefined),
  scaledDotProductAttention: (graph) => graph.scaledDotProductAttention(column, column, column),
  multiHeadAttention: (graph) =>
    graph.multiHeadAttention(column, column, column, { wQ: one, wK: one, wV: one, wO: one }, { numHeads: 1 }),
  layerNorm: (graph) => graph.layerNorm(huge(2 ** 23)),
  dropout: (graph) => graph.dropout(huge(2 ** 23), { p: 0.5, seed: 1 }),
  oneHot: (graph) => graph.oneHot(tokens, { numClasses: LONG }),
  interpolationMatrix: (graph) => graph.interpolationMatrix({ from: [1, 65535], to: [1, 65535] }),
  conv1d: (graph) => graph.conv1d(row, tensor(LONG, 1, 1)),
  additiveAttention: (graph) =>
    graph.additiveAttention(column, column, column, { wQ: one, wK: one, wV: tensor(1) }),
  crossEntropy: (graph) => graph.crossEntropy(huge(2 ** 22, 2), ids(2 ** 22)),
  klDivergence: (graph) => graph.klDivergence(huge(2 ** 23), huge(2 ** 23)),
  cat: (graph) => graph.cat([huge(2 ** 23)]),
  maskedFill: (graph) =>
    graph.maskedFill(huge(2 ** 23), { shape: [1], data: new Uint8Array(1) }, { value: 0 }),
  klDiv: (graph) => graph.klDiv(huge(2 ** 23), huge(2 ** 23)),
  mseLoss: (graph) => graph.mseLoss(huge(2 ** 23), huge(2 ** 23)),
  cosineSimilarity: (graph) => graph.cosineSimilarity(tensor(LONG, 1, 1), column),
  entropy: (graph) => graph.entropy(huge(2 ** 23)),
  histogram: (graph) => graph.histogram(huge(2 ** 23), tensor(2)),
  stateDict: (graph, core) => {
    using parameters = core.parameters();
    parameters.draw("layerNorm", { dim: LONG * 64 });
    return graph.stateDict(parameters);
  },
  feedForward: layer("feedForward", { dModel: 1, dFf: LONG }, (graph, parameters) =>
    graph.feedForward(column, parameters),
  ),
  encoderLayer: layer("encoderLayer", widths, (graph, parameters) =>
    graph.encoderLayer(column, parameters, { numHeads: 1 }),
  ),
  decoderLayer: layer("decoderLayer", widths, (graph, parameters) =>
    graph.decoderLayer(column, column, parameters, { numHeads: 1 }),
  ),
  encoder: layer("encoder", { ...widths, numLayers: 1 }, (graph, parameters) =>
    graph.encoder(column, parameters, stack),
  ),
  decoder: layer("decoder", { ...widths, numLayers: 1 }, (graph, parameters) =>
    graph.decoder(column, column, parameters, stack),
  ),
  transformer: layer("transformer", { ...widths, ...stacks }, (graph, parameters) =>
    graph.transformer(column, column, parameters, { ...stacks, numHeads: 1 }),
  ),
  visionTransformer: layer(
    "visionTransformer",
    { ...widths, numLayers: 1, imageSize: [64, 64], patchSize: 1, numClasses: 1, channels: 1 },
    (graph, parameters) => graph.visionTransformer(tensor(1, 64, 64), parameters, stack),
  ),
  embedSequence: layer("embedding", { numEmbeddings: 1, embeddingDim: LONG }, (graph, parameters) =>
    graph.embedSequence(tokens, { "embedding.weight": parameters.get("weight") }),
  ),
  seq2seq: layer("seq2seq", { ...widths, ...stacks, vocabulary: 2 }, (graph, parameters) =>
    graph.seq2seq(tokens, tokens, parameters, { ...stacks, numHeads: 1 }),
  ),
  greedyDecoding: layer("seq2seq", { ...widths, ...stacks, vocabulary: 2 }, (graph, parameters) =>
    graph.greedyDecoding(tokens, parameters, { ...stacks, numHeads: 1, begin: 0, steps: 2 }),
  ),
  bert: layer("bert", { ...widths, numLayers: 1, vocabulary: 2, positions: LONG }, (graph, parameters) =>
    graph.bert(tokens, parameters, stack),
  ),
  gpt2: layer("gpt2", { ...widths, numLayers: 1, vocabulary: 2, positions: LONG }, (graph, parameters) =>
    graph.gpt2(tokens, parameters, stack),
  ),
  gpt2Continuation: layer(
    "gpt2",
    { ...widths, numLayers: 1, vocabulary: 2, positions: LONG },
    (graph, parameters) => graph.gpt2Continuation(tokens, parameters, { ...stack, steps: 1 }),
  ),
  recurrent: layer("recurrent", { inputSize: 1, hiddenSize: 256 }, (graph, parameters) =>
    graph.recurrent(column, parameters),
  ),
  convolution: layer(
    "convolution",
    { inChannels: 1, outChannels: LONG, kernelSize: 1 },
    (graph, parameters) => graph.convolution(column, parameters),
  ),
  attentionRollout: (graph) => graph.attentionRollout([huge(2, 2048, 2048)]),
  cbow: (graph) => graph.cbow(tokens, ids(LONG, 1), word2vec),
  skipGram: (graph) => graph.skipGram(tokens, ids(LONG, 1), word2vec),
  skipGramNegativeSampling: (graph) =>
    graph.skipGramNegativeSampling(ids(), ids(), hugeIds, { w_in: one, w_out: one }),
  cbowNegativeSampling: (graph) =>
    graph.cbowNegativeSampling(ids(), ids(1), hugeIds, { w_in: one, w_out: one }),
  similarity: (graph) => graph.similarity(column),
  bagOfWords: (graph) => graph.bagOfWords(tokens, { vocabulary: LONG }),
  principalComponents: (graph) => graph.principalComponents(huge(2, 2 ** 22), { count: 1 }),
  lineFitLoss: (graph) => graph.lineFitLoss(tensor(), tensor(), huge(2 ** 23), huge(2 ** 23)),
  testSurface: (graph) => graph.testSurface(huge(2 ** 22, 2), { surface: "bowl" }),
  quadraticLoss: (graph) => graph.quadraticLoss(huge(2 ** 23), huge(2 ** 23)),
  set: (graph) => graph.set(graph.leaf("x", tensor(100_000)), tensor(100_000)),
  backward: (graph) => graph.backward(graph.exp(tensor(60_000))),
};

/** A .safetensors file of 64 MB, and a .npz that declares the same size. */
function safetensors(): Uint8Array {
  const header = new TextEncoder().encode(
    JSON.stringify({ a: { dtype: "F64", shape: [2 ** 23], data_offsets: [0, 2 ** 26] } }),
  );
  const file = new Uint8Array(8 + header.length + 2 ** 26);
  new DataView(file.buffer).setUint32(0, header.length, true);
  file.set(header, 8);
  return file;
}

const coreCalls: Record<string, (core: Core) => unknown> = {
  parameters: (core) => {
    using parameters = core.parameters(LIMIT);
    expect(() => parameters.draw("linear", { inFeatures: LONG, outFeatures: LONG })).toThrow(REFUSED);
    expect(() => parameters.add("b", huge(2 ** 23))).toThrow(REFUSED);
    parameters.add("a", tensor(100_000));
    expect(() => parameters.set("a", tensor(100_000))).toThrow(REFUSED);
    return parameters.loadStateDict({ a: tensor(100_000) });
  },
  greedyDecoder: (core) => {
    using parameters = core.parameters();
    parameters.draw("seq2seq", { ...widths, ...stacks, vocabulary: 2 });
    const given = { ...stacks, numHeads: 1, begin: 0, ...LIMIT };
    expect(() => core.greedyDecoder(parameters, { ...given, steps: 1, source: [LONG, LONG] })).toThrow(
      REFUSED,
    );
    return core.greedyDecoder(parameters, { ...given, steps: 2 ** 24, source: [1] });
  },
  gpt2Decoder: (core) => {
    using parameters = core.parameters();
    parameters.draw("gpt2", { ...widths, numLayers: 1, vocabulary: 2, positions: LONG });
    return core.gpt2Decoder(parameters, { ...stack, ...LIMIT, length: LONG, batch: LONG });
  },
  drawIds: (core) => {
    using random = core.randomState(1, LIMIT);
    return core.drawIds({ shape: [1], data: Float64Array.of(1) }, 2 ** 24, random);
  },
  randomState: (core) => {
    using random = core.randomState(1, LIMIT);
    return random.randn(2 ** 24);
  },
  skipGramPairs: (core) => core.skipGramPairs(tokens, LONG, LIMIT),
  bytePairVocabulary: (core) => {
    // Each merge joins the last id with itself, which doubles its bytes.
    const merges = Array.from({ length: 40 }, (_, place) => {
      const id = place === 0 ? 97 : 255 + place;
      return [id, id] as [number, number];
    });
    return core.bytePairVocabulary({ merges, ...LIMIT });
  },
  trainer: (core) => core.trainer({ preset: "reverse", ...LIMIT }),
  readNpz: (core) => core.readNpz(new Uint8Array(2 ** 26), LIMIT),
  readSafetensors: (core) => core.readSafetensors(safetensors(), LIMIT),
};

const REFUSED = /needs [\d.]+ (MB|bytes).*; the limit is/;

/** Methods that no memory limit applies to: those that only read a graph, those whose results are no larger than their inputs, constructors and internal methods. */
const withoutLimit = {
  graph: `constructor node value read view replay redrawDropout setCell reset snapshot gradient explain uses describe bytes delete apply size truncate
    handle namesOf nodeOf makeLeaf checkLeaf own settings single layer cost sequentialSteps passOver explainGradient program addGradients updateParameters`,
  core: `constructor graph liveHandles memoryBytes liveValues tokenSeed one run sgd adagrad rmsprop adam adamw clipGradNorm noamLr
    cosineLr nearest analogy negativeSamples maskTokens nextProbabilities readNpy writeNpy writeNpz writeSafetensors task drawExamples trainingPresets`,
};

/** The names of all methods of an object. */
function methods(object: object): string[] {
  const names: string[] = [];
  for (
    let place = Object.getPrototypeOf(object);
    place !== Object.prototype;
    place = Object.getPrototypeOf(place)
  )
    names.push(...Object.getOwnPropertyNames(place));
  return [...new Set(names)];
}

const words = (text: string): string[] => text.split(/\s+/);

test("every method has a call here, or has no limit", async () => {
  const core = await load({ build: "simd" });
  using graph = core.graph();
  const known = new Set([...words(withoutLimit.graph), ...Object.keys(graphCalls)]);
  expect(methods(graph).filter((name) => !known.has(name))).toEqual([]);
  // A method that the core and a graph both have is called on the graph only.
  const listed = new Set([
    ...words(withoutLimit.core),
    ...Object.keys(coreCalls),
    ...Object.keys(graphCalls),
  ]);
  expect(methods(core).filter((name) => !listed.has(name))).toEqual([]);
});

describe("above its limit", () => {
  const calls: [string, (core: Core) => unknown][] = [
    ...Object.entries(graphCalls).map(([name, call]): [string, (core: Core) => unknown] => [
      `graph.${name}`,
      (core) => {
        using graph = core.graph({ ...LIMIT, observe: true });
        return call(graph, core);
      },
    ]),
    ...Object.entries(coreCalls),
  ];
  test.each(calls)("%s is refused before it takes any memory", async (_, call) => {
    // Each call gets its own core: memory that an earlier call released would hide the allocation.
    const core = await load({ build: "simd" });
    const before = core.memoryBytes;
    expect(() => call(core)).toThrow(REFUSED);
    expect(core.memoryBytes).toBe(before);
    expect([core.liveHandles, core.liveValues]).toEqual([0, 0]);
  });
});

test("explaining a cell of a product over a million numbers costs only the shown terms", async () => {
  const core = await load({ build: "simd" });
  using graph = core.graph();
  const many = new Float64Array(1_000_000).fill(0.5);
  graph.matmul(
    { shape: [1, many.length], data: many },
    { shape: [many.length, 1], data: many },
    { name: "y" },
  );
  const before = core.memoryBytes;
  const { rows } = graph.explain("y", [0, 0]);
  expect(rows.map(({ operands, rest }) => [operands.length, rest?.count])).toEqual([
    [3, 999_997],
    [3, 999_997],
    [3, 999_997],
  ]);
  expect(rows.at(-1)).toMatchObject({ value: 250_000, rest: { value: 249_999.25 } });
  expect(graph.explain("y", [0, 0], { full: true }).rows.map(({ operands }) => operands.length)).toEqual([
    4096, 4096, 4096,
  ]);
  expect(core.memoryBytes - before).toBeLessThan(4 * 2 ** 20);
});

test("a file of 200,000 empty tensors counts 1 KB for each", async () => {
  const core = await load({ build: "simd" });
  const entries = Array.from(
    { length: 200_000 },
    (_, place) => `"t${place}":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}`,
  );
  const header = new TextEncoder().encode(`{${entries.join(",")}}`);
  const file = new Uint8Array(8 + header.length);
  new DataView(file.buffer).setUint32(0, header.length, true);
  file.set(header, 8);
  const tensors = Math.floor((2 ** 27 - file.length) / 1024) + 1; // the tensors that do not fit beside the file
  expect(() => core.readSafetensors(file, { maxBytes: 2 ** 27 })).toThrow(
    `safetensors: file needs ${file.length + tensors * 1024} bytes or more; the limit is 134217728`,
  );
});
