// The caption under an exported picture; another library reads its QR code.
import jsQR from "jsqr";
import { describe, expect, test } from "vitest";
import { withCaption } from "../../web/marks/picture-caption.js";
import type { PictureShapes, Shape } from "../../web/marks/shapes.js";
import { codeOf } from "../../web/page/take/code.js";
import { palette } from "./tokens.js";

const page = "https://playground.example/";
const picture = (width: number): PictureShapes => ({
  width,
  height: 300,
  paper: "#000",
  title: "Attention, step by step",
  shapes: [],
});
const links = {
  short: `${page}#v=1&c&ex=four-words&c=0vdup3i`,
  long: `${page}#v=1&c&story=${"z1:abc-_".repeat(60)}&c=0vdup3i`,
  longest: `${page}#${"x".repeat(2953 - page.length - 1)}`,
};
const texts = ({ shapes }: PictureShapes): string[] =>
  shapes.flatMap((shape) => (shape.kind === "text" ? shape.parts.map(({ text }) => text) : []));

/** The light and dark pixels of a black and white drawing, three per module, as a camera sees them. */
function photographed({ shapes }: PictureShapes): { pixels: Uint8ClampedArray; side: number } {
  const paper = shapes.find((shape): shape is Extract<Shape, { kind: "rect" }> => shape.kind === "rect")!;
  const dark = shapes.find((shape) => shape.kind === "path" && shape.fill === "#000") as { d: string };
  const side = paper.width;
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  for (const [, x, y, width, height] of dark.d.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z/g))
    for (let down = 0; down < Number(height); down++)
      for (let across = 0; across < Number(width); across++) {
        const at = (Number(y) - paper.y + down) * side + Number(x) - paper.x + across;
        pixels.fill(0, 4 * at, 4 * at + 3);
      }
  return { pixels, side };
}

describe("a caption", () => {
  test("has the picture's title and link; a link longer than a line is replaced by the page's address", () => {
    const caption = (link: string) => withCaption(picture(700), { link, page, code: null }, palette("light"));
    expect(texts(caption(links.short))).toEqual(["Attention, step by step", links.short]);
    expect(texts(caption(links.long))).toEqual(["Attention, step by step", page]);
    expect(caption(links.short).width).toBe(700);
  });

  test.each(Object.entries(links))("the code of a %s link leads there, in both themes", (_name, link) => {
    for (const theme of ["light", "dark"] as const)
      for (const width of [200, 700]) {
        const made = withCaption(picture(width), { link, page, code: codeOf(link) }, palette(theme));
        const { pixels, side } = photographed(made);
        expect(jsQR(pixels, side, side)?.data).toBe(link);
        const {
          x,
          y,
          width: wide,
        } = made.shapes.find(({ kind }) => kind === "rect") as {
          x: number;
          y: number;
          width: number;
        };
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + wide).toBeLessThanOrEqual(made.width);
        expect(y).toBeGreaterThanOrEqual(300 - 24);
        expect(y + wide).toBeLessThanOrEqual(made.height);
      }
  });

  test("a link too long for a QR code is refused", () => {
    expect(() => codeOf(`${links.longest}x`)).toThrow();
  });
});
