/** Text on a stage: symbols with subscripts and superscripts, shapes, and their widths. */
import { textWidth } from "./measure.js";
import type { Symbol } from "./scene.js";

/** A run of text at one height: `dy` pixels below the run before it, at `scale` times the size of the whole. */
export interface LetterPart {
  text: string;
  dy: number;
  scale: number;
}

/** The size of a subscript in a line of text, and of one at a symbol of 19 px, relative to the whole. */
const SUBSCRIPT = 0.75;
const AT_SYMBOL = 13 / 19;

/** Text in which "_" starts a subscript of letters and digits: "S×d_k". */
export function subscriptedParts(text: string): LetterPart[] {
  const parts = text.split(/_([A-Za-z0-9]+)/).map((part, at): LetterPart => {
    if (at % 2 === 1) return { text: part, dy: 3, scale: SUBSCRIPT };
    return { text: part, dy: at > 0 ? -3 : 0, scale: 1 };
  });
  return parts.filter((part) => part.text !== "");
}

/** The width of text with subscripts. */
export function subscriptedWidth(text: string, size: number): number {
  return text
    .split(/_([A-Za-z0-9]+)/)
    .reduce((width, part, at) => width + textWidth(part, at % 2 === 1 ? size * SUBSCRIPT : size), 0);
}

/** The parts of a symbol: W with subscript Q, K with superscript T. */
export function symbolParts({ text, sub, sup }: Symbol): LetterPart[] {
  return [
    { text, dy: 0, scale: 1 },
    ...(sup ? [{ text: sup, dy: -6, scale: AT_SYMBOL }] : []),
    ...(sub ? [{ text: sub, dy: sup ? 10 : 4, scale: AT_SYMBOL }] : []),
  ];
}

export function symbolWidth(symbol: Symbol, size = 19): number {
  return (
    textWidth(symbol.text, size) * 1.15 + textWidth((symbol.sub ?? "") + (symbol.sup ?? ""), size * 0.68)
  );
}

/** The name of a symbol for screen readers and files: "W_Q", "K^T". */
export function symbolName(symbol: Symbol): string {
  return symbol.text + (symbol.sub ? `_${symbol.sub}` : "") + (symbol.sup ? `^${symbol.sup}` : "");
}
