// onnxruntime-web on its WebAssembly provider, in three ways: products and softmax ("plain"), the runtime's own Attention and
// MultiHeadAttention ("contrib"), and the Attention of opset 23 ("attention"). Inputs are copied in at every run, as its API has it.
import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";
import {
  attentionInputs,
  encoderWeights,
  EPSILON,
  headsInside,
  matmulInputs,
  multiHeadWeights,
  patchInputs,
  sequenceInput,
} from "../../../web/bench/inputs.ts";
import { OnnxModel } from "../models/onnx.mjs";
import { patchFilterFirst, rowsLast } from "./images.mjs";
import { wavelengths } from "./positions.mjs";

const sessionOf = (model) =>
  InferenceSession.create(model.bytes(), {
    executionProviders: ["wasm"],
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
  });

/** Runs a model whose output is "output"; inputs are [name, data, shape]. */
async function ready(model, ...inputs) {
  const session = await sessionOf(model);
  const given = Object.fromEntries(
    inputs.map(([name, data, shape]) => [name, new Tensor("float32", data, shape)]),
  );
  return {
    run: () => session.run(given).then(({ output }) => output.data),
    end: () => session.release(),
  };
}

const OUTPUT = { output: "output" };

const linear = (model, x, weight, bias, naming) => {
  const matrix = model.numbers(weight, [weight.length / bias.length, bias.length]);
  return model.apply("Add", [model.apply("MatMul", [x, matrix]), model.numbers(bias)], {}, naming);
};

/** softmax(q k^T / sqrt(d)) v over (B, H, L, d). */
function products(model, [query, key, value], width, mask, naming) {
  const sideways = model.apply("Transpose", [key], { perm: [0, 1, 3, 2] });
  const scale = model.numbers(Float32Array.of(1 / Math.sqrt(width)));
  const scaled = model.apply("Mul", [model.apply("MatMul", [query, sideways]), scale]);
  const scores = mask ? model.apply("Add", [scaled, mask]) : scaled;
  return model.apply("MatMul", [model.apply("Softmax", [scores], { axis: -1 }), value], {}, naming);
}

function causalMask(model, length) {
  const mask = new Float32Array(length * length);
  for (let row = 0; row < length; row++) mask.fill(-Infinity, row * length + row + 1, (row + 1) * length);
  return model.numbers(mask, [1, 1, length, length]);
}

/** The weights of queries, keys and values side by side, (D, 3 D). */
function sideBySide(matrices, dim) {
  const all = new Float32Array(3 * dim * dim);
  for (let row = 0; row < dim; row++)
    matrices.forEach((matrix, part) =>
      all.set(matrix.subarray(row * dim, (row + 1) * dim), (row * 3 + part) * dim),
    );
  return all;
}

function joinedBiases({ bQ, bK, bV }) {
  const all = new Float32Array(3 * bQ.length);
  [bQ, bK, bV].forEach((bias, part) => all.set(bias, part * bQ.length));
  return all;
}

/** The three ways to attend. */
const attentions = {
  plain: (model, inputs, width, { causal, length } = {}, naming) =>
    products(model, inputs, width, causal ? causalMask(model, length) : undefined, naming),
  attention: (model, inputs, _width, { causal } = {}, naming) =>
    model.apply("Attention", inputs, causal ? { is_causal: 1 } : {}, naming),
};

function multiHead(way, model, x, weights, { batch, heads, length, dim }, naming) {
  if (way === "contrib") {
    const matrix = model.numbers(sideBySide([weights.wQ, weights.wK, weights.wV], dim), [dim, 3 * dim]);
    const inputs = [x, matrix, model.numbers(joinedBiases(weights))];
    const mixed = model.applyOther("Attention", inputs, { num_heads: heads });
    return linear(model, mixed, weights.wO, weights.bO, naming);
  }
  const shape = model.integers([batch, length, heads, dim / heads]);
  const split = (name) => {
    const projected = linear(model, x, weights[`w${name}`], weights[`b${name}`]);
    return model.apply("Transpose", [model.apply("Reshape", [projected, shape])], { perm: [0, 2, 1, 3] });
  };
  const mixed = attentions[way](model, ["Q", "K", "V"].map(split), dim / heads);
  const beside = model.apply("Transpose", [mixed], { perm: [0, 2, 1, 3] });
  const merged = model.apply("Reshape", [beside, model.integers([batch, length, dim])]);
  return linear(model, merged, weights.wO, weights.bO, naming);
}

/** LN(a + b). */
function addAndNorm(way, model, a, b, { gain, shift }, naming) {
  const affine = [model.numbers(gain), model.numbers(shift)];
  const epsilon = { float: EPSILON };
  if (way === "contrib")
    return model.applyOther("SkipLayerNormalization", [a, b, ...affine], { epsilon }, naming);
  const sum = model.apply("Add", [a, b]);
  return model.apply("LayerNormalization", [sum, ...affine], { axis: -1, epsilon }, naming);
}

function encoder(way, model, x, weights, sizes, naming) {
  const attended = addAndNorm(
    way,
    model,
    x,
    multiHead(way, model, x, weights.attention, sizes),
    weights.norm1,
  );
  const hidden = model.apply("Relu", [linear(model, attended, weights.w1, weights.b1)]);
  return addAndNorm(
    way,
    model,
    attended,
    linear(model, hidden, weights.w2, weights.b2),
    weights.norm2,
    naming,
  );
}

/** `way` is plain, contrib or attention. */
export async function start({ packages, way }) {
  env.wasm.numThreads = 1;
  env.wasm.proxy = false;
  env.logLevel = "error";
  env.wasm.wasmPaths = { wasm: `${packages}onnxruntime-web/dist/ort-wasm-simd-threaded.wasm` };
  const fresh = () => new OnnxModel(way === "attention" ? 23 : 17);

  function layer(sizes, weights, build) {
    const shape = [sizes.batch, sizes.length, sizes.dim];
    const model = fresh();
    model.input("x", shape);
    build(way, model, "x", weights, sizes, OUTPUT);
    model.output("output", shape);
    return ready(model, ["x", sequenceInput(sizes), shape]);
  }

  return {
    matmul({ n }) {
      const { a, b } = matmulInputs({ n });
      const shape = [n, n];
      const model = fresh();
      const inputs = [["a", a, shape]];
      model.input("a", shape);
      // As a constant the second is packed beforehand.
      if (way === "contrib") model.numbers(b, shape, "b");
      else inputs.push([model.input("b", shape), b, shape]);
      model.apply("MatMul", ["a", "b"], {}, OUTPUT);
      model.output("output", shape);
      return ready(model, ...inputs);
    },
    async attention(sizes) {
      const { batch, heads, length, dim, causal } = sizes;
      const inputs = Object.entries(attentionInputs(sizes));
      const model = fresh();
      const shape = way === "contrib" ? [batch, length, dim] : [batch, heads, length, dim / heads];
      for (const [name] of inputs) model.input(name, shape);
      model.output("output", shape);
      const names = inputs.map(([name]) => name);
      if (way !== "contrib") {
        attentions[way](model, names, dim / heads, sizes, OUTPUT);
        return ready(model, ...inputs.map(([name, data]) => [name, data, shape]));
      }
      const settings = { num_heads: heads, ...(causal && { unidirectional: 1 }) };
      model.applyOther("MultiHeadAttention", names, settings, OUTPUT);
      const made = await ready(
        model,
        ...inputs.map(([name, data]) => [name, headsInside(data, sizes), shape]),
      );
      // The same move with heads and rows in each other's place.
      const back = { batch, heads: length, length: heads, dim: (dim / heads) * length };
      return { ...made, ordered: (output) => headsInside(output, back) };
    },
    multiHead: (sizes) => layer(sizes, multiHeadWeights(sizes.dim), multiHead),
    encoder: (sizes) => layer(sizes, encoderWeights(sizes.dim), encoder),
    sinusoidal({ length, dim }) {
      const model = fresh();
      const rows = [length, 1];
      const places = Float32Array.from({ length }, (_, place) => place);
      model.input("places", rows);
      const angles = model.apply("Div", ["places", model.numbers(wavelengths(dim), [1, dim / 2])]);
      const last = model.integers([2]);
      const waves = ["Sin", "Cos"].map((name) =>
        model.apply("Unsqueeze", [model.apply(name, [angles]), last]),
      );
      const pairs = model.apply("Concat", waves, { axis: 2 });
      model.apply("Reshape", [pairs, model.integers([length, dim])], {}, OUTPUT);
      model.output("output", [length, dim]);
      return ready(model, ["places", places, rows]);
    },
    patches(sizes) {
      const { size, channels, patch, dim } = sizes;
      const { image, weight, bias } = patchInputs(sizes);
      const [side, inputs] = [size / patch, patch * patch * channels];
      const model = fresh();
      model.output("output", [side * side, dim]);
      if (way === "contrib") {
        // As a convolution.
        const shape = [1, channels, size, size];
        const filters = model.numbers(patchFilterFirst(weight, sizes), [dim, channels, patch, patch]);
        const settings = { kernel_shape: [patch, patch], strides: [patch, patch] };
        const features = model.apply(
          "Conv",
          [model.input("image", shape), filters, model.numbers(bias)],
          settings,
        );
        const rows = model.apply("Reshape", [features, model.integers([dim, side * side])]);
        model.apply("Transpose", [rows], { perm: [1, 0] }, OUTPUT);
        return ready(model, ["image", image, shape]);
      }
      const shape = [side, patch, side, patch, channels];
      const apart = model.apply("Transpose", [model.input("image", shape)], { perm: [0, 2, 1, 3, 4] });
      const rows = model.apply("Reshape", [apart, model.integers([side * side, inputs])]);
      linear(model, rows, weight, bias, OUTPUT);
      return ready(model, ["image", rowsLast(image, channels, size), shape]);
    },
  };
}
