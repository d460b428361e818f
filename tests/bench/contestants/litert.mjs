// LiteRT.js: TensorFlow Lite with XNNPACK, with relaxed SIMD if the browser has it. Each task is a model of its own, on one thread.
import { loadAndCompile, loadLiteRt, Tensor } from "@litertjs/core";
import {
  attentionInputs,
  encoderWeights,
  matmulInputs,
  multiHeadWeights,
  patchInputs,
  sequenceInput,
  transpose,
} from "../../../web/bench/inputs.ts";
import { attention, encoder, linear, multiHead } from "../models/tflite-layers.mjs";
import { TfliteModel } from "../models/tflite.mjs";
import { tfliteDecoding } from "./litert-decoding.mjs";
import { rowsLast } from "./images.mjs";
import { wavelengths } from "./positions.mjs";

const compile = (model, ...outputs) =>
  loadAndCompile(model.bytes(...outputs), { accelerator: "wasm", cpuOptions: { numThreads: 1 } });

async function ready(model, output, ...inputs) {
  const compiled = await compile(model, output);
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

/** The number that the causal mask adds above the diagonal, far below any score: XNNPACK's softmax does not accept infinity. */
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
      // A convolution with filters (D, row, column, channel).
      const filters = transpose(weight, patch * patch * channels, dim);
      const inputs = [model.input(shape), model.numbers(filters, [dim, patch, patch, channels])];
      const output = model.apply("CONV_2D", [...inputs, model.numbers(bias)], [1, side, side, dim], {
        stride: patch,
      });
      return ready(model, output, { data: rowsLast(image, channels, size), shape });
    },
    decoding: (sizes) => tfliteDecoding(compile, sizes),
  };
}
