/** The sample images of the ViT lab; samples/draw.mjs drew them. Ids are permanent. */
import face from "./samples/face.json";
import harbour from "./samples/harbour.json";
import letter from "./samples/letter.json";

export interface Sample {
  id: string;
  title: { en: string; "zh-CN": string };
  /** The side of the image in pixels. */
  size: number;
  /** One string per row of pixels, with three hexadecimal digits, 0 … f, per pixel. */
  rows: string[];
}

export const samples: readonly Sample[] = [harbour, face, letter];
