/** The stage of the attention lab: a score with one height per word, on one line where it is wide, else broken in two as music is. */
import type { ConfigOf } from "../../config/config.js";
import type { Fill, PlacedTensor, Room, Scene, Snapshots } from "../../marks/scene.js";
import { arrangedAs } from "../../stage/arrangement.js";
import {
  BRACKET,
  CAPTION_ABOVE,
  CAPTION_BELOW,
  CHANNEL,
  CLOSE,
  LEGEND,
  cellHeightFor,
  cellWidthFor,
  emptyScene,
  headroom,
  labelWidth,
  legend,
  operator,
  operatorGap,
  place,
  right,
  thumbnails,
  wire,
  type Block,
} from "../../stage/place.js";
import { shownOn } from "./flow.js";
import { narrow } from "./narrow.js";
import { GAP_V, operationTo, partsOf, type Parts } from "./parts.js";

/** Gaps between columns: X | Q, between Q K V, V | scores, each operator, weights | output. */
const GAP = { first: 28, projections: 22, scores: 40, operator: 42, output: 28 };
/** A note is not set narrower than this, nor does it stand on less than this height. */
const NOTE = { width: 300, height: 196, most: 560 };

interface Column {
  block: Block;
  gap: number;
  /** The gap holds an operator and widens where the note above needs room. */
  flexible?: boolean;
  /** Its place is kept, so that nothing moves when it is asked for; it is not drawn. */
  empty?: boolean;
}

/** X, Q, then what gives keys and values: those that every system but the reader's own begins with. */
function projectionColumns({ of, cross, keyNames }: Parts): Column[] {
  return [
    { block: of("X"), gap: 0 },
    { block: of("Q"), gap: GAP.first },
    ...(cross ? [{ block: of("M"), gap: labelWidth(keyNames) + 16 }] : []),
    { block: of("K"), gap: cross ? GAP.first : GAP.projections },
    { block: of("V"), gap: GAP.projections },
  ];
}

/** scores … weights, output: the columns that every system ends with. Scores that are not scaled leave that column empty. */
function attentionColumns(parts: Parts): Column[] {
  const { of, logits } = parts;
  const after = ["scaled", ...(logits.includes("masked") ? ["masked"] : []), "weights"];
  return [
    { block: of("scores"), gap: GAP.scores },
    ...after.map((node) => ({
      gap: Math.max(GAP.operator, operatorGap(operationTo(node, parts), CLOSE)),
      flexible: true,
      ...(node === "scaled" && !logits.includes(node)
        ? { block: of("scores"), empty: true }
        : { block: of(node) }),
    })),
    { block: of("output"), gap: GAP.output },
  ];
}

/** Cell width and widened operator gaps with which the columns, from `left` on, and a note over the gap, right of v, all fit. */
function fitColumns(
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

/** A system of columns on its way to a scene. */
interface System {
  scene: Scene;
  parts: Parts;
  cell: number;
  height: number;
  /** The lower edge of what stands above the columns, and the upper edge of these. */
  base: number;
  low: number;
  /** Placed tensors, by id. */
  at: Map<string, PlacedTensor>;
}

/** Places columns side by side from `left` on, those of the memory on a tier of their own where there is one; gives back the right edge. */
function placeColumns(
  { scene, parts, cell, height, base, low, at }: System,
  columns: Column[],
  gaps: number[],
  left: number,
  tier: readonly string[] = [],
): number {
  let x = left;
  columns.forEach(({ block, empty }, index) => {
    x += gaps[index]!;
    const above = tier.includes(block.node);
    const rowNames = index === 0 ? parts.names : block.node === "M" ? parts.keyNames : undefined;
    if (!empty)
      at.set(
        block.node,
        place(scene, block, x, above ? base - block.rows * height : low, cell, height, {
          caption: above ? "above" : "below",
          ...(rowNames ? { rowNames } : {}),
          captionWidth: block.columns * cell + Math.min(gaps[index + 1] ?? 10, 42) - 8,
        }),
      );
    x += block.columns * cell;
  });
  return x;
}

/** The projections, each over what it gives. */
function placeProjections(
  { scene, parts, cell, height, base, at }: System,
  tier: readonly string[] = [],
): void {
  for (const result of ["Q", "K", "V"]) {
    const block = parts.of(`W_${result}`);
    const under = at.get(result)!;
    const bottom = tier.includes(result) ? under.y - CAPTION_ABOVE - 6 : base;
    place(scene, block, under.x, bottom - block.rows * height, cell, height, { caption: "above" });
  }
}

/** K^T, or tanh and v, above the scores, and V above the output; the arrows on the row line from scores to weights. */
function placeAttention({ scene, parts, cell, height, base, at }: System): void {
  const { of, over, query, keyNames, values, logits } = parts;
  const above = (block: Block, x: number, id: string, names?: readonly string[]) =>
    at.set(
      id,
      place(scene, block, x, base - block.rows * height, cell, height, {
        id,
        caption: "above",
        ...(names ? { columnNames: names } : {}),
      }),
    );
  const { x } = at.get("scores")!;
  above(over, x, over.node, keyNames);
  if (query !== null) above(of("v"), x + over.columns * cell + GAP_V, "v");
  above(values, at.get("output")!.x, "V_above");
  const { rows, columns } = of("scores");
  [...logits.slice(1), "weights"].forEach((node, index) => {
    const from = at.get(logits[index]!)!;
    const y = from.y + (rows * height) / 2;
    operator(scene, node, right(from, columns), at.get(node)!.x, y, operationTo(node, parts), of(node).step);
  });
}

/** Legends under the captions, a family each, where its tensors stand in line. `y` is the rule of the first row. */
function legends({ scene, parts, at }: System, y: number, first: "X" | "Q" | null, last: string): void {
  const { of, room, query, logits } = parts;
  const { words } = room;
  const rule = (
    family: string,
    fill: Fill,
    [from, to]: readonly [string, string],
    top: number,
    texts: readonly string[],
    least = 0,
  ): void => {
    const x = at.get(from)!.x - BRACKET;
    const end = Math.max(right(at.get(to)!, of(to).columns) + BRACKET, least);
    legend(scene, family, fill, x, top, end - x, ...texts);
  };
  if (first)
    rule("vectors", "activation", [first, last], y, [
      words("labs.legend.vectors"),
      words("labs.legend.vectors.short"),
      words("labs.legend.vectors.shortest"),
    ]);
  if (first === "X")
    rule("parameters", "parameter", [first, last], y + LEGEND, [
      ...(query === null ? [words("labs.legend.parameters")] : []),
      words("labs.legend.parameters.short"),
    ]);
  if (!at.has("scores")) return;
  // Scores alone may use the place that the scaled ones left.
  const alone = logits.length === 1;
  rule(
    "scores",
    "activation",
    ["scores", logits.at(-1)!],
    y,
    [...(alone ? [] : [words("labs.legend.scores")]), words("labs.legend.score")],
    alone ? at.get("weights")!.x - GAP.operator : 0,
  );
  rule("weights", "probability", ["weights", "output"], y, [words("labs.legend.weights")]);
}

/** From a tensor of the projections up the channel and right, to the copy of it that stands above a product. */
function climb({ scene, parts, at }: System, node: string, id: string, copy: Block, ys: number[]): void {
  const [start, lane] = ys as [number, number];
  const [from, to] = [at.get(node)!, at.get(id)!];
  const { columns, role } = parts.of(node);
  const middle = from.x + (columns * from.cellWidth) / 2;
  const turn = to.x - 20;
  const target = to.y + (copy.rows * to.cellHeight) / 2;
  const points: [number, number][] = [
    [middle, start],
    [middle, lane],
    [turn, lane],
    [turn, target],
    [to.x - 9, target],
  ];
  wire(scene, `${node}-${id}`, node, id, points, role, copy.step);
}

/** The note over everything that begins at `left`, in sight however far a scene larger than its room is scrolled. */
function noteAbove({ parts, at }: System, left: number): Scene["note"] {
  const end = Math.min(parts.room.width, at.get("V_above")!.x - 36);
  return { x: left, y: 8, width: Math.min(NOTE.most, end - left), follows: true };
}

/** The note right of what stands over the scores. */
function noteBetween({ parts: { over }, at }: System): Scene["note"] {
  const v = at.get("v");
  const x = (v ? right(v, 1) + 8 : right(at.get(over.node)!, over.columns)) + 16;
  const width = at.get("V_above")!.x - 36 - x;
  return width >= 220 ? { x, y: 8, width: Math.min(width, NOTE.most) } : null;
}

/** Everything on one screen, words to output. With a memory, its projections stand on a tier of their own; so do the reader's own keys. */
function wide(parts: Parts): Scene {
  const { of, names, keyNames, room, cross, own, over, query } = parts;
  const scene = emptyScene(room.width);
  const left = labelWidth(names);
  const columns = [
    ...(own ? [{ block: of("Q"), gap: 0 }] : projectionColumns(parts)),
    ...attentionColumns(parts),
  ];
  const noted = room.layout === "wide";
  const beside = fitColumns(columns, left, room.width, noted, query !== null);
  // Where not all fits, no column makes room for the note: it stands above.
  const { cell, gaps } = beside.fits ? beside : fitColumns(columns, left, room.width, false);
  const above = beside.fits || !noted ? 0 : NOTE.height;
  const rows = (node: string) => of(node).rows;
  const tops = (h: number): number =>
    Math.ceil(
      Math.max(
        cross ? above + CAPTION_ABOVE + rows("W_K") * h + CAPTION_ABOVE + 6 + rows("K") * h : 0,
        above + CAPTION_ABOVE + rows("W_Q") * h,
        above + headroom(keyNames, cell) + over.rows * h,
        CAPTION_ABOVE + rows("V") * h,
        noted ? NOTE.height : 0,
      ),
    );
  const below = CAPTION_BELOW + 4 + 2 * LEGEND;
  const height = cellHeightFor(room.height, (h) => tops(h) + CHANNEL + rows("Q") * h + below);
  const base = tops(height);
  const low = base + CHANNEL;
  const tier = cross ? ["M", "K", "V"] : [];
  const at = new Map<string, PlacedTensor>();
  const system: System = { scene, parts, cell, height, base, low, at };
  const edge = placeColumns(system, columns, gaps, left, tier);
  if (own) {
    // Where the projection of the queries would stand.
    const y = base - rows("K") * height;
    at.set("K", place(scene, of("K"), left, y, cell, height, { caption: "above", rowNames: keyNames }));
  } else placeProjections(system, tier);
  placeAttention(system);
  if (own) {
    const [from, to] = [at.get("K")!, at.get(over.node)!];
    const y = to.y + (over.rows * height) / 2;
    const ends: [number, number][] = [
      [right(from, of("K").columns) + 7, y],
      [to.x - 9, y],
    ];
    wire(scene, `K-${over.node}`, "K", over.node, ends, of("K").role, over.step);
  } else {
    const start = cross ? base + 7 : low - 7;
    climb(system, "K", over.node, over, [start, base + 20]);
    climb(system, "V", "V_above", parts.values, [start, base + 32]);
  }
  const end = low + rows("Q") * height;
  legends(system, end + CAPTION_BELOW + 4, own ? "Q" : "X", own || cross ? "Q" : "V");
  if (noted) scene.note = beside.fits ? noteBetween(system) : noteAbove(system, left);
  scene.width = Math.max(room.width, edge + 12);
  scene.height = end + below;
  return scene;
}

/** Two systems, broken as music is: words to Q K V, then Q to the output. */
function two(parts: Parts): Scene {
  const { of, names, keyNames, room, over, query } = parts;
  const scene = emptyScene(room.width);
  const left = labelWidth(names);
  const first = projectionColumns(parts);
  const second = [{ block: of("Q"), gap: 0 }, ...attentionColumns(parts)];
  const height = 34;
  const upper = fitColumns(first, left, room.width, false);
  const lower = fitColumns(second, left, room.width, false, query !== null);
  // Cells of both systems are as wide.
  const cell = Math.min(upper.cell, lower.cell);
  const system = (base: number): System => {
    return { scene, parts, cell, height, base, low: base + 28, at: new Map<string, PlacedTensor>() };
  };
  const one = system(CAPTION_ABOVE + of("W_Q").rows * height);
  const edge = placeColumns(one, first, upper.gaps, left) + BRACKET;
  placeProjections(one);
  const end = one.low + Math.max(of("X").rows, of("K").rows) * height;
  legends(one, end + CAPTION_BELOW + 6, "X", "V");
  const top = end + CAPTION_BELOW + 2 * LEGEND + 24;
  const other = system(
    top + Math.max(headroom(keyNames, cell) + over.rows * height, CAPTION_ABOVE + of("V").rows * height),
  );
  const otherEdge = placeColumns(other, second, lower.gaps, left);
  other.at.get("Q")!.id = "Q_again";
  placeAttention(other);
  const otherEnd = other.low + of("scores").rows * height;
  legends(other, otherEnd + CAPTION_BELOW + 6, null, "Q");
  scene.width = Math.max(room.width, edge + 12, otherEdge + 12);
  scene.height = otherEnd + CAPTION_BELOW + LEGEND + 6;
  return scene;
}

export function picture(
  config: ConfigOf<"attention">,
  _snapshots: Snapshots,
  room: Room,
  of: Parts["of"],
): Scene {
  const parts = partsOf(config, room, of);
  if (room.layout === "narrow") return narrow(parts);
  return room.layout === "wide" || parts.own ? wide(parts) : two(parts);
}

/** Every tensor but the projections, and what they are multiplied by; what a phone shows is underlined. */
export function strip(
  config: ConfigOf<"attention">,
  _snapshots: Snapshots,
  room: Room,
  of: Parts["of"],
): Scene {
  const { over, own, cross, query, logits } = partsOf(config, room, of);
  const shown = shownOn(config.numbers)[arrangedAs(room).id] ?? [];
  const blocks = [
    ...(own ? [] : ["X"]),
    ...(cross ? ["M"] : []),
    ...["Q", "K", "V"],
    ...(query === null ? [] : ["hidden"]),
    ...logits,
    ...["weights", "output"],
  ].map((node) => (node === "hidden" ? { ...over, symbol: { text: "tanh" } } : of(node)));
  return thumbnails(
    blocks,
    shown.map((node) => (node === "K_T" ? "K" : node)),
    room.width,
  );
}
