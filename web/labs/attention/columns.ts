/** Columns of the attention lab: how wide, how far apart, what stands above them, what joins them. */
import type { ConfigOf } from "../../config/config.js";
import type { PlacedTensor, Room, Scene } from "../../marks/scene.js";
import { GAP_V, queryOf } from "./additive.js";
import { attentionBlocks, isAdditive, logitNodes, wordNames, type AttentionNode } from "./blocks.js";
import { isOwn } from "./own.js";
import {
  BRACKET,
  CLOSE,
  LEGEND,
  cellWidthFor,
  legend,
  operator,
  operatorGap,
  place,
  right,
  wire,
  type Block,
} from "../../stage/place.js";

/** Gaps between columns: X | Q, between Q K V, V | scores, each operator, weights | output. */
export const GAP = { first: 28, projections: 22, scores: 40, operator: 42, output: 28 };
/** A note is not set narrower than this, nor does it stand on less than this height. */
export const NOTE = { width: 300, height: 196, most: 560 };

export interface Column {
  block: Block;
  gap: number;
  /** The gap holds an operator and widens where the note above needs room. */
  flexible?: boolean;
  /** Its place is kept, so that nothing moves when it is asked for; it is not drawn. */
  empty?: boolean;
}

export interface Parts {
  config: ConfigOf<"attention">;
  room: Room;
  blocks: Record<AttentionNode, Block>;
  names: string[];
  keyNames: string[];
  cross: boolean;
  /** Q, K and V are the reader's own: they stand without the words and projections that give them. */
  own: boolean;
  /** What stands over the scores: the keys, or what they and one query add up to. */
  over: Block;
  /** Whose pairs are shown, where each query has its own. */
  query: number | null;
}

export function partsOf(config: ConfigOf<"attention">, room: Room): Parts {
  const { numbers } = config;
  const names = wordNames(numbers.tokens, room.words);
  const cross = numbers.memory.length > 0;
  const query = isAdditive(numbers) ? queryOf(numbers, room) : null;
  const blocks = attentionBlocks(config, room.words, query ?? 0);
  return {
    config,
    room,
    blocks,
    over: query === null ? blocks.K_T : blocks.hidden,
    query,
    names,
    keyNames: cross ? wordNames(numbers.memory, room.words) : names,
    cross,
    own: isOwn(numbers),
  };
}

/** What is done to get to a column of the row line: in one line, or in two where the gap is narrow. */
function operationTo(node: string, { config, room }: Parts): [string, string?] {
  if (node === "scaled") return [`÷√${config.numbers.keyDim}`];
  return node === "masked" ? [room.words("labs.operator.mask")] : ["soft", "max"];
}

/** scores … weights, output: the columns that every wide system ends with. Scores that are not scaled leave that column empty. */
export function attentionColumns(parts: Parts, firstGap: number): Column[] {
  const { config, blocks } = parts;
  const shown = new Set<string>([...logitNodes(config.numbers), "weights"]);
  const after = (["scaled", "masked", "weights"] as const).filter(
    (node) => node === "scaled" || shown.has(node),
  );
  return [
    { block: blocks.scores, gap: firstGap },
    ...after.map((node) => ({
      block: blocks[node],
      gap: Math.max(GAP.operator, operatorGap(operationTo(node, parts), CLOSE)),
      flexible: true,
      ...(shown.has(node) ? {} : { empty: true }),
    })),
    { block: blocks.output, gap: GAP.output },
  ];
}

/** Cell width and widened operator gaps with which the columns, from `left` on, and a note over the gap, right of v, all fit. */
export function fitColumns(
  columns: Column[],
  left: number,
  width: number,
  noteAt: boolean,
  besideV = false,
): { cell: number; gaps: number[]; fits: boolean } {
  const gapsFor = (cell: number): number[] => {
    const gaps = columns.map(({ gap }) => gap);
    if (!noteAt) return gaps;
    const flexible = columns.flatMap(({ flexible: is }, place) => (is ? [place] : []));
    const between = columns.slice(flexible[0]!);
    // From the right of K^T (or scores) to the wire that climbs left of V.
    const have = between.reduce(
      (sum, { block, gap }, place) => sum + gap + (place + 1 < between.length ? block.columns * cell : 0),
      besideV ? -56 - GAP_V - cell : -56,
    );
    const missing = Math.max(0, NOTE.width - have);
    for (const place of flexible) gaps[place]! += Math.ceil(missing / flexible.length);
    return gaps;
  };
  const needs = (cell: number): number =>
    left +
    12 +
    columns.reduce((sum, { block }) => sum + block.columns * cell, 0) +
    gapsFor(cell).reduce((sum, gap) => sum + gap, 0);
  const cell = cellWidthFor(width, needs);
  return { cell, gaps: gapsFor(cell), fits: needs(cell) <= width };
}

/** Places columns whose first rows stand at `y`; captions below. Answers them by node. */
export function placeColumns(
  scene: Scene,
  columns: Column[],
  gaps: number[],
  left: number,
  y: number,
  cell: number,
  height: number,
  names: (node: string) => readonly string[] | undefined,
): Map<string, PlacedTensor> {
  const placed = new Map<string, PlacedTensor>();
  let x = left;
  columns.forEach(({ block, empty }, index) => {
    x += gaps[index]!;
    if (empty) {
      x += block.columns * cell;
      return;
    }
    const rowNames = names(block.node);
    const next = gaps[index + 1];
    placed.set(
      block.node,
      place(scene, block, x, y, cell, height, {
        caption: "below",
        ...(rowNames ? { rowNames } : {}),
        captionWidth: block.columns * cell + Math.min(next ?? 2 * BRACKET, 42) - 8,
      }),
    );
    x += block.columns * cell;
  });
  return placed;
}

/** The arrows on the row line from scores to weights. */
export function operators(scene: Scene, parts: Parts, placed: Map<string, PlacedTensor>): void {
  const { config, blocks } = parts;
  const nodes = [...logitNodes(config.numbers), "weights"] as AttentionNode[];
  nodes.slice(1).forEach((node, index) => {
    const from = placed.get(nodes[index]!)!;
    const to = placed.get(node)!;
    const y = from.y + (blocks[node].rows * from.cellHeight) / 2;
    const start = right(from, blocks.scores.columns);
    operator(scene, node, start, to.x, y, operationTo(node, parts), blocks[node].step);
  });
}

/** Legends under the captions, a family each. `y` is the rule of the first row. */
export function legends(
  scene: Scene,
  { config, blocks, room, query }: Parts,
  at: Map<string, PlacedTensor>,
  y: number,
): void {
  const span = (first: string, last: string): [number, number] | null => {
    const a = at.get(first);
    const b = at.get(last);
    return a && b ? [a.x - BRACKET, right(b, blocks[last as AttentionNode].columns) + BRACKET] : null;
  };
  const words = room.words;
  const vectors = span("X", at.has("V") ? "V" : "Q");
  const first = vectors ?? (at.has("Q") ? span("Q", "Q") : null);
  if (first) {
    const width = Math.max(first[1] - first[0], 0);
    const [left] = first;
    legend(
      scene,
      "vectors",
      "activation",
      left,
      y,
      width,
      words("labs.legend.vectors"),
      words("labs.legend.vectors.short"),
      words("labs.legend.vectors.shortest"),
    );
    if (vectors)
      legend(
        scene,
        "parameters",
        "parameter",
        left,
        y + LEGEND,
        width,
        ...(query === null ? [words("labs.legend.parameters")] : []),
        words("labs.legend.parameters.short"),
      );
  }
  const logits = logitNodes(config.numbers);
  const scores = span("scores", logits.at(-1)!);
  if (scores) {
    // Scores alone may use the place that the scaled ones left.
    const end = logits.length > 1 ? scores[1] : Math.max(scores[1], at.get("weights")!.x - GAP.operator);
    const texts = logits.length > 1 ? [words("labs.legend.scores")] : [];
    legend(
      scene,
      "scores",
      "activation",
      scores[0],
      y,
      end - scores[0],
      ...texts,
      words("labs.legend.score"),
    );
  }
  const shares = span("weights", "output");
  if (shares)
    legend(
      scene,
      "weights",
      "probability",
      shares[0],
      y,
      shares[1] - shares[0],
      words("labs.legend.weights"),
    );
}

/** K^T, or tanh and v, above the scores, and V above the output, their last rows ending at `base`. */
export function placeOperands(
  scene: Scene,
  { blocks, over, query, keyNames }: Parts,
  placed: Map<string, PlacedTensor>,
  base: number,
): void {
  const { cellWidth, cellHeight } = placed.get("scores")!;
  const above = (block: Block, x: number, id: string, names?: readonly string[]) =>
    placed.set(
      id,
      place(scene, block, x, base - block.rows * cellHeight, cellWidth, cellHeight, {
        id,
        caption: "above",
        ...(names ? { columnNames: names } : {}),
      }),
    );
  above(over, placed.get("scores")!.x, over.node, keyNames);
  if (query !== null) above(blocks.v, right(placed.get(over.node)!, over.columns) + GAP_V, "v");
  above({ ...blocks.V, step: blocks.output.step, name: "" }, placed.get("output")!.x, "V_above");
}

/** From a tensor of the projections up the channel and right, to the copy of it that stands above a product. */
export function climb(
  scene: Scene,
  node: "K" | "V",
  id: string,
  lane: number,
  from: PlacedTensor,
  to: PlacedTensor,
  block: Block,
  copy: Block,
  start: number,
): void {
  const middle = from.x + (block.columns * from.cellWidth) / 2;
  const turn = to.x - 20;
  const target = to.y + (copy.rows * to.cellHeight) / 2;
  const points: [number, number][] = [
    [middle, start],
    [middle, lane],
    [turn, lane],
    [turn, target],
    [to.x - 9, target],
  ];
  wire(scene, `${node}-${id}`, node, id, points, block.role, copy.step);
}

/** The note over everything that begins at `left`, in sight however far a scene larger than its room is scrolled. */
export function noteAbove(
  placed: Map<string, PlacedTensor>,
  left: number,
  y: number,
  room: Room,
): Scene["note"] {
  const end = Math.min(room.width, placed.get("V_above")!.x - 36);
  return { x: left, y, width: Math.min(NOTE.most, end - left), follows: true };
}

export function noteBetween(
  placed: Map<string, PlacedTensor>,
  { over, blocks }: Parts,
  y: number,
): Scene["note"] {
  const v = placed.get("v");
  const x = (v ? right(v, blocks.v.columns) + 8 : right(placed.get(over.node)!, over.columns)) + 16;
  const width = placed.get("V_above")!.x - 36 - x;
  return width >= 220 ? { x, y, width: Math.min(width, NOTE.most) } : null;
}
