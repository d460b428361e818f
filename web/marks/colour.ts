/** Fills: the colours of numbers, and the colour of the text on them. See DESIGN.md, section 2. */
import { interpolateLab } from "d3-interpolate";
import { interpolateBrBG, interpolatePuOr, interpolatePurples, interpolateRdBu } from "d3-scale-chromatic";
import { memoizedBy } from "./memoized-by.js";
import type { Fill, Role } from "./scene.js";

/** Red, green, blue, 0 … 255. */
export type Rgb = readonly [number, number, number];

/** The colours of a theme that a canvas needs: the custom properties of tokens.css, read once. */
export interface Palette {
  dark: boolean;
  paper: Rgb;
  ink: Rgb;
  ink2: Rgb;
  ink3: Rgb;
  rule: Rgb;
  rule2: Rgb;
  cellZero: Rgb;
  notice: Rgb;
  match: Rgb;
  roles: Record<Role, Rgb>;
  /** Font families. */
  sans: string;
  serif: string;
}

const ROLES: readonly Role[] = ["query", "key", "value", "attention", "output", "weight", "activation"];

/** Parses "#1a1c1f", "#fff" or "rgb(26, 28, 31)". Throws RangeError for other text. */
export function parseColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (hex) {
    const digits = hex.length === 3 ? Array.from(hex, (digit) => digit + digit).join("") : hex;
    return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb;
  }
  const parts = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(text.trim());
  if (!parts) throw new RangeError(`colour: expected #rrggbb or rgb(), got ${JSON.stringify(text)}`);
  return [Math.round(Number(parts[1])), Math.round(Number(parts[2])), Math.round(Number(parts[3]))];
}

/** The palette of tokens.css. `property` returns the value of a custom property. */
export function readPalette(property: (name: string) => string): Palette {
  const colour = (name: string): Rgb => parseColour(property(`--${name}`));
  const paper = colour("paper");
  return {
    dark: luminance(paper) < 0.18,
    paper,
    ink: colour("ink"),
    ink2: colour("ink-2"),
    ink3: colour("ink-3"),
    rule: colour("rule"),
    rule2: colour("rule-2"),
    cellZero: colour("cell-zero"),
    notice: colour("notice"),
    match: colour("match"),
    roles: Object.fromEntries(ROLES.map((role) => [role, colour(role)])) as Record<Role, Rgb>,
    sans: property("--sans").trim() || "sans-serif",
    serif: property("--serif").trim() || "serif",
  };
}

export const cssColour = ([red, green, blue]: Rgb): string => `rgb(${red}, ${green}, ${blue})`;

/** The same for colours of a ramp, which thousands of cells share. */
export const rampColour = memoizedBy(cssColour);

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

/** The relative luminance as WCAG 2 defines it. */
export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The colour of text on a fill: black or white, whichever has the higher contrast. It is at least 4.58. */
export function textOn(fill: Rgb): "#000" | "#fff" {
  const light = luminance(fill) + 0.05;
  return 1.05 / light >= light / 0.05 ? "#fff" : "#000";
}

/** The contrast that small text needs. */
const READS = 4.5;

/** The colour of equal texts on several fills: white if it is readable on all of them, else black if that is; else the best one for each fill. */
export function textOnAll(fills: readonly Rgb[]): (fill: Rgb) => "#000" | "#fff" {
  const lights = fills.map((fill) => luminance(fill) + 0.05);
  if (1.05 / Math.max(...lights) >= READS) return () => "#fff";
  return Math.min(...lights) / 0.05 >= READS ? () => "#000" : textOn;
}

/** The colour at the share `part` of the way from one colour to another. */
export function blend(from: Rgb, to: Rgb, part: number): Rgb {
  const mix = (at: 0 | 1 | 2): number => Math.round(from[at] + (to[at] - from[at]) * part);
  return [mix(0), mix(1), mix(2)];
}

/** A domain is rounded up to one of these times a power of ten, if that adds at most 15 %. */
const ROUND = [1, 1.4, 2, 4, 5, 8, 10];
const ROUND_REACH = 1.15;

/** The m of a symmetric domain -m … m for the finite `values`: the largest absolute value, rounded up if a round number is near; 1 if all are 0. */
export function domainOf(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) {
    const size = Math.abs(value);
    if (size > largest && size < Infinity) largest = size;
  }
  if (largest === 0) return 1;
  const [, exponent = "0"] = largest.toExponential().split("e");
  for (const mantissa of ROUND) {
    const round = Number(`${mantissa}e${exponent}`);
    if (round >= largest) return round <= largest * ROUND_REACH ? round : largest;
  }
  return largest;
}

/** Maps a share of the domain to a colour. The share is -1 … 1, or 0 … 1 for probabilities. */
export type Ramp = (share: number) => Rgb;

const DIVERGING: Record<Exclude<Fill, "probability" | "none">, (t: number) => string> = {
  activation: interpolateRdBu,
  parameter: interpolateBrBG,
  difference: interpolatePuOr,
};

/** Interpolates in the Lab colour space, from `low` at 0 through `middle` at 0.5 to `high` at 1. */
function interpolateThrough(low: string, middle: string, high: string): (t: number) => string {
  const lower = interpolateLab(low, middle);
  const upper = interpolateLab(middle, high);
  return (t) => (t < 0.5 ? lower(2 * t) : upper(2 * t - 1));
}

function diverging(interpolate: (t: number) => string, palette: Palette): Ramp {
  if (!palette.dark) return (share) => parseColour(interpolate(0.5 + 0.42 * share));
  const through = interpolateThrough(interpolate(0.22), cssColour(palette.cellZero), interpolate(0.8));
  return (share) => parseColour(through(0.5 + 0.5 * Math.sign(share) * Math.abs(share) ** 0.8));
}

function sequential(interpolate: (t: number) => string, palette: Palette): Ramp {
  if (!palette.dark) return (share) => parseColour(interpolate(0.06 + 0.84 * share));
  const through = interpolateThrough(cssColour(palette.cellZero), interpolate(0.66), interpolate(0.28));
  return (share) => parseColour(through(share));
}

/** The colour scale for a kind of numbers in a theme. Zero is exactly `--cell-zero`; shares outside the domain get the colours of its ends. */
export function rampOf(fill: Fill, palette: Palette): Ramp {
  if (fill === "none") return () => palette.cellZero;
  const least = fill === "probability" ? 0 : -1;
  const ramp =
    fill === "probability" ? sequential(interpolatePurples, palette) : diverging(DIVERGING[fill], palette);
  return (share) => {
    if (!(Math.abs(share) > 0)) return palette.cellZero;
    return ramp(Math.max(least, Math.min(1, share)));
  };
}

const STEPS = 1024;

/** The same ramp with colours from a table of 1024 steps on each side, for maps with many thousand cells. */
export function tabulatedRamp(ramp: Ramp): Ramp {
  const table = new Map<number, Rgb>();
  return (share) => {
    // Other shares are rounded away from 0: only an exact 0 has the colour of 0.
    const steps = Math.min(STEPS, Math.ceil(Math.abs(share || 0) * STEPS));
    const step = share < 0 ? -steps : steps;
    let colour = table.get(step);
    if (!colour) table.set(step, (colour = ramp(step / STEPS)));
    return colour;
  };
}

/** The number of colours memoized before the memory is cleared. */
const MOST_REMEMBERED = 4096;

/** The same ramp, memoized by share. */
export function memoizedRamp(ramp: Ramp): Ramp {
  const known = new Map<number, Rgb>();
  return (share) => {
    let colour = known.get(share);
    if (colour) return colour;
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(share, (colour = ramp(share)));
    return colour;
  };
}

/** The mean of colours in linear light. The weights must sum to 1. */
export function lightOf(colour: Rgb): [number, number, number] {
  return [linear(colour[0]), linear(colour[1]), linear(colour[2])];
}

/** The colour of an amount of linear light. */
export function colourOfLight(light: readonly [number, number, number]): Rgb {
  const channel = (part: number): number =>
    Math.round(255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055));
  return [channel(light[0]), channel(light[1]), channel(light[2])];
}
