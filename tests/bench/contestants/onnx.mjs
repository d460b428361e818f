// onnxruntime-web on its WebAssembly provider, in three ways: products and softmax ("plain"), the runtime's own Attention and
// MultiHeadAttention ("contrib"), and the Attention of opset 23 ("attention"). Its API copies the inputs at every run.
import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";
import {
  attentionInputs,
  encoderWeights,
  headsInside,
  matmulInputs,
  multiHeadWeights,
  patchInputs,
  sequenceInput,
} from "../../../web/bench/inputs.ts";
import { attentions, encoder, linear, multiHead, OUTPUT } from "../models/onnx-layers.mjs";
import { OnnxModel } from "../models/onnx.mjs";
import { onnxDecoding } from "./onnx-decoding.mjs";
import { patchFilterFirst, rowsLast } from "./images.mjs";
import { wavelengths } from "./positions.mjs";

const sessionOf = (model) =>
  InferenceSession.create(model.bytes(), {
    executionProviders: ["wasm"],
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
  });

/** The prepared run of a model whose output is called "output". Inputs are [name, data, shape]. */
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

/** The makers of tasks. `way` is plain, contrib or attention. */
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
      // The runtime packs the second matrix in advance, because it is a constant.
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
      // The inverse rearrangement: heads and rows exchange their places.
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
        // A convolution.
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
    decoding: (sizes) => onnxDecoding(way, fresh, sessionOf, sizes),
  };
}
