// Bias-free multi-head attention whose input and weights are drawn from a seed: x, W_q, W_k, W_v, W_o, by randn, `run` times.
import { broadcastToHeads, firstOf, inPrecision, lastOf, mask, numbersOf, total } from "../fixture.mjs";

/** The numbers drawn in the last run. */
export function drawn(core, { seed, batch, seq_len, embed, run }) {
  const random = core.randomState(seed);
  try {
    let numbers;
    for (let i = 0; i < run; ++i) {
      const shapes = {
        x: [batch, seq_len, embed],
        ...Object.fromEntries(["w_q", "w_k", "w_v", "w_o"].map((w) => [w, [embed, embed]])),
      };
      numbers = Object.fromEntries(
        Object.entries(shapes).map(([name, shape]) => [name, random.randn(shape)]),
      );
    }
    return numbers;
  } finally {
    random.delete();
  }
}

/** If the file contains the drawn numbers, they must equal ours. */
function checkDraws(inputs, numbers) {
  for (const [name, { data }] of Object.entries(numbers)) {
    if (!inputs[name]) continue;
    const wrong = numbersOf(inputs[name]).findIndex(
      (value, i) => Math.abs(value - data[i]) > 1e-14 * Math.abs(value),
    );
    if (wrong >= 0)
      throw new TypeError(
        `${name}[${wrong}] is drawn as ${data[wrong]}, expected ${inputs[name].data[wrong]}`,
      );
  }
}

/** where(mask) takes one mask per sample; an added mask broadcasts to (B, H, S, S) as in NumPy. */
function maskOf(inputs, { mask_semantics: semantics }, precision) {
  const dialect = semantics === "keep_where" ? "fill_keep_-1e9" : semantics;
  const made = mask(inputs.mask, dialect, precision);
  if (semantics !== "keep_where" || made.shape.length !== 3) return broadcastToHeads(made);
  const [batch, ...rest] = made.shape;
  return { ...made, shape: [batch, 1, ...rest] };
}

export function attend(core, numbers, numHeads, precision, mask) {
  const [x, wQ, wK, wV, wO] = ["x", "w_q", "w_k", "w_v", "w_o"].map((name) =>
    inPrecision(numbers[name], precision),
  );
  return core.multiHeadAttention(x, x, x, { wQ, wK, wV, wO }, { numHeads, ...(mask ? { mask } : {}) });
}

export function run(core, { inputs, params, expected }, precision) {
  const numbers = drawn(core, params);
  checkDraws(inputs, numbers);
  const masked = params.mask_semantics ? maskOf(inputs, params, precision) : undefined;
  const { output, weights } = attend(core, numbers, params.heads, precision, masked);
  const length = (key) => expected[key]?.shape[0];
  return {
    output,
    weights,
    x_0_0_first5: firstOf(numbers.x, 5),
    w_o_last5: lastOf(numbers.w_o, 5),
    output_0_0_first10: firstOf(output, length("output_0_0_first10") ?? 0),
    weights_0_0_0: firstOf(weights, length("weights_0_0_0") ?? 0),
    output_last_row: lastOf(output, length("output_last_row") ?? 0),
    weights_last_row: lastOf(weights, length("weights_last_row") ?? 0),
    output_abs_sum: total(output, Math.abs),
    output_sum: total(output),
    weights_sq_sum: total(weights, (weight) => weight * weight),
  };
}
