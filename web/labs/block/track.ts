/** Where the tensors of a layer stand: on the band of the residual connection, and on the loops of its two sub-layers above the band. */
import type { ConfigOf } from "../../config/config.js";
import { inLayer, stackOf, type BlockNumbers } from "../../config/labs/block.js";
import { BRACKET, inHead, type Block } from "../../stage/place.js";
import type { Sheet } from "../../stage/sheet.js";
import { layerNodes } from "./path.js";
import type { Strings } from "./strings.js";

export type BlockSheet = Sheet<ConfigOf<"block">, Strings>;
export type Half = 0 | 1;

/** A tensor with its left edge and the width of its cells. */
export interface Item {
  block: Block;
  onBand: boolean;
  x: number;
  cell: number;
}

/** A loop that leaves the band at `up`, in the middle of what it reads, and comes back where its sum begins. */
export interface Loop {
  half: Half;
  up: number;
  /** The tensor on the band before the sum; absent at the beginning of a line. */
  before: Item | undefined;
  /** The tensors on the loop before the output. */
  inside: readonly Item[];
  /** The output, exactly over the sum; absent without residual connections, where it replaces the path. */
  output: Item | undefined;
  sum: Item;
  /** The place of its layer norm: across the band after the sum, or under the first tensor of the loop. */
  gate: { x: number; width: number };
}

/** The lengths of a layer that is as large as the page, and of one in small tensors. The widest cells of the path have room for two decimals. */
export const LARGE = {
  path: 42,
  weights: 16,
  hidden: 22,
  /** The least width of the map of a head, which can still be pointed at. */
  map: 40,
  /** From the outermost cells of a loop to its edges, and half of the room for an arrow. */
  side: 12,
  /** From things to their arrows, and around the rows on the band. */
  air: 8,
  /** From the upper edge of a loop to its rows. */
  head: 28,
};
export type Look = typeof LARGE;
export const SMALL: Look = { path: 8, weights: 6, hidden: 6, map: 18, side: 9, air: 4, head: 4 };

/** The right edge of the cells of an item, and its middle. */
export const end = ({ x, cell, block }: Item): number => x + cell * block.columns;
export const middle = (item: Item): number => (item.x + end(item)) / 2;

/** The number of heads whose weights are drawn. */
export const shownHeads = ({ heads }: Pick<BlockNumbers, "heads">): number => Math.min(heads, 4);

/** The tensors of one or both halves of a layer, from `left` on, with cells of a scale. A residual connection is at least as long as `passage`. */
export function trackOf(
  { numbers, of }: BlockSheet,
  halves: readonly Half[],
  look: Look,
  { left, scale, passage }: Record<"left" | "scale" | "passage", number>,
) {
  const { residual, layer } = stackOf(numbers);
  const { input, added, sums, norms } = layerNodes(numbers);
  const isPost = numbers.norm === "post";
  const { side } = look;
  const path = look.path * Math.min(1, scale);
  const weights = of(inLayer(layer, `self_attn.${numbers.dropout > 0 ? "dropped" : "weights"}`));
  const mapCell = Math.max(look.weights * scale, look.map / weights.columns);
  const items: Item[] = [];
  const put = (block: Block, x: number, onBand: boolean, cell = path): Item => {
    const item = { block, x, onBand, cell };
    items.push(item);
    return item;
  };
  /** The tensor on the band that the next loop reads from right above it, and where the loop begins if there is none. */
  let read = halves[0] === 0 ? put(of(input), left, true) : undefined;
  let x = left;
  const loops = halves.map((half): Loop => {
    const norm = norms[half] && of(norms[half]);
    const before = items.findLast(({ onBand }) => onBand);
    const start = read?.x ?? x;
    x = start;
    const inside: Item[] = [];
    const add = (block: Block, cell: number, gap: number): void => {
      inside.push(put(block, x, false, cell));
      x += cell * block.columns + gap;
    };
    if (norm && !isPost) add(norm, path, 2 * side);
    if (half === 0)
      for (const head of Array(shownHeads(numbers)).keys())
        add(inHead(weights, head), mapCell, 2 * BRACKET + 3);
    else add(of(inLayer(layer, "activation")), look.hidden * scale, 2 * side);
    const sumX = Math.max(end(inside.at(-1)!) + 2 * side, read ? end(read) + passage : 0);
    const first = inside[0]!;
    const output = residual ? put(of(added[half]), sumX, false) : undefined;
    const sum = put(of(sums[half]), sumX, true);
    const right = end(sum) + side;
    const gate = isPost ? { x: right, width: 3 * look.air } : { x: start, width: end(first) - start };
    const edge = isPost ? right + gate.width : right;
    read = isPost && norm ? put(norm, edge + side, true) : undefined;
    x = edge + 2 * side;
    const up = start + Math.min(end(first) - start, end(sum) - sumX) / 2;
    return { half, up, before, inside, output, sum, gate };
  });
  return { items, loops, right: Math.max(...items.map(end)) };
}

export type Track = ReturnType<typeof trackOf>;

/** The track with the largest cells that fits, or the one with the smallest. */
export function largestTrack(make: (scale: number) => Track, fits: (track: Track, scale: number) => boolean) {
  const scales = Array.from({ length: 125 }, (_, at) => 1.25 - at / 100);
  return make(scales.find((scale) => fits(make(scale), scale)) ?? 0.01);
}
