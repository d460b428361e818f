// Greedy decoding with onnxruntime-web: a model of the encoder, and a model of a step, which returns the cached keys and values with a row more.
import { Tensor } from "onnxruntime-web/wasm";
import { decodingInputs, EPSILON, transpose } from "../../../web/bench/inputs.ts";
import { addAndNorm, encoder, linear } from "../models/onnx-layers.mjs";
import { embedding, largest } from "./vectors.mjs";

const HEADS_FIRST = { perm: [1, 0, 2] };

/** (rows, D) as (H, rows, d). */
const split = (model, x, heads, width) =>
  model.apply("Transpose", [model.apply("Reshape", [x, model.integers([-1, heads, width])])], HEADS_FIRST);

/** softmax(q k^T / sqrt(d)) v for one row in all heads, projected. */
function attend(model, query, keys, values, { wO, bO }, { heads, dim }) {
  const width = dim / heads;
  const sideways = model.apply("Transpose", [keys], { perm: [0, 2, 1] });
  const scale = model.numbers(Float32Array.of(1 / Math.sqrt(width)));
  const scores = model.apply("Mul", [
    model.apply("MatMul", [split(model, query, heads, width), sideways]),
    scale,
  ]);
  const mixed = model.apply("MatMul", [model.apply("Softmax", [scores], { axis: -1 }), values]);
  const beside = model.apply("Transpose", [mixed], HEADS_FIRST);
  return linear(model, model.apply("Reshape", [beside, model.integers([1, dim])]), wO, bO);
}

const places = (layers) => Array.from({ length: layers }, (_, layer) => layer);

/** The model of the encoder: source vectors (1, L, D) -> keys and values of the memory for each layer of the decoder. */
function encoderModel(way, model, given, sizes) {
  const { length, dim, heads, layers } = sizes;
  let x = model.input("source", [1, length, dim]);
  for (const weights of given.encoder) x = encoder(way, model, x, weights, sizes);
  const { gain, shift } = given.encoderNorm;
  const affine = [model.numbers(gain), model.numbers(shift)];
  const normal = model.apply("LayerNormalization", [x, ...affine], { axis: -1, epsilon: { float: EPSILON } });
  const memory = model.apply("Reshape", [normal, model.integers([length, dim])]);
  for (const layer of places(layers))
    for (const name of ["K", "V"]) {
      const { cross } = given.decoder[layer];
      const projected = linear(model, memory, cross[`w${name}`], cross[`b${name}`]);
      const made = split(model, projected, heads, dim / heads);
      model.apply("Identity", [made], {}, { output: `memory${name}${layer}` });
      model.output(`memory${name}${layer}`, [heads, length, dim / heads]);
    }
  return model;
}

/** The model of a step: a vector (1, D) and the cache of each layer -> logits (1, V), and the caches with a row more. */
function stepModel(way, model, given, sizes) {
  const { length, dim, heads, layers, vocabulary } = sizes;
  const width = dim / heads;
  let x = model.input("x", [1, dim]);
  for (const layer of places(layers)) {
    const weights = given.decoder[layer];
    const project = (of, name) => linear(model, x, weights[of][`w${name}`], weights[of][`b${name}`]);
    const [keys, values] = ["K", "V"].map((name) => {
      const before = model.input(`past${name}${layer}`, [heads, "past", width]);
      const now = split(model, project("attention", name), heads, width);
      const kept = model.apply("Concat", [before, now], { axis: 1 }, { output: `kept${name}${layer}` });
      return model.output(kept, [heads, "kept", width]);
    });
    const memory = ["K", "V"].map((name) => model.input(`memory${name}${layer}`, [heads, length, width]));
    const own = attend(model, project("attention", "Q"), keys, values, weights.attention, sizes);
    x = addAndNorm(way, model, x, own, weights.norm1);
    x = addAndNorm(
      way,
      model,
      x,
      attend(model, project("cross", "Q"), ...memory, weights.cross, sizes),
      weights.norm2,
    );
    const hidden = model.apply("Relu", [linear(model, x, weights.w1, weights.b1)]);
    x = addAndNorm(way, model, x, linear(model, hidden, weights.w2, weights.b2), weights.norm3);
  }
  const { gain, shift } = given.decoderNorm;
  const affine = [model.numbers(gain), model.numbers(shift)];
  const last = model.apply("LayerNormalization", [x, ...affine], { axis: -1, epsilon: { float: EPSILON } });
  const table = model.numbers(transpose(given.embedding, vocabulary, dim), [dim, vocabulary]);
  model.apply("MatMul", [last, table], {}, { output: "logits" });
  model.output("logits", [1, vocabulary]);
  return model;
}

/** The prepared task. `fresh` makes a model, `sessionOf` a session of a model. */
export async function onnxDecoding(way, fresh, sessionOf, sizes) {
  const { length, dim, heads, layers, steps } = sizes;
  const given = decodingInputs(sizes);
  const vectors = embedding(given, sizes);
  // The runtime's own norm of a sum needs three axes, which a step does not have.
  const reading = await sessionOf(encoderModel(way, fresh(), given, sizes));
  const stepping = await sessionOf(stepModel("plain", fresh(), given, sizes));
  const tensor = (data, shape) => new Tensor("float32", data, shape);
  const empty = () => tensor(new Float32Array(0), [heads, 0, dim / heads]);
  return {
    async run() {
      const memory = await reading.run({ source: tensor(vectors(given.source, 0), [1, length, dim]) });
      let past = Object.fromEntries(
        places(layers).flatMap((layer) => ["K", "V"].map((name) => [`past${name}${layer}`, empty()])),
      );
      const ids = [given.begin];
      for (let step = 0; step < steps; step++) {
        const x = tensor(vectors([ids[step]], step), [1, dim]);
        const { logits, ...kept } = await stepping.run({ x, ...memory, ...past });
        past = Object.fromEntries(
          Object.entries(kept).map(([name, value]) => [name.replace("kept", "past"), value]),
        );
        ids.push(largest(logits.data));
      }
      return Float32Array.from(ids);
    },
    async end() {
      await reading.release();
      await stepping.release();
    },
  };
}
