/** Places tensors on a stage: sizes of captions, columns side by side, thumbnails. Lengths are in CSS pixels. */
import { symbolName, symbolWidth } from "../marks/lettering.js";
import { columnNames, cutName, textWidth } from "../marks/measure.js";
import type { Fill, Legend, Operator, PlacedTensor, Role, Scene, Symbol, Wire } from "../marks/scene.js";

/** The fields that a placed tensor takes over from its block, if the block has them. */
const lasting = [
  "turned",
  "parts",
  "joined",
  "plain",
  "form",
  "inset",
  "window",
  "stretched",
  "editable",
  "leaf",
  "paintable",
  "truth",
  "masked",
  "emptyRows",
] as const satisfies (keyof PlacedTensor)[];

type Identity = "node" | "role" | "fill" | "family" | "symbol" | "name" | "letters" | "step";

/** A tensor of a lab before it has a place on the stage. */
export interface Block
  extends Pick<PlacedTensor, Identity>, Partial<Pick<PlacedTensor, "at" | (typeof lasting)[number]>> {
  rows: number;
  columns: number;
  /** The names of its rows and columns as drawn, if they have any. */
  names?: Record<"rows" | "columns", readonly string[] | null | undefined>;
  /** The width and height of a large tensor, in cells of its line. Its own cells are smaller: it is drawn as a map. */
  across?: number;
  down?: number;
}

/** The width and height of a tensor in cells of its line. */
export const across = (block: Block): number => block.across ?? block.columns;

/** The tensor, as a map with the width of `most` columns if it has more. */
export const atMostAcross = (block: Block, most: number): Block =>
  block.columns > most ? { ...block, across: most } : block;
export const down = (block: Block): number => block.down ?? block.rows;

/** The block with its rows as columns. */
export const turned = (block: Block): Block => ({
  ...block,
  turned: true,
  rows: block.columns,
  columns: block.rows,
  letters: "",
});

/** A tensor of all heads, in one of them. */
export const inHead = (block: Block, head: number): Block => ({
  ...block,
  at: [...(block.at ?? []).slice(0, -3), head, null, null],
  symbol: { ...block.symbol, sub: String(head) },
});

/** The fields that the place of a block adds to it. */
export interface Placing {
  id?: string;
  caption?: PlacedTensor["caption"];
  rowNames?: readonly string[];
  columnNames?: readonly string[];
  cellNames?: readonly string[];
  /** The widest that the plain name may be. Absent: the width between the brackets. */
  captionWidth?: number;
}

/** The room above the first row for a caption, and below the last row for a caption and the plain name. */
export const CAPTION_ABOVE = 30;
export const CAPTION_BELOW = 44;
/** The distance from the lower edge of one row of tensors to the upper edge of the next, for wires and leaders. */
export const CHANNEL = 48;
/** The height of a legend: the rule and the bar under it. */
export const LEGEND = 26;
/** The least width of a legend: the shortest bar, the numbers at both ends, and the gaps between. */
const LEAST_LEGEND = 40 + 2 * 30 + 24;
/** The gap between a bracket and the text beside it. */
const AIR = 7;
/** The same gap on a narrow screen. */
export const CLOSE = 4;
/** The gap between the captions of two tensors side by side. */
export const CAPTION_AIR = 8;
/** How far brackets reach out of the cells; those of parameters reach 3 px farther. */
export const BRACKET = 5;
export const PARAMETER = 8;

const SMALLEST = 12;
const LARGEST = 48;

export function emptyScene(width: number): Scene {
  return {
    width,
    height: 0,
    tensors: [],
    wires: [],
    operators: [],
    legends: [],
    labels: [],
    curves: [],
    images: [],
    note: null,
  };
}

function captionSymbolWidth(symbol: Symbol): number {
  return textWidth(symbol.text, 19) + textWidth(symbol.sub ?? "", 13) + textWidth(symbol.sup ?? "", 13);
}

/** Whether a field is set: not false and not an empty list. */
const isSet = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** Adds a block to a scene with its upper left cell at (x, y). */
export function place(
  scene: Scene,
  block: Block,
  x: number,
  y: number,
  cellWidth: number,
  cellHeight: number,
  placing: Placing = {},
): PlacedTensor {
  const width = block.columns * cellWidth + 2 * BRACKET;
  const sizes = `${block.rows}×${block.columns}`;
  const letters = block.letters.replaceAll("_", "");
  const fits = captionSymbolWidth(block.symbol) + 8 + textWidth(`${sizes} ${letters}`, 12) <= width;
  const tensor: PlacedTensor = {
    id: placing.id ?? block.node,
    node: block.node,
    at: block.at ?? [null, null],
    x,
    y,
    cellWidth,
    cellHeight,
    role: block.role,
    fill: block.fill,
    family: block.family,
    symbol: block.symbol,
    name:
      placing.caption === "below" && textWidth(block.name, 12.5) <= Math.max(width, placing.captionWidth ?? 0)
        ? block.name
        : "",
    letters: fits ? block.letters : "",
    caption: placing.caption ?? "none",
    step: block.step,
    ...(placing.rowNames ? { rowNames: placing.rowNames } : {}),
    ...(placing.columnNames ? { columnNames: placing.columnNames } : {}),
    ...(placing.cellNames ? { cellNames: placing.cellNames } : {}),
    ...Object.fromEntries(lasting.filter((one) => isSet(block[one])).map((one) => [one, block[one]])),
  };
  scene.tensors.push(tensor);
  return tensor;
}

/** A tensor beside others: its block, what its place adds to it, and the gap before it and the size of its cells if they are its own. */
interface Beside extends Placing {
  block: Block;
  gap?: number;
  cell?: number;
  row?: number;
}

/**
 * Adds tensors side by side from (x, y), `gap` apart, with cells `cell` wide and `row` high. The placing is that of all of them, except that
 * the names of the rows stand only at the first.
 */
export function placeBeside(
  scene: Scene,
  tensors: readonly Beside[],
  { x, y, gap, ...size }: Record<"x" | "y" | "gap" | "cell" | "row", number>,
  { rowNames, ...placing }: Placing,
): PlacedTensor[] {
  let left = x;
  return tensors.map((tensor, at) => {
    const { block, gap: before = gap, cell = size.cell, row = size.row, ...own } = tensor;
    if (at > 0) left += before;
    const names = at === 0 && rowNames ? { rowNames } : {};
    const placed = place(scene, block, left, y, cell, row, { ...placing, ...names, ...own });
    left += block.columns * cell;
    return placed;
  });
}

/** The width of the column of row names left of the tensors. Names are right-aligned and end 14 px before the cells. */
export function labelWidth(names: readonly string[]): number {
  const widest = Math.max(0, ...names.map((name) => textWidth(cutName(name))));
  return Math.min(92, Math.max(40, Math.ceil(widest) + 18));
}

/** The largest whole cell width from 12 to `largest` for which `needs(width)` pixels fit into `room`, or 12 if none fits. */
export function cellWidthFor(room: number, needs: (cellWidth: number) => number, largest = LARGEST): number {
  for (let width = largest; width > SMALLEST; width -= 1) if (needs(width) <= room) return width;
  return SMALLEST;
}

/** The largest whole cell height from 12 to `largest` for which `needs(height)` pixels fit into `room`, or 12 if none fits. */
export function cellHeightFor(room: number, needs: (cellHeight: number) => number, largest = 42): number {
  for (let height = largest; height > SMALLEST; height -= 1) if (needs(height) <= room) return height;
  return SMALLEST;
}

/** The room above the cells for column names and a caption. */
export function headroom(names: readonly string[], cellWidth: number): number {
  return CAPTION_ABOVE + columnNames(names, cellWidth).height;
}

/** The right edge of a tensor's cells. */
export function right(tensor: PlacedTensor, columns: number): number {
  return tensor.x + columns * tensor.cellWidth;
}

/** The least gap in which the longer line of an operator's name touches no bracket. */
export function operatorGap([over, under = ""]: readonly [string, string?], air = AIR): number {
  return Math.ceil(Math.max(textWidth(over, 12.5), textWidth(under, 12.5)) + 2 * (BRACKET + air));
}

/** Adds an arrow in the gap from `from` to `to`, on the row line `y`. In a narrow gap the name is set on two lines. */
export function operator(
  scene: Scene,
  node: string,
  from: number,
  to: number,
  y: number,
  name: readonly [string, string?],
  step: number,
): Operator {
  const over = name[1] === undefined ? name[0] : name.join("");
  const isNarrow = name[1] !== undefined && operatorGap([over]) > to - from;
  const arrow: Operator = {
    id: `to-${node}`,
    x: from + 12,
    y,
    width: Math.max(8, to - from - 24),
    over: isNarrow ? name[0] : over,
    ...(isNarrow && name[1] !== undefined ? { under: name[1] } : {}),
    node,
    step,
  };
  scene.operators.push(arrow);
  return arrow;
}

export function wire(
  scene: Scene,
  id: string,
  from: string,
  to: string,
  points: [number, number][],
  role: Role,
  step: number,
): Wire {
  const wire: Wire = { id, from, to, points, role, step };
  scene.wires.push(wire);
  return wire;
}

/** Adds a legend under a rule, with the first of the texts that fits. Place the tensors of its family before it. */
export function legend(
  scene: Scene,
  family: string,
  fill: Fill,
  x: number,
  y: number,
  width: number,
  ...texts: readonly string[]
): Legend {
  const text = texts.find((one) => LEAST_LEGEND + textWidth(one) <= width) ?? "";
  const legend: Legend = { family, fill, x, y, width, text };
  if (scene.tensors.some((tensor) => tensor.family === family && tensor.stretched)) legend.stretched = true;
  scene.legends.push(legend);
  return legend;
}

/** The families of the tensors on a scene, with the fills of their colour scales. */
export const familiesOf = ({ tensors }: Scene): Map<string, Fill> =>
  new Map(tensors.map(({ family, fill }) => [family, fill]));

/** Adds the legends of several families, `perLine` on a line, from (x, y) on, with `air` between two. Returns their lower edge. */
export function legends(
  scene: Scene,
  families: ReadonlyMap<string, Fill>,
  { x, y, width }: { x: number; y: number; width: number },
  perLine: number,
  textOf: (family: string) => string,
  air = 20,
): number {
  const each = Math.floor(width / perLine);
  [...families].forEach(([family, fill], at) => {
    const line = Math.floor(at / perLine);
    legend(scene, family, fill, x + (at % perLine) * each, y + line * LEGEND, each - air, textOf(family));
  });
  return y + Math.ceil(families.size / perLine) * LEGEND;
}

/** The gap between two symbols of a strip. */
const BETWEEN = 4;

/** The type size of the symbols of a strip that is a stage of its own, and of one above the lines of a stage. */
export const STRIP_SYMBOL = { alone: 13, above: 19 };

/**
 * A strip of thumbnails side by side, with cells of 8 px or smaller so that all fit, and at most `air` pixels between them. Those
 * in `active` are underlined in the colour of their role. `symbolSize` is the type size of the symbols below them.
 */
export function thumbnails(
  blocks: readonly Block[],
  active: readonly string[],
  width: number,
  air = 14,
  symbolSize = STRIP_SYMBOL.alone,
): Scene {
  const scene = emptyScene(width);
  const gap = Math.min(air, Math.floor((0.35 * width) / Math.max(1, blocks.length - 1)));
  const columns = blocks.reduce((sum, block) => sum + across(block), 0);
  const space = width - 2 * PARAMETER - gap * (blocks.length - 1);
  // A tensor with few cells and a long symbol is as wide as its symbol; if the others then have no room, as wide as its cells.
  const symbols = blocks.map((block) => symbolWidth(block.symbol, symbolSize) + BETWEEN - gap);
  const widthsOf = (cell: number) => blocks.map((block, at) => Math.max(across(block) * cell, symbols[at]!));
  const sum = (widths: readonly number[]): number => widths.reduce((all, one) => all + one, 0);
  const largest = Math.min(8, space / columns);
  const fitting = [1, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5]
    .map((part) => part * largest)
    .find((size) => sum(widthsOf(size)) <= space);
  const cell = fitting ?? largest;
  const own = blocks.map((block) => across(block) * cell);
  const widths = fitting ? widthsOf(fitting) : own;
  const slack = Math.max(0, (space - sum(widths)) / Math.max(1, blocks.length - 1));
  const tallest = Math.max(...blocks.map(down));
  const height = Math.min(8, 64 / tallest);
  // The symbols stand clear of the brackets of the tallest thumbnail.
  const under = 4 + tallest * height + 3 + symbolSize;
  let x = PARAMETER;
  for (const [at, block] of blocks.entries()) {
    const middle = x + widths[at]! / 2;
    const wide = block.across === undefined ? cell : own[at]! / block.columns;
    const high = block.down === undefined ? height : (block.down * height) / block.rows;
    const placed = place(scene, block, middle - own[at]! / 2, 4, wide, high);
    const isActive = active.includes(block.node);
    const symbol = block.symbol;
    // A long symbol under the last few cells stays inside the strip.
    const reach = symbolWidth(symbol, symbolSize) / 2 + 2;
    scene.labels.push({
      x: Math.max(reach, Math.min(width - reach, middle)),
      y: under,
      text: symbolName(symbol),
      symbol,
      kind: "symbol",
      anchor: "middle",
      step: block.step,
      ...(isActive ? { role: block.role } : {}),
    });
    if (isActive) {
      const half = Math.max(9, own[at]! / 2);
      scene.curves.push({
        id: `active-${block.node}`,
        points: [
          [middle - half, under + 7],
          [middle + half, under + 7],
        ],
        role: block.role,
        kind: "line",
        step: placed.step,
      });
    }
    x += widths[at]! + gap + slack;
  }
  scene.height = under + 12;
  return scene;
}
