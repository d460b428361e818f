/** The sample images of the ViT lab, drawn by samples/draw.mjs. Ids are permanent. */
import face from "./samples/face.json";
import harbour from "./samples/harbour.json";
import letter from "./samples/letter.json";

export interface Sample {
  id: string;
  title: { en: string; "zh-CN": string };
  /** Side in pixels. */
  size: number;
  /** A line per row of pixels: three hexadecimal digits, 0 … f, per pixel. */
  rows: string[];
}

export const samples: readonly Sample[] = [harbour, face, letter];
