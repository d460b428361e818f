/** Where the parts of the picture of the scaling lab stand. All lengths in pixels. */
import { WIDTHS } from "../../config/labs/scaling.js";
import type { Room } from "../../marks/scene.js";
import { BINS, MIDDLE_BINS } from "./build.js";
import { measures, type Measure } from "./tensors.js";

export const ROWS = WIDTHS.length;
/** Over the first row, and under the last. */
export const HEAD = 44;
export const FOOT = 40;
/** The note under the picture. */
export const NOTE = { height: 200, gap: 10 };
/** From a histogram to its weights, from there to the numbers, and from half to half. */
const GAP = { bar: 18, numbers: 10, half: 36, halfOfTablet: 30, halfOfPhone: 14 };

export interface Half {
  /** The left edge of the histogram, and how many bins it shows: the middle ones. */
  x: number;
  bins: number;
  bar: { x: number; width: number };
  /** The measures beside it: the left edge and the width of the numbers. */
  columns: readonly { name: Measure; x: number; width: number }[];
}

export interface Layout {
  /** From row to row. */
  pitch: number;
  /** From the upper edge of a row to the foot of its histogram, and to its weights. */
  base: number;
  bar: { top: number; height: number };
  rail: { x: number; width: number };
  halves: readonly [Half, Half];
  /** The width of a bin, the same in both halves. */
  bin: number;
}

/** The columns of so wide numbers from x on. */
function columnsFrom(
  x: number,
  widths: readonly number[],
  names: readonly Measure[] = measures,
): Half["columns"] {
  return names.map((name, at) => {
    const before = widths.slice(0, at).reduce((sum, width) => sum + width, 0);
    return { name, x: x + before, width: widths[at]! };
  });
}

/** Histogram, weights and numbers beside each other. */
function besideEachOther({ width, height }: Room): Layout {
  const rail = { x: 34, width: 84 };
  const [bar, widths, numbers] = width >= 1250 ? [150, [54, 52, 44], 150] : [126, [50, 48, 40], 138];
  const fixed = rail.width + 2 * (GAP.bar + bar + GAP.numbers + numbers) + GAP.half;
  const bin = (width - fixed) / (BINS + MIDDLE_BINS);
  const pitch = Math.max(34, Math.min(64, (height - HEAD - FOOT - NOTE.height - NOTE.gap) / ROWS));
  const high = Math.min(30, pitch - 15);
  const half = (x: number, bins: number): Half => {
    const barX = x + bins * bin + GAP.bar;
    return { x, bins, bar: { x: barX, width: bar }, columns: columnsFrom(barX + bar + GAP.numbers, widths) };
  };
  const right = width - (MIDDLE_BINS * bin + GAP.bar + bar + GAP.numbers + numbers);
  const base = pitch - 9;
  return {
    pitch,
    base,
    bar: { top: base - high, height: high },
    rail,
    halves: [half(rail.width, BINS), half(right, MIDDLE_BINS)],
    bin,
  };
}

/** The weights under their histogram; a phone shows one of the measures, that of the stop. */
function underEachOther({ width, height, layout, step }: Room): Layout {
  const isNarrow = layout === "narrow";
  const rail = isNarrow ? { x: 23, width: 56 } : { x: 34, width: 84 };
  const gap = isNarrow ? GAP.halfOfPhone : GAP.halfOfTablet;
  const each = (width - rail.width - gap) / 2;
  const numbers = isNarrow ? 40 : GAP.numbers + 150;
  const hill = each - numbers;
  const pitch = isNarrow ? 54 : Math.max(66, Math.min(80, (height - HEAD - FOOT) / ROWS));
  const base = Math.round(0.56 * pitch);
  const half = (x: number): Half => ({
    x,
    bins: BINS,
    bar: { x, width: isNarrow ? each : hill },
    columns: isNarrow
      ? columnsFrom(x + hill, [numbers], [measures[Math.max(0, step - 1)] ?? "variance"])
      : columnsFrom(x + hill + GAP.numbers, [54, 52, 44]),
  });
  return {
    pitch,
    base,
    bar: { top: base + 10, height: isNarrow ? 11 : 20 },
    rail,
    halves: [half(rail.width), half(rail.width + each + gap)],
    bin: hill / BINS,
  };
}

export const layoutIn = (room: Room): Layout =>
  room.layout === "wide" ? besideEachOther(room) : underEachOther(room);
