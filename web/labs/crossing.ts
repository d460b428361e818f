/** A product on its own: row from the left, column from above, result at the crossing; for matrices of any size. */
import type { Room, Scene } from "../marks/scene.js";
import { BRACKET, CAPTION_ABOVE, CAPTION_BELOW, LEGEND, emptyScene, labelWidth, legend, place, type Block } from "./place.js";

const NOTE = { height: 190, width: 480, least: 240 };
const GAP = 30;

export interface Crossing {
  left: Block;
  above: Block;
  result: Block;
  /** Tensors right of the result, on its rows. */
  then?: Block[];
  rowNames: readonly string[];
  /** The text under the scale of a family. */
  legendOf(family: string): string;
}

/** Cells as large as the room allows, as small as it asks for. The note stands over the left factor, where that is wide enough. */
export function crossingScene(room: Room, { left, above, result, then = [], rowNames, legendOf }: Crossing): Scene {
  const scene = emptyScene(room.width);
  const narrow = room.layout === "narrow";
  const label = labelWidth(rowNames);
  const columns = [left, result, ...then].reduce((sum, block) => sum + block.columns, 0);
  const cellWidth = Math.min(40, (room.width - label - GAP * (1 + then.length) - 14) / columns);
  const families = [...new Map([left, above, result, ...then].map(({ family, fill }) => [family, fill])).entries()];
  const perLine = narrow ? 1 : Math.max(1, Math.min(families.length, Math.floor((room.width - label) / 280)));
  const lines = Math.ceil(families.length / perLine);
  const x = label + left.columns * cellWidth + GAP;
  const noted = !narrow && x - label >= NOTE.least;
  const height = (narrow ? 620 : Math.max(420, room.height)) - 6;
  const fixed = CAPTION_ABOVE + 28 + CAPTION_BELOW + 6 + lines * LEGEND;
  const rowsAbove = (cell: number) => Math.max(CAPTION_ABOVE + above.rows * cell, noted ? NOTE.height : 0);
  let cellHeight = Math.min(34, Math.max(1, (height - fixed) / (above.rows + left.rows)));
  cellHeight = Math.min(cellHeight, Math.max(1, (height - rowsAbove(cellHeight) - fixed + CAPTION_ABOVE) / left.rows));
  const base = rowsAbove(cellHeight);
  const low = base + 28;
  place(scene, above, x, base - above.rows * cellHeight, cellWidth, cellHeight, { id: `${above.node}-above`, caption: "above" });
  place(scene, left, label, low, cellWidth, cellHeight, { caption: "below", rowNames });
  let at = x;
  for (const block of [result, ...then]) {
    place(scene, block, at, low, cellWidth, cellHeight, { caption: "below", captionWidth: block.columns * cellWidth + GAP - 8 });
    at += block.columns * cellWidth + GAP;
  }
  const y = low + left.rows * cellHeight + CAPTION_BELOW + 6;
  const each = Math.floor((room.width - label - 8) / perLine);
  families.forEach(([family, fill], index) => {
    const column = label - BRACKET + (index % perLine) * each;
    legend(scene, family, fill, column, y + Math.floor(index / perLine) * LEGEND, each - 20, legendOf(family));
  });
  if (noted) scene.note = { x: 8, y: 8, width: Math.min(x - 32, NOTE.width) };
  scene.width = Math.max(room.width, at - GAP + 12);
  scene.height = y + lines * LEGEND + 6;
  return scene;
}
