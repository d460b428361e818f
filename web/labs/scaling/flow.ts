/** The stops of the scaling lab, the cell it opens with, and the row and half of its picture that are in use. */
import type { ConfigOf } from "../../config/config.js";
import { rowNearest, WIDTHS } from "../../config/labs/scaling.js";
import type { Words } from "../../i18n/words.js";
import type { Room, Snapshots, TargetRoom } from "../../marks/scene.js";
import { readArrangement, writeArrangement } from "../../stage/arrangement.js";
import type { Stops } from "../../telling/declaration.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";

type Config = ConfigOf<"scaling">;

/** The row of the width that the reader chose, else that of the widest. */
const rowOf = ({ numbers: { width = WIDTHS.at(-1)! } }: Config): number => rowNearest(width);

/** Nodes whose first index is that of a width. */
const byWidth =
  /^(Q_cut|scores|scaled|weights|squares|variance|deviation|entrop|rest|diagonal|traces|jacobian|shares)/;

/** The row in use and the half in use: those of the target; where it has none, those of the last scene. */
export function arrange(config: Config, room: TargetRoom): string {
  const { row, half } = inUse(config, room);
  const { node = "", index = [] } = room.cell ?? {};
  const hasWidth = byWidth.test(node) && index[0]! < WIDTHS.length;
  return writeArrangement("rows", [
    hasWidth ? index[0]! : row,
    hasWidth ? Number(/scaled/.test(node)) : half,
  ]);
}

/** What an arrangement says; a link may hold that of another lab. */
export function inUse(config: Config, room: Room): { row: number; half: 0 | 1 } {
  const { id, memory } = readArrangement(room);
  const [row = NaN, half = 0] = id === "rows" ? memory : [];
  return { row: WIDTHS[row] === undefined ? rowOf(config) : row, half: half === 1 ? 1 : 0 };
}

/** The same number of the other half. Scores have none, as those that are divided come later. */
export const counterpart = ({ node, index }: Cell): Cell => ({
  node: node.endsWith("_scaled") ? node.replace("_scaled", "") : `${node}_scaled`,
  index,
});

export function opening(config: Config): Cell {
  const { source, query } = config.numbers;
  // The row of document 001 whose weights it prints: its first head is as wide as the fourth width.
  if (source !== "unit") return cellAt("weights_scaled", 3, 0, query, 8);
  return cellAt("weights", rowOf(config), 0, query, 0);
}

export function stops(config: Config, _words: Words, snapshots: Snapshots): Stops {
  const row = rowOf(config);
  const largest = (node: string) => largestInRow(snapshots, cellAt(node, row, 0, config.numbers.query, 0));
  const { index } = largest("weights");
  return {
    scores: { node: "scores", index },
    divide: { node: "scaled", index },
    softmax: { node: "weights", index },
    gradient: cellAt("jacobian", row),
  };
}
