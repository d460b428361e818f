/** Files of numbers: NumPy's .npy and .npz, and safetensors. Bytes on one side, tensors on the other. */
import { Inflate } from "fflate";
import { choice, DEFAULT_MAX_BYTES, integer, options, refuse, text } from "../arguments.js";
import { FLOATS } from "../operations.js";
import { checkTensor, fitsSingle, precisionOf, type Precision, type Tensor } from "../tensor.js";
import { TransformerFunctions } from "./functions.js";
import type { TransformerModule } from "./wasm.js";

/** The forms in which a file may be given. */
export type FileBytes = Uint8Array | ArrayBuffer;

export interface ReadOptions {
  /** The precision of the tensors. A file is read as float64 first; a number that float32 would make infinite is refused. Absent: "float64". */
  precision?: Precision;
}

export interface ReadManyOptions extends ReadOptions {
  /** The memory limit of the file, and of all arrays as float64 with 1 KB for each. Absent: 512 MB. */
  maxBytes?: number;
}

interface Read {
  name: string;
  shape: number[];
  data: Float64Array | Float32Array;
}

/** Reads and writes files. Files that are damaged, incomplete or of another kind are refused. */
export class FileFunctions extends TransformerFunctions {
  /** @internal */
  declare protected readonly module: TransformerModule;

  /** The array of a .npy file: booleans, integers of 8 to 64 bits and floats of 16, 32 or 64, in any order of bytes and axes. */
  readNpy(file: FileBytes, given?: ReadOptions): Tensor {
    const { precision } = options("readNpy", given, ["precision"]);
    const tensor = tensorOf("readNpy", precisionGiven("readNpy", precision));
    return tensor({ ...this.module.readNpy(bytesOf("readNpy", file))[0]!, name: "file" });
  }

  /** The arrays of a .npz file, stored (numpy.savez) or deflated (numpy.savez_compressed), by name. */
  readNpz(file: FileBytes, given?: ReadManyOptions): Record<string, Tensor> {
    const { precision, maxBytes } = manyOptions("readNpz", given);
    const read = this.module.readNpz(bytesOf("readNpz", file), inflated, maxBytes);
    return tensorsOf("readNpz", read, precision);
  }

  /** The arrays of a .safetensors file by name: booleans, integers, F16, BF16, F32, F64. Its metadata is ignored. */
  readSafetensors(file: FileBytes, given?: ReadManyOptions): Record<string, Tensor> {
    const { precision, maxBytes } = manyOptions("readSafetensors", given);
    const read = this.module.readSafetensors(bytesOf("readSafetensors", file), maxBytes);
    return tensorsOf("readSafetensors", read, precision);
  }

  /** A .npy file in the precision of `tensor`. */
  writeNpy(tensor: Tensor): Uint8Array {
    const single = checkTensor("writeNpy", "tensor", tensor, FLOATS) === "float32";
    return this.module.writeNpy([{ name: "", shape: [...tensor.shape], data: tensor.data }], single);
  }

  /** An uncompressed .npz file in the common precision of `tensors`. The same tensors give the same bytes. */
  writeNpz(tensors: Record<string, Tensor>): Uint8Array {
    return this.module.writeNpz(...named("writeNpz", tensors));
  }

  /** A .safetensors file in the common precision of `tensors`. */
  writeSafetensors(tensors: Record<string, Tensor>): Uint8Array {
    return this.module.writeSafetensors(...named("writeSafetensors", tensors));
  }
}

/** The bytes of a file. Throws Error for anything else. */
export function bytesOf(operation: string, file: unknown): Uint8Array {
  const kind = Object.prototype.toString.call(file).slice(8, -1);
  if (kind === "Uint8Array") return file as Uint8Array;
  if (kind === "ArrayBuffer") return new Uint8Array(file as ArrayBuffer);
  return refuse(operation, "file", "a Uint8Array or an ArrayBuffer", file);
}

const precisionGiven = (operation: string, precision?: Precision): Precision =>
  choice(operation, "precision", precision ?? "float64", ["float64", "float32"]);

function manyOptions(operation: string, given?: ReadManyOptions): Required<ReadManyOptions> {
  const { precision, maxBytes = DEFAULT_MAX_BYTES } = options(operation, given, ["precision", "maxBytes"]);
  return {
    precision: precisionGiven(operation, precision),
    maxBytes: integer(operation, "maxBytes", maxBytes, { min: 0 }),
  };
}

const tensorOf =
  (operation: string, precision: Precision) =>
  ({ name, shape, data }: Read): Tensor => {
    if (precision === "float64") return { shape, data };
    const lost = data.find((value) => !fitsSingle(value));
    if (lost !== undefined) refuse(operation, name, "numbers that float32 holds", lost);
    return { shape, data: Float32Array.from(data) };
  };

function tensorsOf(operation: string, read: Read[], precision: Precision): Record<string, Tensor> {
  const tensor = tensorOf(operation, precision);
  return Object.fromEntries(read.map((array) => [array.name, tensor(array)]));
}

function named(operation: string, tensors: Record<string, Tensor>): [Read[], boolean] {
  if (typeof tensors !== "object" || tensors === null)
    return refuse(operation, "tensors", "a record of tensors", tensors);
  const list = Object.entries(tensors).map(([name, tensor]) => {
    text(operation, "name", name);
    checkTensor(operation, JSON.stringify(name), tensor, FLOATS);
    return { name, shape: [...tensor.shape], data: tensor.data };
  });
  return [list, precisionOf(operation, tensors) === "float32"];
}

/** Bytes that are inflated at a time. Deflate makes at most 1032 times as many of them, before they are counted. */
const portion = 1 << 13;

/** The inflated bytes, at most `size` and one more, which shows that there are too many. Undefined for an invalid stream. */
function inflated(deflated: Uint8Array, size: number): Uint8Array | undefined {
  const bytes = new Uint8Array(size + 1);
  let length = 0;
  const stream = new Inflate((piece) => {
    const fitting = piece.subarray(0, bytes.length - length);
    bytes.set(fitting, length);
    length += fitting.length;
  });
  try {
    for (let at = 0; at < deflated.length && length <= size; at += portion)
      stream.push(deflated.subarray(at, at + portion), at + portion >= deflated.length);
  } catch {
    return undefined;
  }
  return bytes.subarray(0, length);
}
