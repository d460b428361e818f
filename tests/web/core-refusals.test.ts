// Bad calls of the whole library, in both builds: each throws a plain Error that names the operation, and nothing is kept.
import { describe, expect, test } from "vitest";
import { load, type Core, type Graph, type Tensor } from "../../web/core/index.js";
import { ArithmeticGraph } from "../../web/core/transformer/arithmetic.js";

// Values that JavaScript can pass whatever the types say.
type Loose = Record<string, (...given: unknown[]) => unknown>;
type Call = (core: Loose, graph: Loose) => unknown;

const cells = (shape: number[]) => shape.reduce((product, size) => product * size, 1);
const zeros = (...shape: number[]): Tensor => ({ shape, data: new Float64Array(cells(shape)) });
const ids = (...data: number[]) => ({ shape: [data.length], data: Int32Array.from(data) });
const flags = (...shape: number[]) => ({ shape, data: new Uint8Array(cells(shape)) });

const x = zeros(2, 3);
const image = zeros(3, 4, 4);
const badTensors: Record<string, unknown> = {
  "no tensor": undefined,
  null: null,
  number: 3,
  text: "x",
  "no data": { shape: [2, 3] },
  "a list for data": { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] },
  "too few numbers": { shape: [2, 3], data: new Float64Array(5) },
  "a negative size": { shape: [-2, -3], data: new Float64Array(6) },
  "a broken size": { shape: [1.5, 4], data: new Float64Array(6) },
  "single precision": { shape: [2, 3], data: new Float32Array(6) },
  "bytes of another kind": { shape: [2, 3], data: new Int16Array(6) },
};

/** Valid arguments of an operation; the tests make one of them bad at a time. */
const validArguments: Record<string, unknown[]> = {
  matmul: [x, zeros(3, 2)],
  add: [x, x],
  linear: [x, zeros(4, 3)],
  cosineSimilarity: [x, x],
  mseLoss: [x, x],
  klDivergence: [x, x],
  klDiv: [x, x],
  tiedLogits: [x, zeros(5, 3)],
  scaledDotProductAttention: [x, x, x],
};
for (const name of "softmax logSoftmax transpose layerNorm entropy".split(" ")) validArguments[name] = [x];
const listed = new Set("dropout oneHot conv1d additiveAttention layerNorm constructor".split(" "));
/** The other methods of arithmetic take one tensor or two, and their options. */
for (const name of Object.getOwnPropertyNames(ArithmeticGraph.prototype).filter((one) => !listed.has(one))) {
  const { length } = ArithmeticGraph.prototype[name as keyof ArithmeticGraph] as { length: number };
  validArguments[name] = length > 2 ? [x, x] : [x];
}

/** Wrong ranks, sizes and options by operation, as lists of arguments. */
const badCalls: Record<string, unknown[][]> = {
  matmul: [
    [x, zeros(2, 2)],
    [zeros(3), x],
    [zeros(2, 1, 3), zeros(3, 3, 1)],
  ],
  add: [[x, zeros(4)]],
  subtract: [[x, zeros(3, 2)]],
  multiply: [[x, zeros(2)]],
  divide: [[x, zeros(3, 1, 2)]],
  minimum: [[x, zeros(3, 2)]],
  maximum: [[x, zeros(4)]],
  scale: [
    [x, {}],
    [x, { factor: 1, divisor: 2 }],
    [x, { divisor: 0 }],
    [x, { factor: "2" }],
    [x, { times: 2 }],
  ],
  linear: [
    [x, zeros(2, 4)],
    [x, zeros(3)],
    [x, zeros(2, 3), zeros(3)],
  ],
  softmax: [
    [x, { axis: 2 }],
    [x, { axis: 0.5 }],
    [x, { axis: NaN }],
    [x, { emptyIsZero: 1 }],
    [x, { dim: 1 }],
  ],
  logSoftmax: [
    [x, { axis: -3 }],
    [x, { axis: Infinity }],
  ],
  transpose: [[zeros(2)], [x, { axes: [0] }], [x, { axes: [0, 0] }], [x, { axes: [0, 2] }]],
  reshape: [
    [x, { shape: [4, 2] }],
    [x, { shape: [-1, 6] }],
    [x, { shape: "6" }],
    [x, {}],
  ],
  concat: [
    [[], { axis: 0 }],
    [[x, zeros(2, 4)], { axis: 0 }],
    [[x], { axis: 2 }],
    [x, { axis: 0 }],
  ],
  slice: [
    [x, { axis: 1, start: 1, stop: 5 }],
    [x, { axis: 2, start: 0, stop: 1 }],
    [x, { axis: 0, start: -1, stop: 1 }],
    [x, { axis: 0, start: 0 }],
  ],
  mask: [
    [x, flags(3, 3)],
    [x, { shape: [2, 3], data: new Int32Array(6) }],
    [x, flags(2, 3), { fill: "0" }],
  ],
  splitHeads: [
    [zeros(2, 4), { numHeads: 3 }],
    [zeros(2, 4), { numHeads: 0 }],
    [zeros(2, 4), { numHeads: -2 }],
    [zeros(2, 4), { numHeads: NaN }],
    [zeros(4), { numHeads: 2 }],
    [zeros(2, 4), {}],
  ],
  mergeHeads: [[zeros(2, 4)]],
  embedding: [
    [ids(0, 4), zeros(4, 2)],
    [ids(-1), zeros(4, 2)],
    [ids(0), zeros(4)],
    [zeros(2), zeros(4, 2)],
    [ids(0), zeros(4, 2), { scaleBySqrtDim: 1 }],
  ],
  tiedLogits: [[x, zeros(4, 2)]],
  patchify: [
    [image, { patch: [3, 3], order: "p1 p2 c" }],
    [image, { patch: [0, 2], order: "p1 p2 c" }],
    [image, { patch: [2], order: "p1 p2 c" }],
    [image, { patch: [2, 2], order: "p1 c p2" }],
    [zeros(4, 4), { patch: [2, 2], order: "p1 p2 c" }],
  ],
  patchEmbedding: [
    [image, zeros(5, 3, 3, 3)],
    [image, zeros(5, 2, 2, 2)],
    [image, zeros(5, 12)],
    [image, zeros(5, 3, 2, 2), zeros(4)],
    [image, zeros(5, 3, 2, 2), zeros(5), { cls: zeros(4) }],
    [image, zeros(5, 3, 2, 2), zeros(5), { position: zeros(5, 5) }],
  ],
  sinusoidal: [
    [{ length: 2, dim: 0 }],
    [{ length: -1, dim: 4 }],
    [{ dim: 4 }],
    [{ length: 2, dim: 4, base: NaN }],
    [{ length: 2, dim: 4, base: -2 }],
  ],
  absoluteIndex: [[{ length: 2, dim: 0 }], [{ length: 1.5, dim: 2 }]],
  shiftMatrix: [[{ offset: 1, dim: 3 }], [{ offset: NaN, dim: 4 }], [{ offset: 1, dim: 0 }]],
  rotary: [
    [zeros(2, 3), { layout: "half" }],
    [zeros(2, 4), { layout: "quarter" }],
    [zeros(2, 4), { layout: "half", base: NaN }],
  ],
  alibi: [[{ numHeads: 0, queryLength: 2, keyLength: 2 }], [{ numHeads: 2, queryLength: -1, keyLength: 2 }]],
  scaledDotProductAttention: [
    [x, zeros(4, 2), zeros(4, 3)],
    [x, x, zeros(5, 3)],
    [zeros(3), x, x],
    [x, x, x, { mask: flags(3, 3) }],
    [x, x, x, { scale: NaN }],
    [x, x, x, { scale: "all" }],
    [x, x, x, { temperature: 0 }],
    [x, x, x, { isCausal: "left" }],
    [x, x, x, { causal: true }],
  ],
  multiHeadAttention: [
    [x, x, x, {}, { numHeads: 1 }],
    [x, x, x, null, { numHeads: 1 }],
    [x, x, x, { wQ: zeros(3, 4), wK: zeros(3, 4), wV: zeros(3, 4), wO: zeros(4, 3) }, { numHeads: 3 }],
    [x, x, x, { wQ: zeros(3, 4), wK: zeros(3, 4), wV: zeros(3, 4), wO: zeros(4, 3) }, { numHeads: 0 }],
    [x, x, x, { wQ: zeros(2, 4), wK: zeros(3, 4), wV: zeros(3, 4), wO: zeros(4, 3) }, { numHeads: 2 }],
    [x, x, x, { inProjWeight: zeros(10, 3), outProjWeight: zeros(3, 3) }, { numHeads: 1 }],
    [x, x, x, { inProjWeight: zeros(9, 3), outProjWeight: zeros(3, 3) }, {}],
  ],
  gelu: [[x, { approximate: "erf" }]],
  argmax: [
    [x, { axis: 2 }],
    [x, { axis: [0] }],
    [zeros(2, 0), { axis: 1 }],
    [x, { keepdim: 1 }],
  ],
  sum: [
    [x, { axis: 2 }],
    [x, { axis: [0, 0] }],
    [x, { keepdim: "yes" }],
  ],
  mean: [
    [x, { axis: -3 }],
    [x, { axis: [1, -1] }],
  ],
  layerNorm: [
    [x, zeros(2)],
    [x, zeros(3), zeros(2)],
    [x, zeros(3), zeros(3), { eps: -1 }],
    [x, zeros(3), zeros(3), { eps: NaN }],
    [zeros()],
  ],
  dropout: [
    [x, { p: 1, seed: 1 }],
    [x, { p: -0.1, seed: 1 }],
    [x, { p: NaN, seed: 1 }],
    [x, { p: 0.5 }],
    [x, { p: 0.5, seed: -1 }],
    [x, { p: 0.5, u: zeros(3) }],
  ],
  oneHot: [
    [ids(0, 3), { numClasses: 3 }],
    [ids(-1), { numClasses: 3 }],
    [ids(0), { numClasses: 0 }],
    [x, { numClasses: 3 }],
  ],
  interpolationMatrix: [
    [{ from: [2], to: [2, 2] }],
    [{ from: [2, 2], to: [0, 2] }],
    [{ from: [2, 2], to: [2, 65536] }],
    [{ from: [2, 2], to: [2, 2.5] }],
    [{ from: [2, 2], to: [4, 4], mode: "nearest" }],
  ],
  conv1d: [
    [zeros(4), zeros(1, 1, 1)],
    [zeros(3, 4), zeros(2, 3)],
    [zeros(3, 4), zeros(2, 2, 1)],
    [zeros(3, 4), zeros(2, 3, 7)],
    [zeros(3, 4), zeros(2, 3, 1), zeros(3)],
    [zeros(3, 4), zeros(2, 3, 1), zeros(2), { stride: 0 }],
    [zeros(3, 4), zeros(2, 3, 1), zeros(2), { padding: -1 }],
  ],
  crossEntropy: [
    [x, ids(0, 3)],
    [x, ids(0)],
    [x, ids(0, -1)],
    [x, zeros(2, 2)],
    [x, ids(0, 1), { reduction: "average" }],
    [x, ids(0, 1), { labelSmoothing: NaN }],
    [x, ids(0, 1), { labelSmoothing: 2 }],
    [x, ids(0, 1), { weight: zeros(2) }],
    [x, ids(0, 1), { spread: "none" }],
    [x, ids(0, 1), { ignoreIndex: 0.5 }],
  ],
  klDivergence: [
    [x, zeros(3, 2)],
    [x, x, { reduction: "total" }],
  ],
  cat: [[[]], [[x, zeros(2, 4)]], [[x], { dim: 2 }], [[x], { axis: 0 }], [x]],
  maskedFill: [
    [x, flags(2, 3)],
    [x, flags(2, 3), { value: "0" }],
    [x, flags(2, 3), { fill: 0 }],
    [x, flags(3, 3), { value: 0 }],
    [x, x, { value: 0 }],
  ],
  klDiv: [
    [x, zeros(3, 2)],
    [x, x, { reduction: "total" }],
    [x, x, { logTarget: true }],
  ],
  mseLoss: [
    [x, zeros(3, 2)],
    [x, x, { reduction: "batchmean" }],
  ],
  cosineSimilarity: [
    [x, zeros(2)],
    [zeros(4, 3), zeros(5, 3)],
  ],
  entropy: [[zeros()]],
  histogram: [
    [zeros(3), zeros(1)],
    [zeros(3), zeros(2, 2)],
    [zeros(3), { shape: [2], data: Float64Array.of(1, 0) }],
  ],
  additiveAttention: [
    [x, x, x, {}],
    [x, x, x, { wQ: zeros(2, 4), wK: zeros(3, 4), wV: zeros(4) }],
    [x, x, x, { wQ: zeros(3, 4), wK: zeros(3, 4), wV: zeros(5) }],
  ],
};

/** Methods that only graphs have. */
const badGraphCalls: Record<string, unknown[][]> = {
  node: [["none"], [3], [""]],
  value: [["none"], [null], [{ id: 0 }]],
  set: [
    ["x", zeros(3, 2)],
    ["x", ids(1)],
    ["none", x],
  ],
  setCell: [
    ["x", [2, 0], 1],
    ["x", [0], 1],
    ["x", [0, -1], 1],
    ["x", [0, 0], "1"],
  ],
  reset: [["none"], [undefined]],
  snapshot: [[["none"]]],
  backward: [["none"], ["x", zeros(3, 2)], ["x", ids(1)]],
  gradient: [["x"], ["none"]],
  passOver: [["none"], [{ id: 0 }]],
  explain: [
    ["x", [2, 0]],
    ["x", [0]],
    ["x", "0"],
    ["none", [0, 0]],
  ],
  uses: [
    ["x", [2, 0]],
    ["x", [0]],
    ["x", "0"],
    ["none", [0, 0]],
  ],
  leaf: [
    ["x", x],
    ["#x", x],
    [3, x],
    ["y", null],
  ],
  program: [
    [{ language: "c" }],
    [{ language: "numpy", nodes: [] }],
    [{ language: "numpy", nodes: ["none"] }],
  ],
  encoderLayer: [
    [x, {}, { numHeads: 1 }],
    [x, null, { numHeads: 1 }],
    [x, {}, { numHeads: 0 }],
    [x, {}, { numHeads: 1, unbiased: 1 }],
    [x, {}, {}],
  ],
  feedForward: [
    [x, {}],
    [x, {}, { activation: "swish" }],
  ],
  attentionRollout: [[[]], [x], [[zeros(3)]]],
  cbow: [[ids(0), ids(0), { w_in: zeros(2, 3) }]],
  similarity: [[zeros(3)]],
  bagOfWords: [
    [ids(0, 3), { vocabulary: 3 }],
    [ids(0), { vocabulary: 0 }],
  ],
  principalComponents: [
    [x, { count: 0 }],
    [x, { count: 4 }],
  ],
  testSurface: [
    [zeros(3), { surface: "bowl" }],
    [zeros(2), { surface: "cliff" }],
  ],
};

interface Case {
  title: string;
  call: Call;
  operation: string;
}

const cases: Case[] = [];
for (const [operation, given] of Object.entries(validArguments)) {
  for (const [what, tensor] of Object.entries(badTensors)) {
    const call: Call = (_, graph) => graph[operation]!(tensor, ...given.slice(1));
    cases.push({ title: `graph.${operation}, first: ${what}`, call, operation });
  }
}
for (const [operation, calls] of Object.entries(badCalls)) {
  calls.forEach((given, place) => {
    const title = `${operation}, ${place}`;
    cases.push({ title: `graph.${title}`, call: (_, graph) => graph[operation]!(...given), operation });
    cases.push({ title: `core.${title}`, call: (core) => core[operation]!(...given), operation });
  });
}
for (const [operation, calls] of Object.entries(badGraphCalls)) {
  calls.forEach((given, place) => {
    cases.push({
      title: `graph.${operation}, ${place}`,
      call: (_, graph) => graph[operation]!(...given),
      operation,
    });
  });
}

/** The Error of a call; undefined if there was none. */
function refusalOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("there are more than two hundred bad calls", () => {
  expect(new Set(cases.map(({ title }) => title)).size).toBe(cases.length);
  expect(cases.length).toBeGreaterThan(200);
});

describe.each(["simd", "relaxed"] as const)("%s", (build) => {
  test("refuses every bad call with a plain Error, and keeps nothing", async () => {
    const core: Core = await load({ build });
    const graph: Graph = core.graph();
    graph.leaf("x", x);
    let before = { bytes: graph.bytes, nodes: graph.snapshot().length, handles: core.liveHandles };
    const faults: string[] = [];
    for (const { title, call } of cases) {
      const error = refusalOf(() => call(core as unknown as Loose, graph as unknown as Loose));
      const plain = error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
      // The message has the operation, a colon, and the fault: "expected ...", "unknown option ...".
      if (!plain || !/^[\w.]+: .*(expected|unknown|lies outside)/s.test(error.message))
        faults.push(`${title}: ${error === undefined ? "was answered" : String(error)}`);
      const now = { bytes: graph.bytes, nodes: graph.snapshot().length, handles: core.liveHandles };
      if (JSON.stringify(now) !== JSON.stringify(before))
        faults.push(`${title}: left ${JSON.stringify(now)}`);
      before = now;
    }
    expect(faults).toEqual([]);
    expect([...graph.value(graph.matmul(x, zeros(3, 2))).data]).toEqual([0, 0, 0, 0]);
    graph.delete();
    expect([core.liveHandles, core.liveValues]).toEqual([0, 0]);
  });
});
