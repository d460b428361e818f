// Greedy decoding with LiteRT.js, whose models have fixed shapes: keys and values are in arrays of the final length, in which later positions
// are masked, and the outputs of a step are inputs of the next one.
import { Tensor } from "@litertjs/core";
import { decodingInputs } from "../../../web/bench/inputs.ts";
import { encoder, linear, norm } from "../models/tflite-layers.mjs";
import { RELU, TfliteModel } from "../models/tflite.mjs";
import { stepMasks } from "./fixed-cache.mjs";
import { embedding, largest } from "./vectors.mjs";

/** (rows, D) as (H, rows, d). */
function split(model, x, rows, { heads, dim }) {
  const apart = model.reshape(x, [rows, heads, dim / heads]);
  return model.transpose(apart, [1, 0, 2], [heads, rows, dim / heads]);
}

/** The attention of one row to `rows` keys in all heads, projected. */
function attend(model, query, keys, values, rows, { wO, bO }, sizes, hidden) {
  const { heads, dim } = sizes;
  const width = dim / heads;
  const scaled = model.apply("MUL", [query, model.number(1 / Math.sqrt(width))], [1, dim]);
  const pair = [split(model, scaled, 1, sizes), split(model, keys, rows, sizes)];
  const scores = model.apply("BATCH_MATMUL", pair, [heads, 1, rows], { adjointRight: true });
  const masked = hidden === undefined ? scores : model.apply("ADD", [scores, hidden], [heads, 1, rows]);
  const weights = model.apply("SOFTMAX", [masked], [heads, 1, rows]);
  const mixed = model.apply("BATCH_MATMUL", [weights, split(model, values, rows, sizes)], [heads, 1, width]);
  return linear(model, model.reshape(mixed, [1, dim]), 1, wO, bO);
}

/** The model of the encoder: source vectors -> keys and values of the memory for each layer of the decoder. */
function reading(given, sizes) {
  const { length, dim } = sizes;
  const model = new TfliteModel();
  let x = model.input([length, dim]);
  for (const weights of given.encoder) x = encoder(model, x, weights, sizes);
  const memory = norm(model, x, length, given.encoderNorm);
  const outputs = given.decoder.flatMap(({ cross }) =>
    ["K", "V"].map((name) => linear(model, memory, length, cross[`w${name}`], cross[`b${name}`])),
  );
  return { model, outputs };
}

/** The model of a step: a vector, its position, the cached keys and values, those of the memory -> the new cache, and logits. */
function stepping(given, sizes) {
  const { length, dim, steps, vocabulary } = sizes;
  const model = new TfliteModel();
  let x = model.input([1, dim]);
  const [here, elsewhere] = [model.input([steps, 1]), model.input([steps, 1])];
  const hidden = model.input([1, 1, steps]);
  const pairs = (rows) => given.decoder.map(() => [model.input([rows, dim]), model.input([rows, dim])]);
  const [past, memory] = [pairs(steps), pairs(length)];
  const outputs = [];
  const sum = (a, b) => model.apply("ADD", [a, b], [1, dim]);
  for (const [layer, weights] of given.decoder.entries()) {
    const project = (of, name) => linear(model, x, 1, weights[of][`w${name}`], weights[of][`b${name}`]);
    const [keys, values] = ["K", "V"].map((name, place) => {
      const before = model.apply("MUL", [past[layer][place], elsewhere], [steps, dim]);
      const now = model.apply("MUL", [project("attention", name), here], [steps, dim]);
      const kept = model.apply("ADD", [before, now], [steps, dim]);
      outputs.push(kept);
      return kept;
    });
    const query = project("attention", "Q");
    const own = attend(model, query, keys, values, steps, weights.attention, sizes, hidden);
    x = norm(model, sum(x, own), 1, weights.norm1);
    const other = attend(model, project("cross", "Q"), ...memory[layer], length, weights.cross, sizes);
    x = norm(model, sum(x, other), 1, weights.norm2);
    const inner = linear(model, x, 1, weights.w1, weights.b1, RELU);
    x = norm(model, sum(x, linear(model, inner, 1, weights.w2, weights.b2)), 1, weights.norm3);
  }
  const last = norm(model, x, 1, given.decoderNorm);
  // The table already has the layout of a fully connected layer: (V, D).
  const table = model.numbers(given.embedding, [vocabulary, dim]);
  const nothing = model.numbers(new Float32Array(vocabulary));
  outputs.push(model.apply("FULLY_CONNECTED", [last, table, nothing], [1, vocabulary]));
  return { model, outputs };
}

/** The prepared task. `compile` takes a model and its outputs. */
export async function tfliteDecoding(compile, sizes) {
  const { length, dim, layers, steps } = sizes;
  const given = decodingInputs(sizes);
  const vectors = embedding(given, sizes);
  const [first, next] = [reading(given, sizes), stepping(given, sizes)];
  const reader = await compile(first.model, ...first.outputs);
  const stepper = await compile(next.model, ...next.outputs);
  const masks = stepMasks(steps).map(({ here, elsewhere, hidden }) => [
    new Tensor(here, [steps, 1]),
    new Tensor(elsewhere, [steps, 1]),
    new Tensor(hidden, [1, 1, steps]),
  ]);
  const blank = Array.from(
    { length: 2 * layers },
    () => new Tensor(new Float32Array(steps * dim), [steps, dim]),
  );
  return {
    async run() {
      const source = new Tensor(vectors(given.source, 0), [length, dim]);
      const memory = await reader.run([source]);
      let past = blank;
      const ids = [given.begin];
      for (let step = 0; step < steps; step++) {
        const x = new Tensor(vectors([ids[step]], step), [1, dim]);
        const outputs = await stepper.run([x, ...masks[step], ...past, ...memory]);
        const logits = outputs.pop();
        ids.push(largest(logits.toTypedArray()));
        for (const used of [x, logits, ...(past === blank ? [] : past)]) used.delete();
        past = outputs;
      }
      for (const used of [source, ...memory, ...past]) used.delete();
      return Float32Array.from(ids);
    },
    end() {
      for (const tensor of [...blank, ...masks.flat()]) tensor.delete();
      reader.delete();
      stepper.delete();
    },
  };
}
