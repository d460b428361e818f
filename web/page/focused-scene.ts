/** A scene with some tensors of a lab alone, side by side: what a frame with `focus` shows. */
import { boardsOf, namesOf, type Board } from "../marks/board.js";
import { boardRectangle } from "../marks/matrix-lines.js";
import { columnNames, cutName, textWidth } from "../marks/measure.js";
import type { Label, PlacedTensor, Scene, Snapshots } from "../marks/scene.js";
import type { NodeWords } from "../marks/wording.js";

/** Room around a tensor: above for its caption and column names, below, and beside it for its row names. */
const above = 40;
const below = 50;
const beside = 14;

interface Block {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Placed {
  tensor: PlacedTensor;
  block: Block;
  labels: readonly Label[];
}

/** The block that a tensor takes up, with its names and caption. */
function blockOf(tensor: PlacedTensor, cells: { width: number; height: number }): Block {
  const names = Math.max(0, ...(tensor.rowNames ?? []).map((name) => textWidth(cutName(name))));
  const left = tensor.x - beside - names;
  const columns = columnNames(tensor.columnNames ?? [], tensor.cellWidth).height;
  return {
    left,
    top: tensor.y - above - columns,
    width: names + cells.width + 2 * beside,
    height: above + columns + cells.height + below,
  };
}

const within = ({ left, top, width, height }: Block, x: number, y: number): boolean =>
  x >= left && x <= left + width && y >= top && y <= top + height;

/** The tensor that a label belongs to. */
function nearest<T extends Pick<Placed, "tensor" | "block">>(
  { x, y }: Label,
  blocks: readonly T[],
): T | undefined {
  const around = blocks.filter(({ block }) => within(block, x, y));
  return around.sort((a, b) => Math.abs(x - a.tensor.x) - Math.abs(x - b.tensor.x))[0];
}

/**
 * Whether a label is above or below a tensor, or level with it: a lower label to its left names another row.
 */
const level = ({ x, y }: Label, tensor: PlacedTensor, { height }: { height: number }): boolean =>
  x >= tensor.x || (y >= tensor.y && y <= tensor.y + height);

/** The x coordinate of a label's left edge. */
function leftOf({ x, text, anchor }: Label): number {
  const width = textWidth(text);
  return anchor === "end" ? x - width : anchor === "middle" ? x - width / 2 : x;
}

/** The tensor with row and column names added, unless its own `labels` in the scene already name them. */
function withNames(
  tensor: NonNullable<Board["tensor"]>,
  labels: readonly Label[],
  nodeWords: NodeWords,
): PlacedTensor {
  const { placed } = tensor;
  const axes = labels.filter(({ kind }) => kind === "axis");
  const { rows, columns } = namesOf(tensor, nodeWords);
  return {
    ...placed,
    ...(rows.length > 0 && !axes.some(({ x }) => x < placed.x) && { rowNames: rows }),
    ...(columns.length > 0 &&
      !axes.some(({ x, y }) => x >= placed.x && y < placed.y) && { columnNames: columns }),
  };
}

/** The tensors of these nodes in a scene, with their labels, and with enough room on the left for both. */
function placedIn(
  scene: Scene,
  snapshots: Snapshots,
  nodes: readonly string[],
  nodeWords: (node: string) => NodeWords,
): Placed[] {
  const blocks = boardsOf(scene, snapshots).flatMap((board) => {
    const tensor = board.tensor?.placed;
    if (!tensor || !nodes.includes(tensor.node)) return [];
    const cells = boardRectangle(board);
    return [{ tensor, board, cells, block: blockOf(tensor, cells) }];
  });
  return blocks.map((placed) => {
    const { board, cells } = placed;
    const labels = scene.labels.filter(
      (label) => nearest(label, blocks) === placed && level(label, placed.tensor, cells),
    );
    const tensor = withNames(board.tensor!, labels, nodeWords(placed.tensor.node));
    const block = blockOf(tensor, cells);
    const left = Math.min(block.left, ...labels.map(leftOf));
    return { tensor, labels, block: { ...block, left, width: block.width + block.left - left } };
  });
}

/** The blocks in rows, as many side by side as fit the width. */
function inRows(blocks: readonly Placed[], width: number): Placed[][] {
  const rows: Placed[][] = [];
  let room = 0;
  for (const placed of blocks) {
    if (rows.length === 0 || placed.block.width > room) {
      rows.push([]);
      room = width;
    }
    rows.at(-1)!.push(placed);
    room -= placed.block.width;
  }
  return rows;
}

/**
 * A scene with the tensors of these nodes alone, in rows at most `width` wide, in the order of their scenes.
 * Each is drawn as in the first scene that has it. Null when no scene has any of them.
 */
export function focusedScene(
  scenes: readonly Scene[],
  snapshots: Snapshots,
  nodes: readonly string[],
  nodeWords: (node: string) => NodeWords,
  width: number,
): Scene | null {
  const blocks: Placed[] = [];
  for (const scene of scenes) {
    const missing = nodes.filter((node) => !blocks.some(({ tensor }) => tensor.node === node));
    const ids = new Set(blocks.map(({ tensor }) => tensor.id));
    for (const { tensor, ...placed } of placedIn(scene, snapshots, missing, nodeWords)) {
      // Two scenes may use the same id for different tensors.
      const id = ids.has(tensor.id) ? `${tensor.id}-${tensor.node}` : tensor.id;
      blocks.push({ ...placed, tensor: { ...tensor, id } });
    }
  }
  const [scene] = scenes;
  if (!scene || blocks.length === 0) return null;
  let height = 0;
  // A tensor wider than `width` makes the scene wider, and is scrolled to.
  let widest = width;
  const tensors: PlacedTensor[] = [];
  const labels: Scene["labels"] = [];
  for (const row of inRows(blocks, width)) {
    // The cells of all tensors in a row begin at the same height.
    const top = height + Math.max(...row.map(({ tensor, block }) => tensor.y - block.top));
    let x = 0;
    for (const { tensor, block, labels: own } of row) {
      const [right, down] = [x - block.left, top - tensor.y];
      tensors.push({ ...tensor, x: tensor.x + right, y: tensor.y + down });
      labels.push(...own.map((label) => ({ ...label, x: label.x + right, y: label.y + down })));
      x += block.width;
      height = Math.max(height, block.top + block.height + down);
    }
    widest = Math.max(widest, x);
  }
  const nothing = { wires: [], operators: [], legends: [], curves: [], images: [], rails: [], note: null };
  return { ...scene, ...nothing, tensors, labels, width: widest, height };
}
