// Files of numbers: NumPy's and safetensors, byte by byte, round trips, and refused files.
import { deflateRawSync } from "node:zlib";
import { deflateSync } from "fflate";
import { describe, expect, test } from "vitest";
import { type Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const doubles = (shape: number[], ...data: number[]): Tensor => ({ shape, data: Float64Array.from(data) });
const singles = (shape: number[], ...data: number[]): Tensor => ({ shape, data: Float32Array.from(data) });

const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const littleEndian = (number: number, size: number): number[] =>
  Array.from({ length: size }, (_, place) => Math.floor(number / 256 ** place) % 256);

/** A .npy of version 1.0 as NumPy lays it out. */
function npy(descr: string, order: "True" | "False", shape: string, numbers: number[]): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;
  const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + "\n";
  return Uint8Array.from([
    0x93,
    ...ascii("NUMPY"),
    1,
    0,
    ...littleEndian(padded.length, 2),
    ...ascii(padded),
    ...numbers,
  ]);
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** An archive of one deflated entry. */
function zip(
  name: string,
  content: Uint8Array,
  given: { stored?: Uint8Array; size?: number } = {},
): Uint8Array {
  const { stored = deflateSync(content), size = content.length } = given;
  const about = [
    ...littleEndian(8, 2),
    0,
    0,
    0x21,
    0,
    ...littleEndian(crc32(content), 4),
    ...littleEndian(stored.length, 4),
  ];
  const sizes = [...littleEndian(size, 4), ...littleEndian(name.length, 2), 0, 0];
  const local = [0x50, 0x4b, 3, 4, 20, 0, 0, 0, ...about, ...sizes, ...ascii(name), ...stored];
  const central = [0x50, 0x4b, 1, 2, 20, 0, 20, 0, 0, 0, ...about, ...sizes];
  const directory = [...central, ...littleEndian(0, 14), ...ascii(name)];
  const end = [
    0x50,
    0x4b,
    5,
    6,
    0,
    0,
    0,
    0,
    1,
    0,
    1,
    0,
    ...littleEndian(directory.length, 4),
    ...littleEndian(local.length, 4),
  ];
  return Uint8Array.from([...local, ...directory, ...end, 0, 0]);
}

function safetensors(header: string, numbers: number[]): Uint8Array {
  return Uint8Array.from([...littleEndian(header.length, 8), ...ascii(header), ...numbers]);
}

const bytesOf = (data: Float64Array | Float32Array): number[] => [...new Uint8Array(data.slice().buffer)];

describe("a .npy file", () => {
  test("is read in every type and order that NumPy writes", () => {
    const wide = npy("<f8", "False", "(2, 2)", bytesOf(Float64Array.of(1, -2, 0.5, Infinity)));
    expect(core.readNpy(wide)).toEqual(doubles([2, 2], 1, -2, 0.5, Infinity));
    expect(core.readNpy(wide.buffer as ArrayBuffer)).toEqual(doubles([2, 2], 1, -2, 0.5, Infinity));
    expect(core.readNpy(npy("<f4", "False", "(2,)", bytesOf(Float32Array.of(0.1, 3))))).toEqual(
      doubles([2], Math.fround(0.1), 3),
    );
    expect(core.readNpy(npy("<f2", "False", "(3,)", [0, 0x3c, 0, 0xc0, 1, 0]))).toEqual(
      doubles([3], 1, -2, 2 ** -24),
    );
    expect(core.readNpy(npy("<i8", "False", "()", [...littleEndian(7, 8)]))).toEqual(doubles([], 7));
    expect(core.readNpy(npy(">i2", "False", "(2,)", [0xff, 0xfe, 1, 0]))).toEqual(doubles([2], -2, 256));
    expect(core.readNpy(npy("|u1", "False", "(2, 1)", [200, 3]))).toEqual(doubles([2, 1], 200, 3));
    expect(core.readNpy(npy("|b1", "False", "(2,)", [1, 0]))).toEqual(doubles([2], 1, 0));
    expect(core.readNpy(npy("|u1", "True", "(2, 3)", [1, 2, 3, 4, 5, 6]))).toEqual(
      doubles([2, 3], 1, 3, 5, 2, 4, 6),
    );
    expect(core.readNpy(npy("<f8", "False", "(0, 4)", []))).toEqual(doubles([0, 4]));
  });

  test("is read in the requested precision", () => {
    const file = npy("<f8", "False", "(1,)", bytesOf(Float64Array.of(0.1)));
    expect(core.readNpy(file, { precision: "float32" })).toEqual(singles([1], 0.1));
  });

  test("of numbers that float32 makes infinite is refused in float32", () => {
    const file = (...numbers: number[]) =>
      npy("<f8", "False", `(${numbers.length},)`, bytesOf(Float64Array.from(numbers)));
    expect(() => core.readNpy(file(1, -1e300), { precision: "float32" })).toThrow(
      "readNpy: file is -1e+300, expected numbers that float32 holds",
    );
    expect(core.readNpy(file(Infinity, 1e-300), { precision: "float32" })).toEqual(singles([2], Infinity, 0));
    const many = { bias: doubles([1], 1e300) };
    expect(() => core.readNpz(core.writeNpz(many), { precision: "float32" })).toThrow(
      "readNpz: bias is 1e+300",
    );
    expect(() => core.readSafetensors(core.writeSafetensors(many), { precision: "float32" })).toThrow(
      "readSafetensors: bias is 1e+300",
    );
    expect(() => core.readNpy(npy("<f8", "False", "(1)", bytesOf(Float64Array.of(1))))).toThrow(
      "a shape that is not a tuple",
    );
  });

  test("is written as NumPy writes it", () => {
    expect(core.writeNpy(doubles([2, 1], 1, 2))).toEqual(
      npy("<f8", "False", "(2, 1)", bytesOf(Float64Array.of(1, 2))),
    );
    expect(core.writeNpy(singles([], 0.1))).toEqual(npy("<f4", "False", "()", bytesOf(Float32Array.of(0.1))));
  });

  test("that is invalid or damaged is refused with the reason", () => {
    const good = npy("<f8", "False", "(2,)", bytesOf(Float64Array.of(1, 2)));
    expect(() => core.readNpy(Uint8Array.from(ascii("PK something else")))).toThrow(
      "npy: file is no .npy, expected one that begins with",
    );
    expect(() => core.readNpy(new Uint8Array(0))).toThrow("npy: file is no .npy");
    for (let length = 0; length < good.length; length++)
      expect(() => core.readNpy(good.subarray(0, length))).toThrow(/^npy: file is /);
    expect(() => core.readNpy(npy("<c16", "False", "(1,)", littleEndian(0, 16)))).toThrow(
      'npy: file is a .npy of type "<c16", expected booleans',
    );
    expect(() => core.readNpy(npy("<i8", "False", "(1,)", [1, 0, 0, 0, 0, 0, 0x20, 0]))).toThrow(
      /^npy: file/,
    );
    expect(() => core.readNpy(npy("<f8", "False", "(4294967295, 4294967295)", []))).toThrow(
      "shape: (4294967295, 4294967295) has too many cells",
    );
    expect(() => core.readNpy([1, 2] as never)).toThrow(
      "readNpy: file is [1, 2], expected a Uint8Array or an ArrayBuffer",
    );
    expect(() => core.readNpy(good, { precision: "float16" as never })).toThrow(
      'readNpy: precision is "float16"',
    );
    expect(() => core.writeNpy({ shape: [1], data: Int32Array.of(1) } as never)).toThrow(
      "writeNpy: tensor.data",
    );
  });
});

describe("files of several arrays", () => {
  const model = {
    "encoder.weight": doubles([2, 3], 1, 2, 3, 4, 5, 6.5),
    "encoder.bias": doubles([2], -1e300, 5e-324),
    Größe: doubles([], NaN),
  };

  test("are read back as they were written, in either precision", () => {
    expect(core.readNpz(core.writeNpz(model))).toEqual(model);
    expect(core.readSafetensors(core.writeSafetensors(model))).toEqual(model);
    const single = { a: singles([2], 0.1, 3), b: singles([1, 1], -0) };
    expect(core.readNpz(core.writeNpz(single), { precision: "float32" })).toEqual(single);
    expect(core.readSafetensors(core.writeSafetensors(single), { precision: "float32" })).toEqual(single);
    expect(core.readNpz(core.writeNpz({}))).toEqual({});
    expect(core.readSafetensors(core.writeSafetensors({}))).toEqual({});
    expect(core.writeNpz(model)).toEqual(core.writeNpz(model));
  });

  test("keep names that have a meaning in JavaScript", () => {
    const tensors = Object.fromEntries([["__proto__", doubles([1], 7)]]);
    expect(Object.entries(core.readNpz(core.writeNpz(tensors)))).toEqual([["__proto__", doubles([1], 7)]]);
  });

  test("are inflated where they are compressed", () => {
    const array = npy("<f8", "False", "(3,)", bytesOf(Float64Array.of(1, 1, 1)));
    expect(core.readNpz(zip("ones.npy", array))).toEqual({ ones: doubles([3], 1, 1, 1) });
    // Longer than one portion of inflating, with bytes that repeat and bytes that do not.
    const many = Float64Array.from({ length: 10_000 }, (_, at) => (at % 3 === 0 ? at : Math.sin(at)));
    const long = npy("<f8", "False", "(10000,)", bytesOf(many));
    expect(core.readNpz(zip("many.npy", long))).toEqual({ many: { shape: [10_000], data: many } });
  });

  test("are read from the bytes of the format", () => {
    const header =
      '{"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[1],"data_offsets":[4,6]},' +
      '"a":{"dtype":"I32","shape":[1,1],"data_offsets":[0,4]}}';
    expect(core.readSafetensors(safetensors(header, [0xfe, 0xff, 0xff, 0xff, 0x80, 0x3f]))).toEqual({
      a: doubles([1, 1], -2),
      b: doubles([1], 1),
    });
  });

  test("that are damaged are refused with the reason", () => {
    const array = npy("<f8", "False", "(3,)", bytesOf(Float64Array.of(1, 2, 3)));
    const good = zip("x.npy", array);
    for (let length = 0; length < good.length; length += 7)
      expect(() => core.readNpz(good.subarray(0, length))).toThrow(/^zip: /);
    expect(() => core.readNpz(zip("x.npy", array, { stored: Uint8Array.of(7, 7, 7, 7) }))).toThrow(
      "npz: file is damaged, expected entries that can be inflated",
    );
    expect(() => core.readNpz(zip("x.npy", array, { size: array.length - 1 }))).toThrow(/^zip: "x.npy" is /);
    expect(() => core.readNpz(zip("x.npy", array, { size: array.length + 1 }))).toThrow(/^zip: "x.npy" is /);
    const changed = Uint8Array.from(array);
    changed[changed.length - 1]! ^= 1;
    expect(() => core.readNpz(zip("x.npy", array, { stored: deflateSync(changed) }))).toThrow(
      'zip: "x.npy" is damaged, expected bytes that match their checksum',
    );
    expect(() => core.readNpz(zip("x.txt", array))).toThrow("expected entries that end in .npy");
    expect(() => core.readNpz(good, { maxBytes: 16 })).toThrow("the limit is 16");

    const weights = core.writeSafetensors(model);
    for (let length = 0; length < weights.length; length += 5)
      expect(() => core.readSafetensors(weights.subarray(0, length))).toThrow(/^safetensors: /);
    expect(() => core.readSafetensors(weights, { maxBytes: 16 })).toThrow("the limit is 16");
    expect(() =>
      core.readSafetensors(safetensors('{"a":{"dtype":"F8","shape":[],"data_offsets":[0,1]}}', [0])),
    ).toThrow('"a" of type "F8"');
    expect(() =>
      core.readSafetensors(safetensors('{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,1]}}', [0])),
    ).toThrow(/^safetensors: "a"/);
  });

  test("that would inflate to too many bytes are refused before they are inflated", () => {
    // The size limit is checked before the data, which are damaged.
    const broken = Uint8Array.of(7, 7, 7, 7);
    const array = npy("<f8", "False", "(3,)", bytesOf(Float64Array.of(1, 2, 3)));
    const declaredTooLarge = zip("x.npy", array, { stored: broken, size: 600 * 2 ** 20 });
    expect(() => core.readNpz(declaredTooLarge)).toThrow(
      `npz: file needs ${declaredTooLarge.length + 600 * 2 ** 20 + 1024} bytes or more; the limit is 536870912 (maxBytes)`,
    );
    // Bombs that declare a small size are stopped at the first byte too many, before the damaged part.
    const long = new Uint8Array(2 ** 25);
    long.set(array);
    const bomb = Uint8Array.from(deflateRawSync(long));
    expect(bomb.length).toBeGreaterThan(30_000);
    const trapped = bomb.fill(7, 20_000);
    expect(() => core.readNpz(zip("x.npy", array, { stored: trapped }))).toThrow(
      `zip: "x.npy" is ${array.length + 1} bytes long, expected ${array.length}, as the directory says`,
    );
    expect(() => core.readNpz(zip("x.npy", array, { stored: trapped, size: 2 ** 25 }))).toThrow(
      "npz: file is damaged, expected entries that can be inflated",
    );
  });

  test("are not written from tensors of different precisions", () => {
    expect(() => core.writeNpz({ "": doubles([1], 1) })).toThrow("npz: name is empty, expected a name");
    expect(() => core.writeSafetensors({ __metadata__: doubles([1], 1) })).toThrow(
      'safetensors: name is "__metadata__", expected another',
    );
    expect(() => core.writeNpz({ a: doubles([1], 1), b: singles([1], 1) })).toThrow(
      "writeNpz: b is float32 and a is float64, expected one precision",
    );
    expect(() => core.writeSafetensors({ a: { shape: [2], data: Float64Array.of(1) } })).toThrow(
      'writeSafetensors: "a" has 1 numbers, expected 2',
    );
    expect(() => core.writeSafetensors({ "\ud800": doubles([1], 1) })).toThrow("writeSafetensors: name is");
    expect(() => core.writeNpz(null as never)).toThrow(
      "writeNpz: tensors is null, expected a record of tensors",
    );
  });
});
