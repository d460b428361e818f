/** The stage of the attention lab: all tensors side by side in one line, with one row for each word; on a narrower screen in two lines. */
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
import { phonePictures } from "./flow.js";
import { narrowPicture } from "./narrow.js";
import { GAP_V, isWrittenMask, operationTo, partsOf, scaleTexts, type Parts } from "./parts.js";

/** Gaps between columns: X | Q, between Q K V, V | scores, each operator, weights | output. */
const GAP = { first: 28, projections: 22, scores: 40, operator: 42, output: 28 };
/** The least width of the note, the height that is kept for it, and its greatest width. */
const NOTE = { width: 300, height: 196, most: 560 };
/** The least height of a row whose numbers can be read. */
const READABLE_HEIGHT = 16;
/** The distance from the captions under the scores to the conversion of the mask. */
const LIFT = 26;

/** Words of at least so many numbers are drawn as a map where they are too wide for the page, with cells of these widths. */
const MAP = { numbers: 17, least: 3, most: 6 };

interface Column {
  block: Block;
  gap: number;
  /** The width of its cells, if it is a map. */
  mapCell?: number;
  /** Whether the gap has an operator and becomes wider if the note above needs room. */
  isFlexible?: boolean;
  /** Whether the column is not drawn and only keeps its place, so that nothing moves when it appears. */
  isEmpty?: boolean;
}

/** The columns of X and Q, then those of keys and values. Of the reader's own matrices, Q is the only column. */
function projectionColumns({ of, hasMemory, hasOwnMatrices, keyNames }: Parts): Column[] {
  if (hasOwnMatrices) return [{ block: of("Q"), gap: 0 }];
  return [
    { block: of("X"), gap: 0 },
    { block: of("Q"), gap: GAP.first },
    ...(hasMemory ? [{ block: of("M"), gap: labelWidth(keyNames) + 16 }] : []),
    { block: of("K"), gap: hasMemory ? GAP.first : GAP.projections },
    { block: of("V"), gap: GAP.projections },
  ];
}

/** The columns from the scores to the weights and the output. If the scores are not scaled, the column of scaled scores is empty. */
function attentionColumns(parts: Parts): Column[] {
  const { of, logits, exponentials } = parts;
  const after = ["scaled", ...(logits.includes("masked") ? ["masked"] : []), ...exponentials, "weights"];
  return [
    { block: of("scores"), gap: GAP.scores },
    ...after.map((node) => ({
      gap: Math.max(GAP.operator, operatorGap(operationTo(node, parts), CLOSE)),
      isFlexible: true,
      ...(node === "scaled" && !logits.includes(node)
        ? { block: of("scores"), isEmpty: true }
        : { block: of(node) }),
    })),
    { block: of("output"), gap: GAP.output },
  ];
}

const columnWidth = ({ block, mapCell }: Column, cell: number): number => block.columns * (mapCell ?? cell);

/** The cell width and the gaps with which the columns fit, and with `hasNote` also a note above the gap to the right of v. */
function fitColumns(
  { room, names, query }: Parts,
  columns: readonly Column[],
  hasNote = false,
): { cell: number; gaps: number[]; fits: boolean } {
  const sum = (lengths: readonly number[]): number => lengths.reduce((all, length) => all + length, 0);
  const flexible = columns.filter((column) => column.isFlexible);
  const between = columns.slice(columns.indexOf(flexible[0]!));
  const gapsFor = (cell: number): number[] => {
    // The width from the right edge of K^T (or of the scores) to the line that goes up left of V.
    const available =
      sum(between.map(({ gap }) => gap)) + sum(between.slice(0, -1).map((one) => columnWidth(one, cell)));
    const missing = hasNote
      ? Math.max(0, NOTE.width + 56 + (query === null ? 0 : GAP_V + cell) - available)
      : 0;
    return columns.map(
      ({ gap, isFlexible }) => gap + (isFlexible ? Math.ceil(missing / flexible.length) : 0),
    );
  };
  const neededWidth = (cell: number): number =>
    labelWidth(names) + 12 + sum(columns.map((one) => columnWidth(one, cell))) + sum(gapsFor(cell));
  const cell = cellWidthFor(room.width, neededWidth);
  return { cell, gaps: gapsFor(cell), fits: neededWidth(cell) <= room.width };
}

/** The columns with the words as maps whose cells are as wide as the page allows; as they are if all fit, or if the words are not wide. */
function withMaps(parts: Parts, columns: readonly Column[], hasNote: boolean): readonly Column[] {
  const isWide = parts.numbers.dim >= MAP.numbers && !parts.hasOwnMatrices;
  if (!isWide || fitColumns(parts, columns, hasNote).fits) return columns;
  const asMaps = (mapCell: number): Column[] =>
    columns.map((column) => (/^[XM]$/.test(column.block.node) ? { ...column, mapCell } : column));
  let mapCell = MAP.most;
  while (mapCell > MAP.least && !fitColumns(parts, asMaps(mapCell), hasNote).fits) mapCell -= 1;
  return asMaps(mapCell);
}

/** A line of columns on a scene. The columns begin at the height `low`, and the tensors above them end at the height `base`. */
interface System extends Parts {
  scene: Scene;
  cell: number;
  height: number;
  /** The height of a row of the projection matrices. */
  projectionHeight: number;
  base: number;
  low: number;
  /** The nodes whose columns are on an upper tier: those of a memory, if there is room. */
  tier: readonly string[];
  /** The placed tensors, by id. */
  at: Map<string, PlacedTensor>;
}

/** Places a tensor above a column. Its last row ends at the height `bottom`. */
function placeAbove(
  { scene, cell, height, base, at }: System,
  block: Block,
  x: number,
  {
    bottom = base,
    row = height,
    id = block.node,
    ...names
  }: Placing & { bottom?: number; row?: number } = {},
): void {
  const y = bottom - block.rows * row;
  at.set(id, place(scene, block, x, y, cell, row, { id, caption: "above", ...names }));
}

/** Places columns side by side and returns their right edge. */
function placeColumns(system: System, columns: readonly Column[], gaps: number[], left: number): number {
  const { scene, cell, height, base, low, tier, at, names, keyNames } = system;
  let x = left;
  columns.forEach((column, index) => {
    const { block, isEmpty, mapCell = cell } = column;
    x += gaps[index]!;
    const isAbove = tier.includes(block.node);
    const rowNames = index === 0 ? names : block.node === "M" ? keyNames : undefined;
    const placing: Placing = {
      caption: isAbove ? "above" : "below",
      ...(rowNames ? { rowNames } : {}),
      captionWidth: columnWidth(column, cell) + Math.min(gaps[index + 1] ?? 10, 42) - 8,
    };
    const y = isAbove ? base - block.rows * height : low;
    if (!isEmpty) at.set(block.node, place(scene, block, x, y, mapCell, height, placing));
    x += columnWidth(column, cell);
  });
  return x;
}

/** Places each projection matrix above its result. */
function placeProjections(system: System): void {
  const { of, at, tier, base, projectionHeight } = system;
  for (const result of ["Q", "K", "V"]) {
    const { x, y } = at.get(result)!;
    const bottom = tier.includes(result) ? y - CAPTION_ABOVE - 6 : base;
    placeAbove(system, of(`W_${result}`), x, { bottom, row: projectionHeight });
  }
}

/** Places K^T, or tanh and v, above the scores, and V above the output, and draws the operators from the scores to the weights. */
function placeAttention(system: System): void {
  const { scene, of, overScores, query, keyNames, values, logits, exponentials, cell, height, low, at } =
    system;
  const { x } = at.get("scores")!;
  placeAbove(system, overScores, x, { columnNames: keyNames });
  if (query !== null) placeAbove(system, of("v"), x + overScores.columns * cell + GAP_V);
  placeAbove(system, values, at.get("output")!.x, { id: "V_above" });
  const y = low + (of("scores").rows * height) / 2;
  [...logits, ...exponentials, "weights"].reduce((from, node) => {
    const [start, end] = [right(at.get(from)!, of(from).columns), at.get(node)!.x];
    operator(scene, node, start, end, y, operationTo(node, system), of(node).step);
    return node;
  });
}

/** The height of the conversion of the mask, with its captions and the line up to the scores. */
const conversionHeight = ({ conversion, of }: Parts, height: number): number =>
  conversion.length === 0
    ? 0
    : LIFT + Math.max(...conversion.map((node) => of(node).rows)) * height + CAPTION_BELOW;

/** Places the nodes of the conversion of the mask side by side, below the captions at `y`, and draws a line from the last of them to the masked scores. */
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
  // The last tensor is below the masked scores, or further right if the others need the room.
  let x = Math.max(labelWidth(names), right(masked, of("masked").columns) - width);
  conversion.forEach((node, index) => {
    const block = of(node);
    x += gaps[index]!;
    const rowNames = index === 0 && block.rows === names.length ? { rowNames: names } : {};
    at.set(node, place(scene, block, x, top, cell, height, { caption: "below", ...rowNames }));
    const middle = top + (Math.min(block.rows, of(conversion[index - 1] ?? node).rows) * height) / 2;
    if (!isWrittenMask(node))
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

/** The right edge of the conversion of the mask; 0 if there is none. */
function conversionEdge({ conversion, of, at }: System): number {
  const last = conversion.at(-1);
  return last === undefined ? 0 : right(at.get(last)!, of(last).columns);
}

/** Adds a legend for each family of tensors, as wide as their columns. `y` is the height of the first row of legends. */
function addLegends(system: System, y: number): void {
  const { scene, of, room, hasOwnMatrices, query, logits, exponentials, tier, at } = system;
  const addLegend = (node: string, first: string, last: string, from = 0, top = y, least = 0): void => {
    const { family, fill } = of(node);
    const x = at.get(first)!.x - BRACKET;
    const end = Math.max(right(at.get(last)!, of(last).columns) + BRACKET, least);
    const texts = scaleTexts[family]!.slice(from).map((text) => room.words(text));
    legend(scene, family, fill, x, top, end - x, ...texts);
  };
  const last = at.has("V") && !tier.includes("V") ? "V" : "Q";
  if (hasOwnMatrices) addLegend("Q", "Q", last);
  if (at.has("X")) {
    addLegend("X", "X", last);
    addLegend("W_Q", "X", last, query === null ? 0 : 1, y + LEGEND);
  }
  if (!at.has("scores")) return;
  // The legend of a single column of scores may use the width that the scaled scores leave empty.
  const isSingle = logits.length === 1;
  const next = at.get(exponentials[0] ?? "weights")!;
  addLegend("scores", "scores", logits.at(-1)!, isSingle ? 1 : 0, y, isSingle ? next.x - GAP.operator : 0);
  if (exponentials.length > 0) addLegend("exp", "exp", "total");
  addLegend("weights", "weights", "output");
}

/** Draws a line from a tensor to its copy above a product: up and to the right through a lane, or straight if there is none. */
function connectCopy(
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

/** The place of the note: between V and the tensor above the scores; if not all columns fit, above everything from `left` on, where it stays visible while the scene scrolls. */
function noteOf({ room, overScores, at }: System, fits: boolean, left: number): Scene["note"] {
  const end = at.get("V_above")!.x - 36;
  const v = at.get("v");
  const x = fits ? (v ? right(v, 1) + 8 : right(at.get(overScores.node)!, overScores.columns)) + 16 : left;
  const width = Math.min(NOTE.most, (fits ? end : Math.min(room.width, end)) - x);
  if (!fits) return { x, y: 8, width, follows: true };
  return width >= 220 ? { x, y: 8, width } : null;
}

/** The scene in one line, from the words to the output. The keys and values of a memory are on an upper tier, and so are the reader's own keys. */
function oneLineScene(parts: Parts): Scene {
  const { of, names, keyNames, room, hasMemory, hasOwnMatrices, overScores } = parts;
  const left = labelWidth(names);
  const hasNote = room.layout === "wide";
  const columns = withMaps(parts, [...projectionColumns(parts), ...attentionColumns(parts)], hasNote);
  const mapCell = columns.find((column) => column.mapCell)?.mapCell ?? Infinity;
  const withNote = fitColumns(parts, columns, hasNote);
  // If not all columns fit, they make no room for the note, which is then above them.
  const { cell, gaps } = withNote.fits ? withNote : fitColumns(parts, columns);
  const above = withNote.fits || !hasNote ? 0 : NOTE.height;
  const rows = (node: string) => of(node).rows;
  const tops = (h: number): number =>
    Math.ceil(
      Math.max(
        hasMemory
          ? above + CAPTION_ABOVE + rows("W_K") * Math.min(h, mapCell) + CAPTION_ABOVE + 6 + rows("K") * h
          : 0,
        above + CAPTION_ABOVE + rows("W_Q") * Math.min(h, mapCell),
        above + headroom(keyNames, cell) + overScores.rows * h,
        CAPTION_ABOVE + rows("V") * h,
        hasNote ? NOTE.height : 0,
      ),
    );
  const foot = CAPTION_BELOW + 4 + 2 * LEGEND;
  const below = (h: number): number => conversionHeight(parts, h) + foot;
  const heightFor = (under: (h: number) => number): number =>
    cellHeightFor(room.height, (h) => tops(h) + CHANNEL + rows("Q") * h + under(h));
  // Rows stay readable, even if the conversion of the mask is then below the visible part of the page.
  const height = Math.max(
    heightFor(below),
    Math.min(
      READABLE_HEIGHT,
      heightFor(() => foot),
    ),
  );
  const base = tops(height);
  const low = base + CHANNEL;
  const scene = emptyScene(room.width);
  const tier = hasMemory ? ["M", "K", "V"] : [];
  const projectionHeight = Math.min(height, mapCell);
  const at: System["at"] = new Map();
  const system: System = { ...parts, scene, cell, height, projectionHeight, base, low, tier, at };
  const edge = placeColumns(system, columns, gaps, left);
  // The reader's own keys take the place of W_Q.
  if (hasOwnMatrices) placeAbove(system, of("K"), left, { rowNames: keyNames });
  else placeProjections(system);
  placeAttention(system);
  const start = hasMemory ? base + 7 : low - 7;
  connectCopy(system, "K", overScores.node, overScores, hasOwnMatrices ? undefined : [start, base + 20]);
  if (!hasOwnMatrices) connectCopy(system, "V", "V_above", parts.values, [start, base + 32]);
  const end = low + rows("Q") * height;
  placeConversion(system, end + CAPTION_BELOW);
  addLegends(system, end + below(height) - 2 * LEGEND);
  if (hasNote) scene.note = noteOf(system, withNote.fits, left);
  scene.width = Math.max(room.width, edge + 12, conversionEdge(system) + 12);
  scene.height = end + below(height);
  return scene;
}

/** The scene in two lines: from the words to Q, K and V, then from Q to the output. */
function twoLineScene(parts: Parts): Scene {
  const { of, names, keyNames, room, overScores } = parts;
  const scene = emptyScene(room.width);
  const left = labelWidth(names);
  const first = projectionColumns(parts);
  const second = [{ block: of("Q"), gap: 0 }, ...attentionColumns(parts)];
  const height = 34;
  const upper = fitColumns(parts, first);
  const lower = fitColumns(parts, second);
  // The cells of both lines have the same width.
  const cell = Math.min(upper.cell, lower.cell);
  const system = (base: number): System => {
    const sizes = { cell, height, projectionHeight: height, base, low: base + 28 };
    return { ...parts, scene, ...sizes, tier: [], at: new Map() };
  };
  const upperSystem = system(CAPTION_ABOVE + of("W_Q").rows * height);
  const upperEdge = placeColumns(upperSystem, first, upper.gaps, left) + BRACKET;
  placeProjections(upperSystem);
  const end = upperSystem.low + Math.max(of("X").rows, of("K").rows) * height + CAPTION_BELOW;
  addLegends(upperSystem, end + 6);
  const above = Math.max(
    headroom(keyNames, cell) + overScores.rows * height,
    CAPTION_ABOVE + of("V").rows * height,
  );
  const lowerSystem = system(end + 2 * LEGEND + 24 + above);
  const lowerEdge = placeColumns(lowerSystem, second, lower.gaps, left);
  lowerSystem.at.get("Q")!.id = "Q_again";
  placeAttention(lowerSystem);
  const scoresEnd = lowerSystem.low + of("scores").rows * height + CAPTION_BELOW;
  placeConversion(lowerSystem, scoresEnd);
  const lowerEnd = scoresEnd + conversionHeight(parts, height);
  addLegends(lowerSystem, lowerEnd + 6);
  scene.width = Math.max(room.width, upperEdge + 12, lowerEdge + 12, conversionEdge(lowerSystem) + 12);
  scene.height = lowerEnd + LEGEND + 6;
  return scene;
}

type Draw = NonNullable<LabDeclaration<"attention">["strip"]>;

export const picture: Draw = (config, _snapshots, room, of) => {
  const parts = partsOf(config, room, of);
  if (room.layout === "narrow") return narrowPicture(parts);
  return room.layout === "wide" || parts.hasOwnMatrices ? oneLineScene(parts) : twoLineScene(parts);
};

/** The strip of a phone: all tensors but the projection matrices and the copies above products. Those of the current picture are underlined. */
export const strip: Draw = (config, _snapshots, room, of) => {
  const { overScores, hasOwnMatrices, hasMemory, query, logits, conversion, exponentials } = partsOf(
    config,
    room,
    of,
  );
  const masked = logits.filter((node) => node === "masked");
  const unmasked = logits.filter((node) => node !== "masked");
  const visible = phonePictures(config.numbers)[readArrangement(room).id] ?? [];
  const sums = query === null ? [] : [{ ...overScores, symbol: { text: "tanh" } }];
  const blocks = [
    ...[...(hasOwnMatrices ? [] : ["X"]), ...(hasMemory ? ["M"] : []), "Q", "K", "V"].map(of),
    ...sums,
    ...[...unmasked, ...conversion, ...masked, ...exponentials, "weights", "output"].map(of),
  ];
  return thumbnails(
    blocks,
    visible.map((node) => (node === "K_T" ? "K" : node)),
    room.width,
  );
};
