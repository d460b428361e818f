/** Style for a narrow page that also applies in a narrow frame within a wide page. */
import { type CSSResult, unsafeCSS } from "lit";

/** The style for a window or a frame of at most this width in pixels. */
export const narrower = (width: number, { cssText }: CSSResult): CSSResult =>
  unsafeCSS(`@media (max-width:${width}px){${cssText}}@container frame (max-width:${width}px){${cssText}}`);
