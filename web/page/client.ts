/** What the page asks of the session that runs in the worker. */
import type { Config } from "../config/config.js";
import type { Explanation, GradientExplanation, Tensor } from "../core/attention.js";
import type { Before } from "../labs/difference.js";
import type { Computed } from "../labs/session.js";
import type { Snapshot } from "../marks/scene.js";

export type { Computed };

export interface Client {
  compute(config: Config): Promise<Computed>;
  /** Every node of a Config that is not shown; what is shown stays. Rejects with the core's Error where it is refused. */
  apart(config: Config): Promise<Snapshot[]>;
  /** How a cell was made; with `full`, long rows hold all their terms. */
  explain(node: string, index: number[], full: boolean): Promise<Explanation>;
  /** Now minus before, of every node that has the shape it had; computed in the core. */
  difference(before: readonly Before[]): Promise<Snapshot[]>;
  /** A program that computes the present Config with NumPy or PyTorch. This and what follows fetches the whole core when first asked. */
  program(language: "numpy" | "pytorch"): Promise<string>;
  /** How the gradient of the cell `of` by a cell of `node` was made: 1 at `of`, 0 at the other cells of its node. Null in a frame, whose core cannot say it. */
  explainGradient(
    of: { node: string; index: number[] },
    node: string,
    index: number[],
    full: boolean,
  ): Promise<GradientExplanation | null>;
  /** The gradient of the cell `of` by every named node that it depends on, each as a tensor to draw. */
  gradients(of: { node: string; index: number[] }): Promise<Snapshot[]>;
  /** The numbers of a node as NumPy's file. */
  file(node: string, format: "npy"): Promise<Uint8Array>;
  /** A text in the pieces of a vocabulary of byte pairs learned from it. */
  bytePairs(text: string, merges: number): Promise<{ pieces: string[]; merges: number }>;
  readNpy(bytes: Uint8Array): Promise<Tensor>;
  readNpz(bytes: Uint8Array): Promise<Record<string, Tensor>>;
  /** Gives up workers that do not answer: others are asked the same. */
  restart(): void;
  close(): void;
}

/**
 * Starts a session of its own. `onRestart` is told when its worker died and another took its place, `onSilence` when it has not answered
 * for long, and when it does after all.
 */
export type StartClient = (
  onRestart: (reason: string) => void,
  onSilence?: (silent: boolean) => void,
) => Client;
