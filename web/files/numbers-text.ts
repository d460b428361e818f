/** Parses numbers copied as text: from a spreadsheet, a CSV file, or as NumPy and PyTorch print an array. */
import { visible } from "../config/shortened.js";
import { parseNumber } from "../marks/numbers.js";

/** Row-major numbers, including NaN and infinities. */
export interface ReadNumbers {
  shape: number[];
  data: Float64Array;
}

/** Why a text is not an array: the kind of problem, and its position. */
export type Unread = {
  problem: "word" | "comma" | "ragged" | "nested" | "omitted" | "empty" | "long";
  line?: number;
  text?: string;
  expected?: number;
  actual?: number;
  most?: number;
};

/** The longest text, in millions of characters. */
const MOST = 4;
/** The number of characters quoted from a piece that is not a number. */
const QUOTED = 24;

const quote = (text: string): string => visible(text.slice(0, QUOTED)) + (text.length > QUOTED ? "…" : "");

/**
 * A number, or NaN or an infinity as NumPy, PyTorch, JSON and spreadsheets write it; null for anything else.
 */
function valueOf(text: string): number | null {
  const value = parseNumber(text.replace(/^\s*"(.*)"\s*$/, "$1"));
  if (value !== null) return value;
  const word = text.trim().replace("\u2212", "-").toLowerCase();
  if (word === "nan") return NaN;
  const infinite = /^([-+]?)(inf|infinity|∞)$/.exec(word);
  return infinite ? (infinite[1] === "-" ? -Infinity : Infinity) : null;
}

/** Parses any text without throwing. Lines that begin with "#" are comments. */
export function readNumbers(text: string): ReadNumbers | Unread {
  if (text.length > MOST * 1e6) return { problem: "long", most: MOST };
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const rows = lines.map((line) => (line.trimStart().startsWith("#") ? "" : line));
  if (rows.every((line) => line.trim() === "")) return { problem: "empty" };
  return rows.some((line) => line.includes("[")) ? readBrackets(rows) : readLines(rows);
}

/**
 * A line per row. Columns are separated by tabs, else semicolons, else commas, else spaces: one of these for
 * the whole text.
 */
function readLines(lines: readonly string[]): ReadNumbers | Unread {
  const separator = ["\t", ";", ","].find((mark) => lines.some((line) => line.includes(mark)));
  const data: number[] = [];
  let columns = 0;
  let rows = 0;
  for (const [place, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const pieces = separator ? line.split(separator) : line.trim().split(/\s+/);
    // A line may end with separators.
    while (pieces.length > 1 && pieces.at(-1)?.trim() === "") pieces.pop();
    if (rows > 0 && pieces.length !== columns)
      return { problem: "ragged", line: place + 1, expected: columns, actual: pieces.length };
    columns = pieces.length;
    rows++;
    for (const piece of pieces) {
      const value = valueOf(piece);
      if (value === null) {
        const problem = /^\s*[-+\u2212]?\d+,\d+\s*$/.test(piece) ? "comma" : "word";
        return { problem, line: place + 1, text: quote(piece.trim()) };
      }
      data.push(value);
    }
  }
  return { shape: [rows, columns], data: Float64Array.from(data) };
}

/** The largest number of axes. */
const DEEPEST = 8;

/** An array in brackets, as `print`, `repr` and JSON write it; text around it is ignored. */
function readBrackets(lines: readonly string[]): ReadNumbers | Unread {
  const data: number[] = [];
  /** The number of items in each open bracket so far, and the number in closed brackets of each depth. */
  const open: number[] = [];
  const lengths: number[] = [];
  /** The depth of the numbers. */
  let innermost = 0;
  let closed = false;
  for (const [place, line] of lines.entries()) {
    for (const [piece] of line.matchAll(/\[|\]|[^\s,;[\]]+/g)) {
      if (piece === "[") {
        // A second array after the first is refused.
        if (closed || open.length === DEEPEST) return { problem: "nested" };
        if (open.length > 0) open[open.length - 1]! += 1;
        open.push(0);
      } else if (piece === "]") {
        const count = open.pop();
        if (count === undefined) return { problem: "nested" };
        const depth = open.length;
        if ((lengths[depth] ??= count) !== count) return { problem: "nested" };
        closed = depth === 0;
      } else if (open.length > 0) {
        if (piece === "..." || piece === "…") return { problem: "omitted" };
        const value = valueOf(piece);
        if (value === null) return { problem: "word", line: place + 1, text: quote(piece) };
        innermost ||= open.length;
        if (innermost !== open.length) return { problem: "nested" };
        data.push(value);
        open[open.length - 1]! += 1;
      }
    }
  }
  const size = lengths.reduce((product, length) => product * length, 1);
  if (open.length > 0 || !closed || size !== data.length) return { problem: "nested" };
  return size === 0 ? { problem: "empty" } : { shape: lengths, data: Float64Array.from(data) };
}
