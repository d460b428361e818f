/** The stage of the attention lab: a score with one height per word, for wide, middle and narrow screens. */
import type { ConfigOf } from "../config/config.js";
import type { PlacedTensor, Room, Scene, Snapshots } from "../marks/scene.js";
import { attentionBlocks, logitNodes, wordNames, type AttentionNode } from "./attention-blocks.js";
import { productScene } from "./attention-narrow.js";
import {
  BRACKET,
  CAPTION_ABOVE,
  CAPTION_BELOW,
  CHANNEL,
  LEGEND,
  cellHeightFor,
  cellWidthFor,
  emptyScene,
  headroom,
  labelWidth,
  legend,
  operator,
  place,
  right,
  thumbnails,
  wire,
  type Block,
} from "./place.js";
import { stepNodes } from "./attention-words.js";

/** Gaps between columns: X | Q, between Q K V, V | scores, each operator, weights | output. */
const GAP = { first: 28, projections: 22, scores: 40, operator: 42, output: 28 };
/** A note is not set narrower than this, nor does it stand on less than this height. */
const NOTE = { width: 300, height: 196 };

interface Column {
  block: Block;
  gap: number;
  /** The gap holds an operator and widens where the note above needs room. */
  flexible?: boolean;
}

interface Parts {
  config: ConfigOf<"attention">;
  room: Room;
  blocks: Record<AttentionNode, Block>;
  names: string[];
  keyNames: string[];
  cross: boolean;
}

function partsOf(config: ConfigOf<"attention">, room: Room): Parts {
  const { numbers } = config;
  const names = wordNames(numbers.tokens, room.words);
  const cross = numbers.memory.length > 0;
  return {
    config,
    room,
    blocks: attentionBlocks(config, room.words),
    names,
    keyNames: cross ? wordNames(numbers.memory, room.words) : names,
    cross,
  };
}

/** scores … weights, output: the columns that every wide system ends with. */
function attentionColumns({ config, blocks }: Parts, firstGap: number): Column[] {
  const [scores, ...others] = logitNodes(config.numbers) as AttentionNode[];
  return [
    { block: blocks[scores!], gap: firstGap },
    ...[...others, "weights" as const].map((node) => ({
      block: blocks[node],
      gap: GAP.operator,
      flexible: true,
    })),
    { block: blocks.output, gap: GAP.output },
  ];
}

/** Cell width and widened operator gaps with which the columns, from `left` on, and a note over the gap all fit. */
function fitColumns(
  columns: Column[],
  left: number,
  width: number,
  noteAt: boolean,
): { cell: number; gaps: number[] } {
  const gapsFor = (cell: number): number[] => {
    const gaps = columns.map(({ gap }) => gap);
    if (!noteAt) return gaps;
    const flexible = columns.flatMap(({ flexible: is }, place) => (is ? [place] : []));
    const between = columns.slice(flexible[0]!);
    // From the right of K^T (or scores) to the wire that climbs left of V.
    const have = between.reduce(
      (sum, { block, gap }, place) => sum + gap + (place + 1 < between.length ? block.columns * cell : 0),
      -56,
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
  return { cell, gaps: gapsFor(cell) };
}

/** Places columns whose first rows stand at `y`; captions below. Answers them by node. */
function placeColumns(
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
  columns.forEach(({ block }, index) => {
    x += gaps[index]!;
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
function operators(scene: Scene, { config, blocks, room }: Parts, placed: Map<string, PlacedTensor>): void {
  const nodes = [...logitNodes(config.numbers), "weights"] as AttentionNode[];
  nodes.slice(1).forEach((node, index) => {
    const from = placed.get(nodes[index]!)!;
    const to = placed.get(node)!;
    const name: [string, string?] =
      node === "scaled"
        ? [`÷√${config.numbers.keyDim}`]
        : node === "masked"
          ? [room.words("labs.operator.mask")]
          : ["soft", "max"];
    const y = from.y + (blocks[node].rows * from.cellHeight) / 2;
    operator(scene, node, right(from, blocks.scores.columns), to.x, y, name, blocks[node].step);
  });
}

/** Legends under the captions, a family each. `y` is the rule of the first row. */
function legends(
  scene: Scene,
  { config, blocks, room }: Parts,
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
    legend(scene, "vectors", "activation", first[0], y, width, words("labs.legend.vectors"));
    if (vectors)
      legend(scene, "parameters", "parameter", first[0], y + LEGEND, width, words("labs.legend.parameters"));
  }
  const scores = span("scores", logitNodes(config.numbers).at(-1)!);
  if (scores) {
    const several = logitNodes(config.numbers).length > 1;
    legend(
      scene,
      "scores",
      "activation",
      scores[0],
      y,
      scores[1] - scores[0],
      words(several ? "labs.legend.scores" : "labs.legend.score"),
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

/** K^T above the scores and V above the output, their last rows ending at `base`. */
function placeOperands(
  scene: Scene,
  { blocks, keyNames }: Parts,
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
  above(blocks.K_T, placed.get("scores")!.x, "K_T", keyNames);
  above({ ...blocks.V, step: blocks.output.step, name: "" }, placed.get("output")!.x, "V_above");
}

/** From a tensor of the projections up the channel and right, to the copy of it that stands above a product. */
function climb(
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

function noteBetween(placed: Map<string, PlacedTensor>, blocks: Parts["blocks"], y: number): Scene["note"] {
  const operand = placed.get("K_T")!;
  const x = right(operand, blocks.K_T.columns) + 16;
  const width = placed.get("V_above")!.x - 36 - x;
  return width >= 220 ? { x, y, width: Math.min(width, 560) } : null;
}

/** Everything on one screen, words to output. With a memory, its projections stand on a tier of their own. */
function wide(parts: Parts): Scene {
  const { blocks, names, keyNames, room, cross } = parts;
  const scene = emptyScene(room.width);
  const left = labelWidth(names);
  const memoryLabels = cross ? labelWidth(keyNames) : 0;
  const columns: Column[] = [
    { block: blocks.X, gap: 0 },
    { block: blocks.Q, gap: GAP.first },
    ...(cross ? [{ block: blocks.M, gap: memoryLabels + 16 }] : []),
    { block: blocks.K, gap: cross ? GAP.first : GAP.projections },
    { block: blocks.V, gap: GAP.projections },
    ...attentionColumns(parts, GAP.scores),
  ];
  const { cell, gaps } = fitColumns(columns, left, room.width, true);
  const tops = (h: number): number =>
    Math.ceil(
      Math.max(
        cross ? CAPTION_ABOVE + blocks.W_K.rows * h + CAPTION_ABOVE + 6 + blocks.K.rows * h : 0,
        CAPTION_ABOVE + blocks.W_Q.rows * h,
        headroom(keyNames, cell) + blocks.K_T.rows * h,
        CAPTION_ABOVE + blocks.V.rows * h,
        NOTE.height,
      ),
    );
  const below = CAPTION_BELOW + 4 + 2 * LEGEND;
  const height = cellHeightFor(room.height, (h) => tops(h) + CHANNEL + blocks.X.rows * h + below);
  const base = tops(height);
  const low = base + CHANNEL;
  const onMemory = new Set(cross ? ["M", "K", "V"] : []);

  const at = new Map<string, PlacedTensor>();
  let x = left;
  columns.forEach(({ block }, index) => {
    x += gaps[index]!;
    const tier = onMemory.has(block.node);
    at.set(
      block.node,
      place(scene, block, x, tier ? base - block.rows * height : low, cell, height, {
        caption: tier ? "above" : "below",
        ...(block.node === "X" ? { rowNames: names } : block.node === "M" ? { rowNames: keyNames } : {}),
        captionWidth: block.columns * cell + Math.min(gaps[index + 1] ?? 10, 42) - 8,
      }),
    );
    x += block.columns * cell;
  });
  for (const [weight, result] of [
    ["W_Q", "Q"],
    ["W_K", "K"],
    ["W_V", "V"],
  ] as const) {
    const under = at.get(result)!;
    const bottom = onMemory.has(result) ? under.y - CAPTION_ABOVE - 6 : base;
    at.set(
      weight,
      place(scene, blocks[weight], under.x, bottom - blocks[weight].rows * height, cell, height, {
        caption: "above",
      }),
    );
  }
  placeOperands(scene, parts, at, base);
  const start = cross ? base + 7 : low - 7;
  climb(scene, "K", "K_T", base + 20, at.get("K")!, at.get("K_T")!, blocks.K, blocks.K_T, start);
  climb(
    scene,
    "V",
    "V_above",
    base + 32,
    at.get("V")!,
    at.get("V_above")!,
    blocks.V,
    { ...blocks.V, step: blocks.output.step },
    start,
  );
  operators(scene, parts, at);
  const end = low + blocks.X.rows * height;
  const spans = new Map(at);
  if (cross) for (const node of ["K", "V"]) spans.delete(node);
  legends(scene, parts, spans, end + CAPTION_BELOW + 4);
  scene.note = noteBetween(at, blocks, 8);
  scene.width = Math.max(room.width, x + 12);
  scene.height = end + below;
  return scene;
}

/** Two systems, broken as music is: words to Q K V, then Q to the output. */
function two(parts: Parts): Scene {
  const { blocks, names, keyNames, room, cross } = parts;
  const scene = emptyScene(room.width);
  const left = labelWidth(names);
  const first: Column[] = [
    { block: blocks.X, gap: 0 },
    { block: blocks.Q, gap: GAP.first },
    ...(cross ? [{ block: blocks.M, gap: labelWidth(keyNames) + 16 }] : []),
    { block: blocks.K, gap: cross ? GAP.first : GAP.projections },
    { block: blocks.V, gap: GAP.projections },
  ];
  const height = 34;
  const upper = fitColumns(first, left, room.width, false);
  const base1 = CAPTION_ABOVE + blocks.W_Q.rows * height;
  const low1 = base1 + 28;
  const at = placeColumns(scene, first, upper.gaps, left, low1, upper.cell, height, (node) =>
    node === "X" ? names : node === "M" ? keyNames : undefined,
  );
  for (const [weight, result] of [
    ["W_Q", "Q"],
    ["W_K", "K"],
    ["W_V", "V"],
  ] as const) {
    place(
      scene,
      blocks[weight],
      at.get(result)!.x,
      base1 - blocks[weight].rows * height,
      upper.cell,
      height,
      { caption: "above" },
    );
  }
  const end1 = low1 + Math.max(blocks.X.rows, blocks.K.rows) * height;
  legends(scene, parts, at, end1 + CAPTION_BELOW + 6);
  const edge1 = right(at.get("V")!, blocks.V.columns) + BRACKET;

  const top = end1 + CAPTION_BELOW + 2 * LEGEND + 24;
  const second: Column[] = [{ block: blocks.Q, gap: 0 }, ...attentionColumns(parts, GAP.scores)];
  const lower = fitColumns(second, left, room.width, true);
  const base2 =
    top +
    Math.max(
      headroom(keyNames, lower.cell) + blocks.K_T.rows * height,
      CAPTION_ABOVE + blocks.V.rows * height,
      NOTE.height,
    );
  const low2 = base2 + 28;
  const below = placeColumns(scene, second, lower.gaps, left, low2, lower.cell, height, (node) =>
    node === "Q" ? names : undefined,
  );
  scene.tensors.find((tensor) => tensor === below.get("Q"))!.id = "Q_again";
  placeOperands(scene, parts, below, base2);
  operators(scene, parts, below);
  const end2 = low2 + blocks.scores.rows * height;
  const spans = new Map(below);
  spans.delete("Q");
  legends(scene, parts, spans, end2 + CAPTION_BELOW + 6);

  const inFirst = ["X", "M", "W_Q", "W_K", "W_V", "Q", "K", "V"].includes(room.cell?.node ?? "");
  const beside = room.width - edge1 - 24;
  scene.note =
    inFirst && beside >= 260 ? { x: edge1 + 24, y: 8, width: beside } : noteBetween(below, blocks, top + 8);
  const edge2 = right(below.get("output")!, blocks.output.columns) + 12;
  scene.width = Math.max(room.width, edge1 + 12, edge2);
  scene.height = end2 + CAPTION_BELOW + LEGEND + 6;
  return scene;
}

export function attentionScene(config: ConfigOf<"attention">, _snapshots: Snapshots, room: Room): Scene {
  if (room.layout === "narrow") return productScene(config, room);
  const parts = partsOf(config, room);
  return room.layout === "wide" ? wide(parts) : two(parts);
}

export function attentionStrip(config: ConfigOf<"attention">, _snapshots: Snapshots, room: Room): Scene {
  const blocks = attentionBlocks(config, room.words);
  const cross = config.numbers.memory.length > 0;
  const order: AttentionNode[] = [
    "X",
    ...(cross ? (["M"] as const) : []),
    "Q",
    "K",
    "V",
    ...(logitNodes(config.numbers) as AttentionNode[]),
    "weights",
    "output",
  ];
  return thumbnails(
    order.map((node) => blocks[node]),
    stepNodes(config.numbers, room),
    room.width,
  );
}
