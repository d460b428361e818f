/** Text on the stage as SVG: symbols with subscripts and superscripts, shapes. */
import { svg, type SVGTemplateResult } from "lit";
import { subscriptedParts } from "../../marks/lettering.js";
import type { Symbol } from "../../marks/scene.js";

export { subscriptedWidth, symbolName, symbolWidth } from "../../marks/lettering.js";

/** Text in which "_" starts a subscript of letters and digits: "S×d_k". */
export function subscripted(text: string): SVGTemplateResult[] {
  return subscriptedParts(text).map(({ text: part, dy, scale }) => {
    if (scale !== 1) return svg`<tspan dy=${dy} font-size="75%">${part}</tspan>`;
    return dy === 0 ? svg`${part}` : svg`<tspan dy=${dy}>${part}</tspan>`;
  });
}

/** A symbol: W with subscript Q, K with superscript T, S with a plain "/√d" after it. */
export function symbolText(symbol: Symbol): SVGTemplateResult {
  const { text, sub, sup } = symbol;
  return svg`${text}${sup ? svg`<tspan dy="-6" class="small">${sup}</tspan>` : ""}${
    sub ? svg`<tspan dy=${sup ? 10 : 4} class="small">${sub}</tspan>` : ""
  }`;
}
