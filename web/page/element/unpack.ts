/**
 * Unpacks the files that a script contains: compressed together with Zstandard, in base64. See
 * packed-plugin.ts.
 */
import { decompress } from "fzstd";

export interface Packed {
  /** Base64. */
  text: string;
  /** Bytes of each file. */
  sizes: readonly number[];
}

export function unpack({ text, sizes }: Packed): Uint8Array[] {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  const whole = decompress(bytes, new Uint8Array(sizes.reduce((sum, size) => sum + size, 0)));
  let end = 0;
  return sizes.map((size) => whole.subarray(end, (end += size)));
}

export const textOf = (file: Uint8Array | undefined): string => new TextDecoder().decode(file);
