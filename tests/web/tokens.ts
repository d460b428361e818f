/** tokens.css as data: the custom properties of each theme. */
import { readFileSync } from "node:fs";
import { luminance, readPalette, type Palette, type Rgb } from "../../web/marks/colour.js";

export type Theme = "light" | "dark";

const text = readFileSync(new URL("../../web/tokens.css", import.meta.url), "utf8");

function block(selector: string): Record<string, string> {
  const start = text.indexOf(`\n${selector} {`);
  const body = text.slice(start, text.indexOf("\n}", start));
  if (start < 0) throw new Error(`tokens.css: no ${selector}`);
  return Object.fromEntries(
    Array.from(body.matchAll(/(--[\w-]+):\s*([^;]+);/g), (match) => [match[1] ?? "", match[2] ?? ""]),
  );
}

const light = block(":root");
const chosenDark = block(':root[data-theme="dark"]');

/** The same block for a system that prefers dark. */
export const systemDark = ((): Record<string, string> => {
  const start = text.indexOf("@media (prefers-color-scheme: dark)");
  const body = text.slice(start, text.indexOf("\n}", start));
  return Object.fromEntries(
    Array.from(body.matchAll(/(--[\w-]+):\s*([^;]+);/g), (match) => [match[1] ?? "", match[2] ?? ""]),
  );
})();

export const tokens: Record<Theme, Record<string, string>> = { light, dark: { ...light, ...chosenDark } };
export const darkTokens = chosenDark;

export function token(theme: Theme, name: string): string {
  const value = tokens[theme][`--${name}`];
  if (value === undefined) throw new Error(`tokens.css: no --${name}`);
  return value;
}

export function palette(theme: Theme): Palette {
  return readPalette((name) => token(theme, name.slice(2)));
}

/** Contrast ratio of WCAG 2, 1 … 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
