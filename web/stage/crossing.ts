/** A scene of one matrix product, for matrices of any size: the left factor's rows and the right factor's columns meet at the result. */
import type { Room, Scene } from "../marks/scene.js";
import {
  BRACKET,
  CAPTION_ABOVE,
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  labelWidth,
  legends,
  place,
  type Block,
} from "./place.js";

const NOTE = { height: 190, width: 480, least: 220, air: 32 };
const GAP = 30;
/** The height of a bias under its matrix, and the room for it with its caption. */
const BIAS = { height: 20, room: CAPTION_ABOVE + 28 };
/** Cells smaller than this show no numbers; their matrix is a map. */
const MAP = 16;

export interface Crossing {
  left: Block;
  above: Block;
  result: Block;
  /** Tensors to the right of the result, with the same rows. */
  then?: Block[];
  /** The right factors above each tensor of `then`, as `above` is the one of the result: other products of the same left factor. */
  aboveThen?: Block[];
  /** A single row above the first tensor of `then`: the bias added in it. */
  over?: Block;
  /** A single row under `above` and under each matrix of `aboveThen`: the bias added to every row of the product. */
  biases?: Block[];
  rowNames: readonly string[];
  /** The text under the colour scale of a family. */
  legendOf(family: string): string;
}

/** Draws the product with cells as large as the room allows. The note stands above the left factor if that is wide enough, else to the right. */
export function crossingScene(
  room: Room,
  { left, above, result, then = [], aboveThen = [], over: bias, biases = [], rowNames, legendOf }: Crossing,
): Scene {
  const scene = emptyScene(room.width);
  const isNarrow = room.layout === "narrow";
  const label = labelWidth(rowNames);
  // The result shares its columns with the factor above it and its rows with the factor left of it. The other side of each factor is free, so it may
  // have cells of another size. The result gets half of the room first.
  const wings = [result, ...then].reduce((sum, block) => sum + block.columns, 0);
  const space = room.width - label - GAP * (1 + then.length) - 14;
  const widest = Math.min(40, Math.max(space / (left.columns + wings), space / 2 / wings));
  const families = new Map(
    [left, above, ...aboveThen, result, ...then].map(({ family, fill }) => [family, fill]),
  );
  const perLine = isNarrow ? 1 : Math.max(1, Math.min(families.size, Math.floor((room.width - label) / 280)));
  const lines = Math.ceil(families.size / perLine);
  const height = (isNarrow ? 620 : Math.max(420, room.height)) - 6;
  const between = 28 + (biases.length > 0 ? BIAS.room : 0);
  const fixed = CAPTION_ABOVE + between + CAPTION_BELOW + 6 + lines * LEGEND;
  const tall = height - fixed;
  const highest = Math.min(34, Math.max(tall / (above.rows + left.rows), (0.45 * tall) / left.rows));
  // Square maps have square cells. The result may take more of the height than its factors would leave it.
  const isSquare = then.length === 0 && result.rows === result.columns && Math.min(widest, highest) < MAP;
  const cell = Math.min(widest, Math.max(highest, (0.6 * tall) / left.rows));
  const [cellWidth, most] = isSquare ? [cell, cell] : [widest, highest];
  const leftWidest = Math.min(40, (space - cellWidth * wings) / left.columns);
  const even = Math.min(leftWidest, most);
  const [leftWidth, cellHeight] =
    left.rows === left.columns && even < MAP ? [even, even] : [leftWidest, most];
  const x = label + left.columns * leftWidth + GAP;
  const isNoteAbove = !isNarrow && x - NOTE.air >= NOTE.least;
  const over = Math.min(34, (tall - cellHeight * left.rows) / above.rows);
  const base = Math.max(
    CAPTION_ABOVE + above.rows * over,
    isNoteAbove ? Math.min(NOTE.height, height - fixed + CAPTION_ABOVE - left.rows * cellHeight) : 0,
  );
  const low = base + between;
  let at = x;
  for (const [which, factor] of [above, ...aboveThen].entries()) {
    const placing = { id: `${factor.node}-above`, caption: "above" } as const;
    place(scene, factor, at, base - factor.rows * over, cellWidth, over, placing);
    const biasBelow = biases[which];
    if (biasBelow)
      place(scene, biasBelow, at, base + BIAS.room - BIAS.height, cellWidth, BIAS.height, {
        caption: "above",
      });
    at += factor.columns * cellWidth + GAP;
  }
  place(scene, left, label, low, leftWidth, cellHeight, { caption: "below", rowNames });
  if (bias && then.length > 0) {
    const biasX = x + result.columns * cellWidth + GAP;
    place(scene, bias, biasX, base - 20, cellWidth, 20, { caption: "above" });
  }
  at = x;
  for (const block of [result, ...then]) {
    place(scene, block, at, low, cellWidth, cellHeight, {
      caption: "below",
      captionWidth: block.columns * cellWidth + GAP - 8,
    });
    at += block.columns * cellWidth + GAP;
  }
  const y = low + left.rows * cellHeight + CAPTION_BELOW + 6;
  const bottom = legends(
    scene,
    families,
    { x: label - BRACKET, y, width: room.width - label - 8 },
    perLine,
    legendOf,
  );
  const free = room.width - at - NOTE.air;
  if (isNoteAbove) scene.note = { x: 8, y: 8, width: Math.min(x - NOTE.air, NOTE.width) };
  else if (!isNarrow && free >= NOTE.least)
    scene.note = { x: at + 12, y: 8, width: Math.min(free, NOTE.width) };
  scene.width = Math.max(room.width, at - GAP + 12);
  scene.height = bottom + 6;
  return scene;
}
