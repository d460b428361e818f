/** Where the parts of the picture of the scaling lab stand. All lengths in pixels. */
import { WIDTHS } from "../../config/labs/scaling.js";
import type { Room } from "../../marks/scene.js";
import { BINS, MIDDLE_BINS } from "./build.js";
import { measures, type Measure } from "./tensors.js";

/** Over the first row, and under the last. */
export const HEAD = 44;
export const FOOT = 40;
/** The note under the picture. */
export const NOTE = { height: 200, gap: 10 };
/** From a histogram to the weights beside it, and to the numbers. */
const GAP = { bar: 18, numbers: 10 };

export interface Half {
  /** The left edges of the histogram, of the weights and of the measures. */
  x: number;
  barX: number;
  numbersX: number;
  /** How many bins it shows: the middle ones. */
  bins: number;
  barWidth: number;
}

export interface Layout {
  /** From row to row. */
  pitch: number;
  /** From the upper edge of a row to the foot of its histogram, and to its weights. */
  base: number;
  barTop: number;
  barHeight: number;
  /** The width of the column of the rail. */
  rail: number;
  /** The width of a bin, and of the numbers of a measure. */
  bin: number;
  column: number;
  names: readonly Measure[];
  halves: readonly [Half, Half];
}

/** Wide: histogram, weights and numbers beside each other. Else the weights stand under their histogram; a phone shows one measure, that of the stop. */
export function layoutIn({ width, height, layout, step }: Room): Layout {
  const isWide = layout === "wide";
  const isNarrow = layout === "narrow";
  const rail = isNarrow ? 56 : 84;
  const column = isNarrow ? 40 : 52;
  const bar = Math.round(0.11 * width);
  const names = isNarrow ? [measures[Math.max(0, step - 1)]!] : measures;
  const numbers = names.length * column;
  const beside = GAP.numbers + numbers + (isWide ? GAP.bar + bar : 0);
  const rightBins = isWide ? MIDDLE_BINS : BINS;
  const bin = (width - rail - (isNarrow ? 14 : 34) - 2 * beside) / (BINS + rightBins);
  const rows = (height - HEAD - FOOT - (isWide ? NOTE.height + NOTE.gap : 0)) / WIDTHS.length;
  const [least, most] = isWide ? [34, 64] : isNarrow ? [54, 54] : [66, 80];
  const pitch = Math.max(least, Math.min(most, rows));
  const base = isWide ? pitch - 9 : Math.round(0.56 * pitch);
  const barHeight = isWide ? Math.min(30, pitch - 15) : isNarrow ? 11 : 20;
  const barTop = isWide ? base - barHeight : base + 10;
  const half = (x: number, bins: number): Half => {
    const end = x + bins * bin;
    return {
      x,
      bins,
      barX: isWide ? end + GAP.bar : x,
      barWidth: isWide ? bar : bins * bin + (isNarrow ? beside : 0),
      numbersX: end + beside - numbers,
    };
  };
  const halves = [half(rail, BINS), half(width - beside - rightBins * bin, rightBins)] as const;
  return { pitch, base, barTop, barHeight, rail, bin, column, names, halves };
}
