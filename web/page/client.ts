/** What the page asks of the session that runs in the worker. */
import type { Config } from "../config/config.js";
import type { Explanation } from "../core/attention.js";
import type { Before } from "../labs/difference.js";
import type { Computed } from "../labs/session.js";
import type { Snapshot } from "../marks/scene.js";

export type { Computed };

export interface Client {
  compute(config: Config): Promise<Computed>;
  /** How a cell was made; with `full`, long rows hold all their terms. */
  explain(node: string, index: number[], full: boolean): Promise<Explanation>;
  /** Now minus before, of every node that has the shape it had; computed in the core. */
  difference(before: readonly Before[]): Promise<Snapshot[]>;
  close(): void;
}

/** Starts a session of its own; `onRestart` is told when its worker died and another took its place. */
export type StartClient = (onRestart: (reason: string) => void) => Client;
