/**
 * The reader's own image: checked, cut to a square, and reduced to few pixels and 16 levels before the core
 * receives it.
 */
import type { VitNumbers } from "../config/config.js";
import { averageLevels } from "../labs/vit/levels.js";
import type { Words } from "../i18n/words.js";
import { readHeader } from "./image-header.js";

const most = { megabytes: 20, megapixels: 40 };

/** Side of the square that is averaged down; the browser scales larger images to it. */
const side = 512;

/**
 * The largest square at the centre, as side × side RGBA values; closes the bitmap. Throws Error when there is
 * no canvas.
 */
function square(bitmap: ImageBitmap): Uint8ClampedArray {
  try {
    const length = Math.min(bitmap.width, bitmap.height);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = side;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("the browser has no 2d canvas");
    context.imageSmoothingQuality = "high";
    const [x, y] = [(bitmap.width - length) / 2, (bitmap.height - length) / 2];
    context.drawImage(bitmap, x, y, length, length, 0, 0, side, side);
    return context.getImageData(0, 0, side, side).data;
  } finally {
    bitmap.close();
  }
}

/** The numbers with the pixels of the file as their image, or the reason why the file cannot be used. */
export async function readImage(
  numbers: VitNumbers,
  file: File,
  words: Words,
): Promise<VitNumbers | { refused: string }> {
  const megabytes = file.size / 2 ** 20;
  if (megabytes > most.megabytes) {
    return { refused: words("image.bytes", { given: Math.ceil(megabytes), most: most.megabytes }) };
  }
  const header = readHeader(new Uint8Array(await file.arrayBuffer()));
  if (!header) return { refused: words("image.type") };
  const tooLarge = ({ width, height }: { width: number; height: number }): { refused: string } | null => {
    const given = (width * height) / 1e6;
    if (given <= most.megapixels) return null;
    return { refused: words("image.pixels", { given: Math.ceil(given), most: most.megapixels }) };
  };
  const refused = tooLarge(header);
  if (refused) return refused;
  if (header.isAnimated) return { refused: words("image.animated") };
  try {
    const bitmap = await createImageBitmap(file);
    // The header may give a smaller size than the browser finds.
    const oversize = tooLarge(bitmap);
    if (oversize) {
      bitmap.close();
      return oversize;
    }
    const pixels = averageLevels(square(bitmap), side, numbers.size);
    return { ...numbers, image: { pixels }, edits: numbers.edits.filter(({ node }) => node !== "image") };
  } catch {
    return { refused: words("image.broken") };
  }
}
