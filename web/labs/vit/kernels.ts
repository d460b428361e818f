/** The projection of the ViT lab as the kernels of a convolution. */
import type { VitNumbers } from "../../config/config.js";

/** More weights than this are not kept a second time. */
const MOST = 1 << 16;

/** Whether a graph holds `kernels`, (D, 3, P, P): kernel = stride = P. */
export function hasKernels({ compare, patch, dim }: VitNumbers): boolean {
  return compare === "projection" && 3 * patch ** 2 * dim <= MOST;
}
