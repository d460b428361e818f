/** The files that a script contains; the configuration of its build names them. */
declare module "virtual:packed" {
  const packed: import("../page/element/unpack.js").Packed;
  export default packed;
}
/** The address of the script itself, set by its build: empty where it has none. */
declare const ownAddress: string;

/** The package's own types are its source, which this project's settings of TypeScript refuse. */
declare module "lzma1" {
  export function compress(data: Uint8Array, mode: number): Uint8Array;
}
declare module "*/lzma1/lib/decoder.js" {
  export class Decoder {
    decompress(
      input: import("../../node_modules/lzma1/lib/streams.js").InputBuffer,
      output: import("../../node_modules/lzma1/lib/streams.js").OutputBuffer,
    ): void;
  }
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
