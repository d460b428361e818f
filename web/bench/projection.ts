/**
 * The time that one forward pass of well-known models would take: the floating-point operations of their products over the speed of a
 * measured encoder layer. No such model is computed here, so these are projections, not measurements.
 */
import { encoderFlops, works, type Sequences, type WorkOf } from "./works.js";

interface Model {
  id: "bert" | "vit" | "gpt2";
  sizes: Sequences;
  layers: number;
  /** The operations outside the layers: patch embedding, logits of the last position. */
  more: number;
}

/** The published sizes of BERT base, ViT-B/16 at 224 x 224 and GPT-2 small. */
const models: readonly Model[] = [
  { id: "bert", sizes: { batch: 1, heads: 12, length: 128, dim: 768 }, layers: 12, more: 0 },
  { id: "vit", sizes: { batch: 1, heads: 12, length: 197, dim: 768 }, layers: 12, more: 2 * 196 * 768 * 768 },
  { id: "gpt2", sizes: { batch: 1, heads: 12, length: 256, dim: 768 }, layers: 12, more: 2 * 768 * 50257 },
];

export interface Projected {
  model: Model["id"];
  /** The operations of one pass. */
  flops: number;
  milliseconds: number;
  /** The measured layer whose speed is used. */
  from: string;
}

const isEncoder = (work: (typeof works)[number]): work is WorkOf<"encoder"> => work.kind === "encoder";

/** `speeds` are GFLOP/s of tasks by their names. Empty where no encoder layer of width 300 or more was measured. */
export function projections(speeds: ReadonlyMap<string, number>): Projected[] {
  const layers = works.filter(isEncoder).filter(({ id, sizes }) => speeds.has(id) && sizes.dim >= 300);
  if (!layers.length) return [];
  return models.map(({ id, sizes, layers: depth, more }) => {
    const flops = depth * encoderFlops(sizes) + more;
    const far = ({ sizes: { dim } }: WorkOf<"encoder">): number => Math.max(dim / sizes.dim, sizes.dim / dim);
    const nearest = layers.reduce((near, layer) => (far(layer) < far(near) ? layer : near));
    return { model: id, flops, milliseconds: flops / speeds.get(nearest.id)! / 1e6, from: nearest.id };
  });
}
