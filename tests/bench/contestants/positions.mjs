// Sinusoidal encodings for libraries that have no such operation: the wavelengths to compute them from, and a table where only the numbers are needed.

/** Column pair i has a period of 2 pi times this many positions. */
export const wavelengths = (dim) =>
  Float32Array.from({ length: dim / 2 }, (_, pair) => 10000 ** ((2 * pair) / dim));

export function sinusoidal(length, dim) {
  const table = new Float32Array(length * dim);
  for (let place = 0; place < table.length; place++) {
    const column = place % dim;
    const angle = Math.floor(place / dim) / 10000 ** ((column - (column % 2)) / dim);
    table[place] = column % 2 ? Math.cos(angle) : Math.sin(angle);
  }
  return table;
}
