// The input of a decoder at each step, for libraries whose models take vectors: rows of the embedding table with positions; and the id that logits choose.
import { sinusoidal } from "./positions.mjs";

/** A function that returns the rows of ids at the positions from `first` on: rows of the table times the square root of D, plus the positions. */
export function embedding({ embedding: table }, { length, steps, dim }) {
  const positions = sinusoidal(Math.max(length, steps), dim);
  const scale = Math.sqrt(dim);
  return (ids, first) => {
    const rows = new Float32Array(ids.length * dim);
    ids.forEach((id, row) => {
      for (let column = 0; column < dim; column++)
        rows[row * dim + column] = table[id * dim + column] * scale + positions[(first + row) * dim + column];
    });
    return rows;
  };
}

/** The index of the largest number. */
export const largest = (logits) =>
  logits.reduce((best, value, place) => (value > logits[best] ? place : best), 0);
