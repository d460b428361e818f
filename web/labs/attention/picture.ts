/** The stage of the attention lab: a score with one height per word, on one line where it is wide, else broken in two as music is. */
import type { PlacedTensor, Scene } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
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
  type Placing,
} from "../../stage/place.js";
import type { LabDeclaration } from "../../telling/declaration.js";
import { shownOn } from "./flow.js";
import { narrow } from "./narrow.js";
import { GAP_V, isWritten, operationTo, partsOf, scaleTexts, type Parts } from "./parts.js";

/** Gaps between columns: X | Q, between Q K V, V | scores, each operator, weights | output. */
const GAP = { first: 28, projections: 22, scores: 40, operator: 42, output: 28 };
/** A note is not set narrower than this, nor does it stand on less than this height. */
const NOTE = { width: 300, height: 196, most: 560 };
/** Rows of this height hold numbers that can be read. */
const READABLE = 16;
/** From the captions under the scores to the conversion of the mask. */
const LIFT = 26;

interface Column {
  block: Block;
  gap: number;
  /** The gap holds an operator and widens where the note above needs room. */
  flexible?: boolean;
  /** Its place is kept, so that nothing moves when it is asked for; it is not drawn. */
  empty?: boolean;
}

/** X, Q, then what gives keys and values; of the reader's own Q alone. */
function projectionColumns({ of, cross, own, keyNames }: Parts): Column[] {
  if (own) return [{ block: of("Q"), gap: 0 }];
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
  const { of, logits, exponentials } = parts;
  const after = ["scaled", ...(logits.includes("masked") ? ["masked"] : []), ...exponentials, "weights"];
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

/** Cell width and widened operator gaps with which the columns, and a note over the gap, right of v, all fit. */
function fitColumns(
  { room, names, query }: Parts,
  columns: readonly Column[],
  noted = false,
): { cell: number; gaps: number[]; fits: boolean } {
  const sum = (lengths: readonly number[]): number => lengths.reduce((all, one) => all + one, 0);
  const flexible = columns.filter((column) => column.flexible);
  const between = columns.slice(columns.indexOf(flexible[0]!));
  const gapsFor = (cell: number): number[] => {
    // From the right of K^T (or scores) to the wire that climbs left of V.
    const have =
      sum(between.map(({ gap }) => gap)) + sum(between.slice(0, -1).map(({ block }) => block.columns * cell));
    const missing = noted ? Math.max(0, NOTE.width + 56 + (query === null ? 0 : GAP_V + cell) - have) : 0;
    return columns.map(
      ({ gap, flexible: grows }) => gap + (grows ? Math.ceil(missing / flexible.length) : 0),
    );
  };
  const needs = (cell: number): number =>
    labelWidth(names) + 12 + cell * sum(columns.map(({ block }) => block.columns)) + sum(gapsFor(cell));
  const cell = cellWidthFor(room.width, needs);
  return { cell, gaps: gapsFor(cell), fits: needs(cell) <= room.width };
}

/** Columns on their way to a scene: they stand from `low` on, and end at `base` is what stands above them. */
interface System extends Parts {
  scene: Scene;
  cell: number;
  height: number;
  base: number;
  low: number;
  /** Columns on a tier above: those of a memory, where there is room. */
  tier: readonly string[];
  /** Placed tensors, by id. */
  at: Map<string, PlacedTensor>;
}

/** Places a tensor above a column, its last row ending at `bottom`. */
function placeAbove(
  { scene, cell, height, base, at }: System,
  block: Block,
  x: number,
  { bottom = base, id = block.node, ...names }: Placing & { bottom?: number } = {},
): void {
  const y = bottom - block.rows * height;
  at.set(id, place(scene, block, x, y, cell, height, { id, caption: "above", ...names }));
}

/** Places columns side by side; gives back their right edge. */
function placeColumns(system: System, columns: readonly Column[], gaps: number[], left: number): number {
  const { scene, cell, height, base, low, tier, at, names, keyNames } = system;
  let x = left;
  columns.forEach(({ block, empty }, index) => {
    x += gaps[index]!;
    const above = tier.includes(block.node);
    const rowNames = index === 0 ? names : block.node === "M" ? keyNames : undefined;
    const placing: Placing = {
      caption: above ? "above" : "below",
      ...(rowNames ? { rowNames } : {}),
      captionWidth: block.columns * cell + Math.min(gaps[index + 1] ?? 10, 42) - 8,
    };
    const y = above ? base - block.rows * height : low;
    if (!empty) at.set(block.node, place(scene, block, x, y, cell, height, placing));
    x += block.columns * cell;
  });
  return x;
}

/** The projections, each over what it gives. */
function placeProjections(system: System): void {
  const { of, at, tier, base } = system;
  for (const result of ["Q", "K", "V"]) {
    const { x, y } = at.get(result)!;
    const bottom = tier.includes(result) ? y - CAPTION_ABOVE - 6 : base;
    placeAbove(system, of(`W_${result}`), x, { bottom });
  }
}

/** K^T, or tanh and v, above the scores, and V above the output; the arrows on the row line from scores to weights. */
function placeAttention(system: System): void {
  const { scene, of, over, query, keyNames, values, logits, exponentials, cell, height, low, at } = system;
  const { x } = at.get("scores")!;
  placeAbove(system, over, x, { columnNames: keyNames });
  if (query !== null) placeAbove(system, of("v"), x + over.columns * cell + GAP_V);
  placeAbove(system, values, at.get("output")!.x, { id: "V_above" });
  const y = low + (of("scores").rows * height) / 2;
  [...logits, ...exponentials, "weights"].reduce((from, node) => {
    const [start, end] = [right(at.get(from)!, of(from).columns), at.get(node)!.x];
    operator(scene, node, start, end, y, operationTo(node, system), of(node).step);
    return node;
  });
}

/** How high the conversion of the mask stands, with its captions and the way up to the scores. */
const conversionHeight = ({ conversion, of }: Parts, height: number): number =>
  conversion.length === 0
    ? 0
    : LIFT + Math.max(...conversion.map((node) => of(node).rows)) * height + CAPTION_BELOW;

/** The mask and what is made of it, side by side under the captions from `y` on, and the way from the last of them into the masked scores. */
function placeConversion(system: System, y: number): void {
  const { scene, of, conversion, cell, height, low, at, names } = system;
  const last = conversion.at(-1);
  if (last === undefined) return;
  const top = y + LIFT;
  const masked = at.get("masked")!;
  const gaps = conversion.map((node, index) =>
    index === 0 ? 0 : Math.max(GAP.operator, operatorGap(operationTo(node, system), CLOSE)),
  );
  const width = conversion.reduce((sum, node, index) => sum + of(node).columns * cell + gaps[index]!, 0);
  // Its last tensor stands under the masked scores, or further right where the others need the room.
  let x = Math.max(labelWidth(names), right(masked, of("masked").columns) - width);
  conversion.forEach((node, index) => {
    const block = of(node);
    x += gaps[index]!;
    const rowNames = index === 0 && block.rows === names.length ? { rowNames: names } : {};
    at.set(node, place(scene, block, x, top, cell, height, { caption: "below", ...rowNames }));
    const middle = top + (Math.min(block.rows, of(conversion[index - 1] ?? node).rows) * height) / 2;
    if (!isWritten(node))
      operator(scene, node, x - gaps[index]!, x, middle, operationTo(node, system), block.step);
    x += block.columns * cell;
  });
  const from = at.get(last)!;
  const middle = from.x + (of(last).columns * cell) / 2;
  const end = low + (of("masked").rows - 0.5) * height;
  const lane = masked.x - 16;
  wire(
    scene,
    `${last}-masked`,
    last,
    "masked",
    [
      [middle, top - 7],
      [middle, top - LIFT / 2],
      [lane, top - LIFT / 2],
      [lane, end],
      [masked.x - 9, end],
    ],
    "activation",
    of("masked").step,
  );
}

/** The right edge of the conversion of the mask; 0 where there is none. */
function conversionEdge({ conversion, of, at }: System): number {
  const last = conversion.at(-1);
  return last === undefined ? 0 : right(at.get(last)!, of(last).columns);
}

/** Legends under the captions, a family each, where its tensors stand in line. `y` is the rule of the first row. */
function legends(system: System, y: number): void {
  const { scene, of, room, own, query, logits, exponentials, tier, at } = system;
  const rule = (node: string, first: string, last: string, from = 0, top = y, least = 0): void => {
    const { family, fill } = of(node);
    const x = at.get(first)!.x - BRACKET;
    const end = Math.max(right(at.get(last)!, of(last).columns) + BRACKET, least);
    const texts = scaleTexts[family]!.slice(from).map((text) => room.words(text));
    legend(scene, family, fill, x, top, end - x, ...texts);
  };
  const last = at.has("V") && !tier.includes("V") ? "V" : "Q";
  if (own) rule("Q", "Q", last);
  if (at.has("X")) {
    rule("X", "X", last);
    rule("W_Q", "X", last, query === null ? 0 : 1, y + LEGEND);
  }
  if (!at.has("scores")) return;
  // Scores alone may use the place that the scaled ones left.
  const alone = logits.length === 1;
  const next = at.get(exponentials[0] ?? "weights")!;
  rule("scores", "scores", logits.at(-1)!, alone ? 1 : 0, y, alone ? next.x - GAP.operator : 0);
  if (exponentials.length > 0) rule("exp", "exp", "total");
  rule("weights", "weights", "output");
}

/** From a tensor to the copy of it that stands above a product: up the channel and right, or straight to it where it has no lane. */
function lead(
  { scene, of, at }: System,
  node: string,
  id: string,
  copy: Block,
  lane?: [number, number],
): void {
  const [from, to] = [at.get(node)!, at.get(id)!];
  const { columns, role } = of(node);
  const target = to.y + (copy.rows * to.cellHeight) / 2;
  const middle = from.x + (columns * from.cellWidth) / 2;
  const turn = to.x - 20;
  const points: [number, number][] = lane
    ? [...lane.map((y): [number, number] => [middle, y]), [turn, lane[1]], [turn, target]]
    : [[right(from, columns) + 7, target]];
  wire(scene, `${node}-${id}`, node, id, [...points, [to.x - 9, target]], role, copy.step);
}

/** Between what stands over the scores and V; over everything from `left` on, in sight however the scene is scrolled, where not all fits. */
function noteOf({ room, over, at }: System, fits: boolean, left: number): Scene["note"] {
  const end = at.get("V_above")!.x - 36;
  const v = at.get("v");
  const x = fits ? (v ? right(v, 1) + 8 : right(at.get(over.node)!, over.columns)) + 16 : left;
  const width = Math.min(NOTE.most, (fits ? end : Math.min(room.width, end)) - x);
  if (!fits) return { x, y: 8, width, follows: true };
  return width >= 220 ? { x, y: 8, width } : null;
}

/** Everything on one screen, words to output. With a memory, its projections stand on a tier of their own; so do the reader's own keys. */
function wide(parts: Parts): Scene {
  const { of, names, keyNames, room, cross, own, over } = parts;
  const left = labelWidth(names);
  const columns = [...projectionColumns(parts), ...attentionColumns(parts)];
  const noted = room.layout === "wide";
  const beside = fitColumns(parts, columns, noted);
  // Where not all fits, no column makes room for the note: it stands above.
  const { cell, gaps } = beside.fits ? beside : fitColumns(parts, columns);
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
  const foot = CAPTION_BELOW + 4 + 2 * LEGEND;
  const below = (h: number): number => conversionHeight(parts, h) + foot;
  const heightFor = (under: (h: number) => number): number =>
    cellHeightFor(room.height, (h) => tops(h) + CHANNEL + rows("Q") * h + under(h));
  // The conversion of a mask may stand below the screen, rather than that no number can be read.
  const height = Math.max(
    heightFor(below),
    Math.min(
      READABLE,
      heightFor(() => foot),
    ),
  );
  const base = tops(height);
  const low = base + CHANNEL;
  const scene = emptyScene(room.width);
  const tier = cross ? ["M", "K", "V"] : [];
  const system: System = { ...parts, scene, cell, height, base, low, tier, at: new Map() };
  const edge = placeColumns(system, columns, gaps, left);
  // The reader's own keys stand where the projection of the queries would.
  if (own) placeAbove(system, of("K"), left, { rowNames: keyNames });
  else placeProjections(system);
  placeAttention(system);
  const start = cross ? base + 7 : low - 7;
  lead(system, "K", over.node, over, own ? undefined : [start, base + 20]);
  if (!own) lead(system, "V", "V_above", parts.values, [start, base + 32]);
  const end = low + rows("Q") * height;
  placeConversion(system, end + CAPTION_BELOW);
  legends(system, end + below(height) - 2 * LEGEND);
  if (noted) scene.note = noteOf(system, beside.fits, left);
  scene.width = Math.max(room.width, edge + 12, conversionEdge(system) + 12);
  scene.height = end + below(height);
  return scene;
}

/** Two systems, broken as music is: words to Q K V, then Q to the output. */
function two(parts: Parts): Scene {
  const { of, names, keyNames, room, over } = parts;
  const scene = emptyScene(room.width);
  const left = labelWidth(names);
  const first = projectionColumns(parts);
  const second = [{ block: of("Q"), gap: 0 }, ...attentionColumns(parts)];
  const height = 34;
  const upper = fitColumns(parts, first);
  const lower = fitColumns(parts, second);
  // Cells of both systems are as wide.
  const cell = Math.min(upper.cell, lower.cell);
  const system = (base: number): System => {
    return { ...parts, scene, cell, height, base, low: base + 28, tier: [], at: new Map() };
  };
  const one = system(CAPTION_ABOVE + of("W_Q").rows * height);
  const edge = placeColumns(one, first, upper.gaps, left) + BRACKET;
  placeProjections(one);
  const end = one.low + Math.max(of("X").rows, of("K").rows) * height + CAPTION_BELOW;
  legends(one, end + 6);
  const above = Math.max(
    headroom(keyNames, cell) + over.rows * height,
    CAPTION_ABOVE + of("V").rows * height,
  );
  const other = system(end + 2 * LEGEND + 24 + above);
  const otherEdge = placeColumns(other, second, lower.gaps, left);
  other.at.get("Q")!.id = "Q_again";
  placeAttention(other);
  const scoresEnd = other.low + of("scores").rows * height + CAPTION_BELOW;
  placeConversion(other, scoresEnd);
  const otherEnd = scoresEnd + conversionHeight(parts, height);
  legends(other, otherEnd + 6);
  scene.width = Math.max(room.width, edge + 12, otherEdge + 12, conversionEdge(other) + 12);
  scene.height = otherEnd + LEGEND + 6;
  return scene;
}

type Draw = NonNullable<LabDeclaration<"attention">["strip"]>;

export const picture: Draw = (config, _snapshots, room, of) => {
  const parts = partsOf(config, room, of);
  if (room.layout === "narrow") return narrow(parts);
  return room.layout === "wide" || parts.own ? wide(parts) : two(parts);
};

/** Every tensor but the projections, and what they are multiplied by; what a phone shows is underlined. */
export const strip: Draw = (config, _snapshots, room, of) => {
  const { over, own, cross, query, logits, conversion, exponentials } = partsOf(config, room, of);
  const masked = logits.filter((node) => node === "masked");
  const unmasked = logits.filter((node) => node !== "masked");
  const shown = shownOn(config.numbers)[readArrangement(room).id] ?? [];
  const added = query === null ? [] : [{ ...over, symbol: { text: "tanh" } }];
  const blocks = [
    ...[...(own ? [] : ["X"]), ...(cross ? ["M"] : []), "Q", "K", "V"].map(of),
    ...added,
    ...[...unmasked, ...conversion, ...masked, ...exponentials, "weights", "output"].map(of),
  ];
  return thumbnails(
    blocks,
    shown.map((node) => (node === "K_T" ? "K" : node)),
    room.width,
  );
};
