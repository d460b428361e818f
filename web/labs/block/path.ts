/** The way through a block: its stops, and the tensors on the residual path. */
import type { BlockNumbers } from "../../config/labs/block.js";

/** The stops of Play, in order. */
export function stopIds({ part, norm }: BlockNumbers): string[] {
  if (part === "norm") return ["centre", "spread", "divide"];
  return norm === "post"
    ? ["embed", "attend", "add1", "norm1", "feed", "add2", "norm2", "measure"]
    : ["embed", "norm1", "attend", "add1", "norm2", "feed", "add2", "measure"];
}

/** What enters the layer: the words with their positions, after dropout where there is any. */
export const inputNode = ({ dropout }: BlockNumbers): string => (dropout > 0 ? "dropped" : "x");

/** What each sum adds to the path. */
export function addedNode({ dropout }: BlockNumbers, sum: 1 | 2): string {
  if (dropout > 0) return `dropout${sum}`;
  return sum === 1 ? "self_attn.output" : "linear2";
}

/** What the first and the second sub-layer read. */
export function readNode(numbers: BlockNumbers, sublayer: 1 | 2): string {
  if (numbers.norm === "pre") return `norm${sublayer}`;
  return sublayer === 1 ? inputNode(numbers) : "norm1";
}

/** What the second sum adds to: the path between the sub-layers. */
export const middleNode = ({ norm }: BlockNumbers): string => (norm === "post" ? "norm1" : "residual1");

/** Before and after each norm, in the order in which they are made. */
export function pathNodes(numbers: BlockNumbers): string[] {
  const input = inputNode(numbers);
  return numbers.norm === "post"
    ? [input, "residual1", "norm1", "residual2", "norm2"]
    : [input, "norm1", "residual1", "norm2", "residual2"];
}
