/** A projection of the multi-head lab: words from the left, weights from above, the projection at the crossing. */
import type { ConfigOf } from "../config/config.js";
import type { Room, Scene } from "../marks/scene.js";
import { crossingScene } from "./crossing.js";
import { block, legendText, rowNames, type Focus, type MultiHeadNode } from "./multi-head-blocks.js";
import type { Block } from "./place.js";

/** left × above = result, for the target's letter. */
function factors(node: string): [MultiHeadNode, MultiHeadNode, MultiHeadNode] {
  if (node === "W_O") return ["concat", "W_O", "output"];
  const letter = node.endsWith("K") ? "K" : node.endsWith("V") ? "V" : "Q";
  return [node === "x_batch" ? "x_batch" : "x", `W_${letter}`, letter];
}

export function projectionScene(config: ConfigOf<"multi-head">, room: Room, focus: Focus): Scene {
  const { numbers, view } = config;
  const typed = numbers.source === "words";
  const item = typed ? 0 : view.item;
  const [left, above, result] = factors(focus.node).map((node): Block => {
    const whole = node.startsWith("W_") || (node === "x" && typed);
    return { ...block(config, node, room.words), at: whole ? [null, null] : [item, null, null] };
  }) as [Block, Block, Block];
  const legendOf = (family: string) => legendText(family, room.words);
  return crossingScene(room, { left, above, result, rowNames: rowNames(numbers, room.words), legendOf });
}
