/** A projection of the multi-head lab: words from the left, weights from above, the projection at the crossing. */
import type { ConfigOf } from "../config/config.js";
import type { Room, Scene } from "../marks/scene.js";
import { block, rowNames, type Focus, type MultiHeadNode } from "./multi-head-blocks.js";
import { BRACKET, CAPTION_ABOVE, CAPTION_BELOW, LEGEND, emptyScene, labelWidth, legend, place, type Block } from "./place.js";

const NOTE = { width: 300, height: 190 };
const GAP = 30;

/** left × above = result, for the target's letter. */
function factors(numbers: ConfigOf<"multi-head">["numbers"], node: string): [MultiHeadNode, MultiHeadNode, MultiHeadNode] {
  if (node === "W_O") return ["concat", "W_O", "output"];
  const letter = node.endsWith("K") ? "K" : node.endsWith("V") ? "V" : "Q";
  return [numbers.source === "words" && node !== "x_batch" ? "x" : numbers.source === "words" ? "x_batch" : "x", `W_${letter}`, letter];
}

export function projectionScene(config: ConfigOf<"multi-head">, room: Room, focus: Focus): Scene {
  const { numbers, view } = config;
  const { words } = room;
  const scene = emptyScene(room.width);
  const item = numbers.source === "words" ? 0 : view.item;
  const names = factors(numbers, focus.node);
  const [left, above, result] = names.map((node) => block(config, node, words)) as [Block, Block, Block];
  const sample = (node: MultiHeadNode): (number | null)[] => (node.startsWith("W_") || (node === "x" && numbers.source === "words") ? [null, null] : [item, null, null]);
  const rows = rowNames(numbers, words);
  const label = labelWidth(rows);
  const space = room.width - label - GAP - 14;
  const cellWidth = Math.min(40, space / (left.columns + result.columns));
  const fixed = CAPTION_ABOVE + 28 + CAPTION_BELOW + 2 * LEGEND;
  const height = room.layout === "narrow" ? 620 : Math.max(420, room.height);
  const cellHeight = Math.min(34, Math.max(2, (height - fixed) / (above.rows + left.rows)));
  const base = Math.max(CAPTION_ABOVE + above.rows * cellHeight, room.layout === "narrow" ? 0 : NOTE.height);
  const low = base + 28;
  const x = label + left.columns * cellWidth + GAP;
  place(scene, { ...above, at: sample(above.node as MultiHeadNode) }, x, base - above.rows * cellHeight, cellWidth, cellHeight, { caption: "above" });
  place(scene, { ...left, at: sample(left.node as MultiHeadNode) }, label, low, cellWidth, cellHeight, { caption: "below", rowNames: rows });
  place(scene, { ...result, at: sample(result.node as MultiHeadNode) }, x, low, cellWidth, cellHeight, { caption: "below" });
  const y = low + left.rows * cellHeight + CAPTION_BELOW + 6;
  const families = [...new Map([left, above, result].map(({ family, fill }) => [family, fill])).entries()];
  const each = Math.floor((room.width - label - 12) / (room.layout === "narrow" ? 1 : families.length));
  families.forEach(([family, fill], index) => {
    const key = `labs.legend.${family}` as "labs.legend.words";
    const [column, line] = room.layout === "narrow" ? [0, index] : [index, 0];
    legend(scene, family, fill, label - BRACKET + column * each, y + line * LEGEND, each - 20, words(key));
  });
  if (room.layout !== "narrow" && x - label >= 240) scene.note = { x: 8, y: 8, width: Math.min(x - 32, 480) };
  scene.width = Math.max(room.width, x + result.columns * cellWidth + 12);
  scene.height = y + (room.layout === "narrow" ? families.length : 1) * LEGEND + 6;
  return scene;
} // prettier-ignore
