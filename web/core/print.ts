/** Tensors as text, as numpy.array2string writes arrays under NumPy's default print options. */
import { exact } from "./arguments.js";
import { Node } from "./node.js";
import { checkTensor, type DataType, type Tensor, type TensorData } from "./tensor.js";

/** NumPy's print options: digits after the point, the size from which an array is summarised, the cells shown at each edge, and the line width. */
const PRECISION = 8;
const THRESHOLD = 1000;
const EDGE = 3;
const LINE_WIDTH = 75;

/** More digits after the point than a number rounded to PRECISION can have. */
const EXACT = 100;

/** A number as digits d.ddd and a power of ten. */
interface Decimal {
  digits: string;
  exponent: number;
}

function decimalOf(exponential: string): Decimal {
  const [mantissa, exponent] = exponential.split("e") as [string, string];
  return { digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

/** The shortest digits that still identify the number in its precision; `value` is finite and not negative. */
function shortest(value: number, single: boolean): Decimal {
  if (!single) return decimalOf(value.toExponential());
  for (let count = 0; count < PRECISION; count++) {
    const text = tiesToEven(value.toExponential(count), value.toExponential(EXACT), count);
    if (Math.fround(Number(text)) === value) return decimalOf(text);
    // Just above a power of two, neighbouring numbers are twice as far apart as below it: rounding up can give fewer digits.
    const { digits, exponent } = decimalOf(text);
    const above = `${Number(digits) + 1}e${exponent - count}`;
    if (Math.fround(Number(above)) === value) return decimalOf(Number(above).toExponential());
  }
  return decimalOf(value.toExponential(PRECISION));
}

/** Changes `text`, which is rounded half away from zero, to rounding half to even; `exact` is the same number with EXACT digits. */
function tiesToEven(text: string, exact: string, digits: number): string {
  const point = exact.indexOf(".") + 1;
  const end = exact.includes("e") ? exact.indexOf("e") : exact.length;
  const kept = exact.slice(0, point + digits);
  const isTie = /^50*$/.test(exact.slice(point + digits, end));
  return isTie && /[02468]\.?$/.test(kept) ? kept + exact.slice(end) : text;
}

/** The digits before and after the point in a number without an exponent. */
function aroundPoint({ digits, exponent }: Decimal): [whole: string, fraction: string] {
  const before = Math.max(0, exponent + 1);
  const whole = digits.padEnd(before, "0").slice(0, before) || "0";
  return [whole, "0".repeat(Math.max(0, -exponent - 1)) + digits.slice(before)];
}

/** `text` without its trailing zeros. */
function trimmed(text: string): string {
  let end = text.length;
  while (text[end - 1] === "0") end--;
  return text.slice(0, end);
}

/** "12.5", "12.": at most PRECISION digits after the point; without the sign. */
function positional(value: number, single: boolean): string {
  const [whole, fraction] = aroundPoint(shortest(value, single));
  if (fraction.length <= PRECISION) return `${whole}.${trimmed(fraction)}`;
  return trimmed(tiesToEven(value.toFixed(PRECISION), value.toFixed(EXACT), PRECISION));
}

/** "1.25e-05": with `precision` digits after the point; without the sign. */
function scientific(value: number, precision: number, single: boolean): string {
  const { digits, exponent: power10 } = shortest(value, single);
  // Beside a power of two the shortest digits may differ from those that rounding gives.
  const isShortest = digits.length - 1 === precision;
  const text = isShortest
    ? `${digits[0]!}.${digits.slice(1)}e${power10 < 0 ? "" : "+"}${power10}`
    : tiesToEven(value.toExponential(precision), value.toExponential(EXACT), precision);
  const [mantissa, exponent] = text.split("e") as [string, string];
  const [sign, power] = [exponent[0]!, exponent.slice(1)];
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.`}e${sign}${power.padStart(2, "0")}`;
}

const notFinite = (value: number): string => (Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf");

const signOf = (value: number): string => (value < 0 || Object.is(value, -0) ? "-" : "");

/** How every cell of an array is written. All cells have the same width. */
type Format = (value: number) => string;

function floatFormat(values: readonly number[], single: boolean): Format {
  const finite = values.filter(Number.isFinite);
  const sizes = finite.map(Math.abs).filter((size) => size !== 0);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const smallest = sizes.reduce((least, size) => Math.min(least, size), Infinity);
  const quotient = single ? Math.fround(largest / smallest) : largest / smallest;
  const isScientific = sizes.length > 0 && (largest >= 1e8 || smallest < 1e-4 || quotient > 1000);

  let write: Format;
  if (isScientific) {
    const fraction = (value: number) => {
      const { digits } = shortest(Math.abs(value), single);
      if (digits.length - 1 <= PRECISION) return digits.length - 1;
      return trimmed(scientific(Math.abs(value), PRECISION, single).split("e")[0]!).length - 2;
    };
    const precision = finite.reduce((most, value) => Math.max(most, fraction(value)), 0);
    const texts = finite.map((value) => scientific(Math.abs(value), precision, single));
    const exponentWidth = texts.reduce((most, text) => Math.max(most, text.split("e")[1]!.length), 0);
    write = (value) => {
      const [mantissa, exponent] = scientific(Math.abs(value), precision, single).split("e") as [
        string,
        string,
      ];
      return `${signOf(value)}${mantissa}e${exponent[0]!}${exponent.slice(1).padStart(exponentWidth - 1, "0")}`;
    };
  } else {
    const right = finite.reduce(
      (most, value) => Math.max(most, positional(Math.abs(value), single).split(".")[1]!.length),
      0,
    );
    write = (value) => {
      const [whole, rest] = positional(Math.abs(value), single).split(".") as [string, string];
      return `${signOf(value)}${whole}.${rest.padEnd(right)}`;
    };
  }
  return aligned(values, (value) => (Number.isFinite(value) ? write(value) : notFinite(value)));
}

/** Pads every cell on the left to the width of the widest. */
function aligned(values: readonly number[], cell: Format): Format {
  const width = values.reduce((most, value) => Math.max(most, cell(value).length), 0);
  return (value) => cell(value).padStart(width);
}

function formatOf(dataType: DataType, values: readonly number[]): Format {
  if (dataType === "bool") return (value) => (value === 1 ? " True" : "False");
  if (dataType === "int32") return aligned(values, String);
  return floatFormat(values, dataType === "float32");
}

/** A single number, as NumPy writes a scalar. */
function scalar(dataType: DataType, value: number): string {
  if (dataType === "bool") return value === 1 ? "True" : "False";
  if (dataType === "int32") return String(value);
  if (!Number.isFinite(value)) return notFinite(value);
  const decimal = shortest(Math.abs(value), dataType === "float32");
  const { digits, exponent } = decimal;
  if (exponent >= -4 && exponent < 16) {
    const [whole, fraction] = aroundPoint(decimal);
    return `${signOf(value)}${whole}.${fraction || "0"}`;
  }
  const mantissa = digits.length > 1 ? `${digits[0]!}.${digits.slice(1)}` : digits;
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${signOf(value)}${mantissa}e${exponent < 0 ? "-" : "+"}${power}`;
}

/** The indices along an axis that are shown; undefined stands for the omitted ones. */
function placesOf(size: number, summarised: boolean): (number | undefined)[] {
  const all = Array.from({ length: size }, (_, place) => place);
  if (!summarised || size <= 2 * EDGE) return all;
  return [...all.slice(0, EDGE), undefined, ...all.slice(-EDGE)];
}

/** The text of the axes from `axis` on, starting at the cell `offset`; every line after the first begins with `indent`. */
function written(
  { shape, data }: Tensor<TensorData>,
  axis: number,
  offset: number,
  summarised: boolean,
  format: Format,
): string {
  const indent = " ".repeat(axis + 1);
  const cells = shape.slice(axis + 1).reduce((product, size) => product * size, 1);
  const places = placesOf(shape[axis]!, summarised);
  if (axis < shape.length - 1) {
    const parts = places.map((place) =>
      place === undefined
        ? "..."
        : written({ shape, data }, axis + 1, offset + place * cells, summarised, format),
    );
    return `[${parts.join("\n".repeat(shape.length - 1 - axis) + indent)}]`;
  }
  // A line ends where the next word and the closing brackets after it would exceed the width.
  const width = LINE_WIDTH - shape.length;
  const lines: string[] = [];
  let line = indent;
  for (const place of places) {
    const word = place === undefined ? "..." : format(data[offset + place]!);
    if (line.length + word.length > width && line.length > indent.length) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
  }
  lines.push(line.slice(0, -1));
  return `[${lines.join("\n").slice(indent.length)}]`;
}

/** The cells that are shown. */
function visibleCells({ shape, data }: Tensor<TensorData>, summarised: boolean): number[] {
  let offsets = [0];
  shape.forEach((size, axis) => {
    const cells = shape.slice(axis + 1).reduce((product, each) => product * each, 1);
    const places = placesOf(size, summarised).filter((place) => place !== undefined);
    offsets = offsets.flatMap((offset) => places.map((place) => offset + place * cells));
  });
  return offsets.map((offset) => data[offset]!);
}

function textOf(x: Tensor<TensorData> | Node): string {
  const tensor = x instanceof Node ? Node.valueOf(x) : x;
  const dataType = checkTensor("array2string", "x", tensor, ["float64", "float32", "int32", "bool"]);
  const { shape, data } = tensor;
  if (shape.length === 0) return scalar(dataType, data[0]!);
  if (data.length === 0) return "[]";
  const summarised = data.length > THRESHOLD;
  return written(tensor, 0, 0, summarised, formatOf(dataType, visibleCells(tensor, summarised)));
}

/** The numbers of a tensor, or of a node, as numpy.array2string writes them; a boolean mask as True and False. */
export const array2string = exact("array2string", textOf);

/** Writes the text of array2string to the console. */
export const print = exact("print", (x: Tensor<TensorData> | Node): void => console.log(textOf(x)));
