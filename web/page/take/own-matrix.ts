/**
 * Accepts the reader's own matrix for Q, K or V of the attention lab, although these are computed there, and one of another size for the
 * words or a weight of the multi-head lab.
 */
import { bounds } from "../../config/bounds.js";
import type { AttentionNumbers, Matrix, MultiHeadNumbers } from "../../config/config.js";
import type { ReadNumbers } from "../../files/numbers-text.js";
import { isOwn, weightOf, withOwn, type OwnTensor, type OwnTensors } from "../../labs/attention/own.js";
import { withOwnLeaf, type OwnLeaf } from "../../labs/multi-head/own.js";
import { formatShape } from "../../marks/numbers.js";
import type { Snapshots } from "../../marks/scene.js";
import { notFiniteRefusal, type Refusal } from "./put-numbers.js";

const tensors: readonly OwnTensor[] = ["Q", "K", "V"];

export const isOwnTensor = (node: string): node is OwnTensor => tensors.some((tensor) => tensor === node);

function rowsOf({ shape, data }: { shape: readonly number[]; data: Float64Array }): Matrix {
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) => [...data.slice(row * columns, (row + 1) * columns)]);
}

/** Refuses what is no matrix of at most `most` rows and columns, or has numbers that are not finite. */
function matrixRefusal(
  given: ReadNumbers,
  name: string,
  most: { rows: number; columns: number },
): Refusal | null {
  const [rows = 0, columns = 0] = given.shape;
  const fits =
    given.shape.length === 2 && rows >= 1 && columns >= 1 && rows <= most.rows && columns <= most.columns;
  return fits
    ? notFiniteRefusal(given)
    : { key: "own.matrix", slots: { name, ...most, actual: formatShape(given.shape) } };
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
  const refusal = matrixRefusal(given, name, { rows: bounds.words.max, columns: bounds.keyDim.max });
  if (refusal) return refusal;
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

/**
 * The settings of the multi-head lab with a matrix as its words or one of its weights, and their sizes after it; or why the matrix is
 * refused. `lost` names the leaves that are drawn anew.
 */
export function withOwnLeafMatrix(
  given: ReadNumbers,
  leaf: OwnLeaf,
  name: string,
  numbers: MultiHeadNumbers,
  snapshots: Snapshots,
): { numbers: MultiHeadNumbers; lost: string[] } | Refusal {
  const { dim, heads, keyDim, valueDim, words } = { ...bounds, heads: numbers.heads };
  const shared = Math.min(dim.max, heads * (leaf === "W_V" || leaf === "W_O" ? valueDim : keyDim).max);
  const most = {
    x: { rows: words.max, columns: dim.max },
    W_O: { rows: shared, columns: dim.max },
  }[leaf as string] ?? { rows: dim.max, columns: shared };
  const refusal = matrixRefusal(given, name, most);
  if (refusal) return refusal;
  const numbersOf = (node: string): Matrix | null => {
    const snapshot = snapshots.get(node);
    return snapshot ? rowsOf(snapshot) : null;
  };
  const actual = formatShape(given.shape);
  return (
    withOwnLeaf(numbers, leaf, rowsOf(given), numbersOf) ?? {
      key: leaf === "W_O" ? "own.rows" : "own.columns",
      slots: { name, heads, actual },
    }
  );
}
