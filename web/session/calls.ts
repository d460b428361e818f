/** The calls that the page can make to a session in a worker. Both sides take their types from these functions. */
import { transfer } from "comlink";
import type { Config } from "../config/config.js";
import type { GradientExplanation } from "../core/attention.js";
import type { Before, Cell } from "./messages.js";
import type { Session } from "./worker/session.js";
import type { TransformerSession } from "./worker/transformer-session.js";

/** An answer whose numbers are transferred instead of copied. */
function moved<T>(answer: T, tensors: readonly { data: { buffer: ArrayBufferLike } }[]): T {
  return transfer(
    answer,
    tensors.map(({ data }) => data.buffer as ArrayBuffer),
  );
}

/** The calls of both parts of the core. */
export function sessionCalls(
  session: Pick<Session, "compute" | "computeSeparately" | "explain" | "difference">,
) {
  return {
    compute(config: Config, whole?: boolean) {
      const computed = session.compute(config, whole);
      return moved(computed, computed.snapshots);
    },
    computeSeparately(config: Config) {
      const made = session.computeSeparately(config);
      return moved(made, made);
    },
    explain: (node: string, index: number[], full?: boolean) => session.explain(node, index, full),
    difference(before: readonly Before[]) {
      const made = session.difference(before);
      return moved(made, made);
    },
  };
}

/** The calls of the part that frames carry: gradients too, but not their explanations. Each of these calls names its Config. */
export function frameCalls(session: TransformerSession) {
  return {
    ...sessionCalls(session),
    explainGradient: () => null,
    gradients(config: Config, of: Cell) {
      const made = session.gradients(config, of);
      return moved(made, made);
    },
  };
}

/** The calls of the whole core. */
export function transformerCalls(session: TransformerSession) {
  return {
    ...frameCalls(session),
    explainGradient: (
      ...given: Parameters<TransformerSession["explainGradient"]>
    ): GradientExplanation | null => session.explainGradient(...given),
    program: (config: Config, language: "numpy" | "pytorch") => session.program(config, language),
    file: (config: Config, node: string, format: "npy") => session.file(config, node, format),
    bytePairs: (text: string, merges: number) => session.bytePairs(text, merges),
    readNpy: (bytes: Uint8Array) => session.readNpy(bytes),
  };
}

/** The calls about files of a worker that trains; the training lab makes them. */
export interface CheckpointCalls {
  checkpoint(config: Config, link: string): Uint8Array;
  openCheckpoint(config: Config, file: Uint8Array): void;
}

export type Calls = ReturnType<typeof sessionCalls> &
  Partial<ReturnType<typeof transformerCalls> & CheckpointCalls>;
