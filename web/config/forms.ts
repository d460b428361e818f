/** Writes each kind of value into a link and reads it back. Reading throws Unreadable. */
import { bounds, choices, linkBounds, type Range } from "./bounds.js";
import { nodeName } from "./checks.js";
import type { Edit, Matrix, StoryStep, View } from "./config.js";
import { type Allowance, Unreadable, deflate, fromBase64, toBase64 } from "./packing.js";

export interface Form<T> {
  /** The value as plain text, equal for equal values. Checksums and comparisons use it. */
  plain(value: T): string;
  /** The value as a link holds it, if that is not the plain text. */
  packed?(value: T): string;
  read(text: string, allowance: Allowance): T;
}

type TextOnly<T> = Form<T> & { read(text: string): T };

/** Plain text up to this length stays readable, even if packing would make it shorter. */
const readableLength = 240;
const none = "none";
const deflatedPrefix = "z1:";

/** The text, deflated if it is long and becomes shorter. `length` is the number of characters that it takes in a link. */
function packedText(plain: string, length = plain.length): string {
  if (length <= readableLength) return plain;
  const bytes = new TextEncoder().encode(plain);
  if (bytes.length > linkBounds.inflated) return plain;
  const deflated = deflatedPrefix + toBase64(deflate(bytes));
  return deflated.length < length ? deflated : plain;
}

/** The plain text of a field, inflated if it is packed. */
function plainText(text: string, allowance: Allowance): string {
  if (!text.startsWith(deflatedPrefix)) return text;
  const bytes = allowance.inflate(fromBase64(text.slice(deflatedPrefix.length)), linkBounds.inflated);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable("not UTF-8");
  }
}

/** The shortest decimal text that reads back as the same double. -0 keeps its sign. */
function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value).replace("e+", "e");
}

const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function readNumber(text: string): number {
  // U+2212 is the minus sign that the page shows, so readers copy it.
  const plain = text.trim().replace("\u2212", "-");
  if (plain.length > 400 || !decimalText.test(plain)) throw new Unreadable("expected a number");
  const value = Number(plain);
  if (!Number.isFinite(value)) throw new Unreadable("expected a number in the range of a double");
  return value;
}

/** Splits `text` at the separators. Throws before splitting if there are more than `most` pieces or more than the allowance permits. */
function pieces(text: string, separator: string, most: number, allowance: Allowance): string[] {
  let count = 1;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) {
    if (++count > most) throw new Unreadable(`more than ${most} entries`);
  }
  allowance.make(count);
  return text.split(separator);
}

/** Thrown for a value that cannot be used as it is; `nearest` is used instead. If only parts of it are wrong and left out, `wrong` holds these parts. */
export class Repairable extends Unreadable {
  constructor(
    readonly nearest: unknown,
    readonly wrong?: string,
  ) {
    super("not usable as it is");
  }
}

function within(value: number, { min, max }: Range): number {
  if (value < min || value > max) throw new Repairable(value < min ? min : max);
  return value;
}

/* @__NO_SIDE_EFFECTS__ */
export function decimal(range: Range): Form<number> {
  return { plain: numberText, read: (text) => within(readNumber(text), range) };
}

function readWhole(text: string): number {
  const value = readNumber(text);
  if (!Number.isInteger(value)) throw new Unreadable("not a whole number");
  // Turns -0 into 0.
  return value + 0;
}

/* @__NO_SIDE_EFFECTS__ */
export function whole(range: Range): Form<number> {
  return { plain: numberText, read: (text) => within(readWhole(text), range) };
}

/** A language. "zh" is accepted too. */
export const lang: Form<"en" | "zh-CN"> = {
  plain: (value) => value,
  read: (text) => choice(choices.lang).read(/^zh\b/i.test(text) ? "zh-CN" : text.replace(/^en\b.*/i, "en")),
};

export const flag: Form<boolean> = {
  plain: (value) => (value ? "1" : "0"),
  read(text) {
    if (/^(?:1|yes|true|on)$/i.test(text)) return true;
    if (/^(?:0|no|false|off)$/i.test(text)) return false;
    throw new Unreadable("neither 1 nor 0");
  },
};

/** One of a list of words or numbers. */
/* @__NO_SIDE_EFFECTS__ */
export function choice<const T extends readonly (string | number)[]>(options: T): TextOnly<T[number]> {
  return {
    plain: String,
    read(text) {
      const found = options.find((option) => String(option).toLowerCase() === text.trim().toLowerCase());
      if (found === undefined) throw new Unreadable(`not one of ${options.join(", ")}`);
      return found;
    },
  };
}

/** Any text, such as the id of an example. */
export const text: Form<string> = { plain: String, read: (given) => given.trim() };

/** A text in which white space means nothing. */
export const unspaced: Form<string> = { plain: String, read: (given) => given.replaceAll(/\s/g, "") };

/** Some of a few words, in the order of `options`. Words that are not among them are left out. */
/* @__NO_SIDE_EFFECTS__ */
export function chosenWords<const T extends readonly string[]>(options: T): Form<T[number][]> {
  return {
    plain: (value) => value.join(","),
    read(given, allowance) {
      const asked = pieces(given, ",", 2 * options.length, allowance).map((one) => one.trim());
      const found = options.filter((option) => asked.includes(option));
      const wrong = asked.filter((one) => !options.includes(one));
      if (wrong.length > 0) throw new Repairable(found.length > 0 ? found : undefined, wrong.join(","));
      return found;
    },
  };
}

/* @__NO_SIDE_EFFECTS__ */
export function optional<T>(form: Form<T>): Form<T | null> {
  const { packed } = form;
  return {
    plain: (value) => (value === null ? none : form.plain(value)),
    ...(packed && { packed: (value: T | null) => (value === null ? none : packed(value)) }),
    read: (text, allowance) => (text === none ? null : form.read(text, allowance)),
  };
}

/** A field that was added to its lab later: undefined if the link does not have it, and then it is no part of the link or its checksum. */
/* @__NO_SIDE_EFFECTS__ */
export function later<T>(form: Form<T>): Form<T | undefined> {
  const { packed } = form;
  return {
    plain: (value) => (value === undefined ? "" : form.plain(value)),
    ...(packed && { packed: (value: T | undefined) => (value === undefined ? "" : packed(value)) }),
    read: (text, allowance) => form.read(text, allowance),
  };
}

/** Undoes HTML's escapes of & in a link that was copied from a page's source. No field has a name that begins like the end of such an escape. */
export const withoutEntities = (link: string): string => link.replace(/&(?:amp|#38|#x26);/gi, "&");

/** Undoes well-formed %XX escapes and leaves the rest unchanged. */
export function unescapePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
  }
}

// A comma inside a word is escaped twice, so a link reads the same after a program has escaped its commas.
const escapedWord = (word: string): string => word.replace(/[%,]/g, encodeURIComponent);

function wordsText(words: readonly string[]): string {
  if (words.length === 0) return none;
  // A list that would be read as "none" or as packed text is escaped.
  return words
    .map(escapedWord)
    .join(",")
    .replace(/^none$/, "%6Eone")
    .replace(/^z1:/, "z1%3A");
}

/**
 * The most UTF-16 units of a word before Unicode composition: a word has at most four units per character, and composition makes one unit of at
 * most four. Longer texts are refused, because ordering combining marks takes time quadratic in their number.
 */
const longestWord = 16 * bounds.wordLength.max;

function readWord(text: string): string {
  const word = unescapePercent(text).trim();
  if (word.length > longestWord) throw new Unreadable("longer than a word");
  return word.normalize("NFC").trim();
}

/** A list of at most `most` words. Empty words are left out. */
/* @__NO_SIDE_EFFECTS__ */
export const wordList = (most: number): Form<string[]> => ({
  plain: wordsText,
  // The length is that of the escaped text: a Han character takes nine characters in a link.
  packed: (value) => packedText(wordsText(value), encodeURIComponent(wordsText(value)).length),
  read(text, allowance) {
    const plain = plainText(text, allowance);
    if (plain === none || plain === "") return [];
    return pieces(plain, ",", 2 * most, allowance)
      .map(readWord)
      .filter((word) => word !== "");
  },
});
export const words = wordList(bounds.words.max);

/** The text of a matrix, kept with it: while only the view changes, a link of many numbers is written again with the same ones. */
const keptBy = (textOf: (matrix: Matrix) => string): ((matrix: Matrix) => string) => {
  const texts = new WeakMap<Matrix, string>();
  return (matrix) => {
    const text = texts.get(matrix) ?? textOf(matrix);
    texts.set(matrix, text);
    return text;
  };
};

const rowsText = keptBy((rows) => rows.map((row) => row.map(numberText).join(",")).join(";"));

/** A matrix in bytes, all little-endian: the height and the width, then the numbers row by row. */
interface RawForm {
  prefix: string;
  /** The bytes of the height, and of the width. */
  sizeBytes: 2 | 4;
  numberBytes: 4 | 8;
}
const doubles: RawForm = { prefix: "b64:", sizeBytes: 2, numberBytes: 8 };
/** Half as long, for numbers that 32 bits hold exactly: a trainer keeps its parameters in 32 bits. */
const floats: RawForm = { prefix: "b32:", sizeBytes: 4, numberBytes: 4 };

/** Whether 32 bits hold all numbers exactly. */
export const isFloat32 = (rows: Matrix): boolean =>
  rows.every((row) => row.every((value) => Object.is(Math.fround(value), value)));

function rawMatrix(rows: Matrix, { prefix, sizeBytes, numberBytes }: RawForm): string {
  const [height, width] = [rows.length, rows[0]?.length ?? 0];
  const view = new DataView(new ArrayBuffer(2 * sizeBytes + numberBytes * height * width));
  for (const [at, length] of [height, width].entries()) {
    if (sizeBytes === 2) view.setUint16(at * sizeBytes, length, true);
    else view.setUint32(at * sizeBytes, length, true);
  }
  let at = 2 * sizeBytes;
  for (const value of rows.flat()) {
    if (numberBytes === 4) view.setFloat32(at, value, true);
    else view.setFloat64(at, value, true);
    at += numberBytes;
  }
  return prefix + toBase64(new Uint8Array(view.buffer));
}

function readRawMatrix(
  text: string,
  { prefix, sizeBytes, numberBytes }: RawForm,
  allowance: Allowance,
): Matrix {
  const bytes = fromBase64(text.slice(prefix.length));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sizeAt = (at: number): number =>
    sizeBytes === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
  const start = 2 * sizeBytes;
  const [height, width] = bytes.length < start ? [0, 0] : [sizeAt(0), sizeAt(sizeBytes)];
  if (bytes.length !== start + numberBytes * height * width || height * width === 0)
    throw new Unreadable("not a matrix of its stated size");
  allowance.make(height * width);
  const numberAt = (place: number): number => {
    const at = start + numberBytes * place;
    return numberBytes === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true);
  };
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => numberAt(row * width + column)),
  );
}

const packedMatrix = keptBy((value: Matrix): string => {
  const raw = rawMatrix(value, isFloat32(value) ? floats : doubles);
  // Text of more rows or columns than these is not read.
  if (value.length > bounds.length.max || (value[0]?.length ?? 0) > bounds.dim.max) return raw;
  const text = packedText(rowsText(value));
  return text.length <= readableLength || text.length <= raw.length ? text : raw;
});

export const matrix: Form<Matrix> = {
  plain: rowsText,
  packed: packedMatrix,
  read(text, allowance) {
    const raw = [doubles, floats].find(({ prefix }) => text.startsWith(prefix));
    if (raw) return readRawMatrix(text, raw, allowance);
    const rows = pieces(plainText(text, allowance), ";", bounds.length.max, allowance);
    return rows.map((row) => pieces(row, ",", bounds.dim.max, allowance).map(readNumber));
  },
};

const bitsText = (value: readonly (readonly boolean[])[]): string =>
  value.map((row) => row.map((bit) => (bit ? "1" : "0")).join("")).join(";");

export const bits: Form<boolean[][]> = {
  plain: bitsText,
  packed: (value) => packedText(bitsText(value)),
  read(text, allowance) {
    return pieces(plainText(text, allowance), ";", bounds.words.max, allowance).map((row) => {
      if (!/^[01]{1,64}$/.test(row)) throw new Unreadable("not rows of 0 and 1");
      allowance.make(row.length);
      return Array.from(row, (bit) => bit === "1");
    });
  },
};

function readPlace(text: string): number {
  const place = readWhole(text);
  if (place < bounds.place.min || place > bounds.place.max) throw new Unreadable("a place out of range");
  return place;
}

export const cell: Form<NonNullable<View["cell"]>> = {
  plain: ({ node, index }) => [node, ...index].join(","),
  read(text, allowance) {
    const [node = "", ...places] = pieces(text, ",", 1 + bounds.axes.max, allowance);
    if (!nodeName.test(node)) throw new Unreadable("not the name of a node");
    return { node, index: places.map(readPlace) };
  },
};

/** One edit: a node, an index and a number. Null for any other text. */
function readEdit(text: string, allowance: Allowance): Edit | null {
  try {
    const [node = "", ...rest] = pieces(text, ",", 2 + bounds.axes.max, allowance);
    const value = rest.pop();
    if (!nodeName.test(node) || value === undefined) return null;
    return { node, index: rest.map(readPlace), value: readNumber(value) };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

const editsText = (value: readonly Edit[]): string =>
  value.length === 0
    ? none
    : value.map((edit) => [edit.node, ...edit.index, numberText(edit.value)].join(",")).join(";");

export const edits: Form<Edit[]> = {
  plain: editsText,
  packed: (value) => packedText(editsText(value)),
  read(text, allowance) {
    const plain = plainText(text, allowance);
    if (plain === none || plain === "") return [];
    const read: Edit[] = [];
    const wrong: string[] = [];
    for (const piece of pieces(plain, ";", bounds.edits.max, allowance)) {
      const edit = readEdit(piece, allowance);
      if (edit) read.push(edit);
      else wrong.push(piece);
    }
    if (wrong.length > 0) throw new Repairable(read, wrong.join(";"));
    return read;
  },
};

// As in words, separators within a step are escaped twice.
const escapedText = (text: string): string => text.replace(/[%,;]/g, encodeURIComponent);

/** The text on one line: line ends, control characters and lone surrogates become spaces. */
export const asLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, " ").trim();

/** One step of a story: a text, a comma and a link. Null for any other text. */
function readStep(text: string): StoryStep | null {
  const parts = text.split(",", 3);
  if (parts.length !== 2) return null;
  const [words = "", link = ""] = parts.map((part) => asLine(unescapePercent(part)));
  const { storyWords, storyLink } = bounds;
  const fits = words.length <= storyWords.max && link.length >= storyLink.min && link.length <= storyLink.max;
  return fits ? { words, link } : null;
}

const storyText = (steps: readonly StoryStep[]): string =>
  steps
    .map(({ words, link }) => `${escapedText(words)},${escapedText(link)}`)
    .join(";")
    .replace(/^z1:/, "z1%3A");

export const story: Form<StoryStep[]> = {
  plain: storyText,
  packed: (steps) => packedText(storyText(steps), encodeURIComponent(storyText(steps)).length),
  read(text, allowance) {
    const plain = plainText(text, allowance);
    const read: StoryStep[] = [];
    const wrong: string[] = [];
    for (const piece of pieces(plain, ";", bounds.storySteps.max, allowance)) {
      const step = readStep(piece);
      if (step) read.push(step);
      else wrong.push(piece);
    }
    if (wrong.length > 0) throw new Repairable(read.length > 0 ? read : undefined, wrong.join(";"));
    return read;
  },
};

/** A list of whole numbers. */
/* @__NO_SIDE_EFFECTS__ */
export function wholes({ min, max }: Range, most: number): Form<number[]> {
  return {
    plain: (value) => value.join(","),
    packed: (value) => packedText(value.join(",")),
    read: (text, allowance) =>
      pieces(plainText(text, allowance), ",", most, allowance).map((piece) => {
        const value = readWhole(piece);
        if (value < min || value > max) throw new Unreadable(`not from ${min} to ${max}`);
        return value;
      }),
  };
}
