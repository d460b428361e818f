/** Where the tensors of a layer stand: on the band of the residual connection, and on the loops of its two sub-layers above the band. */
import { inLayer, stackOf, type BlockNumbers } from "../../config/labs/block.js";
import type { Block } from "../../stage/place.js";
import { layerNodes } from "./path.js";

export type Half = 0 | 1;
type Of = (node: string) => Block;

/** A tensor with its left edge and the width of its cells. */
export interface Item {
  block: Block;
  onBand: boolean;
  x: number;
  cell: number;
}

/** A loop that leaves the band at `up` and comes back where its sum begins, at `sum`. The band itself runs under it from `from` to `sum`. */
export interface Loop {
  half: Half;
  left: number;
  right: number;
  up: number;
  from: number;
  /** The items on the loop whose numbers go into the next one, up to the last one that is not the output. */
  inside: readonly Item[];
  /** The output, exactly over the sum; absent without residual connections, where it replaces the path. */
  output?: Item;
  sum: Item;
}

/** A layer norm: across the band, or before the first tensor of a loop; without layer norm an outline. */
export interface Gate {
  x: number;
  width: number;
  onBand: boolean;
  isOpen: boolean;
  step: number;
}

export interface Track {
  items: Item[];
  loops: Loop[];
  gates: Gate[];
  right: number;
}

/** Widths of cells, and the gaps around them. */
export interface Sizes {
  path: number;
  weights: number;
  hidden: number;
  /** From a tensor on the band to the next sum, at least. */
  passage: number;
  arrow: number;
  /** Between the maps of two heads. */
  between: number;
  gate: number;
  air: number;
  /** From the outermost cells of a loop to its edges. */
  side: number;
}

/** The width of the largest cells of the path, which have room for two decimals. */
export const LARGEST = 42;

/** The sizes with cells of a scale. The map of a head is never too narrow to point at. */
export const sizesAt = (scale: number, rows: number): Sizes => ({
  path: Math.min(LARGEST, LARGEST * scale),
  weights: Math.max(16 * scale, 40 / rows),
  hidden: 22 * scale,
  passage: 64,
  arrow: 22,
  between: 13,
  gate: 24,
  air: 11,
  side: 12,
});
/** The same without captions and brackets, for small tensors. */
export const smallSizesAt = (scale: number, rows: number): Sizes => ({
  path: Math.min(8, 8 * scale),
  weights: Math.max(Math.min(8, 6 * scale), 18 / rows),
  hidden: Math.min(8, 6 * scale),
  passage: 18,
  arrow: 16,
  between: 12,
  gate: 8,
  air: 8,
  side: 9,
});

/** The right edge of the cells of an item. */
export const end = ({ x, cell, block }: Item): number => x + cell * block.columns;

/** The number of heads whose weights are drawn. */
export const shownHeads = ({ heads }: Pick<BlockNumbers, "heads">): number => Math.min(heads, 4);

/** The tensors of a loop before its output. */
function loopBlocks(numbers: BlockNumbers, half: Half, of: Of): Block[] {
  const { layer } = stackOf(numbers);
  const norm = numbers.norm === "pre" ? layerNodes(numbers).norms[half] : null;
  const weights = of(inLayer(layer, `self_attn.${numbers.dropout > 0 ? "dropped" : "weights"}`));
  const inside =
    half === 1
      ? [of(inLayer(layer, "activation"))]
      : Array.from({ length: shownHeads(numbers) }, (_, head): Block => ({
          ...weights,
          at: [head, null, null],
          symbol: { ...weights.symbol, sub: String(head) },
        }));
  return [...(norm ? [of(norm)] : []), ...inside];
}

/** The tensors of one or both halves of a layer from `left` on: the first is that of attention. */
export function trackOf(
  numbers: BlockNumbers,
  of: Of,
  sizes: Sizes,
  halves: readonly Half[],
  left: number,
): Track {
  const { residual, layerNorm } = stackOf(numbers);
  const { input, added, sums, norms } = layerNodes(numbers);
  const isPost = numbers.norm === "post";
  const isOpen = !layerNorm;
  const { path, passage, arrow, between, gate, air, side } = sizes;
  const track: Track = { items: [], loops: [], gates: [], right: 0 };
  const put = (block: Block, x: number, onBand: boolean, cell = path): Item => {
    const item = { block, x, onBand, cell };
    track.items.push(item);
    return item;
  };
  /** The tensor on the band that the next loop reads from right above it. */
  let read = halves[0] === 0 ? put(of(input), left, true) : null;
  let x = left;
  for (const half of halves) {
    let at = read ? read.x : x;
    const start = at;
    const blocks = loopBlocks(numbers, half, of);
    const isNorm = (block: Block | undefined): boolean => block?.node === norms[half];
    const inside = blocks.map((block, nth) => {
      if (nth > 0) at += isNorm(blocks[nth - 1]) ? arrow : between;
      const cell = isNorm(block) ? path : half === 0 ? sizes.weights : sizes.hidden;
      const item = put(block, at, false, cell);
      at = end(item);
      return item;
    });
    const sumX = Math.max(read ? end(read) + passage : start, at + arrow);
    const output = residual ? put(of(added[half]), sumX, false) : undefined;
    const sum = put(of(sums[half]), sumX, true);
    const up = (start + end(inside[0]!)) / 2;
    track.loops.push({
      half,
      left: start - side,
      right: end(sum) + side,
      up: read ? Math.min(up, (read.x + end(read)) / 2) : up,
      from: Math.max(read ? end(read) + side : 0, up + side),
      inside,
      ...(output && { output }),
      sum,
    });
    read = null;
    x = end(sum);
    const normed = norms[half];
    if (isPost) {
      const step = normed ? of(normed).step : 0;
      track.gates.push({ x: x + air, width: gate, onBand: true, isOpen, step });
      x += 2 * air + gate;
      if (normed) {
        read = put(of(normed), x, true);
        x = end(read);
      }
    } else {
      const { step } = inside[0]!.block;
      track.gates.push({ x: start, width: end(inside[0]!) - start, onBand: false, isOpen, step });
    }
    track.right = x;
    if (!read) x += 2 * side + (isPost ? 0 : air);
  }
  return track;
}

/** The track with the largest cells that ends before `right`, and its loops before `loopsRight`. */
export function fittingTrack(
  make: (scale: number) => Track,
  right: number,
  loopsRight: number,
  largest: number,
): Track {
  const fits = (track: Track): boolean =>
    track.right <= right && (track.loops.at(-1)?.right ?? 0) <= loopsRight;
  let hundredths = 100 * largest;
  while (hundredths > 1 && !fits(make(hundredths / 100))) hundredths -= 1;
  return make(hundredths / 100);
}
