// The header of an image file, read before the file is decoded.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readHeader } from "../../web/page/image-header.js";

const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const big = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) => (value >>> (8 * (bytes - 1 - at))) & 255);
const littleEndian = (value: number, bytes: number) => big(value, bytes).reverse();
const file = (...parts: number[][]) => Uint8Array.from(parts.flat());

const chunk = (kind: string, body: number[]) => [...big(body.length, 4), ...ascii(kind), ...body, 0, 0, 0, 0];
const png = (width: number, height: number, ...chunks: number[][]) =>
  file(
    [0x89, ...ascii("PNG"), 13, 10, 26, 10],
    chunk("IHDR", [...big(width, 4), ...big(height, 4), 8, 6, 0, 0, 0]),
    ...chunks,
  );
const segment = (marker: number, body: number[]) => [0xff, marker, ...big(body.length + 2, 2), ...body];
const jpeg = (marker: number, width: number, height: number, ...before: number[][]) =>
  file(
    [0xff, 0xd8],
    ...before,
    segment(marker, [8, ...big(height, 2), ...big(width, 2), 3, 1, 17, 0, 2, 17, 1, 3, 17, 1]),
    segment(0xda, [3, 1, 0, 2, 17, 3, 17, 0, 63, 0]),
  );
const webp = (kind: string, body: number[]) =>
  file(
    ascii("RIFF"),
    littleEndian(body.length + 12, 4),
    ascii("WEBP"),
    ascii(kind),
    littleEndian(body.length, 4),
    body,
    Array<number>(12).fill(0),
  );

describe("PNG", () => {
  test("size, and whether it is animated", () => {
    expect(readHeader(png(640, 480, chunk("IDAT", [1, 2, 3])))).toEqual({
      type: "png",
      width: 640,
      height: 480,
      isAnimated: false,
    });
    expect(
      readHeader(
        png(
          100_000,
          70_000,
          chunk("gAMA", [0, 0, 0, 1]),
          chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]),
          chunk("IDAT", [1]),
        ),
      ),
    ).toEqual({ type: "png", width: 100_000, height: 70_000, isAnimated: true });
  });

  test("an acTL chunk after the pixels does not count", () => {
    expect(
      readHeader(png(8, 8, chunk("IDAT", [1]), chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0])))?.isAnimated,
    ).toBe(false);
  });
});

describe("JPEG", () => {
  test("baseline and progressive, behind other segments", () => {
    const exif = segment(0xe1, [...ascii("Exif"), 0, 0, ...Array<number>(40).fill(7)]);
    const tables = segment(0xc4, Array<number>(20).fill(1));
    expect(readHeader(jpeg(0xc0, 4000, 3000, exif))).toEqual({
      type: "jpeg",
      width: 4000,
      height: 3000,
      isAnimated: false,
    });
    expect(readHeader(jpeg(0xc2, 65535, 1, exif, tables, [0xff, 0xff]))).toEqual({
      type: "jpeg",
      width: 65535,
      height: 1,
      isAnimated: false,
    });
  });

  test("markers without a length are skipped, so that nothing in a comment is read as the frame", () => {
    const frame = segment(0xc0, [8, ...big(16, 2), ...big(20, 2), 3, 1, 17, 0, 2, 17, 1, 3, 17, 1]);
    for (const marker of [0x01, 0xd0, 0xd3, 0xd7]) {
      // If the next marker were read as the length, the reader would skip 65,534 bytes, into the second
      // comment.
      const first = segment(0xfe, Array<number>(60_000).fill(0));
      const led = 2 + 2 + 0xfffe - (4 + first.length + 4);
      const second = segment(0xfe, [...Array<number>(led).fill(0), ...frame, ...Array<number>(20).fill(0)]);
      const image = jpeg(0xc0, 12_000, 9_000, [0xff, marker], first, second);
      expect(image.subarray(2 + 2 + 0xfffe, 2 + 2 + 0xfffe + 2)).toEqual(Uint8Array.of(0xff, 0xc0));
      expect(readHeader(image)).toMatchObject({ width: 12_000, height: 9_000 });
    }
  });

  test("without a frame header there is no size", () => {
    expect(readHeader(file([0xff, 0xd8], segment(0xe0, Array<number>(40).fill(0))))).toBeNull();
    expect(readHeader(file([0xff, 0xd8], Array<number>(40).fill(0)))).toBeNull();
  });
});

describe("WebP", () => {
  test("lossy, lossless, extended, animated", () => {
    expect(
      readHeader(
        webp("VP8 ", [
          0,
          0,
          0,
          0x9d,
          0x01,
          0x2a,
          ...littleEndian(320 | 0x4000, 2),
          ...littleEndian(200, 2),
          0,
          0,
        ]),
      ),
    ).toEqual({ type: "webp", width: 320, height: 200, isAnimated: false });
    expect(
      readHeader(webp("VP8L", [0x2f, ...littleEndian((639 | (479 << 14)) >>> 0, 4), 0, 0, 0, 0, 0])),
    ).toEqual({
      type: "webp",
      width: 640,
      height: 480,
      isAnimated: false,
    });
    expect(readHeader(webp("VP8X", [0, 0, 0, 0, ...littleEndian(16383, 3), ...littleEndian(99, 3)]))).toEqual(
      {
        type: "webp",
        width: 16384,
        height: 100,
        isAnimated: false,
      },
    );
    expect(
      readHeader(webp("VP8X", [2, 0, 0, 0, ...littleEndian(9, 3), ...littleEndian(9, 3)]))?.isAnimated,
    ).toBe(true);
    expect(readHeader(webp("ICCP", Array<number>(20).fill(0)))).toBeNull();
  });
});

describe("anything else", () => {
  test("other formats are refused", () => {
    for (const start of [
      ascii("GIF89a"),
      ascii("BM"),
      ascii("<svg xmlns="),
      ascii("%PDF-1.7"),
      [0, 0, 0, 0x20, ...ascii("ftypavif")],
      ascii("RIFF0000WAVE"),
    ]) {
      expect(readHeader(file(start, Array<number>(60).fill(0)))).toBeNull();
    }
    expect(readHeader(new Uint8Array())).toBeNull();
  });

  test("no file throws, whether it is cut off or changed", () => {
    const whole = [
      png(9, 9, chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]), chunk("IDAT", [1])),
      jpeg(0xc0, 9, 9),
      webp("VP8X", [2, 0, 0, 0, 9, 0, 0, 9, 0, 0]),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.nat(120),
        fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 6 }),
        (bytes, length, changes) => {
          const damaged = bytes.slice(0, length);
          for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value;
          const header = readHeader(damaged);
          if (header) expect(Number.isInteger(header.width) && Number.isInteger(header.height)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
