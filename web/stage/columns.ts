/** Tensors in columns side by side, in groups: a column is one tensor, or a stack of tensors of one row each under one caption. */
import { textWidth } from "../marks/measure.js";
import type { Scene } from "../marks/scene.js";
import { CAPTION_BELOW, headroom, labelWidth, operator, operatorGap, place, type Block } from "./place.js";

export interface Column {
  /** Several blocks stand under each other. */
  blocks: readonly Block[];
  /** Stands before it: an arrow with the name of an operation, or a sign. */
  before?: readonly [string] | string | undefined;
  /** Of a stack. */
  caption?: { symbol: string; name: string };
}

export interface ColumnGroup {
  columns: readonly Column[];
  /** Of the rows of its tensors, or of the tensors of its stacks. */
  rowNames: readonly string[];
}

/** Cells narrower than `least` break the groups apart, and those narrower than `broken` a group. */
const CELL = { least: 30, broken: 36, most: 46, height: 24 };
const GAP = 20;
/** The distance of the rows of a stack, whose brackets do not touch, and how much wider its cells are in a single column. */
const STACK = { pitch: 32, wider: 8 };

const lead = ({ before }: Column): number =>
  typeof before === "object" ? operatorGap(before) : before ? textWidth(before) + 20 : GAP;
const isNumber = ({ blocks }: Column): boolean => blocks[0]!.columns === 1;

interface Measured extends ColumnGroup {
  isStack: boolean;
  label: number;
  /** The cells across in all, and the pixels of everything else. */
  cells: number;
  fixed: number;
}

function measure({ columns, rowNames }: ColumnGroup): Measured {
  const isStack = columns.some(({ caption }) => caption);
  const widest = Math.max(...rowNames.map((name) => textWidth(name)));
  const label = isStack ? Math.ceil(widest) + 18 : labelWidth(rowNames);
  const cells = columns.reduce((sum, { blocks }) => sum + blocks[0]!.columns, 0);
  const fixed = columns.reduce(
    (sum, column, at) => sum + (at && lead(column)) + (isNumber(column) ? STACK.wider : 0),
    label + 12,
  );
  return { columns, rowNames, isStack, label, cells, fixed };
}

/**
 * Draws the groups from `top` down: in one line if they fit, the last at the right edge; else under each other, with those that are
 * too wide broken into several lines. Returns the lower edge.
 */
export function placeColumns(scene: Scene, all: readonly ColumnGroup[], top: number, width: number): number {
  const groups = all.filter(({ columns }) => columns.length > 0).map(measure);
  const fitting = (fixed: number, cells: number): number => Math.floor((width - fixed) / cells);
  const sum = (of: (group: Measured) => number): number => groups.reduce((so, group) => so + of(group), 0);
  const together = fitting(
    sum(({ fixed }) => fixed) + GAP,
    sum(({ cells }) => cells),
  );
  const isOneLine = groups.length > 1 && together >= CELL.least;
  const widest = groups.flatMap(({ columns, label }) =>
    columns.map(({ blocks }) => fitting(label + 12, blocks[0]!.columns)),
  );
  const apart = Math.min(...groups.map(({ fixed, cells }) => fitting(fixed, cells)));
  const broken = Math.max(apart, Math.min(CELL.broken, ...widest));
  const cell = Math.min(CELL.most, isOneLine ? together : broken);
  const named = groups.flatMap(({ columns }) =>
    columns.flatMap(({ blocks }) => blocks[0]!.names?.columns ?? []),
  );
  const head = headroom(named, cell) - 26;
  return groups.reduce((lower, group, nth) => {
    const { columns, rowNames, isStack, label, cells, fixed } = group;
    const pitch = isStack ? STACK.pitch : CELL.height;
    const tall = head + rowNames.length * pitch + CAPTION_BELOW;
    const start = label + (isOneLine && nth > 0 ? width - fixed - cells * cell : 0);
    let [x, y] = [start, isOneLine ? top : lower];
    columns.forEach((column, at) => {
      const { blocks, before, caption } = column;
      const [{ step, node, columns: across, names }] = blocks as [Block];
      const size = cell + (isNumber(column) ? STACK.wider : 0);
      const gap = at && lead(column);
      if (at && x + gap + across * size + 8 > width) [x, y] = [start, y + tall];
      const low = y + head;
      const foot = low + rowNames.length * pitch;
      const middle = low + (Math.min(2, rowNames.length) * pitch) / 2;
      if (gap && typeof before === "object") operator(scene, node, x, x + gap, middle, before, step);
      else if (gap && typeof before === "string") {
        // Between two rows, because leaders run along the rows.
        const sign = { x: x + gap / 2, y: low + pitch + 5, text: before } as const;
        scene.labels.push({ ...sign, kind: "heading", anchor: "middle", over: true, step });
      }
      x += gap;
      blocks.forEach((block, row) => {
        place(scene, block, x, low + row * pitch, size, CELL.height, {
          caption: caption ? "none" : "below",
          captionWidth: across * size + GAP,
          ...(!isStack && at === 0 && { rowNames }),
          ...(row === 0 && across > 1 && { columnNames: names?.columns ?? [] }),
        });
        if (!isStack || at > 0) return;
        const name = { x: x - 14, y: low + row * pitch + 16, text: rowNames[row]!, role: block.role };
        scene.labels.push({ ...name, kind: "axis", anchor: "end", over: true, step });
      });
      if (caption) {
        scene.labels.push({ x, y: foot + 15, text: caption.symbol, kind: "symbol", step });
        scene.labels.push({ x, y: foot + 33, text: caption.name, kind: "caption", step });
      }
      x += across * size;
    });
    return Math.max(lower, y + tall);
  }, top);
}
