/** Some tensors of a scene alone, side by side: what a frame with `focus` shows. */
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
function nearest({ x, y }: Label, blocks: readonly Placed[]): Placed | undefined {
  const around = blocks.filter(({ block }) => within(block, x, y));
  return around.sort((a, b) => Math.abs(x - a.tensor.x) - Math.abs(x - b.tensor.x))[0];
}

/** The scene with the tensors of these nodes alone, in the order they stood, in rows at most so wide; null where it has none of them. */
export function focused(
  scene: Scene,
  snapshots: Snapshots,
  nodes: readonly string[],
  width: number,
): Scene | null {
  const blocks = boardsOf(scene, snapshots).flatMap((board): Placed[] => {
    const tensor = board.tensor?.placed;
    if (!tensor || !nodes.includes(tensor.node)) return [];
    return [{ tensor, block: blockOf(tensor, boardRectangle(board)) }];
  });
  if (blocks.length === 0) return null;
  let x = 0;
  let y = 0;
  let row = 0;
  const tensors: PlacedTensor[] = [];
  const labels: Scene["labels"] = [];
  for (const { tensor, block } of blocks) {
    if (x > 0 && x + block.width > width) {
      x = 0;
      y += row;
      row = 0;
    }
    const [right, down] = [x - block.left, y - block.top];
    tensors.push({ ...tensor, x: tensor.x + right, y: tensor.y + down });
    for (const label of scene.labels)
      if (nearest(label, blocks)?.block === block)
        labels.push({ ...label, x: label.x + right, y: label.y + down });
    x += block.width;
    row = Math.max(row, block.height);
  }
  const nothing = { wires: [], operators: [], legends: [], curves: [], images: [], note: null };
  return { ...scene, ...nothing, tensors, labels, width, height: y + row };
}
