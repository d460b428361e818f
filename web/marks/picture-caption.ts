/** The caption under an exported picture: its title, its link, and optionally a QR code of the link. */
import { cssColour, type Palette } from "./colour.js";
import { textWidth } from "./measure.js";
import { plainParts, type PictureShapes, type Shape, type TextShape } from "./shapes.js";

export interface PictureCaption {
  /** The whole link, and the page's address, which is printed instead if the link is too long for one line. */
  link: string;
  page: string;
  /** The modules of a QR code, row by row, true for dark, including the light margin that it needs. */
  code: readonly (readonly boolean[])[] | null;
}

const MARGIN = 24;
const LINE = 20;
const SIZES = { title: 14, address: 11.5 };
/** The size of a module in pixels; cameras can read this size on screens and on paper. */
const MODULE = 3;
const NARROWEST = 240;

/** The path of the dark modules. Neighbours in a row are one rectangle, so that no seams show between them. */
function codePath(code: readonly (readonly boolean[])[], x: number, y: number): string {
  const runs = code.flatMap((row, down) => {
    const starts = row.flatMap((dark, across) => (dark && !row[across - 1] ? [across] : []));
    return starts.map((start) => {
      const end = row.indexOf(false, start);
      const length = (end < 0 ? row.length : end) - start;
      return `M${x + start * MODULE} ${y + down * MODULE}h${length * MODULE}v${MODULE}h${-length * MODULE}z`;
    });
  });
  return runs.join("");
}

/** Adds the caption below a picture, which gets wider if the caption needs it. */
export function withCaption(
  picture: PictureShapes,
  { link, page, code }: PictureCaption,
  palette: Palette,
): PictureShapes {
  const side = code ? code.length * MODULE : 0;
  const width = Math.max(picture.width, NARROWEST, side + 2 * MARGIN);
  const beside = width - 2 * MARGIN - (side > 0 ? side + MARGIN : 0);
  // If the code takes the whole width, the text stands above it.
  const isTextAbove = side > 0 && beside < NARROWEST;
  const room = isTextAbove ? width - 2 * MARGIN : beside;
  const fits = textWidth(link, SIZES.address) <= room;
  const top = picture.height - MARGIN / 2;
  const words = 2 * LINE + 12;
  const text = (
    content: string,
    line: number,
    rest: Pick<TextShape, "size" | "family" | "weight" | "fill">,
  ) =>
    ({
      kind: "text",
      x: MARGIN,
      y: top + line * LINE + 4,
      parts: plainParts(content),
      italic: false,
      anchor: "start",
      ...rest,
    }) satisfies Shape;
  const codeTop = isTextAbove ? top + words : top + 10;
  const drawnCode: Shape[] = code
    ? [
        // The code has a white background even on a dark page.
        { kind: "rect", x: width - MARGIN - side, y: codeTop, width: side, height: side, fill: "#fff" },
        { kind: "path", d: codePath(code, width - MARGIN - side, codeTop), fill: "#000" },
      ]
    : [];
  return {
    ...picture,
    width,
    height: Math.ceil(Math.max(top + words, code ? codeTop + side + MARGIN / 2 : 0)),
    shapes: [
      ...picture.shapes,
      {
        kind: "path",
        d: `M${MARGIN} ${top}H${width - MARGIN}`,
        stroke: { colour: cssColour(palette.rule2), weight: 1 },
      },
      text(picture.title, 1, {
        size: SIZES.title,
        family: "serif",
        weight: 600,
        fill: cssColour(palette.ink),
      }),
      text(fits ? link : page, 2, {
        size: SIZES.address,
        family: "sans",
        weight: 400,
        fill: cssColour(palette.ink2),
      }),
      ...drawnCode,
    ],
  };
}
