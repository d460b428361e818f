/** Formats numbers as text: on cells, in the note, and for copying. See DESIGN.md, section 6. */

/** The type size of numbers on cells, in CSS pixels, and the smallest size, used if numbers do not fit. */
export const CELL_TYPE = 11;
export const SMALL_TYPE = 9;

/** How the numbers of one tensor are written on its cells. */
export interface CellFormat {
  decimals: number;
  /** The type size in CSS pixels. */
  size: number;
  /** Whether numbers from 10 up are written without decimals but with the point: "47." is about 47, "47" is exactly 47. */
  cut: boolean;
  /** Whether the 0 before the point is left out: ".04". */
  bare: boolean;
  /** Whether 1 is written True and 0 False. */
  truth?: true;
}

/**
 * Widths of characters at a type size of 11 px. Each is the largest among common font families, so that text which is estimated to
 * fit does so on every system.
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
/**
 * The gap on each side of a number with decimals; the least gap, used for whole numbers and to keep at least one decimal; and the
 * gap in small type.
 */
const AIR = 3.5;
const LEAST_AIR = 1.5;
const SMALL_AIR = 0.5;
/** The gap between two cells. */
const GAP = 1;
/** Numbers from here on are written with an exponent. */
const LARGE = 1e5;
/** The note writes whole numbers below this one without an exponent: indices, sizes and seeds. */
const LARGE_WHOLE = 2 ** 32;

/** Uses a true minus sign and writes an exponent as "7e−4". */
function typeset(text: string): string {
  return text.replace(/e\+/, "e").replaceAll("-", "\u2212");
}

function notFinite(value: number): string {
  return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "\u2212∞";
}

/** Removes zeros at the end of what stands before the exponent: "5.20e-60" becomes "5.2e-60". */
function trimZeros(text: string): string {
  const [figures = "", exponent = ""] = text.split("e");
  return `${Number(figures)}e${exponent}`;
}

/** An upper bound of the width of a number's text on a cell. */
export function cellTextWidth(text: string, size = CELL_TYPE): number {
  let width = 0;
  for (const letter of text) width += WIDTHS[letter] ?? FIGURE;
  return (width * size) / CELL_TYPE;
}

const leastAir = (size: number): number => (size < CELL_TYPE ? SMALL_AIR : LEAST_AIR);

const fits = (text: string, size: number, cellWidth: number, air = leastAir(size)): boolean =>
  cellTextWidth(text, size) <= cellWidth - GAP - 2 * air;

/** The mark of a number that is much smaller than the largest of its tensor and has no room for one digit. The note shows the number. */
const TOO_SMALL = "·";

/** Leaves out the 0 before the point if `bare`: ".04" for "0.04". */
const withoutLeadingZero = (text: string, bare: boolean): string =>
  bare ? text.replace(/^(\D?)0\./, "$1.") : text;

/** The number with the format's decimals, or with an exponent if it is very large; null if it would read 0. */
function plainText(value: number, { decimals, cut, bare }: CellFormat): string | null {
  const text = value.toFixed(decimals);
  if (Math.abs(value) >= LARGE || Math.abs(Number(text)) >= LARGE) return typeset(value.toExponential(0));
  if (cut && Math.abs(Number(text)) >= 10) return typeset(`${value.toFixed(0)}.`);
  return Number(text) === 0 ? null : withoutLeadingZero(typeset(text), bare);
}

/** A number that is too small for the decimals of its tensor, with one digit; with an exponent only if that is shorter, as for "0.04". */
function smallText(value: number, bare: boolean): string {
  const [plain, exponent] = [String(Number(value.toPrecision(1))), value.toExponential(0)];
  return withoutLeadingZero(typeset(plain.length > exponent.length ? exponent : plain), bare);
}

const PLAIN = { cut: false, bare: false };

/** The formats for numbers that are not all whole, the best first, each with the least gap that it needs. */
function* formatsFor(largest: number): Generator<{ format: CellFormat; air: number }> {
  const tiny = largest < 0.1 ? [4] : [];
  for (const size of [CELL_TYPE, SMALL_TYPE]) {
    for (const decimals of [...tiny, 3, 2]) yield { format: { ...PLAIN, decimals, size }, air: AIR };
    for (const decimals of [1, 2, 3, ...tiny])
      yield { format: { ...PLAIN, decimals, size }, air: leastAir(size) };
  }
  const size = SMALL_TYPE;
  for (const decimals of [3, 2]) yield { format: { decimals, size, cut: false, bare: true }, air: SMALL_AIR };
  yield { format: { decimals: 1, size, cut: true, bare: false }, air: SMALL_AIR };
}

/**
 * The format of the numbers of one tensor on cells of a width. Whole numbers have no decimals. Other numbers have as many decimals
 * as fit, at most 3, or 4 if all are below 0.1 (learning rates, for example), and so many that the largest is at least 4 units of
 * the last decimal: with fewer, rounding would change it too much. If they do not fit: small type; then no 0 before the point, or
 * no decimals from 10 up; at last one digit each, if all numbers above an eighth of the largest have room for it. Null if nothing
 * fits. A number that is not whole always has a point, because "1" means exactly 1.
 */
export function cellFormat(data: Iterable<number>, cellWidth: number): CellFormat | null {
  const values = Array.from(data).filter((value) => Number.isFinite(value) && value !== 0);
  const fitsAll = (format: CellFormat, air: number): boolean =>
    values.every((value) => fits(plainText(value, format) ?? TOO_SMALL, format.size, cellWidth, air));
  const sizes = [CELL_TYPE, SMALL_TYPE];
  if (values.every(Number.isInteger)) {
    const whole = sizes.map((size) => ({ ...PLAIN, decimals: 0, size }));
    return whole.find((format) => fitsAll(format, leastAir(format.size))) ?? null;
  }
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (const { format, air } of formatsFor(largest))
    if (largest * 10 ** format.decimals >= 4 && fitsAll(format, air)) return format;
  const strong = values.filter((value) => Math.abs(value) > largest / 8);
  const single = sizes.map((size) => ({ ...PLAIN, decimals: 1, size }));
  const hasFigure = (value: number, format: CellFormat): boolean =>
    plainText(value, format) === null && formatCell(value, format, cellWidth) !== TOO_SMALL;
  return single.find((format) => strong.every((value) => hasFigure(value, format))) ?? null;
}

/** The format of a mask of True and False; null if the words do not fit even as letters. */
export function truthFormat(cellWidth: number): CellFormat | null {
  const format = [CELL_TYPE, SMALL_TYPE].map((size) => ({
    ...PLAIN,
    decimals: 0,
    size,
    truth: true as const,
  }));
  return (
    format.find(({ size }) => fits("False", size, cellWidth)) ??
    format.find(({ size }) => fits("F", size, cellWidth)) ??
    null
  );
}

/** True or False, or its first letter if the words do not fit. */
function truthText(value: number, { size }: CellFormat, cellWidth: number): string {
  const [yes, no] = fits("False", size, cellWidth) ? ["True", "False"] : ["T", "F"];
  return value === 0 ? no! : yes!;
}

/**
 * Formats a number for a cell in the format of its tensor. Only 0 reads 0: a number too small for the decimals has one digit, or a
 * dot if that does not fit. NaN and infinity are left out if they do not fit, because hatch or outline show them too.
 */
export function formatCell(value: number, format: CellFormat, cellWidth: number): string {
  if (format.truth && (value === 0 || value === 1)) return truthText(value, format, cellWidth);
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return fits(notFinite(value), format.size, cellWidth) ? notFinite(value) : "";
  const plain = plainText(value, format);
  if (plain !== null) return plain;
  const small = smallText(value, format.bare);
  return fits(small, format.size, cellWidth) ? small : TOO_SMALL;
}

/** Formats a number for the note: 3 decimals, or 3 significant digits if decimals would hide it. */
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

/** Formats a number for copying: every significant digit, in ASCII; it parses back to the same float64. */
export function formatFull(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** A shape as text: "4×3". */
export function formatShape(shape: readonly number[]): string {
  return shape.join("×");
}

/**
 * Parses a number that a reader typed, with any minus sign and with full-width digits; null if it is no number. Characters are
 * normalized one by one, which takes linear time: `normalize` on a whole text sorts its combining marks in quadratic time.
 */
export function parseNumber(text: string): number | null {
  const wide = text.replace(/[^ -~]/gu, (character) => character.normalize("NFKC"));
  const plain = wide.replaceAll("\u2212", "-").trim();
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}
