// Sinusoidal encodings for libraries without such an operation: the wavelengths that they compute them from, and the finished table.

/** The wavelength of each pair of columns, divided by 2 pi. */
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
