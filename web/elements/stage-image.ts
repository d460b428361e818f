/** Frames over an image: the pinned patch in ink, the one compared with in its role's colour. */
import { svg, type SVGTemplateResult } from "lit";
import { patchesAcross } from "../marks/image.js";
import type { PlacedImage, Snapshots } from "../marks/scene.js";
import { frame } from "./stage-matrix.js";

export function imageFrames(image: PlacedImage, snapshots: Snapshots): SVGTemplateResult {
  const shape = snapshots.get(image.node)?.shape ?? [];
  const across = patchesAcross(image, shape);
  const down = image.patch ? Math.floor((shape.at(-2) ?? 0) / image.patch) : 0;
  const frames = image.frames.filter(
    ({ patch }) => across > 0 && (image.only === undefined || image.only === patch),
  );
  return svg`${frames.map(({ patch, role }) => {
    const [columns, rows] = image.only === undefined ? [across, down] : [1, 1];
    const place = image.only === undefined ? patch : 0;
    const width = image.size / columns;
    const height = image.size / rows;
    return frame(
      {
        x: image.x + (place % columns) * width,
        y: image.y + Math.floor(place / columns) * height,
        width,
        height,
      },
      role,
    );
  })}`;
}
