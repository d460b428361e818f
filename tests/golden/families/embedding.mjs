// Rows of a table at ids, scaled by sqrt(d_model); the same rows as one-hot @ table; logits with the tied table.
import { floatArrays, ids, tensor } from "../fixture.mjs";

/** The position of the largest number in each row. */
function argmax({ shape, data }) {
  const width = shape.at(-1);
  const rows = Array.from({ length: data.length / width }, (_, row) =>
    data.slice(row * width, (row + 1) * width),
  );
  return { shape: shape.slice(0, -1), data: rows.map((row) => row.indexOf(Math.max(...row))) };
}

function oneHot({ shape, data }, size, precision) {
  const rows = new floatArrays[precision](data.length * size);
  data.forEach((id, place) => (rows[place * size + id] = 1));
  return { shape: [...shape, size], data: rows };
}

export function run(core, { inputs }, precision) {
  const table = tensor(inputs.table, precision);
  const tokens = ids(inputs.ids);
  const rows = core.embedding(tokens, table);
  const product = core.matmul(oneHot(tokens, table.shape[0], precision), table);
  const results = { rows: [rows, product], scaled: core.embedding(tokens, table, { scaleBySqrtDim: true }) };
  if (!inputs.hidden) return results;
  const logits = core.tiedLogits(tensor(inputs.hidden, precision), table);
  return { ...results, tied_logits: logits, tied_probs: core.softmax(logits), argmax: argmax(logits) };
}
