/** GIF files: stores or reads a text in a comment. GIF89a specification, sections 12 to 27. */
import { strFromU8, strToU8 } from "fflate";
import { concatenate } from "./concatenate.js";

const EXTENSION = 0x21;
const COMMENT = 0xfe;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
/** The most bytes of a part of a comment. */
const MOST_PART = 255;
/** A longer text is not a link of the playground. */
const MOST_TEXT = 1 << 20;

export function isGif(bytes: Uint8Array): boolean {
  return /^GIF8[79]a$/.test(strFromU8(bytes.subarray(0, 6), true));
}

/** The file with a comment before its end. Throws Error when the bytes are not a GIF file. */
export function withGifText(gif: Uint8Array, text: string): Uint8Array {
  if (!isGif(gif) || gif.at(-1) !== TRAILER) throw new Error("withGifText: expected a GIF file");
  const data = strToU8(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += MOST_PART) {
    const part = data.subarray(at, at + MOST_PART);
    parts.push(Uint8Array.of(part.length), part);
  }
  return concatenate([
    gif.subarray(0, -1),
    Uint8Array.of(EXTENSION, COMMENT),
    ...parts,
    Uint8Array.of(0, TRAILER),
  ]);
}

/** The number of bytes of a table of colours, from the byte that says whether there is one. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** The end of the parts that begin at `at`, and their bytes; null when the file ends before them. */
function partsAt(bytes: Uint8Array, at: number): { end: number; parts: Uint8Array[] } | null {
  const parts: Uint8Array[] = [];
  while (at < bytes.length) {
    const length = bytes[at]!;
    if (length === 0) return { end: at + 1, parts };
    parts.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return null;
}

/** The comments of the file, one a line; null when there is none. Accepts any bytes. */
export function readGifText(bytes: Uint8Array): string | null {
  if (!isGif(bytes)) return null;
  const comments: string[] = [];
  let at = 13 + tableBytes(bytes[10] ?? 0);
  for (;;) {
    const kind = bytes[at];
    const from = kind === EXTENSION ? at + 2 : at + 11 + tableBytes(bytes[at + 9] ?? 0);
    const found = kind === EXTENSION || kind === IMAGE ? partsAt(bytes, from) : null;
    if (!found) return comments.length > 0 ? comments.join("\n") : null;
    const length = found.parts.reduce((sum, part) => sum + part.length, 0);
    if (kind === EXTENSION && bytes[at + 1] === COMMENT && length <= MOST_TEXT)
      comments.push(new TextDecoder().decode(concatenate(found.parts)));
    at = found.end;
  }
}
