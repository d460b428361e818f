/** Additive attention on the stage: what query and key add up to, after tanh, stands over the scores, and v beside it. */
import type { AttentionNumbers } from "../../config/config.js";
import type { Room, Scene } from "../../marks/scene.js";
import { arrangementOf } from "../../stage/arrangement.js";
import {
  CAPTION_BELOW,
  cellWidthFor,
  emptyScene,
  headroom,
  labelWidth,
  place,
  right,
} from "../../stage/place.js";
import type { Block } from "../../stage/place.js";

/** From what stands over the scores to v. */
export const GAP_V = 22;
/** Nodes whose first place is a query. */
const OF_QUERY: ReadonlySet<string> = new Set([
  "Q",
  "sum",
  "hidden",
  "scores",
  "masked",
  "weights",
  "output",
]);

/** Whose pairs the stage shows: the target's query, else the one shown last, else the first. */
export function queryOf(numbers: AttentionNumbers, room: Room): number {
  const { cell } = room;
  const own = cell && OF_QUERY.has(cell.node) ? cell.index[0] : undefined;
  const last = arrangementOf(room, "", () => undefined).memory[0];
  return Math.max(0, Math.min(own ?? last ?? 0, numbers.tokens.length - 1));
}

/** On a phone: one query in a column, what it meets above, and what they add up to at the crossing. */
export function oneQuery(query: Block, place: number): Block {
  return {
    ...query,
    rows: query.columns,
    columns: 1,
    at: [place, null],
    turned: true,
    symbol: { text: "q", sub: String(place) },
    letters: "d_k",
  };
}

/** On a phone: every column over the scores, weighed by v, adds up to the score below it. */
export function weighed(
  room: Room,
  blocks: Record<"hidden" | "v" | "scores", Block>,
  names: readonly string[],
  keyNames: readonly string[],
  height: number,
): { scene: Scene; left: number; end: number } {
  const { hidden, v, scores } = blocks;
  const scene = emptyScene(room.width);
  const left = labelWidth(names);
  const cell = cellWidthFor(room.width, (w) => left + (scores.columns + 1) * w + GAP_V + 16, 44);
  const top = headroom(keyNames, cell);
  const over = place(scene, hidden, left, top, cell, height, { caption: "above", columnNames: keyNames });
  const beside = right(over, hidden.columns) + GAP_V;
  place(scene, v, beside, top, cell, height, { caption: "above" });
  const low = top + hidden.rows * height + 26;
  place(scene, scores, left, low, cell, height, { caption: "below", rowNames: names });
  scene.width = Math.max(room.width, beside + cell + 16);
  return { scene, left, end: low + scores.rows * height + CAPTION_BELOW + 6 };
}
