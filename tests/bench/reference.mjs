// Some rows of each result, computed in plain JavaScript with double precision. A contestant is timed only if it agrees with them.
// Training and decoding have no such rows: their contestants are compared with each other.
import {
  attentionInputs,
  encoderWeights,
  EPSILON,
  matmulInputs,
  multiHeadWeights,
  patchInputs,
  sequenceInput,
} from "../../web/bench/inputs.ts";

const ROWS = 6;

/** The numbers of the compared rows: the first, the last, and some between them. */
function comparedRows(rows) {
  if (rows <= ROWS) return Array.from({ length: rows }, (_, row) => row);
  return Array.from({ length: ROWS }, (_, place) => Math.floor((place * (rows - 1)) / (ROWS - 1)));
}

const rowOf = (x, row, width) => x.subarray(row * width, (row + 1) * width);

/** x W + b for one row. */
function project(x, weight, columns, bias) {
  const y = bias ? Float64Array.from(bias) : new Float64Array(columns);
  x.forEach((factor, row) => {
    for (let column = 0; column < columns; column++) y[column] += factor * weight[row * columns + column];
  });
  return y;
}

/** softmax(q k^T / sqrt(d)) v for one query. `keys` and `values` are lists of rows. */
function attend(query, keys, values) {
  const scale = 1 / Math.sqrt(query.length);
  const scores = keys.map(
    (key) => query.reduce((sum, number, place) => sum + number * key[place], 0) * scale,
  );
  const largest = scores.reduce((most, score) => Math.max(most, score));
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const mixed = new Float64Array(values[0].length);
  values.forEach((value, key) => {
    for (let column = 0; column < mixed.length; column++)
      mixed[column] += (powers[key] / total) * value[column];
  });
  return mixed;
}

function layerNorm(x, { gain, shift }) {
  const mean = x.reduce((sum, number) => sum + number, 0) / x.length;
  const variance = x.reduce((sum, number) => sum + (number - mean) ** 2, 0) / x.length;
  return x.map(
    (number, place) => ((number - mean) / Math.sqrt(variance + EPSILON)) * gain[place] + shift[place],
  );
}

/** Multi-head attention of the given rows. Keys and values are projected once for each sequence. */
function multiHeadRows(x, weights, { heads, length, dim }, rows) {
  const width = dim / heads;
  const sequences = new Map();
  const sequenceOf = (batch) => {
    if (!sequences.has(batch)) {
      const inside = Array.from({ length }, (_, row) => rowOf(x, batch * length + row, dim));
      sequences.set(batch, {
        keys: inside.map((row) => project(row, weights.wK, dim, weights.bK)),
        values: inside.map((row) => project(row, weights.wV, dim, weights.bV)),
      });
    }
    return sequences.get(batch);
  };
  return rows.map((row) => {
    const { keys, values } = sequenceOf(Math.floor(row / length));
    const query = project(rowOf(x, row, dim), weights.wQ, dim, weights.bQ);
    const mixed = new Float64Array(dim);
    for (let head = 0; head < heads; head++) {
      const of = (vector) => rowOf(vector, head, width);
      mixed.set(attend(of(query), keys.map(of), values.map(of)), head * width);
    }
    return project(mixed, weights.wO, dim, weights.bO);
  });
}

const add = (a, b) => a.map((number, place) => number + b[place]);

const kinds = {
  matmul({ n }) {
    const { a, b } = matmulInputs({ n });
    return { width: n, rows: comparedRows(n), of: (row) => project(rowOf(a, row, n), b, n) };
  },
  attention(sizes) {
    const { batch, heads, length, dim, causal } = sizes;
    const width = dim / heads;
    const { query, key, value } = attentionInputs(sizes);
    const of = (row) => {
      const first = row - (row % length);
      const count = causal ? (row % length) + 1 : length;
      const all = (x) => Array.from({ length: count }, (_, place) => rowOf(x, first + place, width));
      return attend(Float64Array.from(rowOf(query, row, width)), all(key), all(value));
    };
    return { width, rows: comparedRows(batch * heads * length), of };
  },
  multiHead(sizes) {
    const rows = comparedRows(sizes.batch * sizes.length);
    const x = sequenceInput(sizes);
    return { width: sizes.dim, rows, all: multiHeadRows(x, multiHeadWeights(sizes.dim), sizes, rows) };
  },
  encoder(sizes) {
    const { dim } = sizes;
    const rows = comparedRows(sizes.batch * sizes.length);
    const x = sequenceInput(sizes);
    const { attention, w1, b1, w2, b2, norm1, norm2 } = encoderWeights(dim);
    const all = multiHeadRows(x, attention, sizes, rows).map((mixed, place) => {
      const first = layerNorm(add(mixed, rowOf(x, rows[place], dim)), norm1);
      const hidden = project(first, w1, 4 * dim, b1).map((number) => Math.max(number, 0));
      return layerNorm(add(first, project(hidden, w2, dim, b2)), norm2);
    });
    return { width: dim, rows, all };
  },
  sinusoidal({ length, dim }) {
    const of = (row) =>
      Float64Array.from({ length: dim }, (_, column) => {
        const angle = row / 10000 ** ((column - (column % 2)) / dim);
        return column % 2 ? Math.cos(angle) : Math.sin(angle);
      });
    return { width: dim, rows: comparedRows(length), of };
  },
  patches(sizes) {
    const { size, channels, patch, dim } = sizes;
    const { image, weight, bias } = patchInputs(sizes);
    const side = size / patch;
    const of = (row) => {
      const [top, left] = [Math.floor(row / side) * patch, (row % side) * patch];
      const cells = Float64Array.from({ length: patch * patch * channels }, (_, cell) => {
        const [channel, place] = [cell % channels, Math.floor(cell / channels)];
        const [y, x] = [top + Math.floor(place / patch), left + (place % patch)];
        return image[(channel * size + y) * size + x];
      });
      return project(cells, weight, dim, bias);
    };
    return { width: dim, rows: comparedRows(side * side), of };
  },
};

/** Some rows of a task's result, each with the index of its first number; none for tasks whose contestants are only compared with each other. */
export function referenceOf({ kind, sizes }) {
  if (!(kind in kinds)) return [];
  const { width, rows, of, all } = kinds[kind](sizes);
  return rows.map((row, place) => ({ from: row * width, values: all ? all[place] : of(row) }));
}
