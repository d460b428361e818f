/** Style for a narrow page that holds in a narrow frame too, also where that stands in a wide page. */
import { type CSSResult, unsafeCSS } from "lit";

/** The sheet, where the window or the frame is at most so many pixels wide. */
export const narrower = (width: number, { cssText }: CSSResult): CSSResult =>
  unsafeCSS(`@media (max-width:${width}px){${cssText}}@container frame (max-width:${width}px){${cssText}}`);
