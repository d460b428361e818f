/** Numbers on their way as shapes, as ap-flight draws them over the page. */
import { blend, cssColour, type Palette } from "./colour.js";
import { COPY, copyWidth, type PlacedCopy, type TravelScene } from "./flight.js";
import { linePath } from "./line-path.js";
import { letters } from "./picture-matrix.js";
import { plainParts, type Shape } from "./shapes.js";

function pathShapes({ copy, behind, ahead }: PlacedCopy, palette: Palette): Shape[] {
  if (behind.length === 0) return [];
  const pale = (share: number): string => cssColour(blend(palette.paper, palette.roles[copy.role], share));
  return [
    { kind: "path", d: linePath(ahead), stroke: { colour: pale(0.7), weight: 1.5, dash: [1.5, 4] } },
    { kind: "path", d: linePath(behind), stroke: { colour: pale(0.45), weight: 2 } },
  ];
}

function copyShapes({ copy, at: [x, y] }: PlacedCopy, palette: Palette): Shape[] {
  const width = copyWidth(copy.text);
  const box = { x: x - width / 2, y: y - COPY.height / 2, width, height: COPY.height, radius: 3 };
  const stroke = { colour: cssColour(palette.roles[copy.role]), weight: 2.25 };
  const number = letters(x, y + 4.5, "", COPY.type, palette.ink, {
    parts: plainParts(copy.text),
    anchor: "middle",
    weight: 600,
    fill: copy.ink,
  });
  return [{ kind: "rect", ...box, fill: copy.fill, stroke }, number];
}

export function travelShapes(scene: TravelScene, palette: Palette): Shape[] {
  const { copies, slots, bars, frames } = scene;
  const line = (colour: string, weight: number, dash?: number[]) => ({
    stroke: { colour, weight, ...(dash && { dash }) },
  });
  return [
    ...slots.map((slot): Shape => ({
      kind: "rect",
      ...slot,
      radius: 3,
      ...line(cssColour(palette.ink3), 1, [3, 3]),
    })),
    ...bars.map(({ role, ...bar }): Shape => ({
      kind: "rect",
      ...bar,
      fill: cssColour(blend(palette.paper, palette.roles[role], 0.35)),
      ...line(cssColour(palette.roles[role]), 1),
    })),
    ...frames.map((frame): Shape => ({
      kind: "rect",
      ...frame,
      radius: 3,
      ...line(cssColour(palette.ink), 2),
    })),
    ...copies.flatMap((copy) => pathShapes(copy, palette)),
    ...copies.flatMap((copy) => copyShapes(copy, palette)),
  ];
}
