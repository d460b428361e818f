/**
 * Writes a picture as an SVG file with its link in <metadata>: text remains text, matrices of very many cells
 * become pixels.
 */
import { matrixShapes } from "../marks/matrix-shapes.js";
import type { Palette } from "../marks/colour.js";
import type {
  BitmapShape,
  PictureShapes,
  RampShape,
  RectShape,
  Shape,
  Stroke,
  TextShape,
} from "../marks/shapes.js";
import { encodePng } from "./png.js";

/** Escapes text and attribute values; characters that XML does not allow are left out. */
export function escapeXml(text: string): string {
  return text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** At most two decimals: a hundredth of a pixel is not visible. */
const short = (length: number): string => String(Math.round(length * 100) / 100);

function attributes(named: Record<string, string | number | undefined>): string {
  return Object.entries(named)
    .map(([name, value]) =>
      value === undefined ? "" : ` ${name}="${typeof value === "number" ? short(value) : escapeXml(value)}"`,
    )
    .join("");
}

function strokeOf(stroke: Stroke | undefined): Record<string, string | number | undefined> {
  if (!stroke) return {};
  return {
    stroke: stroke.colour,
    "stroke-width": stroke.weight,
    "stroke-dasharray": stroke.dash?.join(" "),
    "stroke-linecap": stroke.round ? "round" : undefined,
    "stroke-linejoin": stroke.round ? "round" : undefined,
  };
}

/** Paths of the stage have many digits where cells are thirds of pixels. */
const shortPath = (path: string): string =>
  path.replace(/-?(?:(?<!\d)\d+)?\.\d{3,}/g, (number) => short(Number(number)));

/** Writes shapes; the ids of gradients count from 0. */
class SvgWriter {
  #ramps = 0;
  readonly #palette: Palette;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  all(shapes: readonly Shape[]): string {
    return shapes.map((shape) => this.#one(shape)).join("\n");
  }

  #one(shape: Shape): string {
    switch (shape.kind) {
      case "rect":
        return rect(shape);
      case "path":
        return `<path${attributes({ d: shortPath(shape.d), fill: shape.fill ?? "none", ...strokeOf(shape.stroke) })}/>`;
      case "text":
        return this.#text(shape);
      case "ramp":
        return this.#ramp(shape);
      case "bitmap":
        return bitmap(shape);
      case "matrix":
        return `<g>${this.all(matrixShapes(shape.drawing, shape.x, shape.y, this.#palette))}</g>`;
      case "moved":
        return `<g transform="translate(${short(shape.right)} ${short(shape.down)})">\n${this.all(shape.shapes)}\n</g>`;
    }
  }

  #text(shape: TextShape): string {
    const { x, y, parts, size, weight, italic, fill, anchor, halo, turn } = shape;
    const named = attributes({
      x,
      y,
      "font-size": size,
      "font-family": shape.family === "serif" ? this.#palette.serif : undefined,
      "font-weight": weight === 400 ? undefined : String(weight),
      "font-style": italic ? "italic" : undefined,
      "text-anchor": anchor === "start" ? undefined : anchor,
      fill,
      stroke: halo?.colour,
      "stroke-width": halo?.weight,
      "paint-order": halo ? "stroke" : undefined,
      transform: turn ? `rotate(${turn.degrees} ${short(turn.x)} ${short(turn.y)})` : undefined,
    });
    const spans = parts.map(({ text, dy, scale }) => {
      if (dy === 0 && scale === 1) return escapeXml(text);
      const own = attributes({ dy, "font-size": scale === 1 ? undefined : size * scale });
      return `<tspan${own}>${escapeXml(text)}</tspan>`;
    });
    return `<text${named}>${spans.join("")}</text>`;
  }

  #ramp({ x, y, width, height, colours }: RampShape): string {
    const id = `ramp-${this.#ramps++}`;
    const stops = colours.map(
      (colour, at) => `<stop offset="${short((100 * at) / (colours.length - 1))}%" stop-color="${colour}"/>`,
    );
    return `<linearGradient id="${id}">${stops.join("")}</linearGradient><rect${attributes({ x, y, width, height, fill: `url(#${id})` })}/>`;
  }
}

function rect({ x, y, width, height, fill, stroke, radius }: RectShape): string {
  return `<rect${attributes({ x, y, width, height, rx: radius, fill: fill ?? "none", ...strokeOf(stroke) })}/>`;
}

function bitmap({ x, y, width, height, columns, rows, pixels }: BitmapShape): string {
  const png = encodePng(pixels, columns, rows);
  let letters = "";
  for (const byte of png) letters += String.fromCharCode(byte);
  const href = `data:image/png;base64,${btoa(letters)}`;
  return `<image${attributes({ x, y, width, height, preserveAspectRatio: "none", href })} style="image-rendering:pixelated"/>`;
}

/** The picture as the text of an .svg file. */
export function writeSvg(picture: PictureShapes, link: string, palette: Palette): string {
  const { width, height, paper, title, shapes } = picture;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${escapeXml(palette.sans)}" style="font-variant-numeric:tabular-nums lining-nums">
<title>${escapeXml(title)}</title>
<metadata>${escapeXml(link)}</metadata>
<rect width="${width}" height="${height}" fill="${paper}"/>
${new SvgWriter(palette).all(shapes)}
</svg>
`;
}
