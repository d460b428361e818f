// numpy-ts: NumPy's functions with kernels in WebAssembly. It has no attention and no layers, so they are written with its functions here.
import * as np from "numpy-ts";
import {
  attentionInputs,
  decodingInputs,
  encoderWeights,
  EPSILON,
  matmulInputs,
  multiHeadWeights,
  patchInputs,
  sequenceInput,
} from "../../../web/bench/inputs.ts";
import { decode } from "./decoding.mjs";
import { rowsLast } from "./images.mjs";
import { wavelengths } from "./positions.mjs";

const array = (data, ...shape) => np.array(Array.from(data), "float32").reshape(...shape);

/** The arrays of the last run. They are freed when the next run begins, because its numbers are read after it ends. */
let made = [];
const kept = (x) => {
  made.push(x);
  return x;
};

function ready(work) {
  let last = [];
  const free = () => {
    for (const x of last) x.dispose?.();
    last = [];
  };
  return {
    run() {
      free();
      made = [];
      const output = work();
      last = made;
      return output.data;
    },
    end: free,
  };
}

const contiguous = (x) => kept(np.ascontiguousarray(x));

function softmax(scores) {
  const powers = kept(np.exp(kept(np.subtract(scores, kept(np.amax(scores, -1, true))))));
  return kept(np.divide(powers, kept(np.sum(powers, -1, true))));
}

function attention(query, key, value, mask) {
  const products = kept(np.matmul(query, contiguous(np.swapaxes(key, -1, -2))));
  const scaled = kept(np.multiply(products, Math.fround(query.shape.at(-1) ** -0.5)));
  return kept(np.matmul(softmax(mask ? kept(np.add(scaled, mask)) : scaled), value));
}

const linear = (x, weight, bias, activation) => {
  const sum = kept(np.add(kept(np.matmul(x, weight)), bias));
  return activation ? kept(np.maximum(sum, 0)) : sum;
};

const add = (a, b) => kept(np.add(a, b));

function multiHead(x, weights, { batch, heads, length, dim }) {
  const split = (name) => {
    const projected = linear(x, weights[`w${name}`], weights[`b${name}`]);
    return contiguous(np.transpose(projected.reshape(batch, length, heads, dim / heads), [0, 2, 1, 3]));
  };
  const mixed = attention(split("Q"), split("K"), split("V"));
  const merged = contiguous(np.transpose(mixed, [0, 2, 1, 3])).reshape(batch * length, dim);
  return linear(merged, weights.wO, weights.bO);
}

function norm(x, { gain, shift }) {
  const centred = kept(np.subtract(x, kept(np.mean(x, -1, true))));
  const variance = kept(np.mean(kept(np.multiply(centred, centred)), -1, true));
  const root = kept(np.sqrt(kept(np.add(variance, EPSILON))));
  return kept(np.add(kept(np.multiply(kept(np.divide(centred, root)), gain)), shift));
}

function encoder(x, weights, sizes) {
  const attended = norm(add(x, multiHead(x, weights.attention, sizes)), weights.norm1);
  const hidden = linear(attended, weights.w1, weights.b1, "relu");
  return norm(add(attended, linear(hidden, weights.w2, weights.b2)), weights.norm2);
}

/** The arrays of a tree of weights. The shape of a matrix follows from its name. */
function arrays(weights, dim) {
  const inputs = { wQ: dim, wK: dim, wV: dim, wO: dim, w1: dim, w2: 4 * dim };
  const made = Object.entries(weights).map(([name, value]) => {
    if (!(value instanceof Float32Array)) return [name, arrays(value, dim)];
    return [
      name,
      name in inputs ? array(value, inputs[name], value.length / inputs[name]) : array(value, value.length),
    ];
  });
  return Array.isArray(weights) ? made.map(([, value]) => value) : Object.fromEntries(made);
}

/** A matrix with minus infinity above the diagonal. */
function causalMask(length) {
  const mask = np.zeros([length, length], "float32");
  for (let row = 0; row < length; row++)
    mask.data.fill(-Infinity, row * length + row + 1, (row + 1) * length);
  return mask;
}

/** The operations that decoding uses. */
const arithmetic = {
  rows: (data, count) => kept(array(data, count, data.length / count)),
  linear,
  add,
  norm,
  below: (above, row) => (above ? kept(np.concatenate([above, row], 0)) : row),
  attend(query, keys, values, heads) {
    const split = (x) =>
      contiguous(np.transpose(x.reshape(x.shape[0], heads, x.shape[1] / heads), [1, 0, 2]));
    const mixed = attention(split(query), split(keys), split(values));
    return contiguous(np.transpose(mixed, [1, 0, 2])).reshape(...query.shape);
  },
  numbers: (x) => x.data,
};

export async function start() {
  np.configureWasm({ maxMemory: 3 * 2 ** 30 });
  return {
    matmul({ n }) {
      const inputs = matmulInputs({ n });
      const [a, b] = [array(inputs.a, n, n), array(inputs.b, n, n)];
      return ready(() => kept(np.matmul(a, b)));
    },
    attention(sizes) {
      const { batch, heads, length, dim, causal } = sizes;
      const { query, key, value } = attentionInputs(sizes);
      const inputs = [query, key, value].map((data) => array(data, batch, heads, length, dim / heads));
      const mask = causal ? causalMask(length) : undefined;
      return ready(() => attention(...inputs, mask));
    },
    multiHead(sizes) {
      const x = array(sequenceInput(sizes), sizes.batch * sizes.length, sizes.dim);
      const weights = arrays(multiHeadWeights(sizes.dim), sizes.dim);
      return ready(() => multiHead(x, weights, sizes));
    },
    encoder(sizes) {
      const x = array(sequenceInput(sizes), sizes.batch * sizes.length, sizes.dim);
      const weights = arrays(encoderWeights(sizes.dim), sizes.dim);
      return ready(() => encoder(x, weights, sizes));
    },
    sinusoidal({ length, dim }) {
      const places = array(
        Float32Array.from({ length }, (_, place) => place),
        length,
        1,
      );
      const waves = array(wavelengths(dim), 1, dim / 2);
      return ready(() => {
        const angles = kept(np.divide(places, waves));
        return contiguous(np.stack([kept(np.sin(angles)), kept(np.cos(angles))], 2));
      });
    },
    patches(sizes) {
      const { size, channels, patch, dim } = sizes;
      const { image, weight, bias } = patchInputs(sizes);
      const [side, inputs] = [size / patch, patch * patch * channels];
      const x = array(rowsLast(image, channels, size), side, patch, side, patch, channels);
      const [matrix, term] = [array(weight, inputs, dim), array(bias, dim)];
      return ready(() =>
        linear(contiguous(np.transpose(x, [0, 2, 1, 3, 4])).reshape(side * side, inputs), matrix, term),
      );
    },
    decoding(sizes) {
      const given = decodingInputs(sizes);
      const { encoder, decoder, encoderNorm, decoderNorm } = given;
      const model = arrays({ encoder, decoder, encoderNorm, decoderNorm }, sizes.dim);
      const table = array(given.embedding, sizes.vocabulary, sizes.dim);
      const sideways = np.ascontiguousarray(np.transpose(table));
      return ready(() => ({
        data: decode(arithmetic, given, model, (x) => kept(np.matmul(x, sideways)), sizes),
      }));
    },
  };
}
