/** The messages between the page that times the core and its worker. */
import type { Build } from "../core/attention.js";
import type { Edited } from "./editing.js";

export interface Start {
  type: "start";
  /** The wasm of each build that this engine can run. */
  wasm: Partial<Record<Build, ArrayBuffer>>;
  /** Words that the names of the tasks must contain; empty: all tasks. */
  only: string;
  quick: boolean;
}

/** The time of one task in one build. */
export interface Measured {
  /** Milliseconds of one run. */
  median: number;
  gflops: number;
  /** The fraction of the registers' speed in the same rounds. */
  ofPeak: number;
}

export interface Result {
  id: string;
  builds: Partial<Record<Build, Measured>>;
  /** The speed of relaxed SIMD over that of SIMD; null if there is only one build. */
  faster: number | null;
  /** Whether both builds compute the same numbers. */
  agrees: boolean;
}

export type WorkerMessage =
  | { type: "peaks"; simd: number; relaxed: number | null }
  /** Task `place` of `count` is about to be measured; an empty id means the edits of the gallery's examples. */
  | { type: "next"; id: string; place: number; count: number }
  | { type: "result"; result: Result }
  | { type: "edits"; edits: Edited[] }
  | { type: "done" }
  | { type: "failed"; message: string };
