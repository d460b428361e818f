/** Some tensors of a lab alone, side by side: what a frame with `focus` shows. */
import { boardsOf } from "../marks/board.js";
import { boardRectangle } from "../marks/matrix-lines.js";
import { cutName, textWidth } from "../marks/measure.js";
import type { Label, PlacedTensor, Scene, Snapshots } from "../marks/scene.js";

/** Room for what stands round a tensor: its caption and the names of its columns, and of its rows. */
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

/** Where a tensor stands, with what belongs to it. */
function blockOf(tensor: PlacedTensor, cells: { width: number; height: number }): Block {
  const names = Math.max(0, ...(tensor.rowNames ?? []).map((name) => textWidth(cutName(name))));
  const left = tensor.x - beside - names;
  const columns = tensor.columnNames ? above : 0;
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

/** Whether a label is not beside a tensor, or is level with it: what stands lower names another row. */
const level = ({ x, y }: Label, tensor: PlacedTensor, { height }: { height: number }): boolean =>
  x >= tensor.x || (y >= tensor.y && y <= tensor.y + height);

/** Where a label begins. */
function leftOf({ x, text, anchor }: Label): number {
  const width = textWidth(text);
  return anchor === "end" ? x - width : anchor === "middle" ? x - width / 2 : x;
}

/** The tensors of these nodes in a scene, with their labels, and as much room on the left as these take. */
function placedIn(scene: Scene, snapshots: Snapshots, nodes: readonly string[]): Placed[] {
  const blocks = boardsOf(scene, snapshots).flatMap((board) => {
    const tensor = board.tensor?.placed;
    if (!tensor || !nodes.includes(tensor.node)) return [];
    const cells = boardRectangle(board);
    return [{ tensor, cells, block: blockOf(tensor, cells) }];
  });
  return blocks.map((placed) => {
    const { tensor, cells, block } = placed;
    const labels = scene.labels.filter(
      (label) => nearest(label, blocks) === placed && level(label, tensor, cells),
    );
    const left = Math.min(block.left, ...labels.map(leftOf));
    return { tensor, labels, block: { ...block, left, width: block.width + block.left - left } };
  });
}

/**
 * The tensors of these nodes alone, each as the first of the scenes that has it draws it, in the order they stand there, in rows at most
 * so wide; null where no scene has any.
 */
export function focused(
  scenes: readonly Scene[],
  snapshots: Snapshots,
  nodes: readonly string[],
  width: number,
): Scene | null {
  const blocks: Placed[] = [];
  for (const scene of scenes) {
    const missing = nodes.filter((node) => !blocks.some(({ tensor }) => tensor.node === node));
    const ids = new Set(blocks.map(({ tensor }) => tensor.id));
    for (const { tensor, ...placed } of placedIn(scene, snapshots, missing)) {
      // Two scenes may call two tensors the same.
      const id = ids.has(tensor.id) ? `${tensor.id}-${tensor.node}` : tensor.id;
      blocks.push({ ...placed, tensor: { ...tensor, id } });
    }
  }
  const [scene] = scenes;
  if (!scene || blocks.length === 0) return null;
  let x = 0;
  let y = 0;
  let row = 0;
  // One that is wider alone is scrolled to.
  let widest = width;
  const tensors: PlacedTensor[] = [];
  const labels: Scene["labels"] = [];
  for (const { tensor, block, labels: own } of blocks) {
    if (x > 0 && x + block.width > width) {
      x = 0;
      y += row;
      row = 0;
    }
    const [right, down] = [x - block.left, y - block.top];
    tensors.push({ ...tensor, x: tensor.x + right, y: tensor.y + down });
    labels.push(...own.map((label) => ({ ...label, x: label.x + right, y: label.y + down })));
    x += block.width;
    widest = Math.max(widest, x);
    row = Math.max(row, block.height);
  }
  const nothing = { wires: [], operators: [], legends: [], curves: [], images: [], note: null };
  return { ...scene, ...nothing, tensors, labels, width: widest, height: y + row };
}
