// LiteRT.js: TensorFlow Lite with XNNPACK, with relaxed SIMD where the browser has it. Each work is a model of its own, on one thread.
import { loadAndCompile, loadLiteRt, Tensor } from "@litertjs/core";
import {
  attentionInputs,
  encoderWeights,
  EPSILON,
  matmulInputs,
  multiHeadWeights,
  patchInputs,
  sequenceInput,
  transposed,
} from "../../../web/bench/inputs.ts";
import { RELU, TfliteModel } from "../models/tflite.mjs";
import { rowsLast } from "./images.mjs";
import { wavelengths } from "./positions.mjs";

async function ready(model, output, ...inputs) {
  const compiled = await loadAndCompile(model.bytes(output), {
    accelerator: "wasm",
    cpuOptions: { numThreads: 1 },
  });
  const tensors = inputs.map(({ data, shape }) => new Tensor(data, shape));
  return {
    async run() {
      const outputs = await compiled.run(tensors);
      const numbers = outputs[0].toTypedArray().slice();
      outputs.forEach((tensor) => tensor.delete());
      return numbers;
    },
    end() {
      tensors.forEach((tensor) => tensor.delete());
      compiled.delete();
    },
  };
}

/** A constant matrix, which XNNPACK packs beforehand. */
function linear(model, x, rows, weight, bias, activation) {
  const outputs = bias.length;
  const inputs = weight.length / outputs;
  const matrix = model.numbers(transposed(weight, inputs, outputs), [outputs, inputs]);
  return model.apply("FULLY_CONNECTED", [x, matrix, model.numbers(bias)], [rows, outputs], { activation });
}

/** The query is scaled and not the softmax: XNNPACK takes none but a plain one. */
function attention(model, query, key, value, { batch, heads, length, dim }, mask) {
  const shape = [batch, heads, length, dim / heads];
  const square = [batch, heads, length, length];
  const scaled = model.apply("MUL", [query, model.number(1 / Math.sqrt(dim / heads))], shape);
  const scores = model.apply("BATCH_MATMUL", [scaled, key], square, { adjointRight: true });
  const masked = mask === undefined ? scores : model.apply("ADD", [scores, mask], square);
  return model.apply("BATCH_MATMUL", [model.apply("SOFTMAX", [masked], square), value], shape);
}

function multiHead(model, x, weights, sizes) {
  const { batch, heads, length, dim } = sizes;
  const rows = batch * length;
  const split = (name) => {
    const projected = linear(model, x, rows, weights[`w${name}`], weights[`b${name}`]);
    const apart = model.reshape(projected, [batch, length, heads, dim / heads]);
    return model.transpose(apart, [0, 2, 1, 3], [batch, heads, length, dim / heads]);
  };
  const mixed = attention(model, split("Q"), split("K"), split("V"), sizes);
  const beside = model.transpose(mixed, [0, 2, 1, 3], [batch, length, heads, dim / heads]);
  return linear(model, model.reshape(beside, [rows, dim]), rows, weights.wO, weights.bO);
}

function norm(model, x, rows, { gain, shift }) {
  const shape = [rows, gain.length];
  const last = model.integers([1]);
  const mean = model.apply("MEAN", [x, last], [rows, 1]);
  const squares = model.apply("SQUARED_DIFFERENCE", [x, mean], shape);
  const variance = model.apply("MEAN", [squares, last], [rows, 1]);
  const sum = model.apply("ADD", [variance, model.number(EPSILON)], [rows, 1]);
  const factor = model.apply("RSQRT", [sum], [rows, 1]);
  const normal = model.apply("MUL", [model.apply("SUB", [x, mean], shape), factor], shape);
  const scaled = model.apply("MUL", [normal, model.numbers(gain)], shape);
  return model.apply("ADD", [scaled, model.numbers(shift)], shape);
}

function encoder(model, x, weights, sizes) {
  const rows = sizes.batch * sizes.length;
  const sum = (a, b) => model.apply("ADD", [a, b], [rows, sizes.dim]);
  const attended = norm(model, sum(x, multiHead(model, x, weights.attention, sizes)), rows, weights.norm1);
  const hidden = linear(model, attended, rows, weights.w1, weights.b1, RELU);
  return norm(model, sum(attended, linear(model, hidden, rows, weights.w2, weights.b2)), rows, weights.norm2);
}

/** A number that no score gets over once it is added, above the diagonal: XNNPACK's softmax takes no infinity. */
function causalMask(length) {
  const mask = new Float32Array(length * length);
  for (let row = 0; row < length; row++) mask.fill(-1e9, row * length + row + 1, (row + 1) * length);
  return mask;
}

function layer(sizes, weights, build) {
  const model = new TfliteModel();
  const shape = [sizes.batch * sizes.length, sizes.dim];
  const output = build(model, model.input(shape), weights, sizes);
  return ready(model, output, { data: sequenceInput(sizes), shape });
}

export async function start({ packages }) {
  const files = `${packages}@litertjs/core/wasm/`;
  self.Module = { locateFile: (file) => files + file };
  await loadLiteRt(files);
  return {
    matmul({ n }) {
      const { a, b } = matmulInputs({ n });
      const model = new TfliteModel();
      const output = linear(model, model.input([n, n]), n, b, new Float32Array(n));
      return ready(model, output, { data: a, shape: [n, n] });
    },
    attention(sizes) {
      const { batch, heads, length, dim, causal } = sizes;
      const shape = [batch, heads, length, dim / heads];
      const { query, key, value } = attentionInputs(sizes);
      const model = new TfliteModel();
      const inputs = [query, key, value].map((data) => ({ data, shape }));
      const places = inputs.map(() => model.input(shape));
      const mask = causal ? model.numbers(causalMask(length), [1, 1, length, length]) : undefined;
      return ready(model, attention(model, ...places, sizes, mask), ...inputs);
    },
    multiHead: (sizes) => layer(sizes, multiHeadWeights(sizes.dim), multiHead),
    encoder: (sizes) => layer(sizes, encoderWeights(sizes.dim), encoder),
    sinusoidal({ length, dim }) {
      const model = new TfliteModel();
      const half = [length, dim / 2];
      const rows = { data: Float32Array.from({ length }, (_, place) => place), shape: [length, 1] };
      const speeds = wavelengths(dim).map((wave) => 1 / wave);
      const angles = model.apply("MUL", [model.input(rows.shape), model.numbers(speeds, [1, dim / 2])], half);
      const single = [length, dim / 2, 1];
      const waves = ["SIN", "COS"].map((name) => model.reshape(model.apply(name, [angles], half), single));
      const pairs = model.apply("CONCATENATION", waves, [length, dim / 2, 2], { axis: 2 });
      return ready(model, model.reshape(pairs, [length, dim]), rows);
    },
    patches(sizes) {
      const { size, channels, patch, dim } = sizes;
      const { image, weight, bias } = patchInputs(sizes);
      const side = size / patch;
      const model = new TfliteModel();
      const shape = [1, size, size, channels];
      // As a convolution: filters are (D, row, column, channel).
      const filters = transposed(weight, patch * patch * channels, dim);
      const inputs = [model.input(shape), model.numbers(filters, [dim, patch, patch, channels])];
      const output = model.apply("CONV_2D", [...inputs, model.numbers(bias)], [1, side, side, dim], {
        stride: patch,
      });
      return ready(model, output, { data: rowsLast(image, channels, size), shape });
    },
  };
}
