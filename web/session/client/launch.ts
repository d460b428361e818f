/** Starts a worker: the first message to it, its first answer, and how the page notices that it has stopped. */
import { wrap, type Remote } from "comlink";
import { simd } from "wasm-feature-detect";
import { whileAwake } from "./awake.js";
import type { Calls } from "../calls.js";
import type { Answer, LoadMessage } from "../messages.js";

export interface LaunchOptions {
  /** Creates the worker. Each host has its own address and its own Trusted Types policy. May throw. */
  createWorker(): Worker | Promise<Worker>;
  /** Whether the worker's script is fetched over the network. If it is, an error without a message at the start means that it could not be fetched. */
  fetched?: boolean;
  /** Returns the core's bytes or its address; called again for every worker. */
  wasm(): Promise<LoadMessage["wasm"]> | LoadMessage["wasm"];
  /** Returns why a worker that gave no reason may have stopped; empty if that is not known. */
  stopReason?(): string;
  /** Called when a worker could not be started: its wasm or script may be damaged. */
  startFailed?(): void;
  /** The time limit, in milliseconds, for a worker to report that it is ready. */
  startTimeout?: number;
}

/** The worker stopped: an uncaught error, a trap of the core, or silence at its start. */
export class WorkerDied extends Error {
  override name = "WorkerDied";
}

/** The engine could not allocate the memory that the core starts with. */
export class NoMemory extends WorkerDied {
  override name = "NoMemory";
}

/** The engine does not support WebAssembly SIMD, which every build of the core needs. */
export class NoSimd extends Error {
  override name = "NoSimd";
  override message = "This engine has no WebAssembly SIMD.";
}

/** A part of the core could not be fetched; it may be asked for again. */
export class PartMissing extends Error {
  override name = "PartMissing";
}

/** A started worker. */
export interface Running {
  worker: Worker;
  /** The calls of the whole core exist only in that core's worker. */
  calls: Remote<Required<Calls>>;
  /** The answer of a call. Rejects when the worker dies or is given up, or already was. */
  during<T>(call: Promise<T>): Promise<T>;
  /** Whether a call is waiting for an answer. */
  readonly asked: boolean;
  giveUp(reason: Error): void;
}

/** The calls that wait for a worker. Racing each call against one promise for the worker's end would keep every answer in memory as long as that promise lives. */
function waiting(): Pick<Running, "during" | "giveUp" | "asked"> {
  const calls = new Set<(reason: Error) => void>();
  let ended: Error | null = null;
  return {
    get asked() {
      return calls.size > 0;
    },
    during: (call) =>
      new Promise((resolve, reject) => {
        if (ended) reject(ended);
        else calls.add(reject);
        const answered = (): void => void calls.delete(reject);
        call.then(resolve, reject).then(answered, answered);
      }),
    giveUp(reason) {
      ended ??= reason;
      for (const reject of calls) reject(ended);
      calls.clear();
    },
  };
}

/**
 * Engines differ: a worker that cannot be made throws here or fires an error later, and some stay silent. Rejects with NoSimd, with
 * WorkerDied, of which NoMemory is one, with PartMissing if the worker's script could not be fetched, or as `wasm` does.
 */
export async function launch(options: LaunchOptions): Promise<Running> {
  // If WebAssembly is disabled, the feature test throws.
  if (!(await simd().catch(() => false))) throw new NoSimd();
  // The worker's script and the wasm are fetched at the same time.
  let isWasmMissing = false;
  const wasm = Promise.resolve(options.wasm()).catch((error: unknown) => {
    isWasmMissing = true;
    throw error;
  });
  wasm.catch(() => undefined);
  let worker: Worker;
  try {
    worker = await options.createWorker();
  } catch (error) {
    if (error instanceof PartMissing) throw error;
    throw new WorkerDied(error instanceof Error ? error.message : String(error));
  }
  // If the worker ends between two calls, the next call finds out.
  const calls = waiting();
  let begun = false;
  const fail = (event: Event): void => {
    event.preventDefault();
    const { message } = event as Partial<ErrorEvent>;
    // A script that throws has a message; a script that could not be fetched has none.
    const missed = options.fetched && !begun && !message;
    calls.giveUp(
      missed
        ? new PartMissing("The worker's script did not come.")
        : new WorkerDied(message || options.stopReason?.() || "The worker stopped."),
    );
  };
  worker.addEventListener("error", fail);
  worker.addEventListener("messageerror", fail);
  let answered = (): void => undefined;
  try {
    const load: LoadMessage = { type: "load", wasm: await calls.during(wasm) };
    const ready = new Promise<void>((resolve, reject) => {
      answered = whileAwake(options.startTimeout ?? 30_000, () =>
        reject(new WorkerDied("The worker does not answer.")),
      );
      worker.addEventListener("message", function listen({ data }: MessageEvent<Answer>) {
        worker.removeEventListener("message", listen);
        begun = true;
        if (data.type === "ready") resolve();
        else reject(new (data.memory ? NoMemory : WorkerDied)(data.message));
      });
    });
    worker.postMessage(load);
    await calls.during(ready);
    return Object.assign(calls, { worker, calls: wrap<Required<Calls>>(worker) });
  } catch (error) {
    worker.terminate();
    if (!isWasmMissing) options.startFailed?.();
    throw error;
  } finally {
    answered();
  }
}
