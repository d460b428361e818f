// The functions of the core: their results, and the calls that they refuse.
import { describe, expect, test } from "vitest";
import { masks, type Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const doubles = (shape: number[], ...data: number[]): Tensor<Float64Array> => ({
  shape,
  data: Float64Array.from(data),
});
const singles = (shape: number[], ...data: number[]): Tensor<Float32Array> => ({
  shape,
  data: Float32Array.from(data),
});
const ids = (shape: number[], ...data: number[]): Tensor<Int32Array> => ({
  shape,
  data: Int32Array.from(data),
});
const flags = (shape: number[], ...data: number[]): Tensor<Uint8Array> => ({
  shape,
  data: Uint8Array.from(data),
});

const square = doubles([2, 2], 1, 2, 3, 4);

describe("results of functions", () => {
  test("arithmetic, in shapes and numbers", () => {
    expect(core.matmul(square, doubles([2, 2], 5, 6, 7, 8))).toEqual(doubles([2, 2], 19, 22, 43, 50));
    expect(core.add(square, doubles([2], 10, 20))).toEqual(doubles([2, 2], 11, 22, 13, 24));
    expect(core.scale(square, { factor: 2 })).toEqual(doubles([2, 2], 2, 4, 6, 8));
    expect(core.scale(square, { divisor: 2 })).toEqual(doubles([2, 2], 0.5, 1, 1.5, 2));
    expect(core.transpose(square)).toEqual(doubles([2, 2], 1, 3, 2, 4));
    expect(core.transpose(doubles([1, 2, 3], 1, 2, 3, 4, 5, 6), { axes: [2, 0, 1] })).toEqual(
      doubles([3, 1, 2], 1, 4, 2, 5, 3, 6),
    );
    expect(core.reshape(square, { shape: [4] })).toEqual(doubles([4], 1, 2, 3, 4));
    expect(core.slice(square, { axis: -1, start: 1, stop: 2 })).toEqual(doubles([2, 1], 2, 4));
    expect(core.concat([square, doubles([1, 2], 5, 6)], { axis: 0 })).toEqual(
      doubles([3, 2], 1, 2, 3, 4, 5, 6),
    );
    expect(core.linear(square, doubles([1, 2], 10, 1), doubles([1], 100))).toEqual(doubles([2, 1], 112, 134));
    expect(core.tiedLogits(square, doubles([3, 2], 1, 0, 0, 1, 1, 1))).toEqual(
      doubles([2, 3], 1, 2, 3, 3, 4, 7),
    );
    expect(core.embedding(ids([3], 1, 1, 0), square)).toEqual(doubles([3, 2], 3, 4, 3, 4, 1, 2));
  });

  test("masks keep cells where they are 1, and may have their own fill", () => {
    const keep = flags([2], 1, 0);
    expect(core.mask(square, keep)).toEqual(doubles([2, 2], 1, -Infinity, 3, -Infinity));
    expect(core.mask(square, keep, { fill: 7 })).toEqual(doubles([2, 2], 1, 7, 3, 7));
    expect(core.mask(square, masks.fromFill(keep, -1e9))).toEqual(doubles([2, 2], 1, -1e9, 3, -1e9));
  });

  test("softmax of only -Infinity is NaN, or zeros on request", () => {
    const empty = doubles([1, 2], -Infinity, -Infinity);
    expect(core.softmax(empty)).toEqual(doubles([1, 2], NaN, NaN));
    expect(core.softmax(empty, { emptyIsZero: true })).toEqual(doubles([1, 2], 0, 0));
    expect(core.softmax(doubles([2, 1], 0, 0), { axis: 0 })).toEqual(doubles([2, 1], 0.5, 0.5));
  });

  test("heads are contiguous columns", () => {
    const x = doubles([1, 2, 4], 1, 2, 3, 4, 5, 6, 7, 8);
    const heads = core.splitHeads(x, { numHeads: 2 });
    expect(heads).toEqual(doubles([1, 2, 2, 2], 1, 2, 5, 6, 3, 4, 7, 8));
    expect(core.mergeHeads(heads)).toEqual(x);
  });

  test("results have the precision of the inputs, or the requested one", () => {
    expect(core.matmul(singles([1, 1], 3), singles([1, 1], 2))).toEqual(singles([1, 1], 6));
    expect(core.sinusoidal({ length: 1, dim: 2 })).toEqual(doubles([1, 2], 0, 1));
    expect(core.sinusoidal({ length: 1, dim: 2 }, "float32")).toEqual(singles([1, 2], 0, 1));
    expect(core.absoluteIndex({ positions: [3, 9], dim: 2 }, "float32")).toEqual(singles([2, 2], 3, 3, 9, 9));
    expect(core.alibi({ numHeads: 1, queryLength: 1, keyLength: 2 }, "float32")).toEqual({
      slopes: singles([1], 2 ** -8),
      bias: singles([1, 1, 2], -(2 ** -8), -0),
    });
  });

  test("attention returns its weights, rows of masked keys are zero, and a projection leaves its bias", () => {
    const hidden = flags([2, 2], 1, 0, 0, 0);
    const { weights, output } = core.scaledDotProductAttention(square, square, square, { mask: hidden });
    expect(weights).toEqual(doubles([2, 2], 1, 0, 0, 0));
    expect(output).toEqual(doubles([2, 2], 1, 2, 0, 0));
    const identity = doubles([2, 2], 1, 0, 0, 1);
    const parameters = {
      qProjWeight: identity,
      kProjWeight: identity,
      vProjWeight: identity,
      outProjWeight: identity,
      outProjBias: doubles([2], 7, 9),
    };
    const heads = core.multiHeadAttention(square, square, square, parameters, {
      numHeads: 2,
      keyMask: flags([2], 0, 0),
    });
    expect(heads.output).toEqual(doubles([2, 2], 7, 9, 7, 9));
    expect(heads.weights).toEqual(doubles([2, 2, 2], 0, 0, 0, 0, 0, 0, 0, 0));
  });

  test("without W_O attention gives the heads side by side", () => {
    const one = doubles([2, 2], 1, 0, 0, 1);
    const parameters = { wQ: one, wK: one, wV: one };
    const { output, weights } = core.multiHeadAttention(square, square, square, parameters, { numHeads: 1 });
    expect({ output, weights: { ...weights, shape: [2, 2] } }).toEqual(
      core.scaledDotProductAttention(square, square, square),
    );
    const biased = { ...parameters, bV: doubles([2], 10, 20) };
    const moved = core.multiHeadAttention(square, square, square, biased, { numHeads: 1 });
    moved.output.data.forEach((value, at) =>
      expect(value).toBeCloseTo(output.data[at]! + [10, 20][at % 2]!, 12),
    );
  });

  test("dropout leaves the weights that are returned as they were", () => {
    const { weights } = core.scaledDotProductAttention(square, square, square);
    const dropped = core.scaledDotProductAttention(square, square, square, { dropout: { p: 0.5, seed: 1 } });
    expect(dropped.weights).toEqual(weights);
    // np.random.RandomState(1).uniform(size=4) is 0.417, 0.720, 0.000, 0.302: only the second is above 0.5.
    const [, kept = 0] = weights.data;
    expect([...dropped.output.data]).toEqual([(kept / 0.5) * 3, (kept / 0.5) * 4, 0, 0]);
    const dropout = { p: 0.5, seed: 1 };
    const quiet = core.scaledDotProductAttention(square, square, square, { dropout, needWeights: false });
    expect(quiet).toEqual({ output: dropped.output });
  });

  test("inputs are not changed and outputs are copies", () => {
    const x = doubles([2], 1, 2);
    const y = core.scale(x, { factor: 1 });
    y.data[0] = 99;
    y.shape[0] = 5;
    expect(x).toEqual(doubles([2], 1, 2));
    expect(core.scale(x, { factor: 1 })).toEqual(doubles([2], 1, 2));
    expect(y.data.buffer.byteLength).toBe(16);
  });
});

describe("masks of other conventions", () => {
  const marked = flags([2], 1, 0);
  test("are converted", () => {
    expect(masks.fromTorchModule(marked)).toEqual(flags([2], 0, 1));
    expect(masks.fromZeroMasked(marked)).toEqual(marked);
    expect(masks.fromZeroMasked(doubles([3], 0, -2, 0.5))).toEqual(flags([3], 0, 1, 1));
    expect(masks.fromFill(marked, -1e9)).toEqual({ ...marked, fill: -1e9 });
    expect(masks.fromAdditive(marked, -1e9)).toEqual(doubles([2], -1e9, 0));
    expect(masks.fromAdditive(marked, -Infinity, "float32")).toEqual(singles([2], -Infinity, 0));
  });
});

/** Calls that a program without types could make. */
const untyped = () => core as unknown as Record<string, (...given: unknown[]) => unknown>;

const refused: [string, (call: ReturnType<typeof untyped>) => unknown, string][] = [
  ["inner sizes that differ", (call) => call.matmul!(doubles([2, 3], 1, 2, 3, 4, 5, 6), square), "matmul: b has shape (2, 2), expected 3 rows to match a (2, 3)"],
  ["two precisions", (call) => call.add!(square, singles([1], 1)), "add: b is float32 and a is float64, expected one precision"],
  ["a list instead of a tensor", (call) => call.softmax!([1, 2]), "softmax: x is [1, 2], expected a tensor { shape, data }"],
  ["no argument", (call) => call.softmax!(), "softmax: x is undefined, expected a tensor { shape, data }"],
  ["data in a plain array", (call) => call.softmax!({ shape: [1], data: [1] }), "softmax: x.data is [1], expected a Float64Array"],
  ["ids for numbers", (call) => call.softmax!(ids([1], 1)), "softmax: x.data is an Int32Array, expected a Float64Array"],
  ["too few numbers", (call) => call.softmax!(doubles([3], 1)), "softmax: x has 1 numbers, expected 3 to fill the shape (3,)"],
  ["a negative size", (call) => call.softmax!(doubles([-1], 1)), "softmax: x.shape[0] is -1, expected an integer of at least 0"],
  ["a fractional size", (call) => call.softmax!(doubles([0.5], 1)), "softmax: x.shape[0] is 0.5, expected an integer of at least 0"],
  ["a fractional axis", (call) => call.softmax!(square, { axis: 0.5 }), "softmax: axis is 0.5, expected an integer"],
  ["an axis that does not exist", (call) => call.softmax!(square, { axis: 2 }), "softmax: axis is 2, expected one of the 2 axes"],
  ["an axis that is NaN", (call) => call.logSoftmax!(square, { axis: NaN }), "logSoftmax: axis is NaN, expected an integer"],
  ["a word instead of a flag", (call) => call.softmax!(square, { emptyIsZero: "no" }), 'softmax: emptyIsZero is "no", expected true or false'],
  ["an unknown option", (call) => call.softmax!(square, { axes: 1 }), 'softmax: unknown option "axes", expected axis, emptyIsZero'],
  ["a number instead of options", (call) => call.softmax!(square, 3), "softmax: options is 3, expected an object"],
  ["a factor that is NaN", (call) => call.scale!(square, { factor: NaN }), "scale: factor is NaN, expected a finite number"],
  ["division by 0", (call) => call.scale!(square, { divisor: 0 }), "scale: divisor is 0, expected a finite number other than 0"],
  ["parameters of both forms", (call) => call.multiHeadAttention!(square, square, square, { wQ: square, wK: square, wV: square, wO: square, outProjBias: doubles([2], 1, 2) }, { numHeads: 1 }), "multiHeadAttention: parameters is a mixture with wQ and outProjBias, expected either { wQ, wK, wV, wO } and their biases or those of torch.nn.MultiheadAttention"],
  ["a bias of the output without its weight", (call) => call.multiHeadAttention!(square, square, square, { wQ: square, wK: square, wV: square, bO: doubles([2], 1, 2) }, { numHeads: 1 }), "multi_head_attention: parameters is b_o without w_o, expected w_o beside b_o: without w_o nothing is projected"],
  ["a bias of another length", (call) => call.multiHeadAttention!(square, square, square, { wQ: square, wK: square, wV: square, bV: doubles([3], 1, 2, 3) }, { numHeads: 1 }), "multi_head_attention: b_v has shape (3,), expected (2,)"],
  ["a dropout that is a number", (call) => call.scaledDotProductAttention!(square, square, square, { dropout: 0.1 }), "scaledDotProductAttention: dropout is 0.1, expected { p, seed }"],
  ["a dropout without a seed", (call) => call.scaledDotProductAttention!(square, square, square, { dropout: { p: 0.1 } }), "scaledDotProductAttention: dropout.seed is undefined, expected an integer from 0 to 4294967295"],
  ["a dropout of all weights", (call) => call.scaledDotProductAttention!(square, square, square, { dropout: { p: 1, seed: 0 } }), "dropout: p is 1, expected"],
  ["both ways to scale", (call) => call.scale!(square, { divisor: 1, factor: 1 }), "scale: expected either factor or divisor, got both"],
  ["no way to scale", (call) => call.scale!(square, {}), "scale: expected either factor or divisor, got neither"],
  ["no parts", (call) => call.concat!([], { axis: 0 }), "concat: tensors is [], expected a list of at least one tensor"],
  ["a mask of twos", (call) => call.mask!(square, flags([1], 2)), "mask: mask is a boolean mask, expected every value to be 0 or 1"],
  ["heads that do not divide the width", (call) => call.splitHeads!(square, { numHeads: 3 }), "split_heads: num_heads is 3, expected a divisor of the 2 columns of x (2, 2)"],
  ["no heads", (call) => call.splitHeads!(square, { numHeads: 0 }), "splitHeads: numHeads is 0, expected an integer of at least 1"],
  ["an id beyond the table", (call) => call.embedding!(ids([1], 2), square), "embedding: id at (0,) is 2, expected a row of a table of 2"],
  ["a patch that does not divide the image", (call) => call.patchify!(doubles([1, 1, 3], 1, 2, 3), { patch: [1, 2], order: "c p1 p2" }), "patchify: image has shape (1, 1, 3), expected"],
  ["an unknown order", (call) => call.patchify!(doubles([1, 1, 1], 1), { patch: [1, 1], order: "c" }), 'patchify: order is "c", expected "p1 p2 c" or "c p1 p2"'],
  ["positions and a length", (call) => call.sinusoidal!({ positions: [1], length: 1, dim: 2 }), "sinusoidal: expected either positions or length, got both"],
  ["a base below 0", (call) => call.sinusoidal!({ length: 1, dim: 2, base: -1 }), "sinusoidal: base is -1, expected a finite number above 0"],
  ["an unknown precision", (call) => call.sinusoidal!({ length: 1, dim: 2 }, "float16"), 'sinusoidal: precision is "float16", expected "float64" or "float32"'],
  ["more memory than the limit", (call) => call.sinusoidal!({ length: 100000, dim: 10000 }), "sinusoidal: needs 7630.2 MB, of which 0.7 MB are in use; the limit is 512.0 MB"],
  ["widths of query and key", (call) => call.scaledDotProductAttention!(square, doubles([1, 1], 1), square), "scaled_dot_product_attention: key has shape (1, 1), expected 2 columns to match query (2, 2)"],
  ["a temperature of 0", (call) => call.scaledDotProductAttention!(square, square, square, { temperature: 0 }), "scaledDotProductAttention: temperature is 0, expected a finite number above 0"],
  ["an unknown causality", (call) => call.scaledDotProductAttention!(square, square, square, { isCausal: "left" }), 'scaledDotProductAttention: isCausal is "left", expected true, false, "top_left" or "bottom_right"'],
  ["an unknown parameter", (call) => call.multiHeadAttention!(square, square, square, { wq: square }, { numHeads: 1 }), 'multiHeadAttention: parameters is "wq", expected wQ, wK'],
  ["a missing parameter", (call) => call.multiHeadAttention!(square, square, square, { wQ: square }, { numHeads: 1 }), "multiHeadAttention: wK is missing, expected a value"],
  ["a number instead of a token", (call) => call.tokenSeed!(3, 1), "tokenSeed: token is 3, expected a string"],
]; // prettier-ignore

describe("refused calls of functions", () => {
  test.each(refused)("%s", (_, call, message) => {
    let error: unknown;
    try {
      call(untyped());
    } catch (thrown) {
      error = thrown;
    }
    expect((error as Error)?.constructor).toBe(Error);
    expect((error as Error).message).toContain(message);
  });
});
