/** Seeded inputs and weights, the same for every contestant. Matrices of weights are (in, out): y = x W + b. */
import type { Sequences, Sizes } from "./works.js";

/** Marsaglia's xorshift with 32 bits: whole numbers below 2^32. */
function stream(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

/** `count` random numbers from `centre - bound` to `centre + bound`. */
export function uniform(seed: number, count: number, bound = 1, centre = 0): Float32Array {
  const next = stream(seed);
  const numbers = new Float32Array(count);
  for (let place = 0; place < count; place++) numbers[place] = centre + bound * (next() / 2 ** 31 - 1);
  return numbers;
}

function ids(seed: number, count: number, vocabulary: number): Int32Array {
  const next = stream(seed);
  // The high bits are used, because the low bits of an xorshift are weaker.
  return Int32Array.from({ length: count }, () => Math.floor((next() / 2 ** 32) * vocabulary));
}

export const matmulInputs = ({ n }: Sizes["matmul"]) => ({ a: uniform(1, n * n), b: uniform(2, n * n) });

/** Queries, keys and values, (B, H, L, d). */
export function attentionInputs({ batch, length, dim }: Sequences) {
  const count = batch * length * dim;
  return { query: uniform(11, count, 2), key: uniform(12, count, 2), value: uniform(13, count) };
}

/** (B, H, L, d) rearranged to (B, L, H, d), or the other way with `heads` and `length` swapped. */
export function headsInside(x: Float32Array, { batch, heads, length, dim }: Sequences): Float32Array {
  const width = dim / heads;
  const moved = new Float32Array(x.length);
  let to = 0;
  for (let b = 0; b < batch; b++)
    for (let row = 0; row < length; row++)
      for (let head = 0; head < heads; head++, to += width) {
        const from = ((b * heads + head) * length + row) * width;
        moved.set(x.subarray(from, from + width), to);
      }
  return moved;
}

/** The transpose of a matrix (rows, columns). */
export function transpose(x: Float32Array, rows: number, columns: number): Float32Array {
  const moved = new Float32Array(x.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) moved[column * rows + row] = x[row * columns + column]!;
  return moved;
}

/** A projection (in, out) whose outputs vary about as much as its inputs. */
const projection = (seed: number, inputs: number, outputs: number) =>
  uniform(seed, inputs * outputs, 1.7 * inputs ** -0.5);

export interface MultiHeadWeights {
  wQ: Float32Array;
  wK: Float32Array;
  wV: Float32Array;
  wO: Float32Array;
  bQ: Float32Array;
  bK: Float32Array;
  bV: Float32Array;
  bO: Float32Array;
}

export function multiHeadWeights(dim: number, seed = 100): MultiHeadWeights {
  const bias = (place: number) => uniform(seed + place, dim, 0.1);
  return {
    wQ: projection(seed, dim, dim),
    wK: projection(seed + 1, dim, dim),
    wV: projection(seed + 2, dim, dim),
    wO: projection(seed + 3, dim, dim),
    bQ: bias(4),
    bK: bias(5),
    bV: bias(6),
    bO: bias(7),
  };
}

/** The weight and the bias of a layer norm. */
export interface Norm {
  gain: Float32Array;
  shift: Float32Array;
}

const norm = (dim: number, seed: number): Norm => ({
  gain: uniform(seed, dim, 0.2, 1),
  shift: uniform(seed + 1, dim, 0.1),
});

/** The feed-forward network of a layer: (D, 4 D), relu, (4 D, D). */
export interface FeedForwardWeights {
  w1: Float32Array;
  b1: Float32Array;
  w2: Float32Array;
  b2: Float32Array;
}

const feedForwardWeights = (dim: number, seed: number): FeedForwardWeights => ({
  w1: projection(seed, dim, 4 * dim),
  b1: uniform(seed + 1, 4 * dim, 0.1),
  w2: projection(seed + 2, 4 * dim, dim),
  b2: uniform(seed + 3, dim, 0.1),
});

export interface EncoderWeights extends FeedForwardWeights {
  attention: MultiHeadWeights;
  norm1: Norm;
  norm2: Norm;
}

export const encoderWeights = (dim: number, seed = 100): EncoderWeights => ({
  attention: multiHeadWeights(dim, seed),
  ...feedForwardWeights(dim, seed + 20),
  norm1: norm(dim, seed + 30),
  norm2: norm(dim, seed + 32),
});

export interface DecoderWeights extends EncoderWeights {
  /** The attention over the memory. */
  cross: MultiHeadWeights;
  norm3: Norm;
}

const decoderWeights = (dim: number, seed: number): DecoderWeights => ({
  ...encoderWeights(dim, seed),
  cross: multiHeadWeights(dim, seed + 50),
  norm3: norm(dim, seed + 70),
});

/** The epsilon of every layer norm. */
export const EPSILON = 1e-5;

/** (B, L, D). */
export const sequenceInput = ({ batch, length, dim }: Sequences) => uniform(31, batch * length * dim, 1.5);

/** An image (C, H, W), and a projection of patches whose cells go by row, column, channel: (P P C, D). */
export function patchInputs({ size, channels, patch, dim }: Sizes["patches"]) {
  const inputs = patch * patch * channels;
  return {
    image: uniform(41, channels * size * size),
    weight: projection(42, inputs, dim),
    bias: uniform(43, dim, 0.1),
  };
}

/** The task of the training step: to reverse a sequence; the loss is the mean cross entropy over all positions. Positions are a table. */
export function trainingInputs({ batch, length, dim, layers, vocabulary }: Sizes["training"]) {
  const tokens = ids(51, batch * length, vocabulary);
  const rows = Array.from({ length: batch }, (_, b) => tokens.slice(b * length, (b + 1) * length).reverse());
  const targets = Int32Array.from(rows.flatMap((row) => [...row]));
  return {
    tokens,
    targets,
    positions: uniform(54, length * dim),
    embedding: uniform(52, vocabulary * dim, 0.5),
    layers: Array.from({ length: layers }, (_, layer) => encoderWeights(dim, 1000 * (layer + 1))),
    output: projection(53, dim, vocabulary),
    bias: new Float32Array(vocabulary),
    adam: { lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8 },
  };
}

/** The number of training steps that are compared. */
export const COMPARED_STEPS = 5;

/** A translator of ids with one table for source, target and logits; encoder and decoder end with a norm. */
export function decodingInputs({ batch, length, dim, layers, vocabulary }: Sizes["decoding"]) {
  return {
    source: ids(61, batch * length, vocabulary),
    begin: 1,
    /** Embeds ids: rows of the table times the square root of D, plus sinusoidal positional encodings. */
    embedding: uniform(62, vocabulary * dim, dim ** -0.5),
    encoder: Array.from({ length: layers }, (_, layer) => encoderWeights(dim, 2000 * (layer + 1))),
    encoderNorm: norm(dim, 63),
    decoder: Array.from({ length: layers }, (_, layer) => decoderWeights(dim, 2000 * (layer + 1) + 500)),
    decoderNorm: norm(dim, 65),
  };
}

export const oneHot = (tokens: Int32Array, vocabulary: number): Float32Array => {
  const rows = new Float32Array(tokens.length * vocabulary);
  tokens.forEach((id, row) => (rows[row * vocabulary + id] = 1));
  return rows;
};
