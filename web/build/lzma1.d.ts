/** The part of lzma1 that is used. Its files are imported by their paths: its own types are its source, which this project's settings of TypeScript refuse. */
declare module "*/lzma1/lib/index.js" {
  export function compress(data: Uint8Array, mode: number): Uint8Array;
}
declare module "*/lzma1/lib/streams.js" {
  export class InputBuffer {
    constructor(data: Uint8Array);
  }
  export class OutputBuffer {
    constructor(capacity: number);
    toArray(): Uint8Array<ArrayBuffer>;
  }
}
declare module "*/lzma1/lib/decoder.js" {
  import { InputBuffer, OutputBuffer } from "*/lzma1/lib/streams.js";
  export class Decoder {
    decompress(input: InputBuffer, output: OutputBuffer): void;
  }
}
