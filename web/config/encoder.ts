/** The encoder of the ViT lab: what its optional fields mean where they are absent, and how large it may be. Frozen. */
import type { VitNumbers } from "./config.js";

export interface Encoder {
  layers: number;
  /** A divisor of dim. */
  heads: number;
}

/** Wider patches, or more of them, are not read by encoder layers. */
export const encoderMost = { dim: 64, patches: 256, heads: 8 } as const;

/** How much wider than a row the network of a layer is. */
export const encoderWider = 4;

export function encoderOf({ layers = 0, heads, dim }: Pick<VitNumbers, "layers" | "heads" | "dim">): Encoder {
  return { layers, heads: heads ?? [4, 2].find((count) => dim % count === 0) ?? 1 };
}

/** Whether encoder layers read the patches. */
export function hasEncoder({ layers = 0 }: Pick<VitNumbers, "layers">): boolean {
  return layers > 0;
}

/** Whether there can be encoder layers. */
export function encoderFits({ compare, cls, dim, size, patch }: VitNumbers): boolean {
  const { dim: widest, patches } = encoderMost;
  return compare === "projection" && cls && dim <= widest && (size / patch) ** 2 <= patches;
}
