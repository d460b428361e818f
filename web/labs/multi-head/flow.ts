/** The open parts of the stage of the multi-head lab, its stops, and the lines of its strip. */
import type { ConfigOf, MultiHeadNumbers } from "../../config/config.js";
import { dropoutOf, hasProjection, keyCount, rowCount } from "../../config/labs/multi-head.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Room, TargetRoom, Snapshot, Snapshots } from "../../marks/scene.js";
import { memoizedBy } from "../../marks/memoized-by.js";
import { placeOf } from "../../marks/plane.js";
import { readArrangement, arrangementOf, writeArrangement } from "../../stage/arrangement.js";
import type { Flow } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { rowOf } from "../../stage/series.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import type { Stop, Stops } from "../../telling/declaration.js";
import { itemOf, keyNames, kindsOf, logits, rowNames, stopIdsOf, type StopId } from "./tensors.js";

type Config = ConfigOf<"multi-head">;

const queryNodes = ["x", "x_batch", "W_Q", "b_Q", "Q"];
const keyNodes = ["M", "M_batch", "W_K", "W_V", "b_K", "b_V", "K", "V"];
const projectionNodes = [...queryNodes, ...keyNodes];
const outputNodes = ["concat", "W_O", "b_O", "output"];
const comparisonNodes = ["Q_heads", "K_heads", "K_T"];
const attentionNodes = [...comparisonNodes, "scores", "scaled", "masked", "weights", "dropped", "V_heads"];

/** The pictures of a phone, and the nodes of each. Links contain their names. */
export const stopPictures = {
  split: comparisonNodes,
  attend: attentionNodes,
  join: ["heads", "weights", "dropped", "V_heads"],
  mix: outputNodes,
} as const;
type StopPicture = keyof typeof stopPictures;

/** The picture of each stop on a phone, in the order of the stops. */
const phonePictures = ({ numbers }: Config): StopPicture[] =>
  stopIdsOf(numbers).map((id) => {
    if (id === "mix" || id === "join") return id === "mix" || !hasProjection(numbers) ? "join" : "mix";
    return id === "split" ? "split" : id === "project" ? "mix" : "attend";
  });

/** The place of the stop that a phone shows: the room's own if its picture is open, else the first one with that picture. */
export function phoneStop(config: Config, room: Room): number {
  const pictures = phonePictures(config) as readonly string[];
  const { picture } = openedIn(room);
  return pictures[room.step] === picture ? room.step : Math.max(0, pictures.indexOf(picture));
}

/** At most this many heads have W_Q and the cut of the whole of Q beside them. */
const FEW = { wide: 4, two: 4, narrow: 2 };
/** The most rows and columns of a W_Q that is drawn for them. */
const MOST_WEIGHTS = 32;

/** Whether the heads are so few and W_Q is so small that the whole of Q is drawn, cut into them. */
export const hasFewHeads = ({ heads, dim, keyDim }: MultiHeadNumbers, layout: Room["layout"]): boolean =>
  heads <= FEW[layout] && Math.max(dim, heads * keyDim) <= MOST_WEIGHTS;

/** The numbers of heads that share the width evenly and stand side by side; none where the heads have widths of their own. */
export function headsToDrag(numbers: MultiHeadNumbers, layout: Room["layout"]): number[] {
  const { dim, heads, keyDim, valueDim } = numbers;
  if (heads * keyDim !== dim || valueDim !== keyDim) return [];
  const counts = Array.from({ length: FEW[layout] }, (_, at) => at + 1);
  return counts.filter((count) => dim % count === 0);
}

/** The nodes of a picture: the projections, or the heads and everything computed from them; on a phone those of one stop. */
function nodesOf(numbers: MultiHeadNumbers, room: Room, picture: string): readonly string[] | undefined {
  if (picture === "project") return projectionNodes;
  const weights = hasFewHeads(numbers, room.layout) ? ["W_Q"] : [];
  if (picture === "split" && room.layout === "narrow") return [...comparisonNodes, ...weights];
  if (room.layout === "narrow") return stopPictures[picture as StopPicture];
  return picture === "heads" ? [...attentionNodes, "heads", ...outputNodes, ...weights] : undefined;
}

/** The nodes that the maps of the heads may show. */
const mapNodes: readonly string[] = ["weights", "scores", "scaled", "masked", "dropped"];

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

/** The target's query, key, head, column and map. A target without a query or key keeps the one that was shown before. */
export function arrange(config: Config, room: TargetRoom): string {
  const { numbers } = config;
  const { node, index } = room.cell ?? { node: "weights", index: [] };
  const pictures = phonePictures(config);
  const stop = Math.max(0, Math.min(room.step, pictures.length - 1));
  const heads = room.layout === "narrow" ? pictures[stop]! : "heads";
  const wanted = projectionNodes.includes(node) ? "project" : heads;
  const { id, memory } = arrangementOf(room, wanted, (picture) => nodesOf(numbers, room, picture));
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
    Math.max(0, mapNodes.indexOf(node)),
  ]);
}

/** Whether the projection picture shows keys and values, which come from other words where there are any. */
export const projectsKeys = ({ alternative }: Opened): boolean =>
  ["K", "V", "M", "M_batch"].includes(alternative);

/** The open parts of the stage: a picture, the places of a query and a key, a head, a column of its values or of W_O, and the node of the maps. */
export function openedIn(room: Room) {
  const { id: picture, memory } = readArrangement(room);
  const [row = 0, key = 0, head = 0, column = 0, at = 0, map = 0] = memory;
  return {
    picture,
    row,
    key,
    head,
    column,
    alternative: alternatives[at] ?? "",
    map: mapNodes[map] ?? "weights",
  };
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
  const ids = stopIdsOf(config.numbers);
  const mix = hasProjection(config.numbers) ? "mix" : "join";
  const line = (node: string, ...shownAt: StopId[]) => {
    const tensor = of(node);
    const at = tensor.at?.length === 4 ? [itemOf(config), head, null, null] : tensor.at;
    return { pieces: [{ ...tensor, at }], steps: shownAt.map((id) => ids.indexOf(id)) };
  };
  return {
    lines: [
      line("Q_heads", "split", "compare"),
      ...logits(config.numbers).map((node) => line(node, "compare", "attend")),
      line("weights", "attend", mix),
      ...(dropoutOf(config.numbers) > 0 ? [line("dropped", mix)] : []),
      line("heads", mix, "join"),
      ...(hasProjection(config.numbers) ? [line("concat", "join", "project")] : []),
      line("output", "project"),
    ],
    legendOf: (family) => legendText(family, room.words),
  };
}

export function opening(config: Config): Cell {
  return cellAt("weights", itemOf(config), 0, 0, tellingKey(config.numbers));
}

/** The weights of a query in a head of a sample. */
export function weightsOf(snapshots: Snapshots, item: number, head: number, row: number): number[] {
  const { shape = [] } = snapshots.get("weights") ?? {};
  return rowOf(snapshots, "weights", placeOf(shape, [item, head, row]));
}

/** The key with the largest weight of a row of a head, and that weight. */
function largestWeight(snapshots: Snapshots, item: number, head: number, row: number) {
  const weights = weightsOf(snapshots, item, head, row);
  const weight = Math.max(...weights);
  return { key: Math.max(0, weights.indexOf(weight)), weight };
}

/** The query that heads 0 and 1 see most differently: each has a large weight, on another key than the other. Null if there is none. */
function splitRow(numbers: MultiHeadNumbers, snapshots: Snapshots, item: number): number | null {
  if (numbers.heads < 2) return null;
  let [best, most] = [null as number | null, 0];
  for (let row = 0; row < rowCount(numbers); row += 1) {
    const [one, other] = [0, 1].map((head) => largestWeight(snapshots, item, head, row)) as [
      { key: number; weight: number },
      { key: number; weight: number },
    ];
    const least = Math.min(one.weight, other.weight);
    if (one.key !== other.key && least > most) [best, most] = [row, least];
  }
  return best;
}

export function stops(config: Config, words: Words, snapshots: Snapshots): Stops {
  const { numbers } = config;
  const { heads, keyDim: width } = numbers;
  const item = itemOf(config);
  const split = splitRow(numbers, snapshots, item);
  const row = split ?? 0;
  const { key } = largestWeight(snapshots, item, 0, row);
  const last = Math.min(1, heads - 1);
  const weights = largestInRow(snapshots, cellAt("weights", item, 0, row, key));
  const output = largestInRow(snapshots, cellAt("heads", item, last, row, 0));
  const cells: Record<StopId, Cell> = {
    split: largestInRow(snapshots, cellAt("Q_heads", item, 0, row, 0)),
    compare: cellAt("scores", item, 0, row, key),
    attend: weights,
    mix: output,
    join: hasProjection(numbers) ? largestInRow(snapshots, cellAt("concat", item, row, 0)) : output,
    project: largestInRow(snapshots, cellAt("output", item, row, 0)),
  };
  const [names, keys] = [rowNames(numbers, words), keyNames(numbers, words)];
  const looks = {
    row: names[row]!,
    first: keys[key]!,
    second: keys[largestWeight(snapshots, item, last, row).key]!,
  };
  // Without W_O nothing is projected at the end: the stop shows that the output is the joined row.
  const more: Partial<Record<StopId, Partial<Stop>>> = {
    attend: split === null ? {} : { tell: "differ" },
    project: hasProjection(numbers) ? {} : { tell: "bare", title: words("labs.name.output") },
  };
  const slots = { heads, width, ...looks };
  return Object.fromEntries(stopIdsOf(numbers).map((id) => [id, { ...cells[id], slots, ...more[id] }]));
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
