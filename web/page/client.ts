/** What the page asks of the session that runs in the worker. */
import type { Config } from "../config/config.js";
import type { Explanation } from "../core/index.js";
import type { Computed } from "../labs/session.js";

export type { Computed };

export interface Client {
  compute(config: Config): Promise<Computed>;
  explain(node: string, index: number[]): Promise<Explanation>;
  /** The same with every term of long rows; absent where the core cannot. */
  explainFull?(node: string, index: number[]): Promise<Explanation>;
  close(): void;
}

/** Starts a session of its own; `onRestart` is told when its worker died and another took its place. */
export type StartClient = (onRestart: (reason: string) => void) => Client;
