/** Widths that typed matrices tell where a link does not say them. A link that fits without this means the same with it. */
import type { LabId, NumbersOf } from "./config.js";
import { positionCount } from "./counts.js";

interface Told<N> {
  /** The matrices that are so wide, by key: the first that is typed in and as high as it should be counts. */
  readonly matrices: readonly string[];
  heights(now: N): readonly number[];
}

/** By lab, then by the key of a width. */
export const widthsTold: { readonly [L in LabId]?: Readonly<Record<string, Told<NumbersOf[L]>>> } = {
  attention: {
    dim: { matrices: ["x"], heights: ({ tokens }) => [tokens.length] },
    keyDim: { matrices: ["wq", "wk"], heights: ({ dim }) => [dim] },
    valueDim: { matrices: ["wv"], heights: ({ dim }) => [dim] },
  },
  positions: { dim: { matrices: ["x"], heights: (now) => [positionCount(now), 1] } },
};
