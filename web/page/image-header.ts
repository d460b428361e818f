/**
 * The header of a PNG, JPEG or WebP file: its size in pixels and whether it is animated, read before the file
 * is decoded.
 */

export interface ImageHeader {
  type: "png" | "jpeg" | "webp";
  width: number;
  height: number;
  isAnimated: boolean;
}

const letters = (bytes: Uint8Array, at: number, count: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + count));

/** PNG: the IHDR chunk comes first; an acTL chunk before the pixels means animation (APNG). */
function png(bytes: Uint8Array, view: DataView): ImageHeader {
  let isAnimated = false;
  for (let at = 8; at + 8 <= bytes.length;) {
    const kind = letters(bytes, at + 4, 4);
    if (kind === "acTL") isAnimated = true;
    if (kind === "IDAT" || kind === "IEND") break;
    at += 12 + view.getUint32(at);
  }
  return { type: "png", width: view.getUint32(16), height: view.getUint32(20), isAnimated };
}

/**
 * JPEG: the first start-of-frame marker (C0 … CF but C4, C8, CC) holds the size. Markers 01 and D0 … D9 have
 * no length.
 */
function jpeg(bytes: Uint8Array, view: DataView): ImageHeader | null {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return {
        type: "jpeg",
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        isAnimated: false,
      };
    }
    const alone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
    at += alone ? 2 : 2 + view.getUint16(at + 2);
  }
  return null;
}

/** WebP: VP8X holds size and an animation flag; plain VP8 and VP8L frames hold their size. */
function webp(bytes: Uint8Array, view: DataView): ImageHeader | null {
  const kind = letters(bytes, 12, 4);
  const three = (at: number) => bytes[at]! + (bytes[at + 1]! << 8) + (bytes[at + 2]! << 16);
  if (kind === "VP8X")
    return { type: "webp", width: three(24) + 1, height: three(27) + 1, isAnimated: (bytes[20]! & 2) !== 0 };
  if (kind === "VP8 ") {
    const [width, height] = [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    return { type: "webp", width, height, isAnimated: false };
  }
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return {
      type: "webp",
      width: (bits & 0x3fff) + 1,
      height: ((bits >> 14) & 0x3fff) + 1,
      isAnimated: false,
    };
  }
  return null;
}

/** Null when the bytes are none of these three formats, or end before the size. */
export function readHeader(bytes: Uint8Array): ImageHeader | null {
  if (bytes.length < 30) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x89504e47) return png(bytes, view);
    if (view.getUint16(0) === 0xffd8) return jpeg(bytes, view);
    if (letters(bytes, 0, 4) === "RIFF" && letters(bytes, 8, 4) === "WEBP") return webp(bytes, view);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}
