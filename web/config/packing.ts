/** Bytes in links: base64url, deflate, inflating with limits, checksums. */
import { Inflate, deflateSync } from "fflate";
import { linkBounds, type Work } from "./bounds.js";

/** Thrown for a part of a link that cannot be read. */
export class Unreadable extends Error {}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const sextets = new Map([...alphabet].map((character, value) => [character, value]));

/** base64url without padding (RFC 4648, section 5). */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first, second, third] = [bytes[at]!, bytes[at + 1], bytes[at + 2]];
    const group = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    text += alphabet[group >> 18]! + alphabet[(group >> 12) & 63]!;
    if (second !== undefined) text += alphabet[(group >> 6) & 63]!;
    if (third !== undefined) text += alphabet[group & 63]!;
  }
  return text;
}

/** Decodes base64url. The ordinary alphabet and padding are accepted too. */
export function fromBase64(text: string): Uint8Array {
  // A loop instead of a regular expression, which would start anew at every "=" that is not at the end.
  let length = text.length;
  while (text[length - 1] === "=") length--;
  const plain = text.slice(0, length).replaceAll("+", "-").replaceAll("/", "_");
  if (plain.length % 4 === 1) throw new Unreadable("base64url of an impossible length");
  const bytes = new Uint8Array(Math.floor((plain.length * 3) / 4));
  let group = 0;
  let bits = 0;
  let end = 0;
  for (const character of plain) {
    const value = sextets.get(character);
    if (value === undefined) throw new Unreadable("not base64url");
    group = ((group << 6) | value) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[end++] = (group >> bits) & 255;
  }
  return bytes;
}

export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: 9, mem: 9 });
}

export const noWork = (): Work => ({ attempts: 0, fields: 0, inflated: 0, cells: 0 });

/** The bytes and cells that all fields of a link together may still create. Everything that is created is added to `work`. */
export class Allowance {
  constructor(
    private left: number,
    private cellsLeft: number = linkBounds.cells,
    private readonly work: Work = noWork(),
  ) {}

  get bytesLeft(): number {
    return this.left;
  }

  /** Counts cells that are about to be created. Throws if there are too many. */
  make(cells: number): void {
    if (cells > this.cellsLeft) throw new Unreadable(`more than ${this.cellsLeft} cells`);
    this.cellsLeft -= cells;
    this.work.cells += cells;
  }

  /** Inflates raw deflate data to at most `most` bytes, and at most the bytes that are left. Stops and throws when there would be more. */
  inflate(packed: Uint8Array, most: number): Uint8Array {
    const limit = Math.min(most, this.left);
    if (limit === 0) throw new Unreadable("inflates to more than 0 bytes");
    const { portion } = linkBounds;
    const pieces: Uint8Array[] = [];
    let length = 0;
    let ended = false;
    const stream = new Inflate((piece, final) => {
      length += piece.length;
      if (length > limit) throw new Unreadable(`inflates to more than ${limit} bytes`);
      pieces.push(piece);
      ended ||= final;
    });
    try {
      for (let at = 0; at < packed.length && !ended; at += portion) {
        stream.push(packed.subarray(at, at + portion), at + portion >= packed.length);
      }
    } catch (error) {
      throw error instanceof Unreadable ? error : new Unreadable("damaged deflate");
    } finally {
      this.left -= Math.min(length, this.left);
      this.work.inflated += length;
    }
    if (!ended) throw new Unreadable("deflate ends early");
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (IEEE 802.3) of the UTF-8 bytes of `text`. */
export function crc32(text: string): number {
  let value = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) value = table[(value ^ byte) & 255]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** A checksum of letters and digits only: chat programs cut punctuation from the end of a link. */
export function checksum(text: string): string {
  return crc32(text).toString(36).padStart(7, "0");
}
