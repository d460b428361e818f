/** A board is anything on a stage that has cells to point at: a placed tensor, an image divided into patches, or one patch with its pixels. */
import { patchesAcross, pixelsOf, showsNumbers } from "./image.js";
import { memoizedBy } from "./memoized-by.js";
import { indexOf, offsetOf, planeOf, runOf, type Plane, type Run } from "./plane.js";
import type { PlacedImage, PlacedTensor, Scene, Snapshot, Snapshots } from "./scene.js";
import type { NodeWords } from "./wording.js";

/** One number of one node. */
export interface Cell {
  node: string;
  index: number[];
}

/** A row and a column. */
export type Place = readonly [row: number, column: number];

export interface Board {
  id: string;
  node: string;
  x: number;
  y: number;
  rows: number;
  columns: number;
  cellWidth: number;
  cellHeight: number;
  step: number;
  /** The room above and below the cells in each row. */
  inset?: readonly [above: number, below: number];
  /** Where the cells of a row end, from the left edge on, if they are not equally wide: for each row, 0 and the ends of its cells. */
  ends?: readonly (readonly number[])[];
  /** Whether Tab stops here. */
  stop: boolean;
  cellAt: (row: number, column: number) => Cell;
  /** The number drawn on a cell; null for a patch, which has many. */
  valueAt: (row: number, column: number) => number | null;
  /** The node's own number at a cell, whatever the cell shows. */
  ownAt: (row: number, column: number) => number | null;
  /** The number of the patch whose pixels the cells are; null on other boards. */
  patch: number | null;
  /** The cells of the board that show the node's cells in the region `from` … `to`; null if none does. */
  run: (node: string, from: readonly number[], to: readonly number[]) => Run | null;
  tensor: {
    placed: PlacedTensor;
    plane: Plane;
    snapshot: Snapshot;
    /** The snapshot drawn: that of the node, or that of the tensor's reading. */
    drawn: Snapshot;
    /** The node whose numbers fill the bars. */
    filledBy: Snapshot | null;
    /** The change of a number, whose sign is marked; null if nothing is compared. */
    changeAt: ((row: number, column: number) => number) | null;
  } | null;
}

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const middleOf = ({ x, y, width, height }: Rectangle): [x: number, y: number] => [
  x + width / 2,
  y + height / 2,
];

export function sameCell(a: Cell | null, b: Cell | null): boolean {
  if (!a || !b) return a === b;
  return (
    a.node === b.node &&
    a.index.length === b.index.length &&
    a.index.every((place, axis) => place === b.index[axis])
  );
}

/** The names of a tensor's rows and columns: its own names, else those of its axes; empty if neither exists. */
export function namesOf(
  { placed, plane }: NonNullable<Board["tensor"]>,
  nodeWords: NodeWords | null,
): { rows: readonly string[]; columns: readonly string[] } {
  const along = (axis: number | null): readonly string[] =>
    (axis === null ? null : nodeWords?.axes[axis]) ?? [];
  return {
    rows: placed.rowNames ?? along(plane.rowAxis),
    columns: placed.columnNames ?? placed.cellNames ?? along(plane.columnAxis),
  };
}

/** The distances from the left edge of the board at which a column begins in some rows. */
const columnStarts = ({ ends, cellWidth }: Board, column: number, { top, bottom }: Run): number[] =>
  ends ? ends.slice(top, bottom + 1).map((row) => row[column] ?? 0) : [column * cellWidth];

/** The rectangle of a run of cells, in CSS pixels of the stage. */
export function rectangleOf(board: Board, run: Run): Rectangle {
  const [above, below] = board.inset ?? [0, 0];
  const left = Math.min(...columnStarts(board, run.left, run));
  const right = Math.max(...columnStarts(board, run.right + 1, run));
  return {
    x: board.x + left,
    y: board.y + run.top * board.cellHeight + above,
    width: right - left,
    height: (run.bottom - run.top + 1) * board.cellHeight - above - below,
  };
}

/** The column at a distance from the left edge. */
function columnAt({ ends, cellWidth, columns }: Board, row: number, x: number): number {
  const column = ends ? ends[row]!.findLastIndex((start) => start <= x) : Math.floor(x / cellWidth);
  return Math.max(0, Math.min(columns - 1, column));
}

/** The board of a placed tensor or image for these snapshots, memoized; null if its node is missing or has another shape. */
const boardOn = memoizedBy((snapshots: Snapshots) =>
  memoizedBy((placed: PlacedTensor | PlacedImage): Board | null => {
    const snapshot = snapshots.get(placed.node);
    if (!snapshot) return null;
    const typed = "leaf" in placed && placed.leaf ? snapshots.get(placed.leaf) : null;
    const own = typed ? { ...snapshot, edited: typed.edited } : snapshot;
    return "at" in placed ? boardOfTensor(placed, own, snapshots) : boardOfImage(placed, own);
  }),
);

/** The boards of a scene in its order, tensors first. A tensor whose node is missing or has another shape is left out. */
export function boardsOf(scene: Scene, snapshots: Snapshots): Board[] {
  const boardOf = boardOn(snapshots);
  return [...scene.tensors, ...scene.images].flatMap((placed) => boardOf(placed) ?? []);
}

/** Whether a scene shows a cell: on a board, or as a dot of a chart. */
export function showsCell(scene: Scene, snapshots: Snapshots, cell: Cell): boolean {
  return (
    boardsOf(scene, snapshots).some((board) => board.run(cell.node, cell.index, cell.index)) ||
    scene.curves.some(({ cells }) => cells?.some((point) => sameCell(point, cell)))
  );
}

/** Where the cells of rows end that share the width of their row as their numbers share 1; a number that is NaN has no share. */
const sharedEnds = (plane: Plane, { data }: Snapshot, width: number): number[][] =>
  Array.from({ length: plane.rows }, (_, row) => {
    const ends = [0];
    for (let column = 0; column < plane.columns; column += 1)
      ends.push(ends.at(-1)! + width * (data[offsetOf(plane, row, column)] || 0));
    return ends;
  });

function boardOfTensor(placed: PlacedTensor, snapshot: Snapshot, snapshots: Snapshots): Board | null {
  const plane = planeOf(placed, snapshot.shape);
  if (!plane || plane.rows * plane.columns === 0) return null;
  const { id, node, x, y, cellWidth, cellHeight, step, reading, form, inset } = placed;
  const drawn = reading?.numbers ?? snapshot;
  const changes = reading?.changes;
  const at = (from: Snapshot) => (row: number, column: number) =>
    from.data[offsetOf(plane, row, column)] ?? NaN;
  return {
    id,
    node,
    x,
    y,
    rows: plane.rows,
    columns: plane.columns,
    cellWidth,
    cellHeight,
    step,
    ...(inset && { inset }),
    ...(form?.kind === "shares" && { ends: sharedEnds(plane, snapshot, plane.columns * cellWidth) }),
    stop: true,
    cellAt: (row, column) => ({ node, index: indexOf(plane, row, column) }),
    valueAt: at(drawn),
    ownAt: at(snapshot),
    patch: null,
    run: (of, from, to) => (of === node ? runOf(plane, from, to) : null),
    tensor: {
      placed,
      plane,
      snapshot,
      drawn,
      filledBy: form?.kind === "bars" ? (snapshots.get(form.filledBy) ?? null) : null,
      changeAt: changes ? at(changes) : null,
    },
  };
}

/** The board of an image: a grid of patches; for a single patch its pixels, if it is large enough for numbers, else one cell. */
function boardOfImage(image: PlacedImage, snapshot: Snapshot): Board | null {
  const { id, node, x, y, size, patch, only, step } = image;
  const across = patchesAcross(image, snapshot.shape);
  if (!patch || across === 0) return null;
  const pixels = pixelsOf(image, snapshot.shape);
  const place = { id, node, x, y, step, tensor: null };
  if (only !== undefined && showsNumbers(image, pixels)) {
    const valueAt = (row: number, column: number): number =>
      snapshot.data[(pixels.top + row) * (snapshot.shape.at(-1) ?? 0) + pixels.left + column] ?? NaN;
    return {
      ...place,
      rows: pixels.height,
      columns: pixels.width,
      cellWidth: size / pixels.width,
      cellHeight: size / pixels.height,
      stop: true,
      cellAt: (row, column) => ({ node, index: [0, pixels.top + row, pixels.left + column] }),
      valueAt,
      ownAt: valueAt,
      patch: only,
      run: (of, from, to) =>
        of === node ? pixelRun(from, to, pixels.top, pixels.left, pixels.height, pixels.width) : null,
    };
  }
  const isSingle = only !== undefined;
  const rows = isSingle ? 1 : Math.floor((snapshot.shape.at(-2) ?? 0) / patch);
  const columns = isSingle ? 1 : across;
  const { cells } = image;
  return {
    ...place,
    rows,
    columns,
    cellWidth: size / columns,
    cellHeight: size / rows,
    stop: !isSingle,
    cellAt: (row, column) => cells[row * columns + column]!,
    valueAt: () => null,
    ownAt: () => null,
    patch: null,
    run: (of, from, to) => patchRun(cells, columns, of, from, to),
  };
}

function pixelRun(
  from: readonly number[],
  to: readonly number[],
  top: number,
  left: number,
  height: number,
  width: number,
): Run | null {
  const run = {
    top: Math.max(0, (from.at(-2) ?? 0) - top),
    left: Math.max(0, (from.at(-1) ?? 0) - left),
    bottom: Math.min(height - 1, (to.at(-2) ?? -1) - top),
    right: Math.min(width - 1, (to.at(-1) ?? -1) - left),
  };
  return run.top <= run.bottom && run.left <= run.right ? run : null;
}

/** The first and last patch whose cell is in the region: a single patch, or whole rows of patches. */
function patchRun(
  cells: readonly Cell[],
  columns: number,
  node: string,
  from: readonly number[],
  to: readonly number[],
): Run | null {
  const isInside = (cell: Cell): boolean =>
    cell.node === node &&
    cell.index.length === from.length &&
    cell.index.every((at, axis) => at >= (from[axis] ?? 0) && at <= (to[axis] ?? -1));
  const first = cells.findIndex(isInside);
  if (first < 0) return null;
  const last = cells.findLastIndex(isInside);
  const isWholeRows = Math.floor(first / columns) !== Math.floor(last / columns);
  return {
    top: Math.floor(first / columns),
    bottom: Math.floor(last / columns),
    left: isWholeRows ? 0 : first % columns,
    right: isWholeRows ? columns - 1 : last % columns,
  };
}

/** The board and place under a point, or the nearest one within `reach` pixels. Boards drawn later are in front. */
export function boardAt(
  boards: readonly Board[],
  x: number,
  y: number,
  reach: number,
): { board: Board; place: Place } | null {
  let nearest: { board: Board; place: Place } | null = null;
  let least = reach;
  for (const board of boards) {
    const row = Math.max(0, Math.min(board.rows - 1, Math.floor((y - board.y) / board.cellHeight)));
    const cells = rectangleOf(board, { top: row, bottom: row, left: 0, right: board.columns - 1 });
    const { x: left, y: top } = cells;
    const [right, bottom] = [left + cells.width, top + cells.height];
    const distance = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
    if (distance > least) continue;
    least = distance;
    nearest = { board, place: [row, columnAt(board, row, x - board.x)] };
  }
  return nearest;
}
