/**
 * Unpacks the files that a script contains: compressed together with LZMA, in base64. See
 * packed-plugin.ts.
 */
// The package's entry point contains the encoder too, which takes longer to load than the decoder.
import { Decoder } from "../../../node_modules/lzma1/lib/decoder.js";
import { InputBuffer, OutputBuffer } from "../../../node_modules/lzma1/lib/streams.js";

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
  const output = new OutputBuffer(sizes.reduce((sum, size) => sum + size, 0));
  new Decoder().decompress(new InputBuffer(bytes), output);
  const whole = output.toArray();
  let end = 0;
  return sizes.map((size) => whole.subarray(end, (end += size)));
}

export const textOf = (file: Uint8Array | undefined): string => new TextDecoder().decode(file);
