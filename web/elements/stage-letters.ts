/** Letters on the stage: symbols with their sub and superscripts, shapes, and how wide they come out. */
import { svg, type SVGTemplateResult } from "lit";
import { textWidth } from "../marks/measure.js";
import type { Symbol } from "../marks/scene.js";

/** Text in which "_" starts a subscript of letters and digits: "S×d_k". */
export function subscripted(text: string): SVGTemplateResult[] {
  return text.split(/_([A-Za-z0-9]+)/).map((part, at, parts) => {
    if (at % 2 === 1) return svg`<tspan dy="3" font-size="75%">${part}</tspan>`;
    return at > 0 && part !== "" && at < parts.length ? svg`<tspan dy="-3">${part}</tspan>` : svg`${part}`;
  });
}

/** The width of such text. */
export function subscriptedWidth(text: string, size: number): number {
  return text
    .split(/_([A-Za-z0-9]+)/)
    .reduce((width, part, at) => width + textWidth(part, at % 2 === 1 ? size * 0.75 : size), 0);
}

/** A symbol: W with sub Q, K with sup T, S with a plain "/√d" after it. */
export function symbolText(symbol: Symbol): SVGTemplateResult {
  const { text, sub, sup } = symbol;
  return svg`${text}${sup ? svg`<tspan dy="-6" class="small">${sup}</tspan>` : ""}${
    sub ? svg`<tspan dy=${sup ? 10 : 4} class="small">${sub}</tspan>` : ""
  }`;
}

export function symbolWidth(symbol: Symbol, size = 19): number {
  return (
    textWidth(symbol.text, size) * 1.15 + textWidth((symbol.sub ?? "") + (symbol.sup ?? ""), size * 0.68)
  );
}

/** For names spoken aloud: "W_Q", "K^T". */
export function symbolName(symbol: Symbol): string {
  return symbol.text + (symbol.sub ? `_${symbol.sub}` : "") + (symbol.sup ? `^${symbol.sup}` : "");
}
