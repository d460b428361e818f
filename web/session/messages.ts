/** What passes between the page's side of a session and the worker's. Neither side imports the other. */
import type { CellBlock, Explanation } from "../core/attention.js";
import type { Snapshot } from "../marks/scene.js";

/** First message to the worker: the core's bytes, or its address. */
export interface LoadMessage {
  type: "load";
  wasm: ArrayBuffer | string;
}

/** What the worker says before its first call. */
export type Answer = { type: "ready" } | { type: "failed"; message: string; memory: boolean };

/** What a computation gave. */
export interface Computed {
  /** Copies of the nodes: every node, or those that changed since the last computation that was not refused. */
  snapshots: Snapshot[];
  all: boolean;
  milliseconds: number;
  /** Why the input was refused; the last result stays. */
  error?: string;
}

/** How a cell was made, and the cells that are computed directly from it, in the order of their nodes: one block for each node. */
export interface Explained extends Explanation {
  uses: CellBlock[];
}

/** The gradients of one cell by the cells of a node. */
export interface Gradient extends Snapshot {
  /** Whether the cell is computed from the node; where it is not, they are 0. */
  used: boolean;
}

/** The numbers of a node as they were. */
export type Before = Pick<Snapshot, "name" | "shape" | "data">;

export interface Cell {
  node: string;
  index: number[];
}
