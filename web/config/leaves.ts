/** The leaves of each lab that can be edited by hand, and their shapes. */
import type { Leaves } from "./cells.js";
import { losses } from "./labs/losses.js";
import { scaling } from "./labs/scaling.js";
import type { LabId, NumbersOf } from "./config.js";
import { batchCount, patchCount, positionCount, rowCount } from "./counts.js";
import { complexity } from "./labs/complexity.js";
import { encoderDecoder } from "./labs/encoder-decoder.js";
import { optimizersConfig } from "./labs/optimizers.js";
import { bert } from "./labs/bert.js";
import { block } from "./labs/block.js";
import { hasOrder, orderOf } from "./order.js";
import { wordsConfig } from "./labs/words.js";

/** By lab: shape of every leaf a reader may edit, by node name. */
export const leavesOf: { [L in LabId]: (numbers: NumbersOf[L]) => Leaves } = {
  attention: (numbers) => ({
    X: [numbers.tokens.length, numbers.dim],
    ...(numbers.memory.length > 0 && { M: [numbers.memory.length, numbers.dim] }),
    W_Q: [numbers.dim, numbers.keyDim],
    W_K: [numbers.dim, numbers.keyDim],
    W_V: [numbers.dim, numbers.valueDim],
    ...(numbers.score === "additive" && { v: [numbers.keyDim] }),
  }),
  "multi-head": (numbers) => ({
    // Typed words are rows; drawn ones have a batch axis from the start.
    x:
      numbers.source === "words"
        ? [rowCount(numbers), numbers.dim]
        : [batchCount(numbers), rowCount(numbers), numbers.dim],
    W_Q: [numbers.dim, numbers.heads * numbers.keyDim],
    W_K: [numbers.dim, numbers.heads * numbers.keyDim],
    W_V: [numbers.dim, numbers.heads * numbers.valueDim],
    W_O: [numbers.heads * numbers.valueDim, numbers.dim],
  }),
  positions: (numbers) => ({
    ...(hasOrder(numbers) && { X: [orderOf(numbers).tokens.length, orderOf(numbers).dim] }),
    // ALiBi and the shift matrix have no vectors to work on.
    ...(!hasOrder(numbers) &&
      numbers.encoding !== "alibi" &&
      numbers.encoding !== "shift" &&
      numbers.x && { X: [numbers.x.length, numbers.dim] }),
    ...(numbers.encoding === "rotary" && !numbers.x && { X: [positionCount(numbers), numbers.dim] }),
    ...(numbers.encoding === "learned" && { PE: [positionCount(numbers), numbers.dim] }),
  }),
  vit: (numbers) => ({
    image: [3, numbers.size, numbers.size],
    ...(numbers.compare === "projection" && {
      W_E: [3 * numbers.patch ** 2, numbers.dim],
      b_E: [numbers.dim],
      ...(numbers.cls && { CLS: [1, numbers.dim], position: [patchCount(numbers) + 1, numbers.dim] }),
    }),
  }),
  "encoder-decoder": encoderDecoder.leaves,
  optimizers: optimizersConfig.leaves,
  block: block.leaves,
  losses: losses.leaves,
  complexity: complexity.leaves,
  scaling: scaling.leaves,
  bert: bert.leaves,
  words: wordsConfig.leaves,
};

/** Shape of every leaf a reader may edit, by node name. */
export function leaves<L extends LabId>(lab: L, numbers: NumbersOf[L]): Leaves {
  return leavesOf[lab](numbers);
}
