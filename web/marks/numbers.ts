/** Numbers as text: on cells, in the note, and copied. Visual design section 6. */

/** Air on each side of a number on a cell, and the width of one figure and of the point at the cell's type size of 11 px. */
const AIR = 3.5;
const FIGURE = 6.4;
const POINT = 3.5;
/** From here on numbers are written with an exponent. */
const LARGE = 1e5;
/** Whole numbers stay whole in the note up to here: indices and sizes. */
const LARGE_WHOLE = 1e9;

/** True minus, and the exponent as "7e−4". */
function typeset(text: string): string {
  return text.replace(/e\+/, "e").replaceAll("-", "\u2212");
}

function notFinite(value: number): string {
  return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "\u2212∞";
}

/** "5.20e-61" as "5.2e-61". */
function trimZeros(text: string): string {
  return text.replace(/\.?(?<!0)0+(?=e|$)/, "");
}

/**
 * How many decimals the cells of one tensor show: as many as fit `cellWidth` with air, at most 3, or 4
 * where all are below 0.1, as learning rates are; 0 when all are whole.
 * `data` may be any part of the tensor that is on screen.
 */
export function decimalsFor(data: Iterable<number>, cellWidth: number): number {
  let whole = true;
  let longest = 1;
  let largest = 0;
  for (const value of data) {
    if (!Number.isFinite(value)) continue;
    whole &&= Number.isInteger(value);
    largest = Math.max(largest, Math.abs(value));
    if (Math.abs(value) < LARGE)
      longest = Math.max(longest, String(Math.trunc(Math.abs(value))).length + (value < 0 ? 1 : 0));
  }
  if (whole) return 0;
  const room = Math.floor((cellWidth - 2 * AIR - POINT) / FIGURE);
  return Math.max(0, Math.min(largest < 0.1 ? 4 : 3, room - longest));
}

/** Up to so many decimals are narrower than an exponent: they stand in its place where they show a figure. */
const RATHER = 2;

/**
 * A number on a cell. Whole numbers stay whole, a number that is not 0 never reads 0; very large ones have an exponent, and small
 * ones that so few decimals hide. Where a tensor's largest numbers leave no room for decimals, those below 1 keep one.
 */
export function formatCell(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= LARGE) return typeset(value.toExponential(0));
  if (Number.isInteger(value)) return typeset(String(value));
  const hidden = (places: number): boolean => size < 0.5 * 10 ** -places;
  let places = size < 1 ? Math.max(1, decimals) : decimals;
  if (hidden(places) && size >= 0.95 * 10 ** -RATHER) places = RATHER;
  const text = value.toFixed(places);
  if (hidden(places) || Math.abs(Number(text)) >= LARGE) return typeset(value.toExponential(0));
  return typeset(text);
}

/** Decimals that a number shows on a cell; 0 of a whole one, or one with an exponent. */
const placesOf = (text: string): number => (text.includes("e") ? 0 : (text.split(".")[1]?.length ?? 0));

/**
 * As many decimals as the small numbers of a tensor need to be seen, where all of its numbers still fit with them: 0.04 does not stand
 * beside 0.5.
 */
export function evenDecimals(data: readonly number[], decimals: number, cellWidth: number): number {
  const most = Math.max(0, ...data.map((value) => placesOf(formatCell(value, decimals))));
  return most > decimals && fitCells(data, most, cellWidth) ? most : decimals;
}

/** Figures are set at most this much narrower than they are drawn. */
const SQUEEZE = 0.8;

/** Whether all numbers can be read on cells of a width. */
export function fitCells(data: Iterable<number>, decimals: number, cellWidth: number): boolean {
  let widest = 0;
  for (const value of data) {
    let width = 0;
    for (const letter of formatCell(value, decimals)) width += letter === "." ? POINT : FIGURE;
    widest = Math.max(widest, width);
  }
  return widest * SQUEEZE <= cellWidth - AIR - 1;
}

/** What rounding leaves of a sum that cancels is at most this small beside the numbers it is made of, in float64. */
const REST = 1e-12;

/** A number as it is drawn among others as large as `largest`: 0 for what rounding left of it. The note tells the number itself. */
export function settled(value: number, largest: number): number {
  return Math.abs(value) < REST * largest ? 0 : value;
}

/** A number in the note: 3 decimals, or 3 significant digits where that would hide it. */
export function formatNote(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < LARGE_WHOLE) return typeset(String(value));
  if (size < 0.001) return typeset(trimZeros(value.toExponential(2)));
  const text = value.toFixed(3);
  if (size >= LARGE || Math.abs(Number(text)) >= LARGE) return typeset(trimZeros(value.toExponential(3)));
  return typeset(text);
}

/** A number as copied: every digit that matters, ASCII, reads back as the same float64. */
export function formatFull(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** "4×3". */
export function formatShape(shape: readonly number[]): string {
  return shape.join("×");
}

/**
 * The number that a reader typed, in any minus and any width of figures; null when it is none. Takes time in proportion to the text:
 * each character is brought to its plain form by itself, for `normalize` sorts the marks of a whole text in the square of their number.
 */
export function parseNumber(text: string): number | null {
  const wide = text.replace(/[^ -~]/gu, (character) => character.normalize("NFKC"));
  const plain = wide.replaceAll("\u2212", "-").trim();
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}
