/** Placing tensors on a stage: sizes of captions, columns side by side, thumbnails. Lengths in CSS pixels. */
import { symbolName, symbolWidth } from "../marks/lettering.js";
import { columnNames, cutName, textWidth } from "../marks/measure.js";
import type { Fill, Legend, Operator, PlacedTensor, Role, Scene, Symbol, Wire } from "../marks/scene.js";

/** What a tensor has wherever it stands, where it has it. */
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

type Who = "node" | "role" | "fill" | "family" | "symbol" | "name" | "letters" | "step";

/** A tensor of a lab before it has a place: who it is and what its rows and columns are. */
export interface Block
  extends Pick<PlacedTensor, Who>, Partial<Pick<PlacedTensor, "at" | (typeof lasting)[number]>> {
  rows: number;
  columns: number;
  /** Of its rows and columns as drawn, where those have any. */
  names?: Record<"rows" | "columns", readonly string[] | null | undefined>;
  /** As many cells of its line as it takes across and down, where its own are too many to be as large as those beside them: a map. */
  across?: number;
  down?: number;
}

/** How many cells of a line a tensor takes. */
export const across = (block: Block): number => block.across ?? block.columns;
export const down = (block: Block): number => block.down ?? block.rows;

/** What a place adds to a block. */
export interface Placing {
  id?: string;
  caption?: PlacedTensor["caption"];
  rowNames?: readonly string[];
  columnNames?: readonly string[];
  /** How wide the plain name may be; absent: as wide as the brackets. */
  captionWidth?: number;
}

/** Room above the first row for a caption, and below the last for caption and plain name. */
export const CAPTION_ABOVE = 30;
export const CAPTION_BELOW = 44;
/** From the lower edge of one tier to the upper edge of the next, for wires and leaders. */
export const CHANNEL = 48;
/** A legend: the rule, and the bar under it. */
export const LEGEND = 26;
/** The shortest bar of a legend, its two ends and the gaps between. */
const LEAST_LEGEND = 40 + 2 * 30 + 24;
/** Between a bracket and what is written beside it. */
const AIR = 7;
/** The same where a screen has none to spare. */
export const CLOSE = 4;
/** Between the captions of two tensors side by side. */
export const CAPTION_AIR = 8;
/** Brackets reach this far out of the cells; those of parameters 3 more. */
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

/** Whether there is anything of it: no flag that is off, no empty list. */
const isSaid = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** Puts a block on a scene with its upper left cell at (x, y). */
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
    ...Object.fromEntries(lasting.filter((one) => isSaid(block[one])).map((one) => [one, block[one]])),
  };
  scene.tensors.push(tensor);
  return tensor;
}

/** Width of the word column left of a system: the widest name, right-aligned 14 px before the cells. */
export function labelWidth(names: readonly string[]): number {
  const widest = Math.max(0, ...names.map((name) => textWidth(cutName(name))));
  return Math.min(92, Math.max(40, Math.ceil(widest) + 18));
}

/** The largest whole cell width in 12 … `largest` with which `needs(width)` pixels fit into `room`; 12 when none does. */
export function cellWidthFor(room: number, needs: (cellWidth: number) => number, largest = LARGEST): number {
  for (let width = largest; width > SMALLEST; width -= 1) if (needs(width) <= room) return width;
  return SMALLEST;
}

/** The largest whole cell height in 12 … 42 with which `needs(height)` pixels fit into `room`; 12 when none does. */
export function cellHeightFor(room: number, needs: (cellHeight: number) => number, largest = 42): number {
  for (let height = largest; height > SMALLEST; height -= 1) if (needs(height) <= room) return height;
  return SMALLEST;
}

/** Room above the cells for column names and a caption. */
export function headroom(names: readonly string[], cellWidth: number): number {
  return CAPTION_ABOVE + columnNames(names, cellWidth).height;
}

/** Right edge of a tensor's cells. */
export function right(tensor: PlacedTensor, columns: number): number {
  return tensor.x + columns * tensor.cellWidth;
}

/** The gap in which the longer line of an operator's name touches no bracket. */
export function operatorGap([over, under = ""]: readonly [string, string?], air = AIR): number {
  return Math.ceil(Math.max(textWidth(over, 12.5), textWidth(under, 12.5)) + 2 * (BRACKET + air));
}

/** An arrow in the gap from `from` to `to`, on the row line `y`. A narrow gap sets the name on two lines. */
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
  const narrow = name[1] !== undefined && operatorGap([over]) > to - from;
  const made: Operator = {
    id: `to-${node}`,
    x: from + 12,
    y,
    width: Math.max(8, to - from - 24),
    over: narrow ? name[0] : over,
    ...(narrow && name[1] !== undefined ? { under: name[1] } : {}),
    node,
    step,
  };
  scene.operators.push(made);
  return made;
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
  const made: Wire = { id, from, to, points, role, step };
  scene.wires.push(made);
  return made;
}

/** A legend under a rule, with the first of the texts that fits; of the tensors placed before it. */
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
  const made: Legend = { family, fill, x, y, width, text };
  if (scene.tensors.some((tensor) => tensor.family === family && tensor.stretched)) made.stretched = true;
  scene.legends.push(made);
  return made;
}

/** The legends of families in lines of so many, from (x, y) on; gives back their lower edge. */
export function legends(
  scene: Scene,
  families: ReadonlyMap<string, Fill>,
  { x, y, width }: { x: number; y: number; width: number },
  perLine: number,
  textOf: (family: string) => string,
): number {
  const each = Math.floor(width / perLine);
  [...families].forEach(([family, fill], at) => {
    const line = Math.floor(at / perLine);
    legend(scene, family, fill, x + (at % perLine) * each, y + line * LEGEND, each - 20, textOf(family));
  });
  return y + Math.ceil(families.size / perLine) * LEGEND;
}

/** Air between two symbols of a strip. */
const BETWEEN = 4;

/** Thumbnails side by side, 8 px cells or smaller so that all fit; those of `active` are underlined in role colour, with at most so much air between. */
export function thumbnails(
  blocks: readonly Block[],
  active: readonly string[],
  width: number,
  air = 14,
): Scene {
  const scene = emptyScene(width);
  const gap = Math.min(air, Math.floor((0.35 * width) / Math.max(1, blocks.length - 1)));
  const columns = blocks.reduce((sum, block) => sum + across(block), 0);
  const space = width - 2 * PARAMETER - gap * (blocks.length - 1);
  // Few cells over a long symbol take as much as the symbol; where that leaves the others nothing, as much as they are.
  const symbols = blocks.map((block) => symbolWidth(block.symbol, 13) + BETWEEN - gap);
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
  let x = PARAMETER;
  for (const [at, block] of blocks.entries()) {
    const middle = x + widths[at]! / 2;
    const wide = block.across === undefined ? cell : own[at]! / block.columns;
    const high = block.down === undefined ? height : (block.down * height) / block.rows;
    const placed = place(scene, block, middle - own[at]! / 2, 4, wide, high);
    const on = active.includes(block.node);
    const under = 4 + tallest * height + 16;
    const symbol = block.symbol;
    // A long symbol over the last few cells stays inside the strip.
    const reach = symbolWidth(symbol, 13) / 2 + 2;
    scene.labels.push({
      x: Math.max(reach, Math.min(width - reach, middle)),
      y: under,
      text: symbolName(symbol),
      symbol,
      kind: "symbol",
      anchor: "middle",
      step: block.step,
      ...(on ? { role: block.role } : {}),
    });
    if (on) {
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
  scene.height = 4 + tallest * height + 28;
  return scene;
}
