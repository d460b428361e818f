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
  /** Without the 0 before the point: ".04". */
  bare: boolean;
  /** 1 is written True and 0 False. */
  truth?: true;
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

/** What is much smaller than the largest of its tensor and has no room for one figure; the note tells the number. */
const TOO_SMALL = "·";

/** ".04" for "0.04". */
const bareOf = (text: string, bare: boolean): string => (bare ? text.replace(/^(\D?)0\./, "$1.") : text);

/** With so many decimals, or an exponent where it is very large; null where it would read 0. */
function plainText(value: number, { decimals, cut, bare }: CellFormat): string | null {
  const text = value.toFixed(decimals);
  if (Math.abs(value) >= LARGE || Math.abs(Number(text)) >= LARGE) return typeset(value.toExponential(0));
  if (cut && Math.abs(Number(text)) >= 10) return typeset(`${value.toFixed(0)}.`);
  return Number(text) === 0 ? null : bareOf(typeset(text), bare);
}

/** One figure of what is too small for the decimals of its tensor: as an exponent only where that is shorter than "0.04". */
function smallText(value: number, bare: boolean): string {
  const [plain, exponent] = [String(Number(value.toPrecision(1))), value.toExponential(0)];
  return bareOf(typeset(plain.length > exponent.length ? exponent : plain), bare);
}

const PLAIN = { cut: false, bare: false };

/** What numbers that are not all whole can be written as, the best first, each with the air that it needs at least. */
function* waysFor(largest: number): Generator<{ format: CellFormat; air: number }> {
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
 * How the numbers of one tensor are written on cells of a width: with as many decimals as fit with air, at most 3, or 4 where all are
 * below 0.1, as learning rates are; none where all are whole. So many that the largest is 4 or more of the last: fewer would round it to
 * another number. Where that has no room it is in small type, then without the 0 before the point, or the decimals of numbers from 10 up;
 * at last with one figure of each, where those that are not small beside the largest have room for it. Null where they cannot be read: a
 * number that is not whole never stands without a point, for "1" is exactly 1.
 */
export function cellFormat(data: Iterable<number>, cellWidth: number): CellFormat | null {
  const values = Array.from(data).filter((value) => Number.isFinite(value) && value !== 0);
  const fit = (format: CellFormat, air: number): boolean =>
    values.every((value) => fits(plainText(value, format) ?? TOO_SMALL, format.size, cellWidth, air));
  const sizes = [CELL_TYPE, SMALL_TYPE];
  if (values.every(Number.isInteger)) {
    const whole = sizes.map((size) => ({ ...PLAIN, decimals: 0, size }));
    return whole.find((format) => fit(format, leastAir(format.size))) ?? null;
  }
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (const { format, air } of waysFor(largest))
    if (largest * 10 ** format.decimals >= 4 && fit(format, air)) return format;
  const strong = values.filter((value) => Math.abs(value) > largest / 8);
  const single = sizes.map((size) => ({ ...PLAIN, decimals: 1, size }));
  const hasFigure = (value: number, format: CellFormat): boolean =>
    plainText(value, format) === null && formatCell(value, format, cellWidth) !== TOO_SMALL;
  return single.find((format) => strong.every((value) => hasFigure(value, format))) ?? null;
}

/** How the cells of a mask of True and False are written; null where they cannot be read. */
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

/** True or False, or its first letter where the words do not fit. */
function truthText(value: number, { size }: CellFormat, cellWidth: number): string {
  const [yes, no] = fits("False", size, cellWidth) ? ["True", "False"] : ["T", "F"];
  return value === 0 ? no! : yes!;
}

/**
 * A number on a cell of a width, as all of its tensor are written. Only 0 reads 0: what is too small for its decimals has one figure, or a
 * dot where that does not fit. What is no number is left out where it does not fit: hatch and outline say it too.
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
