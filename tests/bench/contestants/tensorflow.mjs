// TensorFlow.js on its WebAssembly backend, which uses XNNPACK for products that are neither transposed nor batched.
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-core/dist/register_all_gradients.js";
import { setThreadsCount, setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import {
  attentionInputs,
  decodingInputs,
  encoderWeights,
  EPSILON,
  matmulInputs,
  multiHeadWeights,
  oneHot,
  patchInputs,
  sequenceInput,
  trainingInputs,
} from "../../../web/bench/inputs.ts";
import { decode } from "./decoding.mjs";
import { rowsLast } from "./images.mjs";
import { wavelengths } from "./positions.mjs";

/** With more heads than this one batched product is faster than one product for each head. */
const MOST_SINGLE_HEADS = 8;

/** The tensors of a tree of weights. An array whose name is not in `shapes` has one axis. */
function tensors(weights, shapes) {
  return Object.fromEntries(
    Object.entries(weights).map(([name, value]) => [
      name,
      value instanceof Float32Array
        ? tf.tensor(value, shapes[name] ?? [value.length])
        : tensors(value, shapes),
    ]),
  );
}

const shapesOf = (dim) => ({
  ...Object.fromEntries(["wQ", "wK", "wV", "wO"].map((name) => [name, [dim, dim]])),
  w1: [dim, 4 * dim],
  w2: [4 * dim, dim],
});

function all(tree) {
  return tree instanceof tf.Tensor ? [tree] : Object.values(tree).flatMap(all);
}

const ready = (held, work) => ({
  run() {
    const output = tf.tidy(work);
    const numbers = output.dataSync();
    output.dispose();
    return numbers;
  },
  end: () => all(held).forEach((tensor) => tensor.dispose()),
});

const linear = (x, weight, bias, activation) => tf.fused.matMul({ a: x, b: weight, bias, activation });

/** softmax(q k^T / sqrt(d) + mask) v for (B, H, L, d). */
function attention(query, key, value, mask) {
  const [batch, heads, , width] = query.shape;
  const scaled = tf.mul(query, 1 / Math.sqrt(width));
  const weights = (scores) => tf.softmax(mask ? tf.add(scores, mask) : scores);
  if (batch * heads > MOST_SINGLE_HEADS)
    return tf.matMul(weights(tf.matMul(scaled, key, false, true)), value);
  const apart = (x) => tf.unstack(tf.reshape(x, [batch * heads, ...x.shape.slice(2)]));
  const [keys, values] = [apart(key), apart(value)];
  const outputs = apart(scaled).map((one, head) =>
    tf.matMul(weights(tf.matMul(one, tf.transpose(keys[head]))), values[head]),
  );
  return tf.reshape(tf.stack(outputs), query.shape);
}

function multiHead(x, weights, { batch, heads, length, dim }) {
  const split = (name) => {
    const projected = linear(x, weights[`w${name}`], weights[`b${name}`]);
    return tf.transpose(tf.reshape(projected, [batch, length, heads, dim / heads]), [0, 2, 1, 3]);
  };
  const mixed = attention(split("Q"), split("K"), split("V"));
  const merged = tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [batch * length, dim]);
  return linear(merged, weights.wO, weights.bO);
}

function norm(x, { gain, shift }) {
  const centred = tf.sub(x, tf.mean(x, -1, true));
  const variance = tf.mean(tf.square(centred), -1, true);
  return tf.add(tf.mul(tf.mul(centred, tf.rsqrt(tf.add(variance, EPSILON))), gain), shift);
}

function encoder(x, weights, sizes) {
  const attended = norm(tf.add(x, multiHead(x, weights.attention, sizes)), weights.norm1);
  const hidden = linear(attended, weights.w1, weights.b1, "relu");
  return norm(tf.add(attended, linear(hidden, weights.w2, weights.b2)), weights.norm2);
}

const causalMask = (length) =>
  tf.tidy(() => {
    const places = tf.range(0, length);
    const later = tf.greater(tf.expandDims(places, 0), tf.expandDims(places, 1));
    return tf.where(later, tf.fill([length, length], -Infinity), tf.zeros([length, length]));
  });

function trainingStep(sizes) {
  const { batch, length, dim, vocabulary } = sizes;
  const given = trainingInputs(sizes);
  const weights = {
    embedding: tf.tensor(given.embedding, [vocabulary, dim]),
    output: tf.tensor(given.output, [dim, vocabulary]),
    bias: tf.tensor(given.bias, [vocabulary]),
    layers: given.layers.map((layer) => tensors(layer, shapesOf(dim))),
  };
  const variables = [];
  const learned = (tree) => {
    if (tree instanceof tf.Tensor) return variables[variables.push(tf.variable(tree)) - 1];
    return Array.isArray(tree)
      ? tree.map(learned)
      : Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, learned(value)]));
  };
  const model = learned(weights);
  const tokens = tf.tensor(oneHot(given.tokens, vocabulary), [batch * length, vocabulary]);
  const targets = tf.tensor(oneHot(given.targets, vocabulary), [batch * length, vocabulary]);
  const positions = tf.tensor(given.positions, [1, length, dim]);
  const { lr, beta1, beta2, eps } = given.adam;
  const optimizer = tf.train.adam(lr, beta1, beta2, eps);
  const loss = () => {
    const embedded = tf.reshape(tf.matMul(tokens, model.embedding), [batch, length, dim]);
    let x = tf.reshape(tf.add(embedded, positions), [batch * length, dim]);
    for (const layer of model.layers) x = encoder(x, layer, sizes);
    const logits = tf.add(tf.matMul(x, model.output), model.bias);
    return tf.neg(tf.div(tf.sum(tf.mul(tf.logSoftmax(logits), targets)), batch * length));
  };
  return {
    run() {
      const cost = optimizer.minimize(loss, true, variables);
      const numbers = cost.dataSync();
      cost.dispose();
      return numbers;
    },
    end() {
      [...variables, ...all(weights), tokens, targets, positions].forEach((tensor) => tensor.dispose());
      optimizer.dispose();
    },
  };
}

/** The operations that decoding uses. */
const arithmetic = {
  rows: (data, count) => tf.tensor(data, [count, data.length / count]),
  linear,
  add: tf.add,
  norm,
  below: (kept, row) => (kept ? tf.concat([kept, row], 0) : row),
  attend(query, keys, values, heads) {
    const split = (x) =>
      tf.unstack(tf.transpose(tf.reshape(x, [x.shape[0], heads, x.shape[1] / heads]), [1, 0, 2]));
    const [queries, kept, mixed] = [split(query), split(keys), split(values)];
    const scale = 1 / Math.sqrt(query.shape[1] / heads);
    const outputs = queries.map((one, head) =>
      tf.matMul(tf.softmax(tf.matMul(tf.mul(one, scale), tf.transpose(kept[head]))), mixed[head]),
    );
    return tf.concat(outputs, 1);
  },
  numbers: (x) => x.dataSync(),
};

export async function start({ packages }) {
  setWasmPaths(`${packages}@tensorflow/tfjs-backend-wasm/dist/`);
  setThreadsCount(1);
  await tf.setBackend("wasm");
  await tf.ready();
  return {
    matmul({ n }) {
      const inputs = matmulInputs({ n });
      const [a, b] = [tf.tensor(inputs.a, [n, n]), tf.tensor(inputs.b, [n, n])];
      return ready([a, b], () => tf.matMul(a, b));
    },
    attention(sizes) {
      const { batch, heads, length, dim, causal } = sizes;
      const shape = [batch, heads, length, dim / heads];
      const { query, key, value } = attentionInputs(sizes);
      const inputs = [query, key, value].map((data) => tf.tensor(data, shape));
      const mask = causal ? causalMask(length) : undefined;
      return ready(mask ? [...inputs, mask] : inputs, () => attention(...inputs, mask));
    },
    multiHead(sizes) {
      const x = tf.tensor(sequenceInput(sizes), [sizes.batch * sizes.length, sizes.dim]);
      const weights = tensors(multiHeadWeights(sizes.dim), shapesOf(sizes.dim));
      return ready([x, weights], () => multiHead(x, weights, sizes));
    },
    encoder(sizes) {
      const x = tf.tensor(sequenceInput(sizes), [sizes.batch * sizes.length, sizes.dim]);
      const weights = tensors(encoderWeights(sizes.dim), shapesOf(sizes.dim));
      return ready([x, weights], () => encoder(x, weights, sizes));
    },
    sinusoidal({ length, dim }) {
      const waves = tf.tensor(wavelengths(dim), [1, dim / 2]);
      return ready([waves], () => {
        const angles = tf.div(tf.expandDims(tf.range(0, length), 1), waves);
        return tf.reshape(tf.stack([tf.sin(angles), tf.cos(angles)], 2), [length, dim]);
      });
    },
    patches(sizes) {
      const { size, channels, patch, dim } = sizes;
      const { image, weight, bias } = patchInputs(sizes);
      const x = tf.tensor(rowsLast(image, channels, size), [1, size, size, channels]);
      const filter = tf.tensor(weight, [patch, patch, channels, dim]);
      const term = tf.tensor(bias, [dim]);
      return ready([x, filter, term], () =>
        tf.fused.conv2d({ x, filter, strides: patch, pad: "valid", bias: term }),
      );
    },
    training: trainingStep,
    decoding(sizes) {
      const given = decodingInputs(sizes);
      const weights = tensors(
        { encoder: given.encoder, decoder: given.decoder, first: given.encoderNorm, last: given.decoderNorm },
        shapesOf(sizes.dim),
      );
      const model = {
        encoder: Object.values(weights.encoder),
        decoder: Object.values(weights.decoder),
        encoderNorm: weights.first,
        decoderNorm: weights.last,
      };
      const table = tf.tensor(given.embedding, [sizes.vocabulary, sizes.dim]);
      const sideways = tf.transpose(table);
      const zero = tf.zeros([sizes.vocabulary]);
      return {
        run() {
          tf.engine().startScope();
          const chosen = decode(arithmetic, given, model, (x) => linear(x, sideways, zero), sizes);
          tf.engine().endScope();
          return chosen;
        },
        end: () => all([weights, table, sideways, zero]).forEach((tensor) => tensor.dispose()),
      };
    },
  };
}
