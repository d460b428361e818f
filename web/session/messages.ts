/** The messages between the page's side of a session and the worker's side. Neither side imports the other. */
import type { CellBlock, Explanation } from "../core/attention.js";
import type { Snapshot } from "../marks/scene.js";

/** First message to the worker: the core's bytes, or its address. */
export interface LoadMessage {
  type: "load";
  wasm: ArrayBuffer | string;
}

/** The worker's answer before its first call. */
export type Answer = { type: "ready" } | { type: "failed"; message: string; memory: boolean };

/** The result of a computation. */
export interface Computed {
  /** Copies of the nodes: every node, or those that changed since the last computation that was not refused. */
  snapshots: Snapshot[];
  all: boolean;
  milliseconds: number;
  /**
   * Whether the numbers show a moment on the way to those of the settings: the same request then goes on from there. Nodes that are shown
   * nowhere then have no numbers.
   */
  isUnfinished?: true;
  /** Why the input was refused; the last result stays. */
  error?: string;
}

/** A block of the cells of a node that are computed directly from a cell, with the index and the number of one of them. */
export interface UsedIn extends CellBlock {
  index: number[];
  value: number;
}

/** How a cell was computed, and the cells that are computed directly from it: one block for each node, in the order of the nodes. */
export interface Explained extends Explanation {
  uses: UsedIn[];
}

/** The gradients of one cell with respect to the cells of a node. */
export interface Gradient extends Snapshot {
  /** Whether the cell is computed from the node; if it is not, the gradients are 0. */
  used: boolean;
}

/** The earlier numbers of a node. */
export type Before = Pick<Snapshot, "name" | "shape" | "data">;

export interface Cell {
  node: string;
  index: number[];
}
