/** The projections of the multi-head lab: words from the left, the weights above what they make, for queries, keys and values. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Scene } from "../../marks/scene.js";
import { block, legendText, rowNames, type MultiHeadNode } from "./blocks.js";
import {
  BRACKET,
  CAPTION_ABOVE,
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  labelWidth,
  legend,
  place,
  type Block,
} from "../../stage/place.js";

const GAP = 26;
const NOTE = { height: 190, least: 240 };
/** Part of the height that the rows of words get where their weights have many more rows. */
const ROWS_SHARE = 0.45;

/** All three projections; on a phone the target's alone. */
export function projectionScene(config: ConfigOf<"multi-head">, room: Room, item: number): Scene {
  const { numbers } = config;
  const { words } = room;
  const scene = emptyScene(room.width);
  const typed = numbers.source === "words";
  const node = room.cell?.node ?? "Q";
  const narrow = room.layout === "narrow";
  const letters = narrow ? [/K$/.test(node) ? "K" : /V$/.test(node) ? "V" : "Q"] : ["Q", "K", "V"];
  const placed = (name: MultiHeadNode): Block => {
    const whole = name.startsWith("W_") || (name === "x" && typed);
    return { ...block(config, name, words), at: whole ? [null, null] : [item, null, null] };
  };
  const input = placed(node === "x_batch" ? "x_batch" : "x");
  const results = letters.map((letter) => placed(letter as MultiHeadNode));
  const weights = letters.map((letter) => placed(`W_${letter}` as MultiHeadNode));
  const rows = rowNames(numbers, words);
  const left = labelWidth(rows);
  const wings = results.reduce((sum, { columns }) => sum + columns, 0);
  const cell = Math.min(40, (room.width - left - 14 - GAP * results.length) / (input.columns + wings));
  const families = [
    ...new Map([input, ...weights, ...results].map(({ family, fill }) => [family, fill])).entries(),
  ];
  const below = CAPTION_BELOW + 6 + (narrow ? families.length : 1) * LEGEND;
  const x0 = left + input.columns * cell + GAP;
  const noted = !narrow && x0 - GAP >= NOTE.least;
  const tall = (narrow ? 620 : Math.max(420, room.height)) - 6 - CAPTION_ABOVE - 28 - below;
  const low = Math.min(34, Math.max(tall / (numbers.dim + input.rows), (ROWS_SHARE * tall) / input.rows));
  const over = Math.min(34, (tall - low * input.rows) / numbers.dim);
  const base = Math.max(CAPTION_ABOVE + numbers.dim * over, noted ? NOTE.height : 0);
  const y = base + 28;
  place(scene, input, left, y, cell, low, { caption: "below", rowNames: rows });
  let x = x0;
  results.forEach((result, index) => {
    place(scene, weights[index]!, x, base - weights[index]!.rows * over, cell, over, { caption: "above" });
    place(scene, result, x, y, cell, low, {
      caption: "below",
      captionWidth: result.columns * cell + GAP - 8,
    });
    x += result.columns * cell + GAP;
  });
  const end = y + input.rows * low + CAPTION_BELOW + 6;
  const each = Math.floor((room.width - left - 8) / (narrow ? 1 : families.length));
  families.forEach(([family, fill], index) => {
    const [column, line] = narrow ? [0, index] : [index, 0];
    legend(
      scene,
      family,
      fill,
      left - BRACKET + column * each,
      end + line * LEGEND,
      each - 20,
      legendText(family, words),
    );
  });
  if (noted) scene.note = { x: 8, y: 8, width: Math.min(x0 - 32, 480) };
  else if (!narrow && room.width - x >= 260)
    scene.note = { x: x + 12, y: 8, width: Math.min(480, room.width - x - 20) };
  scene.width = Math.max(room.width, x - GAP + 12);
  scene.height = end + (narrow ? families.length : 1) * LEGEND + 6;
  return scene;
}
