/** Accepts the reader's own matrix for Q, K or V of the attention lab, although these are computed there. */
import { bounds } from "../../config/bounds.js";
import type { AttentionNumbers, Matrix } from "../../config/config.js";
import type { ReadNumbers } from "../../files/numbers-text.js";
import { isOwn, weightOf, withOwn, type OwnTensor, type OwnTensors } from "../../labs/attention/own.js";
import { formatShape } from "../../marks/numbers.js";
import type { Snapshots } from "../../marks/scene.js";
import { notFiniteRefusal, type Refusal } from "./put-numbers.js";

const tensors: readonly OwnTensor[] = ["Q", "K", "V"];

export const isOwnTensor = (node: string): node is OwnTensor => tensors.some((tensor) => tensor === node);

function rowsOf({ shape, data }: { shape: readonly number[]; data: Float64Array }): Matrix {
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) => [...data.slice(row * columns, (row + 1) * columns)]);
}

/**
 * The matrix of a tensor: the reader's own as the settings have it, even if it is not computed yet, or the
 * computed one.
 */
function matrixOf(tensor: OwnTensor, numbers: AttentionNumbers, snapshots: Snapshots): Matrix | null {
  const typed = numbers[weightOf[tensor]];
  if (isOwn(numbers) && typed) {
    const rows = typed.map((row) => [...row]);
    for (const { node, index, value } of numbers.edits)
      if (node === `W_${tensor}`) rows[index[0]!]![index[1]!] = value;
    return rows;
  }
  const snapshot = snapshots.get(tensor);
  return snapshot ? rowsOf(snapshot) : null;
}

/**
 * The settings of the lab with a matrix as one of Q, K and V, or why the matrix is refused. The other two
 * keep their numbers where the sizes agree; `lost` names those that do not. `asks`: whether the reader must
 * confirm, because more than this tensor changes.
 */
export function withOwnMatrix(
  given: ReadNumbers,
  tensor: OwnTensor,
  name: string,
  numbers: AttentionNumbers,
  snapshots: Snapshots,
): { numbers: AttentionNumbers; lost: OwnTensor[]; asks: boolean } | Refusal {
  const [rows = 0, columns = 0] = given.shape;
  const most = { rows: bounds.words.max, columns: bounds.keyDim.max };
  const fits =
    given.shape.length === 2 && rows >= 1 && columns >= 1 && rows <= most.rows && columns <= most.columns;
  if (!fits) return { key: "own.matrix", slots: { name, ...most, actual: formatShape(given.shape) } };
  const broken = notFiniteRefusal(given);
  if (broken) return broken;
  const matrices: OwnTensors = { [tensor]: rowsOf(given) };
  const lost: OwnTensor[] = [];
  for (const other of tensors.filter((one) => one !== tensor)) {
    const matrix = matrixOf(other, numbers, snapshots);
    if (!matrix) continue;
    const sharesWidth = other !== "V" && tensor !== "V";
    if (matrix.length === rows && (!sharesWidth || matrix[0]!.length === columns)) matrices[other] = matrix;
    else lost.push(other);
  }
  return { numbers: withOwn(numbers, matrices), lost, asks: lost.length > 0 || !isOwn(numbers) };
}
