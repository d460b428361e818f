// The layers of the tasks as operations of ONNX, in the three ways of contestants/onnx.mjs.
import { EPSILON } from "../../../web/bench/inputs.ts";

/** Names the output of the last operation. */
export const OUTPUT = { output: "output" };

export const linear = (model, x, weight, bias, naming) => {
  const matrix = model.numbers(weight, [weight.length / bias.length, bias.length]);
  return model.apply("Add", [model.apply("MatMul", [x, matrix]), model.numbers(bias)], {}, naming);
};

/** softmax(q k^T / sqrt(d)) v for (B, H, L, d). */
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

/** Attention without projections, in two of the ways. */
export const attentions = {
  plain: (model, inputs, width, { causal, length } = {}, naming) =>
    products(model, inputs, width, causal ? causalMask(model, length) : undefined, naming),
  attention: (model, inputs, _width, { causal } = {}, naming) =>
    model.apply("Attention", inputs, causal ? { is_causal: 1 } : {}, naming),
};

export function multiHead(way, model, x, weights, { batch, heads, length, dim }, naming) {
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
export function addAndNorm(way, model, a, b, { gain, shift }, naming) {
  const affine = [model.numbers(gain), model.numbers(shift)];
  const epsilon = { float: EPSILON };
  if (way === "contrib")
    return model.applyOther("SkipLayerNormalization", [a, b, ...affine], { epsilon }, naming);
  const sum = model.apply("Add", [a, b]);
  return model.apply("LayerNormalization", [sum, ...affine], { axis: -1, epsilon }, naming);
}

export function encoder(way, model, x, weights, sizes, naming) {
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
