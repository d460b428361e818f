// Converts the tensors of golden files to the library's: numbers in the precision under test, ids, masks.
import { masks } from "../../dist/core/index.js";

export const floatArrays = { float64: Float64Array, float32: Float32Array };

/** JSON cannot represent infinities, so they are stored as strings. */
export const numbersOf = ({ data }) => data.map(Number);

export const tensor = (fixture, precision) => ({
  shape: fixture.shape,
  data: floatArrays[precision].from(numbersOf(fixture)),
});

/** Drawn numbers, in the precision under test. */
export const inPrecision = ({ shape, data }, precision) => ({
  shape,
  data: floatArrays[precision].from(data),
});

/** Refuses ids that do not fit in an Int32Array, since the library does not accept them. */
export function ids(fixture) {
  const values = numbersOf(fixture);
  const data = Int32Array.from(values);
  const lost = values.findIndex((value, place) => value !== data[place]);
  if (lost >= 0) throw new Error(`ids: ${values[lost]} is not a 32-bit integer`);
  return { shape: fixture.shape, data };
}

/** Replaces every number other than 0 by 1. */
export const flags = (fixture) => ({
  shape: fixture.shape,
  data: Uint8Array.from(numbersOf(fixture), (value) => (value === 0 ? 0 : 1)),
});

/** A mask by the name of its convention: bool_keep, additive, fill_keep_-1e9, additive_times_-1e9. */
export function mask(fixture, dialect, precision) {
  const [, fill] = /^fill_keep_(.+)$/.exec(dialect) ?? [];
  const [, term] = /^additive_times_(.+)$/.exec(dialect) ?? [];
  if (dialect === "bool_keep") return flags(fixture);
  if (dialect === "additive") return tensor(fixture, precision);
  if (fill !== undefined) return masks.fromFill(flags(fixture), Number(fill));
  if (term !== undefined) return masks.fromAdditive(flags(fixture), Number(term), precision);
  throw new TypeError(`mask: the dialect ${dialect} is unknown`);
}

/** A mask broadcast to (B, H, L, S) as in NumPy: axes are added in front. A mask of three axes would be one per head. */
export function broadcastToHeads(made) {
  return made.shape.length === 3 ? { ...made, shape: [1, ...made.shape] } : made;
}

/** The last `count` numbers, or the first ones, as a vector. */
export const lastOf = ({ data }, count) => ({ shape: [count], data: data.slice(data.length - count) });
export const firstOf = ({ data }, count) => ({ shape: [count], data: data.slice(0, count) });

/** A scalar summed in double. */
export const total = ({ data }, of = (value) => value) => ({
  shape: [],
  data: [Float64Array.from(data, of).reduce((sum, value) => sum + value, 0)],
});
