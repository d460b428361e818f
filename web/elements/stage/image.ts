/** The frames on an image: the text colour for the pinned patch, the colour of its role for the one compared with. */
import { svg, type SVGTemplateResult } from "lit";
import { framedPatches } from "../../marks/picture-image.js";
import type { PlacedImage, Snapshots } from "../../marks/scene.js";
import { frame } from "./matrix.js";

export function imageFrames(image: PlacedImage, snapshots: Snapshots): SVGTemplateResult {
  const shape = snapshots.get(image.node)?.shape ?? [];
  return svg`${framedPatches(image, shape).map(({ at, role }) => frame(at, role))}`;
}
