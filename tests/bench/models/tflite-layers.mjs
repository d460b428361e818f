// The layers of the tasks as operations of TensorFlow Lite.
import { EPSILON, transpose } from "../../../web/bench/inputs.ts";
import { RELU } from "./tflite.mjs";

/** A fully connected layer. XNNPACK packs its constant matrix in advance. */
export function linear(model, x, rows, weight, bias, activation) {
  const outputs = bias.length;
  const inputs = weight.length / outputs;
  const matrix = model.numbers(transpose(weight, inputs, outputs), [outputs, inputs]);
  return model.apply("FULLY_CONNECTED", [x, matrix, model.numbers(bias)], [rows, outputs], { activation });
}

/** Attention. The query is scaled instead of the scores, because XNNPACK's softmax has no factor. */
export function attention(model, query, key, value, { batch, heads, length, dim }, mask) {
  const shape = [batch, heads, length, dim / heads];
  const square = [batch, heads, length, length];
  const scaled = model.apply("MUL", [query, model.number(1 / Math.sqrt(dim / heads))], shape);
  const scores = model.apply("BATCH_MATMUL", [scaled, key], square, { adjointRight: true });
  const masked = mask === undefined ? scores : model.apply("ADD", [scores, mask], square);
  return model.apply("BATCH_MATMUL", [model.apply("SOFTMAX", [masked], square), value], shape);
}

export function multiHead(model, x, weights, sizes) {
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

export function norm(model, x, rows, { gain, shift }) {
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

export function encoder(model, x, weights, sizes) {
  const rows = sizes.batch * sizes.length;
  const sum = (a, b) => model.apply("ADD", [a, b], [rows, sizes.dim]);
  const attended = norm(model, sum(x, multiHead(model, x, weights.attention, sizes)), rows, weights.norm1);
  const hidden = linear(model, attended, rows, weights.w1, weights.b1, RELU);
  return norm(model, sum(attended, linear(model, hidden, rows, weights.w2, weights.b2)), rows, weights.norm2);
}
