/** The values of a rail: where a value stands, which value is at a point, and which one a key leads to. */
import { textWidth } from "./measure.js";
import type { Rail } from "./scene.js";

/** The size of a handle, and of its text. */
export const HANDLE = { width: 62, small: 46, height: 26, text: 14 } as const;
/** Which way it moves, in a box of 9 by 16. */
export const CHEVRONS = "M1 5.500 4.500 2 8 5.500M1 10.500 4.500 14 8 10.500";
/** How far from its line a press is on a rail. */
export const REACH = 22;
/** Pixels from a mark within which the handle snaps to it. */
const SNAP = 6;

/** A value as a share of the rail, from 0 to 1. */
function shareOf({ ends: [first, last], logarithmic, reciprocal }: Rail, value: number): number {
  const on = (x: number): number => (logarithmic ? Math.log(x) : reciprocal ? 1 / x : x);
  return (on(value) - on(first)) / (on(last) - on(first));
}

/** The point of a value on the rail. */
export function pointAt(rail: Rail, value: number): [number, number] {
  const share = shareOf(rail, value);
  const { from, to } = rail;
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

export const runsDown = ({ from, to }: Rail): boolean =>
  Math.abs(to[1] - from[1]) > Math.abs(to[0] - from[0]);

/** A value between the ends, as a multiple of the unit. */
function allowed({ ends: [first, last], unit }: Rail, value: number): number {
  const units = Math.round(Math.max(first, Math.min(last, value)) / unit);
  return Math.max(first, Math.min(last, Number((units * unit).toPrecision(12))));
}

/** The value at a point beside the rail, or the mark that the point is near. */
export function valueNear(rail: Rail, x: number, y: number): number {
  const axis = runsDown(rail) ? 1 : 0;
  const [start, end] = [rail.from[axis], rail.to[axis]];
  const at = axis ? y : x;
  const distance = ({ value }: { value: number }): number => Math.abs(pointAt(rail, value)[axis] - at);
  const near = [...rail.marks].sort((a, b) => distance(a) - distance(b))[0];
  if (near && (rail.onlyMarks || distance(near) <= SNAP)) return near.value;
  const share = Math.max(0, Math.min(1, (at - start) / (end - start)));
  const [first, last] = rail.ends;
  return allowed(rail, rail.logarithmic ? first * (last / first) ** share : first + share * (last - first));
}

/** The mark that is nearest to a value on the rail. */
export function markNear(rail: Rail, value: number): Rail["marks"][number] | undefined {
  const distance = (mark: { value: number }): number =>
    Math.abs(shareOf(rail, mark.value) - shareOf(rail, value));
  return [...rail.marks].sort((a, b) => distance(a) - distance(b))[0];
}

/**
 * The value that a key leads to: an arrow one unit along the rail, or one mark where only marks are values; Page Up and Page Down the next
 * mark; null for another key.
 */
export function valueAfter(rail: Rail, key: string): number | null {
  const { value, ends, marks, keyUnit = rail.unit, onlyMarks } = rail;
  const after = marks.find((mark) => mark.value > value)?.value ?? ends[1];
  const before = marks.findLast((mark) => mark.value < value)?.value ?? ends[0];
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return onlyMarks ? after : allowed(rail, value + keyUnit);
    case "ArrowLeft":
    case "ArrowUp":
      return onlyMarks ? before : allowed(rail, value - keyUnit);
    case "PageDown":
      return after;
    case "PageUp":
      return before;
    case "Home":
      return ends[0];
    case "End":
      return ends[1];
  }
  return null;
}

/** A number as on a handle. */
export const textOf = (value: number): string => String(value).replace("-", "\u2212");

/** The text on the handle, and its width, which a long text makes greater. */
export function handleOf({ marks, value, isSmall }: Rail): { text: string; width: number } {
  const own = marks.find((mark) => mark.value === value)?.text;
  const width = isSmall ? HANDLE.small : HANDLE.width;
  // The number that the text stands for takes 24 px of the handle.
  return own === undefined
    ? { text: textOf(value), width }
    : { text: own, width: Math.max(width, Math.ceil(width - 24 + textWidth(own, HANDLE.text))) };
}
