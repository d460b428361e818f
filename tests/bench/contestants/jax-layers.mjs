// The layers of the tasks in jax-js's functions, and trees of weights as the lists that a compiled function takes.
import { nn, numpy as np } from "@jax-js/jax";
import { EPSILON } from "../../../web/bench/inputs.ts";

/** The arrays of a tree of weights, with their paths and shapes. `tree` makes the tree again. */
export function flat(weights, dim, path = "") {
  const inputs = { wQ: dim, wK: dim, wV: dim, wO: dim, w1: dim, w2: 4 * dim };
  const found = [];
  for (const [name, value] of Object.entries(weights)) {
    if (!(value instanceof Float32Array)) found.push(...flat(value, dim, `${path}${name}.`));
    else {
      const shape = name in inputs ? [inputs[name], value.length / inputs[name]] : [value.length];
      found.push({ path: path + name, shape, data: value });
    }
  }
  return found;
}

/** A tree of traced values. Every leaf is used by `.ref` and disposed of at the end. */
export function tree(paths, values) {
  const root = {};
  paths.forEach((path, place) => {
    const names = path.split(".");
    let inside = root;
    for (const name of names.slice(0, -1)) inside = inside[name] ??= {};
    inside[names.at(-1)] = values[place];
  });
  return root;
}

export function attention(query, key, value, width, mask) {
  const scores = np.matmul(query, np.swapaxes(key, -1, -2)).mul(1 / Math.sqrt(width));
  return np.matmul(nn.softmax(mask ? scores.add(mask) : scores, -1), value);
}

export const linear = (x, weight, bias) => np.matmul(x, weight.ref).add(bias.ref);

export function multiHead(x, weights, { batch, heads, length, dim }) {
  const width = dim / heads;
  const split = (from, name) => {
    const projected = linear(from, weights[`w${name}`], weights[`b${name}`]);
    return np.transpose(projected.reshape([batch, length, heads, width]), [0, 2, 1, 3]);
  };
  const mixed = attention(split(x.ref, "Q"), split(x.ref, "K"), split(x, "V"), width);
  const merged = np.transpose(mixed, [0, 2, 1, 3]).reshape([batch * length, dim]);
  return linear(merged, weights.wO, weights.bO);
}

export function norm(x, { gain, shift }) {
  const mean = np.mean(x.ref, -1, { keepdims: true });
  const centred = x.sub(mean);
  const variance = np.mean(centred.ref.mul(centred.ref), -1, { keepdims: true });
  return centred
    .mul(np.reciprocal(np.sqrt(variance.add(EPSILON))))
    .mul(gain.ref)
    .add(shift.ref);
}

export function encoder(x, weights, sizes) {
  const attended = norm(x.ref.add(multiHead(x, weights.attention, sizes)), weights.norm1);
  const hidden = nn.relu(linear(attended.ref, weights.w1, weights.b1));
  return norm(attended.add(linear(hidden, weights.w2, weights.b2)), weights.norm2);
}
