/** Pictures of the stage and of its tensors, as the bytes of PNG and SVG files that contain the link. */
import type { Stage } from "../../elements/stage/stage.js";
import { withPngText } from "../../files/png.js";
import { writeSvg } from "../../files/svg.js";
import type { Words } from "../../i18n/words.js";
import { readPalette } from "../../marks/colour.js";
import { drawPicture } from "../../marks/picture-canvas.js";
import { stagePicture, tensorPicture, type PictureOptions } from "../../marks/picture.js";
import type { PictureShapes } from "../../marks/shapes.js";
import type { Palette } from "../../marks/colour.js";

/** Device pixels per CSS pixel, and the limits of canvases in browsers: total pixels, and pixels per side. */
const RATIO = 2;
const MOST_PIXELS = 64e6;
const MOST_SIDE = 16000;

export interface SavedPicture {
  picture: PictureShapes;
  palette: Palette;
}

/** The colours and fonts of the reader's theme. */
export function paletteOf(stage: Stage): Palette {
  const style = getComputedStyle(stage);
  return readPalette((name) => style.getPropertyValue(name));
}

function optionsOf(stage: Stage, title: string, words: Words): PictureOptions {
  const palette = paletteOf(stage);
  const { cell, pinned, explanation, covered } = stage;
  // A pinned target is part of the picture; one that is only pointed at is not.
  const target = pinned && cell ? { cell, regions: explanation?.sources ?? [] } : null;
  return { words, palette, scales: stage.scales, title, target, covered };
}

/** The whole stage; null before it has a scene. */
export function pictureOfStage(stage: Stage, title: string, words: Words): SavedPicture | null {
  if (!stage.scene) return null;
  const options = optionsOf(stage, title, words);
  return { picture: stagePicture(stage.scene, stage.snapshots, options), palette: options.palette };
}

/** One tensor or image of the stage; null when it is not there. */
export function pictureOfBoard(stage: Stage, id: string, title: string, words: Words): SavedPicture | null {
  const { scene, snapshots, nodeWords } = stage;
  if (!scene || !nodeWords) return null;
  const options = optionsOf(stage, title, words);
  const picture = tensorPicture(scene, snapshots, id, nodeWords, options);
  return picture && { picture, palette: options.palette };
}

export function svgFile({ picture, palette }: SavedPicture, link: string): Uint8Array {
  return new TextEncoder().encode(writeSvg(picture, link, palette));
}

/** Throws Error when the browser cannot draw or encode the picture. */
export async function pngFile({ picture, palette }: SavedPicture, link: string): Promise<Uint8Array> {
  const { width, height } = picture;
  const fits = (ratio: number): boolean =>
    width * height * ratio * ratio <= MOST_PIXELS && Math.max(width, height) * ratio <= MOST_SIDE;
  const canvas = drawPicture(picture, fits(RATIO) ? RATIO : 1, palette);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the browser could not encode the picture as PNG");
  return withPngText(new Uint8Array(await blob.arrayBuffer()), link);
}
