/** What stands under a picture that is taken away: what it shows, where it opens, and, if wanted, a QR code that leads there. */
import { cssColour, type Palette } from "./colour.js";
import { textWidth } from "./measure.js";
import { plainParts, type PictureShapes, type Shape, type TextShape } from "./shapes.js";

export interface PictureCaption {
  /** The whole link, and the page's address, which stands in its place where it is too long for one line. */
  link: string;
  page: string;
  /** The modules of a QR code, row by row, dark where true, with the light ones that it needs around. */
  code: readonly (readonly boolean[])[] | null;
}

const MARGIN = 24;
const LINE = 20;
const SIZES = { title: 14, address: 11.5 };
/** Cameras take a module of this many pixels from a screen and from paper. */
const MODULE = 3;
const NARROWEST = 240;

/** The dark modules of a row as one path each, so that nothing shows between them. */
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

/** The picture with its caption below: as wide as before, unless the caption needs more. */
export function captioned(
  picture: PictureShapes,
  { link, page, code }: PictureCaption,
  palette: Palette,
): PictureShapes {
  const side = code ? code.length * MODULE : 0;
  const width = Math.max(picture.width, NARROWEST, side + 2 * MARGIN);
  const beside = width - 2 * MARGIN - (side > 0 ? side + MARGIN : 0);
  // A code may take the whole width: the words stand above it then.
  const above = side > 0 && beside < NARROWEST;
  const room = above ? width - 2 * MARGIN : beside;
  const fits = textWidth(link, SIZES.address) <= room;
  const top = picture.height - MARGIN / 2;
  const words = 2 * LINE + 12;
  const text = (said: string, line: number, rest: Pick<TextShape, "size" | "family" | "weight" | "fill">) =>
    ({
      kind: "text",
      x: MARGIN,
      y: top + line * LINE + 4,
      parts: plainParts(said),
      italic: false,
      anchor: "start",
      ...rest,
    }) satisfies Shape;
  const codeTop = above ? top + words : top + 10;
  const drawnCode: Shape[] = code
    ? [
        // Light around and between the modules, whatever the paper.
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
