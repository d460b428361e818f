/** What the page that times the core and its worker say to each other. */
import type { Build } from "../core/attention.js";
import type { Edited } from "./editing.js";

export interface Start {
  type: "start";
  /** The wasm of each build that this engine can run. */
  wasm: Partial<Record<Build, ArrayBuffer>>;
  /** Words that the names of the works must have; all where it is empty. */
  only: string;
  quick: boolean;
}

/** One build at one work. */
export interface Measured {
  /** Milliseconds of one run. */
  median: number;
  gflops: number;
  /** The part of what the registers did in the same rounds. */
  ofPeak: number;
}

export interface Result {
  id: string;
  builds: Partial<Record<Build, Measured>>;
  /** How many times faster relaxed SIMD is; null with one build alone. */
  faster: number | null;
  /** Whether the builds give the same numbers. */
  agrees: boolean;
}

export type Told =
  | { type: "peaks"; simd: number; relaxed: number | null }
  /** `place` of `count` is about to be measured; an empty id: the edits of the gallery's examples. */
  | { type: "next"; id: string; place: number; count: number }
  | { type: "result"; result: Result }
  | { type: "edits"; edits: Edited[] }
  | { type: "done" }
  | { type: "failed"; message: string };
