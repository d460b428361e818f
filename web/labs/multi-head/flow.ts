/** The open parts of the stage of the multi-head lab, its stops, and the lines of its strip. */
import type { ConfigOf, MultiHeadNumbers } from "../../config/config.js";
import { dropoutOf, hasProjection, keyCount, rowCount } from "../../config/labs/multi-head.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Room, TargetRoom, Snapshot, Snapshots } from "../../marks/scene.js";
import { memoizedBy } from "../../marks/memoized-by.js";
import { readArrangement, arrangementOf, writeArrangement } from "../../stage/arrangement.js";
import type { Flow } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import type { Stop, Stops } from "../../telling/declaration.js";
import { itemOf, kindsOf, logits, stopIds, type StopId } from "./tensors.js";

type Config = ConfigOf<"multi-head">;

const queryNodes = ["x", "x_batch", "W_Q", "b_Q", "Q"];
const keyNodes = ["M", "M_batch", "W_K", "W_V", "b_K", "b_V", "K", "V"];
const projectionNodes = [...queryNodes, ...keyNodes];
const outputNodes = ["concat", "W_O", "b_O", "output"];
const comparisonNodes = ["Q_heads", "K_heads", "K_T"];
const attentionNodes = [...comparisonNodes, "scores", "scaled", "masked", "weights", "dropped", "V_heads"];

/** The pictures of a phone in the order of the stops, and the nodes of each. */
export const stopPictures = {
  split: comparisonNodes,
  attend: attentionNodes,
  join: ["heads", "weights", "dropped", "V_heads"],
  mix: outputNodes,
} as const;

/** The nodes of a picture: the projections, or the heads and everything computed from them; on a phone those of one stop. */
function nodesOf(room: Room, picture: string): readonly string[] | undefined {
  if (picture === "project") return projectionNodes;
  if (room.layout === "narrow") return stopPictures[picture as keyof typeof stopPictures];
  return picture === "heads" ? [...attentionNodes, "heads", ...outputNodes] : undefined;
}

/** Nodes that a picture shows only while the target is in them; "joined": the rows of the output projection in place of those of a head. */
const alternatives: readonly string[] = [
  "",
  "K_heads",
  "masked",
  "x_batch",
  "K",
  "V",
  "joined",
  "M",
  "M_batch",
  "dropped",
];

/** The key of the telling cell, some words away from the query so that the cell is not on the diagonal. */
const tellingKey = (numbers: MultiHeadNumbers): number => Math.min(8, keyCount(numbers) - 1);

/** The target's query, key, head and column. A target without a query or key keeps the one that was shown before. */
export function arrange({ numbers }: Config, room: TargetRoom): string {
  const { node, index } = room.cell ?? { node: "weights", index: [] };
  const stop = Math.max(0, Math.min(room.step, stopIds.length - 1));
  const heads = room.layout === "narrow" ? Object.keys(stopPictures)[stop]! : "heads";
  const wanted = projectionNodes.includes(node) ? "project" : heads;
  const { id, memory } = arrangementOf(room, wanted, (picture) => nodesOf(room, picture));
  const kinds = kindsOf(numbers, node);
  const at = (kind: string): number | undefined => index[kinds.indexOf(kind)];
  const last = index[kinds.findLastIndex((kind) => !["item", "head", "row", "column"].includes(kind))] ?? 0;
  const { keyDim, valueDim } = numbers;
  const isProjected = hasProjection(numbers);
  const width = { Q: keyDim, K: keyDim, V: valueDim, concat: valueDim, output: isProjected ? 0 : valueDim }[
    node
  ];
  const joins = isProjected && (id === "mix" || (id === "heads" && outputNodes.includes(node)));
  const columns: Record<string, number> = joins
    ? { output: last, W_O: last, b_O: last }
    : { V_heads: last, heads: last, concat: last % valueDim, output: last % valueDim };
  return writeArrangement(id, [
    Math.min(at("row") ?? memory[0] ?? 0, rowCount(numbers) - 1),
    Math.min(at("column") ?? memory[1] ?? tellingKey(numbers), keyCount(numbers) - 1),
    at("head") ?? (width ? Math.floor(last / width) : 0),
    columns[node] ?? 0,
    Math.max(0, alternatives.indexOf(joins ? "joined" : node.replace(/^[Wb]_/, ""))),
  ]);
}

/** Whether the projection picture shows keys and values, which come from other words where there are any. */
export const projectsKeys = ({ alternative }: Opened): boolean =>
  ["K", "V", "M", "M_batch"].includes(alternative);

/** The open parts of the stage: a picture, the places of a query and a key, a head, and a column of its values or of W_O. */
export function openedIn(room: Room) {
  const { id: picture, memory } = readArrangement(room);
  const [row = 0, key = 0, head = 0, column = 0, at = 0] = memory;
  return { picture, row, key, head, column, alternative: alternatives[at] ?? "" };
}
export type Opened = ReturnType<typeof openedIn>;

/** The text beside the colour scale of a family. */
export function legendText(family: string, words: Words): string {
  const key = { parameters: "parameters.short", scores: "score" }[family] ?? family;
  return words(`labs.legend.${key}` as Key);
}

/** The tensors of each stop, for the strip of a phone. */
export function flow(config: Config, _snapshots: Snapshots, room: Room, of: (node: string) => Block): Flow {
  const { head } = openedIn(room);
  const line = (node: string, ...ids: StopId[]) => {
    const tensor = of(node);
    const at = tensor.at?.length === 4 ? [itemOf(config), head, null, null] : tensor.at;
    return { pieces: [{ ...tensor, at }], steps: ids.map((id) => stopIds.indexOf(id)) };
  };
  return {
    lines: [
      line("Q_heads", "split", "attend"),
      ...logits(config.numbers).map((node) => line(node, "attend")),
      line("weights", "attend", "join"),
      ...(dropoutOf(config.numbers) > 0 ? [line("dropped", "join")] : []),
      line("heads", "join"),
      ...(hasProjection(config.numbers) ? [line("concat", "join", "project")] : []),
      line("output", "project"),
    ],
    legendOf: (family) => legendText(family, room.words),
  };
}

export function opening(config: Config): Cell {
  return cellAt("weights", itemOf(config), 0, 0, tellingKey(config.numbers));
}

export function stops(config: Config, words: Words, snapshots: Snapshots): Stops {
  const { heads, keyDim: width } = config.numbers;
  const item = itemOf(config);
  const cells: Record<StopId, Cell> = {
    split: cellAt("Q_heads", item, 0, 0, 0),
    attend: opening(config),
    join: cellAt("heads", item, 0, 0, 0),
    project: cellAt("output", item, 0, 0),
  };
  const slots = { heads, width };
  // Without W_O nothing is projected at the end: the stop shows that the output is the joined row.
  const bare = hasProjection(config.numbers) ? {} : { tell: "tell.bare", title: words("labs.name.output") };
  const stopOf = (id: StopId): Stop => ({
    ...largestInRow(snapshots, cells[id]),
    slots,
    ...(id === "project" ? bare : {}),
  });
  return Object.fromEntries(stopIds.map((id) => [id, stopOf(id)]));
}

/** A row with a larger weight than this attends to almost only one word. With fewer rows than this there is no remark about it. */
const SHARP = { weight: 0.99, rows: 16 };

/** The number of rows with such a weight. A row sums to 1, so at most one of its weights is so large. */
const sharpWeights = memoizedBy(
  ({ data }: Snapshot) => data.filter((weight) => weight > SHARP.weight).length,
);

/** The number of rows that attend to almost only one word, and of all rows; null unless most rows do and the projections are not scaled. */
export function sharpRows(
  { draw }: MultiHeadNumbers,
  snapshots: Snapshots,
): { sharp: number; rows: number } | null {
  const weights = snapshots.get("weights");
  if (!weights || draw !== "randn") return null;
  const [sharp, rows] = [sharpWeights(weights), weights.data.length / weights.shape.at(-1)!];
  return rows >= SHARP.rows && 2 * sharp > rows ? { sharp, rows } : null;
}
