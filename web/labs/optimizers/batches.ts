/** Mini-batches: which rows of the data each step sees. */
import type { NumbersOf } from "../../config/config.js";
import { batchOf, dataOf, seedOf } from "../../config/labs/optimizers.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";

type Numbers = NumbersOf["optimizers"];

/** The place of a step: its epoch, and the places [start, stop) of the shuffled rows that it sees. */
export interface Place {
  epoch: number;
  start: number;
  stop: number;
}

/** An epoch is one pass over all rows. Its last batch is smaller if the rows do not divide evenly. */
export function placeOf(numbers: Numbers, step: number): Place {
  const [count, size] = [dataOf(numbers).length, batchOf(numbers)];
  const perEpoch = Math.ceil(count / size);
  const start = size * (step % perEpoch);
  return { epoch: Math.floor(step / perEpoch), start, stop: Math.min(start + size, count) };
}

/**
 * The rows that each step sees, as np.random.RandomState(seed) draws them: one permutation(count) at the beginning of each epoch, cut
 * into batches in its order. torch.utils.data.DataLoader(shuffle=True) cuts the same way, with a generator of its own.
 */
export function drawBatches(core: Core, numbers: Numbers): Int32Array[] {
  const random = core.randomState(seedOf(numbers));
  try {
    let order: ArrayLike<number> = [];
    return Array.from({ length: numbers.steps }, (_, step) => {
      const { start, stop } = placeOf(numbers, step);
      if (start === 0) order = random.permutation(dataOf(numbers).length).data;
      return Int32Array.from(order).slice(start, stop);
    });
  } finally {
    random.delete();
  }
}
