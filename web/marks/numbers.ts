/** Numbers as text: on cells, in the note, and copied. DESIGN.md, section 6. */

/** The type of numbers on cells, in CSS pixels; and of those for which it is too wide. None is smaller. */
export const CELL_TYPE = 11;
export const SMALL_TYPE = 9;

/** How the numbers of one tensor are written on its cells. */
export interface CellFormat {
  decimals: number;
  /** Of the type, in CSS pixels. */
  size: number;
  /** From 10 up without the decimals, but with the point: "47." is about 47, "47" is exactly that. */
  cut: boolean;
}

/**
 * Widths of letters at a type size of 11 px, as wide as the widest of the common families has them: text that is never set
 * narrower than it is drawn must fit on every system.
 */
const WIDTHS: Record<string, number> = {
  ".": 3.5,
  "·": 3.5,
  "\u2212": 9.2,
  e: 6.8,
  "∞": 9.2,
  N: 8.3,
  a: 6.8,
};
const FIGURE = 7;
/** Air on each side of a number with decimals; and at least, for whole numbers and rather than no decimal; and for small type. */
const AIR = 3.5;
const LEAST_AIR = 1.5;
const SMALL_AIR = 0.5;
/** Paper between two cells. */
const GAP = 1;
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

/** The width of a number's text on a cell, at most. */
export function cellTextWidth(text: string, size = CELL_TYPE): number {
  let width = 0;
  for (const letter of text) width += WIDTHS[letter] ?? FIGURE;
  return (width * size) / CELL_TYPE;
}

const leastAir = (size: number): number => (size < CELL_TYPE ? SMALL_AIR : LEAST_AIR);

const fits = (text: string, size: number, cellWidth: number, air = leastAir(size)): boolean =>
  cellTextWidth(text, size) <= cellWidth - GAP - 2 * air;

/** What is too small for the decimals of its tensor and has no room for an exponent; the note tells the number. How small is no matter: only the core says what is 0 within rounding. */
const TOO_SMALL = "·";

/** With so many decimals, or an exponent where it is very large; null where it would read 0. */
function plainText(value: number, { decimals, cut }: CellFormat): string | null {
  const text = value.toFixed(decimals);
  if (Math.abs(value) >= LARGE || Math.abs(Number(text)) >= LARGE) return typeset(value.toExponential(0));
  if (cut && Math.abs(Number(text)) >= 10) return typeset(`${value.toFixed(0)}.`);
  return Number(text) === 0 ? null : typeset(text);
}

/** What numbers that are not all whole can be written as, the best first, each with the air that it needs at least. */
function* waysFor(values: readonly number[]): Generator<{ format: CellFormat; air: number }> {
  const small = values.every((value) => Math.abs(value) < 0.1);
  for (const size of [CELL_TYPE, SMALL_TYPE]) {
    for (const decimals of [...(small ? [4] : []), 3, 2])
      yield { format: { decimals, size, cut: false }, air: AIR };
    // Rather with little air than without a decimal, and with more of them where one says nothing.
    for (const decimals of [1, 2, 3]) yield { format: { decimals, size, cut: false }, air: leastAir(size) };
  }
  yield { format: { decimals: 1, size: SMALL_TYPE, cut: true }, air: SMALL_AIR };
}

/**
 * How the numbers of one tensor are written on cells of a width: with as many decimals as fit with air, at most 3, or 4 where all are
 * below 0.1, as learning rates are; none where all are whole; in small type, and then without the decimals of numbers from 10 up, where
 * they would not stand there otherwise. Null where they cannot be read, or none says more than a dot: a number that is not whole never
 * stands without a point, for "1" is exactly 1.
 */
export function cellFormat(data: Iterable<number>, cellWidth: number): CellFormat | null {
  const values = Array.from(data).filter((value) => Number.isFinite(value) && value !== 0);
  const fit = (format: CellFormat, air: number): boolean =>
    values.every((value) => fits(plainText(value, format) ?? TOO_SMALL, format.size, cellWidth, air));
  if (values.every(Number.isInteger)) {
    const whole = [CELL_TYPE, SMALL_TYPE].map((size) => ({ decimals: 0, size, cut: false }));
    return whole.find((format) => fit(format, leastAir(format.size))) ?? null;
  }
  for (const { format, air } of waysFor(values))
    if (fit(format, air) && values.some((value) => formatCell(value, format, cellWidth) !== TOO_SMALL))
      return format;
  return null;
}

/**
 * A number on a cell of a width, as all of its tensor are written. Only 0 reads 0: what is too small for its decimals has an exponent, or a
 * dot where that does not fit. What is no number is left out where it does not fit: hatch and outline say it too.
 */
export function formatCell(value: number, format: CellFormat, cellWidth: number): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return fits(notFinite(value), format.size, cellWidth) ? notFinite(value) : "";
  const plain = plainText(value, format);
  if (plain !== null) return plain;
  const exponent = typeset(value.toExponential(0));
  return fits(exponent, format.size, cellWidth) ? exponent : TOO_SMALL;
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
