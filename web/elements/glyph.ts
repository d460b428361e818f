/** The glyph of a lab: the two staves of the model, with the lab's place filled. */
import { html, type TemplateResult } from "lit";

/** The place of a lab in a glyph of 20 by 20. */
export interface GlyphPlace {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const labGlyph = ({ x, y, width, height }: GlyphPlace): TemplateResult =>
  html`<svg class="glyph" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path
      d="M2.500 3.500h15v4h-15zM2.500 9.500h15v4h-15zM2.500 17h15"
      fill="none"
      stroke="currentColor"
      stroke-opacity="0.45"
    />
    <rect x=${x} y=${y} width=${width} height=${height} fill="currentColor" />
  </svg>`;
