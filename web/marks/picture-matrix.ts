/** The brackets, caption, names and frames of one matrix as shapes. See DESIGN.md, section 4. */
import type { Words } from "../i18n/words.js";
import { rectangleOf, type Board, type Cell, type Rectangle } from "./board.js";
import { cssColour, type Palette, type Rgb } from "./colour.js";
import { plainParts, type Shape, type TextShape } from "./shapes.js";
import { subscriptedParts, symbolParts } from "./lettering.js";
import type { Lighting } from "./lighting.js";
import {
  bracketPaths,
  coverPlace,
  captionPlace,
  enlarged,
  hasLeftmostRowNames,
  namesOn,
  placedColumnNames,
  placedRowNames,
  targetPlaces,
  type PlacedName,
} from "./matrix-lines.js";
import type { Role } from "./scene.js";

/** Type sizes on the stage. */
export const TYPE = { axis: 11.5, note: 12.5, large: 17, symbol: 19 } as const;

/** A text shape in the interface font, in a colour. */
export function letters(
  x: number,
  y: number,
  text: string,
  size: number,
  colour: Rgb,
  more: Partial<TextShape> = {},
): TextShape {
  return {
    kind: "text",
    x,
    y,
    parts: plainParts(text),
    size,
    family: "sans",
    weight: 400,
    italic: false,
    fill: cssColour(colour),
    anchor: "start",
    ...more,
  };
}

function bracketShapes(board: Board, palette: Palette): Shape[] {
  const paths = bracketPaths(board);
  if (!board.tensor || !paths) return [];
  const colour = cssColour(palette.roles[board.tensor.placed.role]);
  const bars = paths.bars.map((d): Shape => ({
    kind: "path",
    d,
    stroke: { colour: cssColour(palette.notice), weight: 3 },
  }));
  return [{ kind: "path", d: paths.bracket, stroke: { colour, weight: 1.5 } }, ...bars];
}

function captionShapes(board: Board, words: Words, palette: Palette): Shape[] {
  const place = captionPlace(board, words);
  if (!board.tensor || !place) return [];
  const { symbol, role } = board.tensor.placed;
  const halo = { colour: cssColour(palette.paper), weight: 3 };
  const parts = symbolParts(symbol);
  const set = { parts, family: "serif", weight: 600, italic: true, halo } as const;
  const shapes: Shape[] = [letters(place.left, place.baseline, "", TYPE.symbol, palette.roles[role], set)];
  if (place.shape) {
    // Two spaces in a row appear as one on the page.
    const shape = { parts: subscriptedParts(place.shape.replace(/\s+/g, " ")), anchor: "end", halo } as const;
    shapes.push(letters(place.right, place.baseline, "", TYPE.note, palette.ink3, shape));
  }
  if (place.name)
    shapes.push(letters(place.nameX, place.nameY, place.name, TYPE.note, palette.ink2, { halo }));
  if (place.byHand) {
    const italic = words.language !== "zh-CN";
    shapes.push(letters(place.handX, place.handY, place.byHand, TYPE.note, palette.ink2, { italic, halo }));
  }
  return shapes;
}

function nameShape({ cut, x, y, on, kind, turn }: PlacedName, palette: Palette): Shape {
  const anchor = kind === "row-name" ? "end" : kind === "level" ? "middle" : "start";
  const colour = on ? palette.ink : palette.ink3;
  return letters(x, y, cut, TYPE.axis, colour, { anchor, turn, weight: on ? 700 : 400 });
}

/** The brackets, caption and names of a board. */
export function boardShapes(
  board: Board,
  boards: readonly Board[],
  lighting: Lighting,
  words: Words,
  palette: Palette,
): Shape[] {
  const { row, column } = namesOn(board, lighting);
  const room = hasLeftmostRowNames(board, boards) ? board.x : Infinity;
  const names = [...placedRowNames(board, row, room), ...placedColumnNames(board, column)];
  return [
    ...bracketShapes(board, palette),
    ...captionShapes(board, words, palette),
    ...names.map((name) => nameShape(name, palette)),
  ];
}

/** A frame with a line of background on both sides. */
export function frameShapes(at: Rectangle, role: Role | "ink", palette: Palette, thin = false): Shape[] {
  const colour = cssColour(role === "ink" ? palette.ink : palette.roles[role]);
  const rect = { kind: "rect", ...at, radius: 3 } as const;
  return [
    { ...rect, stroke: { colour: cssColour(palette.paper), weight: thin ? 4.25 : 5.5 } },
    { ...rect, stroke: { colour, weight: thin ? 1.25 : 2.5 } },
  ];
}

/** The cover of a number that the reader is to guess; nothing on a board without the cell. */
export function coverShapes(board: Board, covered: Cell, palette: Palette): Shape[] {
  const place = coverPlace(board, covered);
  if (!place) return [];
  const { cell, x, baseline, size, isBeside } = place;
  const stroke = { colour: cssColour(palette.ink2), weight: 1, dash: [3, 2] };
  return [
    { kind: "rect", ...cell, fill: cssColour(palette.paper), stroke },
    letters(x, baseline, "?", size, palette.ink, {
      anchor: "middle",
      weight: 600,
      ...(isBeside && { halo: { colour: cssColour(palette.paper), weight: 4 } }),
    }),
  ];
}

/** The frames of the highlights on a board: runs in the role's colour, other cells of the target, and the target with its wedge. */
export function litShapes(board: Board, lighting: Lighting, palette: Palette): Shape[] {
  const role = board.tensor?.placed.role ?? "activation";
  const { target, twins, sources } = lighting;
  const shapes = (sources.get(board.id) ?? []).flatMap((run) =>
    frameShapes(enlarged(rectangleOf(board, run)), role, palette),
  );
  for (const twin of twins) {
    if (twin.board === board)
      shapes.push(...frameShapes(enlarged(rectangleOf(board, twin.run)), "ink", palette, true));
  }
  if (target?.board !== board) return shapes;
  const { cell, lines, wedge } = targetPlaces(board, target.run);
  for (const line of lines) shapes.push(...frameShapes(line, "ink", palette, true));
  shapes.push(...frameShapes(cell, "ink", palette));
  shapes.push({ kind: "path", d: wedge, fill: cssColour(palette.ink) });
  return shapes;
}
