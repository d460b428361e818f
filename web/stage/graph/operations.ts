/** Adds the signs and arrows between the tensors of a line, according to the operations of the graph. */
import type { Snapshots } from "../../marks/scene.js";
import type { Piece, TensorPiece } from "../flow.js";
import type { Block } from "../place.js";
import { operatorName, signOf } from "./looks.js";

/**
 * Puts "+" between tensors that are added, "=" before their sum, and an arrow before the result of any other operation. A sum that
 * is not among the pieces is passed over: x and y before the layer norm of their sum give "x + y → norm".
 */
export function withOperations(pieces: readonly (Block | TensorPiece)[], snapshots: Snapshots): Piece[] {
  const nodeOf = (piece: Block | TensorPiece): string => ("node" in piece ? piece : piece.tensor).node;
  const drawn = new Set(pieces.map(nodeOf));
  const termsOf = (node: string): string[] => {
    const snapshot = snapshots.get(node);
    if (drawn.has(node) || snapshot?.op !== "add") return [node];
    return snapshot.inputs.flatMap(termsOf);
  };
  /** Tensors that no later tensor uses so far, each with the pieces before it. */
  let open: { node: string; pieces: Piece[] }[] = [];
  for (const piece of pieces) {
    const node = nodeOf(piece);
    const snapshot = snapshots.get(node);
    const terms = snapshot?.inputs.flatMap(termsOf) ?? [];
    const sources = open.filter((one) => terms.includes(one.node));
    const sign = snapshot && signOf(snapshot);
    const operation = sources.length === 0 ? [] : [sign ? "=" : ([operatorName(snapshot!)] as const)];
    const before = sources.flatMap((one, at) => [...(at > 0 ? [sign ?? "+"] : []), ...one.pieces]);
    open = open.filter((one) => !sources.includes(one));
    open.push({ node, pieces: [...before, ...operation, piece] });
  }
  return open.flatMap((one) => one.pieces);
}
