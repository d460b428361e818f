/**
 * PNG files: encodes pixels, and stores or reads a text in an iTXt chunk. PNG specification, third edition,
 * sections 5 and 11.
 */
import { strFromU8, strToU8, zlibSync } from "fflate";
import { concatenate } from "./concatenate.js";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The keyword of the text that holds the link. */
export const PNG_KEYWORD = "attention-playground";
/** A longer text is not a link of the playground. */
const MOST_TEXT = 1 << 20;

let table: Uint32Array | null = null;

/** CRC-32 as used by PNG and zip. */
export function crc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(kind: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(strToU8(kind, true), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** A PNG file from red, green and blue values, row by row. */
export function encodePng(pixels: Uint8Array, columns: number, rows: number): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, columns);
  view.setUint32(4, rows);
  header.set([8, 2, 0, 0, 0], 8);
  const stride = columns * 3;
  // Each line begins with its filter type: 0, none.
  const lines = new Uint8Array(rows * (stride + 1));
  for (let row = 0; row < rows; row++)
    lines.set(pixels.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1);
  return concatenate([
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", header),
    chunk("IDAT", zlibSync(lines, { level: 9 })),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, at) => bytes[at] === byte);
}

/** The file with a text inserted after its header. Throws Error when the bytes are not a PNG file. */
export function withPngText(png: Uint8Array, text: string): Uint8Array {
  if (!isPng(png)) throw new Error("withPngText: expected a PNG file");
  const end = 8 + 12 + 13;
  // Keyword, uncompressed, no language, no translated keyword, each closed by 0.
  const data = concatenate([strToU8(PNG_KEYWORD), new Uint8Array(5), strToU8(text)]);
  return concatenate([png.subarray(0, end), chunk("iTXt", data), png.subarray(end)]);
}

/**
 * The uncompressed text of the keyword above, in an iTXt or tEXt chunk; null when there is none. Accepts any
 * bytes.
 */
export function readPngText(bytes: Uint8Array): string | null {
  if (!isPng(bytes)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    const kind = strFromU8(bytes.subarray(at + 4, at + 8), true);
    if ((kind === "iTXt" || kind === "tEXt") && length <= MOST_TEXT) {
      const text = textIn(kind, bytes.subarray(at + 8, at + 8 + length));
      if (text !== null) return text;
    }
    at = end;
  }
  return null;
}

function textIn(kind: string, data: Uint8Array): string | null {
  const keyword = data.indexOf(0);
  if (keyword < 0 || strFromU8(data.subarray(0, keyword), true) !== PNG_KEYWORD) return null;
  if (kind === "tEXt") return new TextDecoder("latin1").decode(data.subarray(keyword + 1));
  if (data[keyword + 1] !== 0) return null;
  const language = data.indexOf(0, keyword + 3);
  const translated = language < 0 ? -1 : data.indexOf(0, language + 1);
  return translated < 0 ? null : new TextDecoder().decode(data.subarray(translated + 1));
}
