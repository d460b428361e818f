/**
 * Draws a stage as lines: tensors side by side on the same rows, with the signs of the operations between them. In a product, the
 * right factor stands above the result. All lines are shown if they fit, else those of the current stop of Play.
 */
import { textWidth } from "../marks/measure.js";
import type { Fill, PlacedTensor, Room, Scene } from "../marks/scene.js";
import { CHART_ABOVE, CHART_BELOW, placeChart, type Chart } from "./chart.js";
import {
  BRACKET,
  PARAMETER,
  CAPTION_AIR,
  CAPTION_BELOW,
  LEGEND,
  STRIP_SYMBOL,
  across,
  down,
  emptyScene,
  headroom,
  labelWidth,
  legends,
  operator,
  operatorGap,
  place,
  thumbnails,
  type Block,
} from "./place.js";
import { NOTE } from "./sheet.js";

/** A tensor of a line, with other tensors or texts at its sides. */
export interface TensorPiece {
  tensor: Block;
  /** A tensor above it with the same columns: the right factor of the product, or a row added to each row. */
  above?: Block;
  /** Rows under `above` with the same columns: a bias added to each row, or a gain and a shift. */
  rowsAbove?: readonly Block[];
  /** A sign between `above` and the tensor. */
  sign?: string;
  /** The names of the rows of `above`. They have room only at the first tensor of a line. */
  aboveNames?: readonly string[];
  /** A tensor below it with the same columns: a result computed from each column. */
  below?: Block;
  /** The column names. Absent: those of the tensor; an empty list: none. */
  columnNames?: readonly string[];
  /** A text to the right of each row. */
  beside?: readonly string[];
  /** An id of its own, for a tensor that stands twice on a stage. */
  id?: string;
}
/** An arrow with the name of an operation whose result is not the next tensor of the line. */
export interface OperatorPiece {
  operator: string;
  name: Arrow;
  /** The stop at which it appears. Absent: that of the next tensor. */
  step?: number;
}
type Arrow = readonly [over: string, under?: string];
export interface ChartPiece {
  chart: Chart;
  /** Its least width. Charts share the width that is left in the line. */
  least?: number;
}
/** A tensor, a sign between two tensors ("+"), or the name of the operation that makes the next tensor, over an arrow (["softmax"]). */
export type Piece = Block | TensorPiece | string | Arrow | OperatorPiece | ChartPiece;

export interface Line {
  heading?: string;
  /** The names of its rows. Absent: those of its first tensor. */
  rowNames?: readonly string[];
  /** False: rows and columns have only the names given here. */
  named?: boolean;
  pieces: readonly Piece[];
  /** The stops of Play at which the line is shown if not all lines fit. Absent: the stop of its last piece. */
  steps?: readonly number[];
  /** The height of its charts, and the largest height to which they grow if there is room. */
  height?: number;
  most?: number;
  /**
   * The least width of a column. A line that is too wide for it is broken into two. Of several widths, the first is used if the room
   * is high enough for the lines, else the other one that gives the largest cells.
   */
  least?: number | readonly number[];
}

/** A piece with defaults filled in from the pieces beside it. */
type FullPiece = TensorPiece | (OperatorPiece & { step: number }) | { sign: string } | ChartPiece;

interface FullLine extends Omit<Line, "pieces" | "named"> {
  pieces: readonly FullPiece[];
}

export interface Flow {
  lines: readonly Line[];
  /** The text under the colour scale of a family. Absent: the lab's string `legend.FAMILY` (see `LabDeclaration.strings`). */
  legendOf?(family: string): string;
  /** A chart under the note on wide screens and before the first line on others, at every stop. */
  aside?: Chart;
  /** The stop of Play whose lines are shown. Absent: that of the room. */
  stop?: number;
  /** The nodes in the strip of a narrow screen. Absent: all nodes of the lines. */
  strip?: readonly string[];
  /** The largest gap between two tensors of the strip. Parameters side by side need more, because they have double brackets. */
  stripAir?: number;
  /** The largest height of a row. */
  tallest?: number;
  /** Whether `lines` are only some of the lines of a graph: then only those of the stop are shown, even if all of these would fit. */
  partial?: boolean;
  /** Draws a picture above the lines of a stop, in place of thumbnails, and returns its lower edge. */
  overview?(scene: Scene, width: number): number;
}

const TENSOR_GAP = 26;
const SIGN = 34;
const CHART = { least: 250, height: 210 };
const CELL = { least: 14, most: 46, tall: 34, middle: 26, low: 18, thin: 3 };
/** The least height that the cells of a stop share, even if the stage gets higher; less under an overview, which must stay in sight. */
const LINES = { alone: 200, under: 110 };
const CHANNEL = 26;
const LINE_GAP = 14;
const HEADING = 24;
/** The gap between the caption of a tensor and the tensor below it. */
const UNDER = 10;
/** A chart in the note's column. It begins below the longest note, that of a layer norm. */
const ASIDE = { least: 160, height: 210, from: 336 };

/** The gap between the rows of one factor and the next factor below it: room for its caption. */
const FACTOR = 34;

const isArrow = (piece: Piece): piece is Arrow => Array.isArray(piece);

const blockIn = (piece: Piece): Block | undefined => {
  if (typeof piece === "string" || isArrow(piece)) return undefined;
  return "node" in piece ? piece : "tensor" in piece ? piece.tensor : undefined;
};

/** Fills in the defaults of a line that depend on its tensors. */
function withDefaults({ pieces, named = true, ...line }: Line): FullLine {
  const rowNames = line.rowNames ?? (named ? pieces.map(blockIn).find(Boolean)?.names?.rows : null);
  const fullPiece = (piece: Piece, at: number): FullPiece => {
    if (typeof piece === "string") return { sign: piece };
    if (isArrow(piece) || "operator" in piece) {
      const result = pieces.slice(at).map(blockIn).find(Boolean);
      const name = isArrow(piece) ? piece : piece.name;
      if (!result) throw new Error(`a line ends with the arrow ${name[0]}: expected a tensor after it`);
      return { operator: result.node, name, step: result.step, ...(isArrow(piece) ? {} : piece) };
    }
    if ("chart" in piece) return piece;
    const { columnNames: ownNames, ...full }: TensorPiece = "node" in piece ? { tensor: piece } : piece;
    const columnNames = ownNames ?? (named ? full.tensor.names?.columns : null);
    return { ...full, ...(columnNames?.length ? { columnNames } : {}) };
  };
  return { ...line, ...(rowNames ? { rowNames } : {}), pieces: pieces.map(fullPiece) };
}

const isTensor = (piece: FullPiece): piece is TensorPiece => "tensor" in piece;
const isChart = (piece: FullPiece): piece is ChartPiece => "chart" in piece;

/** The tensors above a tensor, the highest first, and their height in cells. */
const aboveOf = ({ above, rowsAbove = [] }: TensorPiece): readonly Block[] => [
  ...(above ? [above] : []),
  ...rowsAbove,
];
const heightAbove = (piece: TensorPiece): number =>
  aboveOf(piece).reduce((sum, block) => sum + down(block), 0);

/** The side of a cell if `cells` cells share the place of `taken` cells of their line. */
const cellOf = (cells: number, taken: number, size: number): number =>
  cells === taken ? size : (taken * size) / cells;

function gapOf(piece: FullPiece): number {
  if ("operator" in piece) return operatorGap(piece.name);
  if ("sign" in piece) return SIGN;
  return 0;
}

/** The stop of Play at which a piece appears: an operator appears with its result; a sign has no stop of its own. */
function stepOf(pieces: readonly FullPiece[], at: number): number[] {
  const piece = pieces[at];
  if (!piece || "sign" in piece) return [];
  if (isTensor(piece)) return [piece.tensor.step];
  if (isChart(piece)) return [piece.chart.step];
  return [piece.step];
}

const stepsOf = (pieces: readonly FullPiece[]): number[] => pieces.flatMap((_, at) => stepOf(pieces, at));

/** The stops of Play at which a line is shown. */
const stopsOf = ({ steps, pieces }: FullLine): readonly number[] => steps ?? [Math.max(...stepsOf(pieces))];

/** The lines shown at a stop of Play. */
const linesAt = (lines: readonly FullLine[], step: number): FullLine[] =>
  lines.filter((line) => stopsOf(line).includes(step));

/** The width of the second bracket of a parameter in the gap beside it. */
const secondBracket = (piece: FullPiece | undefined): number =>
  piece && isTensor(piece) && piece.tensor.fill === "parameter" ? PARAMETER - BRACKET : 0;

/** The width of the second brackets on both sides of an operator. */
const bracketsOf = (pieces: readonly FullPiece[], at: number): [number, number] =>
  "operator" in pieces[at]! ? [secondBracket(pieces[at - 1]), secondBracket(pieces[at + 1])] : [0, 0];

/** The width of the texts right of a tensor's rows, with the gap before them. */
function besideOf(piece: FullPiece): number {
  const texts = isTensor(piece) ? (piece.beside ?? []) : [];
  return Math.ceil(Math.max(0, ...texts.map((text) => textWidth(text) + BRACKET + 8)));
}

/** The gap between two tensors or charts without a sign between them. */
const between = (left: FullPiece | undefined, piece: FullPiece): number =>
  left && gapOf(left) === 0 && gapOf(piece) === 0 ? TENSOR_GAP : 0;

/** How far a caption may reach past its tensor: up to the next caption or chart. */
function captionGap(pieces: readonly FullPiece[], at: number, cellWidth: number): number {
  let gap = besideOf(pieces[at]!);
  for (let next = at + 1; next < pieces.length; next++) {
    const piece = pieces[next]!;
    gap += between(pieces[next - 1], piece) + gapOf(piece) + bracketsOf(pieces, next).reduce((a, b) => a + b);
    if (isTensor(piece)) {
      const { name } = piece.tensor;
      const width = across(piece.tensor) * cellWidth;
      const room = width + Math.max(2 * BRACKET, captionGap(pieces, next, cellWidth));
      if (name && textWidth(name, 12.5) <= room) return gap - CAPTION_AIR;
      gap += width;
    } else if (isChart(piece)) return gap - CAPTION_AIR;
  }
  return Math.max(gap, TENSOR_GAP);
}

interface MeasuredLine {
  line: FullLine;
  label: number;
  /** The width of the line in cells, and the pixels of everything else. */
  columns: number;
  fixed: number;
  rows: number;
  above: number;
  /** The largest number of tensors above one tensor. */
  factors: number;
  below: number;
  cellWidth: number;
  head: number;
}

function measure(line: FullLine, width: number, most = CELL.most): MeasuredLine {
  const { pieces } = line;
  const tensors = pieces.filter(isTensor);
  const label = line.rowNames
    ? labelWidth([...line.rowNames, ...(tensors[0]?.aboveNames ?? [])])
    : 2 * BRACKET + 4;
  const columns = tensors.reduce((sum, { tensor }) => sum + across(tensor), 0);
  const fixed = pieces.reduce(
    (sum, piece, at) =>
      sum +
      gapOf(piece) +
      bracketsOf(pieces, at).reduce((both, one) => both + one) +
      besideOf(piece) +
      between(pieces[at - 1], piece) +
      (isChart(piece) ? (piece.least ?? CHART.least) : 0),
    label + 2 * BRACKET + 2,
  );
  const room = columns ? (width - fixed) / columns : 0;
  const cellWidth = room >= CELL.least ? Math.floor(Math.min(most, room)) : Math.max(CELL.thin, room);
  const rows = Math.max(0, ...tensors.map(({ tensor }) => down(tensor)));
  const above = Math.max(0, ...tensors.map(heightAbove));
  const below = Math.max(0, ...tensors.map((piece) => piece.below?.rows ?? 0));
  const factors = Math.max(1, ...tensors.map((piece) => aboveOf(piece).length));
  const names = tensors.flatMap((piece) => (aboveOf(piece).length > 0 ? [] : [...(piece.columnNames ?? [])]));
  // Column names over a lower factor stand beside the highest factor and need no room of their own.
  const namesAbove = tensors.flatMap((piece) =>
    heightAbove(piece) === above ? [...(piece.columnNames ?? [])] : [],
  );
  const head =
    (line.heading ? HEADING : 0) +
    (above ? headroom(namesAbove, cellWidth) : names.length ? headroom(names, cellWidth) - 30 : 8);
  return { line, label, columns, fixed, rows, above, factors, below, cellWidth, head };
}

/** The height of a line without its cells, and the number of cells on top of each other. */
function heightOf({ line, rows, above, factors, below, head }: MeasuredLine): {
  fixed: number;
  cells: number;
} {
  const charts = line.pieces.some(isChart) ? (line.height ?? CHART.height) : 0;
  const fixed =
    head +
    (rows ? CAPTION_BELOW : 0) +
    (above ? CHANNEL : 0) +
    (factors - 1) * FACTOR +
    (below ? UNDER + CAPTION_BELOW : 0) +
    LINE_GAP;
  return rows ? { fixed, cells: rows + above + below } : { fixed: head + charts + LINE_GAP, cells: 0 };
}

/** Breaks a line that is too wide. A sign at the break goes to the second part. */
function breakLine(line: FullLine, width: number, least: number): FullLine[] {
  const parts: FullPiece[][] = [[]];
  for (const piece of line.pieces) {
    const part = parts.at(-1)!;
    const now = measure({ ...line, pieces: [...part, piece] }, width);
    const fits = now.columns ? (width - now.fixed) / now.columns >= least : now.fixed <= width;
    if (fits || !part.some((other) => isTensor(other) || isChart(other))) {
      part.push(piece);
      continue;
    }
    const next = [piece];
    while (part.length > 1 && gapOf(part.at(-1)!) > 0) next.unshift(part.pop()!);
    parts.push(next);
  }
  return parts.map((pieces, at) => {
    const { heading, ...rest } = line;
    return { ...rest, pieces, ...(heading && at === 0 ? { heading } : {}) };
  });
}

/** Breaks a line that is too wide into the same number of parts as `breakLine`, but of columns that are as wide as possible. */
function breakEvenly(line: FullLine, width: number, least: number): FullLine[] {
  let best = breakLine(line, width, least);
  if (best.length === 1) return best;
  let [fits, tooWide] = [least, CELL.most + 1];
  while (tooWide - fits > 1) {
    const middle = Math.floor((fits + tooWide) / 2);
    const parts = breakLine(line, width, middle);
    if (parts.length > best.length) tooWide = middle;
    else [best, fits] = [parts, middle];
  }
  return best;
}

/** Draws one line with its upper edge at `y`, and returns its lower edge. */
function drawLine(
  scene: Scene,
  measured: MeasuredLine,
  x0: number,
  width: number,
  y: number,
  cellHeight: number,
): number {
  const { line, label, fixed, columns, rows, above, factors, below, cellWidth, head } = measured;
  const charts = line.pieces.filter(isChart);
  const spare = Math.max(0, width - fixed - columns * cellWidth) / Math.max(1, charts.length);
  if (line.heading)
    scene.labels.push({
      x: x0 + label,
      y: y + 14,
      text: line.heading,
      kind: "heading",
      step: Math.min(...stepsOf(line.pieces)),
    });
  const top = y + head;
  const base = top + above * cellHeight + (factors - 1) * FACTOR;
  const low = base + (above ? CHANNEL : 0);
  const height = rows ? rows * cellHeight : (line.height ?? CHART.height);
  // A sign at the start of a broken line stands before the names of its rows.
  const isContinuation = line.pieces[0] !== undefined && gapOf(line.pieces[0]) > 0;
  let x = x0 + (isContinuation ? 0 : label);
  let hasRowNames = false;
  let previous: FullPiece | undefined;
  for (const [at, piece] of line.pieces.entries()) {
    x += between(previous, piece);
    if (isTensor(piece)) {
      const { tensor } = piece;
      if (isContinuation && !hasRowNames) x += label;
      const width = across(tensor) * cellWidth;
      const wide = cellOf(tensor.columns, across(tensor), cellWidth);
      let foot = base - heightAbove(piece) * cellHeight - (aboveOf(piece).length - 1) * FACTOR;
      for (const [nth, block] of aboveOf(piece).entries()) {
        const tall = cellOf(block.rows, down(block), cellHeight);
        place(scene, block, x, foot, cellOf(block.columns, across(tensor), cellWidth), tall, {
          id: `${block.node}-above-${piece.id ?? tensor.node}`,
          caption: "above",
          ...(piece.aboveNames && !hasRowNames && nth === 0 ? { rowNames: piece.aboveNames } : {}),
          ...(piece.columnNames && nth === 0 ? { columnNames: piece.columnNames } : {}),
        });
        foot += down(block) * cellHeight + FACTOR;
      }
      place(scene, tensor, x, low, wide, cellOf(tensor.rows, down(tensor), cellHeight), {
        ...(piece.id ? { id: piece.id } : {}),
        caption: "below",
        captionWidth: width + captionGap(line.pieces, at, cellWidth),
        ...(!hasRowNames && line.rowNames ? { rowNames: line.rowNames } : {}),
        ...(piece.columnNames && aboveOf(piece).length === 0 ? { columnNames: piece.columnNames } : {}),
      });
      if (piece.sign)
        scene.labels.push({
          x: x + width / 2,
          y: low - CHANNEL / 2 + 5,
          text: piece.sign,
          kind: "large",
          anchor: "middle",
          over: true,
          step: tensor.step,
        });
      if (piece.below) {
        place(scene, piece.below, x, low + height + CAPTION_BELOW + UNDER, wide, cellHeight, {
          id: `${piece.below.node}-below-${piece.id ?? tensor.node}`,
          caption: "below",
          captionWidth: width + captionGap(line.pieces, at, cellWidth),
        });
      }
      hasRowNames = true;
      x += width;
      piece.beside?.forEach((text, row) =>
        scene.labels.push({
          x: x + BRACKET + 6,
          y: low + (row + 0.5) * cellHeight + 4,
          text,
          kind: "axis",
          step: tensor.step,
          ...(tensor.role === "output" ? { role: tensor.role } : {}),
        }),
      );
      x += besideOf(piece);
    } else if (isChart(piece)) {
      const wide = (piece.least ?? CHART.least) + spare;
      // A chart beside tensors is as high as they are with their captions.
      const tall = rows ? Math.max(height + CAPTION_BELOW, CHART_ABOVE + CHART_BELOW + 60) : height;
      placeChart(scene, piece.chart, { x, y: rows ? low - CHART_ABOVE : top, width: wide, height: tall });
      x += wide;
    } else if ("operator" in piece) {
      const gap = operatorGap(piece.name);
      const [before, after] = bracketsOf(line.pieces, at);
      x += before;
      operator(
        scene,
        piece.operator,
        x,
        x + gap,
        low + Math.min(height, 2 * cellHeight) / 2,
        piece.name,
        stepOf(line.pieces, at)[0]!,
      );
      x += gap + after;
    } else {
      scene.labels.push({
        x: x + SIGN / 2,
        y: low + Math.min(height, 2 * cellHeight) / 2 + 6,
        text: piece.sign,
        kind: "heading",
        anchor: "middle",
        // In front of the leaders of a single row.
        over: true,
        // A sign between two tensors appears with the second of them.
        step: Math.max(...stepOf(line.pieces, at - 1), ...stepOf(line.pieces, at + 1)),
      });
      x += SIGN;
    }
    previous = piece;
  }
  scene.width = Math.max(scene.width, x + 2 * BRACKET);
  return low + height + (rows ? CAPTION_BELOW : 0) + (below ? UNDER + below * cellHeight + CAPTION_BELOW : 0);
}

/** The families of these tensors, and how many of their legends stand on a line. */
function legendLines(
  blocks: readonly Pick<Block, "family" | "fill">[],
  width: number,
): { families: Map<string, Fill>; perLine: number } {
  const families = new Map<string, Fill>();
  for (const { family, fill } of blocks) if (fill !== "none") families.set(family, fill);
  return { families, perLine: Math.max(1, Math.min(families.size, Math.floor(width / 270))) };
}

/** The blocks of the lines, each node once. */
function blocksOf(lines: readonly FullLine[]): Block[] {
  const found = new Map<string, Block>();
  for (const { pieces } of lines) {
    for (const piece of pieces.filter(isTensor)) {
      for (const block of [...aboveOf(piece), piece.tensor, piece.below])
        if (block && !found.has(block.node)) found.set(block.node, block);
    }
  }
  return [...found.values()];
}

/** The strip of thumbnails of all tensors; those in the lines of the room's stop are underlined. */
export const flowStrip = (room: Room, flow: Flow): Scene => stripOf(room, flow, STRIP_SYMBOL.alone);

function stripOf(room: Room, { strip, stripAir, ...flow }: Flow, symbolSize: number): Scene {
  const lines = flow.lines.map(withDefaults);
  return thumbnails(
    blocksOf(lines).filter(({ node }) => strip?.includes(node) ?? true),
    blocksOf(linesAt(lines, room.step)).map(({ node }) => node),
    room.width,
    stripAir,
    symbolSize,
  );
}

/** The lines after a first line with a chart, which is shown at every stop. */
function withChartFirst(lines: readonly FullLine[], chart: Chart): FullLine[] {
  const steps = [...new Set(lines.flatMap(stopsOf))];
  return [{ pieces: [{ chart }], steps, height: 170 }, ...lines];
}

export function flowScene(givenRoom: Room, flow: Flow): Scene {
  const { aside, stop = givenRoom.step } = flow;
  const room = { ...givenRoom, step: stop };
  const wide = room.layout === "wide";
  const narrow = room.layout === "narrow";
  const width = wide ? room.width - NOTE.width - NOTE.gap : room.width;
  const leastWidths = ({ least = narrow ? 24 : CELL.least }: FullLine) => [least].flat();
  /** The lines, each broken for the least width at `nth` in its list, or for its last one. */
  const parts = (lines: readonly FullLine[], nth: number) =>
    lines.flatMap((line) => {
      const widths = leastWidths(line);
      const least = widths[Math.min(nth, widths.length - 1)]!;
      const pieces = widths.length > 1 ? breakEvenly(line, width, least) : breakLine(line, width, least);
      const measured = pieces.map((piece) => measure(piece, width));
      if (narrow) return measured;
      // All parts of a broken line have cells of the same width.
      const same = Math.min(
        ...measured.filter(({ columns }) => columns > 0).map(({ cellWidth }) => cellWidth),
      );
      return pieces.map((piece) => measure(piece, width, same));
    });
  const total = (measured: readonly MeasuredLine[]) =>
    measured
      .map(heightOf)
      .reduce((sum, one) => ({ fixed: sum.fixed + one.fixed, cells: sum.cells + one.cells }), {
        fixed: 0,
        cells: 0,
      });
  const space = narrow ? 560 : Math.max(430, room.height);
  const scene = emptyScene(width);
  const isThumbnail = ({ id }: { id: string }): boolean => id.startsWith("thumb-");
  const legendRows = (lines: readonly FullLine[], above: readonly PlacedTensor[] = []): number => {
    const maps = lines.flatMap(({ pieces }) =>
      pieces.filter(isChart).flatMap(({ chart }) => chart.under ?? []),
    );
    const { families, perLine } = legendLines([...above, ...blocksOf(lines), ...maps], width - 12);
    return Math.ceil(families.size / perLine);
  };
  const needs = (measured: readonly MeasuredLine[], cell: number) => {
    const { fixed, cells } = total(measured);
    return fixed + cells * cell + Math.max(2, legendRows(measured.map(({ line }) => line))) * LEGEND + 6;
  };
  const ownLines = flow.lines.map(withDefaults);
  const lines = aside && !wide ? withChartFirst(ownLines, aside) : ownLines;
  const everything = narrow || flow.partial || flow.overview ? [] : parts(lines, 0);
  const fitsAll = everything.length > 0 && needs(everything, CELL.low) <= space;
  const atStop = linesAt(lines, room.step);
  if (!fitsAll && atStop.length === 0) return { ...scene, width: room.width, stop: room.step };
  let y = 4;
  if (flow.overview) {
    y = flow.overview(scene, width) + 8;
  } else if ((flow.partial || (!fitsAll && atStop.length < lines.length)) && !narrow) {
    const strip = stripOf({ ...room, width }, flow, STRIP_SYMBOL.above);
    for (const tensor of strip.tensors) scene.tensors.push({ ...tensor, id: `thumb-${tensor.id}` });
    scene.labels.push(...strip.labels);
    scene.curves.push(...strip.curves);
    y = strip.height + 14;
  }
  // Thumbnails come last: the first tensor of a node is the one that is highlighted and read aloud.
  const small = scene.tensors.splice(0);
  const heightLeft = (measured: readonly MeasuredLine[]): number =>
    space -
    y -
    total(measured).fixed -
    legendRows(
      measured.map(({ line }) => line),
      small.filter((tensor) => !isThumbnail(tensor)),
    ) *
      LEGEND -
    6;
  /** The smaller side of the cells, if the lines get no higher than the room. */
  const cellSide = (measured: readonly MeasuredLine[]): number =>
    Math.min(heightLeft(measured) / total(measured).cells, ...measured.map(({ cellWidth }) => cellWidth));
  /** The lines of the stop, broken for their first least width if they fit, else for the other one that gives the largest cells. */
  const linesOfStop = (): MeasuredLine[] => {
    const first = parts(atStop, 0);
    const others = Array.from(
      { length: Math.max(...atStop.map((line) => leastWidths(line).length)) - 1 },
      (_, nth) => nth + 1,
    );
    if (narrow || others.length === 0 || y + needs(first, CELL.low) <= space) return first;
    return others
      .map((nth) => parts(atStop, nth))
      .reduce((best, other) => (cellSide(other) > cellSide(best) ? other : best));
  };
  const chosen = fitsAll ? everything : linesOfStop();
  const { cells } = total(chosen);
  const left = heightLeft(chosen);
  const growing = chosen.filter(({ line, rows }) => rows === 0 && line.most !== undefined);
  // Cells are smaller beside charts that can grow.
  const tallest = flow.tallest ?? (growing.length > 0 ? CELL.middle : CELL.tall);
  const cellHeight = cells
    ? Math.max(
        narrow ? 18 : Math.min(CELL.low, Math.max(left, flow.overview ? LINES.under : LINES.alone) / cells),
        Math.min(tallest, Math.floor(left / cells)),
      )
    : 0;
  const tall = Math.max(CELL.thin, cellHeight);
  const spare = Math.max(0, left - cells * tall) / Math.max(1, growing.length);
  for (const measured of chosen) {
    const { line } = measured;
    const height = Math.min((line.height ?? CHART.height) + spare, line.most ?? 0);
    const resized = growing.includes(measured) ? { ...measured, line: { ...line, height } } : measured;
    y = drawLine(scene, resized, 0, width, y, tall) + LINE_GAP;
  }
  scene.tensors.push(...small);
  const legendLayout = legendLines(
    scene.tensors.filter((tensor) => !isThumbnail(tensor)),
    width - 12,
  );
  const rules = { x: BRACKET + 4, y, width: width - 12 };
  y = legends(
    scene,
    legendLayout.families,
    rules,
    legendLayout.perLine,
    (family) => flow.legendOf?.(family) ?? "",
  );
  if (wide && aside) {
    const bottom = Math.max(ASIDE.from + ASIDE.least, Math.min(y, space));
    const top = Math.max(ASIDE.from, bottom - ASIDE.height);
    const x = room.width - NOTE.width - 8;
    placeChart(scene, aside, { x, y: top, width: NOTE.width, height: bottom - top });
    y = Math.max(y, bottom);
  }
  if (wide) scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width };
  scene.width = Math.max(room.width, scene.width);
  scene.height = y + 6;
  if (!fitsAll) scene.stop = room.step;
  return scene;
}
