/** An image of patches as shapes: its pixels, the gaps between patches, numbers, frames. */
import type { Rectangle } from "./board.js";
import { cssColour, textOn, type Palette } from "./colour.js";
import { patchesAcross, pixelColours, pixelsOf, pixelText, showsNumbers } from "./image.js";
import { CELL_TYPE } from "./numbers.js";
import type { PlacedImage, Role, Snapshot } from "./scene.js";
import { plainParts, type Shape } from "./shapes.js";

/** The gap between two patches. */
const GAP = 1.5;

export function imageShapes(
  image: PlacedImage,
  snapshot: Snapshot,
  veil: readonly number[] | null,
  palette: Palette,
): Shape[] {
  const { x, y, size } = image;
  const visible = pixelsOf(image, snapshot.shape);
  const { width: columns, height: rows } = visible;
  if (columns * rows === 0) return [];
  const colourAt = pixelColours(image, snapshot, veil, palette);
  const places = Array.from(
    { length: rows * columns },
    (_, at) => [Math.floor(at / columns), at % columns] as const,
  );
  const pixels = new Uint8Array(rows * columns * 3);
  for (const [row, column] of places) pixels.set(colourAt(row, column), (row * columns + column) * 3);
  const shapes: Shape[] = [{ kind: "bitmap", x, y, width: size, height: size, columns, rows, pixels }];
  const across = patchesAcross(image, snapshot.shape);
  if (image.patch && image.only === undefined) {
    const down = Math.floor((snapshot.shape.at(-2) ?? 0) / image.patch);
    const paper = cssColour(palette.paper);
    for (let column = 1; column < across; column++)
      shapes.push({
        kind: "rect",
        x: x + (column * size) / across - GAP / 2,
        y,
        width: GAP,
        height: size,
        fill: paper,
      });
    for (let row = 1; row < down; row++)
      shapes.push({
        kind: "rect",
        x,
        y: y + (row * size) / down - GAP / 2,
        width: size,
        height: GAP,
        fill: paper,
      });
  }
  if (!showsNumbers(image, visible)) return shapes;
  const numbers = places.map(([row, column]): Shape => ({
    kind: "text",
    x: x + ((column + 0.5) * size) / columns,
    y: y + ((row + 0.5) * size) / rows + 4,
    parts: plainParts(pixelText(snapshot, visible, row, column)),
    size: CELL_TYPE,
    family: "sans",
    weight: 400,
    italic: false,
    fill: textOn(colourAt(row, column)),
    anchor: "middle",
  }));
  return [...shapes, ...numbers];
}

/** The positions and colours of the frames around patches. */
export function framedPatches(
  image: PlacedImage,
  shape: readonly number[],
): { at: Rectangle; role: Role | "ink" }[] {
  const across = patchesAcross(image, shape);
  const down = image.patch ? Math.floor((shape.at(-2) ?? 0) / image.patch) : 0;
  const visibleFrames = image.frames.filter(
    ({ patch }) => across > 0 && (image.only === undefined || image.only === patch),
  );
  return visibleFrames.map(({ patch, role }) => {
    const [columns, rows] = image.only === undefined ? [across, down] : [1, 1];
    const place = image.only === undefined ? patch : 0;
    const width = image.size / columns;
    const height = image.size / rows;
    const x = image.x + (place % columns) * width;
    const y = image.y + Math.floor(place / columns) * height;
    return { at: { x, y, width, height }, role };
  });
}
